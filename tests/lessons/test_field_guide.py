"""The field guide: every row is whole, every link lives, and what TensorFlow alone can say, TensorFlow says.

What minitf also knows is asked of both: tests/conformance/facts/field_guide.md.
"""

from __future__ import annotations

import math
import os
import re

import numpy as np
import pytest

from lab import recorded
from minitf import train
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


SCHEDULES = recorded("schedules")


@pytest.mark.parametrize("number, name", [(0, "exponential"), (1, "natural_exp"), (2, "inverse_time")])
def test_three_formulas_of_one_decay_rate(number, name):
    row = next(row for row in TABLES["read"].splitlines() if row.startswith(f"`{name}_decay("))
    half, double = SCHEDULES["same_name"][2 * number : 2 * number + 2]
    formula = re.search("`(0.4 [^`]*)`", row)[1]
    assert eval(formula, {"step": 20, "e": math.e}) == pytest.approx(half, rel=1e-6)
    _, means, trap = row.split(" | ")
    assert f"so {round(half, 4):g} at step 20" in means and f"to {round(double, 4):g}" in trap


@pytest.mark.parametrize(
    "name, number, rates",
    [
        ("piecewise_constant", 0, {20: 0.4, 21: 0.1, 41: 0.01}),
        ("cosine_decay(", 1, {0: 0.4, 20: 0.22, 40: 0.04, 60: 0.04}),
        ("cosine_decay_restarts(", 4, {0: 0.4, 9: 0.00979, 10: 0.2, 29: 0.00123, 30: 0.1}),
        ("linear_cosine_decay(", 7, {0: 0.4004}),
    ],
)
def test_the_rates_of_a_schedule(name, number, rates):
    assert f"`{name}" in TABLES["which"] + TABLES["read"]
    assert {step: SCHEDULES["eight"][number][step] for step in rates} == pytest.approx(rates, rel=1e-3)


@pytest.mark.parametrize("number, jump", [(0, 20), (1, 20), (2, 21), (3, 21)])
def test_two_jump_at_the_boundary_and_two_one_step_later(number, jump):
    """A staircase and a cosine with restarts, then piecewise_constant and a polynomial decay with `cycle`."""
    moves = np.abs(np.diff(SCHEDULES["boundary"][number]))  # from step 15 on
    assert 16 + np.argmax(moves) == jump


def test_it_names_each_of_the_nine_schedules():
    names = {decay.__name__ for name, decay in vars(train).items() if "decay" in name and callable(decay)}
    assert len(names) == 9
    assert names == {name for name in names if f"`{name}" in TABLES["which"] + TABLES["read"]}


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


@pytest.mark.tensorflow
@pytest.mark.parametrize("name", ["polynomial_decay", "cosine_decay"])
def test_a_schedule_of_fixed_length_stays_where_it_ends(tf, name):
    rate = getattr(tf.train, name)(0.4, step := tf.placeholder(tf.int64, []), 20)
    with tf.Session() as sess:
        assert sess.run(rate, {step: 20}) == sess.run(rate, {step: 1000})


@pytest.mark.tensorflow
def test_noise_is_drawn_in_each_run(tf):
    rate = tf.train.noisy_linear_cosine_decay(0.4, tf.constant(20), 40)
    with tf.Session() as sess:
        assert sess.run(rate) != sess.run(rate)


@pytest.mark.tensorflow
def test_a_skipped_update_does_not_count_unless_a_group_counts_it(tf):
    step, w = tf.train.get_or_create_global_step(), tf.get_variable("w", initializer=5.0)
    scale, adam = tf.placeholder(tf.float32, []), tf.train.AdamOptimizer(0.1)
    optimizer = tf.train.experimental.MixedPrecisionLossScaleOptimizer(adam, "dynamic")
    train_op = optimizer.minimize(w**2 * scale, global_step=step)
    by_hand = tf.group(optimizer.minimize(w**2 * scale), tf.assign_add(step, 1))
    state = [step, w, adam._get_beta_accumulators()[0]]
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(train_op, {scale: 1.0})
        before = sess.run(state)
        sess.run(train_op, {scale: float("inf")})
        assert sess.run(state) == before
        sess.run(by_hand, {scale: float("inf")})
        assert sess.run(state) == [before[0] + 1, *before[1:]]


@pytest.mark.tensorflow
def test_slims_train_op_moves_the_averages_of_batch_norm():
    from tests.conformance.referee import import_tensorflow

    tf = import_tensorflow()
    if not hasattr(tf, "contrib"):
        pytest.skip("tf_slim isn't installed")
    slim = tf.contrib.slim
    with tf.Graph().as_default(), tf.Session() as sess:
        loss = tf.reduce_mean(slim.batch_norm(tf.constant([[1.0], [3.0]]), is_training=True))
        train_op = slim.learning.create_train_op(loss, tf.train.GradientDescentOptimizer(0.1))
        sess.run(tf.global_variables_initializer())
        sess.run(train_op)
        assert sess.run("BatchNorm/moving_mean:0") == pytest.approx(0.002)


@pytest.mark.tensorflow
@pytest.mark.parametrize("which, expected", [(".*", 0), ([".*"], 1)])
def test_a_warm_start_leaves_the_step_unless_it_is_a_list(tf, tmp_path, which, expected):
    train_op, _ = trained(tf)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(train_op)
        path = tf.train.Saver().save(sess, str(tmp_path / "model"))
    with tf.Graph().as_default(), tf.Session() as sess:
        _, step = trained(tf)
        tf.train.warm_start(path, which)
        sess.run(tf.global_variables_initializer())
        assert sess.run([step, "w:0"]) == [expected, 4.0]


@pytest.mark.tensorflow
def test_epochs_are_counted_in_a_local_variable(tf):
    name = tf.train.string_input_producer(["a", "b"], num_epochs=2).dequeue()
    assert [variable.op.name for variable in tf.local_variables()] == ["input_producer/limit_epochs/epochs"]
    assert not tf.global_variables()
    coordinator = tf.train.Coordinator()
    with tf.Session() as sess:
        threads = tf.train.start_queue_runners(sess, coordinator)
        with pytest.raises(tf.errors.OutOfRangeError):
            sess.run(name)
        with pytest.raises(tf.errors.FailedPreconditionError, match="Attempting to use uninitialized value"):
            coordinator.join(threads)


@pytest.mark.tensorflow
def test_a_restart_trains_as_many_epochs_again(tf, tmp_path):
    train_op, _ = trained(tf)
    name, passes = tf.train.string_input_producer(["a", "b"], num_epochs=2).dequeue(), 0
    for _ in range(2):
        with tf.train.MonitoredTrainingSession(checkpoint_dir=str(tmp_path)) as sess:
            while not sess.should_stop():
                sess.run([name, train_op])
                passes += 1
    assert passes == 8
    counted = tf.train.load_checkpoint(str(tmp_path)).get_tensor("global_step")
    assert counted >= 8  # the run that finds no name may count, too
