"""Variables: what they are made of and what they show."""

from tests.conformance.outcomes import raises


def printing_a_variable(tf, np):
    """`print` and the notebook show the same form."""
    made = [tf.Variable(1.0), tf.Variable(0, name="step"), tf.Variable(tf.zeros([2, 3]), name="w")]
    made += [tf.Variable(np.zeros(2)), tf.Variable([True]), tf.Variable("text")]
    return [[str(variable), repr(variable)] for variable in made]


def parts_of_a_variable(tf, np):
    """A variable's name, op, dtype, shape, graph and initializer."""
    w = tf.Variable(tf.ones([2, 3]), name="w")
    return {
        "name": w.name,
        "op": [w.op.name, w.op.type],
        "dtype": str(w.dtype),
        "shape": [str(w.shape), str(w.get_shape()), w.get_shape().as_list()],
        "initializer": [w.initializer.name, w.initializer.type],
        "initial_value": str(w.initial_value),
        "trainable": w.trainable,
        "graph": w.graph is tf.get_default_graph(),
        "value": [w.value().name, w.value().op.type, str(w.value())],
    }


def dtypes_of_variables(tf, np):
    """A variable takes its dtype from its initial value, or the one that is asked for."""
    made = [tf.Variable(0), tf.Variable(0.0), tf.Variable(0, dtype=tf.float32)]
    made += [tf.Variable(np.float64(1)), tf.Variable(0, dtype=tf.int64), tf.Variable(np.zeros(2, "f"))]
    return [str(variable.dtype) for variable in made]


def initial_values(tf, np):
    """The initializer gives the initial value."""
    made = [tf.Variable(1.5), tf.Variable([1, 2]), tf.Variable(tf.zeros([2])), tf.Variable(np.eye(2))]
    made += [tf.Variable(lambda: tf.constant(7.0)), tf.Variable(3, dtype=tf.float32)]
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return sess.run(made)


def an_initial_value_from_another_variable(tf, np):
    """`initialized_value` makes one initializer wait for another variable's initial value."""
    a = tf.Variable(2.0, name="a")
    b = tf.Variable(a.initialized_value() * 3.0, name="b")
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return sess.run([a, b])


def initializing_some_variables(tf, np):
    """`variables_initializer` and `initializer` initialize what they are asked to."""
    a = tf.Variable(1.0, name="a")
    b = tf.Variable(2.0, name="b")
    c = tf.Variable(3.0, name="c")
    with tf.Session() as sess:
        result = sess.run(a.initializer)
        sess.run(tf.variables_initializer([b]))
        return [result, sess.run([a, b]), raises(lambda: sess.run(c))]


def initializer_ops(tf, np):
    """The initializer of all variables is a NoOp named `init`."""
    empty = tf.global_variables_initializer()
    tf.Variable(1.0, name="w")
    init = tf.global_variables_initializer()
    old = tf.initialize_all_variables()
    return [[op.name, op.type, [c.name for c in op.control_inputs]] for op in (empty, init, old)]


def initializing_again_starts_over(tf, np):
    """Running the initializer again puts back the initial values."""
    w = tf.Variable(1.0)
    init = tf.global_variables_initializer()
    with tf.Session() as sess:
        sess.run(init)
        sess.run(w.assign(5.0))
        before = sess.run(w)
        sess.run(init)
        return [before, sess.run(w)]


def an_initializer_made_too_early(tf, np):
    """The initializer knows the variables that existed when it was made."""
    tf.Variable(1.0, name="a")
    init = tf.global_variables_initializer()
    late = tf.Variable(2.0, name="late")
    with tf.Session() as sess:
        sess.run(init)
        return raises(lambda: sess.run(late))


def a_variable_that_is_not_initialized(tf, np):
    """Reading, computing with and adding to it are all refused, with its name."""
    w = tf.Variable(1.0, name="weight")
    doubled = w * 2.0
    added = tf.assign_add(w, 1.0)
    with tf.Session() as sess:
        return [
            raises(lambda: sess.run(w)),
            raises(lambda: sess.run(doubled)),
            raises(lambda: sess.run(added)),
            raises(lambda: w.eval()),
        ]


