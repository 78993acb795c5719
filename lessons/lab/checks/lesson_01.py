"""The check of lesson 01: what a run needs, and a fetch that needs no feed."""

import numpy as np

import minitf as tf
from lab.checks.verdict import Verdict, judge, listed
from lab.experiments.needed import ops_of_a_run


@judge
def check_needed(
    scaled: tf.Tensor,
    needed_by_scaled: list | tuple | set,
    other: tf.Tensor,
    still_works: object,
    unfed: tf.Tensor,
) -> Verdict | str:
    """Judge the ops that a run of `scaled` needs, the fetch that needs no `a`, and one without a feed."""
    if mistake := _mistake([_name(item) for item in needed_by_scaled], scaled):
        return f"1. `needed_by_scaled`: {mistake}"
    if _name(still_works) in ("scaled", scaled.op.name, scaled.name):
        return (
            "2. Try the other one. In a new session `scaled` fails, because the walk back from it\n"
            "reaches `a`, and nothing has put a number into `a` yet."
        )
    if _name(still_works) not in ("other", other.op.name, other.name):
        return "2. Let `still_works` be `scaled` or `other`, whichever still works."
    needed = [op.name for op in ops_of_a_run(unfed)]
    if "a" not in needed or "b" in needed:
        walk = f"The walk back from `{unfed.op.name}` reaches {listed(needed)}"
        return f"3. Try starting from `a`, and only from `a`. {walk}."
    with tf.Session() as sess:
        for number in (1.0, 5.0):
            sess.run("a/Assign", {"a/initial_value:0": number})
            if not np.array_equal(got := sess.run(unfed), 2 * number):
                return f"3. Double `a`. When `a` holds {number:g}, `unfed` is {got}, not {2 * number:g}."
    return Verdict(
        True,
        f"A run of `scaled` needs {len(ops_of_a_run(scaled))} operations. "
        "The walk back from `other` never reaches `a`, so `a` doesn't need a number.\n"
        f"And `unfed` needs only {listed(needed)}, so there's no placeholder to feed.",
    )


def _name(item: object) -> object:
    """Return the name that a learner means: a string, or an operation, tensor or Variable itself."""
    return getattr(getattr(item, "op", item), "name", item)


def _mistake(told: list, fetch: tf.Tensor) -> str:
    """Name what is no op, or say how many names are missing or too many, with a hint."""
    names = [op.name for op in fetch.graph.get_operations()]
    needed = [op.name for op in ops_of_a_run(fetch)]
    missing = [name for name in needed if name not in told]
    extra = [name for name in names if name in told and name not in needed]
    if unknown := [name for name in told if name not in names]:
        return (
            f"the graph has no operation {unknown[0]!r}. The picture above shows the names. They can\n"
            "differ from Python's names, and from the tensors', which end in a colon and a number."
        )
    if extra:
        hint = f"No path along the arrows leads from `{extra[0]}` to `{fetch.op.name}`."
    elif fetch.op.name in missing:
        hint = f"Your fetch is part of the run, too. It's the result of `{fetch.op.name}`."
    elif missing:
        arrows = [(tensor.op.name, op.name) for op in ops_of_a_run(fetch) for tensor in op.inputs]
        before, after = next(arrow for arrow in arrows if arrow[0] in missing and arrow[1] in told)
        hint = f"For example, an arrow leads from `{before}` to `{after}`."
    else:
        return ""
    return f"{len(missing)} missing, {len(extra)} too many.\n{hint}"
