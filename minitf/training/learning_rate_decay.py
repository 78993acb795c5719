"""A decay schedule is a learning rate computed from the global step: it moves only with the step.

Apart from flags and `name`, all arguments may be numbers or tensors, and the step may be a
variable. Numbers are converted to the dtype of `learning_rate`.

    step = tf.train.get_or_create_global_step()
    rate = tf.train.exponential_decay(0.1, step, decay_steps=10, decay_rate=0.5)
    optimizer = tf.train.GradientDescentOptimizer(rate)

All functions but `piecewise_constant` return a scalar of the dtype of `learning_rate`. All raise
ValueError if the step is None. `decay_steps` must be positive; otherwise the rate may become NaN or
infinite.

Mirrors tensorflow/python/keras/optimizer_v2/legacy_learning_rate_decay.py (once
tensorflow/python/training/learning_rate_decay.py).
"""

import math
from collections.abc import Iterator
from contextlib import contextmanager

from minitf.framework import dtypes, nest
from minitf.framework.common_shapes import check_rank
from minitf.framework.events import announced
from minitf.framework.graph import control_dependencies, get_default_graph, name_scope
from minitf.framework.op_def_library import (
    build_tensor,
    constant,
    constant_value,
    convert_to_tensor,
)
from minitf.framework.operation import Tensor
from minitf.ops.array_ops import identity
from minitf.ops.control_flow_ops import at_most_one
from minitf.ops.math_ops import (
    add,
    cast,
    ceil,
    cos,
    equal,
    exp,
    floor,
    greater,
    log,
    logical_and,
    minimum,
    multiply,
    negative,
    pow,
    sqrt,
    truediv,
)
from minitf.ops.random_ops import random_normal


@contextmanager
def _schedule(name: str | None, default: str, learning_rate, *numbers) -> Iterator[list]:
    """Open a scope for a schedule; yield its name, the rate, and the numbers in the rate's dtype.

    Programs show the ops in the scope as one call.
    """
    if not isinstance(name or default, str):
        raise ValueError("name for name_scope must be a string.")
    with name_scope(name or default, values=[learning_rate, *numbers]) as scope:
        get_default_graph().shown_as[scope[:-1]] = scope[:-1]
        rate = convert_to_tensor(learning_rate, name="initial_learning_rate")
        yield [scope, rate, *(cast(n, rate.dtype.base_dtype) for n in numbers)]


def _tensor_list(numbers) -> list[Tensor]:
    """Return a number, or the numbers in a (nested) list, as a list of tensors."""
    return [convert_to_tensor(n) for n in nest.flatten(numbers)[0]]


def _called(word: str, scope: str, tensor: Tensor) -> Tensor:
    """Return `tensor`. If created in this scope, programs call it by the scope and `word`.

    If `word` is "", they call it by the scope alone, because it is the schedule's result.
    """
    if tensor.op.name.startswith(scope):
        tensor.graph.shown_as[tensor.op.name] = f"{scope}{word}".rstrip("/")
    return tensor


def _passed(step: Tensor, decay_steps: Tensor, staircase: bool) -> Tensor:
    """Return how many times `decay_steps` have passed; with `staircase`, rounded down.

    (TensorFlow's graph optimizer multiplies by 1 / decay_steps instead, which is rounded. With 41,
    47 or 55 decay_steps, its stairs are one step late.)
    """
    passed = step / decay_steps
    return floor(passed) if staircase else passed


def _cosine(scope: str, fraction: Tensor, half=0.5) -> Tensor:
    """Return a tensor that falls from 2 * `half` to 0, in a wave, while `fraction` rises to 1."""
    wave = _called("wave", scope, cos(constant(math.pi) * fraction))
    wave = _called("wave", scope, 1.0 + wave)
    return _called("decayed", scope, half * wave)


def _above(decayed: Tensor, low, alpha) -> Tensor:
    """Return a tensor that falls from 1 to `low` while `decayed` falls from 1 to 0.

    `alpha` is what the caller gave for `low`, which may be a tensor made from it. If it is simply
    the number 0, as by default, nothing is added.
    """
    raised = (1 - low) * decayed
    return raised if isinstance(alpha, int | float) and alpha == 0 else raised + low


@announced
def exponential_decay(
    learning_rate, global_step, decay_steps, decay_rate, staircase=False, name=None
) -> Tensor:
    """Return `learning_rate * decay_rate ** (step / decay_steps)`.

    Every `decay_steps` steps, the rate is multiplied by `decay_rate`: it falls if that is below 1
    and grows if it is above. With `staircase`, the fraction is rounded down, so the rate stays
    constant and then jumps.

        tf.train.exponential_decay(0.1, step, decay_steps=10, decay_rate=0.5)  # 0.05 at step 10
    """
    with _schedule(
        name, "ExponentialDecay", learning_rate, decay_steps, decay_rate, global_step
    ) as made:
        scope, rate, steps, factor, step = made
        return multiply(rate, pow(factor, _passed(step, steps, staircase)), name=scope)


