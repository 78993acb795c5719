"""minitf and TensorFlow restore what the other has saved, bit for bit.

Not run by default: `pytest -m tensorflow tests/training`, where TensorFlow is installed beside minitf.
"""

import importlib.util

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minitf
from tests.conformance.referee import import_tensorflow
from tests.support import examples
from tests.training.checkpoints import DENSE, SLICED
from tests.training.test_checkpoint_format import arrays, assert_same

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]

names = st.from_regex(r"[A-Za-z0-9.][A-Za-z0-9_.\\/>-]{0,9}", fullmatch=True).filter(lambda name: name[-1] != "/")


@pytest.fixture(scope="module")
def tensorflow():
    """TensorFlow in its graph mode."""
    if importlib.util.find_spec("tensorflow") is None:
        pytest.skip("TensorFlow is not installed")
    return import_tensorflow()


def variables_of(tf, values):
    """A variable for each value, and what to feed so that it begins with that."""
    feeds = {name: tf.placeholder(np.asarray(value).dtype.type, np.shape(value)) for name, value in values.items()}
    feeds = {name: tf.placeholder(tf.string, []) if isinstance(v, bytes) else feeds[name] for name, v in values.items()}
    variables = {name: tf.Variable(feed, use_resource=False) for name, feed in feeds.items()}
    return variables, {feeds[name]: value for name, value in values.items()}


def exchange(saving, restoring, values, folder):
    """Save with the one, restore with the other."""
    with saving.Graph().as_default(), saving.Session() as sess:
        variables, feeds = variables_of(saving, values)
        sess.run(saving.global_variables_initializer(), feeds)
        path = saving.train.Saver(variables).save(sess, str(folder / "model"))
    with restoring.Graph().as_default(), restoring.Session() as sess:
        variables, _ = variables_of(restoring, values)
        restoring.train.Saver(variables).restore(sess, restoring.train.latest_checkpoint(str(folder)))
        restored = sess.run(variables)
    reader = restoring.train.load_checkpoint(path)
    assert sorted(reader.get_variable_to_shape_map()) == sorted(values)
    for name, value in values.items():
        assert_same(restored[name], value)
        assert_same(reader.get_tensor(name), value)


def both_ways(tensorflow, values, tmp_path_factory):
    """Each restores what the other has saved."""
    exchange(minitf, tensorflow, values, tmp_path_factory.mktemp("minitf"))
    exchange(tensorflow, minitf, values, tmp_path_factory.mktemp("tensorflow"))


@pytest.mark.parametrize("values", [DENSE, SLICED], ids=["dense", "sliced"])
def test_every_dtype(tensorflow, tmp_path_factory, values):
    both_ways(tensorflow, values, tmp_path_factory)


@given(st.dictionaries(names, arrays(), min_size=1, max_size=6))
@examples(30)
def test_any_values(tensorflow, tmp_path_factory, values):
    both_ways(tensorflow, values, tmp_path_factory)


def test_fifty_megabytes(tensorflow, tmp_path_factory):
    draw = np.random.default_rng(1)
    values = {f"layer_{n}/kernel": draw.random((1250, 1000), np.float32) for n in range(9)}
    both_ways(tensorflow, {**values, "one_by_one": draw.random((5_000_000 // 8,))}, tmp_path_factory)


def test_thousands_of_names(tensorflow, tmp_path_factory):
    values = {f"model/{'very_' * 20}deep/layer_{n}/bias": np.float32(n) for n in range(3_000)}
    both_ways(tensorflow, values, tmp_path_factory)


def test_one_takes_the_place_of_the_other(tensorflow, tmp_path_factory):
    folder = tmp_path_factory.mktemp("both")
    for number, (one, other) in enumerate([(tensorflow, minitf), (minitf, tensorflow)] * 2):
        exchange(one, other, {"w": np.full(3, number)}, folder)
