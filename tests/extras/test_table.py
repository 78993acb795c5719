"""What is rare is loaded when a program first asks for it, and not before."""

import subprocess
import sys
from operator import attrgetter

import pytest

import minitf as tf
from minitf import extras
from minitf.framework import late


def test_nothing_rare_is_loaded_with_minitf():
    program = "import sys, minitf; print([m for m in sys.modules if m.startswith('minitf.extras.')])"
    printed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert printed == "[]\n"


def test_what_a_checkpoint_looks_like_is_loaded_by_the_first_save():
    program = """if True:
        import sys, minitf as tf
        tf.Variable(1.0)
        tf.train.Saver()
        print("minitf.training.checkpoint_format" in sys.modules)
        """
    printed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert printed == "False\n"


@pytest.mark.parametrize("path", [*extras.NAMES, *extras.MODULES])
def test_every_name_is_there_and_listed(path):
    module = tf
    for part in path.split(".")[1:]:
        module = getattr(module, part)
    for name in late.names(path):
        assert getattr(module, name) is getattr(module, name)
        assert name in dir(module)


def test_a_name_that_is_missing_in_a_late_module_is_told_with_its_place():
    with pytest.raises(AttributeError, match=r"module 'tensorflow\.io\.gfile' has no attribute 'Exists'"):
        _ = tf.io.gfile.Exists
    with pytest.raises(AttributeError, match=r"minitf has no tf\.losses\.cosine_distance"):
        _ = tf.losses.cosine_distance


@pytest.mark.parametrize(("before", "now"), extras.RENAMED.items())
def test_a_name_from_before_1_0_means_what_it_is_called_now(before, now):
    assert attrgetter(before)(tf) is attrgetter(now)(tf)
    module, _, name = f"tf.{before}".rpartition(".")
    assert name in dir({"tf": tf, "tf.train": tf.train}[module])
