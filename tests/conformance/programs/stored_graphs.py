"""Graphs in files: what is written, what is read back, and what is refused."""

import os
import tempfile
from contextlib import contextmanager

from tests.conformance.outcomes import Raised, raises

_CONST = """node { name: "c" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "value" value {
  tensor { dtype: DT_FLOAT tensor_shape { } float_val: 1 } } } }"""
_NEG = """node { name: "a" op: "Neg" input: "%s" attr { key: "T" value { type: DT_FLOAT } } }"""


@contextmanager
def _folder():
    with tempfile.TemporaryDirectory() as folder:
        yield folder


def _graph_def(tf, text):
    from google.protobuf import text_format

    return text_format.Parse(text, tf.GraphDef())


def _names(tf):
    return [op.name for op in tf.get_default_graph().get_operations()]


def _outcome(function):
    """What a function returns or raises, without the machine's name."""
    try:
        return function()
    except Exception as error:
        return Raised(error)


def _refused(tf, function):
    """What raises, and the names of the ops that are left in the graph."""
    with tf.Graph().as_default():
        return [raises(function), _names(tf)]


def _model(tf):
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    w = tf.get_variable("w", initializer=[[1.0], [2.0]])
    loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - 1.0), name="loss")
    step = tf.train.get_or_create_global_step()
    train = tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss, global_step=step)
    tf.add_to_collection("losses", loss)
    tf.add_to_collection("words", "some")
    tf.add_to_collection("numbers", 3)
    tf.add_to_collection("fractions", 0.5)
    tf.summary.scalar("loss_curve", loss)
    return train


def the_names_of_imported_ops(tf, np):
    """They are put into a scope, by default "import"; names that are taken get a number."""
    graph_def = _graph_def(tf, _CONST)
    for name in (None, None, "", "", "own", "own"):
        tf.import_graph_def(graph_def, name=name)
    return _names(tf)


def what_an_import_returns(tf, np):
    """The ops and tensors that were asked for, or None."""
    graph_def = _graph_def(tf, _CONST + _NEG % "c")
    found = tf.import_graph_def(graph_def, return_elements=["c", "a:0"])
    value = tf.Session().run(found[1])
    return [str(found[0].type), found[1].name, value, tf.import_graph_def(graph_def)]


def other_inputs(tf, np):
    """`input_map` replaces tensors of the file."""
    graph_def = _graph_def(tf, _CONST + _NEG % "c")
    found = tf.import_graph_def(graph_def, {"c:0": tf.constant(5.0)}, ["a:0"])
    found += tf.import_graph_def(graph_def, {"c": 7.0}, ["a:0"])
    refused = [
        _refused(tf, lambda: tf.import_graph_def(graph_def, {"c": 7.0, "other": 1.0}))[0],
        _refused(tf, lambda: tf.import_graph_def(graph_def, {"c": 7.0}, name="")),
        _refused(tf, lambda: tf.import_graph_def(graph_def, 3)),
    ]
    return [tf.Session().run(found), refused]


def an_order_of_its_own(tf, np):
    """The nodes may be in any order."""
    tf.import_graph_def(_graph_def(tf, _NEG % "c" + _CONST), name="")
    return [_names(tf), tf.Session().run("a:0")]