@announced
def natural_exp_decay(
    learning_rate, global_step, decay_steps, decay_rate, staircase=False, name=None
) -> Tensor:
    """Return `learning_rate * exp(-decay_rate * step / decay_steps)`.

    This is `exponential_decay` with the decay rate `exp(-decay_rate)`, and its ops have the same
    names. It falls if `decay_rate` is positive. Raises TypeError if `decay_rate` isn't a float.

        tf.train.natural_exp_decay(0.1, step, decay_steps=10, decay_rate=0.5)  # 0.06065 at step 10
    """
    factor = exp(negative(decay_rate))
    return exponential_decay(learning_rate, global_step, decay_steps, factor, staircase, name)


@announced
def inverse_time_decay(
    learning_rate, global_step, decay_steps, decay_rate, staircase=False, name=None
) -> Tensor:
    """Return `learning_rate / (1 + decay_rate * step / decay_steps)`, which falls ever more slowly.

    With `staircase`, `step / decay_steps` is rounded down, so the rate falls in jumps.

        tf.train.inverse_time_decay(0.1, step, decay_steps=10, decay_rate=1.0)  # 0.05 at step 10
    """
    with _schedule(
        name, "InverseTimeDecay", learning_rate, decay_steps, decay_rate, global_step
    ) as made:
        scope, rate, steps, factor, step = made
        return truediv(rate, 1 + factor * _passed(step, steps, staircase), name=scope)


@announced
def polynomial_decay(
    learning_rate,
    global_step,
    decay_steps,
    end_learning_rate=0.0001,
    power=1.0,
    cycle=False,
    name=None,
) -> Tensor:
    """Return `(learning_rate - end) * (1 - step / decay_steps) ** power + end`, and then `end`.

    With `cycle`, the rate does not stay there: past `decay_steps`, the decay period is stretched to
    twice as many steps, past those to three times as many, and so on. (Then an int tensor for
    `decay_steps` raises TypeError, and so does a rate that is not float32.)

        tf.train.polynomial_decay(0.1, step, 10, end_learning_rate=0.02)  # 0.06 at step 5
    """
    with _schedule(
        name, "PolynomialDecay", learning_rate, end_learning_rate, power, global_step, decay_steps
    ) as made:
        scope, rate, end, power, step, steps = made
        if cycle:
            step = _called("step", scope, step)
            cycles = build_tensor("SelectV2", equal(step, 0), 1.0, ceil(step / decay_steps))
            steps = multiply(steps, _called("cycles", scope, cycles))
        else:
            step = minimum(step, steps)
        left = pow(1.0 - _called("passed", scope, step / steps), power)
        return add(multiply(rate - end, left), end, name=scope)


@announced
def piecewise_constant(x, boundaries, values, name=None) -> Tensor:
    """Return `values[0]` up to `x = boundaries[0]`, `values[1]` up to `boundaries[1]`, and so on.

    Exactly at a boundary, the old value still applies. The result has the dtype of `values`.

    Raises ValueError if the boundaries don't have the dtype of `x` (int32 is fine for int64), if
    the values have different dtypes, or unless there is one value more than there are boundaries.
    A run raises InvalidArgumentError if the boundaries don't increase and so several values apply.

        tf.train.piecewise_constant(step, boundaries=[20, 40], values=[0.4, 0.1, 0.01])
    """
    boundaries, values = _tensor_list(boundaries), _tensor_list(values)
    known = [constant_value(b) for b in boundaries]
    x = convert_to_tensor(x)
    wanted = x.dtype.base_dtype
    for i, boundary in enumerate(boundaries):
        dtype = boundary.dtype.base_dtype
        if dtype is dtypes.int32 and wanted is dtypes.int64:
            boundaries[i] = cast(boundary, wanted)
        elif dtype is not wanted:
            raise ValueError(f"Boundaries ({dtype}) must have the same dtype as x ({wanted}).")
    for value in values[1:]:
        first, other = values[0].dtype.base_dtype, value.dtype.base_dtype
        if other is not first:
            raise ValueError(
                f"Values must have elements all with the same dtype ({first} vs {other})."
            )
    if len(boundaries) != len(values) - 1:
        raise ValueError("The length of boundaries should be 1 less than the length of values")
    with _schedule(name, "PiecewiseConstant", x) as (scope, x):
        check_rank(x, 0)
        rate = values[0]
        if None in known or sorted(known) != known:
            in_one = [x <= boundaries[0], x > boundaries[-1]]
            for low, high in zip(boundaries, boundaries[1:], strict=False):
                in_one.append(logical_and(x > low, x <= high, name="and"))
            with control_dependencies([at_most_one(in_one)]):
                x = _called("step", scope, identity(x, name="case/Assert"))
        for i, boundary in enumerate(boundaries):
            later = greater(x, boundary)
            merge = f"case{'/cond' * (len(boundaries) - i)}/Merge"  # as TensorFlow's case names it
            rate = build_tensor("SelectV2", later, values[i + 1], rate, name=merge)
            rate = _called("earlier" if i + 1 < len(boundaries) else "", scope, rate)
        return rate


