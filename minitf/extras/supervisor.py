"""A Supervisor starts a session, with threads that save, summarize and count steps beside it.

    sv = tf.train.Supervisor(logdir="model")
    with sv.managed_session() as sess:
        while not sv.should_stop():
            sess.run(train_op)

Mirrors tensorflow/python/training/supervisor.py.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial

from minitf.client.session import Session
from minitf.extras.file_io import write_graph
from minitf.extras.hooks import LooperThread
from minitf.extras.meta_graph import export_meta_graph
from minitf.framework import tf_logging
from minitf.framework.graph import get_collection_ref, get_default_graph
from minitf.framework.protos import message
from minitf.ops.variables import (
    global_variables,
    global_variables_initializer,
    report_uninitialized_variables,
)
from minitf.summary.summary import merge_all, summary_of
from minitf.summary.writer import FileWriter
from minitf.training.coordinator import Coordinator
from minitf.training.saver import Saver
from minitf.training.scaffold import ChiefSessionCreator, Scaffold, WorkerSessionCreator
from minitf.training.session_run_hook import SecondOrStepTimer
from minitf.training.training_util import get_global_step


class Supervisor(Scaffold):
    """Prepares sessions and looks after them, as programs did before MonitoredTrainingSession.

    graph: the graph, by default the default graph. It is finalized.
    logdir: the folder for checkpoints, summaries and the graph; None writes nothing.
    is_chief: whether to do all this. Other workers only create sessions, like WorkerSessionCreator.
    init_op, init_feed_dict, init_fn: how to initialize if there is no checkpoint; the last step is
        `init_fn(session)`.
    local_init_op, ready_op, ready_for_local_init_op: as in `tf.train.Scaffold`.
    saver, save_model_secs, checkpoint_basename: what saves, how often, and under which name.
    summary_op, summary_writer, save_summaries_secs: the same for summaries.
    global_step: the step in the names of checkpoints and in summaries.
    stop_grace_secs: how long `stop` waits for threads.

    By default, a piece is the first item in the graph's collection for it, or else a new one; the
    step may also be an integer tensor named `global_step:0`. None leaves a piece out; for an op,
    the supervisor then has an empty tuple. The other arguments have no effect here.

    `coord` is its Coordinator, whose `request_stop`, `should_stop`, `stop_on_exception` and
    `wait_for_stop` are also its own. `loop(timer_interval_secs, target, args, kwargs)` starts a
    LooperThread.
    """

    USE_DEFAULT = 0

    def __init__(
        self,
        graph=None,
        ready_op=USE_DEFAULT,
        ready_for_local_init_op=USE_DEFAULT,
        is_chief=True,
        init_op=USE_DEFAULT,
        init_feed_dict=None,
        local_init_op=USE_DEFAULT,
        logdir=None,
        summary_op=USE_DEFAULT,
        saver=USE_DEFAULT,
        global_step=USE_DEFAULT,
        save_summaries_secs=120,
        save_model_secs=600,
        recovery_wait_secs=30,
        stop_grace_secs=120,
        checkpoint_basename="model.ckpt",
        session_manager=None,
        summary_writer=USE_DEFAULT,
        init_fn=None,
        local_init_run_options=None,
    ):
        super().__init__(init_feed_dict=init_feed_dict)
        self._graph, self.is_chief, self.init_fn = graph or get_default_graph(), is_chief, init_fn
        self._timer, self._stop_grace_secs = SecondOrStepTimer(every_steps=1), stop_grace_secs
        unready, initializer = report_uninitialized_variables, global_variables_initializer
        with self._graph.as_default():
            self.ready_op = _piece("ready_op", ready_op, unready, ())
            self.ready_for_local_init_op = _piece(
                "ready_for_local_init_op", ready_for_local_init_op, lambda: None, ()
            )
            self.init_op = _piece("init_op", init_op, initializer, ())
            self.local_init_op = _piece(
                "local_init_op", local_init_op, self.default_local_init_op, ()
            )
            self.saver = _piece("savers", saver, lambda: Saver() if global_variables() else None)
            self.summary_op = _piece("summary_op", summary_op, merge_all)
            self.global_step = _piece("global_step", global_step, _step_by_name)
            self._graph.finalize()
        self._steps = [] if self.global_step is None else [self.global_step]
        self._logdir = logdir if is_chief else None
        self.save_path = self._logdir and os.path.join(self._logdir, checkpoint_basename)
        self.save_model_secs, self.save_summaries_secs = save_model_secs, save_summaries_secs
        if summary_writer is self.USE_DEFAULT:
            summary_writer = FileWriter(self._logdir) if self._logdir else None
        self.summary_writer = summary_writer if is_chief else None
        self.coord = Coordinator()
        self.loop = partial(LooperThread.loop, self.coord)
        for method in ("request_stop", "should_stop", "stop_on_exception", "wait_for_stop"):
            setattr(self, method, getattr(self.coord, method))

    def finalize(self) -> Supervisor:
        """Return itself, which is already complete."""
        return self

    @contextmanager
    def managed_session(
        self, master="", config=None, start_standard_services=True, close_summary_writer=True
    ) -> Iterator[Session]:
        """Prepare a session for the `with`, then stop the threads and close the session.

        An error inside, or in a thread, is raised at the end, except for an OutOfRangeError. No
        checkpoint is saved at the end: call `sv.saver.save(sess, sv.save_path, sv.global_step)`.
        """
        sess = None
        try:
            with self.stop_on_exception():
                sess = self.prepare_or_wait_for_session(
                    master, config, start_standard_services=start_standard_services
                )
                yield sess
        finally:
            try:
                self.stop(close_summary_writer=close_summary_writer)
            finally:
                if sess:
                    sess.close()

    def prepare_or_wait_for_session(
        self,
        master="",
        config=None,
        wait_for_checkpoint=False,
        max_wait_secs=7200,
        start_standard_services=True,
    ) -> Session:
        """Return a session that is restored from the latest checkpoint, or else initialized.

        It doesn't wait. Raises RuntimeError if variables still have no value (for a worker,
        DeadlineExceededError).
        """
        self.coord.clear_stop()
        if self.summary_writer:
            self.summary_writer.reopen()
        with self._graph.as_default():
            if not self.is_chief:
                return WorkerSessionCreator(self, master, config, max_wait_secs).create_session()
            folder = self._logdir if self.saver else None
            sess = ChiefSessionCreator(self, master, config, folder).create_session()
            if self._logdir:
                write_graph(self._graph.as_graph_def(add_shapes=True), self._logdir, "graph.pbtxt")
            if self.summary_writer:
                self.summary_writer.add_graph(self._graph)
                self.summary_writer.add_meta_graph(export_meta_graph(saver=self.saver))
        if start_standard_services:
            tf_logging.info("Starting standard services.")
            self.start_standard_services(sess)
            tf_logging.info("Starting queue runners.")
        return sess

    def start_standard_services(self, sess: Session) -> list[LooperThread] | None:
        """Start the threads that save, summarize and count steps, each at once and then regularly.

        Raises RuntimeError for a worker. Without a `logdir`, it logs a warning and returns None.
        """
        if not self.is_chief:
            raise RuntimeError(
                "Only chief supervisor can start standard services. Because only chief supervisors "
                "can write events."
            )
        if not self._logdir:
            tf_logging.warning("Standard services need a 'logdir' passed to the SessionManager")
            return None
        services = [(self.saver and self.save_model_secs, self._save)]
        if self.summary_writer:
            if self.summary_op is not None:
                services.append((self.save_summaries_secs, self._summarize))
            for step in sess.run(self._steps):
                self._log("START", step)
                self._timer.update_last_triggered_step(step)
                services.append((self.save_summaries_secs, self._count_steps))
        return [self.loop(secs, service, [sess]) for secs, service in services if secs]

    def _summarize(self, sess: Session) -> None:
        summary, *step = sess.run([self.summary_op, *self._steps])
        tf_logging.info("Recording summary at step %s.", *step or [None])
        self.summary_writer.add_summary(summary, *step)

    def _count_steps(self, sess: Session) -> None:
        [step], tag = sess.run(self._steps), f"{self.global_step.op.name}/sec"
        seconds, steps = self._timer.update_last_triggered_step(step)
        rate = steps / seconds if seconds else math.inf
        self.summary_writer.add_summary(summary_of(tag, simple_value=rate), step)
        tf_logging.log_first_n(tf_logging.INFO, "%s: %g", 10, tag, rate)

    def _save(self, sess: Session) -> None:
        tf_logging.info("Saving checkpoint to path %s", self.save_path)
        self.saver.save(sess, self.save_path, self.global_step)
        for step in sess.run(self._steps) if self.summary_writer else ():
            self._log("CHECKPOINT", step, checkpoint_path=self.save_path)

    def _log(self, status: str, *step, **content) -> None:
        log = message("SessionLog")(status=status, **content)
        self.summary_writer.add_session_log(log, *step)

    def start_queue_runners(self, sess: Session, queue_runners=None) -> list:
        """Return no threads: there are no queues here, but many programs call this."""
        return []

    def summary_computed(self, sess: Session, summary, global_step=None) -> None:
        """Write a summary for this step, by default the session's.

        Raises RuntimeError without a writer.
        """
        if not self.summary_writer:
            raise RuntimeError("Writing a summary requires a summary writer.")
        step = sess.run(self._steps) if global_step is None else [global_step]
        self.summary_writer.add_summary(summary, *step)

    def stop(self, threads=None, close_summary_writer=True, ignore_live_threads=False) -> None:
        """Stop its threads and `threads`, as `Coordinator.join` does, and close the writer."""
        self.coord.request_stop()
        try:
            self.coord.join(threads, self._stop_grace_secs, ignore_live_threads)
        finally:
            if close_summary_writer and self.summary_writer:
                self._log("STOP")
                self.summary_writer.close()


def _piece(key: str, given, make: Callable, nothing=None):
    """Return the given piece or, by default, the first in a collection, or a new one for it."""
    if given is Supervisor.USE_DEFAULT:
        held = get_collection_ref(key)
        if not held:
            held[:] = [made for made in [make()] if made is not None]
        given = held[0] if held else None
    return nothing if given is None else given


def _step_by_name():
    with suppress(TypeError):
        return get_global_step()
