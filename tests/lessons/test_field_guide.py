"""The field guide: every row is whole, every link lives, and what TensorFlow alone can say, TensorFlow says.

What minitf also knows is asked of both: tests/conformance/facts/field_guide.md.
"""

from __future__ import annotations

import os
import re

import pytest

from tests.lessons import rules
from tests.lessons.notebooks import LESSONS, cells, read

GUIDE = read(LESSONS / "field_guide.ipynb")
TABLES = {cell.id: cell.source for cell in cells(GUIDE, "markdown") if "\n:---|" in cell.source}
ROWS = [
    pytest.param(row, id=f"{theme}-{number}")
    for theme, source in TABLES.items()
    for number, row in enumerate(re.findall(r"^.+\|.+$", source, re.MULTILINE)[2:], start=1)
]


def test_its_links_resolve():
    assert list(rules.links_resolve("field_guide", GUIDE)) == []
    assert cells(GUIDE, "code") == []


def test_each_theme_fits_a_screen_and_is_linked_from_the_top():
    themes = [cell.source.splitlines()[0].removeprefix("## ") for cell in GUIDE.cells if cell.id in TABLES]
    assert re.findall(r"\(#(.*?)\)", GUIDE.cells[0].source) == [theme.replace(" ", "-") for theme in themes]
    assert all(len(source.splitlines()) <= 14 for source in TABLES.values())


@pytest.mark.parametrize("row", ROWS)
def test_a_row_has_a_line_or_a_symptom_what_it_is_and_a_lesson(row):
    seen, means, trap = row.split(" | ")
    assert seen and "`" in seen + means
    lessons = re.findall(r"\[(\d\d)\]\((.*?)\)", trap)
    assert lessons
    assert all(file.startswith(f"{number}_") for number, file in lessons)


@pytest.fixture
def tf():
    """Give each test TensorFlow's graph mode, with an empty graph."""
    tf = pytest.importorskip("tensorflow.compat.v1")
    tf.disable_v2_behavior()
    with tf.Graph().as_default():
        yield tf


def trained(tf):
    """Return a train op for `w ** 2` and its step."""
    step = tf.train.get_or_create_global_step()
    loss = tf.get_variable("w", initializer=5.0) ** 2
    return tf.train.GradientDescentOptimizer(0.1).minimize(loss, global_step=step), step


@pytest.mark.tensorflow
def test_a_short_run_of_a_supervisor_leaves_checkpoint_0(tf, tmp_path):
    train_op, step = trained(tf)
    supervisor = tf.train.Supervisor(logdir=str(tmp_path))
    assert supervisor.global_step is step
    with supervisor.managed_session() as sess:
        for _ in range(3):
            sess.run(train_op)
    assert {name.partition(".data")[0] for name in os.listdir(tmp_path) if ".data" in name} == {"model.ckpt-0"}


@pytest.mark.tensorflow
def test_a_supervisor_without_a_step_says_nothing(tf, tmp_path):
    tf.Variable(5.0)
    supervisor = tf.train.Supervisor(logdir=str(tmp_path))
    assert supervisor.global_step is None
    with supervisor.managed_session():
        pass
    assert (tmp_path / "model.ckpt.index").exists()


@pytest.mark.tensorflow
def test_synchronous_replicas_insist_on_the_step(tf):
    optimizer = tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(0.1), 4)
    with pytest.raises(ValueError, match="Global step is required to check staleness"):
        optimizer.minimize(tf.Variable(5.0) ** 2)


@pytest.mark.tensorflow
def test_an_imported_step_beside_one_that_was_there(tf, tmp_path):
    train_op, step = trained(tf)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(train_op)
        path = tf.train.Saver().save(sess, str(tmp_path / "model"), global_step=step)
    with tf.Graph().as_default():
        tf.train.import_meta_graph(f"{path}.meta")
        assert tf.train.get_global_step().name == "global_step:0"
    with tf.Graph().as_default():
        tf.train.create_global_step()
        tf.train.import_meta_graph(f"{path}.meta")
        assert tf.train.get_global_step() is None


@pytest.mark.tensorflow
def test_fine_tuning_starts_at_the_old_step(tf, tmp_path):
    train_op, step = trained(tf)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(train_op)
        path = tf.train.Saver().save(sess, str(tmp_path / "model"))
    with tf.Graph().as_default(), tf.Session() as sess:
        step = tf.train.get_or_create_global_step()
        by_hand = tf.Variable(0.0, name="w")
        tf.train.init_from_checkpoint(path, {"/": "/"})
        sess.run(tf.global_variables_initializer())
        assert sess.run([step, by_hand]) == [1, 0.0]  # of Variables made by get_variable alone
