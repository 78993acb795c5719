"""Wrong answers to the exercise of lesson 06."""

from __future__ import annotations

RIGHT = "0.03, global_step, decay_steps=10, decay_rate=0.5"
AGAIN = "These are from different graphs: run the exercise cell again, without an error."
OWN_MODEL = """
tf.reset_default_graph()
x = tf.placeholder(tf.float32, [None, 1], name="x")
y = tf.placeholder(tf.float32, [None, 1], name="y")
"""


def _converge(
    loss: str = "model()",
    schedule: str = "0.1, global_step, decay_steps=10, decay_rate=2",
    counts: str = "loss, global_step=global_step",
    start: int = 0,
) -> str:
    """Return lesson 06's exercise with another loss, rate, use of the step."""
    return f"""
loss = {loss}
global_step = tf.Variable({start}, trainable=False, name="global_step")
rate = tf.train.exponential_decay({schedule})
optimizer = tf.train.GradientDescentOptimizer(rate)
train_op = optimizer.minimize({counts})
"""


def _own(model: str, loss: str = "(w * x - y) ** 2") -> str:
    """Return an answer with a model of the learner's own."""
    return f"{OWN_MODEL}{model}\n{_converge(loss, RIGHT)}"


MEAN = "tf.reduce_mean(model())"
REPAIR = "\nKeep the loss: repair the rate."

MUTANTS = {
    "06_the_run_nobody_watched": [
        ("the mean", _converge(MEAN), f"At w = 0 this loss is 2.352, and the sum of the posts' is 23.52.{REPAIR}"),
        ("the mean and a good rate", _converge(MEAN, RIGHT), REPAIR),
        (
            "the mean, out of sight",
            _converge(counts="tf.reduce_mean(loss), global_step=global_step"),
            f"you train on a slope of -4.704, and that of `loss` is -47.04.{REPAIR}",
        ),
        ("up the slope", _converge(counts="-loss, global_step=global_step"), "you train on a slope of 47.04"),
        ("no loss", _converge() + "loss = None", "`loss` should be what model() returns"),
        (
            "a sum that says so",
            _converge("tf.reduce_sum(model())"),
            "It diverges. After ten steps w is -2.115e+07: the last step multiplied |w - 1| by 7.777",
        ),
        ("nobody counts, and it diverges", _converge(counts="loss"), "the last step multiplied |w - 1| by 3.704"),
        (
            "half the rate",
            _converge(schedule="0.05, global_step, decay_steps=10, decay_rate=1"),
            "The rate is above the stability limit",
        ),
        (
            "the limit of the mean",
            _converge(schedule="0.4, global_step, decay_steps=10, decay_rate=1"),
            "The rate is above the stability limit",
        ),
        (
            "a decay from a rate that is too large",
            _converge(schedule="0.1, global_step, decay_steps=10, decay_rate=0.5"),
            "It diverges",
        ),
        (
            "a decay that comes too late",
            _converge(schedule="0.2, global_step, decay_steps=5, decay_rate=0.25"),
            "It turns back too late",
        ),
        (
            "a decay that ends too soon",
            _converge(schedule="0.1, global_step, decay_steps=1, decay_rate=0.5"),
            "The first steps led too far away, the last ones are too short",
        ),
        (
            "just below the limit",
            _converge(schedule="0.04, global_step, decay_steps=10, decay_rate=1"),
            "too slowly. After ten steps w is 0.7168: |w - 1| is 0.2832, not below 0.02.\nw jumps over 1",
        ),
        (
            "a rate that grows past the limit",
            _converge(schedule="0.03, global_step, decay_steps=10, decay_rate=2"),
            "It converges, but too slowly",
        ),
        (
            "at the limit",
            _converge(schedule="0.0425, global_step, decay_steps=10, decay_rate=1"),
            "The rate is at the stability limit",
        ),
        (
            "far below the limit",
            _converge(schedule="0.001, global_step, decay_steps=10, decay_rate=1"),
            "w comes from one side, in short steps: make the rate larger",
        ),
        ("another optimizer", _converge().replace("GradientDescent", "Adam"), "This optimizer moves w by another rule"),
        (
            "another optimizer that gets there",
            _converge(schedule=RIGHT).replace("GradientDescentOptimizer(rate)", "MomentumOptimizer(rate, 0.0)"),
            "Keep GradientDescentOptimizer, and choose its rate.",
        ),
        ("no rate", _converge(schedule="0.0, global_step, 10, 2"), "the rate is 0"),
        (
            "a rate below 0",
            _converge(schedule="-0.1, global_step, 10, 2"),
            "Each step goes up the slope: is the rate above 0?",
        ),
        (
            "nobody counts",
            _converge(schedule=RIGHT, counts="loss"),
            "w is near 1. But `global_step` stays at 0: no run adds one.",
        ),
        ("a step that starts elsewhere", _converge(schedule=RIGHT, start=5), "`global_step` starts at 5"),
        (
            "two train ops in one",
            _converge(schedule=RIGHT) + "train_op = tf.group(train_op, tf.assign_add(global_step, 1))",
            "`global_step` goes 0, 2, 4, 6",
        ),
        (
            "two that train",
            _converge(schedule="0.01, global_step, 10, 1") + "train_op = tf.group(train_op, optimizer.minimize(loss))",
            "2 ops of a run move w",
        ),
        ("the answer as the start", _own('w = tf.Variable(1.0, name="w")'), "w starts at 1. Let it start at 0"),
        (
            "another weight is trained",
            _own('w = tf.Variable(0.0, trainable=False, name="w")\nb = tf.Variable(0.0)', "(w * x + b - y) ** 2"),
            "0 ops of a run move w",
        ),
        (
            "other data, built in",
            _own('w = tf.Variable(0.0, name="w")', "(w * tf.constant([[0.5]]) - 0.5) ** 2"),
            "reads no placeholder. Keep to x and y of model().",
        ),
        ("no y", _own('w = tf.Variable(0.0, name="w")', "(w * x - x) ** 2"), "reads x. Keep to x and y of model()."),
        ("a weight without its name", _own("w = tf.Variable(0.0)"), "no Variable named w"),
        ("half-way, after a right answer", f"{_converge(schedule=RIGHT)}\nloss = model()", AGAIN),
    ]
}
