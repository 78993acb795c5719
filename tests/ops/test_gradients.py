"""Every op's gradient is its slope, and its shape is the one that its value has."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minitf as tf
from minitf.extras import load_all
from minitf.framework.operation import Tensor
from minitf.framework.registry import OPS, no_gradient, not_differentiable
from tests.ops.samples import NOT_SMOOTH, SAMPLES, Sample
from tests.support import examples, in_new_graph

# What leads into and out of conds and loops works only there (tests/extras/test_control_flow.py).
BETWEEN_BLOCKS = {"Switch", "Merge", "Enter", "NextIteration", "LoopCond", "Exit"}
# Their values are lists: tests/extras/test_functional.py checks the gradients of map_fn and scan.
OF_LISTS = {"TensorListPushBack", "TensorListPopBack", "TensorListFromTensor", "TensorListStack"}
load_all()
DIFFERENTIABLE = [
    name
    for name, op in OPS.items()
    if op.gradient not in (not_differentiable, no_gradient) and name not in BETWEEN_BLOCKS | OF_LISTS
]
SMOOTH = [name for name in SAMPLES if name not in NOT_SMOOTH]
STEP = 1e-6


@pytest.mark.parametrize("op_type", DIFFERENTIABLE)
def test_an_op_with_a_gradient_has_samples_to_check_it_with(op_type):
    assert OPS[op_type].gradient is not None, "say not_differentiable where there is no gradient"
    assert op_type in SAMPLES, "tests/ops/samples.py has no inputs on which to check its gradient"


def test_there_are_no_samples_of_ops_that_do_not_exist():
    assert SAMPLES.keys() <= set(DIFFERENTIABLE)


class Checked:
    """A sample as a graph: x |-> sum(weights * op(x)), and its gradient."""

    def __init__(self, sample: Sample, known: str, seed: int):
        self.session = tf.Session()
        self.random = np.random.default_rng(seed)
        self.point = [sample.inputs[i] for i in sample.variable]
        self.xs = [tf.placeholder(tf.float64, static_shape(value, known)) for value in self.point]
        inputs = [tf.constant(value) for value in sample.inputs]
        for i, x in zip(sample.variable, self.xs, strict=True):
            inputs[i] = x
        y = sample.build(inputs)
        value = self.value(y)
        assert y.op.type == sample.op_type
        assert y.shape.is_compatible_with(value.shape)
        self.f = tf.reduce_sum(y * self.weights(value))
        self.gradients = self.gradients_of(self.f)

    def weights(self, like: np.ndarray) -> np.ndarray:
        return self.random.uniform(0.5, 1.5, like.shape)

    def gradients_of(self, f: Tensor) -> list[Tensor]:
        gradients = tf.gradients(f, self.xs, unconnected_gradients="zero")
        return [tf.convert_to_tensor(gradient) for gradient in gradients]

    def value(self, tensor: Tensor, point: list[np.ndarray] | None = None) -> np.ndarray:
        return self.session.run(tensor, dict(zip(self.xs, point or self.point, strict=True)))

    def along_a_direction(self) -> Tensor:
        """The gradient's component in a random direction."""
        parts = [g * self.weights(x) for g, x in zip(self.gradients, self.point, strict=True)]
        return tf.add_n([tf.reduce_sum(part) for part in parts])

    def compare(self, f: Tensor, gradients: list[Tensor]) -> None:
        """Whether these gradients of `f` are its slopes."""
        slopes = slopes_of(lambda point: self.value(f, point), self.point)
        for gradient, slope in zip(gradients, slopes, strict=True):
            found = self.value(gradient)
            assert found.shape == slope.shape
            np.testing.assert_allclose(found, slope, rtol=1e-4, atol=1e-5)


def static_shape(value: np.ndarray, known: str) -> Any:
    """What the graph knows about the shape of this value."""
    return {"all": value.shape, "the rank": [None] * value.ndim, "nothing": None}[known]


def slopes_of(f: Callable[[list[np.ndarray]], float], point: list[np.ndarray]) -> Iterator[np.ndarray]:
    """Central finite differences of `f` in every element of every array."""
    for i, value in enumerate(point):
        slope = np.zeros(value.shape)
        for place in np.ndindex(value.shape):
            higher, lower = ([np.array(p) for p in point] for _ in range(2))
            higher[i][place] += STEP
            lower[i][place] -= STEP
            slope[place] = (f(higher) - f(lower)) / (2 * STEP)
        yield slope


KNOWN = st.sampled_from(["all", "the rank", "nothing"])


@pytest.mark.parametrize("op_type", SAMPLES)
@examples(12)
@given(st.data(), KNOWN, st.integers(0, 9))
@in_new_graph
def test_the_gradient_is_the_slope(op_type, data, known, seed):
    checked = Checked(data.draw(SAMPLES[op_type]), known, seed)
    checked.compare(checked.f, checked.gradients)


@pytest.mark.parametrize("op_type", SMOOTH)
@examples(6)
@given(st.data(), KNOWN, st.integers(0, 9))
@in_new_graph
def test_the_gradient_of_the_gradient_is_the_slope_of_the_gradient(op_type, data, known, seed):
    checked = Checked(data.draw(SAMPLES[op_type]), known, seed)
    component = checked.along_a_direction()
    checked.compare(component, checked.gradients_of(component))
