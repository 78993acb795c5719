"""minitf and TensorFlow restore what the other has saved, bit for bit.

Not run by default: `pytest -m tensorflow tests/training`, where TensorFlow is installed beside minitf.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minitf
from tests.support import examples
from tests.training.checkpoints import DENSE, SLICED
from tests.training.test_checkpoint_format import arrays, assert_same

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]

names = st.from_regex(r"[A-Za-z0-9.][A-Za-z0-9_.\\/>-]{0,9}", fullmatch=True).filter(lambda name: name[-1] != "/")
VALUES = {
    "dense": DENSE,
    "sliced": SLICED,
    "fifty megabytes": {f"layer_{n}/kernel": np.full((1250, 1000), n, np.float32) for n in range(10)},
    "thousands of names": {f"model/{'very_' * 20}deep/layer_{n}/bias": np.float32(n) for n in range(3_000)},
}


def variables_of(tf, values):
    """A variable for each value, and what to feed so that it begins with that."""
    variables, feeds = {}, {}
    for name, value in values.items():
        dtype = tf.string if isinstance(value, bytes) else np.asarray(value).dtype.type
        feed = tf.placeholder(dtype, np.shape(value))
        variables[name] = tf.Variable(feed, use_resource=False)
        feeds[feed] = value
    return variables, feeds


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


def both_ways(tensorflow, values, folder):
    """Each restores what the other has saved, and takes its place."""
    for saving, restoring in [(minitf, tensorflow), (tensorflow, minitf)]:
        exchange(saving, restoring, values, folder)


@pytest.mark.parametrize("values", VALUES.values(), ids=VALUES)
def test_large_checkpoints_and_every_dtype(tensorflow, tmp_path, values):
    both_ways(tensorflow, values, tmp_path)


@given(st.dictionaries(names, arrays(), min_size=1, max_size=6))
@examples(20)
def test_any_values(tensorflow, tmp_path_factory, values):
    both_ways(tensorflow, values, tmp_path_factory.mktemp("both"))
