"""Gradients are right: every op's against differences, and the rules of the walk back."""

from __future__ import annotations

from collections.abc import Callable
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
from tests.support import assert_same, examples, initialized_session

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


@pytest.mark.parametrize("op_type", DIFFERENTIABLE)
def test_an_op_with_a_gradient_has_samples_to_check_it_with(op_type):
    assert OPS[op_type].gradient is not None, "say not_differentiable where there is no gradient"
    assert op_type in SAMPLES, "tests/ops/samples.py has no inputs on which to check its gradient"


def test_there_are_no_samples_of_ops_that_do_not_exist():
    assert SAMPLES.keys() <= set(DIFFERENTIABLE)


def _dense(gradient: Any) -> Any:
    return tf.convert_to_tensor(gradient) if isinstance(gradient, tf.IndexedSlices) else gradient


class Checked:
    """A sample as a graph: x |-> sum(weights * op(x)), its gradient, and the gradient of that."""

    def __init__(self, sample: Sample, static: bool, seed: int):
        self.sample = sample
        self.session = tf.Session()
        self.inputs = [self._input(i, value, static) for i, value in enumerate(sample.inputs)]
        self.xs = [self.inputs[i] for i in sample.variable]
        self.point = [sample.inputs[i] for i in sample.variable]
        y = sample.build(self.inputs)
        assert y.op.type == sample.op_type
        random = np.random.default_rng(seed)
        weights = random.uniform(0.5, 1.5, self.value(y, self.point).shape)
        self.f = tf.reduce_sum(y * tf.constant(weights))
        self.gradients = [_dense(g) for g in tf.gradients(self.f, self.xs)]
        self.along = [tf.constant(random.uniform(0.5, 1.5, p.shape)) for p in self.point]

    def _input(self, i: int, value: np.ndarray, static: bool) -> Tensor:
        if i in self.sample.fixed:
            return tf.constant(value)
        return tf.placeholder(tf.float64, value.shape if static else None)

    def value(self, tensor: Tensor, point: list[np.ndarray]) -> np.ndarray:
        return self.session.run(tensor, dict(zip(self.xs, point, strict=True)))

    def second(self) -> tuple[Tensor, list[Tensor | None]]:
        """The gradient's component in a direction, and the gradient of that."""
        parts = [tf.reduce_sum(g * v) for g, v in zip(self.gradients, self.along, strict=True)]
        directional = tf.add_n(parts)
        return directional, [_dense(g) for g in tf.gradients(directional, self.xs)]


def differences(f: Callable[[list[np.ndarray]], float], point: list[np.ndarray]) -> list[np.ndarray]:
    """Central finite differences of `f` in every element of every array."""
    step = 1e-6
    found = []
    for i, value in enumerate(point):
        slope = np.zeros(value.shape)
        for place in np.ndindex(value.shape):
            sides = []
            for sign in (1, -1):
                moved = [np.array(p) for p in point]
                moved[i][place] += sign * step
                sides.append(f(moved))
            slope[place] = (sides[0] - sides[1]) / (2 * step)
        found.append(slope)
    return found


def compare(checked: Checked, f: Tensor, gradients: list[Tensor | None]) -> None:
    numeric = differences(lambda p: checked.value(f, p), checked.point)
    for gradient, slope in zip(gradients, numeric, strict=True):
        if gradient is None:
            np.testing.assert_allclose(slope, 0, atol=1e-5)
        else:
            found = checked.value(gradient, checked.point)
            assert found.shape == slope.shape
            np.testing.assert_allclose(found, slope, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("op_type", SAMPLES)
def test_the_gradient_is_the_slope(op_type):
    @examples(12)
    @given(SAMPLES[op_type], st.booleans(), st.integers(0, 9))
    def check(sample, static, seed):
        with tf.Graph().as_default():
            checked = Checked(sample, static, seed)
            compare(checked, checked.f, checked.gradients)

    check()


@pytest.mark.parametrize("op_type", SMOOTH)
def test_the_gradient_of_the_gradient_is_the_slope_of_the_gradient(op_type):
    @examples(6)
    @given(SAMPLES[op_type], st.booleans(), st.integers(0, 9))
    def check(sample, static, seed):
        with tf.Graph().as_default():
            checked = Checked(sample, static, seed)
            if all(g is not None for g in checked.gradients):
                compare(checked, *checked.second())

    check()


@pytest.mark.parametrize("op_type", ["Floor", "Ceil", "Shape", "Size", "Rank", "StopGradient", "FloorDiv"])
def test_no_gradient_flows_through_what_is_not_differentiable(op_type):
    x = tf.placeholder(tf.float32, [3])
    op = tf.Graph.create_op(tf.get_default_graph(), op_type, (x,) * len(OPS[op_type].inputs))
    y = tf.cast(op.outputs[0], tf.float32)
    assert tf.gradients(y, x) == [None]


def test_a_gradient_of_the_result_by_itself_is_ones():
    x = tf.placeholder(tf.float32, [None, 2])
    (g,) = tf.gradients(x, x)
    assert_same(tf.Session().run(g, {x: np.zeros((3, 2))}), np.ones((3, 2), np.float32))


def test_every_path_adds_to_the_gradient():
    x = tf.constant(3.0)
    y = x * x + x
    assert tf.Session().run(tf.gradients(y, x)) == [7.0]


def test_several_ys_are_summed_and_weighted_by_grad_ys():
    x = tf.constant([1.0, 2.0])
    (g,) = tf.gradients([x * 2.0, x * 3.0], x, grad_ys=[tf.constant([1.0, 10.0]), None])
    assert_same(tf.Session().run(g), np.array([5, 23], np.float32))


def test_an_x_that_nothing_depends_on_has_no_gradient():
    x, z = tf.constant(1.0), tf.constant([1.0, 2.0])
    assert tf.gradients(x * 2.0, z) == [None]
    (g,) = tf.gradients(x * 2.0, z, unconnected_gradients="zero")
    assert_same(tf.Session().run(g), np.zeros(2, np.float32))


def test_stop_gradients_counts_as_constant():
    a = tf.constant(2.0)
    b = a * 2.0
    y = a + b
    session = tf.Session()
    assert session.run(tf.gradients(y, [a, b])) == [3.0, 1.0]
    assert session.run(tf.gradients(y, [a, b], stop_gradients=[a, b])) == [1.0, 1.0]


def test_a_gradient_by_an_intermediate_result_stops_there():
    x = tf.constant(2.0)
    y = x * 3.0
    assert tf.Session().run(tf.gradients(y * y, [y, x])) == [12.0, 36.0]


def test_the_gradient_by_a_variable_sees_its_current_value():
    w = tf.Variable(2.0)
    (g,) = tf.gradients(w * w, w)
    session = initialized_session()
    assert session.run(g) == 4.0
    session.run(tf.assign(w, 5.0))
    assert session.run(g) == 10.0


def test_integers_have_no_gradient():
    i = tf.constant(3)
    assert tf.gradients(i * 2, i) == [None]


def test_grad_ys_must_be_as_many_as_ys():
    x = tf.constant(1.0)
    with pytest.raises(ValueError):
        tf.gradients([x, x], x, grad_ys=[None])


def test_a_fed_value_decides_the_gradient_that_flows_back_from_it():
    x = tf.constant(2.0)
    y = tf.exp(x)
    (g,) = tf.gradients(y, x)
    assert tf.Session().run(g, {y: 7.0}) == 7.0
