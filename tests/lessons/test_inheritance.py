"""Lesson 15's inherited scripts do the same in TensorFlow, and their check takes every right repair."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

import lab
from lab.checks.inheritance import check_inheritance
from lab.experiments.inheritance import FOLDER, SCRIPTS
from tests.conformance.transcripts import encoded_answers
from tests.lessons.exercises import exercises_of
from tests.lessons.mutants.lesson_15_inheritance import (
    BY_HAND,
    COUNTER,
    DECAY,
    EMA,
    FEATURES,
    FETCH,
    LOOP,
    NAME,
    NO_SAVER,
    NOW,
    ONE_RUN,
    OPS,
    PLANE_SAVER,
    POINT,
    RESTORE,
    RUNS,
    START,
    STEP,
    TEST,
    saver,
    version,
)
from tests.lessons.notebooks import LESSONS, cells, printed, read

NOTEBOOK = read(LESSONS / "15_bug_clinic.ipynb")
LOGS = encoded_answers("clinic", "inherited")
NUMBERS = sorted(SCRIPTS)


@pytest.mark.parametrize("number", NUMBERS)
def test_the_lesson_shows_the_script_as_it_is(number):
    shown = [out.data.get("text/markdown") for cell in cells(NOTEBOOK, "code") for out in cell.outputs if "data" in out]
    assert f"```python\n{lab.inheritance(number)}```" in shown
    assert f"({FOLDER.name}/{SCRIPTS[number]})" in "".join(cell.source for cell in cells(NOTEBOOK, "markdown"))
    assert lab.inheritance(number).count("\n") <= 80


def test_the_lesson_prints_what_tensorflow_prints():
    wave, digits, plane = LOGS["fit_wave"], LOGS["warm_up"], LOGS["fit_plane"]
    shown = [["first run", *wave[:3], "...", wave[7]], ["second run", *wave[8:11], "...", wave[15]]]
    for cell in ("inherited-runs", "repair-wave"):
        assert [line.strip() for line in printed("15", cell).splitlines()] == sum(shown, [])
    assert printed("15", "repair-digits").splitlines() == digits[:4]
    assert [line.strip() for line in printed("15", "repair-plane").splitlines() if "run" not in line] == plane


def test_each_case_prints_what_tensorflow_prints():
    answers = lab.recorded("clinic")["as_they_come"]
    said = [printed("15", f"program-{number}").splitlines() for number in range(1, 11)]
    assert said.pop(5) == [f"updated, now at step {step}" for step in range(5)]  # a race: TensorFlow promises nothing
    assert said == answers


def monitored(text: str) -> str:
    """Let a MonitoredTrainingSession save."""
    head, loop = text.split("    writer = tf.summary")
    loop = loop.replace("    with tf.Session() as sess:\n        sess.run(tf.global_variables_initializer())\n", "")
    start = loop.index("        if tf.train.latest")
    loop = loop[start:].replace(f"        if tf.train.latest_checkpoint(folder):\n{RESTORE}", "")
    session = """\
    with tf.train.MonitoredTrainingSession(
        checkpoint_dir=folder,
        save_checkpoint_steps=BATCHES,
        save_checkpoint_secs=None,
        save_summaries_steps=None,
        save_summaries_secs=None,
    ) as sess:
"""
    loop = re.sub(r" +saver\.save\(.*\n", "", loop)
    return f"{head}    writer = tf.summary.FileWriter(folder)\n{session}{loop}"


ASSIGNED = "                sess.run(step_op)\n"
ONE_OPTIMIZER = """\
    sgd = tf.train.GradientDescentOptimizer(rate)
    slopes = sgd.compute_gradients(loss)
    readout_op = tf.no_op()
    features_op = sgd.apply_gradients([(g / 4 if "features" in v.name else g, v) for g, v in slopes], global_step)
