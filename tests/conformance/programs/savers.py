"""The ops that a Saver adds to the graph, and what a graph that is imported twice restores."""

import os
import tempfile

from tests.conformance.outcomes import raises


def _inputs(node):
    """The inputs in their order, which control inputs don't have."""
    return sorted(node.input, key=lambda name: name if name[0] == "^" else "")


def _ops(tf, start="save"):
    return [
        [n.name, n.op, _inputs(n), n.device, sorted(n.attr["_class"].list.s)]
        for n in tf.get_default_graph().as_graph_def().node
        if n.name.startswith(start)
    ]


def _variables(tf):
    with tf.device("/job:ps/task:1"):
        tf.Variable([1.0, 2.0], name="b")
    with tf.device("/gpu:1"):
        tf.Variable(3, name="a")
    tf.Variable(4.0, name="c")


def the_ops_of_a_saver(tf, np):
    """They are there as soon as the saver is."""
    _variables(tf)
    saver = tf.train.Saver(name="")
    return _ops(tf, ""), str(saver.saver_def)


def the_ops_of_a_saver_in_parts(tf, np):
    """The variables of each device are saved apart."""
    _variables(tf)
    saver = tf.train.Saver(sharded=True)
    return _ops(tf), str(saver.saver_def)


def the_ops_of_a_saver_that_reshapes(tf, np):
    """Its scope and its file have other names."""
    _variables(tf)
    with tf.name_scope("outer"):
        saver = tf.train.Saver(reshape=True, name="own", filename="there")
    return _ops(tf, "outer"), str(saver.saver_def)


def savers_that_add_nothing(tf, np):
    """One that is built later, and an empty one; and one that comes too late."""
    found = [tf.train.Saver(allow_empty=True).saver_def]
    tf.Variable(1.0, name="v")
    later = tf.train.Saver(defer_build=True)
    found += [later.saver_def, _ops(tf)]
    later.build()
    found += [later.saver_def.restore_op_name, len(_ops(tf))]
    tf.get_default_graph().finalize()
    return found, raises(tf.train.Saver)


def restoring_by_name(tf, np):
    """A run can save and restore by the names in the SaverDef."""
    v = tf.Variable([1.0, 2.0], name="v")
    about = tf.train.Saver().saver_def
    parts = tf.train.Saver(sharded=True).saver_def
    with tempfile.TemporaryDirectory() as folder, tf.Session() as sess:
        found = []
        for number, each in enumerate((about, parts)):
            path = os.path.join(folder, "model")
            sess.run(v.assign([3.0, number]))
            assert sess.run(each.save_tensor_name, {each.filename_tensor_name: path}) == path.encode()
            sess.run(v.initializer)
            sess.run(each.restore_op_name, {each.filename_tensor_name: path})
            found += [sess.run(v), sorted(os.listdir(folder))]
        return found


def _imported(tf, before, scope=None, times=1):
    """Save two variables, and import them into a graph that has some already."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model")
        with tf.Graph().as_default(), tf.Session() as sess:
            v, w = tf.Variable([1.0, 2.0], name="v"), tf.Variable(3, name="w")
            saver = tf.train.Saver()
            sess.run([v.assign([5.0, 6.0]), w.assign(7)])
            saver.save(sess, path)
        with tf.Graph().as_default() as graph, tf.Session() as sess:
            before()
            for _ in range(times):
                saver = tf.train.import_meta_graph(f"{path}.meta", clear_devices=True, import_scope=scope)
            saver.restore(sess, path)
            names = [op.name for op in graph.get_operations()]
            held = [[op.name, _value(sess, op)] for op in graph.get_operations() if op.type == "VariableV2"]
            known = [variable.name for variable in tf.global_variables()]
            saver.save(sess, path + "-again")
            stored = tf.train.list_variables(path + "-again")
            new = tf.Variable(1.0, name="v")
            return [names, held, known, stored, saver.saver_def.restore_op_name, new.name]


def _value(sess, op):
    try:
        return sess.run(op.outputs[0])
    except Exception as error:
        return type(error).__name__


def imported_beside_the_same_graph(tf, np):
    """The saver's names are the original's, so it restores the original."""

    def before():
        tf.Variable([1.0, 2.0], name="v"), tf.Variable(3, name="w")
        tf.train.Saver()

    return [_imported(tf, before, scope, times) for scope in (None, "imported") for times in (1, 2)]


def imported_beside_the_variables(tf, np):
    """Without a saver in the graph, the new one restores what was imported."""

    def before():
        tf.Variable([1.0, 2.0], name="v"), tf.Variable(3, name="w")

    return [_imported(tf, before, scope, times) for scope in (None, "imported") for times in (1, 2)]


def imported_beside_a_smaller_saver(tf, np):
    """A name of the file is never given to another op of the file."""

    def before():
        tf.train.Saver([tf.Variable([1.0, 2.0], name="v")])

    return [_imported(tf, before, None, times) for times in (1, 2)]


def attributes_that_place_and_lock(tf, np):
    """What stored variables and updates say of their container, their lock and their place."""
    v = tf.get_variable("v", [2], initializer=tf.zeros_initializer())
    w = tf.Variable([1.0, 1.0], name="w")
    step = tf.train.get_or_create_global_step()
    for locking in (False, True):
        for optimizer in (tf.train.AdamOptimizer, tf.train.GradientDescentOptimizer, tf.train.AdagradOptimizer):
            optimizer(0.1, use_locking=locking).minimize(tf.reduce_sum(v * w), global_step=step)
    tf.assign(v, w)
    tf.assign_add(v, w, use_locking=True)
    v.assign_sub(w)
    tf.scatter_add(v, [0], [1.0])
    tf.train.ExponentialMovingAverage(0.5).apply([w])
    found = []
    for n in tf.get_default_graph().as_graph_def().node:
        if n.op.startswith(("Assign", "Apply", "Scatter", "Variable")):
            place = [text.decode() for text in n.attr["_class"].list.s]
            kept = [name for name in ("container", "shared_name") if name in n.attr]
            found.append([n.name, place, "use_locking" in n.attr and n.attr["use_locking"].b, kept])
    return found


def groups_on_several_devices(tf, np):
    """There is a NoOp for each device."""
    with tf.device("/gpu:1"):
        a = tf.no_op("a")
    b = tf.no_op("b")
    tf.group(a, name="one"), tf.group(a, b, name="two")
    with tf.device("/job:w"):
        tf.group(b, a, name="three"), tf.group(b, name="four")
    return [[op.name, op.device, [c.name for c in op.control_inputs]] for op in tf.get_default_graph().get_operations()]
