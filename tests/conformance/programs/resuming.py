"""A training run that stops and goes on: what its checkpoints are called, what they hold, what comes back."""

import contextlib
import os
import tempfile


@contextlib.contextmanager
def _inside():
    """Work in a new folder, so that no observation contains its path."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        yield


def _held(tf, path):
    return [[name, tf.train.load_variable(path, name)] for name, _ in tf.train.list_variables(path)]


def _build(tf):
    """A train op whose rate reads the step, and halves every five steps."""
    tf.reset_default_graph()
    step = tf.train.get_or_create_global_step()
    rate = tf.train.exponential_decay(0.1, step, 5, 0.5, name="rate")
    loss = tf.Variable(5.0, name="w") ** 2
    return tf.train.GradientDescentOptimizer(rate).minimize(loss, global_step=step)


def _train(sess, train_op, runs):
    rows = []
    for _ in range(runs):
        sess.run(train_op)
        step, rate, w = sess.run(["global_step:0", "rate:0", "w:0"])
        rows.append(f"{step:4} {rate:10.4g} {w:10.4g}")
    return rows


def _five_steps(tf, **saved):
    """The checkpoint after five steps; its name ends as `saved` says."""
    train_op, saver = _build(tf), tf.train.Saver()
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        rows = _train(sess, train_op, 5)
        path = saver.save(sess, "run", **{"global_step": tf.train.get_global_step(), **saved})
        return path, rows + _train(sess, train_op, 5)


def _one_more(tf, path, *savers):
    """A new session: the initializer, then what `savers` restore, then one step."""
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for saver in savers:
            saver.restore(sess, path)
        return _train(sess, tf.get_default_graph().get_operation_by_name("GradientDescent"), 1)[0]


def names_by_step(tf, np):
    """Two saves with numbers: their names, the files, the state file."""
    with _inside():
        tf.Variable(5.0, name="w")
        tf.train.get_or_create_global_step()
        saver = tf.train.Saver()
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            names = [saver.save(sess, "my-model", global_step=number) for number in (0, 1000)]
        with open("checkpoint") as file:
            return [names, sorted(os.listdir()), file.read()]


def what_is_inside(tf, np):
    """What a checkpoint holds whose name says 1000, but nobody trained."""
    with _inside():
        tf.Variable(5.0, name="w")
        tf.train.get_or_create_global_step()
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            return _held(tf, tf.train.Saver().save(sess, "my-model", global_step=1000))


def ten_steps_with_and_without_a_stop(tf, np):
    """Ten steps in a row; then the last five again, in a new graph and session that only restore."""
    with _inside():
        path, never_stopped = _five_steps(tf)
        train_op, saver = _build(tf), tf.train.Saver()
        with tf.Session() as sess:
            saver.restore(sess, path)
            return [never_stopped, _train(sess, train_op, 5)]


def what_comes_back(tf, np):
    """One more step: nobody restores, only weights are restored, all is (and the name says 1000, or 5)."""
    with _inside():
        path, _ = _five_steps(tf)
        misnamed, _ = _five_steps(tf, global_step=1000)
        every, some = tf.train.Saver(), tf.train.Saver(tf.trainable_variables())
        ways = [[path], [path, some], [misnamed, every], [path, every]]
        return [_one_more(tf, *way) for way in ways]


def a_step_that_is_no_global_variable(tf, np):
    """A step among the local variables only is not saved, and so starts at 0 again."""
    with _inside():
        tf.Variable(5.0, name="w")
        local = [tf.GraphKeys.LOCAL_VARIABLES]
        step = tf.Variable(5, trainable=False, collections=local, name="global_step")
        with tf.Session() as sess:
            sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
            return _held(tf, tf.train.Saver().save(sess, "run", global_step=step))


def killed_and_resumed(tf, np):
    """A run of 18 steps and one that goes on to 24; each saves every 4 steps, and keeps its own last 2."""
    with _inside():
        seen = []
        for end in (18, 24):
            train_op, saver = _build(tf), tf.train.Saver(max_to_keep=2)
            step, latest = tf.train.get_global_step(), tf.train.latest_checkpoint(".")
            with tf.Session() as sess:
                sess.run(tf.global_variables_initializer())
                if latest:
                    saver.restore(sess, latest)
                start = tf.train.global_step(sess, step)
                for now in range(start + 1, end + 1):
                    sess.run(train_op)
                    if now % 4 == 0:
                        saver.save(sess, "model", global_step=step)
            seen.append([start, saver.last_checkpoints, sorted(os.listdir())])
        return seen


def adam_with_and_without_its_variables(tf, np):
    """What a checkpoint holds after 150 steps; then w after each of four more, when all or a part is restored.

    The last four are made by the graph in the '.meta' file.
    """
    with _inside():
        step = tf.train.get_or_create_global_step()
        w = tf.Variable(5.0, name="w")
        train_op = tf.train.AdamOptimizer(0.1).minimize(w**2, global_step=step)
        every, held, rows = tf.global_variables(), [], []
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            for _ in range(150):
                sess.run(train_op)
            path = tf.train.Saver().save(sess, "adam", global_step=step)
            held += [[name, f"{value:.4g}"] for name, value in _held(tf, path)]

        def four_more(some):
            with tf.Session() as sess:
                sess.run(tf.global_variables_initializer())
                tf.train.Saver(some).restore(sess, path)
                after = []
                for _ in range(4):
                    sess.run(train_op)
                    after.append(f"{sess.run(w):.4f}")
                return [sess.run(step), after]

        for some in (every, [v for v in every if v is not step], [w, step]):
            rows.append(four_more(some))
        tf.reset_default_graph()
        tf.train.import_meta_graph(f"{path}.meta")
        step, [w] = tf.train.get_global_step(), tf.trainable_variables()
        train_op = tf.get_default_graph().get_operation_by_name("Adam")
        return [held, rows, four_more(tf.global_variables())]


def a_step_that_an_old_checkpoint_lacks(tf, np):
    """Saved with the weights only, restored with all; then what works: the weights only, and an assigned step."""
    with _inside():
        step, w = tf.train.get_or_create_global_step(), tf.Variable(5.0, name="w")
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            old = tf.train.Saver([w]).save(sess, "old", global_step=400)
        with tf.Session() as sess:
            try:
                tf.train.Saver().restore(sess, old)
            except tf.errors.NotFoundError as error:
                said = [line for line in str(error).splitlines() if line.startswith("Key")]
        with tf.Session() as sess:
            tf.train.Saver([w]).restore(sess, old)
            sess.run(step.assign(800))
            return [said, _held(tf, tf.train.Saver().save(sess, "new", global_step=step))]
