"""Where the user's code made an op."""

import sys
from types import SimpleNamespace

import minitf as tf
from minitf.framework.operation import SourceLine


def test_an_op_knows_the_line_that_made_it():
    x = tf.placeholder(tf.float32, name="x")
    assert x.op.source_line.filename == __file__
    assert str(x.op.source_line).endswith('x = tf.placeholder(tf.float32, name="x")')


def test_an_op_made_deep_inside_the_library_points_at_the_users_line():
    w = tf.Variable(1.0)
    train_op = tf.train.GradientDescentOptimizer(0.1).minimize(w * w)
    line = train_op.source_line.lineno
    made = [op.source_line for op in w.graph.get_operations() if "gradients" in op.name]
    assert made and all(place == SourceLine(__file__, line) for place in made)


def test_a_notebook_shows_the_number_of_its_cell(monkeypatch):
    shell = SimpleNamespace(compile=SimpleNamespace(_filename_map={"/tmp/1234.py": 7}))
    monkeypatch.setattr(sys.modules["__main__"], "get_ipython", lambda: shell, raising=False)
    assert str(SourceLine("/tmp/1234.py", 2)) == "cell In[7]:2"
    assert str(SourceLine("/tmp/train.py", 2)) == "train.py:2"
