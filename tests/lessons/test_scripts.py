"""What the lessons say about the script that part two inherits is what it does; test_inherited.py has its repairs."""

from __future__ import annotations

import contextlib
import re

import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

import lab
import minitf as tf
from lab import with_workers
from lab.experiments.inherited import SCRIPT, killed_at
from tests.conformance.transcripts import answers, encoded_answers
from tests.lessons.exercises import exercises_of, patched
from tests.lessons.notebooks import blocks_of, cell, lessons, printed, read, text_of

WARNING = "WARNING:tensorflow:It seems that global step (tf.train.get_global_step) has not been increased."
ADD = "writer.add_summary(curve, i)"
READS = lab.inherited(12).replace(ADD, "writer.add_summary(curve, sess.run(global_step))")


@pytest.fixture(autouse=True)
def fresh_graph():
    """Give each test its own graph, and leave no writer open."""
    with tf.Graph().as_default():
        yield
    tf.summary.FileWriterCache.clear()


def defined(number, *cell_ids):
    """Run cells of a lesson, and return what they define."""
    names = {"tf": tf, "lab": lab}
    for cell_id in cell_ids:
        exec(cell(number, cell_id).source, names)
    return names


def steps_of(folder, tag="test_accuracy"):
    return [step for step, _ in lab.curve(str(folder), tag)]


def kept_in(folder):
    return sorted(path.stem for path in folder.glob("*.index"))


def without_accuracy(log):
    return [line.partition(" test")[0] for line in log]


# Lines that the lessons quote.


@pytest.mark.parametrize(
    "number, until, script",
    [
        ("07", "## A read and an update in one run", SCRIPT.read_text(encoding="utf-8")),
        ("08", "## Turn the pile into a curve", SCRIPT.read_text(encoding="utf-8")),
        ("10", "## Exercise", lab.inherited(10)),
        ("12", "## Take the step from the counter", lab.inherited(12)),
    ],
)
def test_quoted_lines_are_the_scripts(number, until, script):
    known = {line.strip() for line in script.splitlines()}
    text, _, _ = text_of(number).partition(until)
    blocks = "".join(blocks_of(text))
    quoted = [line.strip() for line in blocks.splitlines()]
    assert len(quoted) >= 3
    assert [line for line in quoted if line not in known and "..." not in line] == []


def test_the_lines_that_lesson_11_quotes_in_parts_are_the_scripts():
    _, _, exercise = text_of("11").partition("## Exercise")
    [quoted] = blocks_of(exercise.partition("<details>")[0])
    uncommented = re.sub(r"  #.*", "", quoted)
    parts = without_spaces(uncommented).replace(",],", "],").split("...")
    script = without_spaces(lab.inherited(12))
    assert len(parts) == 4
    assert [part for part in parts if part not in script] == []


def without_spaces(text):
    return "".join(text.split())


@pytest.mark.parametrize("number", ["12", "13"])
def test_a_repair_leads_to_the_script_of_the_next_lesson(number):
    names = defined(number, "repair")
    assert names["script"] == lab.inherited(int(number) + 1)
    assert "\n".join(printed(number, "repair")) == lab.changes(lab.inherited(int(number)), names["script"])


def test_the_colleagues_lines_are_those_that_lesson_12_shows():
    _, _, exercise = text_of("12").partition("## Exercise")
    [shown] = re.findall(r"```diff\n(.*?)```", exercise.partition("<details>")[0], re.DOTALL)
    script = lab.inherited(12)
    assert patched(script, shown) == lab.with_histograms(script)


# Lessons 07 and 08: the log and the curve.


def test_the_script_prints_what_it_prints_in_tensorflow(tmp_path):
    log = lab.run_inherited(str(tmp_path))
    assert without_accuracy(log) == without_accuracy(lab.recorded("race")["log"])
    assert (tmp_path / "checkpoint").exists()
    assert list(tmp_path.glob("*tfevents*"))


def test_a_script_that_stops_says_why(tmp_path):
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(tf.errors.FailedPreconditionError, match="not a directory"):
        lab.run_inherited(str(tmp_path / "file"))


