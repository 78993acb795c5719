"""The hook that saves checkpoints during training, and the listeners that it tells about each save.

Mirrors a part of tensorflow/python/training/basic_session_run_hooks.py.
"""

from __future__ import annotations

import os

from minitf.framework.graph import GraphKeys, get_collection, get_default_graph
from minitf.framework.protos import message
from minitf.platform import tf_logging
from minitf.training.session_run_hook import SessionRunContext, SessionRunValues
from minitf.training.step_hook import SecondOrStepTimer, StepHook


class CheckpointSaverListener:
    """The base of what a CheckpointSaverHook tells about its saves: each method does nothing."""

    def begin(self) -> None:
        """Called when the hook begins."""

    def before_save(self, session, global_step_value: int) -> None:
        """Called before each save."""

    def after_save(self, session, global_step_value: int) -> bool | None:
        """Called after each save. Training stops if it returns something true."""

    def end(self, session, global_step_value: int) -> None:
        """Called at the end, after the last save."""


class CheckpointSaverHook(StepHook):
    """Saves a checkpoint at the start, every so many seconds or steps, and at the end.

    Args: checkpoint_dir; save_secs or save_steps; saver or scaffold (else the one saver of the collection SAVERS);
    checkpoint_basename; listeners (CheckpointSaverListeners); `save_graph_def` has no effect here.
    """

    _steps_per_run = 1_000_000  # so that the step is asked for after every run

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
        self._output_dir = self._checkpoint_dir = checkpoint_dir
        self._save_path = os.path.join(checkpoint_dir, checkpoint_basename)
        self._timer = SecondOrStepTimer(save_secs, save_steps)

    def begin(self) -> None:
        super().begin()
        for listener in self._listeners:
            listener.begin()

    def after_create_session(self, session, coord) -> None:
        step = session.run(self._global_step_tensor)
        self._summary_writer.add_graph(get_default_graph())
        graph_def = get_default_graph().as_graph_def(add_shapes=True)
        self._summary_writer.add_meta_graph(message("MetaGraphDef")(graph_def=graph_def))
        self._save(session, step)
        self._timer.update_last_triggered_step(step)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        step = self._step_if_due(run_context.session, run_values.results)
        if step is not None:
            self._timer.update_last_triggered_step(step)
            if self._save(run_context.session, step):
                run_context.request_stop()

    def end(self, session) -> None:
        step = session.run(self._global_step_tensor)
        if step != self._timer.last_triggered_step():
            self._save(session, step)
        for listener in self._listeners:
            listener.end(session, step)

    def _save(self, session, step: int) -> bool:
        """Save, and tell the listeners; whether one of them wants to stop."""
        tf_logging.info("Calling checkpoint listeners before saving checkpoint %d...", step)
        for listener in self._listeners:
            listener.before_save(session, step)
        tf_logging.info("Saving checkpoints for %d into %s.", step, self._save_path)
        self._get_saver().save(session, self._save_path, global_step=step)
        log = message("SessionLog")
        self._summary_writer.add_session_log(
            log(status=log.CHECKPOINT, checkpoint_path=self._save_path), step
        )
        tf_logging.info("Calling checkpoint listeners after saving checkpoint %d...", step)
        stopping = [listener for listener in self._listeners if listener.after_save(session, step)]
        for listener in stopping:
            tf_logging.info(
                "A CheckpointSaverListener requested that training be stopped. listener: %s",
                listener,
            )
        return bool(stopping)

    def _get_saver(self):
        if self._saver or self._scaffold:
            return self._saver or self._scaffold.saver
        savers = get_collection(GraphKeys.SAVERS)
        if len(savers) == 1:
            return savers[0]
        found, advice = "No items", "add a saver to the collection or provide a saver or scaffold."
        if savers:
            found, advice = (
                "More than one item",
                "indicate which one to use by passing it to the constructor.",
            )
        raise RuntimeError(f"{found} in collection {GraphKeys.SAVERS}. Please {advice}")
