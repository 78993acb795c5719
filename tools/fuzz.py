"""Random calls with odd arguments, in minitf and in TensorFlow: `python -m tools.fuzz`.

A case is data: a call of a public function, often a second one on its result, and gradients. Each library builds and
runs it, and what can be seen is compared: the error that building or running raises, static shapes, dtypes, values.
odd_calls.py says how to draw the arguments of each function, `CLASSES` which differences remain and why.
"""

import argparse
import sys
from collections import Counter
from typing import NamedTuple

import numpy as np

from tests.conformance.outcomes import Raised, differences, encode, shorten
from tools.odd_calls import Drawing, Given, Named

GRAPHS = 3000

# What a library does with a case.


class Seen(NamedTuple):
    """What a library did: an error that building (0) or running (1) raised, or static facts and values."""

    error: Exception | None = None
    stage: int = 0
    static: tuple = ()
    values: tuple = ()


def resolve(tf, name):
    """What `tf.<name>` is."""
    for part in name.split("."):
        tf = getattr(tf, part)
    return tf


def build(tf, value, feeds):
    """An argument for one of the libraries."""
    if isinstance(value, Given):
        return value.build(tf, feeds)
    if isinstance(value, Named):
        found = resolve(tf, value.name)
        return found if value.argument is None else found(value.argument)
    if isinstance(value, list):
        return [build(tf, item, feeds) for item in value]
    return value


def tensors_in(tf, result):
    """The tensors of a result: it may be one, several, or IndexedSlices."""
    if isinstance(result, tf.IndexedSlices):
        return tensors_in(tf, [result.values, result.indices])
    if isinstance(result, list | tuple):
        return [t for item in result for t in tensors_in(tf, item)]
    return [] if result is None else [result]


def watch(tf, case):
    """Build and run a case."""
    with tf.Graph().as_default():
        feeds, before, taken = {}, [], []
        try:
            for call in case.calls:
                arguments = before[:1] + [build(tf, argument, feeds) for argument in call.arguments]
                named = {name: build(tf, argument, feeds) for name, argument in call.named.items()}
                given = [*arguments[len(before[:1]) :], *named.values()]
                taken += [t for t in given if isinstance(t, tf.Tensor)]
                before = tensors_in(tf, resolve(tf, call.name)(*arguments, **named))
            shown = list(before)
            if case.gradients and before and taken:
                shown += tensors_in(
                    tf,
                    [
                        tf.convert_to_tensor(g) if g is not None else tf.constant(b"none")
                        for g in tf.gradients(before[0], taken)
                    ],
                )
        except Exception as error:
            return Seen(error)
        static = tuple((t.dtype.base_dtype.name, str(t.shape)) for t in shown)
        try:
            with tf.Session() as session:
                return Seen(static=static, values=tuple(session.run(shown, feeds)))
        except Exception as error:
            return Seen(error, 1, static)


def difference(case, seen, wanted):
    """How minitf's answer differs from TensorFlow's, in a few words; "" if it doesn't."""
    in_single = any(call.name.startswith("losses.") for call in case.calls)
    return "; ".join(differences(shorten(_encoded(wanted, in_single)), _encoded(seen, in_single)))


def _encoded(seen, in_single):
    """What was seen, as transcripts compare it; losses are computed in single precision."""
    values = [np.asarray(value) for value in seen.values]
    if in_single:
        values = [value.astype("float32") if value.dtype == "float64" else value for value in values]
    error = seen.error and Raised(seen.error)
    return encode({"stage": seen.stage, "error": error, "static": seen.static, "values": values})


# Differences that remain, and why.


def _says(*texts):
    """Whether TensorFlow's error has one of these texts."""
    return lambda case, seen, wanted: wanted.error is not None and any(t in str(wanted.error) for t in texts)


def _calls(*names):
    """Whether the case calls one of these functions."""
    return lambda case, seen, wanted: any(call.name in names for call in case.calls)