def graphs_that_are_refused(tf, np):
    """An unknown op, an input that isn't there, a name twice, a circle: then nothing is added."""
    sizes = [_CONST.replace('"c"', f'"{n}"').replace("shape { }", f"shape {{ dim {{ size: {n} }} }}") for n in (2, 3)]
    add = _NEG.replace('"Neg"', '"AddV2"').replace('input: "%s"', 'input: "2" input: "3"')
    texts = [
        _NEG % "nobody",
        _CONST + _NEG % "c:1",
        _CONST + _CONST,
        _NEG % "b" + _NEG.replace('"a"', '"b"') % "a",
        'node { name: "a b" op: "NoOp" }',
        'node { op: "NoOp" }',
        'node { name: "a" op: "NoOp" input: "^nobody" }',
        _CONST + 'node { name: "n" op: "NoOp" }' + (_NEG % "^n").replace('"^n"', '"^n" input: "c"'),
        sizes[0] + sizes[1] + add,
    ]
    found = [_refused(tf, lambda t=t: tf.import_graph_def(_graph_def(tf, t))) for t in texts]
    graph_def = _graph_def(tf, _CONST)
    for wish in (["q"], ["c:1"], [3]):
        found.append(_refused(tf, lambda wish=wish: tf.import_graph_def(graph_def, return_elements=wish)))
    found += [_refused(tf, lambda other=other: tf.import_graph_def(other)) for other in ("x", 3)]
    return found


def constants_as_text(tf, np):
    """What is written of a number, of several, and of one that is repeated."""
    ones = np.ones([2, 2], np.float32)
    makers = [
        *(lambda value=value: tf.constant(value) for value in (3, -0.5, True, "a", [1, 2], [1], [[1.0], [1.0]], ones)),
        *(lambda value=value: tf.constant(value) for value in ([True, False], ["a", "b"], 1 + 2j, float("nan"), [])),
        *(lambda name=name: tf.constant(3, name) for name in ("int8", "uint8", "uint16", "int64", "uint32", "uint64")),
        *(lambda name=name: tf.constant(1.5, name) for name in ("float16", "float64")),
        *(lambda shape=shape: tf.constant(2.0, shape=shape) for shape in ([2, 2], [1], [1, 1], [])),
        lambda: tf.constant("a", shape=[2]),
        lambda: tf.constant([3], shape=[3]),
        lambda: tf.constant(ones, shape=[4]),
        lambda: tf.zeros([2, 3]),
        lambda: tf.ones([2], tf.int32),
        lambda: tf.zeros([2], tf.string),
        lambda: tf.zeros([2, 2], tf.bool),
        lambda: tf.zeros([0]),
        lambda: tf.zeros_like(ones),
        lambda: tf.constant_initializer(3.0)([2, 2]),
        lambda: tf.zeros_initializer()([2, 2]),
    ]
    found = []
    for make in makers:
        with tf.Graph().as_default() as graph:
            make()
            *_, node = graph.as_graph_def().node
            value = str(node.attr["value"]).split("tensor_shape")[1].split()
            found.append([node.op, str(node.attr["dtype"]).strip(), *value])
    return found


def a_dtype_that_an_input_lacks(tf, np):
    """The node is named."""
    text = _CONST + _NEG.replace("DT_FLOAT", "DT_INT32") % "c"
    with tf.Graph().as_default():
        try:
            tf.import_graph_def(_graph_def(tf, text), name="")
        except ValueError as error:
            return [type(error).__name__, "int32" in str(error), "float" in str(error), _names(tf)]


def an_op_that_nobody_knows(tf, np):
    """It is named."""
    text = _CONST + (_NEG % "c").replace('"Neg"', '"NoSuchOp"')
    with tf.Graph().as_default():
        try:
            tf.import_graph_def(_graph_def(tf, text))
        except Exception as error:
            return [type(error).__name__, "Op type not registered 'NoSuchOp'" in str(error), _names(tf)]


def what_a_checkpoint_comes_with(tf, np):
    """Files, the graph's collections, and which ops save and restore."""
    _model(tf)
    with _folder() as folder, tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        saver = tf.train.Saver(max_to_keep=3)
        path = saver.save(sess, folder + "/model", global_step=7)
        files = sorted(os.listdir(folder))
        saver.save(sess, folder + "/bare", write_meta_graph=False)
        files.append(sorted(name for name in os.listdir(folder) if name.startswith("bare")))
        with open(path + ".meta", "rb") as file:
            stored = tf.MetaGraphDef.FromString(file.read())
    found = {}
    for key, items in stored.collection_def.items():
        kind = items.WhichOneof("kind")
        found[key] = [kind, [v if kind != "bytes_list" else bytes(v) for v in getattr(items, kind).value]]
    about = stored.saver_def
    names = [about.filename_tensor_name, about.save_tensor_name, about.restore_op_name]
    ops = sorted(node.name for node in stored.graph_def.node if node.name.startswith("save/"))
    return [files, sorted(found.items()), names, about.max_to_keep, about.version, ops]


