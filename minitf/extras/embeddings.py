"""Looks up rows in tables, and has losses that compare right classes with a few random ones.

Mirrors tensorflow/python/ops/embedding_ops.py and candidate_sampling_ops.py, these losses of
nn_impl.py, and tensorflow/core/kernels/range_sampler.cc.
"""

from collections import namedtuple
from functools import cache

import numpy as np

from minitf.extras.arrays import cumsum
from minitf.framework.common_shapes import check_rank
from minitf.framework.dtypes import float32, int32, int64
from minitf.framework.graph import get_default_graph, name_scope
from minitf.framework.op_def_library import at_least_one, convert_to_tensor, named
from minitf.framework.operation import Tensor
from minitf.framework.registry import call, kernel, no_gradient, register
from minitf.framework.tensor_shape import TensorShape
from minitf.ops.array_ops import (
    expand_dims,
    identity,
    ones_like,
    reshape,
    shape,
    stop_gradient,
    zeros_like,
)
from minitf.ops.gather_ops import gather
from minitf.ops.kernels import invalid, unimplemented
from minitf.ops.math_ops import cast, equal, log, matmul
from minitf.ops.nn_ops import (
    sigmoid_cross_entropy_with_logits,
    softmax_cross_entropy_with_logits_v2,
)
from minitf.ops.random_ops import SEEDS, build_random, stream_code
from minitf.ops.reduction_ops import reduce_any, reduce_sum
from minitf.ops.slicing_ops import concat, stack


def embedding_lookup(
    params, ids, partition_strategy="mod", name=None, validate_indices=True, max_norm=None
) -> Tensor:
    """The rows of `params` with the indices `ids`, as `tf.gather` returns them.

    `params` may be a list of tables, which share the rows: with the strategy "mod", table `k` of
    `n` has the rows `k`, `k + n` and so on; with "div", each has consecutive rows. Raises
    ValueError for any other strategy, UnimplementedError for a `max_norm`.
    """
    if max_norm is not None:
        raise unimplemented("max_norm")
    tables = list(params) if isinstance(params, list | tuple) else [params]
    with name_scope(name, "embedding_lookup", [*tables, ids]) as scope:
        if len(tables) == 1:
            with get_default_graph().colocate_with(tables[0]):
                rows = gather(tables[0], ids, name=scope)
            return identity(rows)
        if partition_strategy == "mod":
            ids = convert_to_tensor(ids)
            lengths = stack([shape(table, out_type=ids.dtype)[0] for table in tables])
            firsts = cumsum(lengths, exclusive=True)
            ids = gather(firsts, ids % len(tables)) + ids // len(tables)
        elif partition_strategy != "div":
            raise ValueError(
                f"Unrecognized partition strategy: {partition_strategy}."
                "Must be one of either `mod` or `div`."
            )
        return gather(concat(tables, 0), ids, name=scope)


# Random classes.

Candidates = namedtuple(
    "Candidates", "sampled_candidates true_expected_count sampled_expected_count"
)


@cache
def _ends(range_max, logarithmic):
    """The cumulative probabilities of the classes, from 0 to 1."""
    ends = np.arange(range_max + 1)
    return np.log1p(ends) / np.log1p(range_max) if logarithmic else ends / range_max


@kernel
def candidates(stream, true_classes, num_true, count, unique, range_max, logarithmic):
    """`count` random classes, and how often to expect the true ones and each of these there."""
    if np.ndim(true_classes) != 2:
        raise invalid("true_classes must be a matrix")
    if (columns := true_classes.shape[1]) != num_true:
        raise invalid(
            f"true_classes must have num_true columns, expected: {columns} was: {num_true}"
        )
    if unique and count > range_max:
        raise invalid("Sampler's range is too small.")
    for wrong in true_classes[(true_classes < 0) | (true_classes >= range_max)]:
        raise invalid(f"`true_candidate` out of range [0, {range_max}), received {wrong}")
    ends = _ends(range_max, logarithmic)

    def draw(size):
        return np.searchsorted(ends, stream.random(size), "right") - 1

    drawn, tries = draw(count), count
    if unique:
        while len(np.unique(drawn)) < count:
            drawn = np.append(drawn, draw(len(drawn)))
        firsts = np.sort(np.unique(drawn, return_index=True)[1])[:count]
        drawn, tries = drawn[firsts], firsts[-1] + 1
    found = [drawn]
    for classes in (true_classes, drawn):
        chance = ends[classes + 1] - ends[classes]
        expected = chance * count if tries == count else -np.expm1(tries * np.log1p(-chance))
        found.append(expected.astype(np.float32))
    return found


def _infer(op):
    check_rank(op.inputs[0], 2)
    drawn = TensorShape([op.attrs["num_sampled"]])
    batch = op.inputs[0].shape.with_rank(2)[0]
    return [(int64, drawn), (float32, TensorShape([batch, op.attrs["num_true"]])), (float32, drawn)]


