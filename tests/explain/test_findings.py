"""Each fault is found under its identifier, with the script's own lines, and nothing is found in what is right."""

from __future__ import annotations

import inspect
import json
import re

import numpy as np
import pytest
from clinic import broken, repaired

import minitf as tf
from lab.experiments.clinic import checkpoint
from lab.experiments.inheritance import FOLDER
from lab.experiments.inherited import SCRIPT, inherited
from minitf.explain.finding import FINDINGS
from tests.explain import small_programs
from tests.lessons.answers import answers, script_of

CASES = {
    1: {"rate-grows", "decay-in-epochs", "not-finite"},
    2: {"step-not-found"},
    3: {"order-undefined"},
    4: {"graph-grows"},
    5: {"step-not-restored"},
    6: {"step-never-moves"},
}
SMALL = {
    "counted_twice": {"step-counted-twice"},
    "initializer_too_early": {"not-initialized"},
    "step_left_out": {"step-not-passed", "step-never-moves", "rate-never-moves"},
    "step_by_another_name": {"step-not-found"},
}


def case(module, number):
    """Return a case of lesson 15, with its checkpoint if it takes one."""
    function = getattr(module, f"case_{number}")
    if not inspect.signature(function).parameters:
        return function
    path = checkpoint(5)
    return lambda: function(path)


@pytest.mark.parametrize("number", CASES)
def test_the_cases_of_lesson_15(explain, number):
    seen = explain(case(broken, number))
    assert (seen.found, seen.asked) == (CASES[number], set())
    seen = explain(case(repaired, number))
    assert (seen.found, seen.asked) == (set(), set())


@pytest.mark.parametrize("name", SMALL)
def test_small_programs(explain, name):
    seen = explain(getattr(small_programs, name))
    assert (seen.found, seen.asked) == (SMALL[name], set())
    seen = explain(getattr(small_programs, f"{name}_repaired"))
    assert (seen.found, seen.asked) == (set(), set())


LAST = {  # the last lesson that finds this in the script that part two inherits
    "order-undefined": 7,
    "step-not-found": 8,
    "summary-without-step": 8,
    "step-not-passed": 9,
    "step-in-name-only": 9,
    "step-not-saved": 10,
    "step-not-restored": 10,
    "python-counter": 12,
}


@pytest.mark.parametrize("lesson", range(7, 15))
def test_the_inherited_script_at_each_stage(explain, lesson, tmp_path):
    expected = {name for name, last in LAST.items() if lesson <= last}
    text = inherited(lesson).replace("__file__", repr(str(SCRIPT)))
    first, second = explain(text, str(tmp_path)), explain(text, str(tmp_path))
    assert (first.found, first.asked) == (expected - {"step-not-restored"}, set())
    goes_on_as_long = {"trains-more"} if lesson == 11 else set()  # it makes as many turns again, and means to
    assert (second.found, second.asked) == (expected, goes_on_as_long)


