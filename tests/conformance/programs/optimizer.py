"""Gradient descent: `minimize` and the two steps that it is made of."""

from tests.conformance.outcomes import raises


def minimize_with_a_step_is_the_increment(tf, np):
    """With `global_step`, what `minimize` returns is the op that adds one."""
    w = tf.Variable(1.0, name="w")
    step = tf.Variable(0, trainable=False, name="global_step")
    train_op = tf.train.GradientDescentOptimizer(0.1).minimize(tf.square(w), global_step=step)
    return [train_op.type, train_op.name, repr(train_op), [t.name for t in train_op.inputs]]


def minimize_without_a_step_is_a_no_op(tf, np):
    """Without it, it is a NoOp that waits for the updates."""
    w = tf.Variable(1.0, name="w")
    train_op = tf.train.GradientDescentOptimizer(0.1).minimize(tf.square(w))
    return [train_op.type, train_op.name, repr(train_op), len(train_op.inputs)]


def names_of_train_ops(tf, np):
    """The train op is named after the optimizer, numbered from the second on, or as asked."""
    w = tf.Variable(1.0, name="w")
    loss = tf.square(w)
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    named = tf.train.GradientDescentOptimizer(0.1, name="sgd")
    made = [optimizer.minimize(loss), optimizer.minimize(loss), optimizer.minimize(loss, name="go")]
    made += [named.minimize(loss)]
    with tf.name_scope("train"):
        made.append(optimizer.minimize(loss))
    return [[op.name, op.type] for op in made]


def the_update_ops(tf, np):
    """The train op waits for one ApplyGradientDescent for each variable."""
    a = tf.Variable(1.0, name="a")
    b = tf.Variable(1.0, name="b")
    train_op = tf.train.GradientDescentOptimizer(0.1).minimize(tf.square(a * b))
    return sorted([op.name, op.type] for op in train_op.control_inputs)


def the_increment_waits_for_the_updates(tf, np):
    """From the increment, edges lead back to every update."""
    a = tf.Variable(1.0, name="a")
    b = tf.Variable(1.0, name="b")
    step = tf.train.get_or_create_global_step()
    train_op = tf.train.GradientDescentOptimizer(0.1).minimize(a * b, global_step=step)
    before, seen = [train_op], set()
    while before:
        op = before.pop()
        if op not in seen:
            seen.add(op)
            before += [*op.control_inputs, *(tensor.op for tensor in op.inputs)]
    return sorted(op.name for op in seen if op.type == "ApplyGradientDescent")


def gradients_and_variables(tf, np):
    """`compute_gradients` gives pairs of gradient and variable, in the variables' order."""
    w = tf.Variable([[1.0], [2.0]], name="w")
    b = tf.Variable(0.5, name="b")
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    loss = tf.reduce_mean(tf.square(tf.matmul(x, w) + b))
    pairs = tf.train.GradientDescentOptimizer(0.1).compute_gradients(loss)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [
            [variable is expected for (_, variable), expected in zip(pairs, [w, b], strict=True)],
            [[str(gradient.shape), str(gradient.dtype)] for gradient, _ in pairs],
            [type(pair).__name__ for pair in pairs],
            sess.run(pairs),
        ]


def printed_gradients_and_variables(tf, np):
    """What printing the pairs shows: a tensor of the scope `gradients`, a variable."""
    w = tf.Variable(1.0, name="w")
    b = tf.Variable(1.0, name="b")
    loss = tf.square(w * 2.0, name="loss")
    pairs = tf.train.GradientDescentOptimizer(0.1).compute_gradients(loss)
    (gradient, variable), (none, unused) = pairs
    return [str(gradient), str(variable), none, str(unused), unused is b]


def names_of_computed_gradients(tf, np):
    """The gradients' names, for the operators that models are made of."""
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    y = tf.placeholder(tf.float32, [None, 1], name="y")
    w = tf.Variable(tf.zeros([2, 1]), name="w")
    b = tf.Variable(tf.zeros([1]), name="b")
    scale = tf.Variable(1.0, name="scale")
    loss = tf.reduce_mean(tf.square(scale * (tf.matmul(x, w) + b) - y))
    pairs = tf.train.GradientDescentOptimizer(0.1).compute_gradients(loss)
    return [[gradient.name, variable.name] for gradient, variable in pairs]


