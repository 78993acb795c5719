"""Wrong answers to the exercise of lesson 02."""

from __future__ import annotations


def _count(counter: str = "tf.Variable(0, trainable=False)", count_op: str = "tf.assign_add(counter, 1)") -> str:
    """Return lesson 02's exercise with another counter, or another op."""
    return f"""
counter = {counter}
count_op = {count_op}
"""


MUTANTS = {
    "02_a_variable_is_not_its_value": [
        ("nothing but another number", _count("5", "tf.constant(counter + 1)"), "give 6, 6, 6"),
        ("still a constant", _count(count_op="tf.constant(0 + 1)"), "`count_op` is still a constant"),
        (
            "a constant and an int changed by Python",
            _count("0", "tf.constant(counter + 1)") + "counter += 1",
            "its number went into the graph once",
        ),
        ("another Variable counts", _count("0", "tf.assign_add(step, 1)"), "Make `counter` itself a Variable"),
        ("a constant as counter", _count("tf.constant(0)", "counter + 1"), "is a tensor: tf.constant makes one"),
        ("plus-equals", _count(count_op="counter") + "counter += 1\ncount_op = counter", "and so does `counter += 1`"),
        ("a reading op", _count(count_op="counter + 1"), "`count_op` does not change `counter`"),
        ("starts at one", _count("tf.Variable(1, trainable=False)"), "`counter` starts at 1"),
        ("adds two", _count(count_op="tf.assign_add(counter, 2)"), "Each run adds 2"),
        ("adds itself too", _count(count_op="tf.assign_add(counter, counter + 1)"), "`counter` holds 1, 3, 7"),
        ("assign for assign_add", _count(count_op="tf.assign(counter, 1)"), "tf.assign replaces what is there"),
        ("a list of ops", _count(count_op="[tf.assign_add(counter, 1) for _ in range(3)]"), "a list of 3 things"),
        (
            "a loop's ops in one",
            _count(count_op="tf.group(*[tf.assign_add(counter, 1) for _ in range(3)])"),
            "Each run adds 3",
        ),
        (
            "a function not called",
            _count(count_op="lambda: tf.assign_add(counter, 1)"),
            "`count_op` is a Python function",
        ),
        (
            "what the op gives is used wrongly",
            _count(count_op="tf.assign_add(counter, 1) - 1"),
            "`count_op` gives 0, 1, 2",
        ),
        (
            "half-way, with a new counter",
            _count() + "counter = tf.Variable(0, trainable=False)",
            "Run the exercise cell again",
        ),
    ]
}