def _both(*tests):
    return lambda *args: all(test(*args) for test in tests)


def _both_refuse(case, seen, wanted):
    return seen.error is not None and wanted.error is not None


def _same_error(case, seen, wanted):
    return _both_refuse(case, seen, wanted) and (seen.stage, type(seen.error).__name__) == (
        wanted.stage,
        type(wanted.error).__name__,
    )


def _several_faults(case, seen, wanted):
    """Whether both refuse, but with other errors or in another stage."""
    return _both_refuse(case, seen, wanted) and not _same_error(case, seen, wanted)


def _tensorflow_stops(case, seen, wanted):
    return type(wanted.error).__name__ in ("AttributeError", "IndexError", "AssertionError")


def _lengths(text):
    return None if text == "<unknown>" else text.strip("()").rstrip(",").split(", ")


def _compatible(one, other):
    if one[0] != other[0] or None in (pair := (_lengths(one[1]), _lengths(other[1]))):
        return one[0] == other[0]
    return len(pair[0]) == len(pair[1]) and all(a == b or "?" in (a, b) for a, b in zip(*pair, strict=True))


def _knows_less(case, seen, wanted):
    pairs = zip(seen.static, wanted.static, strict=len(seen.static) == len(wanted.static))
    return bool(seen.static) and seen.static != wanted.static and all(_compatible(*pair) for pair in pairs)


def _says_nothing(case, seen, wanted):
    return wanted.error is None and seen.error is not None


def _refused(case, seen, wanted):
    return wanted.error is not None and seen.error is None


def _of_nothing(case, seen, wanted):
    return _says_nothing(case, seen, wanted) and any(np.size(v) == 0 for v in wanted.values)


def _bytes_as_numbers(case, seen, wanted):
    given = [a for call in case.calls for a in (*call.arguments, *call.named.values()) if isinstance(a, Given)]
    return any(a.value.dtype == object for a in given) and seen.error is not None and seen.stage == 0


def _none_for_k(case, seen, wanted):
    return any(a[0] == "string" and b[0] == "int32" for a, b in zip(seen.static, wanted.static, strict=False))


def _strange(value):
    return value.dtype.kind == "f" and bool(np.any(~np.isfinite(value) | (np.abs(value) > 1e9)))


def _strange_numbers(case, seen, wanted):
    """Whether both have values, and there are infinities, NaN or huge numbers among them."""
    return any(_strange(np.asarray(v)) for v in (*seen.values, *wanted.values))