piecewise_constant_decay = piecewise_constant


@announced
def cosine_decay(learning_rate, global_step, decay_steps, alpha=0.0, name=None) -> Tensor:
    """Return `learning_rate * ((1 - alpha) * 0.5 * (1 + cos(pi * step / decay_steps)) + alpha)`.

    The rate falls as half a cosine wave, slowly at both ends, to `alpha * learning_rate`, and stays
    there from `decay_steps` on. Raises TypeError for a rate that is not float32.

        tf.train.cosine_decay(0.1, step, decay_steps=10)  # 0.05 at step 5, 0 from step 10 on
    """
    with _schedule(name, "CosineDecay", learning_rate, decay_steps, global_step) as made:
        scope, rate, steps, step = made
        decayed = _above(_cosine(scope, minimum(step, steps) / steps), alpha, alpha)
        return _called("", scope, multiply(rate, decayed))


@announced
def cosine_decay_restarts(
    learning_rate, global_step, first_decay_steps, t_mul=2.0, m_mul=1.0, alpha=0.0, name=None
) -> Tensor:
    """Return a `cosine_decay` that restarts whenever it ends.

    Each period is `t_mul` times as long as the one before, and starts `m_mul` times as high. Raises
    TypeError for a rate that is not float32.

        tf.train.cosine_decay_restarts(0.1, step, first_decay_steps=10)  # 0.1 at steps 0, 10, 30
    """
    with _schedule(
        name, "SGDRDecay", learning_rate, first_decay_steps, alpha, t_mul, m_mul, global_step
    ) as made:
        scope, rate, steps, low, t_mul, m_mul, step = made
        passed = _called("passed", scope, step / steps)
        same_length = equal(t_mul, 1.0)
        with name_scope("cond"):
            whole = floor(passed)
            part = passed - whole
            restarts = floor(log(1.0 - passed * (1.0 - t_mul)) / log(t_mul))
            longer = _called("longer", scope, t_mul**restarts)
            part_of_longer = (passed - (1.0 - longer) / (1.0 - t_mul)) / longer
            restarts = build_tensor("SelectV2", same_length, whole, restarts, name="Merge")
            fraction = build_tensor("SelectV2", same_length, part, part_of_longer, name="Merge")
            fraction = _called("fraction", scope, fraction)
        decayed = _above(_cosine(scope, fraction, 0.5 * m_mul**restarts), low, alpha)
        return multiply(rate, decayed, name=scope)


@announced
def linear_cosine_decay(
    learning_rate, global_step, decay_steps, num_periods=0.5, alpha=0.0, beta=0.001, name=None
) -> Tensor:
    """Return `learning_rate * ((alpha + left) * (1 + cos(2 * pi * periods * passed)) / 2 + beta)`.

    Here `passed` is `step / decay_steps`, at most 1; `left` is `1 - passed`, so the waves get
    lower; `periods` is `num_periods`. Raises TypeError for a rate that is not float32.

        tf.train.linear_cosine_decay(0.1, step, decay_steps=10)  # 0.0251 at step 5, 0.0001 at 10
    """
    with _schedule(
        name, "LinearCosineDecay", learning_rate, decay_steps, num_periods, alpha, beta, global_step
    ) as made:
        scope, rate, steps, periods, low, beta, step = made
        step = _called("step", scope, minimum(step, steps))
        left, passed = (steps - step) / steps, step / steps
        wave = _cosine(scope, 2.0 * periods * passed)
        decayed = _called("decayed", scope, (low + left) * wave)
        return multiply(rate, decayed + beta, name=scope)


@announced
def noisy_linear_cosine_decay(
    learning_rate,
    global_step,
    decay_steps,
    initial_variance=1.0,
    variance_decay=0.55,
    num_periods=0.5,
    alpha=0.0,
    beta=0.001,
    name=None,
) -> Tensor:
    """Return `linear_cosine_decay` with noise: each run adds a new random number to `left`.

    Its mean is 0, and its variance is `initial_variance / (1 + step) ** variance_decay`.
    """
    numbers = decay_steps, initial_variance, variance_decay, alpha, global_step
    with _schedule(name, "NoisyLinearCosineDecay", learning_rate, *numbers) as made:
        scope, rate, steps, variance, fading, low, step = made
        deviation = sqrt(variance / (1.0 + minimum(step, steps)) ** fading)
        noise = random_normal(step.shape, stddev=deviation)
        return linear_cosine_decay(rate, step, steps, num_periods, low + noise, beta, scope)


# Every schedule, so that a listener can tell their calls from others.
SCHEDULES = (
    exponential_decay,
    natural_exp_decay,
    inverse_time_decay,
    polynomial_decay,
    piecewise_constant,
    cosine_decay,
    cosine_decay_restarts,
    linear_cosine_decay,
    noisy_linear_cosine_decay,
)
