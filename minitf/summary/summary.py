"""A summary is an op that gives a message for TensorBoard: a tag, and a value of this run.

Mirrors tensorflow/python/summary/summary.py and tensorflow/core/kernels/summary_op.cc.
"""

import functools
import re
from collections.abc import Iterable
from typing import Any

import numpy as np

from minitf.framework import dtypes, tf_logging
from minitf.framework.graph import GraphKeys, add_to_collection, get_collection, name_scope
from minitf.framework.op_def_library import build_tensor, check_allowed
from minitf.framework.operation import Operation, Tensor
from minitf.framework.protos import message, tensor_proto
from minitf.framework.registry import Code, call, kernel, not_differentiable, quoted, register
from minitf.framework.tensor_shape import SCALAR, in_message

# The ops.


def summary_of(tag: str, **value):
    """A Summary of one value."""
    summary = message("Summary")
    return summary(value=[summary.Value(tag=tag, **value)])


@kernel
def scalar_summary(tag: str, value) -> bytes:
    """A number under a tag."""
    if np.ndim(value):
        shapes = f"[] != {in_message(np.shape(value))}"
        raise ValueError(f"tags and values are not the same shape: {shapes} (tag '{tag}')")
    return summary_of(tag, simple_value=value).SerializeToString()


@functools.cache
def _bucket_limits() -> np.ndarray:
    """Where the buckets of a histogram end: each is wider than the one nearer to 0 by a tenth."""
    largest = np.finfo(np.float64).max
    limits = [1e-12]
    while limits[-1] * 1.1 < 1e20:
        limits.append(limits[-1] * 1.1)
    limits.append(largest)
    return np.array([-limit for limit in reversed(limits)] + [0.0] + limits)


@kernel
def histogram_summary(tag: str, values) -> bytes:
    """How many of the values fall into each bucket, under a tag; neighbours that are empty count as one bucket."""
    values = np.ravel(values).astype(np.float64)
    if (wrong := values[~np.isfinite(values)]).size:
        problem = "Nan in summary histogram" if np.isnan(wrong[0]) else "Infinity in Histogram"
        raise ValueError(f"{problem} for: {tag}")
    limits = _bucket_limits()
    counts = np.bincount(np.searchsorted(limits, values, side="right"), minlength=len(limits))
    kept = (counts > 0) | np.append(counts[1:] > 0, True)
    ends = {"min": values.min(initial=limits[-1]), "max": values.max(initial=limits[0])}
    sums = {"num": len(values), "sum": values.sum(), "sum_squares": (values * values).sum()}
    buckets = {"bucket_limit": limits[kept], "bucket": counts[kept]}
    return summary_of(
        tag, histo=message("HistogramProto")(**ends, **sums, **buckets)
    ).SerializeToString()


@kernel
def tensor_summary(tag: str, value, metadata: bytes) -> bytes:
    """A whole tensor under a tag, and for which part of TensorBoard it is."""
    metadata = message("SummaryMetadata").FromString(metadata)
    return summary_of(tag, tensor=tensor_proto(value), metadata=metadata).SerializeToString()


@kernel
def merge_summaries(*summaries) -> bytes:
    """The values of all summaries as one summary, in which no tag may occur twice."""
    merged, tags = message("Summary")(), set()
    for serialized in np.concatenate([np.ravel(np.asarray(s, object)) for s in summaries]):
        try:
            values = message("Summary").FromString(serialized).value
        except Exception:  # protobuf's, which may not be there to be imported by name
            raise ValueError("Could not parse one of the summary inputs") from None
        for value in values:
            if value.tag in tags:
                raise ValueError(f"Duplicate tag {value.tag} found in summary inputs ")
            tags.add(value.tag)
        merged.value.extend(values)
    return merged.SerializeToString()


def _infer(op: Operation) -> list:
    if op.type in ("ScalarSummary", "HistogramSummary"):
        check_allowed("values", op.inputs[1].dtype.base_dtype, dtypes.REALS)
    elif op.type == "MergeSummary" and (types := {t.dtype.base_dtype.name for t in op.inputs}) != {
        "string"
    }:
        problem = f"have types [{', '.join(types)}] that do not match expected type string."
        raise TypeError(f"Tensors in list passed to 'inputs' of 'MergeSummary' Op {problem}")
    return [(dtypes.string, SCALAR)]