def test_as_it_ships_the_exercise_of_lesson_08_fails_in_silence():
    [path] = lessons("08")
    exercise, *_ = exercises_of("08", read(path))
    names = {"tf": tf}
    exec(exercise.cell.source, names)
    train_op = names["make_train_op"](tf.Variable(5.0) ** 2)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(train_op)
        assert tf.train.global_step(sess, tf.train.get_global_step()) == 0


# Lesson 09: it learns, and doesn't count.


def test_the_script_learns_and_does_not_count(tmp_path):
    lab.run_inherited(str(tmp_path), lab.inherited(9))
    assert steps_of(tmp_path)[-2:] == [300, 300]
    (_, before), (_, after) = lab.curve(str(tmp_path))[-2:]
    assert after > before


def test_an_op_that_only_counts_makes_the_log_look_repaired():
    line = "polish_op = tf.train.GradientDescentOptimizer(rate / 10).minimize(loss)"
    log = lab.run_inherited(script=lab.inherited(9).replace(line, "polish_op = tf.assign_add(global_step, 1)"))
    assert without_accuracy(log)[-2:] == ["step 301 rate 0.2560", "step 351 rate 0.2290"]
    assert log[-2].split()[-1] == log[-1].split()[-1]  # the model is no better after fifty batches


# Lesson 10: stop and resume.


@pytest.mark.parametrize(
    "number, begins, kept",
    [
        (10, "step 1 rate 0.5000", ["model.ckpt-400"]),
        (11, "step 401 rate 0.2048", ["model.ckpt-400", "model.ckpt-800"]),
    ],
)
def test_what_a_second_run_starts_with(number, begins, kept, tmp_path):
    for _ in range(2):
        log = lab.run_inherited(str(tmp_path), lab.inherited(number))
    assert log[0].startswith(begins)
    assert float(log[0].split()[-1]) > 0.87  # the weights are restored in both
    assert kept_in(tmp_path) == kept


@pytest.mark.tensorflow
def test_tensorflow_leaves_the_same_and_rescues_the_same(by_tensorflow, tmp_path):
    tensorflow = pytest.importorskip("tensorflow.compat.v1")
    for _ in range(2):
        by_tensorflow(lab.inherited(10), tmp_path)
    assert kept_in(tmp_path) == ["model.ckpt-400"]
    failed = by_tensorflow(lab.inherited(11), tmp_path).stderr
    assert "NotFoundError: Restoring from checkpoint failed. " in failed
    assert "Key global_step not found in checkpoint" in failed
    with tensorflow.Graph().as_default(), tensorflow.Session() as sess:
        w = tensorflow.Variable(tensorflow.zeros([64, 10]), name="w")
        b = tensorflow.Variable(tensorflow.zeros([10]), name="b")
        step = tensorflow.train.get_or_create_global_step()
        tensorflow.train.Saver([w, b]).restore(sess, f"{tmp_path}/model.ckpt-400")
        sess.run(step.assign(800))
        tensorflow.train.Saver().save(sess, f"{tmp_path}/model.ckpt", global_step=step)
    assert by_tensorflow(lab.inherited(11), tmp_path).stdout.startswith("step 801 rate 0.0839")


# Lesson 11: hooks.


def told(program):
    """Return what TensorFlow was recorded to answer."""
    return answers("who_calls_whom", program)


def test_the_lessons_hooks_are_called_as_tensorflow_calls_them():
    """The one prints a loss in `after_run`, the other the step in `end`."""
    lines = [re.sub(r"loss \d+", "after_run", line) for line in printed("11", "train")]
    assert lines == [call for call in told("calls_of_a_training") if call.startswith(("after_run", "end"))]


def test_two_steps_are_logged_as_in_the_clinic():
    assert printed("11", "two-steps")[1] in str(encoded_answers("clinic", "as_they_come"))


def test_a_kill_and_no_data_end_as_in_tensorflow():
    assert told("killed_in_the_loop")[0] == ["model.ckpt-0", "model.ckpt-2"]  # of three runs
    last = [names[-1] for *_, names in told("ends_by_an_error")]
    assert last == ["model.ckpt-4", "model.ckpt-2", "model.ckpt-3", "model.ckpt-3"]  # stop, error, no data (two errors)
    assert told("stopped_and_resumed")[2][:2] == [8, 1]  # from step 8, where last_step is 8


