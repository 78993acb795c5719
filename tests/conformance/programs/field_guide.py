"""What the field guide says of lines that inherited scripts contain."""

import tempfile


def _train_op(tf, optimizer=None, step=True):
    """A train op for `w ** 2`, and the step that it counts, or not."""
    global_step = tf.train.get_or_create_global_step()
    optimizer = optimizer or tf.train.GradientDescentOptimizer(0.1)
    loss = tf.Variable(5.0, name="w") ** 2
    return optimizer.minimize(loss, global_step=global_step if step else None), global_step


def _after(tf, sess, *ops):
    sess.run(tf.global_variables_initializer())
    for op in ops:
        sess.run(op)


def a_step_among_the_trainable_variables_is_left_alone(tf, np):
    """The optimizer moves no integer, even a trainable one."""
    step = tf.Variable(0, name="global_step")
    train_op = tf.train.GradientDescentOptimizer(0.1).minimize(tf.Variable(5.0, name="w") ** 2)
    with tf.Session() as sess:
        _after(tf, sess, train_op)
        return [v.name for v in tf.trainable_variables()], sess.run(step)


def a_weight_decay_meets_the_step(tf, np):
    """The L2 loss of an integer step is refused."""
    return tf.nn.l2_loss(tf.Variable(0, name="global_step"))


def none_is_no_step(tf, np):
    """`minimize` takes None for a step, and then counts nothing."""
    train_op, step = _train_op(tf, step=False)
    with tf.Session() as sess:
        _after(tf, sess, train_op)
        return train_op.type, sess.run(step)


def two_train_ops_of_one_step(tf, np):
    """Two train ops that were given one step, each run once."""
    step = tf.train.get_or_create_global_step()
    a, b = tf.Variable(1.0, name="a"), tf.Variable(1.0, name="b")
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    ops = [optimizer.minimize(v**2, global_step=step, var_list=[v]) for v in (a, b)]
    with tf.Session() as sess:
        _after(tf, sess, *ops)
        return sess.run(step)


def four_batches_a_step(tf, np):
    """Eight batches whose gradients are applied four at a time."""
    w, step = tf.Variable(5.0, name="w"), tf.train.get_or_create_global_step()
    total = tf.Variable(0.0, trainable=False, name="total")
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    [(gradient, _)] = optimizer.compute_gradients(w**2, [w])
    add, apply_op = total.assign_add(gradient), optimizer.apply_gradients([(total / 4, w)], global_step=step)
    with tf.Session() as sess:
        _after(tf, sess)
        for i in range(8):
            sess.run(add)
            if i % 4 == 3:
                sess.run(apply_op)
                sess.run(total.initializer)
        return sess.run(step)


def a_clock_of_adams_own(tf, np):
    """One Adam, two train ops, of which one counts: `beta1_power` and the step."""
    a, b = tf.Variable(1.0, name="a"), tf.Variable(1.0, name="b")
    optimizer, step = tf.train.AdamOptimizer(0.1), tf.train.get_or_create_global_step()
    ops = [optimizer.minimize(a**2, global_step=step), optimizer.minimize(b**2)]
    with tf.Session() as sess:
        _after(tf, sess, *ops)
        return sess.run(["beta1_power:0", step])


def a_polynomial_after_its_end(tf, np):
    """A polynomial decay to 0 in 10 steps, without and with `cycle`."""
    step = tf.placeholder(tf.int64, [])
    rates = [tf.train.polynomial_decay(0.1, step, 10, 0.0, cycle=cycle) for cycle in (False, True)]
    with tf.Session() as sess:
        return [sess.run(rates, {step: at}) for at in (9, 10, 11, 20, 21)]


def a_boundary_and_a_staircase(tf, np):
    """Around step 100: a boundary there, and a staircase of 100 steps."""
    step = tf.placeholder(tf.int64, [])
    rates = [
        tf.train.piecewise_constant(step, [100], [1.0, 0.1]),
        tf.train.exponential_decay(1.0, step, 100, 0.1, staircase=True),
    ]
    with tf.Session() as sess:
        return [sess.run(rates, {step: at}) for at in (99, 100, 101)]


def an_average_of_a_step_that_nobody_counts(tf, np):
    """With `num_updates` at 0, the average keeps a tenth of itself."""
    step, v = tf.train.get_or_create_global_step(), tf.Variable(0.0, name="v")
    average = tf.train.ExponentialMovingAverage(0.999, num_updates=step)
    update = average.apply([v])
    with tf.Session() as sess:
        _after(tf, sess, v.assign(10.0), update)
        return sess.run(average.average(v))


def a_hook_that_waits_for_a_step_that_nobody_counts(tf, np):
    """Fifty runs, and StopAtStepHook(last_step=5) never asks for a stop."""
    train_op, _ = _train_op(tf, step=False)
    with tf.train.MonitoredTrainingSession(hooks=[tf.train.StopAtStepHook(last_step=5)]) as sess:
        for _ in range(50):
            sess.run(train_op)
        return sess.should_stop()


def a_logging_hook_counts_its_own_runs(tf, np):
    """The steps at which a LoggingTensorHook logs every third run, in two sessions."""
    train_op, step = _train_op(tf)
    seen = []
    hook = tf.train.LoggingTensorHook(
        {"step": step}, every_n_iter=3, formatter=lambda values: seen.append(int(values["step"])) or ""
    )
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(2):
            hooks = [hook, tf.train.StopAtStepHook(num_steps=5)]
            with tf.train.MonitoredTrainingSession(checkpoint_dir=folder, hooks=hooks) as sess:
                while not sess.should_stop():
                    sess.run(train_op)
        tf.summary.FileWriterCache.clear()
    return seen


def a_number_and_a_run_of_its_own(tf, np):
    """What `tf.train.global_step` gives, and the runs that a hook has seen by then."""
    train_op, step = _train_op(tf)
    hook, seen = tf.train.SessionRunHook(), []
    hook.before_run = seen.append
    with tf.train.MonitoredTrainingSession(hooks=[hook]) as sess:
        sess.run(train_op)
        now = tf.train.global_step(sess, step)
        in_all = len(seen)
        hook.after_run = lambda context, values: seen.append(tf.train.global_step(context.session, step))
        sess.run(train_op)
        return type(now).__name__, now, in_all, seen[-1], len(seen)


def a_variable_is_no_number_of_a_step(tf, np):
    """What add_summary says to a Variable."""
    _, step = _train_op(tf)
    with tempfile.TemporaryDirectory() as folder, tf.summary.FileWriter(folder) as writer:
        try:
            writer.add_summary(tf.Summary(), step)
        except TypeError as error:
            return str(error).partition(",")[0]


def a_summary_is_due_in_a_run_that_only_reads(tf, np):
    """The step is read in its own run, which has nothing to feed to the summary that is due."""
    train_op, step = _train_op(tf)
    batch = tf.placeholder(tf.float32, [])
    tf.summary.scalar("batch", batch)
    with tempfile.TemporaryDirectory() as folder:
        with tf.train.MonitoredTrainingSession(checkpoint_dir=folder, save_summaries_steps=1) as sess:
            sess.run(train_op, {batch: 1.0})
            try:
                said = sess.run(step)
            except tf.errors.InvalidArgumentError as error:
                said = "You must feed a value for placeholder" in str(error)
        tf.summary.FileWriterCache.clear()
    return said
