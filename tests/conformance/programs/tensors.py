"""Graphs, operations and tensors: what they show of themselves."""

import contextlib
import itertools

from tests.conformance.outcomes import raises


def printing_a_tensor(tf, np):
    """`print` shows name, shape and dtype; the repr in a notebook another form."""
    made = [tf.constant(1.0), tf.placeholder(tf.int64, [None, 3], name="p")]
    made += [tf.placeholder(tf.float32, name="q"), made[0] * 2.0, tf.constant(["a", "b"])]
    return [[str(tensor), repr(tensor)] for tensor in made]


def printing_is_not_running(tf, np):
    """An f-string of a tensor holds no value."""
    total = tf.add(tf.constant(3), tf.constant(4), name="total")
    return [f"{total}", f"{[total]}"]


def parts_of_a_tensor(tf, np):
    """A tensor knows its op, its graph, its place among the op's outputs, its dtype and shape."""
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    return {
        "name": x.name,
        "op": x.op.name,
        "value_index": x.value_index,
        "dtype": str(x.dtype),
        "shape": str(x.shape),
        "get_shape": str(x.get_shape()),
        "as_list": x.get_shape().as_list(),
        "graph": x.graph is tf.get_default_graph(),
    }


def parts_of_an_operation(tf, np):
    """An operation knows its type, inputs, outputs and control inputs."""
    a = tf.constant(1.0, name="a")
    b = tf.constant(2.0, name="b")
    with tf.control_dependencies([b]):
        c = tf.add(a, b, name="c")
    op = c.op
    return {
        "name": op.name,
        "type": op.type,
        "inputs": [tensor.name for tensor in op.inputs],
        "outputs": [tensor.name for tensor in op.outputs],
        "control_inputs": [control.name for control in op.control_inputs],
        "repr": repr(op),
        "len": len(op.inputs),
        "output is the tensor": op.outputs[0] is c,
        "graph": op.graph is tf.get_default_graph(),
    }


def an_operation_has_no_op(tf, np):
    """`getattr(x, "op", x)` gives the operation of whatever can be fetched."""
    made = [tf.constant(1.0, name="a"), tf.no_op(name="b"), tf.Variable(1.0, name="w")]
    return [getattr(x, "op", x).name for x in made]


def consumers(tf, np):
    """A tensor lists the operations that take it."""
    a = tf.constant(1.0, name="a")
    tf.square(a, name="b")
    tf.add(a, a, name="c")
    return [op.name for op in a.consumers()]


def equality_is_identity(tf, np):
    """`==` compares objects: tensors serve as keys of a dict and members of a set."""
    a = tf.constant(1.0)
    b = tf.constant(1.0)
    return [a == a, a == b, a != b, a in [b, a], len({a, b, a}), {a: 1}[a]]


def comparing_with_a_number_is_false(tf, np):
    """`tensor == 1.0` is plain False, whatever the tensor would be."""
    a = tf.constant(1.0)
    return [a == 1.0, a != 1.0, a is None]


def a_tensor_is_no_bool(tf, np):
    """`if tensor:` is refused: there is no value yet."""
    x = tf.constant(1.0)
    return [raises(lambda: bool(x)), raises(lambda: x < 2.0 and x), raises(lambda: not x)]


def a_tensor_cannot_be_iterated(tf, np):
    """A `for` loop over a tensor is refused."""
    known = tf.constant([1.0, 2.0])
    unknown = tf.placeholder(tf.float32, [None])
    return [raises(lambda: list(known)), raises(lambda: list(unknown)), raises(lambda: sum(known))]


def a_tensor_is_no_number(tf, np):
    """`float`, `int`, `len` and NumPy's functions have nothing to work on."""
    x = tf.placeholder(tf.float32, [2], name="x")
    return {
        "float": raises(lambda: float(x)).type,
        "int": raises(lambda: int(x)).type,
        "len": raises(lambda: len(x)),
        "np.array": raises(lambda: np.array(x)),
        "np.sum": raises(lambda: np.sum(np.asarray(x))),
    }


def parts_of_a_graph(tf, np):
    """A graph lists its operations, is known as default, and can be finalized."""
    graph = tf.Graph()
    with graph.as_default() as same:
        a = tf.constant(1.0, name="a")
        tf.constant(1.0, name="b")
        inside = tf.get_default_graph() is graph
    return {
        "same": same is graph,
        "inside": inside,
        "outside": tf.get_default_graph() is graph,
        "graph of a": a.graph is graph,
        "operations": [op.name for op in graph.get_operations()],
        "finalized": graph.finalized,
    }


def resetting_the_default_graph(tf, np):
    """After `reset_default_graph` the default graph is another, empty one."""
    before = tf.get_default_graph()
    tf.constant(1.0)
    tf.reset_default_graph()
    after = tf.get_default_graph()
    seen = [before is after, len(before.get_operations()), len(after.get_operations())]
    return [*seen, tf.constant(1.0).name]


def resetting_inside_a_graph(tf, np):
    """`reset_default_graph` inside `with graph.as_default()` is refused."""
    with tf.Graph().as_default():
        return raises(tf.reset_default_graph)


def a_finalized_graph(tf, np):
    """Nothing can be added to a finalized graph, and what is there still runs."""
    graph = tf.get_default_graph()
    a = tf.constant(2.0)
    b = a * 3.0
    graph.finalize()
    with tf.Session() as sess:
        return {
            "finalized": graph.finalized,
            "constant": raises(lambda: tf.constant(1.0)),
            "operator": raises(lambda: a + b),
            "variable": raises(lambda: tf.Variable(1.0)),
            "run": sess.run(b),
        }


