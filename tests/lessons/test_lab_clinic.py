"""The clinic's programs are those of the lesson, its checks take every cure, and nothing is left behind."""

import os
import tempfile

import pytest

import minitf as tf
from lab import BugSwitcher, check_case, diagnose, symptoms
from lab.experiments.clinic import BROKEN, REPAIRED, checkpoint, programs, seen, text
from lab.experiments.watched_program import MOST_RUNS, watch
from lab.explorers.bug_switcher import CASES, CURE, FAULT, LINES, ROWS, SAID, SHOW, SYMPTOM, rows_of
from tests.lessons.exercises import exercises_of
from tests.lessons.mutants.lesson_15 import ADD_ALL, BOTH, DECAY, FETCH, INIT, RUN, SHOWN, UPDATE, changed
from tests.lessons.notebooks import LESSONS, cells, read
from tests.lessons.room import room

NOTEBOOK = read(LESSONS / "15_bug_clinic.ipynb")
NUMBERS = range(1, 11)


def program(code, number):
    names = {"tf": tf}
    exec(code, names)
    return names[f"case_{number}"]


def test_the_lesson_hands_out_the_clinics_programs_and_its_cures():
    exercises = list(exercises_of("15", NOTEBOOK))
    assert [exercise.cell.source for exercise in exercises] == [text(n, BROKEN) for n in NUMBERS]
    assert [exercise.solution.strip() for exercise in exercises] == [text(n, REPAIRED) for n in NUMBERS]
    assert [exercise.check.source for exercise in exercises] == [f"lab.check_case({n}, case_{n})" for n in NUMBERS]


def test_each_case_has_a_thread_and_a_heading_of_the_switcher():
    lesson = "\n".join(cell.source for cell in cells(NOTEBOOK, "markdown"))
    for number, title in enumerate(CASES, start=1):
        part = lesson.partition(f"### Case {title}\n")[2].partition("<details>")[0]
        assert "https://github.com/" in part, number
        assert "Lesson " in part, number


@pytest.mark.parametrize("number", NUMBERS)
def test_each_diagnosis_has_one_right_answer_and_a_reply_to_each(number):
    [asked] = diagnose(number).data["questions"]
    assert asked["question"].startswith(f"{number}. Why ")
    assert [option["right"] for option in asked["options"]].count(True) == 1
    assert all(option["reply"].endswith((".", "?")) for option in asked["options"])


