"""Wrong answers to the exercise of lesson 12."""

from __future__ import annotations

HISTOGRAM = 'tf.summary.histogram("weights", w)'
NOW = "tf.train.global_step(sess, tf.train.get_global_step())"
EVERY_TENTH = "if now % 10 == 0:\n                writer.add_summary(sess.run(summary), now)"


def _log(
    make: str = f"summary = {HISTOGRAM}",
    log: str = EVERY_TENTH,
    train: str = "sess.run(train_op, batch)",
    now: str = NOW,
    writer: str = "tf.summary.FileWriter(folder) as writer",
) -> str:
    """Return lesson 12's exercise with another op, other steps, another way to write."""
    return f"""
def log_run(folder):
    train_op = training(tf.reduce_mean(model()), 0.01)
    [w] = tf.trainable_variables()
    {make}
    with tf.Session() as sess, {writer}:
        sess.run(tf.global_variables_initializer())
        for n, batch in enumerate(batches[:100]):
            {train}
            now = {now}
            {log}
"""


UNFLUSHED = f"""
def log_run(folder):
    train_op = training(tf.reduce_mean(model()), 0.01)
    summary = tf.summary.histogram("weights", tf.trainable_variables()[0])
    writer = tf.summary.FileWriter(folder)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for batch in batches[:100]:
            sess.run(train_op, batch)
            now = {NOW}
            {EVERY_TENTH}
"""

MUTANTS = {
    "12_watching": [
        (
            "no step",
            _log(log=EVERY_TENTH.replace(", now)", ")")),
            "at the steps 0, 0, 0, ..., 0. add_summary needs the step",
        ),
        (
            "the op made in the loop",
            _log(make="pass", log=EVERY_TENTH.replace("summary)", f"{HISTOGRAM})")),
            "10 histogram ops: the loop makes a new one each time. The tags are weights, weights_1, weights_2, ...",
        ),
        (
            "merged in the loop",
            _log(log=EVERY_TENTH.replace("sess.run(summary)", "sess.run(tf.summary.merge_all(), batch)")),
            "10 merge ops: the loop makes a new one each time.\nCall merge_all once",
        ),
        ("never flushed", UNFLUSHED, "of 10 summaries: the writer still keeps the others."),
        (
            "another tag",
            _log(make='summary = tf.summary.histogram("w", w)'),
            "No summary has the tag `weights`. There is: `w_1`.",
        ),
        (
            "the mean under the new tag",
            _log(make='summary = tf.summary.scalar("weights", tf.reduce_mean(w))'),
            "a scalar is one number a step",
        ),
        (
            "a scalar of all weights",
            _log(make='summary = tf.summary.scalar("weights", w)'),
            "A scalar is one number, and w has 20. A histogram takes them all.",
        ),
        (
            "a histogram of the mean",
            _log(make='summary = tf.summary.histogram("weights", tf.reduce_mean(w))'),
            "Each histogram counts 1 numbers, but there are 20 weights.",
        ),
        (
            "every step",
            _log(log="writer.add_summary(sess.run(summary), now)"),
            "at the steps 1, 2, 3, ..., 100. Every step is too often.",
        ),
        ("counted in Python, from 0", _log(now="n"), "at the steps 0, 10, 20, ..., 90. They start at 0"),
        (
            "the first of every ten",
            _log(log=EVERY_TENTH.replace("== 0", "== 1")),
            "at the steps 1, 11, 21, ..., 91. That is one too late",
        ),
        (
            "asked before the train op",
            _log(train="pass", log=f"{EVERY_TENTH}\n            sess.run(train_op, batch)"),
            "at the steps 0, 10, 20, ..., 90. They start at 0: did you count in Python, or log before",
        ),
        (
            "only the last",
            _log(log=EVERY_TENTH.replace("% 10 == 0", "== 100")),
            "There is none at 10, 20, 30, ..., 90.",
        ),
        (
            "the op added, not its result",
            _log(log=EVERY_TENTH.replace("sess.run(summary)", "summary")),
            "add_summary takes what a run of the summary gives",
        ),
        (
            "all merged, and no batch fed",
            _log(make=f"{HISTOGRAM}\n    summary = tf.summary.merge_all()"),
            "The summary of the loss needs a batch: feed one",
        ),
        ("other numbers", _log(make='summary = tf.summary.histogram("weights", w * 0.5)'), "other numbers than w"),
        (
            "the op run once, before the loop",
            UNFLUSHED.replace("initializer())", "initializer())\n        sess.run(train_op, batches[0])")
            .replace("        for batch", "        once = sess.run(summary)\n        for batch")
            .replace("sess.run(summary), now", "once, now")
            + "    writer.close()\n",
            "All 10 histograms are the same: the op ran once.",
        ),
        ("nothing trained", _log(train="pass"), "nothing trains them. Run the train op."),
        (
            "another folder",
            _log(writer="tempfile.TemporaryDirectory() as other, tf.summary.FileWriter(other) as writer"),
            "The writer writes into another folder.",
        ),
        ("nothing written", _log(log="sess.run(summary)"), "The event file is empty"),
        ("no writer", _log(writer="sess", log="sess.run(summary)"), "No FileWriter is made."),
        ("called, not defined", "log_run = None", "`log_run` should be a function."),
        (
            "closed in the loop",
            UNFLUSHED.replace(
                EVERY_TENTH,
                "writer.close() if now == 5 else None\n            writer.add_summary(sess.run(summary), now)",
            ),
            "The writer is closed too early",
        ),
    ]
}
