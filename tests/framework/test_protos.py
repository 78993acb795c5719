"""The messages are TensorBoard's, loaded when one is first asked for."""

import subprocess
import sys

import numpy as np
import pytest

import minitf as tf
from minitf.extras.graph_def import array_of, tensor_proto
from minitf.framework import protos
from minitf.framework.dtypes import NUMBERS, as_dtype
from minitf.framework.protos import tensorboard


def _printed(program, folder=None):
    path = f"import sys; sys.path.insert(0, {str(folder)!r})\n" if folder else ""
    return subprocess.run([sys.executable, "-c", path + program], capture_output=True, text=True, check=True).stdout


def test_minitf_alone_loads_none_of_it():
    program = "import sys, minitf; print([name for name in sys.modules if name.startswith(('google', 'tensorb'))])"
    assert _printed(program) == "[]\n"


def test_building_a_graph_with_summaries_loads_none_of_it():
    program = """if True:
        import sys, minitf as tf
        tf.summary.scalar("a", tf.placeholder(tf.float32))
        merged = tf.summary.merge_all()
        print("tensorboard" in sys.modules)
        """
    assert _printed(program) == "False\n"


def test_without_tensorboard_it_says_what_to_install(tmp_path):
    (tmp_path / "tensorboard.py").write_text("raise ModuleNotFoundError('No module named tensorboard')")
    program = """if True:
        import minitf as tf
        try:
            tf.summary.FileWriter("unused").add_event(None)
        except ImportError as error:
            print(error)
        try:
            tf.Summary
        except ImportError as error:
            print(error)
        """
    printed = _printed(program.replace("unused", str(tmp_path)), tmp_path)
    assert printed.count("pip install tensorboard") == 2


def test_a_module_called_tensorflow_is_left_alone(tmp_path):
    (tmp_path / "tensorflow.py").write_text("raise RuntimeError('imported')")
    program = f"""if True:
        import sys, minitf as tf
        with tf.summary.FileWriter({str(tmp_path)!r}, tf.get_default_graph()) as writer:
            writer.add_summary(tf.Session().run(tf.summary.scalar("a", 1.0)), 3)
        print("tensorflow" in sys.modules)
        """
    assert _printed(program, tmp_path) == "False\n"


@pytest.mark.parametrize("name", protos.MESSAGES)
def test_each_message_is_there(name):
    assert getattr(tf, name) is protos.message(name)
    assert getattr(tf.compat.v1, name) is protos.message(name)


def test_summary_has_messages_of_its_own():
    assert tf.summary.Summary is tf.Summary
    with pytest.raises(AttributeError, match=r"minitf has no tf\.summary\.audio"):
        _ = tf.summary.audio


@pytest.mark.parametrize(
    "dtype", [as_dtype(name) for name in NUMBERS if name != "bfloat16"] + [tf.bool], ids=lambda dtype: dtype.name
)
def test_values_of_each_dtype_keep_their_bits(dtype):
    for array in (np.ones((), dtype.as_numpy_dtype), np.arange(6).reshape(2, 3).astype(dtype.as_numpy_dtype)):
        proto = tensor_proto(array[()])
        assert proto.dtype == tf.DataType.Value(
            "DT_" + {"float32": "float", "float64": "double", "float16": "half"}.get(dtype.name, dtype.name).upper()
        )
        assert [d.size for d in proto.tensor_shape.dim] == list(array.shape)
        assert np.array_equal(array_of(proto), array)


@pytest.mark.parametrize(
    "dtype, field, stored", [("half", "half_val", [15360, 16384]), ("uint32", "uint32_val", [1, 2])]
)
def test_the_last_stored_value_stands_for_all_that_follow(dtype, field, stored):
    shape = {"dim": [{"size": 2}, {"size": 2}]}
    proto = tf.TensorProto(dtype=f"DT_{dtype.upper()}", tensor_shape=shape, **{field: stored})
    assert array_of(proto).tolist() == [[1, 2], [2, 2]]


def test_tensorboard_reads_the_values():
    make_ndarray = tensorboard("util.tensor_util").make_ndarray
    array = np.float32([[1.5, -2.0]])
    assert np.array_equal(make_ndarray(tensor_proto(array)), array)
    strings = np.array([b"a\0", b"\xff"], object)
    assert make_ndarray(tensor_proto(strings)).tolist() == [b"a\0", b"\xff"]
    assert make_ndarray(tensor_proto(b"a\0")).tolist() == b"a\0"
