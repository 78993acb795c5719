"""Wrong answers to the exercise of lesson 14."""

from __future__ import annotations

SCHEDULE = """rate = 0.5 * 0.8 ** (count / 100)
    return rate if count % 400 < 300 else rate / 10"""
STEP = """updates, state = update(gradient(model, batch), state)
        model = model + updates"""
LOG = """if state["count"] % 50 == 1:
            print(f"step {state['count']} rate {rate:.4f} test accuracy {accuracy(model):.3f}")"""
IN_400 = "After 400 batches in one run, the "
STOPPED = "After a stop at batch 230, and the other 170, the "
STEP_400 = "and the script's step is 400.\n"
FIRST_LINE = "\nthe script:  step 1 rate 0.5000 test accuracy 0.195\n"
FORM_OF = f"{IN_400}log differs.\nyour port:   step 1 "
FORM = f"{FIRST_LINE}Only the form differs"
OUTSIDE = """updates, _ = update(gradient(model, batch), {"count": total[0]})
        model, total[0] = model + updates, total[0] + 1
        state = {"count": total[0]}"""


def _ported(
    step: str = STEP,
    schedule: str = SCHEDULE,
    before: str = "init, update = sgd(schedule)",
    log: str = LOG,
    result: str = "return model, state",
) -> str:
    """Return lesson 14's exercise with another update, schedule, start, log or result."""
    return f"""
def schedule(count):
    {schedule}


def train(model, state, batches):
    {before}
    for n, batch in enumerate(batches):
        rate = schedule(state["count"])
        {step}
        {log}
    {result}
"""


def _rate(schedule: str) -> str:
    return _ported(schedule=schedule)


