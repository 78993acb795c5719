"""The graph has the Variable, but each session holds its own value: a small program, line by line."""

from typing import NamedTuple

import minitf as tf

BUILT = """\
step = tf.Variable(0, name="step")
init = tf.global_variables_initializer()
add_one = tf.assign_add(step, 1)
a, b = tf.Session(), tf.Session()"""
LINES = """\
a.run(init)
a.run(add_one)
a.run(add_one)
b.run(add_one)
b.run(init)
add_ten = tf.assign_add(step, 10)
b.run(add_ten)"""


class AfterLine(NamedTuple):
    """What there is after a line: Python's names, what each session holds, and the line's error."""

    names: list[str]
    held: dict[str, int | None]  # by session; None if the Variable has no value there
    error: str


def after_each_line() -> list[AfterLine]:
    """Run BUILT, then LINES one by one; return what there is before the first line and after each."""
    with tf.Graph().as_default():
        names = {"tf": tf}
        return [_after(lines, names) for lines in (BUILT, *LINES.splitlines())]


def _after(lines: str, names: dict[str, object]) -> AfterLine:
    error = ""
    try:
        exec(lines, names)
    except tf.errors.FailedPreconditionError as problem:
        error = problem.message
    held = {name: names[name].state.get("step") for name in "ab"}
    return AfterLine(list(names), held, error)
