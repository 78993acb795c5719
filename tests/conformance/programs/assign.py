"""Assignments: ops that change a variable when they run."""

from tests.conformance.outcomes import raises


def assigning(tf, np):
    """`assign`, `assign_add` and `assign_sub` give the new value."""
    w = tf.Variable(10.0)
    ops = [tf.assign(w, 5.0), tf.assign_add(w, 2.0), tf.assign_sub(w, 3.0)]
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [[sess.run(op), sess.run(w)] for op in ops]


def assigning_by_method(tf, np):
    """The variable's methods do the same."""
    w = tf.Variable([1, 2])
    ops = [w.assign([5, 6]), w.assign_add([1, 1]), w.assign_sub([2, 2])]
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [[sess.run(op), sess.run(w)] for op in ops]


def counting_to_two(tf, np):
    """Running `assign_add(step, 1)` twice makes the step 2; building it changes nothing."""
    step = tf.Variable(0, trainable=False, name="global_step")
    increment = tf.assign_add(step, 1)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        before = sess.run(step)
        sess.run(increment)
        sess.run(increment)
        return [before, sess.run(step)]


def what_assignments_are(tf, np):
    """An assignment is a tensor of a reference dtype; its op is named after its kind."""
    w = tf.Variable(1.0, name="w")
    made = [tf.assign(w, 2.0), tf.assign_add(w, 1.0), tf.assign_sub(w, 1.0)]
    made += [w.assign(2.0), w.assign_add(1.0), tf.assign(w, 3.0, name="reset")]
    return [[str(tensor), tensor.op.type] for tensor in made]


def inputs_of_an_assignment(tf, np):
    """The first input is the variable itself, not its read tensor."""
    w = tf.Variable(1.0, name="w")
    op = tf.assign_add(w, 1.0).op
    return [[tensor.name, str(tensor.dtype)] for tensor in op.inputs]


def assigning_a_computed_value(tf, np):
    """The value may be computed, from the variable itself too."""
    w = tf.Variable(3.0)
    double = tf.assign(w, w * 2.0)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [sess.run(double) for _ in range(3)]


def assigning_from_a_placeholder(tf, np):
    """The usual way to set a variable without growing the graph."""
    w = tf.Variable(tf.zeros([2]))
    new = tf.placeholder(tf.float32, [2])
    update = w.assign(new)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [sess.run(update, {new: value}) for value in ([1, 2], [3.5, 4])]


def assigning_as_a_value_in_an_expression(tf, np):
    """What is computed from an assignment uses the value that it gave."""
    w = tf.Variable(1.0)
    result = tf.assign_add(w, 4.0) * 10.0
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [sess.run(result), sess.run(result), sess.run(w)]


def assigning_does_not_need_an_initial_value(tf, np):
    """`assign` initializes; `assign_add` needs a value to add to."""
    w = tf.Variable(1.0, name="w")
    assign, add = tf.assign(w, 5.0), tf.assign_add(w, 1.0)
    with tf.Session() as sess:
        return [raises(lambda: sess.run(add)), sess.run(assign), sess.run(add)]


def assigning_converts_python_numbers(tf, np):
    """A Python number takes the variable's dtype."""
    f = tf.Variable(1.0)
    i = tf.Variable(1, dtype=tf.int64)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [sess.run(tf.assign(f, 2)), sess.run(tf.assign_add(i, 3)), sess.run(f.assign_sub(np.float64(0.5)))]


def assigning_the_wrong_dtype(tf, np):
    """A value of another dtype is refused when the op is made."""
    i = tf.Variable(1, name="i")
    f = tf.Variable(1.0, name="f")
    return {
        "float to int": raises(lambda: tf.assign(i, 1.5)),
        "float added to int": raises(lambda: tf.assign_add(i, 0.5)),
        "int tensor to float": raises(lambda: tf.assign(f, tf.constant(1))),
        "by method": raises(lambda: i.assign(1.5)),
    }


def assigning_the_wrong_shape(tf, np):
    """A value of another shape is refused when the op is made."""
    w = tf.Variable(tf.zeros([2]), name="w")
    return {
        "assign": raises(lambda: tf.assign(w, [1.0, 2.0, 3.0])),
        "assign_add": raises(lambda: tf.assign_add(w, [1.0, 2.0, 3.0])),
        "assign_sub": raises(lambda: w.assign_sub([[1.0, 2.0]])),
        "scalar": raises(lambda: tf.assign(w, 1.0)),
        "scalar added": raises(lambda: tf.assign_add(w, 1.0)),
    }


def assigning_the_wrong_shape_when_run(tf, np):
    """A shape that the graph could not know is refused by the run, and nothing is stored."""
    w = tf.Variable(tf.zeros([2]), name="w")
    new = tf.placeholder(tf.float32, name="new")
    assign, add = tf.assign(w, new), tf.assign_add(w, new)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [
            raises(lambda: sess.run(assign, {new: [1, 2, 3]})),
            raises(lambda: sess.run(add, {new: [1, 2, 3]})),
            sess.run(w),
            sess.run(assign, {new: [1, 2]}),
        ]


def assigning_another_shape_on_purpose(tf, np):
    """With `validate_shape=False` the value changes its shape, the variable's static one stays."""
    w = tf.Variable(tf.zeros([2]), name="w")
    grow = tf.assign(w, tf.zeros([3]), validate_shape=False)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(grow)
        return [str(w.shape), str(grow.shape), sess.run(w)]


def assigning_to_what_is_no_variable(tf, np):
    """Only variables can be assigned to."""
    c = tf.constant(1.0, name="c")
    w = tf.Variable(1.0, name="w")
    return [raises(lambda: tf.assign(c, 2.0)).type, raises(lambda: tf.assign_add(w + 1.0, 2.0)).type]


def assigning_what_another_variable_holds(tf, np):
    """A variable as value gives its value at that time."""
    a = tf.Variable(1.0)
    b = tf.Variable(2.0)
    copy = tf.assign(a, b)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(copy)
        sess.run(tf.assign(b, 9.0))
        return sess.run([a, b])


def assignments_by_op_and_by_tensor(tf, np):
    """Fetching an assignment's op updates too, and gives None."""
    w = tf.Variable(0.0)
    add = tf.assign_add(w, 1.0)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        add.op.run()
        return [sess.run(add.op), sess.run(w)]
