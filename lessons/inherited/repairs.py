"""What part two repairs in train_digits.py: under each lesson, what it takes out and what it puts there.

What is longer is given by how it begins and how it ends. The script with all of these repairs is repaired.py.
"""

LOOP = ("    saver = tf.train.Saver()\n", "    writer.close()\n")
LOOP_AFTER = """\
    writer = tf.summary.FileWriterCache.get(folder)
    with tf.train.MonitoredTrainingSession(
        checkpoint_dir=folder,
        hooks=[LogTest(writer, rate, accuracy, test), tf.train.StopAtStepHook(num_steps=400)],
        save_checkpoint_steps=100,
        save_summaries_steps=None,
        save_summaries_secs=None,
    ) as sess:
        i = 0
        while not sess.should_stop():
            batch = slice(50 * i % 1500, 50 * i % 1500 + 50)
            op = train_op if i < 300 else polish_op
            feed = {x: images[batch], y: labels[batch]}
            _, curve = sess.run([op, merged], feed)
            writer.add_summary(curve, i)
            i += 1
    writer.close()
"""
LOG_TEST = ("def log_test(", "    return value.simple_value\n")
LOG_AFTER = '''\
class LogTest(tf.train.SessionRunHook):
    """Tests the model after the first update, and then after every 50 more."""

    def __init__(self, writer, rate, accuracy, test):
        self.writer, self.rate, self.accuracy, self.test = writer, rate, accuracy, test

    def before_run(self, run_context):
        return tf.train.SessionRunArgs(self.rate)

    def after_run(self, run_context, run_values):
        sess = run_context.session  # its runs call no hooks
        step = tf.train.global_step(sess, tf.train.get_global_step())
        if step % 50 == 1:
            reads = float(sess.run(self.accuracy, self.test))
            value = tf.Summary.Value(tag="test_accuracy", simple_value=reads)
            self.writer.add_summary(tf.Summary(value=[value]), step)
            print("step %d rate %.4f test accuracy %.3f" % (step, run_values.results, reads))
'''
TWO_OPS = """\
    train_op = tf.train.GradientDescentOptimizer(rate).minimize(loss, global_step=global_step)
    polish_op = tf.train.GradientDescentOptimizer(rate / 10).minimize(loss, global_step=global_step)
"""
ONE_OP = """\
    rate = tf.where(global_step % 400 < 300, rate, rate / 10)  # the last 100 of every 400 polish
    train_op = tf.train.GradientDescentOptimizer(rate).minimize(loss, global_step=global_step)
"""

REPAIRS = {
    7: [
        ('    shown_step = tf.add(global_step, 0, name="shown_step")\n', ""),
        (
            "_, step, now, curve = sess.run([op, shown_step, rate, merged], feed)\n",
            "_, now, curve = sess.run([op, rate, merged], feed)\n"
            "            step = sess.run(global_step)\n",
        ),
    ],
    8: [("tf.Variable(0, trainable=False)", "tf.train.get_or_create_global_step()")],
    9: [("minimize(loss)", "minimize(loss, global_step=global_step)")],
    10: [("Saver([w, b])", "Saver()"), ("global_step=i + 1", "global_step=global_step")],
    11: [(LOG_TEST, LOG_AFTER), (LOOP, LOOP_AFTER)],
    12: [
        ("    merged = tf.summary.merge_all()\n", ""),
        ("save_summaries_steps=None,\n        save_summaries_secs=None", "save_summaries_steps=1"),
        ("_, curve = sess.run([op, merged], feed)", "sess.run(op, feed)"),
        ("            writer.add_summary(curve, i)\n", ""),
    ],
    13: [
        (TWO_OPS, ONE_OP),
        ("            op = train_op if i < 300 else polish_op\n", ""),
        ("sess.run(op, feed)", "sess.run(train_op, feed)"),
    ],
}


def repaired(script: str, change: tuple[str | tuple[str, str], str]) -> str:
    """Return the script after a change. Raises ValueError unless it has what the change takes out."""
    before, after = change
    first, last = before if isinstance(before, tuple) else (before, "")
    start = script.index(first)
    end = script.index(last, start + len(first)) + len(last)
    return script[:start] + after + script[end:]
