"""Real training in a monitored session, with every call of every hook recorded."""

import contextlib
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any

import minitf as tf
from lab.experiments.clinic import checkpoint
from lab.explorers.call_timeline import AFTER, DATA, FILLED, NONE
from lab.files.logged import logged

END = tf.errors.OutOfRangeError(None, None, "the data end")
ERRORS = {AFTER: ValueError("a mistake"), DATA: END}
STORED, FAILING = 5, 3  # the step in a filled directory, and the run of the error
BUILT_IN = ("StepCounterHook", "SummarySaverHook", "CheckpointSaverHook")  # added for a directory
OWN = ("StopAtStepHook", "your hook")
HOOKS = (*BUILT_IN, *OWN)
METHODS = ("begin", "after_create_session", "before_run", "after_run", "end")


@dataclass
class Stage:
    """One method, called on one hook after another; or a run or an error in between."""

    what: str  # the method, or "run" or "error"
    said: str = ""  # about a run or an error
    step: int | None = None  # at this stage, if there is a session
    calls: dict[str, str] = field(default_factory=dict)  # what each hook did; "" for nothing


@cache  # the same choices give the same run
def train(directory: str, last_step: int, save_steps: int, error: str) -> tuple[list, list[str]]:
    """Minimize w ** 2 in a monitored session; return its stages, and the names of its checkpoints.

    The directory's hooks are created here, the way MonitoredTrainingSession creates them, so that
    each call can be recorded.
    """
    stages: list[Stage] = []
    listener = tf.train.CheckpointSaverListener()
    listener.after_save = lambda _, step: stages[-1].calls.update({BUILT_IN[2]: f"saves {step}"})
    with tempfile.TemporaryDirectory() as folder, logged(), tf.Graph().as_default():
        if directory == FILLED:
            checkpoint(folder, STORED, "model.ckpt", STORED)
        step, scaffold = tf.train.create_global_step(), tf.train.Scaffold()
        loss = tf.square(tf.Variable(5.0, name="w"))
        train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss, global_step=step)
        yours = tf.train.SessionRunHook()
        yours.before_run = lambda run_context: tf.train.SessionRunArgs(loss)
        hooks = [tf.train.StopAtStepHook(last_step=last_step), yours]
        if directory != NONE:
            saver = tf.train.CheckpointSaverHook(folder, save_steps=save_steps, scaffold=scaffold, listeners=[listener])
            summaries = tf.train.SummarySaverHook(100, output_dir=folder, scaffold=scaffold)
            hooks = [tf.train.StepCounterHook(output_dir=folder), summaries, saver, *hooks]
        for name, hook in zip(HOOKS[-len(hooks) :], hooks, strict=True):
            for method in METHODS:
                noting = partial(_note, stages, step, name, method, getattr(hook, method))
                setattr(hook, method, noting)
        home = None if directory == NONE else folder
        creator = tf.train.ChiefSessionCreator(scaffold, checkpoint_dir=home)
        with contextlib.suppress(ValueError), tf.train.MonitoredSession(creator, hooks) as sess:
            _loop(sess, train_op, error, stages)
        tf.summary.FileWriterCache.clear()  # closes the files
        return stages, sorted(path.stem for path in Path(folder).glob("*.index"))


def _note(stages: list[Stage], step: tf.Variable, name: str, method: str, call: Callable, *given: Any) -> object:
    """Call a hook, and record what it does. The first hook adds a stage, and one for a run before it."""
    latest, is_yours = stages[-1].what if stages else "", name == OWN[1]
    if (latest, method) == ("before_run", "after_run"):
        run = 1 + sum(stage.what == "run" for stage in stages)
        said = f"run {run}" + (": train_op, and what the hooks ask for" if run == 1 else "")
        stages.append(Stage("run", said, int(given[0].session.run(step))))
    if latest != method:
        has_session = method in ("after_create_session", "end")
        stages.append(Stage(method, step=int(given[0].run(step)) if has_session else None))
    calls = stages[-1].calls
    does = {"before_run": "loss"} if is_yours else {"begin": "finds step", "before_run": "step"}
    calls[name] = does.get(method, "")
    answer = call(*given)
    if method == "after_run" and is_yours:
        calls[name] = f"loss {given[1].results:.4g}"
    if method == "after_run" and name == OWN[0] and given[0].stop_requested:
        calls[name] = "says stop"
    return answer


def _loop(sess: Any, train_op: Any, error: str, stages: list[Stage]) -> None:
    """Run until a hook says stop, or until it is time for the chosen error."""
    run = 0
    while not sess.should_stop():
        sess.run(train_op)
        run += 1
        if run == FAILING and error in ERRORS:
            stages.append(Stage("error", f"your loop raises {type(ERRORS[error]).__name__}"))
            raise ERRORS[error].with_traceback(None)
