"""A summary is an op that returns a message for TensorBoard: a tag and a value from this run.

Mirrors tensorflow/python/summary/summary.py and tensorflow/core/kernels/summary_op.cc.
"""

import functools
import re
from collections.abc import Iterable

import numpy as np

from minitf.framework import dtypes, tf_logging
from minitf.framework.graph import GraphKeys, add_to_collection, get_collection, name_scope
from minitf.framework.op_def_library import build_tensor, check_allowed
from minitf.framework.operation import Operation, Tensor
from minitf.framework.protos import message
from minitf.framework.registry import Code, call, kernel, not_differentiable, quoted, register
from minitf.framework.tensor_shape import SCALAR, in_message

# The ops.


def summary_of(tag: str, **value):
    """Return a Summary message with one value."""
    summary = message("Summary")
    return summary(value=[summary.Value(tag=tag, **value)])


@kernel
def scalar_summary(tag: str, value) -> bytes:
    """Return a serialized Summary of a number."""
    if np.ndim(value):
        raise ValueError(
            f"tags and values are not the same shape: [] != {in_message(np.shape(value))} (tag "
            f"'{tag}')"
        )
    return summary_of(tag, simple_value=value).SerializeToString()


@functools.cache
def _bucket_limits() -> np.ndarray:
    """Return where a histogram's buckets end: each is 10% wider than its neighbour towards 0."""
    limits = [1e-12]
    while limits[-1] * 1.1 < 1e20:
        limits.append(limits[-1] * 1.1)
    limits.append(np.finfo(np.float64).max)
    return np.array([-limit for limit in reversed(limits)] + [0.0] + limits)


@kernel
def histogram_summary(tag: str, values) -> bytes:
    """Return a serialized Summary of how many values each bucket has; empty neighbours merge."""
    values = np.ravel(values).astype(np.float64)
    if (wrong := values[~np.isfinite(values)]).size:
        problem = "Nan in summary histogram" if np.isnan(wrong[0]) else "Infinity in Histogram"
        raise ValueError(f"{problem} for: {tag}")
    limits = _bucket_limits()
    counts = np.bincount(np.searchsorted(limits, values, side="right"), minlength=len(limits))
    kept = (counts > 0) | np.append(counts[1:] > 0, True)
    histogram = message("HistogramProto")(
        min=values.min(initial=limits[-1]),
        max=values.max(initial=limits[0]),
        num=len(values),
        sum=values.sum(),
        sum_squares=(values * values).sum(),
        bucket_limit=limits[kept],
        bucket=counts[kept],
    )
    return summary_of(tag, histo=histogram).SerializeToString()


@kernel
def merge_summaries(*summaries) -> bytes:
    """Return one serialized Summary of all values. Raises ValueError if a tag occurs twice."""
    merged, tags = message("Summary")(), set()
    for serialized in np.concatenate([np.ravel(np.asarray(s, object)) for s in summaries]):
        try:
            values = message("Summary").FromString(serialized).value
        except Exception:  # protobuf's, which may not be installed
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
    elif op.type == "MergeSummary":
        types = {tensor.dtype.base_dtype.name for tensor in op.inputs}
        if types != {"string"}:
            raise TypeError(
                "Tensors in list passed to 'inputs' of 'MergeSummary' Op have types "
                f"[{', '.join(types)}] that do not match expected type string."
            )
    return [(dtypes.string, SCALAR)]


def _register(op_type: str, inputs: str, function: str) -> None:
    def code(op: Operation, tag: Code, *values: str) -> str:
        tag = f"{tag}.decode()" if tag.constant is None else quoted(tag.constant.decode())
        return call(function, tag, *values)

    register(op_type, inputs, _infer, code, not_differentiable)


_register("ScalarSummary", "tags=- values", "scalar_summary")
_register("HistogramSummary", "tag=- values", "histogram_summary")
register("MergeSummary", "inputs:*T=-*", _infer, "merge_summaries", not_differentiable)


# The functions that build them.

Collections = Iterable[str] | None


def scalar(name: str, tensor, collections: Collections = None, family: str | None = None) -> Tensor:
    """Return a summary of one number, which TensorBoard draws as a curve over the steps.

        loss_summary = tf.summary.scalar("loss", loss)
        writer.add_summary(sess.run(loss_summary), global_step=step)

    The summary is a string tensor. Its tag is `name` after the names of the scopes around it, with
    `family` in front: TensorBoard shows tags of the same family together. It joins `collections`,
    by default the one that `merge_all` merges. The number may have any real dtype; a run raises
    InvalidArgumentError unless it is a scalar.
    """
    return summarized("ScalarSummary", name, collections, family, tensor)


def histogram(
    name: str, values, collections: Collections = None, family: str | None = None
) -> Tensor:
    """Return a summary of how numbers, in a tensor of any shape, are distributed.

    Otherwise like `scalar`. A run raises InvalidArgumentError if one of them is not finite.
    """
    return summarized("HistogramSummary", name, collections, family, values)


def merge(inputs: list | tuple, collections: Collections = None, name: str | None = None) -> Tensor:
    """Return one summary with the values of all `inputs`.

    Raises ValueError if there are none, TypeError for anything but a list of string tensors. A run
    raises InvalidArgumentError if a tag occurs twice.
    """
    with name_scope(name, "Merge", inputs):
        if not isinstance(inputs, list | tuple):
            raise TypeError(
                f"Expected list for 'inputs' argument to 'merge_summary' Op, not {inputs}."
            )
        if not inputs:
            raise ValueError(
                "List argument 'inputs' to 'MergeSummary' Op with length 0 shorter than minimum "
                "length 1."
            )
        return collected(build_tensor("MergeSummary", *inputs, name=name), collections or ())


def merge_all(
    key: str = GraphKeys.SUMMARIES, scope: str | None = None, name: str | None = None
) -> Tensor | None:
    """Return one summary of all summaries in the collection `key`, or None if it has none.

    With `scope`, only those whose names begin with it count.
    """
    inputs = get_collection(key, scope)
    return merge(inputs, name=name) if inputs else None


def summarized(
    op_type: str, name: str | None, collections: Collections, family: str | None, *values, **attrs
) -> Tensor:
    """Return a summary of this type; its tag is `name` after the scopes around it."""
    name, prefix = _allowed(name), f"{_allowed(family)}/" if family else ""
    # `name` may be None only for a histogram.
    default = "HistogramSummary" if op_type == "HistogramSummary" else None
    with name_scope(f"{prefix}{name}" if prefix else name, default, values) as scope:
        summary = build_tensor(op_type, prefix + scope.rstrip("/"), *values, name=scope, **attrs)
    return collected(summary, collections)


def collected(summary: Tensor, collections: Collections) -> Tensor:
    """Return `summary` after adding it to `collections`, by default the one of all summaries."""
    for key in [GraphKeys.SUMMARIES] if collections is None else collections:
        add_to_collection(key, summary)
    return summary


def _allowed(name: str | None) -> str | None:
    """Return the name with `_` in place of characters that a tag can't have."""
    if name is None:
        return None
    allowed = re.sub(r"[^-/\w.]", "_", name).lstrip("/")
    if allowed != name:
        tf_logging.info("Summary name %s is illegal; using %s instead.", name, allowed)
    return allowed
