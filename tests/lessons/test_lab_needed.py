"""The check of lesson 01 takes a right answer in any form, and survives odd ones."""

from __future__ import annotations

import pytest

import minitf as tf
from lab import check_needed

SCALED = ["mul", "mul/y", "add", "a/read", "a", "b"]
OTHER = ["sub", "sub/y", "b"]


@pytest.fixture
def built():
    """Build the exercise's graph: what is in it, and its two fetches."""
    with tf.Graph().as_default():
        a = tf.Variable(1.0, name="a")
        b = tf.placeholder(tf.float32, [], name="b")
        total = a + b
        yield a, b, total, total * 2, b - 1


@pytest.mark.parametrize("kind", [list, tuple, set, frozenset, sorted])
def test_the_order_does_not_matter(built, kind):
    *_, scaled, other = built
    verdict = check_needed(scaled, kind(SCALED), other, kind(OTHER * 2))
    assert verdict.right
    assert "Of 10 operations, `scaled` needs 6 and `other` 3." in verdict.message


def test_a_learner_may_give_the_things_themselves_or_let_python_find_them(built):
    a, b, total, scaled, other = built
    things = [a, b, total, scaled, "a/read", scaled.op.inputs[1].op]
    found, waiting = [], [other.op]
    while waiting:
        found.append(waiting.pop())
        waiting += [tensor.op for tensor in found[-1].inputs]
    assert check_needed(scaled, things, other, [op.name for op in found])


@pytest.mark.parametrize(
    "odd, words",
    [
        (None, "should be a list of names"),
        (6, "should be a list of names"),
        ("mul", "should be a list of names"),
        ({"mul": 1}, "should be a list of names"),
        ([None], "holds None, which is not a name"),
        ([["mul"]], "holds ['mul'], which is not a name"),
        ([1], "holds 1, which is not a name"),
        (["a/Read"], "has no operation `a/Read`"),
        ([""], "has no operation"),
        (["other"], "`print(other)` shows"),
        (["Placeholder"], "is the type of an operation"),
        (["b:0"], "is a tensor"),
    ],
)
def test_odd_lists_are_named(built, odd, words):
    *_, scaled, other = built
    for lists in ((odd, OTHER), (SCALED, odd)):
        verdict = check_needed(scaled, lists[0], other, lists[1])
        assert not verdict.right
        assert words in verdict.message
        assert f"`needed_by_{'scaled' if lists[0] is odd else 'other'}`" in verdict.message


def test_a_fetch_that_is_gone_is_named(built):
    *_, scaled, other = built
    for fetches in ((10.0, other), (scaled, None)):
        verdict = check_needed(fetches[0], SCALED, fetches[1], OTHER)
        assert not verdict.right
        assert "is not a tensor. Run the cell above again" in verdict.message


def test_the_ops_of_another_graph_are_told_by_their_names(built):
    *_, scaled, other = built
    with tf.Graph().as_default():
        foreign = tf.constant(1.0, name="foreign")
    assert "no operation `foreign`" in check_needed(scaled, [foreign], other, OTHER).message


def test_a_hint_leads_one_arrow_back(built):
    *_, scaled, other = built
    told = ["mul"]
    for _ in range(5):
        message = check_needed(scaled, told, other, OTHER).message
        before, after = message.rpartition("from ")[2].rstrip(".").split(" to ")
        assert after.strip("`") in told
        told.append(before.strip("`"))
    assert check_needed(scaled, told, other, OTHER)