def _sampler(op_type, function, logarithmic, doc):
    """Register an op that draws classes, and return the public function that builds it."""

    def code(op, true_classes):
        sizes = (op.attrs[name] for name in ("num_true", "num_sampled", "unique", "range_max"))
        return call("candidates", stream_code(op), true_classes, *sizes, logarithmic)

    def sampler(true_classes, num_true, num_sampled, unique, range_max, seed=None, name=None):
        attrs = at_least_one(
            op_type, num_true=num_true, num_sampled=num_sampled, range_max=range_max
        )
        attrs |= {"unique": unique, "seed": seed, "name": name}
        return Candidates(*build_random(op_type, true_classes, **attrs).op.outputs)

    defaults = SEEDS | {"unique": False, "range_max": 1}
    inputs = "true_classes:int64"
    register(op_type, inputs, _infer, code, no_gradient, stateful=True, defaults=defaults)
    return named(sampler, function, doc)


_DRAWN = """Draw `num_sampled` classes below `range_max`, all different if `unique`.

    Also returns how often to expect each of `true_classes`, and each drawn class, in such a draw.
    """
uniform_candidate_sampler = _sampler(
    "UniformCandidateSampler",
    "uniform_candidate_sampler",
    False,
    f"{_DRAWN}All classes are equally likely.",
)
log_uniform_candidate_sampler = _sampler(
    "LogUniformCandidateSampler",
    "log_uniform_candidate_sampler",
    True,
    f"{_DRAWN}Smaller classes are more likely (log-uniform).",
)

# Losses.


def _sampled_loss(function, finish, removes_hits, doc):
    """The public function that is `finish` of the labels and logits of right and random classes.

    From each logit, it subtracts the log of how often to expect its class.
    """

    def loss(
        weights,
        biases,
        labels,
        inputs,
        num_sampled,
        num_classes,
        num_true=1,
        sampled_values=None,
        remove_accidental_hits=removes_hits,
        partition_strategy="mod",
        name=function,
        seed=None,
    ):
        def rows(table, ids):
            return cast(embedding_lookup(table, ids, partition_strategy), inputs.dtype)

        with name_scope(name, "compute_sampled_logits", [inputs, labels]):
            inputs, labels = convert_to_tensor(inputs), cast(labels, int64)
            sampled, true_count, sampled_count = map(
                stop_gradient,
                sampled_values
                or log_uniform_candidate_sampler(
                    labels, num_true, num_sampled, True, num_classes, seed
                ),
            )
            labels, sampled = reshape(labels, [-1, num_true]), cast(sampled, int64)
            products = expand_dims(inputs, 1) * rows(weights, labels)
            true_logits = reduce_sum(products, 2) + rows(biases, labels)
            sampled_logits = matmul(inputs, rows(weights, sampled), transpose_b=True)
            sampled_logits += rows(biases, sampled)
            if remove_accidental_hits:  # if a class was drawn twice, only the last draw
                same = cast(equal(expand_dims(labels, 2), sampled), int32)
                hits = reduce_any(equal(same * cumsum(same, 2, reverse=True), 1), 1)
                sampled_logits += cast(hits, inputs.dtype) * float32.min
            logits = [true_logits - log(true_count), sampled_logits - log(sampled_count)]
            right = [ones_like(true_logits) / num_true, zeros_like(sampled_logits)]
            right, logits = concat(right, 1), concat(logits, 1)
        return finish(right, logits)

    return named(loss, function, doc)


def _is_right(right, logits):
    losses = sigmoid_cross_entropy_with_logits(labels=right, logits=logits, name="sampled_losses")
    return reduce_sum(losses, 1, name="Reshape")


def _which_is_right(right, logits):
    right = stop_gradient(right, name="labels_stop_gradient")
    return softmax_cross_entropy_with_logits_v2(labels=right, logits=logits)


_ARGUMENTS = """

    `weights` [num_classes, dim] and `biases` [num_classes] have a row for each class, and may be
    lists as in `embedding_lookup`. `labels` [batch, num_true] are the right classes of `inputs`
    [batch, dim]. `sampled_values` are what a sampler returned, by default the log-uniform one, for
    `num_sampled` classes. With `remove_accidental_hits`, a random class that is right is left out.
    """
nce_loss = _sampled_loss(
    "nce_loss",
    _is_right,
    False,
    f"For each row of `inputs`, the loss of telling right classes from random ones.{_ARGUMENTS}",
)
sampled_softmax_loss = _sampled_loss(
    "sampled_softmax_loss",
    _which_is_right,
    True,
    f"The cross entropy of each row of `inputs` among right and random classes.{_ARGUMENTS}",
)
