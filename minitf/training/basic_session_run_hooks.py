"""The hooks that most training runs need: they log, count, summarize, save and stop.

Mirrors tensorflow/python/training/basic_session_run_hooks.py.
"""

from __future__ import annotations

import math
import os

import numpy as np

from minitf.framework import tf_logging
from minitf.framework.graph import GraphKeys, get_collection, get_default_graph
from minitf.framework.late import load
from minitf.framework.protos import message
from minitf.summary.summary import summary_of
from minitf.training.session_run_hook import (
    SecondOrStepTimer,
    SessionRunArgs,
    SessionRunHook,
    StepHook,
)
from minitf.training.training_util import get_global_step


class LoggingTensorHook(SessionRunHook):
    """Logs values such as `loss = 0.5, step = 10 (0.123 sec)` regularly, at the end, or both.

        tf.train.LoggingTensorHook({"loss": loss, "step": global_step}, every_n_iter=10)

    tensors: a dict from labels to tensors or their names, or a list of these.
    every_n_iter, every_n_secs: how many runs or seconds to wait before logging again.
    at_end: whether to log at the end.
    formatter: a function that turns the dict of values into the line.

    The lines have the level INFO. Raises ValueError unless exactly one of `every_n_iter` and
    `every_n_secs` is given, or `at_end` alone.
    """

    def __init__(self, tensors, every_n_iter=None, every_n_secs=None, at_end=False, formatter=None):
        self._only_at_end = at_end and every_n_iter is None and every_n_secs is None
        if not self._only_at_end and (every_n_iter is None) == (every_n_secs is None):
            raise ValueError(
                "either at_end and/or exactly one of every_n_iter and every_n_secs must be "
                "provided."
            )
        if every_n_iter is not None and every_n_iter <= 0:
            raise ValueError(f"invalid every_n_iter={every_n_iter}.")
        self._tag_order = sorted(tensors) if isinstance(tensors, dict) else list(tensors)
        self._tensors = tensors if isinstance(tensors, dict) else {tag: tag for tag in tensors}
        self._timer = SecondOrStepTimer(every_n_secs, 1 if self._only_at_end else every_n_iter)
        self._at_end, self._formatter = at_end, formatter

    def begin(self):
        self._timer.reset()
        self._runs = 0
        self._fetches = {tag: _tensor_of(tensor) for tag, tensor in self._tensors.items()}

    def before_run(self, run_context):
        self._due = not self._only_at_end and self._timer.should_trigger_for_step(self._runs)
        return SessionRunArgs(self._fetches) if self._due else None

    def after_run(self, run_context, run_values):
        if self._due:
            self._log_tensors(run_values.results)
        self._runs += 1

    def end(self, session):
        if self._at_end:
            self._log_tensors(session.run(self._fetches))

    def _log_tensors(self, tensor_values: dict) -> None:
        """Log the values; some programs override this."""
        seconds, _ = self._timer.update_last_triggered_step(self._runs)
        with np.printoptions(suppress=True):
            line = ", ".join(f"{tag} = {tensor_values[tag]!s}" for tag in self._tag_order)
            line += "" if seconds is None else f" ({seconds:.3f} sec)"
            tf_logging.info(self._formatter(tensor_values) if self._formatter else line)


def _tensor_of(tensor):
    """Return a tensor, given itself, its name, or the name of the op whose only output it is."""
    graph = get_default_graph()
    if not isinstance(tensor, str):
        if getattr(tensor, "graph", None) is not graph:
            raise ValueError(
                f"Passed {tensor} should have graph attribute that is equal to current graph "
                f"{graph}."
            )
        return tensor
    if len(getattr(graph.operations.get(tensor), "outputs", ())) > 1:
        raise ValueError(
            f"Name {tensor} is ambiguous, as this `Operation` has multiple outputs (at least 2)."
        )
    return graph.as_graph_element(tensor if ":" in tensor else f"{tensor}:0")


class StopAtStepHook(StepHook):
    """Stops training at the global step `last_step`, or `num_steps` steps after the start.

    It checks the step after each run, so training that is restored at `last_step` or later still
    does one run. Raises ValueError unless exactly one of the two is given.
    """

    _hook_name = "StopAtStepHook"

    def __init__(self, num_steps: int | None = None, last_step: int | None = None):
        if num_steps is None and last_step is None:
            raise ValueError("One of num_steps or last_step must be specified.")
        if num_steps is not None and last_step is not None:
            raise ValueError("Only one of num_steps or last_step can be specified.")
        self._num_steps, self._last_step = num_steps, last_step

    def after_create_session(self, session, coord):
        if self._last_step is None:
            self._last_step = session.run(self._global_step_tensor) + self._num_steps

    def after_run(self, run_context, run_values):
        likely = run_values.results + 1 >= self._last_step
        if likely and run_context.session.run(self._global_step_tensor) >= self._last_step:
            run_context.request_stop()


