"""Lesson 14: what it says of other libraries is what they printed, and its check has the script's rates."""

from __future__ import annotations

import numpy as np
import pytest

import lab
import minitf as tf
from lab.checks.lesson_14 import RATES
from tests.lessons.notebooks import blocks_of, printed, text_of
from tools.elsewhere import PACKAGES, more_programs

RIGHT = "no mistake"
RECORDED = {library: lab.recorded("elsewhere", library.removesuffix("_1")) for library in PACKAGES}
KERAS = RECORDED["keras"]["more"]
WRONG = [run for it in RECORDED.values() for name, run in it["runs"].items() if name != RIGHT]


@pytest.fixture(scope="module")
def log():
    """What the repaired script prints in two runs."""
    folder = lab.temporary_folder()
    return [line for _ in range(2) for line in lab.run_inherited(folder, lab.inherited(14))]


def test_the_port_agrees_for_300_steps_and_then_starts_again(log):
    port = KERAS["digits"]["printed"]
    assert port[:6] == log[:6]
    assert port[6].startswith("step 1 rate 0.0500")
    assert not KERAS["digits"]["warnings"]


def test_both_logs_are_side_by_side(log):
    pairs = [line.split("  |  ") for line in printed("14", "two-logs")[1:]]
    assert [ours for ours, _ in pairs] == log[4:8]
    assert [theirs for _, theirs in pairs] == KERAS["digits"]["printed"][4:]


def test_the_quoted_lines_are_the_ports():
    [quoted] = [block for block in blocks_of(text_of("14")) if "ExponentialDecay" in block]
    program = more_programs("keras")["digits"]
    for line in quoted.splitlines():
        assert f"{line}\n" in program or line == "..."


def test_with_one_optimizer_and_one_rate_the_port_prints_the_scripts_log(log):
    assert KERAS["digits, one rate"]["printed"] == log[:8]


@pytest.mark.parametrize("run", WRONG, ids=lambda run: run["printed"][-1])
def test_the_mistakes_are_silent_and_w_is_near_1(run):
    assert not run["warnings"]
    *_, last = run["printed"]
    _, _, w = last.split()
    assert float(w) == pytest.approx(1, abs=0.01)


def test_two_optimizers_count_their_own():
    *_, last = RECORDED["keras"]["runs"]["two optimizers"]["printed"]
    _, step, _ = last.split()
    assert step == "5"


def test_a_scheduler_counts_calls():
    once = RECORDED["pytorch"]["runs"]["once an epoch"]["printed"][-1]
    assert printed("14", "epochs")[-1] == once
    assert once.split()[1] == "2"  # "Ten updates, and the clock says 2."


def test_the_order_of_two_lines_decides_what_a_file_brings_back():
    assert printed("14", "saving") == KERAS["saving"]["printed"]
    assert not [said for said in KERAS["saving"]["warnings"] if "optimizer" in said or "load" in said]


def test_a_point_without_a_step_is_at_0():
    said = RECORDED["pytorch"]["more"]["curve"]["printed"]
    assert said == ["with global_step: [1, 51, 101]", "without: [0, 0, 0]"]


@pytest.mark.parametrize("library", PACKAGES)
def test_the_small_optimizer_prints_the_ten_lines_of_all_libraries(library):
    assert printed("14", "ten") == RECORDED[library]["runs"][RIGHT]["printed"]


GONE = """
import tensorflow.compat.v1 as tf

try:
    tf.placeholder(tf.float32)
except RuntimeError as error:
    print(error)
tf.disable_v2_behavior()
for name in ["tf.contrib", "tf.layers.dense", "tf.estimator", "__import__('tensorflow.examples')"]:
    try:
        eval(name)
    except (AttributeError, ImportError) as error:
        print(error)
"""


@pytest.mark.tensorflow
def test_tensorflow_says_of_what_is_gone_what_the_lesson_quotes(by_tensorflow):
    said = by_tensorflow(GONE).stdout.splitlines()
    assert len(said) == 5
    assert not [line for line in said if line not in text_of("14")]


def test_the_lesson_names_the_versions():
    text = " ".join(text_of("14").split())
    keras, pytorch = (RECORDED[name][name].rpartition(".")[0] for name in ("keras", "pytorch"))
    assert f"Keras {keras}, PyTorch {pytorch} and optax {RECORDED['optax']['optax']}" in text


def test_the_check_knows_the_scripts_rates(log):
    for line in log:
        _, step, _, rate, *_ = line.split()
        assert f"{RATES[int(step) - 1]:.4f}" == rate


def test_the_check_knows_the_rates_between():
    with tf.Graph().as_default(), tf.Session() as sess:
        step = tf.Variable(0, trainable=False)
        rate = tf.train.exponential_decay(0.5, step, decay_steps=100, decay_rate=0.8)
        rate = tf.where(step % 400 < 300, rate, rate / 10)
        assert np.allclose([sess.run(rate, {step: n}) for n in range(801)], RATES, rtol=1e-5)


def test_as_it_ships_the_port_learns_and_does_not_count():
    [line] = printed("14", "exercise-port")
    count, accuracy = line.rsplit(" ", 1)
    assert count == "{'count': 0}"
    assert float(accuracy) > 0.88
