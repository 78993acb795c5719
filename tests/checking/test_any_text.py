"""No text stops `--check`: it's either read, or unreadable for a reason."""

from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minitf.checking.program import Module
from minitf.checking.rules import RULES
from minitf.checking.script import Script
from minitf.checking.source import Unreadable, decode, read_text
from minitf.explain.comments import ignored, silences
from minitf.names_used import Files, of_source

PIECES = """
import tensorflow as tf|from tensorflow import *|step = step|self.step = self.step|x: int = 3|global step
step = tf.Variable(0)|rate = tf.train.exponential_decay(0.1, step, step, step)|a, (b, *c) = f(*a, **b)|f = f()
tf.train.AdamOptimizer(rate).minimize(loss, step)|sess.run([step, rate], {step: 1})|for i in range(9):|while True:
with tf.control_dependencies([step]) as a, b:|def f(a, b=f, *c, d=1, **e):|class A(A):|return f(a), step|lambda: step
try:|except E, e:|except* E:|finally:|print step|print >>f, `x`|x if x else y|saver.save(sess, x, global_step=i)
saver.restore(sess, x)|writer.add_summary(x, i)|[step for step in step]|(y := step)|match x:|case [a, *b]:|del step
tf.train.piecewise_constant(step, [1, 2], x)|ema.apply(tf.trainable_variables())|tf.group(step, ema)|yield step|pass
super().__init__(step)|A.__init__(self, step)|def __init__(self, step):|@f|import f as g, h.i|from . import f|raise E, 1
""".strip()
STATEMENTS = [piece for line in PIECES.split("\n") for piece in line.split("|")]
LINES = st.tuples(st.integers(0, 4), st.sampled_from(STATEMENTS)).map(lambda line: " " * line[0] + line[1])


def look(text):
    """Apply all rules to a text."""
    try:
        module = Module(Path("script.py"), of_source(read_text(text)))
    except Unreadable as error:
        assert str(error)
        return
    script = Script([module], partial(Files().resolve, home=Path()))
    for rule in RULES.values():
        for node, words in rule.look(script):
            assert node.lineno and words


@given(st.binary())
def test_bytes(data):
    look(decode(data))


@given(st.text())
def test_text(text):
    look(text)
    ignored(text.split("\n"))


@settings(max_examples=300)
@given(st.lists(LINES, max_size=12).map("\n".join))
def test_pieces_of_programs(text):
    look(text)


@given(st.lists(st.sampled_from(STATEMENTS), min_size=1, max_size=12))
def test_programs(statements):
    """Each block has the statements below it, so that most of these are valid."""
    lines, depth = [], 0
    for piece in statements:
        lines.append(" " * depth + piece)
        depth += piece.endswith(":")
    look("\n".join([*lines, " " * depth + "pass"]))


@pytest.mark.parametrize(
    "text, found",
    [
        ("x = 1  # minitf: ignore", {1: None}),
        ("\nx = 1  #minitf:ignore[a, b-c]", {2: {"a", "b-c"}}),
        ("x = '# minitf: ignore'", {}),
        ("x = (  # minitf: ignore[a]\n  1)  # minitf: ignore[b]", {1: {"a"}, 2: {"b"}}),
        ("print 'a'  # minitf: ignore\n   x = '''  # minitf: ignore[a]", {1: None, 2: {"a"}}),
    ],
)
def test_comments(text, found):
    assert ignored(text.split("\n")) == found
    assert silences(found, "z", range(3)) == (None in found.values())
