"""A training that is killed and one that goes on from its checkpoints: both are run, with real files."""

from __future__ import annotations

import functools
import os
import re
import tempfile
from dataclasses import dataclass

import minitf as tf
from lab.logged import logged

LAST = 24  # the step at which the second program ends


@dataclass(frozen=True)
class Half:
    """What one of the two programs did."""

    start: int  # the step that it held before its first run
    end: int
    saved: tuple[int, ...]  # the steps after which it saved
    kept: tuple[int, ...]  # those of them whose files are there when it ends
    found: tuple[int, ...]  # the steps of all checkpoints in the folder, when it ends


@functools.cache
def stop_and_resume(every: int, keep: int, killed: int) -> tuple[Half, Half]:
    """Train as far as step `killed`, then let a second program go on to the last step."""
    with tempfile.TemporaryDirectory() as folder, logged():
        return _half(folder, every, keep, killed), _half(folder, every, keep, LAST)


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
                saver.save(sess, os.path.join(folder, "model"), global_step=step)
                saved.append(now)
        found = _checkpoints(folder)
        return Half(start, end, tuple(saved), tuple(s for s in saved if s in found), found)


def _checkpoints(folder: str) -> tuple[int, ...]:
    numbers = (re.fullmatch(r"model-(\d+)\.index", name) for name in os.listdir(folder))
    return tuple(sorted(int(number[1]) for number in numbers if number))