SCRIPTS = {
    "fit_wave.py": (
        {"step-counted-twice", "saver-too-early", "step-not-saved", "step-in-name-only", "python-counter"},
        {"step-not-restored"},
    ),
    "warm_up.py": ({"rate-grows", "step-never-moves", "step-created-twice", "graph-grows", "order-undefined"}, set()),
    "fit_plane.py": ({"step-not-saved", "python-counter", "average-too-fast"}, {"step-in-name-only"}),
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_scripts_that_lesson_15_hands_down(explain, name, tmp_path):
    text = (FOLDER / name).read_text("utf-8").replace("__file__", repr(str(FOLDER / name)))
    first, more = SCRIPTS[name]
    assert explain(text, str(tmp_path)).found == first
    assert explain(text, str(tmp_path)).found == first | more


REPAIRS = [answer for answer in answers() if answer.right and "inheritance" in answer.exercise.check.source]


@pytest.mark.parametrize("repair", REPAIRS, ids=[f"{repair.exercise.name} {repair.name}" for repair in REPAIRS])
def test_nothing_is_found_in_a_right_repair(explain, repair, tmp_path):
    text = script_of(repair.code).replace("__file__", repr(str(FOLDER / "script.py")))
    for _ in range(2):
        seen = explain(text, str(tmp_path))
        assert (seen.findings, seen.questions) == ([], [])


def test_every_lesson_that_a_finding_names_exists():
    lessons = [finding.lesson for finding in FINDINGS.values()]
    assert len(lessons) >= 16
    assert all((FOLDER.parent / f"{lesson}.ipynb").is_file() for lesson in lessons)


HEAD = """
    import tensorflow as tf
    w, b = tf.Variable(5.0, name="w"), tf.Variable(5.0, name="b")
    sgd = tf.train.GradientDescentOptimizer
"""
STEP = '    step = tf.Variable(0, trainable=False, name="global_step")\n'
RUNS = """
    sess = tf.Session()
    sess.run(tf.global_variables_initializer())
    for i in range({times}):
        {body}
"""


def script(lines, body, times=6):
    """Return a script with these lines, and a loop with this body."""
    indented = "".join(f"    {line}\n" for line in lines.splitlines())
    return HEAD + STEP + indented + RUNS.format(times=times, body=body.replace("\n", "\n        "))


COUNTS = "train_op = sgd(0.1).minimize(w**2, global_step=step)\n"
CURVE = COUNTS + 'writer = tf.summary.FileWriter("{folder}")\ncurve = tf.summary.scalar("w", w)\n'
FOUND = {  # a fault, and beside it something like it that is right
    "a float counted twice": (
        script(
            'step = tf.Variable(0.0, trainable=False, name="global_step")\n'
            "train_op = sgd(0.1).minimize(w**2, step)\nmore = sgd(0.1).minimize(b**2, step)",
            "sess.run(train_op)\nsess.run(more)",
        ),
        {"step-counted-twice", "step-created-twice"},  # the first step, an integer, stays at 0
    ),
    "counted by hand as well": (
        script(COUNTS + "more = tf.assign_add(step, 1)", "sess.run(train_op)\nsess.run(more)"),
        {"step-counted-twice"},
    ),
    "counted by hand alone": (
        script("train_op = sgd(0.1).minimize(w**2)\nmore = tf.assign(step, step + 1)", "sess.run([train_op, more])"),
        set(),
    ),
    "two phases of training": (
        script(
            COUNTS + "other = sgd(0.1).minimize(b**2, global_step=step)", "sess.run(train_op if i < 4 else other)", 8
        ),
        set(),
    ),
    "in turns": (
        script(COUNTS + "other = sgd(0.1).minimize(b**2, global_step=step)", "sess.run(train_op)\nsess.run(other)"),
        {"step-counted-twice"},
    ),
    "in turns, and one counts": (
        script(COUNTS + "other = sgd(0.1).minimize(b**2)", "sess.run(train_op)\nsess.run(other)"),
        set(),
    ),
    "in turns, on the same weights": (
        script(
            COUNTS + "other = sgd(0.1).minimize((w - 1) ** 2, global_step=step)", "sess.run(train_op)\nsess.run(other)"
        ),
        set(),
    ),
    "a step that was asked for before it was made": (
        script(
            "none = tf.train.get_global_step(tf.Graph())\nearly = tf.train.get_global_step()\n"
            "mine = tf.Variable(0, trainable=False)\ntrain_op = sgd(0.1).minimize(w**2, mine)",
            "sess.run(train_op)",
        ).replace(STEP, ""),
        set(),
    ),
    "two steps that both count": (
        script(
            "mine = tf.Variable(0, trainable=False)\ntrain_op = sgd(0.1).minimize(w**2, mine)\n"
            "more = tf.assign_add(step, 1)",
            "sess.run([train_op, more])",
        ),
        set(),
    ),
    "a little more of the same, now and then": (
        script(COUNTS + "other = sgd(0.1).minimize(w**4)", "sess.run(train_op)\nif i % 2:\n    sess.run(other)"),
        set(),
    ),
    "the op that counts isn't run": (
        script(COUNTS + "other = sgd(0.1).minimize(b**2)", "sess.run(other)"),
        {"step-never-moves"},
    ),
    "more steps in one addition": (
        script("train_op = sgd(0.1).minimize(w**2)\nmore = tf.assign_add(step, 32)", "sess.run([train_op, more])"),
        set(),
    ),
    "a step that nothing reads and nothing moves": (
        script("train_op = sgd(0.1).minimize(w**2)", "sess.run(train_op)"),
        {"step-not-passed"},
    ),
    "a rate that warms up": (
        script(
            "rate = tf.train.polynomial_decay(0.0, step, 100, end_learning_rate=0.1)\n"
            "train_op = sgd(rate).minimize(w**2, global_step=step)",
            "sess.run(train_op)",
        ),
        set(),
    ),
    "a decay that never comes": (
        script(
            "rate = tf.train.exponential_decay(0.1, step, 1000, 0.5, staircase=True)\n"
            "train_op = sgd(rate).minimize(w**2, global_step=step)",
            "sess.run(train_op)",
            30,
        ),
        set(),  # that's a question, because the script may be meant to train for longer
    ),
    "a decay that changes nothing": (
        script(
            "rate = tf.train.exponential_decay(0.1, step, 10, 1.0, staircase=True)\n"
            "train_op = sgd(rate).minimize(w**2, global_step=step)",
            "sess.run(train_op)",
            30,
        ),
        {"rate-never-moves"},
    ),
    "a step that is a number": (
        script(
            "rate = tf.train.exponential_decay(0.1, 0, 100, 0.5)\ntrain_op = sgd(rate).minimize(w**2, step)",
            "sess.run(train_op)",
        ),
        {"rate-never-moves"},
    ),
    "a rate that vanishes": (
        script(
            "rate = tf.train.exponential_decay(0.1, step, 1, 0.5)\n"
            "train_op = sgd(rate).minimize(w**2, global_step=step)",
            "sess.run(train_op)",
            50,
        ),
        {"decay-in-epochs"},
    ),
    "the step is read and printed": (
        script(COUNTS + "now = step + 0", "_, n = sess.run([train_op, now])\nprint(n)"),
        {"order-undefined"},
    ),
    "the step is read and printed at once": (
        script(COUNTS + "now = step + 0", "print(sess.run([train_op, now]))"),
        {"order-undefined"},
    ),
    "what is read isn't used": (script(COUNTS + "now = step + 0", "n, _ = sess.run([train_op, now])\nprint(n)"), set()),
    "the step itself is fetched": (script(COUNTS, "_, n = sess.run([train_op, step])\nprint(n)"), set()),
    "the used rate is fetched": (
        script(
            "rate = tf.train.exponential_decay(0.1, step, 100, 0.5)\n"
            "train_op = sgd(rate).minimize(w**2, global_step=step)",
            "sess.run([train_op, rate])",
        ),
        set(),
    ),
    "an update that waits": (
        script(COUNTS + "with tf.control_dependencies([train_op]):\n        later = step + 0", "sess.run(later)"),
        set(),
    ),
    "summaries without a step": (
        script(CURVE, "sess.run(train_op)\nwriter.add_summary(sess.run(curve))"),
        {"summary-without-step"},
    ),
    "summaries with the step": (
        script(CURVE, "sess.run(train_op)\nwriter.add_summary(sess.run(curve), sess.run(step))"),
        set(),
    ),
    "summaries with what a while loop counts": (
        script(CURVE + "n = 0", "sess.run(train_op)\nn += 1\nwriter.add_summary(sess.run(curve), global_step=10 * n)"),
        set(),
    ),
    "summaries with what two loops count": (
        script(
            CURVE + "count = 3",
            "for j in range(count):\n    sess.run(train_op)\n    writer.add_summary(sess.run(curve), i * count + j)",
        ),
        set(),
    ),
    "summaries with what a while loop counts on": (
        script(
            CURVE + 'n = int("7")', "sess.run(train_op)\nn += 1\nwriter.add_summary(sess.run(curve), global_step=n)"
        ),
        set(),
    ),
    "a part of a model is saved": (
        script(
            "train_op = sgd(0.1).minimize(w**2 + b**2, global_step=step)\nsaver = tf.train.Saver([b])",
            'sess.run(train_op)\nsaver.save(sess, "{folder}/part", global_step=step)',
        ),
        set(),
    ),
    "the step has no other name": (
        script(
            f"{COUNTS}\nsaver = tf.train.Saver()",
            'sess.run(train_op)\nsaver.save(sess, "{folder}/m", global_step=step)',
        ),
        set(),
    ),
    "each turn makes a saver": (
        script(COUNTS, 'sess.run(train_op)\ntf.train.Saver().save(sess, "{folder}/m", global_step=step)'),
        {"graph-grows"},
    ),
    "a second step": (
        script(
            "mine = tf.Variable(0, trainable=False)\ntrain_op = sgd(0.1).minimize(w**2, mine)", "sess.run(train_op)"
        ),
        {"step-created-twice"},
    ),
    "the step again": (script("tf.train.create_global_step()", "pass"), {"step-created-twice"}),
    "nothing is initialized": (
        script(COUNTS, "sess.run(train_op)").replace("sess.run(tf.global_variables_initializer())", "pass"),
        {"not-initialized"},
    ),
    "ops are built once": (script(COUNTS, "sess.run(train_op)\nif i == 3:\n    tf.square(w)"), set()),
    "each part is built, and then trained": (
        script(
            "",
            "part = tf.Variable(1.0)\ntrain_op = sgd(0.1).minimize(part**2)\n"
            "sess.run(part.initializer)\nfor _ in range(3):\n    sess.run(train_op)",
        ).replace(STEP, ""),
        set(),
    ),
    "ops are built in each turn": (script(COUNTS, "sess.run(train_op)\ntf.square(w)"), {"graph-grows"}),
}


@pytest.mark.parametrize("what", FOUND)
def test_what_is_found_and_what_is_not(explain, what, tmp_path):
    text, expected = FOUND[what]
    seen = explain(text.replace("{folder}", str(tmp_path)))
    assert seen.found == expected, seen.findings


def test_a_finding_has_evidence_lines_a_cure_and_a_lesson(explain):
    seen = explain(small_programs.step_left_out)
    finding = seen.only("step-not-passed")
    said = "It trained 10 times without counting global_step, and there were no other runs that counted it."
    assert finding["says"] == said
    lines = inspect.getsource(small_programs).splitlines()
    for place in finding["places"]:
        assert place["file"] == small_programs.__file__ and place["text"] == lines[place["line"] - 1].strip()
        assert lines[place["line"] - 1][place["column"] - 1 :].startswith(("minimize(", "Variable("))
    [edit] = finding["cure"]["edits"]
    assert [line.strip() for line in edit["new"]] == [
        "train_op = tf.train.GradientDescentOptimizer(rate).minimize(w**2, global_step=global_step)"
    ]
    assert [follows["id"] for follows in finding["follows"]] == ["step-never-moves", "rate-never-moves"]
    assert finding["lesson"] == "lessons/04_who_adds_one.ipynb"


def test_a_step_that_is_only_printed_is_not_asked_about(explain, tmp_path):
    for name in ("the step itself is fetched", "what is read isn't used"):
        assert explain(FOUND[name][0]).asked == set()
    body = "_, n = sess.run([train_op, step])\nwriter.add_summary(sess.run(curve), n)"
    assert explain(script(CURVE, body).replace("{folder}", str(tmp_path))).asked == {"order-undefined"}
    seen = explain(script(COUNTS, "_, n = sess.run([train_op, step])\nif n > 3:\n    break"))
    assert seen.found == {"order-undefined"}  # it decides


def test_a_stopped_run_is_less_sure(command):
    """Nothing is said about a step that may be counted later; if nothing could count it, that's sure."""
    text, _ = FOUND["a decay that never comes"]
    assert b"rate-never-moves:" in command(["--explain"], text).stderr
    assert b"rate-never-moves:" not in command(["--explain", "--steps", "3"], text).stderr
    later = script("train_op = sgd(0.1).minimize(w**2)\nmore = tf.assign_add(step, 1)", "sess.run(train_op)")
    assert b"step-not-passed:" in command(["--explain"], later).stderr
    assert b"step-not-passed:" not in command(["--explain", "--steps", "3"], later).stderr
    never = later.replace("more = tf.assign_add(step, 1)", "")
    assert b"step-not-passed:" in command(["--explain", "--steps", "3"], never).stderr


RATE = "rate = tf.train.{schedule}\ntrain_op = sgd(rate).minimize(w**2, global_step=step)"
FIRST = {
    "exponential_decay(0.1, step, 1000, 0.5, staircase=True)": "first changes at step 1000, but this run ended at 30.",
    "piecewise_constant(step, [300, 600], [0.1, 0.01, 0.001])": "first changes at step 301, but this run ended at 30.",
    "exponential_decay(0.1, step, 10**9, 0.5)": "takes 1000000000 steps, and this run ended at 30,",
}


@pytest.mark.parametrize("schedule", FIRST)
def test_a_short_run_is_asked_when_its_rate_would_change(explain, schedule):
    seen = explain(script(RATE.format(schedule=schedule), "sess.run(train_op)", 30))
    assert (seen.found, seen.asked) == (set(), {"rate-never-moves"})
    assert FIRST[schedule] in seen.questions[0]["cure"]["words"]


VANISHES = script(RATE.format(schedule="exponential_decay(0.1, step, 5, 0.01)"), "sess.run(train_op)", 200)
BOTH = 'train_op = sgd(rate).minimize(w**2, global_step=step)\n    other = sgd(rate).minimize(b**2, name="other")'


def test_a_schedule_that_is_too_short_for_what_the_step_counts(explain):
    assert explain(VANISHES).only("decay-in-epochs")["cure"]["words"] == (
        "decay_steps is in steps, and this run counted 200, so choose a longer schedule."
    )
    epochs = explain(VANISHES + "    # decays in each epoch").only("decay-in-epochs")
    assert epochs["cure"]["words"] == "decay_steps is in steps, so multiply 5 by the steps per epoch."
    two = VANISHES.replace("train_op = sgd(rate).minimize(w**2, global_step=step)", BOTH)
    finding = explain(two.replace("run(train_op)", "run(train_op)\n        if i % 5 == 0: sess.run(other)"))
    finding = finding.only("decay-in-epochs")
    words = "The step counts the 200 runs of train_op (line 13). The 40 runs of other (line 14) would fit the schedule."
    assert finding["cure"]["words"].startswith(words)
    assert [place["line"] for place in finding["places"]] == [6, 13, 14]


def test_a_rate_that_is_too_small_is_the_cause(explain):
    made = (
        'def weight(scope):\n    with tf.variable_scope(scope):\n        v = tf.get_variable("w", initializer=1.0)\n'
        '    return v\nv = weight("one")\ntrain_op = sgd(1e-9).minimize(v**2 + {other} ** 2)'
    )
    small = script(made.format(other="w"), "sess.run(train_op)").replace(STEP, "")
    finding = explain(small).only("weights-never-move")
    said = "6 runs left v, w unchanged, at a rate of 1e-09, which is too small to make a difference."
    assert finding["says"] == said and "relu" not in finding["cure"]["words"]
    twice = script(made.format(other='weight("two")'), "sess.run(train_op)").replace(STEP, "")
    assert "left one/w, two/w unchanged" in explain(twice).only("weights-never-move")["says"]
    cut = script("train_op = sgd(0.1).minimize(0 * w**2)", "sess.run(train_op)").replace(STEP, "")
    assert "relu" in explain(cut).only("weights-never-move")["cure"]["words"]


def test_one_line_that_makes_two_train_ops(explain, tmp_path):
    helper = (
        "def make(loss):\n    return sgd(0.1).minimize(loss, global_step=step)\n"
        "one, two = {made}\nsaver = tf.train.Saver()"
    )
    body = "sess.run([one, two])"
    text = script(helper.format(made="[make(w**2),\n  make(b**2)]"), body)
    assert explain(text).only("step-counted-twice")["cure"]["words"] == (
        "Line 7 makes each of the train ops that count, so give make the step as an argument, "
        "which only one of its callers (lines 8 and 9) passes."
    )
    text = script(helper.format(made="map(make, [w**2, b**2])"), body + f'\nsaver.save(sess, "{tmp_path}/m")')
    assert explain(text).only("step-counted-twice")["cure"]["words"] == (
        "Line 7 makes each of the train ops that count, so let it pass global_step for only one of them. "
        "Checkpoints from before the change hold a step that's too large."
    )


def test_a_rate_that_the_update_waits_for_may_be_fetched_with_it(explain):
    made = f"{RATE.format(schedule='exponential_decay(0.1, step, 2, 0.5)')}".replace(", global_step=step", "")
    [change] = explain(script(made, "sess.run([train_op, rate])")).only("step-not-passed")["cure"]["edits"]
    assert change["new"][0].endswith("minimize(w**2, global_step=step)")
    raced = explain(script(made, "sess.run([train_op, step + 0])")).only("step-not-passed")["cure"]
    assert not raced["edits"] and raced["words"].endswith("Then fetch whatever reads step in a separate run.")


def test_an_increment_that_waits_for_no_update_is_not_the_one_to_keep(explain):
    loose = f"{COUNTS}add = step.assign_add(1)"
    cure = explain(script(loose, "sess.run([train_op, add])")).only("step-counted-twice")["cure"]
    assert not cure["edits"]
    assert cure["words"].startswith("Let the train op count, and leave out the op in line ")
    waits = f"{COUNTS}with tf.control_dependencies([train_op]):\n    add = step.assign_add(1)"
    [change] = explain(script(waits, "sess.run(add)")).only("step-counted-twice")["cure"]["edits"]
    assert "None" in change["new"][0]


def test_only_a_part_is_restored(explain, tmp_path):
    save = script(COUNTS + "saver = tf.train.Saver([b, step])", "sess.run(train_op)")
    explain(save + f'    saver.save(sess, "{tmp_path}/m", global_step=step)\n')
    again = script(COUNTS + "saver = tf.train.Saver([b])", "sess.run(train_op)")
    restored = again.replace("for i", f'saver.restore(sess, "{tmp_path}/m-6")\n    for i')
    assert (explain(restored).found, explain(restored).asked) == (set(), set())  # nothing that trains
    seen = explain(restored.replace("w**2", "w**2 + b**2"))
    assert (seen.found, seen.asked) == (set(), set())  # b was transferred, w is new, and so may the step be


def test_a_loop_that_counts_again_after_a_restore(explain, tmp_path):
    body = f'sess.run(train_op)\nsaver.save(sess, "{tmp_path}/m", global_step=i)'
    text = script("train_op = sgd(0.1).minimize(w**2)\nsaver = tf.train.Saver()", body).replace(STEP, "")
    restore = f'saver.restore(sess, "{tmp_path}/m-5")\n    '
    assert explain(text).asked == set()  # nothing shows that it's ever restored
    assert explain(text + f"    {restore}").asked == {"python-counter"}  # and so does this one
    assert explain(text.replace("for i", f"{restore}for i")).found == {"python-counter"}


def test_a_restored_step_is_no_fault_and_a_new_one_is(explain, tmp_path):
    save = script(COUNTS + "saver = tf.train.Saver()", "sess.run(train_op)")
    assert not explain(save + f'    saver.save(sess, "{tmp_path}/m", global_step=step)\n').found
    again = save.replace("for i", f'saver.restore(sess, "{tmp_path}/m-6")\n    for i')
    assert not explain(again).found
    late = again.replace("for i", "sess.run(tf.global_variables_initializer())\n    for i")
    finding = explain(late).only("step-not-restored")
    assert finding["says"] == "m-6 restored step to 6, but the initializer in line 12 then set it to 0."
    assert [place["text"] for place in finding["places"]][0] == "sess.run(tf.global_variables_initializer())"
    loaded = again.replace("for i", "step.load(0, sess)\n    for i")
    assert explain(loaded).only("step-not-restored")["says"] == (
        "m-6 restored step to 6, but it was 0 when training began."
    )


def test_training_through_a_loop_has_an_order(explain):
    loss = "loss = tf.while_loop(lambda i, y: i < 2, lambda i, y: (i + 1, y * w + b), (0, 1.0))[1] ** 2\n"
    train = "train_op = sgd(1e-5).minimize(loss, global_step=step)"
    seen = explain(script(loss + train, "sess.run([loss, train_op])"))
    assert (seen.facts["train_ops"][0]["runs"], seen.found, seen.asked) == (6, set(), set())


def test_a_rate_that_would_notice_is_left_alone(explain):
    called = []

    def training():
        step = tf.train.create_global_step()
        rate = tf.py_func(lambda n: called.append(n) or np.float32(0.1), [step], tf.float32)
        rate.set_shape([])
        train_op = tf.train.GradientDescentOptimizer(rate).minimize(tf.Variable(1.0) ** 2, step)
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            for _ in range(6):
                sess.run(train_op)

    assert not explain(training).facts["rates"] and called == [0, 1, 2, 3, 4, 5]


def test_the_field_guide_has_every_kind():
    cells = json.loads((FOLDER.parent / "field_guide.ipynb").read_text("utf-8"))["cells"]
    tables = ["".join(cell["source"]) for cell in cells if cell["id"].endswith("-symptoms")]
    assert set(re.findall(r"`([a-z]+(?:-[a-z]+)+)`", "\n".join(tables))) == set(FINDINGS)
