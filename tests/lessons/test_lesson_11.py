"""Lesson 11 prints what TensorFlow prints, and what it says about the killed script and its hooks is so."""

from __future__ import annotations

import contextlib
import re
import subprocess
import sys

import pytest

import lab
import minitf as tf
from lab.experiments.inherited import SCRIPT, killed_at
from tests.conformance.transcripts import answers, encoded_answers
from tests.lessons.exercises import exercises_of
from tests.lessons.notebooks import LESSONS, cells, printed, read

LESSON = LESSONS / "11_hooks.ipynb"
CODE = {cell.id: cell.source for cell in cells(read(LESSON), "code")}
TEXT = "\n".join(cell.source for cell in cells(read(LESSON), "markdown"))
WARNING = "WARNING:tensorflow:It seems that global step (tf.train.get_global_step) has not been increased."


@pytest.fixture(autouse=True)
def fresh_graph():
    """Give each test its own graph."""
    with tf.Graph().as_default():
        yield


@pytest.fixture
def names(capsys):
    """What the lesson's first cells define; the script in them has a monitored session."""
    verbosity, names = tf.logging.get_verbosity(), {}
    exec(CODE["kill"], names)
    exec(CODE["swap"], names)
    tf.logging.set_verbosity(verbosity)
    return names


def told(program: str) -> list:
    """What TensorFlow was recorded to answer."""
    return answers("who_calls_whom", program)


def lines(cell_id: str) -> list[str]:
    """What a cell of the lesson printed."""
    return printed("11", cell_id).splitlines()


def test_the_lesson_prints_what_tensorflow_prints():
    calls = [re.sub("after_run: .*", "after_run", line.strip()) for line in lines("train")]
    assert calls == told("calls_of_a_training")
    losses = [line.partition("loss ")[2] for line in lines("train") if "loss" in line]
    assert losses == ["25", "16"]
    assert lines("mistakes") == [": ".join(mistake) for mistake in told("two_mistakes")]
    of_the_other_session, *refused = [": ".join(error) for error in told("a_directory_and_no_step")]
    assert of_the_other_session == "TypeError: __init__() got an unexpected keyword argument 'checkpoint_dir'"
    assert lines("no-step") + lines("two-steps")[:1] == refused
    assert lines("two-steps")[1] in str(encoded_answers("clinic", "as_they_come"))


def test_a_step_that_nobody_moves_is_warned_of_five_times():
    (warnings, step), (_, counted) = told("a_step_that_nobody_moves")
    assert warnings == [WARNING] * 5 and WARNING in lines("counted")[1]
    assert lines("counted")[::2] == [f"step {step}", f"step {counted}"]
    assert [line.split()[1] for line in lines("counted")[1::2]] == ["5", "0"]


def test_a_kill_loses_everything_until_the_session_saves(names):
    checkpoints, restarted = lines("kill")
    assert checkpoints == "checkpoints: []" and restarted.startswith("next run: step 1 rate 0.5000 ")
    checkpoints, restarted = lines("swap")
    assert checkpoints == "checkpoints: ['model.ckpt-0', 'model.ckpt-100', 'model.ckpt-200']"
    assert restarted.startswith(f"next run: step 201 rate {0.5 * 0.8**2:.4f} ")
    assert len(names["alarms"]) == 5
    assert all(line.startswith(WARNING) for line in names["alarms"])


def test_one_line_changes_and_five_go(names):
    before, after = lab.inherited(11).splitlines(), names["script"].splitlines()
    gone, new = [line for line in before if line not in after], [line for line in after if line not in before]
    assert len(gone) == 6 and len(new) == 1 and len(before) == len(after) + 5
    assert gone[1].strip() == "with tf.Session() as sess:"


def test_a_kill_and_no_data_end_as_in_tensorflow():
    assert told("killed_in_the_loop")[0] == ["model.ckpt-0", "model.ckpt-2"]  # of three runs
    kept = [names for *_, names in told("ends_by_an_error")]
    last = [names[-1] for names in kept]
    assert last == ["model.ckpt-4", "model.ckpt-2", "model.ckpt-3", "model.ckpt-3"]  # stop, error, no data (two errors)
    assert told("stopped_and_resumed")[2][:2] == [8, 1]  # from step 8, where last_step is 8


def test_tensorflow_s_hooks_are_called_before_yours(tmp_path):
    found = []
    tf.train.get_or_create_global_step()
    hook = tf.train.SessionRunHook()
    hook.after_create_session = lambda *_: found.extend(path.name for path in tmp_path.glob("*.index"))
    with lab.logged(), tf.train.MonitoredTrainingSession(checkpoint_dir=str(tmp_path), hooks=[hook]) as sess:
        savers = [one for one in sess._hooks if isinstance(one, tf.train.CheckpointSaverHook)]
    assert found == ["model.ckpt-0.index"]
    assert savers[0]._timer._every_secs == 600
    tf.summary.FileWriterCache.clear()


