"""Collections: the graph's lists of things by name."""

from tests.conformance.outcomes import raises


def keys(tf, np):
    """The names behind GraphKeys."""
    keys = tf.GraphKeys
    return [keys.GLOBAL_VARIABLES, keys.TRAINABLE_VARIABLES, keys.GLOBAL_STEP, keys.TRAIN_OP, keys.VARIABLES]


def adding_and_getting(tf, np):
    """A collection keeps what is added, in order, twice if it was added twice."""
    tf.add_to_collection("mine", 1)
    tf.add_to_collection("mine", "two")
    tf.get_default_graph().add_to_collection("mine", 1)
    return [tf.get_collection("mine"), tf.get_default_graph().get_collection("mine")]


def unknown_collections_are_empty(tf, np):
    """An unknown collection is an empty list."""
    return [tf.get_collection("nothing"), tf.get_default_graph().get_all_collection_keys()]


def the_list_is_a_copy(tf, np):
    """Changing the returned list changes nothing; the reference does."""
    tf.add_to_collection("mine", 1)
    tf.get_collection("mine").append(2)
    seen = list(tf.get_collection("mine"))
    tf.get_collection_ref("mine").append(3)
    return [seen, tf.get_collection("mine")]


def several_collections_at_once(tf, np):
    """`add_to_collections` adds to each of them, once."""
    graph = tf.get_default_graph()
    graph.add_to_collections(["a", "b", "a"], 1)
    tf.add_to_collections("c", 2)
    return [tf.get_collection(name) for name in "abc"]


def clearing_a_collection(tf, np):
    """`clear_collection` empties one collection only."""
    graph = tf.get_default_graph()
    graph.add_to_collection("a", 1)
    graph.add_to_collection("b", 1)
    graph.clear_collection("a")
    return [graph.get_collection("a"), graph.get_collection("b")]


def scopes_filter(tf, np):
    """`scope` keeps what has a name that begins so, by the rules of regular expressions."""
    for name in ("layer1/w", "layer1/b", "layer10/w", "other/layer1"):
        tf.Variable(0.0, name=name)

    def found(scope):
        variables = tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, scope=scope)
        return [variable.name for variable in variables]

    return {scope: found(scope) for scope in ("layer1", "layer1/", "layer./w", ".*w", "none", "")}


def scopes_skip_what_has_no_name(tf, np):
    """With a scope, things without a name are left out."""
    tf.add_to_collection("mine", 1)
    tf.add_to_collection("mine", tf.constant(1.0, name="c"))
    return [len(tf.get_collection("mine")), [t.name for t in tf.get_collection("mine", scope="c")]]


def variables_join_collections(tf, np):
    """Every variable is global; those not marked otherwise are trainable."""
    tf.Variable(0.0, name="w")
    tf.Variable(0, trainable=False, name="step")
    tf.Variable(0.0, name="hidden", collections=[])
    tf.Variable(0.0, name="special", collections=["mine"])
    return {
        "global": [v.name for v in tf.global_variables()],
        "trainable": [v.name for v in tf.trainable_variables()],
        "mine": [v.name for v in tf.get_collection("mine")],
        "keys": sorted(tf.get_default_graph().get_all_collection_keys()),
    }


def lists_of_variables(tf, np):
    """`global_variables` and its relatives are collections, and take a scope."""
    tf.Variable(0.0, name="a/w")
    tf.Variable(0.0, name="b/w", trainable=False)
    return {
        "global": [v.name for v in tf.global_variables()],
        "global in a": [v.name for v in tf.global_variables(scope="a")],
        "trainable": [v.name for v in tf.trainable_variables()],
        "trainable in b": tf.trainable_variables("b"),
    }


def a_variable_outside_its_collection_is_not_initialized(tf, np):
    """`global_variables_initializer` initializes what is in the collection."""
    v = tf.Variable(1.0, collections=[], name="v")
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return raises(lambda: sess.run(v))


def moving_a_variable_by_hand(tf, np):
    """Adding to TRAINABLE_VARIABLES makes a variable trained."""
    a = tf.Variable(1.0, name="a", trainable=False)
    before = raises(lambda: tf.train.GradientDescentOptimizer(0.1).minimize(tf.square(a)))
    tf.add_to_collection(tf.GraphKeys.TRAINABLE_VARIABLES, a)
    train_op = tf.train.GradientDescentOptimizer(0.1).minimize(tf.square(a))
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(train_op)
        return [before, sess.run(a)]


def each_graph_has_its_own(tf, np):
    """Collections belong to a graph."""
    tf.Variable(0.0, name="a")
    with tf.Graph().as_default():
        inside = [v.name for v in tf.global_variables()]
        tf.Variable(0.0, name="b")
        after = [v.name for v in tf.global_variables()]
    return [inside, after, [v.name for v in tf.global_variables()]]


def after_minimize(tf, np):
    """The collections of a graph that trains."""
    w = tf.Variable(1.0, name="w")
    step = tf.train.get_or_create_global_step()
    tf.train.GradientDescentOptimizer(0.1).minimize(tf.square(w), global_step=step)
    graph = tf.get_default_graph()
    return {key: [item.name for item in graph.get_collection(key)] for key in sorted(graph.get_all_collection_keys())}
