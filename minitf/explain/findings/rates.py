"""Findings about learning rates and the schedules that they come from."""

import ast
import linecache
import math
from itertools import pairwise, product

from minitf.client.dependencies import computed_from
from minitf.explain.cure import Cure, cured, step_in_scope, with_step
from minitf.explain.finding import Fault, finding
from minitf.explain.record import SCHEDULES, clocks_of
from minitf.explain.source import assigned, calls, calls_in, is_known, statement, tree
from minitf.explain.uses import depends_on_counter, passed_to, python_uses
from minitf.syntax import argument

_FALLING = [
    "exponential_decay",
    "natural_exp_decay",
    "inverse_time_decay",
    "cosine_decay",
    "polynomial_decay",
]
_RATE = "05_the_rate_reads_the_clock"
_FEW = 20  # training runs that are too few to see a rate fall
_MANY = 20  # a run of so many times decay_steps is more than a schedule is meant for


@finding("rate-never-moves", "03_the_experiment", "A schedule never changes the rate")
def rate_never_moves(script):
    """A schedule's first and last rates are the same.

    If its first change is still to come, the run may only be a short one, and that's a question.
    """
    for rate in script.rates:
        if not rate.is_schedule or not rate.is_flat or script.record.trained < 2:
            continue
        stood_still = _is_constant(rate) or rate.first.step == rate.last.step
        if not _is_constant(rate) and not script.whole:
            continue
        if not stood_still and script.record.trained < _FEW:
            continue  # it's only a short run of something longer
        base = rate.number("learning_rate")
        if rate.first.step > 0 and base and not math.isclose(base, rate.first.rate, rel_tol=1e-5):
            continue  # it has moved before, in an earlier run of the script
        if rate.boundaries and rate.first.step > rate.boundaries[0]:
            continue  # and so has this one
        stays = rate.last.rate == rate.first.rate and (_is_due(rate) or _is_set_back(script, rate))
        sure = stood_still or stays
        cure = _move_it(script, rate, stood_still)
        yield Fault(_what_it_gave(script, rate), [rate.call.line], cure, sure, _about(script, rate))


def _is_constant(rate) -> bool:
    """Return whether a schedule's step is a number, which nothing can change."""
    return not any(op.type in ("VariableV2", "Placeholder") for op in computed_from(rate.call.step))


def _first_change(rate) -> int | None:
    """Return the step by which a schedule's rate is another one, or None if that isn't known."""
    if rate.boundaries and math.isfinite(rate.boundaries[0]):
        return math.floor(rate.boundaries[0]) + 1
    length = rate.number("decay_steps") or rate.number("first_decay_steps")
    return math.ceil(length) if length and math.isfinite(length) else None


def _is_due(rate) -> bool:
    """Return whether a run came to the step by which its rate should have changed."""
    change = _first_change(rate)
    return change is not None and rate.last.step >= change


def _is_set_back(script, rate) -> bool:
    """Return whether the step that a schedule reads starts over while its session goes on."""
    found = [script.record.set_back.get(clock) for clock in clocks_of(rate.call)]
    return any(back and not back.begun_anew for back in found)


def _about(script, rate) -> list:
    """Return what a fault of a rate is about: the rate, and the steps that it reads."""
    return [
        rate,
        *(step for step in script.steps if step.variable in computed_from(rate.call.rate)),
    ]


def _move_it(script, rate, stood_still) -> Cure:
    """Return a cure for a schedule whose rate stays the same, perhaps because its step does."""
    line, name = rate.call.line, rate.call.name
    if not stood_still:
        return Cure((), _when_it_moves(rate))
    if clocks_of(rate.call):
        return Cure((), "Make sure that something counts the step it reads.")
    node = statement(line)
    words = "Pass the schedule the Variable that minimize counts, because that one moves."
    for step in script.steps_of(rate.call.graph):
        code = step_in_scope(step, node, line.filename)
        if code and step.moved:
            return cured(line.filename, with_step(node, name, code), otherwise=words)
    return Cure((), words)


def _when_it_moves(rate) -> str:
    """Return at which step a schedule's rate first changes, and what to do about it."""
    change, ended = _first_change(rate), f"this run ended at {rate.last.step:.0f}"
    if _is_due(rate):
        return f"It should have changed by step {change}. Do its arguments give just one rate?"
    if change is None:
        said = f"The rate hasn't changed yet, and {ended}."
    elif rate.boundaries or rate.call.given.get("staircase"):
        said = f"The rate first changes at step {change}, but {ended}."
    else:
        said = f"The schedule takes {change} steps, and {ended}, before any change showed."
    lower = "lower the boundaries" if rate.boundaries else "choose a smaller decay_steps"
    return f"{said} If you mean to train for longer, all is well; if not, {lower}."