MUTANTS = {
    "14_where_did_it_go": [
        ("a fixed rate", _rate("return 0.5"), "This rate never changes: use the count"),
        (
            "stairs",
            _rate(SCHEDULE.replace("count / 100", "count // 100")),
            "`schedule(1)` gives 0.5. The script has 0.4989 there.\nIt falls in stairs",
        ),
        ("from 1", _rate(f"count += 1\n    {SCHEDULE}"), "It counts from 1. At the first update, the count is 0"),
        (
            "no polish",
            _rate("return 0.5 * 0.8 ** (count / 100)"),
            "`schedule(300)` gives 0.256. The script has 0.0256 there.\nThe polish is missing",
        ),
        ("one step late", _rate(SCHEDULE.replace("<", "<=")), "The polish begins late: its first count is 300"),
        ("fifty steps late", _rate(SCHEDULE.replace("300", "350")), "The polish begins late"),
        (
            "after 300 of all workers",
            _rate(SCHEDULE.replace("count % 400 < 300", "count < 1200")),
            "The polish is missing",
        ),
        (
            "a polish with a counter of its own",
            _rate("return 0.5 * 0.8 ** (count / 100) if count < 300 else 0.05 * 0.8 ** ((count - 300) / 100)"),
            "`schedule(300)` gives 0.05. The script has 0.0256 there.\nThe polish has its own decay",
        ),
        (
            "a decay that repeats",
            _rate(SCHEDULE.replace("count / 100", "count % 400 / 100")),
            "`schedule(400)` gives 0.5. The script has 0.2048 there.\nOnly the polish repeats: no `%` in the decay",
        ),
        (
            "a decay that repeats, and no polish",
            _rate("return 0.5 * 0.8 ** (count % 400 / 100)"),
            "The polish is missing",
        ),
        (
            "a polish without an end",
            _rate(SCHEDULE.replace(" % 400", "")),
            "`schedule(400)` gives 0.02048. The script has 0.2048 there.\nThe polish is for",
        ),
        (
            "one polish",
            _rate(SCHEDULE.replace("count % 400 < 300", "not 300 <= count < 400")),
            "`schedule(700)` gives 0.1049",
        ),
        ("too early", _rate(SCHEDULE.replace("300", "200")), "and the polish by 0.1"),
        ("a fifth", _rate(SCHEDULE.replace("rate / 10", "rate / 5")), "and the polish by 0.1"),
        ("no result", _rate("0.5 * 0.8 ** (count / 100)"), "`schedule` stops with an error"),
        (
            "the new state not kept",
            _ported(STEP.replace("state =", "_ =")),
            f"{IN_400}count is 0, {STEP_400}Each update begins at 0 again",
        ),
        (
            "a new state in each step",
            _ported(STEP.replace("state)", "init())")),
            f"count is 1, {STEP_400}Each update gets a new state",
        ),
        (
            "a new state at each start",
            _ported(before="init, update = sgd(schedule)\n    state = init()"),
            f"{STOPPED}count is 170, {STEP_400}Begin with",
        ),
        (
            "counted twice",
            _ported(f'{STEP}\n        state = {{"count": state["count"] + 1}}'),
            f"count is 800, {STEP_400}One update counts once",
        ),
        (
            "a state that is changed",
            _ported('model = model - rate * gradient(model, batch)\n        state["count"] += 1'),
            "`train` changes the state it was given.\nSomebody may have saved it",
        ),
        (
            "a model that is changed",
            _ported(STEP.replace("model = model + updates", "model += updates")),
            "`train` changes the model it was given",
        ),
        ("a count outside of the state", f"total = [0]\n{_ported(OUTSIDE)}", f"{STOPPED}count is 800"),
        ("subtracted", _ported(STEP.replace("model +", "model -")), "Add each update to the newest model"),
        ("nobody moves the model", _ported(STEP.partition("\n")[0]), "Add each update to the newest model"),
        (
            "tested before the update",
            _ported(f"{LOG.replace('== 1', '== 0')}\n        {STEP}", log="pass"),
            f"{IN_400}log differs.\nyour port:   step 0 rate 0.5000 test accuracy 0.091{FIRST_LINE}That's the count",
        ),
        (
            "the old model tested",
            _ported(f"old = model\n        {STEP}", log=LOG.replace("accuracy(model)", "accuracy(old)")),
            "Add each update to the newest model, and test what comes out",
        ),
        (
            "the next rate",
            _ported(log=LOG.replace("rate:.4f", "schedule(state['count']):.4f")),
            f"your port:   step 1 rate 0.4989 test accuracy 0.195{FIRST_LINE}That's the rate of the next update",
        ),
        (
            "logged by the loop",
            _ported(log=LOG.replace('state["count"] % 50 == 1', "n % 50 == 0")),
            f"{STOPPED}log differs.\nyour port:   step 231 rate 0.2993 test accuracy",
        ),
        (
            "the step counted by the loop",
            _ported(log=LOG.replace('state["count"] % 50 == 1', "n % 50 == 0").replace("{state['count']}", "{n + 1}")),
            "Count the updates of all runs: ask `state['count']`, not a number that starts at 0 in each call.",
        ),
        ("three decimals", _ported(log=LOG.replace(":.4f", ":.3f")), f"{FORM_OF}rate 0.500 test accuracy 0.195{FORM}"),
        ("four decimals", _ported(log=LOG.replace(":.3f", ":.4f")), f"{FORM_OF}rate 0.5000 test accuracy 0.1953{FORM}"),
        ("a word less", _ported(log=LOG.replace(" test", "")), f"{FORM_OF}rate 0.5000 accuracy 0.195{FORM}"),
        (
            "another rate in the log",
            _ported(log=LOG.replace("{rate:", "{rate / 10:")),
            f"{FORM_OF}rate 0.0500 test accuracy 0.195{FIRST_LINE}The second number should be the rate",
        ),
        ("a line more", _ported(result='print("done")\n    return model, state'), "The script writes a line"),
        ("each step logged", _ported(log=LOG.partition("\n")[2].strip()), "your port:   step 2"),
        ("no log", _ported(log="pass"), f"your port:   {FIRST_LINE}The script writes a line"),
        ("only the model returned", _ported(result="return model"), "return two things"),
        ("the state first", _ported(result="return state, model"), "return two things"),
        ("sgd not called", _ported(before="init, update = sgd, sgd"), "`train` stops with an error"),
        ("no function", "schedule = train = 0.5", "`schedule` should be a function"),
    ]
}
