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
    found = fuzz.differences(tf, import_tensorflow(), seed=0, graphs=fuzz.GRAPHS)
    lines = [f"{words}\n{odd_calls.program(case)}" for _, case, words, known in found if known is None]
    assert not lines, "\n\n".join(lines)


def test_a_seed_draws_the_same_cases_again():
    texts = [[odd_calls.program(odd_calls.Drawing(f"5/{n}").case()) for n in range(50)] for _ in range(2)]
    assert texts[0] == texts[1]
    assert len(set(texts[0])) > 40


def test_a_printed_program_does_what_the_case_does(capsys):
    x = odd_calls.Given(np.array([[1.0, 2.0]], "float32"), "placeholder", (None, 2))
    case = odd_calls.Case([odd_calls.Call("reduce_sum", [x, np.int64(1)], {"keepdims": True})], True)
    seen = fuzz.watch(tf, case)
    namespace: dict = {}
    exec(odd_calls.program(case), namespace)
    assert capsys.readouterr().out.split("\n")[1] == str(seen.values[0])
    assert [v.tolist() for v in seen.values] == [[[3.0]], [[1.0, 1.0]]]


@pytest.mark.parametrize(
    ("one", "other", "words"),
    [
        (fuzz.Seen(values=(np.float32(1),)), fuzz.Seen(values=(np.float32(1 + 1e-7),)), ""),
        (fuzz.Seen(values=(np.float32(1),)), fuzz.Seen(values=(np.float64(1),)), "value"),
        (fuzz.Seen(values=(np.float32(1),)), fuzz.Seen(values=(np.float32(1.1),)), "value"),
        (fuzz.Seen(static=(("int32", "(2,)"),)), fuzz.Seen(static=(("int32", "(3,)"),)), "static"),
        (fuzz.Seen(ValueError("no place for 3 rows")), fuzz.Seen(ValueError("for 3 rows")), ""),
        (fuzz.Seen(ValueError("a")), fuzz.Seen(ValueError("b")), "words"),
        (fuzz.Seen(ValueError("a")), fuzz.Seen(TypeError("a")), "instead of"),
        (fuzz.Seen(ValueError("a")), fuzz.Seen(ValueError("a"), 1), "instead of"),
        (fuzz.Seen(), fuzz.Seen(ValueError("a")), "instead of"),
    ],
)
def test_a_difference_is_found(one, other, words):
    found = fuzz.difference(odd_calls.Case([], False), one, other)
    assert words in found and bool(words) == bool(found)