_LOSSES = ("nn.softmax", "nn.log_softmax", "nn.softmax_cross_entropy_with_logits_v2", "losses.softmax_cross_entropy")
_OWN_GRAPH = ("/range", "linspace", "Received weights=", "assertion failed", "DynamicStitch", "concat_dim")
# The first class that fits counts: its name, when it fits, and the reason.
CLASSES = [
    ("static shape", _knows_less, "one of the two leaves a length open that the run finds to be the same"),
    ("TensorFlow stops", _tensorflow_stops, "its Python code stops by accident, for example at a list without a dtype"),
    ("accident", _says("'NoneType'", "instances of", "__index__", "not in list"), "Python's own words, by accident"),
    ("axis of a loss", _calls(*_LOSSES), "TensorFlow computes with an odd axis and so refuses, or takes, it elsewhere"),
    ("own graph", _says(*_OWN_GRAPH), "the message shows ops that TensorFlow builds inside and minitf doesn't need"),
    ("lists of dtypes", _says("Expected one of"), "the list has dtypes that minitf lacks"),
    ("order of inputs", _both(_same_error, _calls("split")), "TensorFlow's Split has its axis first"),
    (
        "advice",
        _both(_same_error, _says("In general every operation")),
        "only TensorFlow's message goes on with advice",
    ),
    (
        "conversion",
        _both(_same_error, _says("Too many elements", "binary or unicode", "Expected string", "'Pack'")),
        "a message about a Python value, in other words",
    ),
    (
        "rearranged",
        _both(_same_error, _says("Incompatible shapes")),
        "TensorFlow's optimizer swaps the inputs of some ops",
    ),
    ("pow", _calls("pow"), "TensorFlow's optimizer makes a sqrt of pow(x, [0.5]) and forgets the shape [1]"),
    ("log_loss", _calls("losses.log_loss"), "TensorFlow's optimizer adds the constants in 1 - p + 1e-7 first"),
    ("merging", _both(_same_error, _calls("add_n", "stack")), "of several shapes, TensorFlow compares others first"),
    (
        "rows",
        _both(_same_error, _calls("nn.sparse_softmax_cross_entropy_with_logits")),
        "TensorFlow makes a matrix first",
    ),
    (
        "one number",
        _both(_refused, _says("Updates shape")),
        "TensorFlow has no gradient of gather_nd for a single number",
    ),
    ("gradient first", _says("segment_ids["), "of two ops that fail, TensorFlow may run the gradient's first"),
    ("targets", _both(_both_refuse, _calls("nn.in_top_k")), "TensorFlow makes whole numbers of NumPy's floats first"),
    ("mask", _both(_both_refuse, _calls("boolean_mask")), "TensorFlow flattens the masked axes before it gathers"),
    ("conj", _both(_same_error, _says("numeric or variant")), "TensorFlow conjugates what it transposes first"),
    ("scalar", _both(_same_error, _says("slice scalar")), "of two faults, TensorFlow reports another one first"),
    ("bytes as numbers", _bytes_as_numbers, "TensorFlow reads b'1' in a NumPy array as a number where one is wanted"),
    ("nothing", _of_nothing, "TensorFlow checks nothing where there is nothing to compute"),
    (
        "tables",
        _calls("nn.embedding_lookup"),
        "a negative id is refused only by TensorFlow if there are several tables",
    ),
    ("k", _both(_none_for_k, _calls("nn.top_k")), "TensorFlow's gradient of the whole number k is 0, not None"),
    ("branch", _both(_calls("where"), _says_nothing), "with a constant condition, TensorFlow drops the other branch"),
    ("eye", _both(_both_refuse, _calls("eye")), "of two faults, TensorFlow reports another one first"),
    ("several faults", _several_faults, "of two faults, TensorFlow reports another one first"),
    ("dtype of one_hot", _both(_same_error, _calls("one_hot")), "of two wrong dtypes, TensorFlow names another one"),
    ("linspace", _calls("linspace"), "TensorFlow 1's takes only scalars, minitf's too; 2.21's also takes vectors"),
    ("strange numbers", _strange_numbers, "NaN has no order in top_k, and huge numbers cancel otherwise"),
]


def class_of(case, seen, wanted):
    """The class of a difference, or None."""
    return next((name for name, fits, _ in CLASSES if fits(case, seen, wanted)), None)


def compared(tf, other, seed, graphs):
    """Yield (seed of the case, case, words, class) of each of the cases in which minitf differs."""
    for number in range(graphs):
        case = Drawing(f"{seed}/{number}").case()
        wanted, seen = watch(other, case), watch(tf, case)
        words = difference(case, seen, wanted)
        if words:
            yield number, case, words, class_of(case, seen, wanted)


def main(arguments=None):
    """The command; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.fuzz", description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--graphs", type=int, default=GRAPHS)
    chosen = parser.parse_args(arguments)
    import minitf
    from tests.conformance.referee import import_tensorflow

    counts = Counter()
    for number, case, words, known in compared(minitf, import_tensorflow(), chosen.seed, chosen.graphs):
        counts[known] += 1
        if known is None:
            print(f"{chosen.seed}/{number}: {words}\n{case}\n", flush=True)
    print(dict(counts))
    return int(None in counts)


if __name__ == "__main__":
    sys.exit(main())
