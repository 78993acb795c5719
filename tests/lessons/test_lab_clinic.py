"""The clinic's checks take every cure, name every odd answer, and leave nothing behind."""

import os
import tempfile

import pytest

import minitf as tf
from lab import check_case, run_case
from lab.checks.solved import ABOUT
from lab.experiments.clinic import checkpoint
from lab.experiments.watched_program import MOST_RUNS, watch
from tests.lessons.exercises import exercises_of
from tests.lessons.mutants.lesson_15 import (
    ADD_ALL,
    BOTH,
    BROKEN,
    DECAY,
    FETCH,
    INIT,
    REPAIRED,
    RUN,
    SHOWN,
    UPDATE,
    changed,
)
from tests.lessons.notebooks import LESSONS, read

NOTEBOOK = read(LESSONS / "15_bug_clinic.ipynb")
NUMBERS = range(1, 11)


def program(code, number):
    names = {"tf": tf}
    exec(code, names)
    return names[f"case_{number}"]


def test_the_lesson_hands_out_the_clinics_programs_and_its_cures():
    exercises = list(exercises_of("15", NOTEBOOK))[:10]
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
    assert "](https://github.com/" in verdict.about and ".ipynb)" in verdict.about
    assert verdict.about in repr(verdict) and "Right!" in repr(verdict)
    verdict._ipython_display_()
    assert "Right!" in capsys.readouterr().out
    assert f"\n## Case {number}\n" in ABOUT.read_text(encoding="utf-8")


LOADED = "        for v in [w, step]:\n            v.load(tf.train.load_variable(path, v.op.name), sess)\n"
CURES = [  # the number of a case, and what to change in its program
    (4, ("minimize(w**2)", "minimize(w**2, global_step)")),
    (4, ("(w**2)", "(w**2, global_step)"), ("decay_rate=0.5", "decay_rate=0.5, staircase=True")),
    (4, ("    with", "    add = tf.assign_add(global_step, 1)\n    with"), (RUN, RUN + "            sess.run(add)\n")),
    (4, ("def case_4():", "def case_4():\n    tf.reset_default_graph()"), ("(w**2)", "(w**2, global_step)")),
    (
        4,
        (
            "minimize(w**2)",
            "minimize(w**2)\n    with tf.control_dependencies([train_op]):\n"
            "        train_op = tf.assign_add(global_step, 1)",
        ),
    ),
    (
        4,
        ("    with", "    add = tf.assign_add(global_step, 1)\n    with"),
        (RUN, RUN.replace("sess.run(train_op)", "_, now = sess.run([train_op, rate])\n            sess.run(add)")),
    ),
    (
        4,
        ("minimize(w**2)", "minimize(w**2, global_step)\n    shown = global_step + 0"),
        (RUN, RUN.replace("train_op", "[train_op, shown]")),
    ),
    (7, ("tf.Variable(0, trainable=False)", "tf.train.get_or_create_global_step()")),
    (7, ("tf.Variable(0, trainable=False)", "tf.train.create_global_step()")),
    (7, ("False)\n", "False)\n    tf.add_to_collection(tf.GraphKeys.GLOBAL_STEP, counter)\n")),
    (7, ("False)", "False, collections=['variables', 'global_step'])")),
    (7, ("tf.Variable(0, trainable=False)", "tf.get_variable('global_step', initializer=0, trainable=False)")),
    (5, ("[step, episode]:", "[step]:")),
    (5, (ADD_ALL, "")),
    (5, (ADD_ALL, ADD_ALL + "    tf.get_collection_ref('global_step').remove(episode)\n")),
    (5, (ADD_ALL, ""), ('tf.Variable(0, trainable=False, name="global_step")', "tf.train.create_global_step()")),
    (1, (BOTH, "both = [minimize(w**2, global_step=step), minimize(b**2)]")),
    (1, (BOTH, "both = [minimize(w**2), minimize(b**2, global_step=step)]")),
    (1, (BOTH, "both = [minimize(w**2), minimize(b**2), tf.assign_add(step, 1)]")),
    (1, ("sess.run(both)", "sess.run(both[0])\n            sess.run(both[1])"), ("(b**2, global_step=step)", "(b**2)")),
    (6, (FETCH, "sess.run(train_op)\n            now = sess.run(shown)")),
    (6, (FETCH, "sess.run(train_op)\n            now = sess.run(step)")),
    (6, (FETCH, "sess.run(train_op)\n            now = tf.train.global_step(sess, step)")),
    (6, (SHOWN, f"with tf.control_dependencies([train_op]):\n        {SHOWN}")),
    (6, (SHOWN, "with tf.control_dependencies([train_op]):\n        shown = step.read_value()")),
    (
        6,
        (FETCH, "sess.run(train_op)\n            now = sess.run(shown)"),
        ('"updated, now at step", now', 'f"update {now} of 5"'),
    ),
    (
        6,
        (FETCH, "sess.run(train_op)\n            now = sess.run(shown)"),
        ('step", now', 'step {} w {:.4f}".format(now, sess.run(w))'),
    ),
    (6, ("for _ in", "for i in"), (FETCH, "sess.run(train_op)"), ('step", now', 'step", i + 1')),
    (10, (UPDATE, f"{UPDATE}\n    train_op = tf.group(train_op, tf.assign_add(step, 1))")),
    (10, (UPDATE, UPDATE.replace("train_op", "update") + "\n    train_op = tf.group(update, step.assign_add(1))")),
    (
        10,
        (
            UPDATE,
            "cut = [(tf.clip_by_value(slope, -1.0, 1.0), w)]\n"
            "    train_op = tf.train.GradientDescentOptimizer(0.1).apply_gradients(cut, global_step=step)",
        ),
    ),
    (2, (INIT, ""), ("    with", INIT + "    with")),
    (2, (INIT, ""), ("tf.Session()", "tf.train.MonitoredTrainingSession()"), ("        sess.run(init)\n", "")),
    (2, (INIT, ""), ("sess.run(init)", "sess.run(tf.global_variables_initializer())")),
    (2, ("sess.run(init)", "sess.run([init, step.initializer])")),
    (9, ("tf.trainable_variables()", "")),
    (9, ("tf.trainable_variables()", "[w, step]")),
    (9, ("        saver.restore(sess, path)\n", LOADED)),
    (9, ("tf.trainable_variables()", "tf.global_variables()")),
    (9, ("tf.trainable_variables()", ""), ("        sess.run(tf.global_variables_initializer())\n", "")),
    (3, (DECAY, "100, 0.5, True")),
    (3, ("exponential_decay(0.1, step, " + DECAY, "piecewise_constant(step, [99], [0.1, 0.05]")),
    (3, ("exponential_decay(0.1, step, " + DECAY, "natural_exp_decay(0.1, step, 100, 0.693147, True")),
    (3, (DECAY, "decay_steps=2 * 50, decay_rate=1 / 2, staircase=True")),
    (
        8,
        ("    with", "    loss = w**2\n    train_op = optimizer.minimize(loss, global_step=step)\n    with"),
        ("optimizer.minimize(w**2, global_step=step))", "train_op)"),
        ("[step, w**2]", "[step, loss]"),
        ("        for", "        tf.get_default_graph().finalize()\n        for"),
    ),
]