"""
BOTH_GATED = """\
    slopes = sgd(rate).compute_gradients(loss)
    readout_op = sgd(rate).apply_gradients(slopes[2:])
    with tf.control_dependencies([readout_op]):
        features_op = sgd(rate / 4).apply_gradients(slopes[:2], global_step)
"""
SGD = "    sgd = tf.train.GradientDescentOptimizer\n"
ALL = "weights + [ema.average(v) for v in weights] + [global_step]"
SUMMARY = "tf.Summary(value=[tf.Summary.Value(tag='test_error', simple_value=float(reads))])"
TESTED = "            step, now, reads, curve = sess.run([global_step, rate, error, summary], test)\n"
TESTED_TWICE = """\
            step, now = sess.run([global_step, rate])
            reads, curve = sess.run(error, test), sess.run(summary, test)
"""
TESTED_BY_HAND = """\
            w1, b1, w2, b2 = sess.run([ema.average(weight) for weight in weights])
            step, now, _ = sess.run([global_step, rate, error], test)
            reads = float(np.mean((np.tanh(x_test @ w1 + b1) @ w2 + b2 - y_test) ** 2))
            curve = tf.Summary(value=[tf.Summary.Value(tag="test_error", simple_value=reads)])
"""
WAVE = {
    "the features count": version(1, count=[(FEATURES, "minimize(loss, var_list=weights[:2])")]),
    "an op counts": version(
        1,
        ("    ema =", "    step_op = tf.assign_add(global_step, 1)\n    ema ="),
        (RUNS, RUNS + ASSIGNED),
        (FEATURES, "minimize(loss, var_list=weights[:2])"),
    ),
    "an op counts before the averages": version(
        1,
        (FEATURES, "minimize(loss, var_list=weights[:2])"),
        (
            "        features_op = ema",
            "        counted = tf.assign_add(global_step, 1)\n"
            "    with tf.control_dependencies([counted]):\n        features_op = ema",
        ),
    ),
    "one optimizer": version(1, (SGD, ""), (OPS, ONE_OPTIMIZER), count=[]),
    "the gradients once, for both": version(1, (OPS, BOTH_GATED), (RUNS, ONE_RUN), count=[]),
    "the features first": version(
        1, (RUNS, "                sess.run(features_op, batch)\n                sess.run(readout_op, batch)\n")
    ),
    "averages in a run by themselves": version(
        1,
        (EMA, "    average_op = ema.apply(weights)\n"),
        (RUNS, RUNS + "                sess.run(average_op, batch)\n"),
    ),
    "a test by hand": version(1, (TESTED, TESTED_BY_HAND)),
    "a test in two runs": version(1, (TESTED, TESTED_TWICE)),
    "boundaries": version(
        1,
        decay=[
            (
                DECAY,
                "piecewise_constant(global_step, [80 * n - 1 for n in range(1, 50)], [0.2 / 2**n for n in range(50)])",
            )
        ],
    ),
    "epochs, in the graph": version(
        1, decay=[(DECAY, "exponential_decay(0.2, global_step // BATCHES, 2, 0.5, staircase=True)")]
    ),
    "the rate is fed": version(
        1,
        (f"rate = tf.train.{DECAY}", "rate = tf.placeholder(tf.float32, [])"),
        (RUNS, "                batch[rate] = 0.2 * 0.5 ** (sess.run(global_step) // 80)\n" + RUNS),
        (
            "[global_step, rate, error, summary], test",
            "[global_step, rate, error, summary], {**test, rate: 0.2 * 0.5 ** (sess.run(global_step) // 80)}",
        ),
        decay=[],
    ),
    "all Variables": version(1, saver=saver("tf.train.Saver(tf.global_variables(), max_to_keep=3)")),
    "named Variables": version(1, saver=saver(f"tf.train.Saver({ALL})")),
    "every file is kept": version(1, saver=saver("tf.train.Saver(max_to_keep=None)")),
    "a Saver for each": version(
        1,
        (RESTORE, RESTORE + "            rest.restore(sess, tf.train.latest_checkpoint(folder))\n"),
        saver=[
            *saver("tf.train.Saver()"),
            ("    with tf.Session", "    rest = tf.train.Saver([global_step])\n    with tf.Session"),
        ],
    ),
    "a monitored session": monitored(version(1, but="name", saver=NO_SAVER)),
    "epochs go on": version(
        1,
        (
            LOOP,
            "        done = sess.run(global_step) // BATCHES\n"
            "        for epoch in range(done + 1, done + EPOCHS + 1):\n",
        ),
        curve=[(POINT, POINT.replace("epoch", "epoch * BATCHES"))],
        name=[(NAME, NAME.replace("epoch", "epoch * BATCHES"))],
    ),
    "the Variable names the file": version(1, name=[(NAME, NAME.replace("=epoch", "=global_step"))]),
    "a summary by hand": version(1, curve=[(POINT, f"writer.add_summary({SUMMARY}, step)")]),
    "averages of another name": version(1, ("num_updates=global_step)", 'num_updates=global_step, name="mean")')),
    "averages without a clock": version(1, ("0.98, num_updates=global_step", "0.98")),
    "a step by hand": version(1, (STEP, '    global_step = tf.Variable(0, trainable=False, name="global_step")\n')),
    "initialized if there is no file": version(
        1,
        ("        sess.run(tf.global_variables_initializer())\n", ""),
        (LOOP, "        else:\n            sess.run(tf.global_variables_initializer())\n" + LOOP),
    ),
    "named by the first two": version(
        1,
        ("def main(folder)", "def run(where)"),
        ("main(sys.argv[1])", "run(sys.argv[1])"),
        ("FileWriter(folder)", "FileWriter(where)"),
        ("if tf.train.latest_checkpoint(folder)", "if tf.train.latest_checkpoint(where)"),
        ("sess, tf.train.latest_checkpoint(folder)", "sess, tf.train.latest_checkpoint(where)"),
        ("join(folder", "join(where"),
    ),
}
ONCE = [
    (TEST, "    reads, curve = sess.run([accuracy, summary], feed)\n    writer.add_summary(curve, step)\n"),
    ("writer, right, feed", "writer, accuracy, summary, feed"),
    ("writer, right, {", "writer, accuracy, summary, {"),
    (
        COUNTER,
        "    accuracy = tf.reduce_mean(tf.cast(right, tf.float32))\n"
        '    summary = tf.summary.scalar("accuracy", accuracy)\n' + COUNTER,
    ),
]
DIGITS = {
    "a summary made once": version(
        2,
        test=ONCE,
        step=[
            (COUNTER, COUNTER),
            ("tf.to_float(tf.train.get_or_create_global_step())", "tf.to_float(step)"),
            ("def warmed_up(rate)", "def warmed_up(rate, step)"),
            ("100, 1.25))", "100, 1.25), counter)"),
        ],
    ),
    "found by its name": version(
        2,
        step=[
            (COUNTER, COUNTER.replace('"counter"', '"global_step"')),
            ("get_or_create_global_step", "get_global_step"),
        ],
    ),
    "an edge": version(2, read=[(NOW, f"    with tf.control_dependencies([train_op]):\n    {NOW}")]),
    "divided": version(2, rate=[("1.25", "1 / 1.25")]),
    "the step in Python": version(
        2, read=[(NOW, ""), (FETCH, "_, used = sess.run([train_op, rate], feed)\n            step = i + 1\n")]
    ),
    "a step fetched later": version(
        2,
        read=[
            (
                FETCH,
                "_, used = sess.run([train_op, rate], feed)\n            step = tf.train.global_step(sess, counter)\n",
            )
        ],
    ),
}
PLANE = {
    "from 0": version(3, (START, "tf.Variable(0, trainable=False")),
    "named Variables": version(3, saver=[(PLANE_SAVER, "Saver([w, ema.average(w), global_step])")]),
    "the sum for the curve": version(3, curve=[]),
    "an average of another name": version(3, ("num_updates=global_step)", 'num_updates=global_step, name="mean")')),
    # These two read the step for their clock in the run that counts: a race whose outcomes both keep the promise.
    "an average by hand": version(3, *BY_HAND),
    "a clock by hand": version(
        3,
        average=[
            (
                "0.99, num_updates=start",
                "tf.minimum(0.99, (1.0 + tf.to_float(global_step)) / (10.0 + tf.to_float(global_step)))",
            )
        ],
    ),
    "named by the sum": version(3, name=[("global_step=i)", "global_step=start + i)")]),
}
RIGHT = [
    (n, what, text)
    for n, all_of_them in enumerate((WAVE, DIGITS, PLANE), start=1)
    for what, text in all_of_them.items()
]


@pytest.mark.parametrize("number, text", [pytest.param(n, text, id=f"{n} {what}") for n, what, text in RIGHT])
def test_every_right_repair_is_taken(number, text):
    verdict = check_inheritance(number, text)
    assert verdict, verdict.message


@pytest.mark.parametrize("number", NUMBERS)
def test_every_part_of_a_repair_is_needed(number):
    for part in ("count", "decay", "saver", "curve", "name", "step", "rate", "read", "test", "average"):
        if version(number, but=part) != version(number) and (number, part) != (3, "curve"):
            assert not check_inheritance(number, version(number, but=part)), part


@pytest.mark.parametrize(
    "number, odd", [(1, None), (1, 3), (1, ""), (1, "1 / 0"), (1, "import sys\nsys.exit(2)"), (9, "")]
)
def test_odd_answers_are_named(number, odd):
    verdict = check_inheritance(number, odd)
    assert not verdict
    assert "The check could not run" not in verdict.message


def test_a_script_that_never_ends_is_stopped():
    endless = version(3, ("for i in range(1, 301)", "import itertools\n        for i in itertools.cycle([1])"))
    assert "The check stops it after" in check_inheritance(3, endless).message


def test_a_repair_can_make_the_test_look_worse():
    folders = [lab.temporary_folder() for _ in range(3)]
    step = [
        ("    saver = tf", STEP + "    saver = tf"),
        (STEP + "    rate", "    global_step = tf.train.get_global_step()\n    rate"),
    ]
    texts = lab.inheritance(1), version(1, but="saver", saver=step), version(1)
    worst = []
    for text, folder in zip(texts, folders, strict=True):
        lab.run_inherited(folder, text)
        first = len(lab.curve(folder, "test_error"))
        lab.run_inherited(folder, text)
        worst.append([round(value, 3) for _, value in lab.curve(folder, "test_error")][first - 1 : first + 1])
    assert worst == [[0.038, 0.034], [0.038, 0.101], [0.038, 0.037]]


def solutions():
    exercises = list(exercises_of("15", NOTEBOOK))[10:]
    for number, exercise in zip(NUMBERS, exercises, strict=True):
        names = {"lab": lab, "two_runs": str}
        exec(exercise.solution, names)
        yield number, names["script"]


def test_the_solutions_are_what_the_mutants_begin_with():
    for number, text in solutions():
        assert text == version(number)


@pytest.mark.tensorflow
@pytest.mark.parametrize("repaired", [False, True])
@pytest.mark.parametrize("number", NUMBERS)
def test_tensorflow_prints_the_same(number, repaired, tmp_path):
    pytest.importorskip("tensorflow")
    script, folder = tmp_path / "inheritance" / "script.py", tmp_path / "run"
    script.parent.mkdir()
    (tmp_path / "data").symlink_to(FOLDER.parent / "data")
    text = version(number) if repaired else lab.inheritance(number)
    script.write_text(text, encoding="utf-8")
    for _ in range(3):
        ran = subprocess.run([sys.executable, str(script), str(folder)], check=True, capture_output=True, text=True)
        assert ran.stdout.splitlines() == lab.run_inherited(str(tmp_path / "ours"), text)