class StepCounterHook(StepHook):
    """Logs the steps per second; with `output_dir` or `summary_writer`, writes them as summaries.

    Raises ValueError unless exactly one of `every_n_steps` and `every_n_secs` is given.
    """

    _hook_name = "StepCounterHook"

    def __init__(self, every_n_steps=100, every_n_secs=None, output_dir=None, summary_writer=None):
        if (every_n_steps is None) == (every_n_secs is None):
            raise ValueError("exactly one of every_n_steps and every_n_secs should be provided.")
        self._timer = SecondOrStepTimer(every_n_secs, every_n_steps)
        self._summary_writer, self._output_dir = summary_writer, output_dir
        self._step_before = None

    def begin(self):
        super().begin()
        self._summary_tag = f"{get_global_step().op.name}/sec"

    def after_run(self, run_context, run_values):
        step = self._step_if_due(run_context.session, run_values.results)
        if step is not None:
            seconds, steps = self._timer.update_last_triggered_step(step)
            if seconds is not None:
                self._log_and_record(steps, seconds, step)
        if run_values.results == self._step_before:
            words = (
                "It seems that global step (tf.train.get_global_step) has not been increased. "
                "Current value (could be stable): %s vs previous value: %s. "
                "Pass it to the optimizer: minimize(global_step=...)."
            )
            tf_logging.log_first_n(tf_logging.WARN, words, 5, run_values.results, self._step_before)
        self._step_before = run_values.results

    def _log_and_record(self, elapsed_steps: int, elapsed_time: float, global_step: int) -> None:
        """Log and write the steps per second; some programs override this."""
        rate = elapsed_steps / elapsed_time
        tf_logging.info("%s: %g", self._summary_tag, rate)
        if self._summary_writer is not None:
            summary = summary_of(self._summary_tag, simple_value=rate)
            self._summary_writer.add_summary(summary, global_step)


class NanLossDuringTrainingError(RuntimeError):
    """Raised when the loss is NaN."""

    def __str__(self) -> str:
        return "NaN loss during training."


class NanTensorHook(SessionRunHook):
    """Ends training when the loss is NaN.

    It raises NanLossDuringTrainingError or, with `fail_on_nan_loss=False`, only requests a stop.
    """

    def __init__(self, loss_tensor, fail_on_nan_loss=True):
        self._loss, self._fail = loss_tensor, fail_on_nan_loss

    def before_run(self, run_context):
        return SessionRunArgs(self._loss)

    def after_run(self, run_context, run_values):
        if np.isnan(run_values.results):
            level = tf_logging.ERROR if self._fail else tf_logging.WARN
            tf_logging.log(level, "Model diverged with loss = NaN.")
            if self._fail:
                raise NanLossDuringTrainingError
            run_context.request_stop()


class SummarySaverHook(StepHook):
    """Writes summaries in the first run and then every `save_steps` steps or `save_secs` seconds.

    They are the values of `summary_op`, a string tensor or a list of them, or else of the
    summary_op of `scaffold`, and go to `summary_writer` or to a writer for `output_dir`.

    Raises ValueError unless exactly one of `summary_op` and `scaffold` is given, and exactly one of
    `save_steps` and `save_secs`.
    """

    _hook_name = "SummarySaverHook"

    def __init__(
        self,
        save_steps=None,
        save_secs=None,
        output_dir=None,
        summary_writer=None,
        scaffold=None,
        summary_op=None,
    ):
        if (scaffold is None) == (summary_op is None):
            raise ValueError("Exactly one of scaffold or summary_op must be provided.")
        self._summary_op, self._scaffold = summary_op, scaffold
        self._summary_writer, self._output_dir = summary_writer, output_dir
        self._timer = SecondOrStepTimer(save_secs, save_steps)

    def begin(self):
        super().begin()
        self._next_step = None

    def before_run(self, run_context):
        self._due = self._next_step is None or self._timer.should_trigger_for_step(self._next_step)
        wanted = self._summary_op if self._scaffold is None else self._scaffold.summary_op
        wanted = wanted if isinstance(wanted, list) else [wanted] if wanted is not None else []
        return SessionRunArgs((self._global_step_tensor, wanted if self._due else []))

    def after_run(self, run_context, run_values):
        if self._summary_writer is None:
            return
        step, summaries = run_values.results[0] + 1, run_values.results[1]
        if self._due:
            step = run_context.session.run(self._global_step_tensor)
            if self._next_step is None:
                log = message("SessionLog")
                self._summary_writer.add_session_log(log(status=log.START), step)
            self._timer.update_last_triggered_step(step)
            for serialized in summaries:
                self._summary_writer.add_summary(serialized, step)
        self._next_step = step + 1

    def end(self, session=None):
        if self._summary_writer:
            self._summary_writer.flush()


