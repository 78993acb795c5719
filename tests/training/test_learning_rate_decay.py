"""Each decay schedule is its formula, at whatever step."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import minitf as tf
from tests.support import assert_same, examples, in_new_graph, initialized_session

decay = tf.train.exponential_decay

RATES = st.floats(2**-10, 10, width=32)
STEPS = st.integers(0, 500)
DECAY_STEPS = st.integers(1, 100)
FACTORS = st.floats(0.125, 3, width=32)
PARTS = st.floats(0, 1, width=32, allow_subnormal=False)


def exponential(step, rate, steps, factor, staircase=False):
    return rate * factor ** (step // steps if staircase else step / steps)


def natural(step, rate, steps, factor, staircase=False):
    return rate * math.exp(-factor * (step // steps if staircase else step / steps))


def inverse_time(step, rate, steps, factor, staircase=False):
    return rate / (1 + factor * (step // steps if staircase else step / steps))


def polynomial(step, rate, steps, end=0.0001, power=1.0, cycle=False):
    if cycle:
        steps *= max(1, -(-step // steps))
    return (rate - end) * (1 - min(step, steps) / steps) ** power + end


def cosine(step, rate, steps, alpha=0.0):
    wave = (1 + math.cos(math.pi * min(step, steps) / steps)) / 2
    return rate * ((1 - alpha) * wave + alpha)


def restarting(step, rate, steps, t_mul=2.0, m_mul=1.0, alpha=0.0):
    """Period after period is taken off the step, where TensorFlow has a logarithm."""
    height = 1.0
    while step >= steps:
        step, steps, height = step - steps, steps * t_mul, height * m_mul
    wave = height * (1 + math.cos(math.pi * step / steps)) / 2
    return rate * ((1 - alpha) * wave + alpha)


def linear_cosine(step, rate, steps, periods=0.5, alpha=0.0, beta=0.001):
    passed = min(step, steps) / steps
    wave = (1 + math.cos(2 * math.pi * periods * passed)) / 2
    return rate * ((alpha + 1 - passed) * wave + beta)


def at(step: int, schedule: Callable, rate: float, *arguments: Any, **options: Any) -> Any:
    """What `schedule` gives when the global step is `step`."""
    clock = tf.Variable(step, dtype=tf.int64, trainable=False)
    return initialized_session().run(schedule(rate, clock, *arguments, **options))


def compare(value: Any, expected: float, rate: float) -> None:
    """A float32 scalar, near the exact one as float32 numbers of this size are."""
    assert value.dtype == np.float32 and value.shape == ()
    with np.errstate(over="ignore"):
        np.testing.assert_allclose(value, np.float32(expected), rtol=2e-4, atol=1e-6 * rate)


@examples(150)
@given(
    st.sampled_from(
        [
            (tf.train.exponential_decay, exponential),
            (tf.train.natural_exp_decay, natural),
            (tf.train.inverse_time_decay, inverse_time),
        ]
    ),
    STEPS,
    RATES,
    DECAY_STEPS,
    FACTORS,
    st.booleans(),
)
@in_new_graph
def test_a_rate_that_may_have_stairs_is_its_formula(schedule, step, rate, steps, factor, staircase):
    built, formula = schedule
    value = at(step, built, rate, steps, factor, staircase=staircase)
    with np.errstate(over="ignore"):
        compare(value, np.float64(formula(step, rate, steps, factor, staircase)), rate)


@examples(150)
@given(STEPS, RATES, DECAY_STEPS, PARTS, st.sampled_from([0.5, 1.0, 2.0, 3.0]), st.booleans())
@in_new_graph
def test_a_polynomial_is_its_formula(step, rate, steps, end, power, cycle):
    value = at(step, tf.train.polynomial_decay, rate, steps, end, power, cycle)
    # A root is steep where nothing is left: there, the last digits of the fraction are all.
    tolerance = max(rate, end) * (1e3 if power < 1 else 1)
    compare(value, polynomial(step, rate, steps, end, power, cycle), tolerance)


@examples(100)
@given(STEPS, RATES, DECAY_STEPS, PARTS)
@in_new_graph
def test_a_cosine_is_its_formula(step, rate, steps, alpha):
    value = at(step, tf.train.cosine_decay, rate, steps, alpha)
    compare(value, cosine(step, rate, steps, alpha), rate)


@examples(150)
@given(STEPS, RATES, DECAY_STEPS, st.sampled_from([1.0, 1.5, 2.0, 3.0]), st.sampled_from([0.5, 1.0]), PARTS)
@in_new_graph
def test_restarts_are_their_formula(step, rate, steps, t_mul, m_mul, alpha):
    end, length = steps, steps
    while end < step:
        length *= t_mul
        end += length
    assume(end - step > 0.01 * length)  # where periods meet, a rounded logarithm decides
    value = at(step, tf.train.cosine_decay_restarts, rate, steps, t_mul, m_mul, alpha)
    compare(value, restarting(step, rate, steps, t_mul, m_mul, alpha), 100 * rate)


@examples(100)
@given(STEPS, RATES, DECAY_STEPS, st.sampled_from([0.5, 1.0, 2.5]), PARTS, PARTS)
@in_new_graph
def test_a_linear_cosine_is_its_formula(step, rate, steps, periods, alpha, beta):
    value = at(step, tf.train.linear_cosine_decay, rate, steps, periods, alpha, beta)
    compare(value, linear_cosine(step, rate, steps, periods, alpha, beta), 10 * rate)


@examples(100)
@given(st.lists(st.integers(0, 50), min_size=1, max_size=6), st.sampled_from(["int32", "int64"]))
@in_new_graph
def test_piecewise_constant_has_the_value_of_its_interval(boundaries, dtype):
    boundaries = sorted(boundaries)
    values = [1.0 / (i + 1) for i in range(len(boundaries) + 1)]
    step = tf.placeholder(dtype, [])
    rate = tf.train.piecewise_constant(step, boundaries, values)
    session = tf.Session()
    for now in range(52):
        passed = sum(now > boundary for boundary in boundaries)  # at a boundary: not yet
        assert session.run(rate, {step: now}) == np.float32(values[passed])


@examples(60)
@given(st.lists(st.integers(0, 12), min_size=2, max_size=4), st.integers(0, 13), st.booleans())
@in_new_graph
def test_boundaries_that_do_not_increase_fail_where_two_values_hold(boundaries, now, fed):
    step = tf.placeholder(tf.int64, [])
    given_ = [tf.placeholder(tf.int64, []) for _ in boundaries]
    feeds = dict(zip(given_, boundaries, strict=True)) if fed else {}
    values = [float(i) for i in range(len(boundaries) + 1)]
    rate = tf.train.piecewise_constant(step, given_ if fed else boundaries, values)
    ends = zip(boundaries, boundaries[1:], strict=False)
    true = [now <= boundaries[0], now > boundaries[-1], *(a < now <= b for a, b in ends)]
    if sum(true) > 1:
        with pytest.raises(tf.errors.InvalidArgumentError, match="more than 1 conditions"):
            tf.Session().run(rate, {step: now, **feeds})
    else:
        position = [0, len(boundaries), *range(1, len(boundaries))][true.index(True)]
        assert tf.Session().run(rate, {step: now, **feeds}) == position


@examples(40)
@given(st.integers(1, 20), st.integers(1, 60))
@in_new_graph
def test_with_a_staircase_the_rate_changes_only_every_decay_steps(steps, count):
    step = tf.placeholder(tf.int64, [])
    made = decay(1.0, step, steps, 0.5, staircase=True)
    session = tf.Session()
    rates = [session.run(made, {step: i}) for i in range(count)]
    for i, rate in enumerate(rates[1:], 1):
        assert (rate != rates[i - 1]) == (i % steps == 0)


def test_the_rate_moves_only_if_the_step_does():
    step = tf.train.create_global_step()
    made = decay(1.0, step, 1, 0.5)
    session = initialized_session()
    assert [session.run(made) for _ in range(3)] == [1.0, 1.0, 1.0]
    session.run(tf.assign_add(step, 2))
    assert session.run(made) == 0.25


def test_the_rate_has_the_dtype_of_the_first_rate():
    step = tf.train.create_global_step()
    made = decay(tf.constant(1.0, tf.float64), step, 2, 0.5)
    assert_same(initialized_session().run(made), np.float64(1.0))


def test_all_arguments_may_be_tensors():
    arguments = [tf.placeholder(tf.float32, []) for _ in range(4)]
    made = decay(*arguments)
    assert tf.Session().run(made, dict(zip(arguments, [2.0, 3.0, 3.0, 0.5], strict=True))) == 1.0


def test_it_is_named_as_asked():
    step = tf.train.create_global_step()
    assert decay(0.1, step, 10, 0.5).op.name == "ExponentialDecay"
    assert decay(0.1, step, 10, 0.5, name="rate").op.name == "rate"


SIGNATURES = {
    "exponential_decay": "learning_rate, global_step, decay_steps, decay_rate, staircase=False",
    "natural_exp_decay": "learning_rate, global_step, decay_steps, decay_rate, staircase=False",
    "inverse_time_decay": "learning_rate, global_step, decay_steps, decay_rate, staircase=False",
    "polynomial_decay": "learning_rate, global_step, decay_steps, end_learning_rate=0.0001, power=1.0, cycle=False",
    "piecewise_constant": "x, boundaries, values",
    "piecewise_constant_decay": "x, boundaries, values",
    "cosine_decay": "learning_rate, global_step, decay_steps, alpha=0.0",
    "cosine_decay_restarts": "learning_rate, global_step, first_decay_steps, t_mul=2.0, m_mul=1.0, alpha=0.0",
    "linear_cosine_decay": "learning_rate, global_step, decay_steps, num_periods=0.5, alpha=0.0, beta=0.001",
    "noisy_linear_cosine_decay": "learning_rate, global_step, decay_steps, initial_variance=1.0, variance_decay=0.55, "
    "num_periods=0.5, alpha=0.0, beta=0.001",
}


@pytest.mark.parametrize("name", SIGNATURES)
def test_the_signatures_are_tensorflows(name):
    signature = inspect.signature(getattr(tf.train, name))
    parameters = [p.replace(annotation=inspect.Parameter.empty) for p in signature.parameters.values()]
    assert str(inspect.Signature(parameters)) == f"({SIGNATURES[name]}, name=None)"


def test_noise_has_the_variance_that_it_should_have():
    tf.set_random_seed(1)
    step = tf.placeholder(tf.int64, [])
    plain = tf.train.linear_cosine_decay(1.0, step, 10)
    noisy = tf.train.noisy_linear_cosine_decay(1.0, step, 10, initial_variance=4.0, variance_decay=2.0)
    session = tf.Session()
    for now in (0, 3):
        expected = session.run(plain, {step: now})
        noise = [session.run(noisy, {step: now}) - expected for _ in range(3000)]
        wave = (1 + math.cos(math.pi * now / 10)) / 2
        assert abs(np.mean(noise)) < 0.1
        assert np.std(noise) == pytest.approx(2.0 / (1 + now) * wave, rel=0.05)


train = tf.train
PROGRAMS = [
    (
        lambda step: train.exponential_decay(0.1, step, 10, 0.5, staircase=True, name="rate"),
        ["rate = 0.1 * 0.5 ** floor(float32(step) / 10.0)"],
    ),
    (
        lambda step: train.natural_exp_decay(0.1, step, 10, 0.5, name="rate"),
        ["rate = 0.1 * 0.60653067 ** (float32(step) / 10.0)"],
    ),
    (
        lambda step: train.inverse_time_decay(0.1, step, 10, 0.5, name="rate"),
        ["rate = 0.1 / (1.0 + 0.5 * (float32(step) / 10.0))"],
    ),
    (
        lambda step: train.polynomial_decay(0.1, step, 10, 0.01, power=2.0, name="rate"),
        ["rate = 0.09 * (1.0 - minimum(float32(step), 10.0) / 10.0) ** 2.0 + 0.01"],
    ),
    (
        lambda step: train.piecewise_constant(step, [5, 10], [0.3, 0.2, 0.1], name="rate"),
        ["rate = where(step > 10, float32(0.1), where(step > 5, float32(0.2), float32(0.3)))"],
    ),
    (
        lambda step: train.cosine_decay(0.1, step, 10, name="rate"),
        ["decayed = 0.5 * (1.0 + cos(3.1415927 * (minimum(float32(step), 10.0) / 10.0)))", "rate = 0.1 * decayed"],
    ),
    (
        lambda step: train.cosine_decay_restarts(0.1, step, 10, t_mul=1.0, m_mul=0.5, name="rate"),
        [
            "passed = float32(step) / 10.0",
            "Floor = floor(passed)",
            "decayed = 0.5 * 0.5 ** Floor * (1.0 + cos(3.1415927 * (passed - Floor)))",
            "rate = 0.1 * decayed",
        ],
    ),
]


@pytest.mark.parametrize("build, lines", PROGRAMS)
def test_a_program_reads_as_a_person_would_write_it(build, lines):
    rate = build(tf.placeholder(tf.int64, [], name="step"))
    shown = [line.strip() for line in str(tf.program(rate)).splitlines()]
    assert shown == ["def program(state, step):", *lines, "return rate"]


def test_programs_call_what_a_schedule_was_given_by_its_own_name():
    step = tf.placeholder(tf.float32, [], name="clock")
    high, low = (tf.placeholder(tf.float32, [], name="high"), tf.placeholder(tf.float32, [], name="low"))
    for rate in (
        tf.train.piecewise_constant(step, [5.0], [high, low]),
        tf.train.polynomial_decay(high, step, 5, low, cycle=True),
        tf.train.cosine_decay_restarts(high, step, 5.0, alpha=low),
    ):
        [head, *_] = str(tf.program(rate)).splitlines()
        assert {"clock", "high", "low"} <= set(head.removesuffix("):").partition("(")[2].split(", "))
