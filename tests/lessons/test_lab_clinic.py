"""The clinic hands out its programs, watches what they do, and leaves nothing behind."""

import ast
import os

import pytest

import minitf as tf
from lab import check_case, run_case
from lab.checks.solved import ABOUT
from lab.experiments.clinic import checkpoint
from lab.experiments.watched_program import MOST_RUNS, watch
from tests.lessons.exercises import exercises_of
from tests.lessons.notebooks import LESSONS, read

NOTEBOOK = read(LESSONS / "15_bug_clinic.ipynb")
NUMBERS = range(1, 7)


def programs(file):
    """The six programs of a file of the clinic."""
    text = (LESSONS / "clinic" / file).read_text(encoding="utf-8")
    return [ast.get_source_segment(text, node) for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]


BROKEN = programs("broken.py")
REPAIRED = programs("repaired.py")


def program(code, number):
    names = {"tf": tf}
    exec(code, names)
    return names[f"case_{number}"]


def test_the_lesson_hands_out_the_clinics_programs_and_its_cures():
    exercises = [exercise for exercise in exercises_of("15", NOTEBOOK) if "check_case" in exercise.check.source]
    runs = [f"\n\n\nlab.run_case(case_{n})" for n in NUMBERS]
    assert [exercise.cell.source for exercise in exercises] == [a + b for a, b in zip(BROKEN, runs, strict=True)]
    assert [exercise.solution.strip() for exercise in exercises] == REPAIRED
    assert [exercise.check.source for exercise in exercises] == [f"lab.check_case({n}, case_{n})" for n in NUMBERS]


def test_nothing_before_the_solution_says_what_it_is():
    for exercise in exercises_of("15", NOTEBOOK):
        for cell in (exercise.cell, exercise.check):
            said = f"{cell.source}{cell.outputs}"
            assert not any(word in said for word in ("github.com", "ipynb", "esson "))


@pytest.mark.parametrize("number", NUMBERS)
def test_each_case_has_a_title_a_lesson_and_a_thread_once_it_is_solved(number, capsys):
    verdict = check_case(number, program(REPAIRED[number - 1], number))
    assert verdict.about.startswith("This case was **")
    assert "](https://github.com/" in verdict.about
    assert ".ipynb)" in verdict.about
    assert verdict.about in repr(verdict)
    assert "Right!" in repr(verdict)
    verdict._ipython_display_()
    assert "Right!" in capsys.readouterr().out
    assert f"\n## Case {number}\n" in ABOUT.read_text(encoding="utf-8")


def never_ends():
    v = tf.Variable(0.0)
    with tf.Session() as sess:
        while True:
            sess.run(v.initializer)


def test_a_program_that_never_ends_is_stopped():
    assert str(MOST_RUNS) in str(watch(never_ends).error)


def test_watching_changes_nothing_outside(capfd):
    def loud():
        tf.logging.set_verbosity(tf.logging.DEBUG)
        tf.logging.warning("loud")
        print("said")

    tf.reset_default_graph()
    run = tf.Session.run
    verbosity = tf.logging.get_verbosity()
    run_case(program(BROKEN[1], 2))
    check_case(5, program(REPAIRED[4], 5))
    seen = watch(loud)
    assert (seen.printed, seen.complaints) == (["said"], ["WARNING:tensorflow:loud"])
    assert tf.Session.run == run
    assert tf.logging.get_verbosity() == verbosity
    assert tf.get_default_graph().get_operations() == []
    said, logged = capfd.readouterr()
    assert said.startswith("ERROR:tensorflow:Multiple tensors in global_step collection.")
    assert not logged


def test_a_run_notes_what_it_changed():
    def two_runs():
        with tf.Graph().as_default(), tf.Session() as sess:
            v = tf.Variable(1.0, name="w")
            sess.run(v.initializer)
            sess.run([tf.assign_add(v, 1.0)])

    watched = watch(two_runs)
    first, second = watched.runs
    assert [op.name for op in watched.graph.get_operations() if op.name == "w"] == ["w"]
    assert first.before == {}
    assert first.after["w"] == 1
    assert first.moved("w") is False
    assert second.before["w"] == 1
    assert second.after["w"] == 2
    assert second.moved("w") is True


def test_the_checkpoint_has_another_number_in_its_name():
    path = checkpoint(7)
    assert os.path.basename(path) == "model-1000"
    assert tf.train.load_variable(path, "global_step") == 7


def test_a_killed_program_runs_and_saves_no_more(tmp_path):
    def goes_on():
        with tf.Session() as sess:
            w = tf.Variable(1.0, name="w")
            sess.run(w.initializer)
            add = tf.assign_add(w, 1.0)
            saver = tf.train.Saver()
            try:
                for _ in range(9):
                    sess.run(add)
            finally:
                saver.save(sess, str(tmp_path / "model"))

    watched = watch(goes_on, kill=lambda run: run.after["w"] == 4)
    assert watched.killed is True
    assert watched.error is None
    assert len(watched.runs) == 4
    assert not os.listdir(tmp_path)


def test_a_learner_may_call_a_program(capsys):
    with tf.Graph().as_default():
        program(REPAIRED[0], 1)()
    assert capsys.readouterr().out == "step 200 rate 0.05\n"


def test_a_run_fits_a_weight_if_it_was_fed_and_moves_it():
    def program():
        x, w = tf.placeholder(tf.float32), tf.Variable(1.0, name="w")
        trains = tf.train.GradientDescentOptimizer(0.1).minimize(x * w)
        with tf.Session() as sess:
            sess.run(w.initializer)
            sess.run(trains, {x: 1.0})
            sess.run(x * w, {x: 1.0})
            sess.run(tf.assign(w, 0.0))

    assert [run.fits("w") for run in watch(program).runs] == [False, True, False, False]
