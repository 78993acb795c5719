"""Wrong answers to the exercise of lesson 14."""

from __future__ import annotations

STAIRS = "return 0.1 * 0.5 ** (count // 4)"
KEEP = """updates, state = update(gradient(w), state)
        w = w + updates"""

OUTSIDE = """w = w - schedule(total[0] % 10) * gradient(w)
        total[0] += 1
        state = {"count": total[0] % 10 or 10}"""


def _ported(
    step: str = KEEP,
    schedule: str = STAIRS,
    before: str = "init, update = sgd(schedule)",
    result: str = "return w, state",
) -> str:
    """Return lesson 14's exercise with another update, schedule, start or result."""
    return f"""
def schedule(count):
    {schedule}


def train(w, state, steps):
    {before}
    for n in range(steps):
        {step}
    {result}
"""


MUTANTS = {
    "14_where_did_it_go": [
        (
            "the new state not kept",
            _ported(KEEP.replace("state =", "_ =")),
            "the count is 0. In TensorFlow 1 they are 0.979 and 10.\nEach update begins at 0 again. Keep the new state",
        ),
        (
            "a new state at each start",
            _ported(before="init, update = sgd(schedule)\n    state = init(w)"),
            "with a stop after 5, w is 0.9964 and the count is 5. In TensorFlow 1 they are 0.979 and 10.\nBegin",
        ),
        (
            "a new state in each step",
            _ported(f"state = init(w)\n        {KEEP}"),
            "the count is 1. In TensorFlow 1 they are 0.979 and 10.\nOne update counts once",
        ),
        (
            "counted by the loop",
            _ported("w = w - schedule(n) * gradient(w)"),
            "the count is 0. In TensorFlow 1 they are 0.979 and 10.\nEach update begins at 0 again",
        ),
        (
            "counted by the loop, and the count returned",
            _ported("w = w - schedule(n) * gradient(w)", result='return w, {"count": steps}'),
            "with a stop after 5",
        ),
        (
            "a state that is changed",
            _ported('w = w - schedule(state["count"]) * gradient(w)\n        state["count"] += 1'),
            "the count in it was 0, and is 10.\nSomebody may have saved it",
        ),
        (
            "counted twice",
            _ported(f'{KEEP}\n        state = {{"count": state["count"] + 1}}'),
            "the count is 20. In TensorFlow 1 they are 0.979 and 10.\nOne update counts once",
        ),
        ("subtracted", _ported(KEEP.replace("w +", "w -")), "has its minus sign already: add it"),
        ("nobody moves w", _ported(KEEP.partition("\n")[0]), "Nothing moves w"),
        (
            "w is replaced",
            _ported(KEEP.replace("w + updates", "updates")),
            "In TensorFlow 1 they are 0.979 and 10.\nEach step has its own rate",
        ),
        (
            "the first gradient, again and again",
            _ported(
                KEEP.replace("gradient(w)", "slope"), before="init, update = sgd(schedule)\n    slope = gradient(w)"
            ),
            "its own gradient(w)",
        ),
        ("a count outside of the state", "total = [0]\n" + _ported(OUTSIDE), "Use no counter but the one in the state"),
        ("a fixed rate", _ported(schedule="return 0.1"), "This rate never changes: use the count"),
        ("no stairs", _ported(schedule="return 0.1 * 0.5 ** (count / 4)"), "the rate stays for 4 steps, then jumps"),
        (
            "too early",
            _ported(schedule="return 0.1 * 0.5 ** ((count + 1) // 4)"),
            "`schedule(3)` gives 0.05. TensorFlow 1 has 0.1 there.\nIt jumps one step too early",
        ),
        ("too late", _ported(schedule="return 0.1 * 0.5 ** (max(count - 1, 0) // 4)"), "It jumps one step too late"),
        ("no decay_steps", _ported(schedule="return 0.1 * 0.5**count"), "It halves at every step. decay_steps is 4"),
        ("a rate that grows", _ported(schedule="return 0.1 * 2 ** (count // 4)"), "the rate is multiplied by 0.5"),
        (
            "a schedule without a result",
            _ported(schedule="0.1 * 0.5 ** (count // 4)"),
            "`schedule` stops with an error",
        ),
        ("only w returned", _ported(result="return w"), "return two things"),
        ("the state first", _ported(result="return state, w"), "It returns ({'count': 10}, "),
        ("updates for the state", _ported(result="return w, updates"), "then the state that `update` gave last"),
        ("sgd not called", _ported(before="init, update = sgd, sgd"), "`train` stops with an error"),
        ("no function", "schedule = train = 0.1", "`schedule` should be a function"),
    ]
}