def test_one_line_changes_and_five_go(capsys):
    verbosity = tf.logging.get_verbosity()
    after = defined("11", "kill", "swap")["script"].splitlines()
    tf.logging.set_verbosity(verbosity)
    before = lab.inherited(11).splitlines()
    assert len([line for line in before if line not in after]) == 6
    assert len([line for line in after if line not in before]) == 1


def test_tensorflows_hooks_are_called_before_yours(tmp_path):
    found = []
    tf.train.get_or_create_global_step()
    hook = tf.train.SessionRunHook()
    hook.after_create_session = lambda *_: found.extend(kept_in(tmp_path))
    with lab.logged(), tf.train.MonitoredTrainingSession(checkpoint_dir=str(tmp_path), hooks=[hook]):
        assert found == ["model.ckpt-0"]


def test_runs_that_do_not_train_set_off_a_false_alarm():
    assert told("runs_that_do_not_train") == told("runs_between_the_updates")[1] == [WARNING] * 5
    with lab.logged() as log:
        lab.run_inherited(script=lab.inherited(12))
    assert not [line for line in log if line.startswith("WARNING")]


def test_the_repaired_script_survives_a_kill(tmp_path):
    with contextlib.suppress(InterruptedError), lab.logged():
        lab.run_inherited(str(tmp_path), killed_at(250, lab.inherited(12)))
    assert kept_in(tmp_path) == ["model.ckpt-0", "model.ckpt-100", "model.ckpt-200"]
    with lab.logged():
        said = lab.run_inherited(str(tmp_path), lab.inherited(12))
    steps = range(201, 552, 50)
    assert without_accuracy(said) == [f"step {step} rate {0.5 * 0.8 ** ((step - 1) / 100):.4f}" for step in steps]
    # "the second run starts at 0 again and is drawn over the first, while the test curve goes on at 201"
    assert steps_of(tmp_path, "loss") == [*range(250), *range(400)]
    assert steps_of(tmp_path) == [*range(1, 202, 50), *steps]


@pytest.mark.tensorflow
@pytest.mark.parametrize("cell_id, warnings", [("kill", 0), ("swap", 5)])
def test_tensorflow_is_killed_and_goes_on_as_the_lesson_shows(by_tensorflow, tmp_path, cell_id, warnings):
    script = lab.inherited(11) if cell_id == "kill" else defined("11", "kill", "swap")["script"]
    by_tensorflow(killed_at(250, script), tmp_path)
    kept = kept_in(tmp_path)
    ran = by_tensorflow(script, tmp_path)
    assert printed("11", cell_id) == [f"checkpoints: {kept}", f"next run: {ran.stdout.splitlines()[0]}"]
    assert ran.stderr.count("has not been increased") == warnings


# Lesson 12: watching.


@pytest.fixture(scope="module")
def watched():
    """Run the lesson's small model; give what its cells define."""
    names = defined("12", "imports", "training", "data", "model", "watch", "lines", "smooth")
    tf.reset_default_graph()
    return names


@pytest.mark.parametrize("run, recording", [("fast", "points_of_a_run"), ("slow", "another_rate")])
def test_the_noisy_runs_are_those_of_tensorflow(watched, run, recording):
    recorded = answers("watching", recording)
    last = recorded[1] if run == "fast" else recorded
    points = lab.curve(f"{watched['logs']}/{run}", "loss")
    step, value = points[-1]
    assert ["loss", step, f"{value:.4f}"] == last
    assert [step for step, _ in points] == [*range(1, 301)]


def test_a_run_that_only_reads_calls_the_hooks():
    with lab.logged() as log, pytest.raises(RuntimeError, match="Run called even after should_stop requested."):
        lab.run_inherited(script=READS)
    assert log == [line for line in log if line.startswith(WARNING)]
    assert printed("12", "read")[1] == f"logged: {len(log)} {log[0].partition(' Current')[0]}"


def test_by_default_the_hook_writes_every_hundredth_step(tmp_path):
    lab.run_inherited(str(tmp_path), lab.inherited(13).replace("        save_summaries_steps=1,\n", ""))
    assert steps_of(tmp_path, "loss") == [1, 101, 201, 301]