def a_graph_that_goes_on(tf, np):
    """What was imported is restored and trained, with its step and its collections."""
    train, x = _model(tf), np.float32([[1, 2], [3, 4]])
    with _folder() as folder:
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            for _ in range(3):
                sess.run(train, {"x:0": x})
            path = tf.train.Saver().save(sess, folder + "/model", global_step=3)
            straight = [sess.run([train, "w:0", "global_step:0"], {"x:0": x})[1:] for _ in range(2)]
        with tf.Graph().as_default() as graph, tf.Session() as sess:
            saver = tf.train.import_meta_graph(path + ".meta")
            saver.restore(sess, path)
            (again,) = tf.get_collection(tf.GraphKeys.TRAIN_OP)
            resumed = [sess.run([again, "w:0", "global_step:0"], {"x:0": x})[1:] for _ in range(2)]
            keys = sorted(graph.get_all_collection_keys())
            held = [tf.get_collection(key) for key in ("words", "numbers", "fractions")]
            items = [[item.name for item in tf.get_collection(key)] for key in ("losses", "summaries", "variables")]
            step = tf.train.get_global_step()
            found = [step.name, str(step.dtype), [v.name for v in tf.trainable_variables()], again.type]
            next_path = saver.save(sess, folder + "/next", global_step=step).replace(folder, "D")
        return [straight, resumed, keys, held, items, found, next_path]


def an_imported_scope(tf, np):
    """Everything is in the scope, the saver's names and the variables' too, but not the names in checkpoints."""
    _model(tf)
    with _folder() as folder:
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            path = tf.train.Saver().save(sess, folder + "/model")
        with tf.Graph().as_default(), tf.Session() as sess:
            tf.constant(1.0, name="before")
            saver = tf.train.import_meta_graph(path + ".meta", import_scope="scope")
            saver.restore(sess, path)
            names = [v.name for v in tf.global_variables()]
            values = sess.run(tf.trainable_variables())
            missing = [name for name in _names(tf) if not name.startswith("scope/")]
            train = [op.name for op in tf.get_collection("train_op")]
            return [names, values, missing, train, saver.saver_def.restore_op_name]


def what_is_there_already(tf, np):
    """A graph that is imported beside the same graph: names get numbers, collections grow."""
    stored = tf.train.export_meta_graph()
    _model(tf)
    stored = tf.train.export_meta_graph()
    tf.train.import_meta_graph(stored)
    names = [v.name for v in tf.global_variables()]
    return [names, "w_1" in _names(tf), tf.train.get_global_step() is None, len(tf.get_collection("train_op"))]


def meta_graphs_as_messages(tf, np):
    """Exported without a saver; some collections only; as text; without devices."""
    with tf.device("/cpu:0"):
        _model(tf)
    with _folder() as folder:
        plain = tf.train.export_meta_graph(folder + "/new/plain.meta", collection_list=["losses"])
        tf.train.Saver().export_meta_graph(folder + "/text.meta", as_text=True)
        with open(folder + "/text.meta") as file:
            text = file.read()
        found = [sorted(plain.collection_def), plain.HasField("saver_def"), "\ngraph_def {\n" in f"\n{text}"]
        found.append(sorted(os.listdir(folder + "/new")))
        with tf.Graph().as_default():
            saver = tf.train.import_meta_graph(folder + "/new/plain.meta")
            found += [saver, [t.name for t in tf.get_collection("losses")], tf.global_variables()]
        with tf.Graph().as_default() as graph:
            saver = tf.train.import_meta_graph(folder + "/text.meta", clear_devices=True)
            found += [type(saver).__name__, graph.get_operation_by_name("loss").device]
        with tf.Graph().as_default() as graph:
            tf.train.import_meta_graph(folder + "/text.meta")
            found.append(graph.get_operation_by_name("loss").device)
        return found


