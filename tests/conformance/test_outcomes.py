"""The comparison itself: what counts as the same, and that nothing else does."""

import collections

import numpy as np
import pytest

from tests.conformance.notation import from_text, to_text
from tests.conformance.outcomes import Raised, core, differences, encode, raises, shorten

Point = collections.namedtuple("Point", ["x", "y"])


def agree(one, other):
    recorded = from_text(to_text(shorten(encode(one))))
    return not differences(recorded, encode(other))


OUTCOMES = [
    None,
    True,
    1,
    1.5,
    "text",
    b"text",
    float("inf"),
    [1, [2]],
    (1, 2),
    {"a": None},
    Point(1, "y"),
    np.float32(0.1),
    np.array(0.1, np.float32),
    np.array([[1.0, np.nan], [np.inf, -np.inf]], np.float32),
    np.arange(3),
    np.array([True, False]),
    np.array([b"a", b"b"], object),
    np.zeros([0, 2]),
    Raised(ValueError("words")),
]


@pytest.mark.parametrize("outcome", OUTCOMES, ids=repr)
def test_an_outcome_agrees_with_itself_and_with_no_other(outcome):
    assert [agree(outcome, other) for other in OUTCOMES] == [o is outcome for o in OUTCOMES]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (np.float32(1), np.float32(1.000005), True),
        (np.float32(1), np.float32(1.00002), False),
        (np.float64(1), np.float64(1 + 1e-9), False),
        (np.float32(1), np.float64(1), False),
        (np.float32([1, 2]), np.float32([1]), False),
        (np.int32(1), np.int64(1), False),
        (1, True, False),
        (1, 1.0, False),
        ([1, 2], [1], False),
        ({"a": 1}, {"a": 2}, False),
        ({"a": 1}, {"b": 1}, False),
        ("Add:0", "add:0", False),
    ],
)
def test_near_misses(one, other, same):
    assert agree(one, other) is same


class Special(ValueError):
    """An error that `except ValueError` catches."""


def test_errors_agree_in_type_base_and_core():
    tensorflow = Raised(ValueError("Wrong shape.\n\t [[{{node x}}]]"))
    assert agree(tensorflow, Raised(ValueError("x: Wrong shape. (made in line 3)")))
    assert not agree(tensorflow, Raised(ValueError("Wrong rank.")))
    assert not agree(tensorflow, Raised(TypeError("Wrong shape.")))
    assert not agree(tensorflow, Raised(Special("Wrong shape.")))
    assert not agree(tensorflow, "Wrong shape.")


def test_the_core_is_what_tensorflow_says_without_its_wrappers():
    wrapped = (
        "Graph execution error:\n\nDetected at node 'x' defined at (most recent call last):\n"
        "    File \"a.py\", line 1\nNode: 'x'\nYou must feed.\n\t [[{{node x}}]]"
    )
    fetched = "Graph execution error:\n\nNo value w\n\t [[{{node _retval_w_0_0}}]]"
    assert core(wrapped) == "You must feed."
    assert core(fetched) == "No value w"
    assert core("Not 3 for '{{node m}} = M[T=DT_FLOAT](a, b)' with input shapes: [2].") == [
        "Not 3 for",
        "m",
        "with input shapes: [2].",
    ]
    assert core("graphs <tensorflow.python.framework.ops.Graph object at 0x7f>.") == [
        "graphs <",
        "Graph",
        "object",
        ">.",
    ]


def test_pieces_must_come_in_their_order():
    recorded = {"$raises": "E", "base": "Exception", "message": ["one", "two"]}
    observed = {"$raises": "E", "base": "Exception"}
    assert not differences(recorded, {**observed, "message": "one and two"})
    assert differences(recorded, {**observed, "message": "two and one"})


def test_raises_tells_when_nothing_was_raised():
    assert raises(lambda: 1) == "raised nothing"
    assert raises(lambda: int("x")).type == "ValueError"
    assert raises(lambda: {}["x"]).base == "LookupError"


def test_only_plain_observations_can_be_recorded():
    with pytest.raises(TypeError, match="may not return a object"):
        encode([object()])
