"""The ops of a Saver: TensorFlow's savers add them to the graph, and run them to save and restore.

    save/Const         the checkpoint's name, which a run feeds
    save/SaveV2        writes the variables
    save/restore_all   assigns to each variable what save/RestoreV2 has read

In minitf, `Saver.save` and `Saver.restore` do the same work without a run, so that nothing has to
be copied. The ops are what a stored graph says of its saver, and a run can ask for them by name.

Mirrors BaseSaverBuilder of tensorflow/python/training/saver.py, and io_ops.py.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

from minitf.framework import dtypes
from minitf.framework.graph import control_dependencies, get_default_graph, name_scope
from minitf.framework.op_def_library import build, build_tensor, constant
from minitf.framework.operation import Operation, Tensor
from minitf.framework.registry import call, kernel, not_differentiable, quoted, register
from minitf.framework.scopes import merged_device
from minitf.framework.tensor_shape import SCALAR, UNKNOWN
from minitf.ops.array_ops import identity, placeholder_with_default, reshape, shape
from minitf.ops.control_flow_ops import group
from minitf.ops.gather_ops import where
from minitf.ops.state_ops import assign

# What the ops do.


def check_type(name: str, wanted: str, found: dtypes.DType) -> None:
    """Raise ValueError unless a checkpoint's tensor of this name has the wanted dtype."""
    original = dtypes.proto_name(found)
    if original != wanted:
        raise ValueError(
            f"tensor_name = {name}; expected dtype {wanted} does not equal original dtype "
            f"{original}"
        )


@kernel
def saved(path: bytes, names, slices, *tensors) -> None:
    """Write a checkpoint with these values. The slices are ignored."""
    from minitf.training.checkpoint_format import write_checkpoint  # most programs need none

    write_checkpoint(os.fsdecode(path), dict(zip(map(os.fsdecode, names), tensors, strict=True)))


@kernel
def restored(path: bytes, names, slices, *types: str):
    """Return the values of these names in a checkpoint, in a list if there are several.

    Raises InvalidArgumentError if their dtypes aren't `types`. The slices are ignored.
    """
    from minitf.training.checkpoint_format import CheckpointReader

    reader = CheckpointReader(path)
    for name, wanted in zip(map(os.fsdecode, names), types, strict=True):
        found = reader.get_variable_to_dtype_map().get(name)
        if found:
            check_type(name, wanted, found)
    values = [reader.get_tensor(name) for name in names]
    return values if len(values) > 1 else values[0]


@kernel
def merged_checkpoints(parts, path: bytes) -> None:
    """Make one checkpoint of several, and delete these and their folders."""
    from minitf.training.checkpoint_format import CheckpointReader, write_checkpoint
    from minitf.training.checkpoint_management import remove_checkpoint

    tensors = {}
    for reader in map(CheckpointReader, parts):
        tensors |= {name: reader.get_tensor(name) for name in reader.get_variable_to_shape_map()}
    write_checkpoint(os.fsdecode(path), tensors)
    for part in map(os.fsdecode, parts):
        remove_checkpoint(part)
        with suppress(OSError):  # the folder isn't empty yet
            os.rmdir(os.path.dirname(part))


@kernel
def shard_name(path: bytes, shard, shards) -> bytes:
    """Return the name of one of the parts of a checkpoint."""
    return b"%s-%05d-of-%05d" % (path, shard, shards)


@kernel
def joined(*texts: bytes) -> bytes:
    """Return byte strings as one."""
    return b"".join(texts)


@kernel
def is_on_s3(path: bytes):
    """Return whether a path is in a store that minitf lacks; it's where parts have other names."""
    return path.startswith(b"s3://")


def _restored_code(op, *inputs):
    types = map(dtypes.proto_name, op.attrs["dtypes"])
    return call("restored", *inputs, *map(quoted, types))


def _nothing(op):
    return []


def _text(op):
    return [(dtypes.string, SCALAR)]


_register = partial(register, gradient=not_differentiable, stateful=True)
_NAMES = "prefix=- tensor_names=- shape_and_slices=-"
_register("SaveV2", f"{_NAMES} tensors:*any=+dtypes", _nothing, "saved")
_register(
    "RestoreV2",
    _NAMES,
    lambda op: [(dtype, UNKNOWN) for dtype in op.attrs["dtypes"]],
    _restored_code,
)
_register("MergeV2Checkpoints", "checkpoint_prefixes=- prefix=-", _nothing, "merged_checkpoints")
_register("ShardedFilename", "basename=- shard=- num_shards=-", _text, "shard_name")
_register("StringJoin", "inputs:*any=-*", _text, "joined")
_register("StaticRegexFullMatch", "input=-", lambda op: [(dtypes.bool, SCALAR)], "is_on_s3")


# Building them.