def test_runs_that_do_not_train_set_off_a_false_alarm(names):
    assert told("runs_that_do_not_train") == [WARNING] * 5
    warning, error = lines("false-alarm")
    assert warning == f"warnings: 5. The first: {WARNING}"
    assert error.startswith("InvalidArgumentError: You must feed a value for placeholder tensor")
    script = names["script"].replace("steps=100)", "steps=100, hooks=[tf.train.StopAtStepHook(num_steps=400)])")
    with lab.logged(), pytest.raises(RuntimeError, match="Run called even after should_stop requested."):
        lab.run_inherited(script=script)
    loop = names["script"].partition("for i in range(400):")[2]
    log_test = names["script"].partition("def log_test")[2].partition("def main")[0]
    assert loop.count("sess.run(") == 2 and log_test.count("sess") == 3  # its argument, and two runs
    with lab.logged() as log:
        lab.run_inherited(script=lab.inherited(12))
    assert not [line for line in log if line.startswith("WARNING")]


def test_the_repaired_script_survives_a_kill(tmp_path):
    script = lab.inherited(12)
    with contextlib.suppress(InterruptedError), lab.logged():
        lab.run_inherited(str(tmp_path), killed_at(250, script))
    kept = sorted(path.stem for path in tmp_path.glob("*.index"))
    assert kept == ["model.ckpt-0", "model.ckpt-100", "model.ckpt-200"]
    with lab.logged():
        said = lab.run_inherited(str(tmp_path), script)
    pairs = [(int(line.split()[1]), line.split()[3]) for line in said]
    assert pairs == [(step, f"{0.5 * 0.8 ** ((step - 1) / 100):.4f}") for step in range(201, 552, 50)]
    # "the second run starts at 0 again and is drawn over the first, while the test curve goes on at 201"
    assert [step for step, _ in lab.curve(str(tmp_path), "loss")] == [*range(250), *range(400)]
    assert [step for step, _ in lab.curve(str(tmp_path))] == [*range(1, 202, 50), *range(201, 552, 50)]


def test_the_lines_that_the_exercise_quotes_are_the_scripts():
    script = "".join(lab.inherited(12).split())
    [quoted] = re.findall(r"```python\n(.*?)```", TEXT.partition("## Exercise")[2].partition("<details>")[0], re.DOTALL)
    parts = "".join(re.sub(r"  #.*", "", quoted).split()).replace(",],", "],").split("...")
    assert len(parts) == 4 and all(part in script for part in parts)
    exercise, *_ = exercises_of(LESSON.stem, read(LESSON))
    assert exercise.solution.startswith(exercise.cell.source)


def test_what_the_quiz_says_is_so(tmp_path):
    step, w = tf.train.get_or_create_global_step(), tf.Variable(5.0)
    train_op = tf.train.GradientDescentOptimizer(0.1).minimize(w**2, global_step=step)
    cases = lab.recorded("race")["cases"]  # question 1
    assert cases["variable"]["old"] == 0 and cases["resource"]["old"] > 10 * cases["resource"]["new"]
    assert told("runs_between_the_updates") == [1000, [WARNING] * 5]
    hook = tf.train.SessionRunHook()
    hook.after_run = lambda context, _: context.session.run(step) == 250 and context.request_stop()
    more = {"checkpoint_dir": str(tmp_path / "other"), "save_checkpoint_steps": 100, "hooks": [hook]}
    with lab.logged(), tf.train.MonitoredTrainingSession(**more) as sess:
        while not sess.should_stop():
            sess.run(train_op)
    assert tf.train.latest_checkpoint(str(tmp_path / "other")).endswith("model.ckpt-250")
    tf.summary.FileWriterCache.clear()


@pytest.mark.tensorflow
def test_tensorflow_is_killed_and_goes_on_as_the_lesson_shows(tmp_path, names):
    pytest.importorskip("tensorflow")
    (tmp_path / "inherited").mkdir()
    (tmp_path / "data").symlink_to(SCRIPT.parents[1] / "data")
    for cell_id, script in (("kill", lab.inherited(11)), ("swap", names["script"])):
        killed = killed_at(250, script)
        folder, file = tmp_path / cell_id, tmp_path / "inherited" / f"{cell_id}.py"
        for text in (killed, script):
            kept = sorted(path.stem for path in folder.glob("*.index"))
            file.write_text(text, encoding="utf-8")
            ran = subprocess.run([sys.executable, str(file), str(folder)], check=False, capture_output=True, text=True)
        said = [f"checkpoints: {kept}", f"next run: {ran.stdout.splitlines()[0]}"]
        assert said == lines(cell_id)
        assert cell_id == "kill" or ran.stderr.count("has not been increased") == 5
