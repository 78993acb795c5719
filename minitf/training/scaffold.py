"""What a session needs before its first run: ops that initialize and check variables, and a saver.

Mirrors Scaffold and the SessionCreators of tensorflow/python/training/monitored_session.py, and
session_manager.py.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import partial
from typing import Any

from minitf.client.session import Session
from minitf.framework import errors, tf_logging
from minitf.framework.graph import GraphKeys, add_to_collection, get_collection, get_default_graph
from minitf.framework.operation import Operation
from minitf.ops import variables
from minitf.ops.control_flow_ops import group
from minitf.summary.summary import merge_all
from minitf.training.checkpoint_management import get_checkpoint_state
from minitf.training.saver import Saver


class Scaffold:
    """The pieces that a session needs to start.

    Each piece is the one given, or that of `copy_from_scaffold`, or the one in the graph's
    collections, or a new one.

    init_op: initializes the variables, fed with `init_feed_dict`.
    init_fn: called as `init_fn(scaffold, session)` after `init_op`.
    ready_op: returns the names of the variables that have no value.
    ready_for_local_init_op: the same, before `local_init_op`.
    local_init_op: initializes the local variables, fed with `local_init_feed_dict`.
    summary_op: returns all summaries.
    saver: restores checkpoints and writes them.
    """

    def __init__(
        self,
        init_op=None,
        init_feed_dict=None,
        init_fn=None,
        ready_op=None,
        ready_for_local_init_op=None,
        local_init_op=None,
        summary_op=None,
        saver=None,
        copy_from_scaffold=None,
        local_init_feed_dict=None,
    ):
        if not isinstance(copy_from_scaffold, Scaffold | None):
            raise TypeError("copy_from_scaffold is not a Scaffold instance.")
        self.init_op, self.local_init_op = init_op, local_init_op
        self.init_feed_dict, self.local_init_feed_dict = init_feed_dict, local_init_feed_dict
        self.ready_op, self.ready_for_local_init_op = ready_op, ready_for_local_init_op
        self.summary_op, self.saver, self._user_init_fn = summary_op, saver, init_fn
        for name, piece in vars(copy_from_scaffold or self).items():
            if getattr(self, name, piece) is None:
                setattr(self, name, piece)
        self.init_fn = self._user_init_fn and partial(self._user_init_fn, self)

    def finalize(self) -> Scaffold:
        """Find or create the missing pieces, finalize the graph, and return this scaffold."""
        unready = variables.report_uninitialized_variables
        defaults = {
            "init_op": lambda: group(variables.global_variables_initializer()),
            "ready_op": unready,
            "ready_for_local_init_op": lambda: unready(variables.global_variables()),
            "local_init_op": self.default_local_init_op,
            "summary_op": merge_all,
            "saver": lambda: Saver(sharded=True, allow_empty=True),
        }
        for name, make in defaults.items():
            if getattr(self, name) is None:
                key = GraphKeys.SAVERS if name == "saver" else name
                setattr(self, name, self.get_or_default(name, key, make))
        self.saver.build()
        get_default_graph().finalize()
        tf_logging.info("Graph was finalized.")
        return self

    @staticmethod
    def get_or_default(arg_name: str, collection_key: str, default_constructor: Callable[[], Any]):
        """Return the only item of a collection, or create one and add it.

        Raises RuntimeError if the collection has several items.
        """
        found = get_collection(collection_key)
        if len(found) > 1:
            raise RuntimeError(
                f'More than one item in the collection "{collection_key}". Please indicate which '
                "one to use by passing it to the tf.Scaffold constructor as: "
                f" tf.Scaffold({arg_name}=item to use)"
            )
        if not found:
            found = [default_constructor()]
            if found[0] is not None:
                add_to_collection(collection_key, found[0])
        return found[0]

    @staticmethod
    def default_local_init_op() -> Operation:
        """Return an op that initializes the local variables."""
        return group(variables.local_variables_initializer())

    def missing(self, session: Session) -> tuple[str, str]:
        """Initialize the local variables if all others have values.

        Returns a text that lists variables without a value, or "", and the stage that was checked.
        """
        missing = _without_value(session, self.ready_for_local_init_op)
        if missing:
            return missing, "ready for local_init"
        tf_logging.info("Running local_init_op.")
        session.run(self.local_init_op, self.local_init_feed_dict)
        tf_logging.info("Done running local_init_op.")
        return _without_value(session, self.ready_op), "ready"


def _without_value(session: Session, ready_op) -> str:
    try:
        names = b", ".join(session.run(ready_op)).decode()
        return names and f"Variables not initialized: {names}"
    except errors.FailedPreconditionError as error:
        return str(error)


class SessionCreator(ABC):
    """The base class of objects that create the sessions of a monitored session."""

    @abstractmethod
    def create_session(self) -> Session:
        """Return a session that is ready to run."""


class ChiefSessionCreator(SessionCreator):
    """Creates sessions whose variables are restored from a checkpoint, or else initialized.

    The checkpoint is the latest one in `checkpoint_dir`, or `checkpoint_filename_with_path`.
    `master` and `config` are those of `tf.Session`.
    """

    def __init__(
        self,
        scaffold=None,
        master="",
        config=None,
        checkpoint_dir=None,
        checkpoint_filename_with_path=None,
    ):
        self._scaffold = scaffold or Scaffold()
        self._new_session = partial(Session, master, config=config)
        self._directory, self._path = checkpoint_dir, checkpoint_filename_with_path

    def create_session(self) -> Session:
        """Return a session that is ready to run.

        Raises RuntimeError if variables still have no value, ValueError if both a directory and a
        checkpoint were given.
        """
        pieces, session = self._scaffold.finalize(), self._new_session()
        if self._directory and self._path:
            raise ValueError(
                "Can not provide both checkpoint_dir and checkpoint_filename_with_path."
            )
        latest = get_checkpoint_state(self._directory) if self._directory else None
        if self._path or latest:
            pieces.saver.restore(session, self._path or latest.model_checkpoint_path)
        else:
            session.run(pieces.init_op, pieces.init_feed_dict)
            if pieces.init_fn:
                pieces.init_fn(session)
        if latest:
            pieces.saver.recover_last_checkpoints(latest.all_model_checkpoint_paths)
        missing, stage = pieces.missing(session)
        if missing:
            init_op = getattr(pieces.init_op, "name", pieces.init_op)
            done = f"Init op: {init_op}, init fn: {pieces.init_fn}"
            done += f", local_init_op: {pieces.local_init_op}" if stage == "ready" else ""
            raise RuntimeError(
                f"Init operations did not make model {stage}.  {done}, error: {missing}"
            )
        return session


class WorkerSessionCreator(SessionCreator):
    """Creates sessions whose variables get their values from a chief.

    In minitf each session has its own values, so this works only for graphs without variables. For
    any other graph it fails immediately: waiting `max_wait_secs` would not help.
    """

    def __init__(self, scaffold=None, master="", config=None, max_wait_secs=1800):
        self._scaffold = scaffold or Scaffold()
        self._new_session = partial(Session, master, config=config)
        self._max_wait_secs = max_wait_secs

    def create_session(self) -> Session:
        """Return a session that is ready to run.

        Raises DeadlineExceededError if variables have no value.
        """
        pieces, session = self._scaffold.finalize(), self._new_session()
        missing, _ = pieces.missing(session)
        if missing:
            words = f"Session was not ready after waiting {self._max_wait_secs} secs."
            raise errors.DeadlineExceededError(None, None, f"{words} {missing}")
        return session
