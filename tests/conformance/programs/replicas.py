"""tf.train.SyncReplicasOptimizer in one process. The programs wait for the thread of TensorFlow's chief."""

import time

from tests.conformance.outcomes import raises
from tests.conformance.watching import attempt


def _made(tf, optimizer=None, many=1, total=None, loss=None, **options):
    """A weight that starts at 1, with the gradient 2w, or the gradient that is fed."""
    tf.reset_default_graph()
    w = tf.get_variable("w", [], initializer=tf.ones_initializer())
    x = tf.placeholder_with_default(2.0, [], "x")
    step = tf.train.get_or_create_global_step()
    inner = optimizer or tf.train.GradientDescentOptimizer(0.1)
    opt = tf.train.SyncReplicasOptimizer(inner, many, total, **options)
    train = opt.minimize(tf.square(w) * x / 2.0 if loss is None else loss(w, x), step)
    return opt, train, w, step


def _pause(opt):
    if opt.get_chief_queue_runner() is not None:
        time.sleep(0.1)


def _runs(tf, made, count, tokens=-1, feeds=None, also=()):
    """The session's values after each run of the train op: the step, the weight and more."""
    opt, train, w, step = made
    found = []
    with tf.train.MonitoredSession(hooks=[opt.make_session_run_hook(True, tokens)], stop_grace_period_secs=0) as sess:
        for i in range(count):
            sess.run(train, {"x:0": feeds[i]} if feeds else None)
            _pause(opt)
            found.append(sess.run([step, w, *also]))
    return found


def one_replica(tf, np):
    """With the usual tokens, the gradient of the second run is stale and dropped."""
    return _runs(tf, _made(tf), 5)


def one_replica_without_tokens(tf, np):
    """Each run is a step."""
    return _runs(tf, _made(tf), 4, tokens=0)


def gradients_are_averaged(tf, np):
    """Two gradients make a step, if one worker has just the tokens that it needs."""
    return _runs(tf, _made(tf, many=2, total=1), 6, tokens=1, feeds=[2.0, 4.0, 1.0, 1.0, 2.0, 0.0])


def three_of_one_worker(tf, np):
    """The same with three, and more tokens than needed."""
    return _runs(tf, _made(tf, many=3, total=1), 10, feeds=[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 1.0])


def two_replicas_of_which_one_is_missing(tf, np):
    """The tokens are for two workers; one worker uses them all."""
    return _runs(tf, _made(tf, many=2), 7)


def a_backup_replica(tf, np):
    """More replicas than gradients that are waited for: the rest is stale."""
    return _runs(tf, _made(tf, many=1, total=2), 7)


def other_optimizers(tf, np):
    """The slots belong to the optimizer inside."""
    found = []
    for inner in (tf.train.MomentumOptimizer(0.1, 0.9), tf.train.AdamOptimizer(0.1)):
        made = _made(tf, inner, many=2, total=1)
        opt, _, w, _ = made
        names = opt.get_slot_names()
        slot = opt.get_slot(w, names[0])
        found.append([names, slot.name, [v.name for v in opt.variables()]])
        found.append(_runs(tf, made, 5, tokens=1, also=[slot]))
    return found


def gathered_rows(tf, np):
    """The gradient of a row."""
    tf.reset_default_graph()
    table = tf.get_variable("table", [3, 2], initializer=tf.ones_initializer())
    step = tf.train.get_or_create_global_step()
    opt = tf.train.SyncReplicasOptimizer(tf.train.MomentumOptimizer(0.1, 0.9), 1)
    train = opt.minimize(tf.reduce_sum(tf.square(tf.gather(table, [0, 2, 2]))), step)
    return _runs(tf, (opt, train, table, step), 3, tokens=0)


def several_variables(tf, np):
    """One of them has no gradient."""
    tf.reset_default_graph()
    a, b, c = (tf.get_variable(n, [2], initializer=tf.ones_initializer()) for n in "abc")
    step = tf.train.get_or_create_global_step()
    opt = tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(0.1), 2, 1)
    pairs = opt.compute_gradients(tf.reduce_sum(a * a * b), [a, b, c])
    train = opt.apply_gradients(pairs, global_step=step)
    return [[g is None for g, _ in pairs], _runs(tf, (opt, train, a, step), 4, tokens=1, also=[b, c])]


def averages(tf, np):
    """Moving averages follow each step."""
    tf.reset_default_graph()
    w = tf.get_variable("w", [], initializer=tf.ones_initializer())
    step = tf.train.get_or_create_global_step()
    ema = tf.train.ExponentialMovingAverage(0.5)
    options = {"variable_averages": ema, "variables_to_average": [w]}
    opt = tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(0.1), 2, 1, **options)
    train = opt.minimize(tf.square(w), step)
    return _runs(tf, (opt, train, w, step), 5, tokens=1, also=[ema.average(w)])


def names(tf, np):
    """Its ops and variables, and what a run of the train op returns."""
    opt, train, w, step = _made(tf)
    ops = [train, opt.local_step_init_op, opt.chief_init_op, opt.ready_for_local_init_op]
    found = [op.name.split("/")[0] for op in ops]
    found.append([v.name for v in tf.local_variables()])
    found.append([v.name for v in tf.global_variables()])
    found.append([op.name for op in tf.get_collection("train_op")])
    init = tf.global_variables_initializer()
    with tf.Session() as sess:
        sess.run(init)
        sess.run(opt.local_step_init_op)
        return [*found, sess.run([opt.ready_for_local_init_op, tf.local_variables()[0]]), opt.get_name()]


def with_a_supervisor(tf, np):
    """The way of older programs: the pieces go to a Supervisor, and the queue runner is started by hand."""
    opt, train, w, step = _made(tf, many=2, total=1)
    tokens, runner = opt.get_init_tokens_op(1), opt.get_chief_queue_runner()
    init = tf.global_variables_initializer()
    pieces = {"local_init_op": opt.chief_init_op, "ready_for_local_init_op": opt.ready_for_local_init_op}
    sv = tf.train.Supervisor(init_op=init, global_step=step, **pieces)
    sess, found = sv.prepare_or_wait_for_session(), []
    sess.run(tokens)
    sv.start_queue_runners(sess, [runner])
    for _ in range(4):
        sess.run(train)
        _pause(opt)
        found.append(sess.run([step, w]))
    sv.request_stop()
    sess.close()
    return found


def a_restored_step(tf, np):
    """Training that goes on at step 10: nothing is stale."""
    opt, train, w, step = _made(tf, many=2, total=1)
    hook = opt.make_session_run_hook(True, 1)
    scaffold = tf.train.Scaffold(init_fn=lambda scaffold, sess: step.load(10, sess))
    found = []
    with tf.train.MonitoredTrainingSession(scaffold=scaffold, hooks=[hook], stop_grace_period_secs=0) as sess:
        for _ in range(4):
            local = sess.run(train)
            _pause(opt)
            found.append([*sess.run([step, w]), local])
    return found


def errors(tf, np):
    """What it refuses."""
    step = tf.train.get_or_create_global_step()
    w = tf.get_variable("w", [], initializer=tf.ones_initializer())
    opt = tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(0.1), 4, 1)
    found = [
        raises(lambda: opt.minimize(tf.square(w))),
        raises(lambda: opt.apply_gradients([], step)),
        raises(lambda: opt.get_chief_queue_runner()),
        raises(lambda: opt.get_init_tokens_op()),
        attempt(lambda: opt.make_session_run_hook(True).begin()),
    ]
    opt.minimize(tf.square(w), step)
    return [*found, raises(lambda: opt.get_init_tokens_op(2)), opt.get_init_tokens_op(3) is None]
