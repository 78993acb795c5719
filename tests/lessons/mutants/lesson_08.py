"""Wrong answers to the exercise of lesson 08."""

from __future__ import annotations

CREATE = "step = tf.train.create_global_step()"
GET = "step = tf.train.get_global_step()"
SHARE = "step = tf.train.get_or_create_global_step()"
NAMED = 'step = tf.Variable(0, trainable=False, name="global_step")'
UNNAMED = "step = tf.Variable(0, trainable=False)"
CATCH = """try:
        step = tf.train.create_global_step()
    except ValueError:
        step = {}"""
EXPONENTIAL = "tf.train.exponential_decay(0.1, step, decay_steps=10, decay_rate=0.5)"


def _share(first: str, second: str, counted: str = ", global_step=step", rate: str = EXPONENTIAL) -> str:
    """Return lesson 08's exercise with other ways to come by the step, or another use of it."""
    return f"""
def build_model():
    {first}
    w = tf.Variable(5.0, name="w")
    return w**2, {rate}


def build_training(loss, rate):
    {second}
    return tf.train.GradientDescentOptimizer(rate).minimize(loss{counted})


def build():
    return build_training(*build_model())
"""


MUTANTS = {
    "08_finding_the_clock": [
        ("found first, made again", _share(SHARE, CREATE), "Two functions make the step."),
        ("found before it is made", _share(GET, CREATE), "get_global_step() finds nothing before the step is made"),
        (
            "the error caught, and nothing counted",
            _share(CREATE, CATCH.format("None")),
            "The step stays at 0. Nothing counts",
        ),
        (
            "the error caught, and another counter made",
            _share(CREATE, CATCH.format("tf.Variable(0, trainable=False)")),
            "There are two counters, `global_step:0` and `Variable:0`",
        ),
        (
            "two Variables of one name",
            _share(NAMED, NAMED),
            "There are two counters, `global_step:0` and `global_step_1:0`",
        ),
        (
            "a counter of its own for the rate",
            _share(UNNAMED, CREATE),
            "There are two counters, `Variable:0` and `global_step:0`",
        ),
        (
            "one counter that nobody finds",
            _share("global shared; step = shared = tf.Variable(0, trainable=False)", "step = shared"),
            "get_global_step() finds nothing. The counter is `Variable:0`.",
        ),
        (
            "an empty graph in between",
            _share(CREATE, f"tf.reset_default_graph()\n    {CREATE}"),
            "Does reset_default_graph() run in between?",
        ),
        (
            "trainable",
            _share('step = tf.Variable(0, name="global_step")', GET),
            "Training may change this step. It needs trainable=False.",
        ),
        (
            "two in the collection",
            _share(
                f"{UNNAMED}\n    tf.add_to_collection('global_step', step)",
                f"{UNNAMED}\n    tf.add_to_collection('global_step', step)",
            ),
            "Keep one step, and one only",
        ),
        (
            "the step of an earlier cell counted",
            _share(CREATE, "pass"),
            "This train op changes no weight.\nUse no Variable of another cell",
        ),
        (
            "the step of an earlier cell read",
            _share("pass", CREATE),
            "it mixes two graphs.\nUse no Variable of another cell",
        ),
        (
            "a number with a point for the rate",
            _share("step = tf.Variable(0.0, trainable=False)", SHARE),
            "There are two counters, `Variable:0` and `global_step:0`",
        ),
        ("nobody counts", _share(CREATE, GET, counted=""), "minimize needs global_step"),
        ("a fixed rate", _share(CREATE, GET, rate="0.1"), "the rate does not read it"),
        (
            "a number with a point",
            _share('step = tf.Variable(0.0, trainable=False, name="global_step")', GET),
            "does not have integer type",
        ),
        (
            "nothing returned",
            _share(SHARE, SHARE).replace("return build_training", "build_training"),
            "`build()` should return the train op",
        ),
    ]
}