def two_sessions_two_values(tf, np):
    """Each session holds its own values."""
    w = tf.Variable(1.0)
    init = tf.global_variables_initializer()
    one, other = tf.Session(), tf.Session()
    one.run(init)
    other.run(init)
    one.run(w.assign(5.0))
    values = [one.run(w), other.run(w)]
    third = tf.Session()
    return [values, raises(lambda: third.run(w))]


def values_outlive_runs(tf, np):
    """A variable keeps its value from run to run, in one session."""
    w = tf.Variable(0, name="counter")
    add = tf.assign_add(w, 1)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [[sess.run(add), sess.run(w)] for _ in range(3)]


def computing_with_a_variable(tf, np):
    """A variable stands for its read tensor in any expression."""
    w = tf.Variable([1.0, 2.0], name="w")
    made = [w + 1.0, 1.0 - w, w * w, w / 2.0, -w, abs(w), w**2, tf.square(w), tf.reduce_sum(w)]
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        values = sess.run(made)
    return [made[0].name, [tensor.name for tensor in made[2].op.inputs], values]


def reading_a_variable(tf, np):
    """`value`, `read_value` and `identity` each give a tensor; only the first is shared."""
    w = tf.Variable(1.0, name="w")
    made = [w.value(), w.value(), w.read_value(), w.read_value(), tf.identity(w)]
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [[tensor.name for tensor in made], made[0] is made[1], sess.run(made), w.eval()]


def plus_equals_makes_a_tensor(tf, np):
    """In Python `w += 1` binds the name to a new tensor; the variable stays as it was."""
    w = variable = tf.Variable(1.0, name="w")
    w += 1.0
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [str(w), sess.run([w, variable])]


def a_variable_cannot_be_iterated(tf, np):
    """A `for` loop over a variable is refused."""
    w = tf.Variable([1.0, 2.0], name="w")
    return raises(lambda: list(w))


def a_variable_is_no_bool(tf, np):
    """What `if variable:` does: an object is true."""
    w = tf.Variable(False)
    return bool(w)


def variables_compare_by_identity(tf, np):
    """Variables are keys and members of sets; two of one value differ."""
    a = tf.Variable(1.0)
    b = tf.Variable(1.0)
    return [a == a, a == b, a in [b], len({a, b, a}), a == 1.0]


def a_variable_needs_a_value(tf, np):
    """A variable without an initial value, or with one of unknown shape, is refused."""
    x = tf.placeholder(tf.float32, name="x")
    return {
        "no value": raises(lambda: tf.Variable()),
        "None": raises(lambda: tf.Variable(None)),
        "unknown shape": raises(lambda: tf.Variable(x)),
        "wrong dtype": raises(lambda: tf.Variable("text", dtype=tf.float32)),
    }


def a_variable_of_unknown_shape(tf, np):
    """With `validate_shape=False` a variable may start without a shape."""
    x = tf.placeholder(tf.float32, name="x")
    w = tf.Variable(x, validate_shape=False, name="w")
    with tf.Session() as sess:
        sess.run(w.initializer, {x: [1.0, 2.0]})
        return [str(w), str(w.shape), sess.run(w)]


def loading_a_value(tf, np):
    """`load` stores a value without adding an op."""
    w = tf.Variable([1.0, 2.0])
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        before = len(tf.get_default_graph().get_operations())
        w.load([3.0, 4.0], sess)
        return [sess.run(w), len(tf.get_default_graph().get_operations()) - before]


def unused_initial_values_are_not_computed(tf, np):
    """Reading an initialized variable does not need what its initial value needed."""
    x = tf.placeholder(tf.float32, [], name="x")
    w = tf.Variable(x + 1.0)
    with tf.Session() as sess:
        missing = raises(lambda: sess.run(w.initializer))
        sess.run(w.initializer, {x: 2.0})
        return [missing, sess.run(w)]


def an_initial_value_that_needs_another_variable(tf, np):
    """One initializer does: where the other variable has no value yet, its initial value counts."""
    w = tf.Variable(1.0, name="w")
    c = tf.Variable((w + 1) * 2, name="c")
    d = tf.Variable(w, name="d")
    e = tf.Variable(w.initialized_value() * 3, name="e")
    names = [c.initial_value.name, c.initializer.inputs[1].name, d.initializer.inputs[1].name]
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        first = sess.run([w, c, d, e])
    with tf.Session() as sess:
        sess.run(w.initializer)
        sess.run(tf.assign(w, 10.0))
        sess.run(c.initializer)
        return [names, first, sess.run(c)]
