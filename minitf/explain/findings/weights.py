"""Findings about what is trained: values that aren't finite, weights that stand still, averages."""

import ast
import math
from collections import Counter

import numpy as np

from minitf.explain.cure import Cure, cured, step_in_scope, with_argument, without
from minitf.explain.finding import Fault, finding
from minitf.explain.samples import KEPT_ELEMENTS
from minitf.explain.source import assigned, calls, calls_in, named, statement
from minitf.explain.uses import branches, fetched_names
from minitf.syntax import loops

_FEW = 20  # updates that are too few to say something about an average
_SLOW = 0.5  # a share of the beginning that an average shouldn't keep to the end


@finding("not-finite", "06_the_run_nobody_watched", "A value became NaN or infinite")
def not_finite(script):
    """Weights become NaN or infinite, perhaps because a rate does."""
    yield from next(filter(None, [_broken_rates(script), _broken_weights(script)]), [])


def _broken_rates(script) -> list[Fault]:
    """Return the fault of the first rate that isn't finite."""
    for rate in script.rates:
        broken = [point for point in rate.points if not math.isfinite(point.rate)]
        if broken:
            point, fine = broken[0], rate.points[: rate.points.index(broken[0])]
            said = f"The rate was {point.rate} at step {point.step:.0f}, in run {point.run + 1}"
            said += f"; before that, it was {fine[-1].rate:.4g}." if fine else "."
            words = "Check how the rate is computed. Does it divide by a step that's still 0?"
            return [Fault(said, [rate.call.line], Cure((), words), about=[rate])]
    return []


def _broken_weights(script) -> list[Fault]:
    """Return the fault of the first weight that isn't finite."""
    broken = script.record.not_finite | _broken_at_the_end(script)
    if not broken:
        return []
    weight = min(broken, key=lambda weight: (broken[weight][1], weight.number))
    good, bad = broken[weight]
    trains = [t for t in script.trains if any(weight in work.weights for work in t.works)]
    used = [r for r in script.rates if any(r.call.rate.op in t.before for t in trains)]
    said = f"{named(weight)} was NaN or infinite after training run {bad}"
    said += f" (after run {good} it was still finite)" if good < bad - 1 else ""
    before = [p for p in used[0].points if p.run < bad and math.isfinite(p.rate)] if used else []
    said += f", at a rate of {before[-1].rate:.4g}." if before else "."
    if len(broken) > 1:
        said += f" By the end, {len(broken)} variables were."
    words = (
        "Lower the rate, clip the gradients, or keep the loss away from log(0) and division by 0."
    )
    lines = [weight.source_line, *(train.line for train in trains)]
    return [Fault(said, lines, Cure((), words), about=list(broken))]


def _broken_at_the_end(script) -> dict:
    """Return the weights that aren't finite at the end, with the last runs that were looked at."""
    found = {}
    for work in script.works:
        for weight in work.weights - script.record.not_finite.keys():
            value = work.turn.state.get(weight.name)
            if value is not None and not np.isfinite(value).all():
                found[weight] = (work.seen, script.record.trained)
    return found


@finding("weights-never-move", "03_the_experiment", "Training changes no weight")
def weights_never_move(script):
    """A train op runs again and again, and all its weights stay as they were."""
    for train in script.trains:
        works = [work for work in train.works if work.weights]
        if sum(work.times for work in works) < 3 or not all(_stood_still(work) for work in works):
            continue
        rates = [rate for rate in script.rates if rate.call.rate is train.rate]
        names = _names({weight for work in works for weight in work.weights})
        said = f"{train.times} runs left {names} unchanged"
        said += f", at a rate of {rates[0].high:.4g}" if rates else ""
        words, about = f"Find what cuts the loss off from {names}, such as", [train]
        words += " a relu that is always 0."
        if rates and rates[0].high == 0:
            words = "Make the rate larger than 0. Does an integer division round it down?"
        elif rates and _is_lost(rates[0].high):
            said, about = f"{said}, which is too small to make a difference", [train, *rates]
            words = "Give these runs a larger rate. With this one, float32 rounds updates away."
        yield Fault(f"{said}.", [train.line], Cure((), words), about=about)


def _is_lost(rate: float) -> bool:
    """Return whether a rate is so small that a float32 near 1 doesn't notice it."""
    return np.float32(1) + np.float32(abs(rate)) == 1


def _names(weights) -> str:
    """Return what the script calls some weights, by full names where it uses a name twice."""
    short = Counter(map(named, weights))
    names = sorted(w.name if short[named(w)] > 1 else named(w) for w in weights)
    more = f" and {len(names) - 4} more" if len(names) > 4 else ""
    return ", ".join(names[:4]) + more


def _stood_still(work) -> bool:
    """Return whether all weights of a Work are the same after its runs as before them."""
    if work.moved:
        return False
    for state, began in work.before.values():
        for weight in work.weights:
            value = state.get(weight.name)
            if value is None or weight.name not in began:
                return False
            if not np.array_equal(np.ravel(value)[:KEPT_ELEMENTS], began[weight.name]):
                return False
    return bool(work.before)