def ops_in_a_loop_make_the_graph_grow(tf, np):
    """Ops built inside a training loop are all kept."""
    x = tf.Variable(0.0, name="x")
    sizes = []
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(3):
            sess.run(tf.assign(x, x + 1.0))
            sizes.append(len(tf.get_default_graph().get_operations()))
    return [later - earlier for earlier, later in itertools.pairwise(sizes)]


def converting_to_a_tensor(tf, np):
    """`convert_to_tensor` makes constants and passes tensors through."""
    a = tf.constant(1.0)
    made = [tf.convert_to_tensor(2.0), tf.convert_to_tensor([1, 2]), tf.convert_to_tensor(np.ones(2))]
    w = tf.Variable(1.0, name="w")
    return {
        "same": tf.convert_to_tensor(a) is a,
        "made": [str(tensor) for tensor in made],
        "variable": str(tf.convert_to_tensor(w)),
        "dtype": str(tf.convert_to_tensor(2, dtype=tf.float32)),
        "wrong dtype": raises(lambda: tf.convert_to_tensor(a, dtype=tf.int32)),
    }


def a_placeholder_is_its_op(tf, np):
    """A placeholder's op has no input, and keeps the dtype and shape that it was given."""
    x = tf.placeholder("float", shape=(None, 2), name="x")
    return [x.op.type, len(x.op.inputs), str(x), x.op.name, str(x.op.get_attr("dtype"))]


def kinds_of_things(tf, np):
    """`isinstance` tells the kinds apart."""
    x = tf.constant(1.0)
    w = tf.Variable(1.0)
    return [
        isinstance(x, tf.Tensor),
        isinstance(x.op, tf.Operation),
        isinstance(w, tf.Variable),
        isinstance(w, tf.Tensor),
        isinstance(tf.get_default_graph(), tf.Graph),
        isinstance(w.initializer, tf.Operation),
        isinstance(x.shape, tf.TensorShape),
        isinstance(x.dtype, tf.DType),
    ]


def devices(tf, np):
    """A device is asked for in parts: an inner block adds to the outer one or changes it, None asks for none."""
    made = []

    def inside(*names):
        with contextlib.ExitStack() as blocks:
            for name in names:
                blocks.enter_context(tf.device(name))
            made.append(tf.no_op().device)

    for name in (
        "/cpu:0",
        "/gpu:0",
        "gpu:1",
        "/device:GPU:1",
        "/job:ps/task:0",
        "/job:a/replica:0/task:1/device:CPU:0",
    ):
        inside(name)
    inside("/job:ps/task:0", "/cpu:0")
    inside("/cpu:0", "/gpu:1")
    inside("/job:ps", "/task:1")
    inside("/cpu:0", None)
    inside("/cpu:0", "")
    inside(lambda op: "/job:b" if op.type == "NoOp" else "/job:a")
    with tf.device("/cpu:0"):
        shown = str(tf.constant(1.0, name="c"))
    return [made, shown, raises(lambda: inside("fast"))]


def what_is_a_tensor(tf, np):
    """Tensors and variables are tensors; numbers and operations are not."""
    w = tf.Variable(1.0)
    return [bool(tf.is_tensor(x)) for x in (tf.constant(1.0), w, w.initializer, 1.0, np.ones(2))]


def an_operation_is_no_tensor(tf, np):
    """A train op where its loss should stand."""
    op = tf.no_op(name="train")
    wrong = [lambda: tf.convert_to_tensor(op), lambda: tf.add(op, 1.0), lambda: tf.reduce_sum(op)]
    wrong += [lambda: tf.constant(1.0) + op, lambda: tf.convert_to_tensor([op, 1])]
    return [raises(program) for program in wrong]


def a_graph_as_text(tf, np):
    """`as_graph_def` lists the ops of a graph."""
    x = tf.placeholder(tf.float32, name="x")
    with tf.device("/cpu:0"), tf.control_dependencies([x]):
        tf.add(x, tf.Variable(2.0, name="w"), name="y")
    nodes = tf.get_default_graph().as_graph_def().node
    found = [[node.name, node.op, sorted(node.input), node.device] for node in nodes if "initial" not in node.name]
    return [found, len(nodes), tf.get_default_graph().version, tf.Session().graph_def.node[0].name]


def what_an_operation_is_made_with(tf, np):
    """Attributes, `T` among them; the outputs are a list."""
    product = tf.matmul(tf.ones([2, 2]), tf.ones([2, 2]), transpose_a=True).op
    chosen = tf.where([True], [1], [2]).op
    found = [str(op.get_attr("T")) for op in (product, chosen, tf.stack([1.0]).op, tf.Variable(1.0).initializer)]
    found += [product.get_attr("transpose_a"), raises(lambda: product.get_attr("other"))]
    return [found, type(product.outputs).__name__, len(product.outputs + chosen.outputs), product.node_def.op]


def names_that_are_none(tf, np):
    """Empty, or no text: an argument in another's place."""
    named = [tf.identity(1.0, name="").name, tf.placeholder(tf.float32, name="").name, tf.no_op(name="").name]
    wrong = [lambda: tf.constant(1, name=""), lambda: tf.square(1.0, 3), lambda: tf.ones([2], tf.float32, 3)]
    wrong += [lambda: tf.placeholder(tf.float32, name=3), lambda: tf.reduce_sum([1.0], name=3), lambda: tf.no_op(3)]
    return [named, [raises(program) for program in wrong]]


def variables_of_another_dtype(tf, np):
    """A variable is not converted, either."""
    v = tf.Variable(1.0, name="v")
    return [raises(lambda: tf.convert_to_tensor(v, tf.int32)), tf.convert_to_tensor(v, tf.float32).name]


def constants_of_nothing(tf, np):
    """Without any value, the elements of a shape are 0."""
    return tf.Session().run([tf.constant([], shape=[2]), tf.constant([], tf.int32, shape=[0, 2])])