@pytest.mark.parametrize("number, changes", [(number, changes) for number, *changes in CURES])
def test_every_cure_is_right_and_right_again(number, changes):
    cured = program(changed(number, *changes), number)
    for _ in range(2):
        verdict = check_case(number, cured)
        assert verdict, verdict.message


@pytest.mark.parametrize("number", NUMBERS)
def test_every_program_of_the_clinic_is_judged(number):
    assert not check_case(number, program(BROKEN[number - 1], number))
    assert check_case(number, program(REPAIRED[number - 1], number))


def never_ends():
    v = tf.Variable(0.0)
    with tf.Session() as sess:
        while True:
            sess.run(v.initializer)


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize(
    "odd",
    [None, 3, lambda: None, lambda path: 1 / 0, lambda a, b, c: None, lambda *path: tf.Session().close(), never_ends],
)
def test_odd_answers_are_named(number, odd):
    verdict = check_case(number, odd)
    assert not verdict
    assert "The check could not run" not in verdict.message


def test_an_unknown_case_is_named():
    assert "the cases are 1 to 10" in check_case(11, lambda: None).message


def test_a_program_that_never_ends_is_stopped():
    assert str(MOST_RUNS) in str(watch(never_ends).error)


def test_watching_changes_nothing_outside(capfd):
    def loud():
        tf.logging.set_verbosity(tf.logging.DEBUG)
        tf.logging.warning("loud")
        print("said")

    tf.reset_default_graph()
    run, verbosity, folders = tf.Session.run, tf.logging.get_verbosity(), set(os.listdir(tempfile.gettempdir()))
    run_case(program(BROKEN[4], 5))
    check_case(9, program(REPAIRED[8], 9))
    assert watch(loud).lines == ["said", "WARNING:tensorflow:loud"]
    assert (tf.Session.run, tf.logging.get_verbosity()) == (run, verbosity)
    assert tf.get_default_graph().get_operations() == []
    said, logged = capfd.readouterr()
    assert said.startswith("ERROR:tensorflow:Multiple tensors in global_step collection.") and not logged
    assert not {name for name in set(os.listdir(tempfile.gettempdir())) - folders if "model" in name}


def test_a_run_notes_what_it_changed():
    def two_runs():
        with tf.Graph().as_default(), tf.Session() as sess:
            v = tf.Variable(1.0, name="w")
            sess.run(v.initializer)
            sess.run([tf.assign_add(v, 1.0)])

    watched = watch(two_runs)
    first, second = watched.runs
    assert [op.name for op in watched.graph.get_operations() if op.name == "w"] == ["w"]
    assert (first.before, first.after["w"], first.moved("w")) == ({}, 1, False)
    assert (second.before["w"], second.after["w"], second.moved("w")) == (1, 2, True)


def test_the_checkpoint_has_another_number_in_its_name(tmp_path):
    path, saved = checkpoint(str(tmp_path), 7)
    assert os.path.basename(path) == "model-1000"
    assert saved["global_step"] == tf.train.load_variable(path, "global_step") == 7


def test_a_killed_program_runs_and_saves_no_more(tmp_path):
    def goes_on():
        with tf.Session() as sess:
            w = tf.Variable(1.0, name="w")
            sess.run(w.initializer)
            add, saver = tf.assign_add(w, 1.0), tf.train.Saver()
            try:
                for _ in range(9):
                    sess.run(add)
            finally:
                saver.save(sess, str(tmp_path / "model"))

    watched = watch(goes_on, kill=lambda run: run.after["w"] == 4)
    assert (watched.killed, watched.error, len(watched.runs)) == (True, None, 4)
    assert not os.listdir(tmp_path)


def test_a_learner_may_call_a_program(capsys):
    with tf.Graph().as_default():
        program(REPAIRED[3], 4)()
    assert capsys.readouterr().out == "step 10 rate 0.025\n"
