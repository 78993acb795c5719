"""Wrong answers to the exercise of lesson 07."""

from __future__ import annotations

BOTH = """
clock = tf.Variable(0, trainable=False)
before = {before}
with tf.control_dependencies([{first}]):
    tick = tf.assign_add(clock, {amount})
with tf.control_dependencies([{second}]):
    after = {after}
"""


def _both(
    before: str = "clock + 0", first: str = "before", amount: str = "1", second: str = "tick", after: str = "clock + 0"
) -> str:
    """Return lesson 07's exercise solved, with other parts."""
    return BOTH.format(before=before, first=first, amount=amount, second=second, after=after)


LUCK = "The value that you see is minitf's choice, and TensorFlow may choose another."

MUTANTS = {
    "07_before_or_after": [
        (
            "the old value by luck",
            _both(first=""),
            f"No path leads from `before` to the update in `tick`: nothing orders the two.\n{LUCK}",
        ),
        ("no wait for the update", _both(second=""), "No path leads from the update in `tick` to `after`"),
        ("an edge on something else", _both(first="clock"), "The update in `tick` waits for something else"),
        (
            "an edge that misses the update",
            """
clock = tf.Variable(0, trainable=False)
before = clock + 0
update = tf.assign_add(clock, 1)
with tf.control_dependencies([before]):
    tick = tf.group(update)
with tf.control_dependencies([tick]):
    after = clock + 0
""",
            "No path leads from `before` to the update in `tick`",
        ),
        (
            "the edge the wrong way",
            """
clock = tf.Variable(0, trainable=False)
tick = tf.assign_add(clock, 1)
with tf.control_dependencies([tick]):
    before = clock + 0
    after = clock + 0
""",
            "the edge goes the wrong way",
        ),
        (
            "a read made outside the with",
            """
clock = tf.Variable(0, trainable=False)
before = clock + 0
read = clock + 0
with tf.control_dependencies([before]):
    tick = tf.assign_add(clock, 1)
with tf.control_dependencies([tick]):
    after = read + 0
""",
            "the read was made outside the `with`",
        ),
        ("no copy", _both(before="tf.identity(clock)"), "tf.identity makes no copy"),
        ("the Variable for the old value", _both(before="clock"), "which is read last"),
        ("the Variable for the new value", _both(after="clock"), "TensorFlow promises nothing"),
        ("the old value plus one", _both(after="before + 1"), "`after` comes from a read before the update"),
        ("two more", _both(amount="2"), "The clock goes 0, 2, 4, 6"),
        ("two updates", f"{_both()}    tick = tf.assign_add(clock, 1)\n", "One run makes 2 updates of `clock`"),
        ("another value", _both(before="clock * 2"), "`before` is 0, 2, 4, and not 0, 1, 2"),
        ("a number", _both(before="0", first=""), "`before` is of type int"),
        ("half-way, after a right answer", f"{_both()}\nclock = tf.Variable(0)", "Run the exercise"),
    ]
}