def apply_gradients_alone(tf, np):
    """`apply_gradients` takes the pairs, changed as you like, and the step."""
    w = tf.Variable(1.0, name="w")
    optimizer = tf.train.GradientDescentOptimizer(0.5)
    step = tf.train.get_or_create_global_step()
    pairs = optimizer.compute_gradients(tf.square(w))
    clipped = [(tf.minimum(gradient, 1.0), variable) for gradient, variable in pairs]
    train_op = optimizer.apply_gradients(clipped, global_step=step)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(train_op)
        return [train_op.type, train_op.name, sess.run([w, step])]


def apply_gradients_of_ones_own(tf, np):
    """Any tensors will do as gradients."""
    w = tf.Variable([1.0, 2.0])
    train_op = tf.train.GradientDescentOptimizer(0.1).apply_gradients([(tf.constant([1.0, -1.0]), w)])
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [sess.run(train_op), sess.run(w)]


def apply_gradients_skips_none(tf, np):
    """A variable without a gradient is left alone as long as another has one."""
    a = tf.Variable(1.0)
    b = tf.Variable(2.0)
    train_op = tf.train.GradientDescentOptimizer(0.1).minimize(tf.square(a), var_list=[a, b])
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(train_op)
        return sess.run([a, b])


def only_trainable_variables_are_trained(tf, np):
    """By default the optimizer updates what is in TRAINABLE_VARIABLES."""
    a = tf.Variable(1.0)
    b = tf.Variable(1.0, trainable=False)
    pairs = tf.train.GradientDescentOptimizer(0.1).compute_gradients(tf.square(a + b))
    train_op = tf.train.GradientDescentOptimizer(0.1).minimize(tf.square(a + b))
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(train_op)
        return [len(pairs), sess.run([a, b])]


def a_list_of_variables(tf, np):
    """`var_list` names the variables to train, not trainable ones too."""
    a = tf.Variable(1.0)
    b = tf.Variable(1.0, trainable=False)
    train_op = tf.train.GradientDescentOptimizer(0.1).minimize(tf.square(a + b), var_list=[b])
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(train_op)
        return sess.run([a, b])


def one_variable_as_list(tf, np):
    """`var_list` may be a single variable."""
    a = tf.Variable(1.0)
    b = tf.Variable(1.0)
    pairs = tf.train.GradientDescentOptimizer(0.1).compute_gradients(a * b, var_list=a)
    return [len(pairs), pairs[0][1] is a]


def a_rate_that_is_fed(tf, np):
    """The learning rate may be a placeholder."""
    rate = tf.placeholder(tf.float32, [])
    w = tf.Variable(1.0)
    train_op = tf.train.GradientDescentOptimizer(rate).minimize(tf.square(w))
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        seen = []
        for value in (0.1, 0.5, 0.0):
            sess.run(train_op, {rate: value})
            seen.append(sess.run(w))
        return seen


def a_double_trained_with_a_python_rate(tf, np):
    """A float64 variable is trained with a rate rounded to float32."""
    w = tf.Variable(np.float64(1.0))
    train_op = tf.train.GradientDescentOptimizer(0.1).minimize(w * 1.0)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(train_op)
        return sess.run(w)


def a_vector_loss_is_summed(tf, np):
    """A loss that is no scalar is trained as the sum of its elements."""
    w = tf.Variable(0.0)
    loss = tf.square(w - tf.constant([1.0, 2.0, 3.0]))
    train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(train_op)
        return sess.run(w)


def a_weight_used_twice(tf, np):
    """Gradients of all uses of a variable are summed."""
    w = tf.Variable(2.0)
    train_op = tf.train.GradientDescentOptimizer(0.1).minimize(w * w + 3.0 * w)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(train_op)
        return sess.run(w)