def _register(op_type: str, inputs: str, function: str) -> None:
    def code(op: Operation, tag: Code, *values: str) -> str:
        tag = f"{tag}.decode()" if tag.constant is None else quoted(tag.constant.decode())
        return call(function, tag, *values)

    register(op_type, inputs, _infer, code, not_differentiable)


_register("ScalarSummary", "tags values", "scalar_summary")
_register("HistogramSummary", "tag values", "histogram_summary")
_register("TensorSummaryV2", "tag tensor serialized_summary_metadata", "tensor_summary")
register("MergeSummary", "inputs:*T", _infer, "merge_summaries", not_differentiable)


# The functions that build them.

Collections = Iterable[str] | None


def scalar(name: str, tensor, collections: Collections = None, family: str | None = None) -> Tensor:
    """A summary of one number, of any real dtype: TensorBoard draws it over the steps.

    The tag is the summary's name, with the scopes around it; `family` is put before both, and TensorBoard shows those
    of one family together. The summary is added to `collections`, or to those that `merge_all` merges. A run raises
    InvalidArgumentError where `tensor` is no scalar.
    """
    return _summary("ScalarSummary", name, collections, family, tensor)


def histogram(
    name: str, values, collections: Collections = None, family: str | None = None
) -> Tensor:
    """A summary of how numbers of any shape and real dtype are distributed; else as `scalar`.

    A run raises InvalidArgumentError where one of them is not finite.
    """
    return _summary("HistogramSummary", name, collections, family, values)


def text(name: str, tensor, collections: Collections = None) -> Tensor:
    """A summary of strings, of any shape; else as `scalar`. Raises ValueError for any other dtype."""
    if tensor.dtype.base_dtype is not dtypes.string:
        raise ValueError(f"Expected tensor {tensor.name} to have dtype string, got {tensor.dtype}")
    metadata = message("SummaryMetadata")(plugin_data={"plugin_name": "text"})
    return _summary(
        "TensorSummaryV2", name, collections, None, tensor, metadata.SerializeToString()
    )


def merge(
    inputs: list[Any] | tuple[Any, ...], collections: Collections = None, name: str | None = None
) -> Tensor:
    """One summary of everything in these. A run raises InvalidArgumentError where a tag occurs twice.

    Raises ValueError where there are none, TypeError for what is no list, or no string tensor.
    """
    with name_scope(name, "Merge", inputs):
        if not isinstance(inputs, list | tuple):
            raise TypeError(
                f"Expected list for 'inputs' argument to 'merge_summary' Op, not {inputs}."
            )
        if not inputs:
            short = "with length 0 shorter than minimum length 1."
            raise ValueError(f"List argument 'inputs' to 'MergeSummary' Op {short}")
        merged = build_tensor("MergeSummary", *inputs, name=name)
    for key in collections or ():
        add_to_collection(key, merged)
    return merged


def merge_all(
    key: str = GraphKeys.SUMMARIES, scope: str | None = None, name: str | None = None
) -> Tensor | None:
    """One summary of all in the collection (of those whose name the pattern `scope` begins), or None."""
    inputs = get_collection(key, scope)
    return merge(inputs, name=name) if inputs else None


def _summary(
    op_type: str, name: str | None, collections: Collections, family: str | None, *values
) -> Tensor:
    name, family = _allowed(name), _allowed(family)
    default = (
        "HistogramSummary" if op_type == "HistogramSummary" else None
    )  # only there may `name` be None
    with name_scope(f"{family}/{name}" if family else name, default, values) as scope:
        tag = scope.rstrip("/")
        summary = build_tensor(op_type, f"{family}/{tag}" if family else tag, *values, name=scope)
    for key in [GraphKeys.SUMMARIES] if collections is None else collections:
        add_to_collection(key, summary)
    return summary


def _allowed(name: str | None) -> str | None:
    """The name, with `_` for each character that no tag may have."""
    if name is None:
        return None
    allowed = re.sub(r"[^-/\w.]", "_", name).lstrip("/")
    if allowed != name:
        tf_logging.info("Summary name %s is illegal; using %s instead.", name, allowed)
    return allowed