@finding("rate-grows", _RATE, "The rate grows", causes=["not-finite"])
def rate_grows(script):
    """A schedule that should decay grows instead, or a rate rises to the end of the run."""
    for rate in script.rates:
        if rate.last.rate <= rate.first.rate * 1.000001:
            continue
        if rate.call.name == "polynomial_decay":
            found = _has_default_end(rate)
            words = "Choose an end_learning_rate below the rate at the start."
        elif rate.call.name in _FALLING:
            found = True
            words = "Choose a decay_rate below 1 (or above 0, for natural and inverse time decay)."
        else:
            found, words = (
                script.whole and _rises_to_the_end(rate),
                "Let it fall, at least towards the end.",
            )
        if found:
            about = [rate, *_trained(script, rate)]
            yield Fault(_what_it_gave(script, rate), [rate.call.line], Cure((), words), about=about)


def _rises_to_the_end(rate) -> bool:
    """Return whether a rate that is computed in the graph grows by half and never pauses."""
    points = [point.rate for point in rate.points]
    computed = any(op.type == "VariableV2" for op in computed_from(rate.call.rate))
    rising = all(one < other for one, other in pairwise(points))
    return not rate.is_schedule and computed and rising and points[-1] > 1.5 * points[0] > 0


def _trained(script, rate) -> list:
    """Return the variables that are trained at a rate."""
    used = [train for train in script.trains if rate.call.rate.op in train.before]
    return [weight for train in used for work in train.works for weight in work.weights]


def _has_default_end(rate) -> bool:
    """Return whether a polynomial decay rises to an end that nobody chose."""
    found = calls(statement(rate.call.line), "polynomial_decay")
    return len(found) == 1 and argument(found[0], 3, "end_learning_rate") is None


@finding(
    "decay-in-epochs",
    _RATE,
    "The schedule and the step count different things",
    causes=["weights-never-move"],
)
def decay_in_epochs(script):
    """A schedule assumes far fewer steps than there are, or far more."""
    for rate in script.rates:
        first, last = rate.first, rate.last
        steps, runs = last.step - first.step + 1, script.record.trained
        length = rate.number("decay_steps")
        if rate.boundaries:
            passed = rate.boundaries[-1]
            if 0 < passed * _MANY < last.step and first.step < 2:
                said = f"Its last boundary is {passed:g}, so the rate was {last.rate:.4g} from step"
                said += f" {passed + 1:.0f} on, for the rest of {runs} training runs."
                yield _too_short(script, rate, said, passed)
            continue
        if rate.call.name not in _FALLING or not length:
            continue
        vanished = not 1e-4 < last.rate / (first.rate or 1) < 1e4
        ended = rate.call.name in ("polynomial_decay", "cosine_decay") and first.step < 2
        if steps > _MANY * length and (vanished or ended):
            yield _too_short(script, rate, _what_it_gave(script, rate), length)
        elif script.whole and 1 < steps < min(length, runs) / 10 and steps < runs / 2:
            asked = "Does the step count epochs?" if _has_epochs(rate) else "What counts the step?"
            yield Fault(
                _what_it_gave(script, rate),
                [rate.call.line],
                Cure((), f"{asked} It got to {last.step:.0f} in {runs} runs."),
                sure=True,
                about=_about(script, rate),
            )


def _too_short(script, rate, said: str, length: float) -> Fault:
    """Return the fault of a schedule that was over, or almost, long before its run was."""
    what = "The boundaries are" if rate.boundaries else "decay_steps is"
    steps = rate.last.step - rate.first.step
    if _has_epochs(rate):
        words = "them" if rate.boundaries else f"{length:g}"
        words = f"{what} in steps, so multiply {words} by the steps per epoch."
    else:
        words = f"{what} in steps, and this run counted {steps:,.0f}, so choose a longer schedule."
    lines = [rate.call.line]
    if pair := _counted_and_fitting(script, rate, length):
        (counted, at), (fitting, elsewhere) = [(t, t.works[0].places[0].line) for t in pair]
        name, other, lines = _name(counted), _name(fitting), [*lines, at, elsewhere]
        words = f"The step counts the {counted.times:,} runs of {name} (line {at.lineno}). The"
        words += f" {fitting.times:,} runs of {other} (line {elsewhere.lineno}) would fit the"
        words += f" schedule. If it's meant for those, pass the step to what makes {other},"
        words += f" and not to what makes {name}."
    return Fault(said, lines, Cure((), words), about=_about(script, rate))


def _has_epochs(rate) -> bool:
    """Return whether the script of a schedule speaks of epochs."""
    return any("epoch" in line.lower() for line in linecache.getlines(rate.call.line.filename))