class SaverNames(NamedTuple):
    """The names of the ops of a Saver, as its SaverDef has them."""

    filename_tensor_name: str
    save_tensor_name: str
    restore_op_name: str


def build_saver(
    variables: Mapping[str, Tensor], name: str | None, filename: str | None, sharded, reshape
) -> SaverNames:
    """Add the ops that save and restore these variables, by their names in the checkpoint."""
    with name_scope(name, "save", list(variables.values())):
        path = placeholder_with_default(filename or "model", [], "filename")
        path = placeholder_with_default(path, [], "Const")
        if sharded:
            shards = _by_device(variables)
            saved_path = _save_shards(path, shards)
            restored = [_restore_shard(path, shard, device, reshape) for device, shard in shards]
            restore = group(*restored, name="restore_all")
        else:
            saved_path = _save(path, variables)
            restore = _restore(path, variables, reshape, "restore_all")
    return SaverNames(path.name, saved_path.name, restore.name)


def _by_device(variables: Mapping[str, Tensor]) -> list[tuple[str, dict[str, Tensor]]]:
    """Return the variables of each device."""
    devices = sorted({tensor.device for tensor in variables.values()})
    return [
        (device, {name: t for name, t in variables.items() if t.device == device})
        for device in devices
    ]


def _processor(device: str):
    """Put new ops on the first processor of a device's machine."""
    return get_default_graph().device(merged_device(device, "/device:CPU:0"))


def _save(path: Tensor, variables: Mapping[str, Tensor]) -> Tensor:
    names, slices = list(variables), [""] * len(variables)
    op = build("SaveV2", path, names, slices, *variables.values())
    with control_dependencies([op]), path.graph.colocate_with(path):
        return identity(path, "control_dependency")


def _save_shards(path: Tensor, shards: list[tuple[str, dict[str, Tensor]]]) -> Tensor:
    """Save each device's variables, then make one checkpoint of them all."""
    with get_default_graph().device("/device:CPU:*"):
        on_s3 = build_tensor("StaticRegexFullMatch", path, pattern="^s3://.*")
        ending = where(on_s3, constant(".part"), constant("_temp/part"), name="Select")
        start = build_tensor("StringJoin", path, ending, separator="")
    count = constant(len(shards), name="num_shards")
    parts, saved = [], []
    for number, (device, variables) in enumerate(shards):
        with _processor(device):
            parts.append(build_tensor("ShardedFilename", start, number, count))
            saved.append(_save(parts[-1], variables).op)
    with control_dependencies(saved), _processor(shards[-1][0]):
        merge = build("MergeV2Checkpoints", parts, path, delete_old_dirs=True)
        with control_dependencies([merge]):
            return identity(path)


def _restore(path: Tensor, variables: Mapping[str, Tensor], reshaped, name: str) -> Operation:
    names, slices = list(variables), [""] * len(variables)
    types = tuple(ref.dtype.base_dtype for ref in variables.values())
    with get_default_graph().device("/device:CPU:0"):
        values = build("RestoreV2", path, names, slices, dtypes=types).outputs
    return group(*map(_assign, variables.values(), values, [reshaped] * len(types)), name=name)


def _restore_shard(path: Tensor, variables: Mapping[str, Tensor], device: str, reshaped):
    with get_default_graph().device(device):
        return _restore(path, variables, reshaped, "restore_shard")


def _assign(ref: Tensor, value: Tensor, reshaped) -> Tensor:
    known = ref.shape.is_fully_defined()
    if reshaped:
        value = reshape(value, ref.shape.as_list() if known else shape(ref))
    return assign(ref, value, validate_shape=known and not reshaped)


# What a stored graph says of its saver.


def scoped(name: str, scope: str) -> str:
    """Return a name in a scope; both may be empty."""
    return f"{scope}/{name}" if scope and name else name


def saved_variables(saver_def, scope: str) -> tuple[Any, dict[str, Tensor]]:
    """Return a SaverDef with the names in `scope`, and the variables by their names in checkpoints.

    Raises ValueError if it doesn't say which ops save and restore.
    """
    found = type(saver_def)()
    found.CopyFrom(saver_def)
    for field in ("save_tensor_name", "restore_op_name", "filename_tensor_name"):
        if not getattr(found, field):
            raise ValueError(f"saver_def must specify the {field}: {saver_def}")
        setattr(found, field, scoped(getattr(found, field), scope))
    waiting = [get_default_graph().get_operation_by_name(found.restore_op_name)]
    variables = {}
    for op in waiting:  # more are appended
        waiting += [c for c in op.control_inputs if c not in waiting]
        if op.type == "Assign":
            value = op.inputs[1]
            while value.op.type != "RestoreV2":
                value = value.op.inputs[0]
            names = value.op.inputs[1].op.attrs["value"]
            variables[names[value.value_index].decode()] = op.inputs[0]
    return found, variables
