"""A training run that is killed, and one that resumes from its checkpoints, with real files."""

import functools
import tempfile
from collections import namedtuple
from pathlib import Path

import minitf as tf
from lab.files.logged import logged

LAST = 24  # the step at which the second program ends

# What one program did: the steps it started and ended at, and after which steps it saved. Then the
# steps of its own checkpoints that are left when it ends, and of all checkpoints in the folder.
Half = namedtuple("Half", "start end saved kept found")


@functools.cache
def stop_and_resume(every: int, keep: int, killed: int) -> list[Half]:
    """Train up to step `killed`, then let a second program continue to the last step."""
    with tempfile.TemporaryDirectory() as folder, logged():
        return [_half(folder, every, keep, end) for end in (killed, LAST)]


def _half(folder: str, every: int, keep: int, end: int) -> Half:
    """Build, restore the latest checkpoint if there is one, and train up to step `end`."""
    with tf.Graph().as_default(), tf.Session() as sess:
        step = tf.train.get_or_create_global_step()
        loss = tf.Variable(5.0, name="w") ** 2
        train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss, global_step=step)
        saver = tf.train.Saver(max_to_keep=keep)
        sess.run(tf.global_variables_initializer())
        if latest := tf.train.latest_checkpoint(folder):
            saver.restore(sess, latest)
        start, saved = tf.train.global_step(sess, step), []
        for now in range(start + 1, end + 1):
            sess.run(train_op)
            if now % every == 0:
                saver.save(sess, f"{folder}/model", global_step=step)
                saved.append(now)
    found = sorted(int(file.stem.split("-")[1]) for file in Path(folder).glob("model-*.index"))
    return Half(start, end, saved, [now for now in saved if now in found], found)