def files_that_are_refused(tf, np):
    """No file, half a file, text that is something else."""
    _model(tf)
    found = []
    with _folder() as folder:
        path = folder + "/model.meta"

        def attempt(content):
            with open(path, "wb") as file:
                file.write(content)
            with tf.Graph().as_default():
                try:
                    return tf.train.import_meta_graph(path)
                except Exception as error:
                    return [type(error).__name__, str(error).replace(folder, "D")[:55], len(_names(tf))]

        stored = tf.train.Saver().export_meta_graph()
        content = stored.SerializeToString()
        found.append(raises(lambda: tf.train.import_meta_graph("none.meta")))
        found += [attempt(b""), attempt(b"of TensorFlow"), attempt(b'graph_def { node { name: "a" op: "NoOp" }')]
        found += [attempt(content[: len(content) // 2])[0], attempt(content[:-1])[0], attempt(b"\xff\xfe")[0]]
        found.append(raises(lambda: tf.train.import_meta_graph(3)))
        stored.saver_def.restore_op_name = ""
        found.append(attempt(stored.SerializeToString())[:2])
        stored.ClearField("saver_def")
        stored.collection_def["variables"].bytes_list.value[0] = b"\xff\xff"
        found.append(attempt(stored.SerializeToString())[0])
        del stored.collection_def["variables"]
        del stored.collection_def["trainable_variables"]
        stored.collection_def["global_step"].Clear()
        stored.collection_def["losses"].node_list.value.append("nobody:0")
        found.append(attempt(stored.SerializeToString())[0])
        return found


def a_directory_of_a_monitored_session(tf, np):
    """The graph is there as text, and beside each checkpoint, unless the session is told not to write it."""
    step = tf.train.get_or_create_global_step()
    add = step.assign_add(1)
    tf.summary.scalar("step", step)
    found = []
    with _folder() as folder:
        for name, options in (("with", {}), ("without", {"save_graph_def": False})):
            with tf.Graph().as_default():
                add = tf.train.get_or_create_global_step().assign_add(1)
                with tf.train.MonitoredTrainingSession(checkpoint_dir=f"{folder}/{name}", **options) as sess:
                    sess.run(add)
            files = sorted(f for f in os.listdir(f"{folder}/{name}") if "tfevents" not in f)
            found.append([f for f in files if not f.startswith("model.ckpt") or f.endswith(".meta")])
        with open(folder + "/with/graph.pbtxt") as file:
            stored = _graph_def(tf, file.read())
        found.append(
            [
                node.name
                for node in stored.node
                if node.name.startswith("global_step") and "Initialized" not in node.name.replace("cond", "Initialized")
            ]
        )
        with tf.Graph().as_default(), tf.Session() as sess:
            saver = tf.train.import_meta_graph(folder + "/with/model.ckpt-1.meta")
            saver.restore(sess, folder + "/with/model.ckpt-1")
            found += [sess.run(tf.train.get_global_step()), len(tf.get_collection(tf.GraphKeys.SAVERS))]
    return found


def a_graph_without_variables(tf, np):
    """There is nothing to save, but a graph."""
    tf.constant(1.0, name="one")
    with _folder() as folder, tf.Session() as sess:
        saved = tf.train.Saver(allow_empty=True).save(sess, folder + "/m")
        stored = tf.train.export_meta_graph()
        with tf.Graph().as_default():
            return [saved, sorted(os.listdir(folder)), tf.train.import_meta_graph(stored), _names(tf)]