def test_after_a_kill_tensorboard_drops_the_older_points(tmp_path):
    script = lab.inherited(13).replace("num_steps=400", "last_step=400")
    with pytest.raises(InterruptedError):
        lab.run_inherited(str(tmp_path), killed_at(250, script))
    tf.summary.FileWriterCache.clear()
    lab.run_inherited(str(tmp_path), script)
    assert steps_of(tmp_path, "loss") == [*range(1, 251), *range(201, 401)]
    board = EventAccumulator(str(tmp_path), size_guidance={"scalars": 0}).Reload()
    assert [event.step for event in board.Scalars("loss")] == [*range(1, 401)]


@pytest.mark.tensorflow
def test_without_a_step_tensorflow_writes_at_step_0(by_tensorflow, tmp_path):
    by_tensorflow(lab.inherited(12).replace(ADD, "writer.add_summary(curve)"), tmp_path)
    assert steps_of(tmp_path, "loss") == [0] * 400


@pytest.mark.tensorflow
def test_in_tensorflow_a_run_that_only_reads_calls_the_hooks(by_tensorflow):
    ran = by_tensorflow(READS)
    assert "RuntimeError: Run called even after should_stop requested." in ran.stderr
    assert ran.stderr.count("It seems that global step") == 5


@pytest.mark.tensorflow
def test_in_tensorflow_the_graph_is_finalized_as_well(by_tensorflow):
    turn = "            i += 1\n"
    ran = by_tensorflow(lab.inherited(13).replace(turn, f'{turn}            tf.summary.scalar("rate", rate)\n'))
    assert "RuntimeError: Graph is finalized and cannot be modified." in ran.stderr


# Lesson 13: many workers.

ALONE = lab.inherited(13)
SHARED = lab.inherited(14)


def test_the_loop_that_lesson_13_prints_is_the_one_that_runs():
    assert "\n".join(printed("13", "with-workers")) in with_workers(ALONE, 4)


@pytest.mark.parametrize("number", [1, 3, 7])
def test_workers_share_out_the_batches_and_stop_together(number):
    told = ALONE.replace("feed =", 'print("batch", batch.start)\n            feed =')
    log = lab.run_inherited(script=with_workers(told, number))
    batches = [line for line in log if line.startswith("batch")]
    assert batches == [f"batch {50 * batch % 1500}" for batch in range(400)]


def test_four_workers_print_what_one_prints_once_it_is_repaired():
    one, four = (lab.run_inherited(script=with_workers(SHARED, number)) for number in (1, 4))
    assert one == four == lab.run_inherited(script=SHARED)


@pytest.mark.parametrize(
    "end, last", [("num_steps=400", "step 551 rate 0.1465"), ("last_step=400", "step 351 rate 0.0229")]
)
def test_after_a_kill_it_polishes_at_its_end_if_that_is_a_multiple_of_400(end, last, tmp_path):
    with pytest.raises(InterruptedError):
        lab.run_inherited(str(tmp_path), killed_at(250, SHARED))
    tf.summary.FileWriterCache.clear()
    log = without_accuracy(lab.run_inherited(str(tmp_path), SHARED.replace("num_steps=400", end)))
    assert log[0] == "step 201 rate 0.3200"
    assert log[-1] == last


def test_four_workers_polish_from_step_1200_if_nobody_stops_them():
    told = ALONE.replace("feed =", 'if i == 300: print("at", sess._tf_sess().run(global_step))\n            feed =')
    longer = with_workers(told.replace("num_steps=400", "num_steps=1600"), 4)
    polish = [line for line in lab.run_inherited(script=longer) if line.startswith("at")]
    assert polish == [f"at {step}" for step in (1200, 1201, 1202, 1203)]


@pytest.mark.tensorflow
@pytest.mark.parametrize("script", [ALONE, SHARED], ids=["before", "after"])
def test_tensorflow_prints_the_same_with_four_workers(script, by_tensorflow):
    ran = by_tensorflow(with_workers(script, 4))
    assert ran.stdout.splitlines() == lab.run_inherited(script=with_workers(script, 4))
