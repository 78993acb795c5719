"""Ways to make the step of the inherited script: each one runs for real, then we look at what it leaves."""

import functools
import tempfile
from dataclasses import dataclass

import minitf as tf
from lab.experiments.inherited import curve, inherited, run_in_this_graph
from lab.files.logged import logged

BARE = "tf.Variable(0, trainable=False)"
NAMED = 'tf.Variable(0, trainable=False, name="global_step")'
ADD = "tf.add_to_collection(tf.GraphKeys.GLOBAL_STEP, {})"
LINE = f"global_step = {BARE}"  # as the script has it
# Under each choice that the learner sees, the code that takes the place of this line.
WAYS = {
    f"{BARE}, as inherited": LINE,
    "tf.Variable(0)": "global_step = tf.Variable(0)",
    NAMED: f"global_step = {NAMED}",
    'the same, inside tf.name_scope("train")': (
        f'with tf.name_scope("train"):\n    global_step = {NAMED}'
    ),
    "without a name, but added to the collection": f"{LINE}\n{ADD.format('global_step')}",
    "tf.train.get_or_create_global_step()": "global_step = tf.train.get_or_create_global_step()",
    "two in the collection": (
        f"global_step = tf.train.create_global_step()\nother = {BARE}\n{ADD.format('other')}"
    ),
}
COLLECTIONS = ("GLOBAL_VARIABLES", "TRAINABLE_VARIABLES", "GLOBAL_STEP")


@dataclass(frozen=True)
class Look:
    """What the script's graph holds at the end, what get_global_step finds, and the test curve."""

    held: dict[str, list[str]]  # the names of the Variables in each collection
    found: tf.Variable | tf.Tensor | None
    log: list[str]
    points: list[tuple[int, float]]


@functools.cache
def look(code: str) -> Look:
    """Run the script with `code` in the place of the line that makes its counter."""
    with tempfile.TemporaryDirectory() as folder, tf.Graph().as_default(), logged() as log:
        run_in_this_graph(folder, inherited().replace(LINE, code.replace("\n", "\n    ")))
        kept = {name: tf.get_collection(getattr(tf.GraphKeys, name)) for name in COLLECTIONS}
        held = {name: [v.name for v in variables] for name, variables in kept.items()}
        return Look(held, tf.train.get_global_step(), log, curve(folder))
