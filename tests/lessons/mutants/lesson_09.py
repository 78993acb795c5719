"""Wrong answers to the exercise of lesson 09."""

from __future__ import annotations


def _learn(
    rate: str = "tf.train.exponential_decay(0.5, global_step, 500, 0.5)",
    counts: str = "loss, global_step=global_step",
    optimizer: str = "rate",
    more: str = "",
) -> str:
    """Return lesson 09's exercise with another rate, and another use of it."""
    return f"""
loss, accuracy = outputs(*model())
global_step = tf.train.get_or_create_global_step()
rate = {rate}
train_op = tf.train.GradientDescentOptimizer({optimizer}).minimize({counts})
{more}
"""


MUTANTS = {
    "09_learning_digits": [
        ("nobody counts", _learn(counts="loss"), "After 2,000 runs the step is still 0: nothing counts. So the rate"),
        ("it grows", _learn("tf.train.exponential_decay(0.5, global_step, 500, 1.2)"), "The rate grows, from 0.5"),
        (
            "epochs taken for steps",
            _learn("tf.train.exponential_decay(0.5, global_step, 5, 0.5)"),
            "The rate falls too early: after 100 steps it is 4.8e-07",
        ),
        ("a smaller constant", _learn("tf.constant(0.1)"), "The rate is 0.1 at the first step and at the last"),
        ("a rate that nobody uses", _learn(optimizer="0.5"), "`rate` falls, but the optimizer does not use it"),
        ("a smaller constant for the optimizer", _learn(optimizer="0.3"), "the optimizer does not use it"),
        (
            "counted twice",
            _learn(more="train_op = tf.group(train_op, tf.assign_add(global_step, 1))"),
            "After 2,000 runs the step has moved by 4,000. Count each run once.",
        ),
        (
            "a first rate that is too large",
            _learn("tf.train.exponential_decay(1.0, global_step, 500, 0.5)"),
            "The weights are nan: the rate is too large for this formula",
        ),
        (
            "it hardly falls",
            _learn("tf.train.exponential_decay(0.5, global_step, 20000, 0.9)"),
            "The rate falls only to 0.495",
        ),
    ]
}
