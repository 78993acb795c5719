"""Names: how an op gets one, keeps it apart from the others, and is found by it."""

from tests.conformance.outcomes import raises


def default_names(tf, np):
    """An op without a name is named after its kind, and numbered from the second on."""
    made = [tf.constant(1.0), tf.constant(2.0), tf.placeholder(tf.float32), tf.zeros([2])]
    made += [tf.placeholder(tf.float32), tf.constant(3.0), tf.ones([2]), tf.fill([2], 1.0)]
    made += [tf.ones_like(made[1]), tf.zeros_like(made[1]), tf.identity(made[0])]
    return [tensor.name for tensor in made]


def names_of_operators(tf, np):
    """An operator's op has a lower-case name, the function's a capital one."""
    a, b = tf.constant(1.0), tf.constant(2.0)
    made = [a + b, a - b, a * b, a / b, a // b, a % b, a**b, -a, abs(a), 1 + a, 1 - a, 2 * a, 1 / a]
    made += [tf.add(a, b), tf.subtract(a, b), tf.multiply(a, b), tf.divide(a, b), tf.pow(a, b)]
    return [[tensor.name, tensor.op.type] for tensor in made]


def names_of_functions(tf, np):
    """The functions' default names and their op types."""
    a = tf.constant([1.0, 2.0])
    m = tf.ones([2, 2])
    made = [tf.square(a), tf.sqrt(a), tf.exp(a), tf.log(a), tf.negative(a), tf.maximum(a, 0.0)]
    made += [tf.minimum(a, 0.0), tf.cast(a, tf.int32), tf.matmul(m, m), tf.reduce_sum(a)]
    made += [tf.reduce_mean(a), tf.reduce_max(a), tf.reshape(a, [2, 1]), tf.stop_gradient(a)]
    made += [tf.identity(a), tf.abs(a)]
    return [[tensor.name, tensor.op.type] for tensor in made]


def names_of_comparisons(tf, np):
    """The comparison operators' and functions' names; `==` makes no op."""
    a, b = tf.constant(1.0), tf.constant(2.0)
    made = [a < b, a <= b, a > b, a >= b, tf.equal(a, b), tf.less(a, b), tf.greater(a, b)]
    return [[tensor.name, tensor.op.type, str(tensor.dtype)] for tensor in made]


def a_name_taken_is_numbered(tf, np):
    """The second op of a name gets `_1`, the third `_2`."""
    return [tf.constant(1.0, name="c").name for _ in range(4)]


def names_differ_by_more_than_case(tf, np):
    """Upper and lower case count as the same name."""
    return [tf.constant(1.0, name=name).name for name in ("c", "C", "loss", "Loss", "LOSS", "c")]


def a_numbered_name_may_be_taken(tf, np):
    """Somebody already used `c_1`: the next free number is taken."""
    return [tf.constant(1.0, name=name).name for name in ("c_1", "c", "c", "c_1", "c")]


def scopes_prefix_names(tf, np):
    """Scopes nest, and the value bound by `as` ends with a slash."""
    seen = []
    with tf.name_scope("outer") as outer:
        seen.append([outer, tf.constant(1.0).name])
        with tf.name_scope("inner") as inner:
            seen.append([inner, tf.constant(1.0, name="c").name])
        seen.append(tf.constant(1.0).name)
    return [*seen, tf.constant(1.0).name]


def a_scope_entered_again_is_another_scope(tf, np):
    """The second `name_scope("a")` is `a_1`, ignoring case."""
    seen = []
    for name in ("a", "a", "A", "b"):
        with tf.name_scope(name) as scope:
            seen.append([scope, tf.constant(1.0, name="c").name])
    return seen


def a_trailing_slash_reenters_a_scope(tf, np):
    """A name that ends with a slash is taken as it is: the scope goes on."""
    with tf.name_scope("a") as scope:
        first = tf.constant(1.0, name="c")
    with tf.name_scope(scope) as again:
        second = tf.constant(1.0, name="c")
    with tf.name_scope("b"), tf.name_scope("a/"):
        third = tf.constant(1.0, name="d")
    return [again, first.name, second.name, third.name]


def an_empty_scope_is_the_root(tf, np):
    """`name_scope(None)` and `name_scope("")` leave all scopes."""
    with tf.name_scope("a"):
        with tf.name_scope(None) as none:
            first = tf.constant(1.0, name="c")
        with tf.name_scope("") as empty:
            second = tf.constant(1.0, name="d")
        third = tf.constant(1.0, name="c")
    return [none, empty, first.name, second.name, third.name]


def scope_and_op_share_one_list_of_names(tf, np):
    """A scope and an op cannot have the same name."""
    op = tf.constant(1.0, name="a")
    with tf.name_scope("a") as scope:
        inside = tf.constant(1.0, name="b")
    after = tf.constant(1.0, name="a_1")
    return [op.name, scope, inside.name, after.name]


def an_op_name_with_a_slash_is_a_path(tf, np):
    """A name may name its own scope; the scope's parts are then taken too."""
    first = tf.constant(1.0, name="a/b")
    with tf.name_scope("a") as scope:
        second = tf.constant(1.0, name="b")
    third = tf.constant(1.0, name="a")
    return [first.name, scope, second.name, third.name]


def scoped_names_with_default(tf, np):
    """`name_scope(name, default_name, values)` is how library functions take a name."""

    def double(x, name=None):
        with tf.name_scope(name, "double", [x]):
            return tf.multiply(x, 2.0, name="twice")

    x = tf.constant(1.0)
    return [double(x).name, double(x).name, double(x, name="mine").name]


def graph_name_scope(tf, np):
    """`Graph.name_scope` is the same as `tf.name_scope` for the default graph."""
    graph = tf.get_default_graph()
    with graph.name_scope("a") as scope:
        return [scope, tf.constant(1.0, name="c").name]


def unique_name(tf, np):
    """`unique_name` marks the name as used, unless told not to."""
    graph = tf.get_default_graph()
    seen = [graph.unique_name("a"), graph.unique_name("a"), graph.unique_name("A")]
    seen += [graph.unique_name("b", mark_as_used=False), graph.unique_name("b")]
    with tf.name_scope("s"):
        seen.append(graph.unique_name("a"))
    return [*seen, tf.constant(1.0, name="a").name]


def bad_names(tf, np):
    """Names are letters, digits and `_.\\-/`, and do not begin with an underscore."""

    def scope(name):
        with tf.name_scope(name):
            pass

    return {
        "space": raises(lambda: tf.constant(1.0, name="my step")),
        "underscore": raises(lambda: tf.constant(1.0, name="_c")),
        "scope with a space": raises(lambda: scope("my scope")),
        "scope with an underscore": raises(lambda: scope("_scope")),
        "good ones": [tf.constant(1.0, name=n).name for n in ("a-b", "a.b", "1x", "x_", ".x")],
    }


def names_of_a_variable(tf, np):
    """A variable is four ops: its initial value, itself, its assignment, its read."""
    tf.Variable(1.0, name="w")
    return [[op.name, op.type] for op in tf.get_default_graph().get_operations()]


def a_variable_in_a_scope(tf, np):
    """A scope prefixes a variable's name and the names of its parts."""
    with tf.name_scope("layer"):
        w = tf.Variable(tf.zeros([2]), name="w")
        b = tf.Variable(0.0)
    again = tf.Variable(0.0, name="layer/w")
    made = [w, w.initializer, w.initial_value, w.value(), b, again]
    return [part.name for part in made]


def names_of_gradients(tf, np):
    """Gradients live in the scope `gradients`, one sub-scope for each op passed on the way."""
    x = tf.placeholder(tf.float32, [3], name="x")
    y = tf.square(x, name="y")
    z = tf.exp(y, name="z")
    first = tf.gradients(z, [x, y])
    second = tf.gradients(z, [x], name="again")
    third = tf.gradients(z, x)
    return [gradient.name for gradient in (*first, *second, *third)]


def ops_of_a_small_graph(tf, np):
    """`get_operations` lists the ops in the order they were made."""
    x = tf.placeholder(tf.float32, [None, 1], name="x")
    w = tf.Variable(tf.constant(0.0), name="w")
    tf.pow(w * x - 1.0, 2)
    tf.global_variables_initializer()
    return [op.name for op in tf.get_default_graph().get_operations()]


def finding_by_name(tf, np):
    """A graph gives back the very objects by name."""
    graph = tf.get_default_graph()
    a = tf.constant(1.0, name="a")
    with tf.name_scope("s"):
        b = tf.add(a, a, name="b")
    return [
        graph.get_tensor_by_name("a:0") is a,
        graph.get_operation_by_name("s/b") is b.op,
        graph.as_graph_element("a:0") is a,
        graph.as_graph_element("a") is a.op,
        graph.as_graph_element(a) is a,
    ]


def finding_a_name_that_is_not_there(tf, np):
    """What a graph says about names that it lacks and names of the wrong kind."""
    graph = tf.get_default_graph()
    tf.constant(1.0, name="a")
    return {
        "unknown tensor": raises(lambda: graph.get_tensor_by_name("b:0")),
        "unknown op": raises(lambda: graph.get_operation_by_name("b")),
        "op for tensor": raises(lambda: graph.get_tensor_by_name("a")),
        "tensor for op": raises(lambda: graph.get_operation_by_name("a:0")),
        "no such output": raises(lambda: graph.get_tensor_by_name("a:1")),
        "no number": raises(lambda: graph.get_tensor_by_name("a:x")),
        "no string": raises(lambda: graph.get_tensor_by_name(1)),
        "element": raises(lambda: graph.as_graph_element("b")),
        "element of a type": raises(lambda: graph.as_graph_element(1)),
    }


def names_per_graph(tf, np):
    """Each graph has its own names."""
    seen = [tf.constant(1.0, name="a").name]
    with tf.Graph().as_default():
        seen.append(tf.constant(1.0, name="a").name)
    return [*seen, tf.constant(1.0, name="a").name]
