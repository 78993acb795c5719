"""At which steps a hook saves."""

import pytest

import minitf as tf
from tests.training.hooked import run


@pytest.mark.parametrize("number", [1, 3])
def test_a_checkpoint_is_due_by_the_step_that_a_run_has_reached(tmp_path, number):
    add = tf.assign_add(tf.train.get_or_create_global_step(), number)
    hook = tf.train.CheckpointSaverHook(str(tmp_path), save_steps=4, saver=tf.train.Saver(max_to_keep=None))
    run([hook], add, 5)
    saved = sorted(int(path.stem.split("-")[1]) for path in tmp_path.glob("*.index"))
    assert saved == {1: [0, 4, 5], 3: [0, 6, 12, 15]}[number]
