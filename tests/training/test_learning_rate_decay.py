"""Each decay schedule is its formula, at whatever step, and its program reads as a person would write it."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import minitf as tf
from minitf.training import learning_rate_decay
from tests.support import examples

FORMULAS = {}
LENGTHS = st.integers(1, 100)
FACTORS = st.floats(0.125, 3, width=32)
PARTS = st.floats(0, 1, width=32, allow_subnormal=False)


def formula(*arguments):
    """Compare a formula with the schedule of its name; `arguments` is what the others are drawn from."""

    def register(function):
        FORMULAS[function.__name__] = function, st.tuples(*arguments)
        return function

    return register


def passed(step, steps, staircase):
    return step // steps if staircase else step / steps


def wave(part):
    """A half wave that falls from 1 to 0."""
    return (1 + math.cos(math.pi * part)) / 2


@formula(LENGTHS, FACTORS, st.booleans())
def exponential_decay(step, rate, steps, factor, staircase):
    return rate * np.float64(factor) ** passed(step, steps, staircase)


@formula(LENGTHS, FACTORS, st.booleans())
def natural_exp_decay(step, rate, steps, factor, staircase):
    return rate * math.exp(-factor * passed(step, steps, staircase))


@formula(LENGTHS, FACTORS, st.booleans())
def inverse_time_decay(step, rate, steps, factor, staircase):
    return rate / (1 + factor * passed(step, steps, staircase))


@formula(LENGTHS, PARTS, st.sampled_from([1.0, 2.0, 3.0]), st.booleans())
def polynomial_decay(step, rate, steps, end, power, cycle):
    if cycle:
        steps *= max(1, -(-step // steps))
    return (rate - end) * (1 - min(step / steps, 1)) ** power + end


@formula(LENGTHS, PARTS)
def cosine_decay(step, rate, steps, alpha):
    return rate * ((1 - alpha) * wave(min(step / steps, 1)) + alpha)


@formula(LENGTHS, st.sampled_from([1.0, 1.5, 2.0, 3.0]), st.sampled_from([0.5, 1.0]), PARTS)
def cosine_decay_restarts(step, rate, steps, t_mul, m_mul, alpha):
    """Period after period is taken off the step, where TensorFlow has a logarithm."""
    height, left = 1.0, step
    while left >= steps:
        left, steps, height = left - steps, steps * t_mul, height * m_mul
    # Where periods meet, a rounded logarithm decides.
    assume(left > 0 or step == 0)
    assume(left < 0.99 * steps)
    return rate * ((1 - alpha) * height * wave(left / steps) + alpha)


@formula(LENGTHS, st.sampled_from([0.5, 1.0, 2.5]), PARTS, PARTS)
def linear_cosine_decay(step, rate, steps, periods, alpha, beta):
    part = min(step / steps, 1)
    return rate * ((alpha + 1 - part) * wave(2 * periods * part) + beta)


@pytest.mark.parametrize("name", FORMULAS)
@examples(100)
@given(step=st.integers(0, 500), rate=st.floats(2**-10, 10, width=32), data=st.data())
def test_a_schedule_is_its_formula(name, step, rate, data):
    function, strategy = FORMULAS[name]
    arguments = data.draw(strategy)
    with np.errstate(over="ignore"):
        expected = np.float32(function(step, rate, *arguments))
    with tf.Graph().as_default(), tf.Session() as sess:
        counter = tf.placeholder(tf.int64, [])
        value = sess.run(getattr(tf.train, name)(rate, counter, *arguments), {counter: step})
    assert value.dtype == np.float32 and value.shape == ()
    np.testing.assert_allclose(value, expected, rtol=2e-4, atol=1e-5 * max(rate, 1))


@examples(50)
@given(st.lists(st.integers(0, 12), min_size=1, max_size=4), st.sampled_from(["int32", "int64"]))
def test_piecewise_constant_has_the_value_of_its_interval(boundaries, dtype):
    boundaries.sort()
    values = [1.0 / (i + 1) for i in range(len(boundaries) + 1)]
    with tf.Graph().as_default(), tf.Session() as sess:
        step = tf.placeholder(dtype, [])
        rate = tf.train.piecewise_constant(step, boundaries, values)
        for now in range(14):
            passed = sum(now > boundary for boundary in boundaries)  # at a boundary: not yet
            assert sess.run(rate, {step: now}) == np.float32(values[passed])


def test_noise_has_the_variance_that_it_should_have():
    tf.set_random_seed(1)
    step = tf.placeholder(tf.int64, [])
    plain = tf.train.linear_cosine_decay(1.0, step, 10)
    noisy = tf.train.noisy_linear_cosine_decay(1.0, step, 10, initial_variance=4.0, variance_decay=2.0)
    difference = noisy - plain
    with tf.Session() as sess:
        for now in (0, 3):
            noise = [sess.run(difference, {step: now}) for _ in range(3000)]
            assert abs(np.mean(noise)) < 0.1
            assert np.std(noise) == pytest.approx(2.0 / (1 + now) * wave(now / 10), rel=0.05)


PROGRAMS = {
    "exponential_decay(0.1, step, 10, 0.5, True, 'rate')": "rate = 0.1 * 0.5 ** floor(float32(step) / 10.0)",
    "natural_exp_decay(0.1, step, 10, 0.5, name='rate')": "rate = 0.1 * 0.60653067 ** (float32(step) / 10.0)",
    "inverse_time_decay(0.1, step, 10, 0.5, name='rate')": "rate = 0.1 / (1.0 + 0.5 * (float32(step) / 10.0))",
    "polynomial_decay(0.1, step, 10, 0.01, 2.0, name='rate')": """
    rate = 0.09 * (1.0 - minimum(float32(step), 10.0) / 10.0) ** 2.0 + 0.01""",
    "piecewise_constant(step, [5, 10], [0.3, 0.2, 0.1], 'rate')": """
    rate = where(step > 10, float32(0.1), where(step > 5, float32(0.2), float32(0.3)))""",
    "cosine_decay(0.1, step, 10, name='rate')": """
    decayed = 0.5 * (1.0 + cos(3.1415927 * (minimum(float32(step), 10.0) / 10.0)))
    rate = 0.1 * decayed""",
    "cosine_decay_restarts(0.1, step, 10, t_mul=1.0, m_mul=0.5, name='rate')": """
    passed = float32(step) / 10.0
    Floor = floor(passed)
    decayed = 0.5 * 0.5 ** Floor * (1.0 + cos(3.1415927 * (passed - Floor)))
    rate = 0.1 * decayed""",
}


@pytest.mark.parametrize("call, lines", PROGRAMS.items())
def test_a_program_reads_as_a_person_would_write_it(call, lines):
    rate = eval(call, {**vars(tf.train), "step": tf.placeholder(tf.int64, [], name="step")})
    assert str(tf.program(rate)).strip() == f"def program(state, step):\n    {lines.strip()}\n    return rate"


CALLS = [
    "piecewise_constant(step, [5.0], [high, low])",
    "polynomial_decay(high, step, 5, low, cycle=True)",
    "cosine_decay_restarts(high, step, 5.0, alpha=low)",
]


@pytest.mark.parametrize("call", CALLS)
def test_a_program_calls_what_a_schedule_was_given_by_its_own_name(call):
    given = {name: tf.placeholder(tf.float32, [], name=name) for name in ("step", "high", "low")}
    program = tf.program(eval(call, {**vars(tf.train), **given}))
    parameters = str(program).partition("(")[2].partition(")")[0]
    assert given.keys() <= set(parameters.split(", "))


def test_the_tuple_of_schedules_has_every_public_function():
    module = vars(learning_rate_decay)
    public = {f for name, f in module.items() if name[0] != "_" and getattr(f, "__module__", "") == module["__name__"]}
    assert public == set(learning_rate_decay.SCHEDULES)