@finding("trained-for-summaries", "12_watching", "Fetching a summary trains on a batch twice")
def trained_for_summaries(script):
    """A train op runs in each turn of a loop, and again in some turns beside something else."""
    for train in script.trains:
        places = [place for work in train.works for place in work.places if place.times]
        for plain in places:
            for more in places:
                fetches_more = any(fetch is not train.op for fetch in more.fetched)
                if fetches_more and _runs_again(plain, more):
                    said = f"Line {plain.line.lineno} trained {plain.times} times, and line "
                    said += f"{more.line.lineno} trained {more.times} times more for another fetch."
                    cure = _without_train_op(train, more)
                    yield Fault(said, [more.line, plain.line], cure, about=[train])


def _runs_again(plain, more) -> bool:
    """Return whether a turn of a loop that comes to one statement has also passed the other."""
    one, other = statement(plain.line), statement(more.line)
    if one is None or other is None or plain.line.filename != more.line.filename or one is other:
        return False
    if not loops(one) or not loops(other) or loops(one)[0] is not loops(other)[0]:
        return False
    loop = loops(one)[0]
    always, sometimes = set(branches(one, loop)), set(branches(other, loop))
    return always < sometimes and not _skips(one, other, loop)


def _skips(one, other, loop) -> bool:
    """Return whether a `continue` keeps the later statement from a turn that ran the earlier."""
    first, second = sorted((one, other), key=lambda node: node.lineno)
    jumps = [n for n in ast.walk(loop) if isinstance(n, ast.Continue | ast.Break)]
    return any(first.lineno < jump.lineno < second.lineno for jump in jumps)


def _without_train_op(train, place) -> Cure:
    """Return the cure that takes the train op out of what a run fetches."""
    words = "Take the train op out of this run."
    node, name = statement(place.line), assigned(train.line)
    found = calls(node, "run")
    if len(found) != 1 or not found[0].args or not name:
        return Cure((), words)
    fetches, targets = found[0].args[0], fetched_names(place.line)
    if not isinstance(fetches, ast.List | ast.Tuple) or len(fetches.elts) != len(targets):
        return Cure((), words)
    at = [i for i, each in enumerate(fetches.elts) if ast.unparse(each) == name]
    if len(at) != 1 or len(targets) < 2:
        return Cure((), words)
    [index], target = at, node.targets[0]
    if len(targets) == 2:
        kept = 1 - index
        changes = [
            (target, ast.unparse(target.elts[kept])),
            (fetches, ast.unparse(fetches.elts[kept])),
        ]
    else:
        changes = [without(target.elts, index), without(fetches.elts, index)]
    return cured(place.line.filename, changes, otherwise=words)


@finding("average-too-fast", "15_bug_clinic", "A moving average never slows down")
def average_too_fast(script):
    """The number of updates that an average is given stands still, so its decay stays small."""
    for call in script.calls("apply"):
        average, updates = call.given["self"], _times(script, call)
        count, decay = average._num_updates, average._decay
        if isinstance(count, int | np.integer) and isinstance(decay, float) and updates >= _FEW:
            used = min(decay, (1 + count) / (10 + count))
            if used < decay:
                said = f"num_updates was {count} in all {updates} updates, so the decay stayed at "
                said += f"{used:.3g} instead of rising to {decay:g}."
                words = "Pass the step as num_updates, because the step keeps counting."
                cure = _with_num_updates(call, _counted(script, call), words)
                yield Fault(said, [call.line], cure, about=[call])


def _times(script, call) -> int:
    """Return how often the op that a call of `apply` made has run."""
    return sum(work.times for work in script.works if call.result in work.program.ops)


def _counted(script, call) -> list:
    """Return the steps that count in the graph of an average."""
    return [s for s in script.steps_of(call.graph) if s.last and s.is_known_in_two_ways]


@finding("average-too-slow", "12_watching", "A moving average is too slow for this run")
def average_too_slow(script):
    """Most of an average is still what it began with, because its decay is so close to 1."""
    for call in script.calls("apply"):
        average, times = call.given["self"], _times(script, call)
        decay = average._decay
        if not script.whole or average._num_updates is not None or not isinstance(decay, float):
            continue
        averaged = [v for v in average._averages if hasattr(v, "initialized_value")]
        steps = _counted(script, call)
        updates = max([times, *(step.last for step in steps)])
        if averaged and times > 1 and decay**updates > _SLOW:
            said = f"After {updates:.0f} updates with a decay of {decay:g}, "
            said += f"{decay**updates:.0%} of the average is still its starting value."
            words = "Pass it the step as num_updates, so that it moves faster at first."
            yield Fault(said, [call.line], _with_num_updates(call, steps, words), about=[call])


def _with_num_updates(call, steps, words: str) -> Cure:
    made = calls_in(call.line.filename, "ExponentialMovingAverage")
    if len(made) != 1 or not steps:
        return Cure((), words)
    code = step_in_scope(steps[0], made[0], call.line.filename)
    changes = [with_argument(made[0], "num_updates", code, 1)] if code else []
    return cured(call.line.filename, changes, otherwise=words)
