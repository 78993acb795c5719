"""Odd calls do the same in minitf as in TensorFlow, but for the classes of differences that fuzz.py justifies.

Not run by default: `pytest -m tensorflow tests/conformance`; `python -m tools.fuzz` tries other seeds.
"""

import importlib.util

import numpy as np
import pytest

import minitf as tf
from tests.conformance.referee import import_tensorflow
from tools import fuzz, odd_calls


@pytest.mark.tensorflow
@pytest.mark.filterwarnings("ignore")
def test_odd_calls_do_the_same_in_both():
    if importlib.util.find_spec("tensorflow") is None:
        pytest.skip("TensorFlow is not installed")
    found = fuzz.compared(tf, import_tensorflow(), seed=0, graphs=fuzz.GRAPHS)
    lines = [f"{words}\n{case}" for _, case, words, known in found if known is None]
    assert not lines, "\n\n".join(lines)


def test_a_seed_draws_the_same_cases_again():
    texts = [[repr(odd_calls.Drawing(f"5/{n}").case()) for n in range(50)] for _ in range(2)]
    assert texts[0] == texts[1]
    assert len(set(texts[0])) > 40


def test_a_case_is_built_and_run():
    x = odd_calls.Given(np.array([[1.0, 2.0]], "float32"), "placeholder", (None, 2))
    case = odd_calls.Case([odd_calls.Call("reduce_sum", [x, np.int64(1)], {"keepdims": True})], True)
    seen = fuzz.watch(tf, case)
    assert [v.tolist() for v in seen.values] == [[[3.0]], [[1.0, 1.0]]]
    assert seen.static == (("float32", "(?, 1)"), ("float32", "(?, 2)"))


def value(number):
    return fuzz.Seen(values=(number,))


def error(kind, words, stage=0):
    return fuzz.Seen(kind(words), stage)


@pytest.mark.parametrize(
    "one, other",
    [
        (value(np.float32(1)), value(np.float32(1 + 1e-7))),
        (error(ValueError, "no place for 3 rows"), error(ValueError, "for 3 rows")),
    ],
)
def test_what_is_the_same(one, other):
    assert fuzz.difference(odd_calls.Case([], False), one, other) == ""


@pytest.mark.parametrize(
    "one, other",
    [
        (value(np.float32(1)), value(np.float64(1))),
        (value(np.float32(1)), value(np.float32(1.1))),
        (fuzz.Seen(static=(("int32", "(2,)"),)), fuzz.Seen(static=(("int32", "(3,)"),))),
        (error(ValueError, "a"), error(ValueError, "b")),
        (error(ValueError, "a"), error(TypeError, "a")),
        (error(ValueError, "a"), error(ValueError, "a", stage=1)),
        (fuzz.Seen(), error(ValueError, "a")),
    ],
)
def test_a_difference_is_found(one, other):
    assert fuzz.difference(odd_calls.Case([], False), one, other)