def minimize_with_nothing_to_train(tf, np):
    """No trainable variable, an empty list, no path from the loss: each has its words."""
    c = tf.constant(1.0, name="c")
    no_variables = raises(lambda: tf.train.GradientDescentOptimizer(0.1).minimize(c * 2.0))
    tf.Variable(1.0, name="w")
    tf.Variable(tf.zeros([2]), name="v")
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    loss = tf.square(c, name="loss")
    return {
        "no variables": no_variables,
        "empty list": raises(lambda: optimizer.minimize(loss, var_list=[])),
        "no path": raises(lambda: optimizer.minimize(loss)),
        "compute only": [pair[0] for pair in optimizer.compute_gradients(loss)],
    }


def apply_gradients_of_nothing(tf, np):
    """`apply_gradients` refuses an empty list, Nones only, and what is no pair."""
    w = tf.Variable(1.0, name="w")
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    return {
        "empty": raises(lambda: optimizer.apply_gradients([])),
        "None": raises(lambda: optimizer.apply_gradients([(None, w)])),
        "number": raises(lambda: optimizer.apply_gradients([("text", w)])),
    }


def trained_things_must_be_variables(tf, np):
    """A tensor in `var_list` is refused."""
    w = tf.Variable(1.0, name="w")
    c = tf.constant(1.0, name="c")
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    return raises(lambda: optimizer.minimize(w * c, var_list=[c]))


def losses_must_be_floats(tf, np):
    """A loss of ints is refused, and so is an int variable."""
    i = tf.Variable(1, name="i")
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    return raises(lambda: optimizer.minimize(i * 2))


def the_step_must_be_a_variable(tf, np):
    """A Python number cannot be counted up."""
    w = tf.Variable(1.0, name="w")
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    return [
        raises(lambda: optimizer.minimize(tf.square(w), global_step=0)).type,
        raises(lambda: optimizer.minimize(tf.square(w), global_step=tf.constant(0))).type,
    ]


def any_variable_can_be_the_step(tf, np):
    """A float step, or one that starts at 10, is counted up by one as well."""
    w = tf.Variable(1.0)
    loss = tf.square(w)
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    floating = tf.Variable(0.5, trainable=False)
    late = tf.Variable(10, trainable=False, name="global_step")
    ops = [optimizer.minimize(loss, global_step=step) for step in (floating, late)]
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for op in ops:
            sess.run(op)
        return sess.run([floating, late])


def a_trainable_step_is_an_easy_mistake(tf, np):
    """A step without `trainable=False` is in the list of what is trained."""
    tf.Variable(1.0, name="w")
    tf.Variable(0.0, name="global_step")
    return [variable.name for variable in tf.trainable_variables()]


def train_op_is_in_its_collection(tf, np):
    """`minimize` adds its op to TRAIN_OP."""
    w = tf.Variable(1.0)
    train_op = tf.train.GradientDescentOptimizer(0.1).minimize(tf.square(w))
    found = tf.get_collection(tf.GraphKeys.TRAIN_OP)
    return [len(found), found[0] is train_op]


def gradient_descent_adds_no_variables(tf, np):
    """Plain gradient descent keeps no state."""
    w = tf.Variable(1.0, name="w")
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    optimizer.minimize(tf.square(w))
    return [
        [variable.name for variable in tf.global_variables()],
        optimizer.get_name(),
        optimizer.get_slot_names(),
        optimizer.variables(),
    ]


def variables_as_the_values_of_a_dict(tf, np):
    """`var_list` may be a dict or its values; whose order is then kept."""
    v = {"b": tf.Variable(2.0, name="second"), "a": tf.Variable(3.0, name="first")}
    loss, rate = v["a"] * v["b"], tf.train.GradientDescentOptimizer(0.1)
    pairs = [[x.name for _, x in rate.compute_gradients(loss, var_list=given)] for given in (v.values(), v)]
    train_op = rate.minimize(loss, var_list=v.values())
    init = tf.variables_initializer(v.values())
    with tf.Session() as sess:
        sess.run(init)
        sess.run(train_op)
        found = sess.run(list(v.values()))
    return [
        pairs,
        found,
        raises(lambda: tf.gradients(loss, v.values())),
        raises(lambda: tf.train.Saver(v.values())).type,
    ]
