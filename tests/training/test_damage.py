"""What TensorFlow restores from a damaged checkpoint, minitf restores as well; what it refuses, with the same error."""

import json
import os

import pytest

import minitf as tf
from tests.training.damage import RECORDED, outcomes

# Where the two differ: the file, TensorFlow's outcome, minitf's outcome.
JUSTIFIED = {
    # minitf ignores what isn't UTF-8, as TensorFlow ignores all other damage, so there is no latest checkpoint.
    ("checkpoint", "UnicodeDecodeError", "ValueError"),
    # TensorFlow's protobuf refuses a name that isn't UTF-8, TensorBoard's reads it, and minitf has no such op.
    ("model.meta", "UnicodeDecodeError", "NotFoundError"),
    # "bad block" and a block's size beyond the end of the file: minitf has one error for a damaged index.
    ("model.index", "InternalError", "DataLossError"),
    # The index says itself how long it is, so if it ends too early, minitf calls it damaged.
    ("model.index", "OutOfRangeError", "DataLossError"),
}


def _differs_in_shapes(file, theirs, ours):
    """TensorFlow refuses a graph whose `_output_shapes` contradict what it computes; minitf computes its own."""
    return file == "model.meta" and theirs == "ValueError" and ours.startswith("ok")


def differences(theirs, ours):
    """The cases in which the two differ without a good reason."""
    pairs = [(file, one, other) for (file, one), (_, other) in zip(theirs, ours, strict=True)]
    return [
        (seed, *pair)
        for seed, pair in enumerate(pairs)
        if pair[1] != pair[2] and pair not in JUSTIFIED and not _differs_in_shapes(*pair)
    ]


@pytest.mark.parametrize("count", [80, pytest.param(300, marks=pytest.mark.long)])
def test_damaged_checkpoints_are_as_in_tensorflow(count):
    recorded = json.loads(RECORDED.read_text())[:count]
    assert sum(outcome[:2] == "ok" for _, outcome in recorded) > count / 20
    assert differences(recorded, outcomes(tf, range(count))) == []


@pytest.mark.tensorflow
@pytest.mark.filterwarnings("ignore")
def test_other_damaged_checkpoints(tensorflow):
    seed = int(os.environ["MINITF_SEED"])
    seeds = range(seed, seed + 200)
    assert differences(outcomes(tensorflow, seeds), outcomes(tf, seeds)) == []