CURES = [  # the number of a case, and what to change in its program
    (1, ("minimize(w**2)", "minimize(w**2, global_step)")),
    (1, ("(w**2)", "(w**2, global_step)"), ("decay_rate=0.5", "decay_rate=0.5, staircase=True")),
    (1, ("    with", "    add = tf.assign_add(global_step, 1)\n    with"), (RUN, RUN + "            sess.run(add)\n")),
    (1, ("def case_1():", "def case_1():\n    tf.reset_default_graph()"), ("(w**2)", "(w**2, global_step)")),
    (2, ("tf.Variable(0, trainable=False)", "tf.train.get_or_create_global_step()")),
    (2, ("tf.Variable(0, trainable=False)", "tf.train.create_global_step()")),
    (2, ("False)\n", "False)\n    tf.add_to_collection(tf.GraphKeys.GLOBAL_STEP, counter)\n")),
    (2, ("False)", "False, collections=['variables', 'global_step'])")),
    (2, ("tf.Variable(0, trainable=False)", "tf.get_variable('global_step', initializer=0, trainable=False)")),
    (3, ("[step, episode]:", "[step]:")),
    (3, (ADD_ALL, "")),
    (3, (ADD_ALL, ADD_ALL + "    tf.get_collection_ref('global_step').remove(episode)\n")),
    (3, (ADD_ALL, ""), ('tf.Variable(0, trainable=False, name="global_step")', "tf.train.create_global_step()")),
    (4, (BOTH, "both = [minimize(w**2, global_step=step), minimize(b**2)]")),
    (4, (BOTH, "both = [minimize(w**2), minimize(b**2, global_step=step)]")),
    (4, (BOTH, "both = [minimize(w**2), minimize(b**2), tf.assign_add(step, 1)]")),
    (4, ("sess.run(both)", "sess.run(both[0])\n            sess.run(both[1])"), ("(b**2, global_step=step)", "(b**2)")),
    (5, (FETCH, "sess.run(train_op)\n            now = sess.run(shown)")),
    (5, (FETCH, "sess.run(train_op)\n            now = sess.run(step)")),
    (5, (FETCH, "sess.run(train_op)\n            now = tf.train.global_step(sess, step)")),
    (5, (SHOWN, f"with tf.control_dependencies([train_op]):\n        {SHOWN}")),
    (5, (SHOWN, "with tf.control_dependencies([train_op]):\n        shown = step.read_value()")),
    (6, (UPDATE, f"{UPDATE}\n    train_op = tf.group(train_op, tf.assign_add(step, 1))")),
    (6, (UPDATE, UPDATE.replace("train_op", "update") + "\n    train_op = tf.group(update, step.assign_add(1))")),
    (
        6,
        (
            UPDATE,
            "cut = [(tf.clip_by_value(slope, -1.0, 1.0), w)]\n"
            "    train_op = tf.train.GradientDescentOptimizer(0.1).apply_gradients(cut, global_step=step)",
        ),
    ),
    (7, (INIT, ""), ("    with", INIT + "    with")),
    (7, (INIT, ""), ("tf.Session()", "tf.train.MonitoredTrainingSession()"), ("        sess.run(init)\n", "")),
    (7, (INIT, ""), ("sess.run(init)", "sess.run(tf.global_variables_initializer())")),
    (7, ("sess.run(init)", "sess.run([init, step.initializer])")),
    (8, ("tf.trainable_variables()", "")),
    (8, ("tf.trainable_variables()", "[w, step]")),
    (8, ("tf.trainable_variables()", "tf.global_variables()")),
    (8, ("tf.trainable_variables()", ""), ("        sess.run(tf.global_variables_initializer())\n", "")),
    (9, (DECAY, "100, 0.5, True")),
    (9, ("exponential_decay(0.1, step, " + DECAY, "piecewise_constant(step, [99], [0.1, 0.05]")),
    (9, ("exponential_decay(0.1, step, " + DECAY, "natural_exp_decay(0.1, step, 100, 0.693147, True")),
    (9, (DECAY, "decay_steps=2 * 50, decay_rate=1 / 2, staircase=True")),
    (
        10,
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


def test_every_program_of_the_clinic_is_judged():
    for number in NUMBERS:
        assert not check_case(number, programs(BROKEN)[number])
        assert check_case(number, programs(REPAIRED)[number])


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
    symptoms()
    check_case(8, programs(REPAIRED)[8])
    assert watch(loud).lines == ["said", "WARNING:tensorflow:loud"]
    assert (tf.Session.run, tf.logging.get_verbosity()) == (run, verbosity)
    assert tf.get_default_graph().get_operations() == []
    assert capfd.readouterr() == ("", "")
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


EXPLORER = BugSwitcher()


@pytest.mark.parametrize("number", NUMBERS)
def test_the_switcher_shows_symptom_fault_and_cure(number):
    for show, kind in zip(SHOW, (BROKEN, BROKEN, REPAIRED), strict=True):
        picture = EXPLORER.picture(CASES[number - 1], show)
        assert room(picture)[:3] == room(EXPLORER.picture(CASES[0], SYMPTOM))[:3]
        code, said, broken, cured = picture.parts
        assert len(code["lines"]) <= LINES and len(said["lines"]) <= SAID
        assert (cured["basis"], cured["reserve"]) == (broken["basis"], broken["reserve"])
        lines, others = (text(number, form).splitlines() for form in (kind, BROKEN if show == CURE else REPAIRED))
        assert [line["text"] for line in code["lines"]] == lines
        marked = [line["text"] for line in code["lines"] if line["kind"] != "plain"]
        assert {line for line in lines if line not in others} <= set(marked) or show == SYMPTOM
        assert bool(marked) == (show != SYMPTOM)
        assert {line["kind"] for line in code["lines"]} <= {"plain", "now" if show == FAULT else "done"}
        assert all(f"Marked: {line.strip()}" in picture.words for line in marked)
        assert ("Cured" in picture.words) == (show == CURE)
        assert [line["text"] for line in said["lines"]] == seen(number, kind).lines[:SAID]
        for table, form in ((broken, BROKEN), (cured, REPAIRED)):
            if table["type"] == "table":
                rows = [row for row in table["rows"] if row[0] != " " and "span" not in row[0]]
                assert [table["head"], *rows] == rows_of(number, form) and len(table["rows"]) == ROWS
        assert (cured["type"] == "table") == (show == CURE)


def test_the_tables_hold_the_session_s_numbers():
    first, slower = ([" ".join(row) for row in rows_of(number, BROKEN)] for number in (1, 10))
    assert first[1:] == ["1 0 4 0.1", "3 0 2.56 0.1", "5 0 1.638 0.1", "7 0 1.049 0.1", "10 0 0.5369 0.1"]
    assert slower[0] == "update step w operations"
    assert slower[1:] == ["1 1 4 26", "2 2 3.2 45", "3 3 2.56 64", "4 4 2.048 83", "5 5 1.638 102"]
    assert rows_of(3, BROKEN) == rows_of(7, BROKEN) == [["update", "step", "w", " "]]
    assert "After update 3, step 3, w 2.56, operations 64." in EXPLORER.picture(CASES[9], SYMPTOM).words


def test_a_learner_may_call_a_program(capsys):
    with tf.Graph().as_default():
        programs(REPAIRED)[1]()
    assert capsys.readouterr().out == "step 10 rate 0.025\n"
