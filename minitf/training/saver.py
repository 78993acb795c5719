"""A Saver writes the values of variables to a checkpoint, and puts them back into a session.

    saver = tf.train.Saver()
    saver.save(sess, "folder/model", global_step=global_step)      # folder/model-1000
    saver.restore(sess, tf.train.latest_checkpoint("folder"))

Mirrors tensorflow/python/training/saver.py.
"""

import math
import operator
import os
import time
from collections.abc import Iterable, Mapping

import numpy as np

from minitf.client.session import Session
from minitf.framework import dtypes, errors, nest, tf_logging
from minitf.framework.events import announced
from minitf.framework.graph import Graph
from minitf.framework.late import load
from minitf.framework.op_def_library import convert_to_tensor
from minitf.framework.operation import Tensor
from minitf.framework.protos import tensorboard
from minitf.ops.kernels import fitting
from minitf.ops.variables import Variable, global_variables
from minitf.training import checkpoint_management, training_util
from minitf.training.saver_ops import build_saver, check_type, saved_variables


class Saver:
    """Saves and restores variables.

        saver = tf.train.Saver(max_to_keep=3)
        path = saver.save(sess, "folder/model", global_step=step)
        saver.restore(sess, path)

    var_list: a list of variables, or a dict from names in the checkpoint to variables. By default,
        all global variables that exist when the saver is created or, with `defer_build`, when
        `build` is called.
    reshape: whether to restore a value of a different shape with the right number of elements.
    max_to_keep: how many checkpoints to keep; older ones are deleted. None or 0 keeps all.
    keep_checkpoint_every_n_hours: also keep a checkpoint every so many hours for good.
    allow_empty: whether a saver may have no variables.
    pad_step_number: whether names look like `model-00001000`.
    save_relative_paths: whether the file 'checkpoint' refers to its neighbours without their
        folder, which can then be moved.
    saver_def: the SaverDef of a graph that `import_meta_graph` has read; it says which variables to
        save. `name` is the scope that they are in.

    sharded: whether the ops that are added to the graph save the variables of each device apart.
        There is one data file in any case.
    name: the scope of these ops, by default "save".
    filename: the checkpoint that these ops use unless a run feeds another one.

    The other arguments are ignored. Raises TypeError for anything but variables, ValueError if
    there are none or if two have the same name, RuntimeError if the graph is finalized.
    """

    @announced
    def __init__(
        self,
        var_list=None,
        reshape=False,
        sharded=False,
        max_to_keep: int | None = 5,
        keep_checkpoint_every_n_hours=10000.0,
        name: str | None = None,
        restore_sequentially=False,
        saver_def=None,
        builder=None,
        defer_build=False,
        allow_empty=False,
        write_version=2,
        pad_step_number=False,
        save_relative_paths=False,
        filename: str | None = None,
    ):
        if defer_build and var_list:
            raise ValueError(
                "If `var_list` is provided then build cannot be deferred. Either set "
                "defer_build=False or var_list=None."
            )
        if saver_def is not None:
            saver_def, var_list = saved_variables(saver_def, name)
            max_to_keep = saver_def.max_to_keep
            keep_checkpoint_every_n_hours = saver_def.keep_checkpoint_every_n_hours
        self._saver_def, self._names = saver_def, None
        self._name, self._filename = name, filename
        self._var_list, self._allow_empty = var_list, allow_empty
        self._reshape, self._sharded = reshape, sharded
        self._max_to_keep = operator.index(max_to_keep or 0)
        self._keep_seconds = (keep_checkpoint_every_n_hours or 0.0) * 3600
        self._pad_step_number, self._save_relative_paths = pad_step_number, save_relative_paths
        self._variables: dict[str, Tensor] | None = None  # by their names in the checkpoint
        self._last_checkpoints: list[tuple[str, float]] = []  # and when they were written
        self._to_be_deleted: list[tuple[str, float]] = []
        self._stored: tuple = ()  # what `_write_meta_graph` wrote last, and of which graph
        if not defer_build:
            self.build()

    def build(self) -> None:
        """Finish a saver that was created with `defer_build`, now that all variables exist."""
        if self._variables is not None:
            return
        if self._var_list is None:
            self._var_list = global_variables()
        if not self._var_list and not self._allow_empty:
            raise ValueError("No variables to save")
        self._variables = variables = _by_name(self._var_list)
        self._next_to_keep = time.time() + self._keep_seconds
        if variables and self._saver_def is None:
            self._names = build_saver(
                variables, self._name, self._filename, self._sharded, self._reshape
            )

    @property
    def saver_def(self):
        """The SaverDef, which names the ops; None if the saver is empty or isn't built yet.

        Raises ImportError if TensorBoard, which has that message, isn't installed.
        """
        if self._saver_def is None and self._names is not None:
            self._saver_def = tensorboard("compat.proto.saver_pb2").SaverDef(
                **self._names._asdict(),
                max_to_keep=self._max_to_keep,
                sharded=self._sharded,
                keep_checkpoint_every_n_hours=self._keep_seconds / 3600,
                version="V2",
            )
        return self._saver_def

    last_checkpoints: list[str] = property(
        lambda self: [path for path, _ in self._last_checkpoints]
    )

    def set_last_checkpoints(self, last_checkpoints: list[str]) -> None:
        """Set the list of checkpoints. Checkpoints set this way are never deleted."""
        assert isinstance(last_checkpoints, list)
        self._last_checkpoints = [(path, np.inf) for path in last_checkpoints]

    def set_last_checkpoints_with_time(
        self, last_checkpoints_with_time: list[tuple[str, float]]
    ) -> None:
        """Set the list of checkpoints, with the times when they were written."""
        assert isinstance(last_checkpoints_with_time, list)
        self._last_checkpoints = last_checkpoints_with_time

    def recover_last_checkpoints(self, checkpoint_paths: Iterable[str]) -> None:
        """Take over the checkpoints of an earlier saver, as far as they still exist."""
        times = checkpoint_management.get_checkpoint_mtimes
        found = [(path, times([path])) for path in checkpoint_paths]
        self._last_checkpoints = [(path, written[0]) for path, written in found if written]

    @announced
    def save(
        self,
        sess: Session,
        save_path: str | bytes,
        global_step=None,
        latest_filename: str | None = None,
        meta_graph_suffix="meta",
        write_meta_graph=True,
        write_state=True,
        strip_default_attrs=False,
        save_debug_info=False,
    ) -> str | None:
        """Write a checkpoint, and record it as the latest one in the file 'checkpoint'.

            path = saver.save(sess, "folder/model", global_step=1000)  # "folder/model-1000"

        `global_step` (a number, a variable, a tensor or its name) is appended to the name.
        `latest_filename` replaces the name 'checkpoint'; `write_state=False` leaves that file as it
        is. If saving is killed at any moment, the last checkpoint and a file that names it are
        still there. With `write_meta_graph`, the graph is written beside it (see
        `export_meta_graph`), which needs TensorBoard; without that, a warning is logged.

        Returns the checkpoint's name for `restore`, or None if the saver is empty. Raises
        ValueError if the parent of `save_path`'s folder does not exist, FailedPreconditionError if
        a variable has no value.
        """
        from minitf.training.checkpoint_format import write_checkpoint  # most programs need none

        if self._variables is None:
            raise RuntimeError("`build()` should be called before save if defer_build==True")
        latest_filename = "checkpoint" if latest_filename is None else latest_filename
        if os.path.split(latest_filename)[0]:
            raise ValueError("'latest_filename' must not contain path components")
        path = save_path = _as_text(save_path)
        if global_step is not None:
            if not isinstance(global_step, int | np.integer):
                global_step = training_util.global_step(sess, global_step)
            path = f"{save_path}-{global_step:{'08' if self._pad_step_number else ''}d}"
        elif os.path.basename(save_path) == latest_filename and not self._sharded:
            raise ValueError(
                f"'latest_filename' collides with 'save_path': '{latest_filename}' and "
                f"'{save_path}'"
            )
        if not isinstance(sess, Session):
            raise TypeError(f"'sess' must be a Session; {sess}")
        folder = os.path.dirname(save_path)
        try:
            if self._variables:
                with sess.paused() as state:  # so that nothing has to be copied
                    self._check(
                        sess, [v for v in self._variables.values() if v.op.name not in state]
                    )
                    values = {name: state[v.op.name] for name, v in self._variables.items()}
                    write_checkpoint(path, values)
                if write_state:
                    self._write_state(folder, path, latest_filename, meta_graph_suffix)
        except (errors.FailedPreconditionError, errors.NotFoundError):
            if os.path.isdir(folder):
                raise
            raise ValueError(
                f"Parent directory of {save_path} doesn't exist, can't save."
            ) from None
        if write_meta_graph:
            try:
                self._write_meta_graph(f"{path}.{meta_graph_suffix}", sess.graph)
            except (ImportError, errors.UnimplementedError) as error:
                tf_logging.warning("The graph is not saved: %s", error)
        return path if self._variables else None

    def export_meta_graph(
        self,
        filename=None,
        collection_list=None,
        as_text=False,
        export_scope=None,
        clear_devices=False,
        clear_extraneous_savers=False,
        strip_default_attrs=False,
        save_debug_info=False,
    ):
        """Return the default graph as a MetaGraphDef with this saver, and write it to a file.

        It is what `tf.train.export_meta_graph` returns for these arguments.
        """
        return load("tf.train", "export_meta_graph")(
            filename,
            collection_list=collection_list,
            as_text=as_text,
            export_scope=export_scope,
            clear_devices=clear_devices,
            saver=self,
        )

    def _write_meta_graph(self, path: str, graph: Graph) -> None:
        """Write a '.meta' file, with the same bytes as the last one if the graph hasn't changed."""
        collections = {key: graph.get_collection(key) for key in graph._collections}
        held = {key: [*map(id, values)] for key, values in collections.items()}
        version = len(graph.operations), len(graph.changes), held
        if self._stored[:2] != (graph, version):
            made = load("tf.train", "export_meta_graph")(graph=graph, saver=self)
            # With the items, because the id of one that is gone may come again.
            self._stored = graph, version, made.SerializeToString(), collections
        with errors.of_files(), checkpoint_management.replacing(path) as file:
            file.write(self._stored[2])

    def _write_state(
        self, folder: str, path: str, latest_filename: str, meta_graph_suffix: str
    ) -> None:
        """Record the newest checkpoint, then delete at most one old one."""
        if self._max_to_keep:
            others = [item for item in self._last_checkpoints if item[0] != path]
            self._last_checkpoints = [*others, (path, time.time())]
            if len(self._last_checkpoints) > self._max_to_keep:
                self._to_be_deleted.append(self._last_checkpoints.pop(0))
        paths = [path, *self.last_checkpoints]
        if self._save_relative_paths:
            paths = [os.path.relpath(p, folder) if os.path.isabs(p) else p for p in paths]
        checkpoint_management.update_checkpoint_state(folder, paths[0], paths[1:], latest_filename)
        for oldest, written in self._to_be_deleted[:1]:
            del self._to_be_deleted[0]
            if written > self._next_to_keep:
                self._next_to_keep += self._keep_seconds
            else:
                checkpoint_management.remove_checkpoint(oldest, meta_graph_suffix=meta_graph_suffix)

    @announced
    def restore(self, sess: Session, save_path: str | bytes | None) -> None:
        """Set the variables to their values in the checkpoint. They need not be initialized before.

        Raises ValueError if there is no such checkpoint, NotFoundError if it lacks a variable,
        InvalidArgumentError if a shape or dtype differs, DataLossError if a file is damaged,
        OutOfRangeError if it is too short. If it raises, no variable has changed.
        """
        from minitf.training.checkpoint_format import CheckpointReader

        if self._variables is not None and not self._variables:
            return
        if save_path is None:
            raise ValueError("Can't load save_path when it is None.")
        save_path = _as_text(save_path)
        if not checkpoint_management.checkpoint_exists(save_path):
            raise ValueError(f"The passed save_path is not a valid checkpoint: {save_path}")
        tf_logging.info("Restoring parameters from %s", save_path)
        self._check(sess, [])
        sess = sess if isinstance(sess, Session) else sess._tf_sess()  # that of a monitored session
        reader = CheckpointReader(save_path)
        types, values, keys = reader.get_variable_to_dtype_map(), {}, {}
        if not types.keys() >= self._variables.keys():
            keys = reader.keys_of_names()
        if keys:
            tf_logging.warning("Restoring an object-based checkpoint using a name-based saver.")
        for name, variable in self._variables.items():
            key = keys.get(name, name)
            try:
                value = self._fitting(reader.get_tensor(key), types[key], key, variable, sess)
            except errors.NotFoundError as error:
                reason = "a Variable name or other graph key that is missing from the checkpoint"
                raise _failed(errors.NotFoundError, variable, reason, error) from None
            except ValueError as error:
                reason = "a mismatch between the current graph and the graph from the checkpoint"
                raise _failed(errors.InvalidArgumentError, variable, reason, error) from None
            values[variable.op.name] = value
        with sess.paused() as state:
            state.update(values)

    def _check(self, sess: Session, without_value: list[Tensor]) -> None:
        """Raise if the session is closed or has a different graph, or a variable has no value."""
        for variable in self._variables.values():
            if variable.graph is not sess.graph:  # TensorFlow's feed_dict names the file
                raise TypeError(
                    f"Cannot interpret feed_dict key as Tensor: Tensor {variable} is not an "
                    "element of this graph."
                )
        sess.run(without_value)

    def _fitting(self, value, dtype, name: str, variable: Tensor, sess: Session):
        """Return `value` in the variable's shape. Raises ValueError if it doesn't fit."""
        check_type(name, dtypes.proto_name(variable.dtype), dtype)
        if not variable.shape.is_fully_defined():
            return value
        shape = tuple(variable.shape.as_list())
        if self._reshape:
            if np.size(value) != (count := math.prod(shape)):
                raise ValueError(
                    f"Input to reshape is a tensor with {np.size(value)} values, but the "
                    f"requested shape has {count}"
                )
            return np.reshape(value, shape)[()]
        held = sess.state.get(variable.op.name)
        return fitting(value, shape if held is None else np.shape(held))


