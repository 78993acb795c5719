"""What a read sees when an update belongs to the same run, where TensorFlow leaves no choice."""


def _trained(tf):
    w = tf.Variable(1.0, name="w")
    step = tf.Variable(0, trainable=False, name="step")
    loss = tf.square(w)
    train_op = tf.train.GradientDescentOptimizer(0.25).minimize(loss, global_step=step)
    return w, step, loss, train_op


def the_step_fetched_with_the_train_op(tf, np):
    """A variable fetched with its update is the new one, in whatever order they are listed."""
    _, step, _, train_op = _trained(tf)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [sess.run([train_op, step]), sess.run([step, train_op])]


def the_weight_fetched_with_the_train_op(tf, np):
    """The weight fetched with the train op is the new one."""
    w, _, _, train_op = _trained(tf)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [sess.run([train_op, w])[1], sess.run([w, train_op])[0]]


def the_loss_of_this_step(tf, np):
    """A loss that the update needs is the one before the update."""
    w = tf.Variable(1.0)
    loss = tf.exp(w)  # its gradient is computed from the loss itself
    train_op = tf.train.GradientDescentOptimizer(0.25).minimize(loss)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [sess.run([train_op, loss])[1], sess.run([train_op, loss])[1]]


def the_rate_of_this_step(tf, np):
    """The rate fetched with the train op is the one that this step used."""
    w = tf.Variable(1.0)
    step = tf.Variable(0, trainable=False)
    rate = tf.train.exponential_decay(0.1, step, 1, 0.5)
    train_op = tf.train.GradientDescentOptimizer(rate).minimize(tf.square(w), global_step=step)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [sess.run([train_op, rate])[1] for _ in range(3)]


def a_read_ordered_after_the_train_op(tf, np):
    """Under `control_dependencies([train_op])` a new op sees the new value."""
    w, step, _, train_op = _trained(tf)
    with tf.control_dependencies([train_op]):
        seen = [w + 0.0, tf.identity(w), w.read_value(), step + 0, tf.identity(step)]
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [sess.run(seen), sess.run(seen)]


def a_read_ordered_before_the_update(tf, np):
    """An update that waits for a copy leaves the copy old."""
    w = tf.Variable(1.0)
    before = tf.add(w, 10.0)
    with tf.control_dependencies([before]):
        update = tf.assign(w, 5.0)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [sess.run([before, update]), sess.run(w)]


def what_hands_on_a_variable(tf, np):
    """An identity of a variable copies nothing: an update that waits for it changes what is fetched."""
    kinds = [tf.identity, tf.stop_gradient, lambda v: tf.identity(tf.identity(v)), lambda v: v.read_value()]
    found = []
    for kind in kinds:
        v = tf.Variable([1.0, 2.0])
        seen = kind(v)
        with tf.control_dependencies([seen]):
            update = tf.assign_add(v, [1.0, 1.0])
        with tf.control_dependencies([update]):
            used = seen * 10.0
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            found.append(sess.run([update, seen, used]))
    return found


def two_updates_in_one_run(tf, np):
    """Of two updates of one variable in one run each applies."""
    w = tf.Variable(0.0)
    one = tf.assign_add(w, 1.0, use_locking=True)
    other = tf.assign_add(w, 10.0, use_locking=True)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run([one, other])
        first = sess.run(w)
        sess.run([other.op, one.op])
        return [first, sess.run(w)]


def an_update_runs_once_a_run(tf, np):
    """An update fetched twice, or needed twice, runs once."""
    w = tf.Variable(0.0)
    add = tf.assign_add(w, 1.0)
    twice = add + add
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [sess.run([add, add]), sess.run([add, twice, twice]), sess.run(w)]


def ordered_updates(tf, np):
    """Updates ordered by control dependencies apply in that order."""
    w = tf.Variable(1.0)
    first = tf.assign_add(w, 2.0)
    with tf.control_dependencies([first]):
        second = tf.assign(w, w * 10.0)
    with tf.control_dependencies([second]):
        third = tf.assign_sub(w, 1.0)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(third)
        return sess.run(w)


def ordered_assigns_fetched_together(tf, np):
    """Two ordered assigns fetched with their variable give the last value three times."""
    w = tf.Variable(0.0)
    first = tf.assign(w, 1.0)
    with tf.control_dependencies([first]):
        second = tf.assign(w, 2.0)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return sess.run([first, second, w])


def an_update_through_its_output(tf, np):
    """An op that takes an update's output waits for it, and reads the variable there."""
    w = tf.Variable(1.0)
    result = tf.identity(tf.assign_add(w, 1.0)) * 10.0
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [sess.run(result), sess.run(result)]


def a_value_already_taken_stays(tf, np):
    """A value computed before the update, and needed by it, is not changed by it."""
    w = tf.Variable(3.0)
    old = w * 10.0
    with tf.control_dependencies([old]):
        update = tf.assign(w, old + 1.0)
    with tf.control_dependencies([update]):
        moved = tf.subtract(w, old)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return sess.run([old, moved])


def both_weights_from_the_old_values(tf, np):
    """Gradients are all computed from the values before the step."""
    a = tf.Variable(1.0)
    b = tf.Variable(2.0)
    train_op = tf.train.GradientDescentOptimizer(0.1).minimize(tf.square(a * b))
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(train_op)
        return sess.run([a, b])


def a_swap_with_copies(tf, np):
    """Two variables exchange (ten times their) values when both updates wait for both products."""
    a = tf.Variable(1.0)
    b = tf.Variable(2.0)
    copies = [a * 10.0, b * 10.0]
    with tf.control_dependencies(copies):
        swap = tf.group(tf.assign(a, copies[1]), tf.assign(b, copies[0]))
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(swap)
        return sess.run([a, b])


def runs_return_copies(tf, np):
    """Changing a returned array changes neither the variable nor the next result."""
    w = tf.Variable([1.0, 2.0])
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        got = sess.run(w)
        kept = sess.run(w)
        got[0] = 99.0
        sess.run(tf.assign_add(w, [1.0, 1.0]))
        return [got, kept, sess.run(w)]


def feeding_does_not_bind_the_array(tf, np):
    """A variable assigned from a fed array keeps its value when the array changes."""
    w = tf.Variable(tf.zeros([2]))
    new = tf.placeholder(tf.float32, [2])
    update = tf.assign(w, new)
    array = np.array([1.0, 2.0], np.float32)
    with tf.Session() as sess:
        sess.run(update.op, {new: array})
        array[0] = 99.0
        return sess.run(w)


def updates_apply_only_if_fetched(tf, np):
    """An update that nobody asks for does not run."""
    w = tf.Variable(0.0)
    tf.assign_add(w, 1.0)
    doubled = w * 2.0
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return sess.run([w, doubled])


def two_minimizes_count_twice(tf, np):
    """Two train ops that were handed one step add two in a run."""
    a = tf.Variable(1.0)
    b = tf.Variable(1.0)
    step = tf.train.get_or_create_global_step()
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    one = optimizer.minimize(tf.square(a), global_step=step, var_list=[a])
    other = optimizer.minimize(tf.square(b), global_step=step, var_list=[b])
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(3):
            sess.run(one)
            sess.run(other)
        return sess.run(step)
