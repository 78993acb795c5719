"""The messages are TensorBoard's; it is loaded when one is first asked for, and not before."""

from __future__ import annotations

import subprocess
import sys

import pytest

import minitf as tf
from minitf.framework import protos


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


@pytest.mark.parametrize("name", protos.MODULES)
def test_each_message_is_there(name):
    assert getattr(tf, name) is protos.message(name)
    assert getattr(tf.compat.v1, name) is protos.message(name)


def test_summary_has_messages_of_its_own():
    assert tf.summary.Summary is tf.Summary
    with pytest.raises(AttributeError, match=r"minitf has no tf\.summary\.audio"):
        _ = tf.summary.audio