def _failed(kind: type, variable: Tensor, reason: str, error: Exception) -> errors.OpError:
    words = f"Restoring from checkpoint failed. This is most likely due to {reason}."
    advice = "Please ensure that you have not altered the graph expected based on the checkpoint."
    return kind(None, variable.op, f"{words} {advice} Original error:\n\n{error}")


def _as_text(path) -> str:
    if not isinstance(path, str | bytes):
        raise TypeError(f"Expected binary or unicode string, got {path!r}")
    return os.fsdecode(path)


def _by_name(var_list) -> dict[str, Tensor]:
    """Return the variables' own tensors by their names in the checkpoint, sorted."""
    words = "names_to_saveables must be a dict mapping string names to"
    if isinstance(var_list, Mapping):
        complaint = f"{words} Tensors/Variables. Not a variable"
        named = [(name, _reference(variable, complaint)) for name, variable in var_list.items()]
    elif isinstance(var_list, list | tuple | set):
        variables = sorted(nest.flatten(list(var_list))[0], key=operator.attrgetter("name"))
        references = [_reference(v, "Variable to save is not a Variable") for v in variables]
        named = [(reference.op.name, reference) for reference in references]
    else:
        raise TypeError(f"Variables to save should be passed in a dict or a list. Got {var_list}")
    found: dict[str, Tensor] = {}
    seen: set[Tensor] = set()
    for name, reference in sorted(named, key=operator.itemgetter(0)):
        if not isinstance(name, str):
            raise TypeError(f"{words} trackable operations. Name is not a string: {name}")
        if name in found:
            raise ValueError(f"At least two variables have the same name: {name}")
        if reference in seen:
            raise ValueError(f"The same saveable will be restored with two names: {name}")
        found[name] = reference
        seen.add(reference)
    return found


def _reference(item, complaint: str) -> Tensor:
    if isinstance(item, list | tuple):  # the slices of a partitioned variable, which minitf lacks
        raise ValueError(f"Slices must all be slices: {item and item[0]}")
    tensor = item._ref() if isinstance(item, Variable) else convert_to_tensor(item)
    if tensor.op.type != "VariableV2":
        raise TypeError(f"{complaint}: {tensor}")
    return tensor
