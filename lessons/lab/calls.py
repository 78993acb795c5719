"""Training in a monitored session, for real, with every call of every hook noted."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass, field
from functools import cache

import minitf as tf
from lab.logged import logged

NONE, EMPTY, FILLED = "None", "an empty directory", "a directory with model.ckpt-3"
DIRECTORIES = (NONE, EMPTY, FILLED)
INSIDE, AFTER, DATA = (
    "ValueError inside run 3",
    "ValueError after run 3",
    "OutOfRangeError after run 3",
)
ERRORS = ("none", INSIDE, AFTER, DATA)
BUILT_IN = ("StepCounterHook", "SummarySaverHook", "CheckpointSaverHook")  # for a directory
OWN = ("StopAtStepHook", "your hook")
STORED, FAILING = 3, 3  # the step in a filled directory, the run that an error is about


@dataclass(frozen=True)
class Call:
    """One call of one hook: what it did there, and whether its method does anything at all."""

    hook: str
    did: str = ""
    notable: bool = False  # it saved, or said stop
    idle: bool = False


@dataclass
class Moment:
    """One method, called of one hook after the other; or a run, or an error, in between."""

    what: str  # the method, or "run" or "error"
    calls: list[Call] = field(default_factory=list)
    step: int | None = None  # afterwards
    said: str = ""  # of a run or an error


@dataclass(frozen=True)
class Training:
    """All that happened from the first `begin` to the last `end`."""

    moments: list[Moment]
    losses: list[float]  # one for each run that ended
    steps: list[int]  # after each of these
    checkpoints: list[str]  # the names of those in the directory at the end
    error: str  # the name of what left the loop, or ""


class YourHook(tf.train.SessionRunHook):
    """Asks for the loss before each run, and gets it after the run."""

    def __init__(self, loss: tf.Tensor):
        """Watch `loss`."""
        self.loss = loss

    def before_run(self, run_context: tf.train.SessionRunContext) -> tf.train.SessionRunArgs:
        """Ask for the loss."""
        return tf.train.SessionRunArgs(self.loss)

    def after_run(
        self, run_context: tf.train.SessionRunContext, run_values: tf.train.SessionRunValues
    ) -> None:
        """Get it."""


class _Saves(tf.train.CheckpointSaverListener):
    """Notes at which steps a CheckpointSaverHook saves."""

    def __init__(self) -> None:
        self.steps: list[int] = []

    def after_save(self, session: tf.Session, global_step_value: int) -> None:
        self.steps.append(int(global_step_value))


class _Noting(tf.train.SessionRunHook):
    """Passes each call on to a hook, and notes what came of it."""

    def __init__(self, hook: tf.train.SessionRunHook, name: str, notes: _Notes):
        self.hook, self.name, self.notes = hook, name, notes

    def begin(self) -> None:
        self._pass_on("begin", "finds step")

    def after_create_session(self, session: tf.Session, coord: tf.train.Coordinator) -> None:
        self._pass_on("after_create_session", "", session, coord, session=session)

    def before_run(self, run_context: tf.train.SessionRunContext) -> tf.train.SessionRunArgs | None:
        asks = "asks: loss" if isinstance(self.hook, YourHook) else "asks: step"
        return self._pass_on("before_run", asks, run_context)

    def after_run(
        self, run_context: tf.train.SessionRunContext, run_values: tf.train.SessionRunValues
    ) -> None:
        gets = ""
        if isinstance(self.hook, YourHook):
            self.notes.losses.append(float(run_values.results))
            gets = f"loss {run_values.results:.4g}"
        stopped_before, session = run_context.stop_requested, run_context.session
        self._pass_on("after_run", gets, run_context, run_values, session=session)
        if run_context.stop_requested and not stopped_before:
            self.notes.last().calls[-1] = Call(self.name, "says stop", notable=True)

    def end(self, session: tf.Session) -> None:
        self._pass_on("end", "", session, session=session)

    def _pass_on(
        self, method: str, did: str, *arguments: object, session: tf.Session | None = None
    ) -> object:
        saved = len(self.notes.saves.steps)
        answer = getattr(self.hook, method)(*arguments)
        idle = getattr(type(self.hook), method) is getattr(tf.train.SessionRunHook, method)
        call = Call(self.name, "" if idle else did, idle=idle)
        if len(self.notes.saves.steps) > saved:
            call = Call(self.name, f"saves {self.notes.saves.steps[-1]}", notable=True)
        self.notes.add(method, call, session)
        return answer


class _Notes:
    """What is noted while it happens."""

    def __init__(self, step: tf.Variable) -> None:
        self.step, self.saves = step, _Saves()
        self.moments: list[Moment] = []
        self.losses: list[float] = []

    def last(self) -> Moment:
        return self.moments[-1]

    def add(self, method: str, call: Call, session: tf.Session | None) -> None:
        """Note a call, and the step that the session holds then."""
        if method == "after_run" and self.last().what == "before_run":
            self.moments.append(Moment("run"))
        if not self.moments or self.last().what != method:
            self.moments.append(Moment(method))
        self.last().calls.append(call)
        if session is not None and self.last().step is None:
            self.last().step = int(session.run(self.step))

    def fail(self, error: Exception, runs: int) -> None:
        """Note what left the loop."""
        name = type(error).__name__
        if self.last().what == "before_run":
            self.moments.append(Moment("run", said=f"run {runs} raises {name}"))
        else:
            self.moments.append(Moment("error", said=f"your loop raises {name}"))


@cache  # the same choice gives the same training
def train(directory: str, last_step: int, save_steps: int, error: str) -> Training:
    """Train w ** 2 in a MonitoredTrainingSession, with what TensorFlow adds for a directory.

    The hooks for the directory are made here as MonitoredTrainingSession makes them, so that each
    call can be noted.
    """
    with tempfile.TemporaryDirectory() as folder, logged():
        if directory == FILLED:
            _fill(folder)
        with tf.Graph().as_default():
            train_op, step, loss = _model()
            notes = _Notes(step)
            scaffold = tf.train.Scaffold()
            names, hooks = list(OWN), [tf.train.StopAtStepHook(last_step=last_step), YourHook(loss)]
            if directory != NONE:
                names, hooks = (
                    [*BUILT_IN, *OWN],
                    [
                        tf.train.StepCounterHook(output_dir=folder),
                        tf.train.SummarySaverHook(100, output_dir=folder, scaffold=scaffold),
                        tf.train.CheckpointSaverHook(
                            folder,
                            save_steps=save_steps,
                            scaffold=scaffold,
                            listeners=[notes.saves],
                        ),
                        *hooks,
                    ],
                )
            failed = ""
            try:
                session = tf.train.MonitoredTrainingSession(
                    checkpoint_dir=None if directory == NONE else folder,
                    scaffold=scaffold,
                    hooks=[_Noting(h, n, notes) for h, n in zip(hooks, names, strict=True)],
                    save_checkpoint_secs=None,
                    save_checkpoint_steps=None,
                    save_summaries_secs=None,
                    save_summaries_steps=None,
                    log_step_count_steps=None,
                )
                _loop(session, train_op, loss, error, notes)
            except ValueError as raised:
                failed = type(raised).__name__
        state = tf.train.get_checkpoint_state(folder)
        paths = state.all_model_checkpoint_paths if state else []
        tf.summary.FileWriterCache.clear()  # closes the files
    steps = [m.step for m in notes.moments if m.what == "after_run"]
    for run, step in zip([m for m in notes.moments if m.what == "run"], steps, strict=False):
        run.step = step
    names = [os.path.basename(path) for path in paths]
    return Training(notes.moments, notes.losses, steps, names, failed)


def _model() -> tuple[tf.Operation, tf.Variable, tf.Tensor]:
    step = tf.train.get_or_create_global_step()
    loss = tf.square(tf.Variable(5.0, name="w"), name="loss")
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    return optimizer.minimize(loss, global_step=step), step, loss


def _fill(folder: str) -> None:
    """Train three steps by a loop without hooks, and save."""
    with tf.Graph().as_default(), tf.Session() as sess:
        train_op, step, _ = _model()
        saver = tf.train.Saver()
        sess.run(tf.global_variables_initializer())
        for _ in range(STORED):
            sess.run(train_op)
        saver.save(sess, os.path.join(folder, "model.ckpt"), global_step=step)


def _loop(
    session: tf.train.MonitoredSession,
    train_op: tf.Operation,
    loss: tf.Tensor,
    error: str,
    notes: _Notes,
) -> None:
    """Run until a hook says stop, with the error that was chosen."""
    runs = 0
    with session as sess:
        while not sess.should_stop():
            runs += 1
            fails = runs == FAILING
            try:
                # Two numbers for the loss, where there is room for one: the run refuses them.
                sess.run(train_op, {loss: [1.0, 2.0]} if fails and error == INSIDE else None)
                if fails and error == AFTER:
                    raise ValueError("a mistake in the loop")
                if fails and error == DATA:
                    raise tf.errors.OutOfRangeError(None, None, "the data end")
            except Exception as raised:
                notes.fail(raised, runs)
                raise