def _counted_and_fitting(script, rate, length: float) -> list:
    """Return a train op that a schedule's step counts and one that would suit it better, if any."""
    ran = [train for train in script.trains if train.times and train.graph is rate.call.graph]
    clocks = clocks_of(rate.call)
    counted = [t for t in ran if any(clock in clocks for clock in clocks_of(t.call))]
    fitting = [t for t in ran if t not in counted and length <= t.times <= _MANY * length]
    return [counted[0], fitting[0]] if counted and fitting else []


def _name(train) -> str:
    return assigned(train.line) or train.op.name


def _what_it_gave(script, rate) -> str:
    first, last = rate.first, rate.last
    length = rate.number("decay_steps")
    said = f"The rate was {first.rate:.4g} at step {first.step:.0f}"
    if (first.rate, first.step) == (last.rate, last.step):
        said += f", in all {script.record.trained} training runs"
    else:
        said += f" and {'still ' * rate.is_flat}{last.rate:.4g} at step {last.step:.0f}"
        said += f", over {script.record.trained} training runs"
    return said + (f"; decay_steps is {length:g}." if length else ".")


@finding("rate-not-used", _RATE, "No optimizer uses the schedule's rate")
def rate_not_used(script):
    """A schedule is made, but no train op is computed from it, and nothing else uses it either."""
    for call in script.calls(*SCHEDULES):
        trains = [t for t in script.trains if t.graph is call.graph and t.times > 1]
        rate = getattr(call.rate, "op", None)
        if not trains or rate is None or not script.whole:
            continue
        name = assigned(call.line)
        if any(rate in train.before for train in trains):
            continue
        uses = python_uses(name, call.line.filename) if name else []
        if not name or any(not passed_to(node).endswith("Optimizer") for node in uses):
            continue  # Python may feed it, or use it for something else
        used = {
            f"{r.first.rate:.4g}"
            for r in script.rates
            if r.call.name == "apply_gradients" and r.is_flat
        }
        said = f"No train op uses {name}" + (
            f"; the rate stayed at {', '.join(sorted(used))}." if used else "."
        )
        yield Fault(said, [call.line, *(t.line for t in trains)], _use_it(call), about=[call])


def _use_it(call) -> Cure:
    """Return the cure that gives a schedule's rate to the only optimizer of the script."""
    filename, name = call.line.filename, assigned(call.line)
    made = calls_in(filename, r"\w+Optimizer")
    words = "Pass the schedule's result to the optimizer as the learning rate."
    if len(made) != 1 or not name or not is_known(name, made[0], filename):
        return Cure((), words)
    old = argument(made[0], 0, "learning_rate")
    return cured(filename, [(old, name)] if old is not None else [], otherwise=words)


@finding("rate-starts-over", "10_stop_and_resume", "The rate starts over after a restore")
def rate_starts_over(script):
    """A rate that Python computes begins anew, while the step goes on."""
    for (restore, turn), rate in product(script.resumed(), script.rates):
        fed = [op for op in computed_from(rate.call.rate) if op.type.startswith("Placeholder")]
        steps = [s for s in script.steps_of(rate.call.graph) if turn.numbers.get(s.key, 0) > 0]
        if len(fed) != 1 or not steps or rate.is_flat or restore.graph is not rate.call.graph:
            continue
        counter = _fed_counter(fed[0], turn.line.filename)
        if counter or _is_written(rate.first.rate, turn.line.filename):
            step = steps[0]
            said = f"Training continued at {step.name} {turn.numbers[step.key]}, but the fed rate"
            said += f" started over at {rate.first.rate:.4g} and ended at {rate.last.rate:.4g}."
            said += f" Python computes it from {counter}." if counter else ""
            words = f"Compute the rate from {step.name}, or save it in a Variable of its own."
            lines = [turn.line, fed[0].source_line, restore.line]
            yield Fault(said, lines, Cure((), words), about=[rate])


def _fed_counter(placeholder, filename: str) -> str:
    """Return the Python counter from which the script computes what it feeds, or ""."""
    name = assigned(placeholder.source_line)
    for node in ast.walk(tree(filename)):
        pairs = zip(node.keys, node.values, strict=True) if isinstance(node, ast.Dict) else ()
        for key, value in pairs:
            is_fed = name and key is not None and ast.unparse(key) == name
            if is_fed and (counter := depends_on_counter(value, filename)):
                return counter
    return ""


def _is_written(rate: float, filename: str) -> bool:
    """Return whether a script has a rate as a number in its text."""
    numbers = [n.value for n in ast.walk(tree(filename)) if isinstance(n, ast.Constant)]
    floats = [n for n in numbers if isinstance(n, float)]
    return any(math.isclose(n, rate, rel_tol=1e-6) for n in floats)