class CheckpointSaverListener:
    """The base class of listeners that a CheckpointSaverHook calls. Its methods do nothing."""

    def begin(self) -> None:
        """Called when the hook begins."""

    def before_save(self, session, global_step_value: int) -> None:
        """Called before each save."""

    def after_save(self, session, global_step_value: int) -> bool | None:
        """Called after each save. Training stops if it returns True."""

    def end(self, session, global_step_value: int) -> None:
        """Called at the end, after the last save."""


class CheckpointSaverHook(StepHook):
    """Saves checkpoints: at the start, every so many seconds or steps, and at the end.

    The saver is `saver`, or that of `scaffold`, or else the only one in the collection SAVERS.
    `listeners` are CheckpointSaverListeners. With `save_graph_def`, it also writes the graph, once
    as the text 'graph.pbtxt' and beside each checkpoint. Raises ValueError if both `saver` and
    `scaffold` are given, or unless exactly one of `save_secs` and `save_steps` is.
    """

    _hook_name = "CheckpointSaverHook"
    _steps_per_run = math.inf  # unknown, so the step is read after every run, as in TensorFlow

    def __init__(
        self,
        checkpoint_dir,
        save_secs=None,
        save_steps=None,
        saver=None,
        checkpoint_basename="model.ckpt",
        scaffold=None,
        listeners=None,
        save_graph_def=True,
    ):
        tf_logging.info("Create CheckpointSaverHook.")
        if saver is not None and scaffold is not None:
            raise ValueError("You cannot provide both saver and scaffold.")
        self._saver, self._scaffold, self._listeners = saver, scaffold, listeners or []
        self._save_graph_def = save_graph_def
        self._output_dir = self._checkpoint_dir = checkpoint_dir
        self._save_path = os.path.join(checkpoint_dir, checkpoint_basename)
        self._timer = SecondOrStepTimer(save_secs, save_steps)

    def begin(self):
        super().begin()
        for listener in self._listeners:
            listener.begin()

    def after_create_session(self, session, coord):
        step = session.run(self._global_step_tensor)
        graph_def = get_default_graph().as_graph_def(add_shapes=True)
        if self._save_graph_def:
            load("tf.train", "write_graph")(graph_def, self._checkpoint_dir, "graph.pbtxt")
        self._summary_writer.add_graph(graph_def)
        self._summary_writer.add_meta_graph(self._get_saver().export_meta_graph())
        self._save(session, step)
        self._timer.update_last_triggered_step(step)

    def after_run(self, run_context, run_values):
        step = self._step_if_due(run_context.session, run_values.results)
        if step is not None:
            self._timer.update_last_triggered_step(step)
            if self._save(run_context.session, step):
                run_context.request_stop()

    def end(self, session):
        step = session.run(self._global_step_tensor)
        if step != self._timer.last_triggered_step():
            self._save(session, step)
        for listener in self._listeners:
            listener.end(session, step)

    def _save(self, session, step: int) -> bool:
        """Save, call the listeners, and return whether one of them requests a stop."""
        tf_logging.info("Calling checkpoint listeners before saving checkpoint %d...", step)
        for listener in self._listeners:
            listener.before_save(session, step)
        tf_logging.info("Saving checkpoints for %d into %s.", step, self._save_path)
        self._get_saver().save(
            session, self._save_path, global_step=step, write_meta_graph=self._save_graph_def
        )
        log = message("SessionLog")
        saved = log(status=log.CHECKPOINT, checkpoint_path=self._save_path)
        self._summary_writer.add_session_log(saved, step)
        tf_logging.info("Calling checkpoint listeners after saving checkpoint %d...", step)
        stopping = [listener for listener in self._listeners if listener.after_save(session, step)]
        for listener in stopping:
            words = "A CheckpointSaverListener requested that training be stopped. listener: %s"
            tf_logging.info(words, listener)
        return bool(stopping)

    def _get_saver(self):
        if self._saver or self._scaffold:
            return self._saver or self._scaffold.saver
        savers = get_collection(GraphKeys.SAVERS)
        if len(savers) == 1:
            return savers[0]
        found, advice = "No items", "add a saver to the collection or provide a saver or scaffold."
        if savers:
            found = "More than one item"
            advice = "indicate which one to use by passing it to the constructor."
        raise RuntimeError(f"{found} in collection {GraphKeys.SAVERS}. Please {advice}")
