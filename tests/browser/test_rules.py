"""The page computes what minitf computes: each rule agrees with real runs at random settings."""

from __future__ import annotations

import math
import os
import random
import re

import numpy as np
import pytest
from playwright.sync_api import Page

import lab
import minitf as tf
from lab.controls.controls import trait
from lab.controls.explorer import Explorer
from tests.browser.descent import Descent
from tests.lessons.resuming import stop_and_resume

pytestmark = pytest.mark.browser

DRAW = random.Random(int(os.environ["MINITF_SEED"]))
TIMES = 200
RUNS = {"slow": [4.0, 2.5, 1.5, 1.2, 1.1], "fast": [5.0, 1.0, 0.9, None, 1.0]}


def explorer(name: str) -> Explorer:
    """Return the explorer with this name."""
    return lab.SmoothingExplorer(RUNS, least=1.0) if name == "SmoothingExplorer" else getattr(lab, name)()


def drawn(control: dict) -> object:
    """Return a random value of a control."""
    if "options" in control:
        return DRAW.choice(control["options"])
    if control["kind"] == "tick":
        return DRAW.random() < 0.5
    if control.get("log"):
        return float(f"{math.exp(DRAW.uniform(math.log(control['min']), math.log(control['max']))):.4g}")
    places = round((control["max"] - control["min"]) / control["step"])
    value = control["min"] + DRAW.randint(0, places) * control["step"]
    return round(value, 6) if isinstance(value, float) else value


def settings(shown: Explorer, count: int = TIMES) -> list[dict]:
    """Return random settings of all controls."""
    return [{control["name"]: drawn(control) for control in shown.controls} for _ in range(count)]


def pictures(page: Page, shown: Explorer, states: list[dict]) -> list[dict]:
    """Return what the page computes for these settings."""
    ask = "([rule, data, states]) => states.map((state) => modules.view.RULES[rule](state, data))"
    data = shown.data
    return page.evaluate(ask, [data["rule"], data["data"], states])


def points(part: dict, number: int) -> list[float]:
    """Return the heights of a curve."""
    return [y for _, y in part["lines"][number]["points"]]


# Rates.


def rates(schedule: str, last: int, given: dict) -> list[float]:
    """Return the learning rates that a schedule of `tf.train` gives for the steps 0 to `last`."""
    with tf.Graph().as_default(), tf.Session() as sess:
        step = tf.placeholder(tf.int64, [])
        clock = "x" if schedule == "piecewise_constant" else "global_step"
        rate = getattr(tf.train, schedule)(**{clock: step}, **given)
        return [float(sess.run(rate, {step: now})) for now in range(last + 1)]


def test_the_decay_of_lesson_03(kit_page):
    shown = lab.DecayExplorer()
    states = settings(shown)
    for state, picture in zip(states, pictures(kit_page, shown, states), strict=True):
        assert points(picture["parts"][0], 1) == pytest.approx(rates("exponential_decay", 41, state), rel=1e-5)


def arguments(picture: dict, state: dict) -> dict:
    """Return the arguments of a schedule, as TensorFlow takes them."""
    given = {name: state[name] for name, change in picture["controls"].items() if not change["hidden"]}
    if "boundaries_0" not in given:
        return given
    lists = {"boundaries": [], "values": []}
    for name, value in given.items():
        lists[name[:-2]].append(value)
    return lists


def restarts_at(state: dict, step: int) -> bool:
    """Say whether a period ends exactly here: then float32's last digit decides which period it is."""
    factor, passed = state["t_mul"], step / state["first_decay_steps"]
    if state["schedule"] != "cosine_decay_restarts" or factor == 1:
        return False
    over = math.log(1 - passed * (1 - factor)) / math.log(factor)
    return abs(over - round(over)) < 1e-6


def test_every_schedule_of_lesson_05(kit_page):
    shown = lab.ScheduleExplorer()
    states = settings(shown)
    for state, picture in zip(states, pictures(kit_page, shown, states), strict=True):
        here = points(picture["parts"][0], 1)
        assert len(here) in (61, 62) or max(here) > 0.8  # all of it, unless it leaves the picture
        theirs = rates(state["schedule"], 61, arguments(picture, state))
        for step, (value, other) in enumerate(zip(here, theirs, strict=False)):
            assert value == pytest.approx(other, rel=1e-4, abs=1e-5) or restarts_at(state, step), state


def test_what_a_schedule_trains(kit_page):
    shown = lab.ScheduleExplorer()
    noise, states = shown.data["data"]["noise"], settings(shown, 20)
    for picture in pictures(kit_page, shown, states):
        trained = points(picture["parts"][1], 1)
        with tf.Graph().as_default(), tf.Session() as sess:
            rate, wanted = tf.placeholder(tf.float32), tf.placeholder(tf.float32)
            w = tf.Variable(0.0)
            train_op = tf.train.GradientDescentOptimizer(rate).minimize((w - wanted) ** 2)
            sess.run(tf.global_variables_initializer())
            for now, asked, here in zip(points(picture["parts"][0], 1), noise, trained, strict=False):
                assert here == pytest.approx(sess.run(w), rel=1e-3, abs=1e-4)
                sess.run(train_op, {rate: now, wanted: asked})


@pytest.mark.parametrize("staircase", [False, True])
def test_the_formula_in_words_gives_the_curve(kit_page, staircase):
    shown, checked = lab.ScheduleExplorer(), 0
    for name in shown.controls[0]["options"]:
        state = {**shown.state, "schedule": name, "staircase": staircase}
        [picture] = pictures(kit_page, shown, [state])
        call, formula = picture["parts"][2]["lines"]
        if "learning_rate *" not in formula and "end +" not in formula and "learning_rate /" not in formula:
            continue  # in words alone
        checked += 1
        rate, _, passed = re.fullmatch(r"The formula: (.*)\.", formula)[1].partition(", passed = ")
        known = {**state, "end": state["end_learning_rate"], "min": min, "pi": math.pi}
        known |= {"exp": math.exp, "cos": math.cos, "floor": math.floor}
        for step, here in enumerate(points(picture["parts"][0], 1)):
            known["step"] = step
            if passed:
                known["passed"] = eval(passed, {}, known)
            assert eval(rate, {}, known) == pytest.approx(here, rel=1e-4, abs=1e-6)
        with tf.Graph().as_default(), tf.Session() as sess:  # and so does the call, which one can copy
            step = tf.placeholder(tf.int64, [])
            assert sess.run(eval(f"tf.train.{call.strip('`')}"), {step: 0}) == pytest.approx(
                points(picture["parts"][0], 1)[0]
            )


@pytest.mark.parametrize(
    "schedule, at",
    [
        ({"schedule": "piecewise_constant"}, [21, 41]),
        ({"schedule": "exponential_decay", "staircase": True}, [20, 40, 60]),
        ({"schedule": "exponential_decay"}, []),
        ({"schedule": "polynomial_decay", "power": 0.5}, []),
        ({"schedule": "polynomial_decay", "cycle": True}, [21, 41]),
        ({"schedule": "cosine_decay"}, []),
        ({"schedule": "cosine_decay_restarts"}, [10, 30]),
        ({"schedule": "cosine_decay_restarts", "first_decay_steps": 5}, [5, 15, 35]),
        ({"schedule": "linear_cosine_decay", "num_periods": 2.0}, []),
    ],
)
def test_jumps_are_drawn_as_jumps_and_the_rest_is_not(kit_page, schedule, at):
    shown = lab.ScheduleExplorer()
    [picture] = pictures(kit_page, shown, [shown.state | schedule])
    assert picture["parts"][0]["lines"][1]["steps"] == at


# Descent.


def test_the_descent_of_lesson_06(kit_page):
    shown, referee = lab.StabilityExplorer(), Descent()
    states = settings(shown)
    for state in states:
        bends, theirs = referee(state["loss"], state["rate"], state["examples"], state["start"])
        found = kit_page.evaluate("(examples) => modules.descent.curvatures(examples)", state["examples"])
        assert found == pytest.approx(bends, rel=1e-5)
        given = [state["rate"], found[state["loss"]], state["start"]]
        here = kit_page.evaluate("(given) => modules.descent.descended(...given)", given)
        assert here == pytest.approx(theirs, rel=1e-3, abs=1e-5), state


def test_the_verdict_of_lesson_06_is_what_happens(kit_page):
    shown = lab.StabilityExplorer()
    states = settings(shown)
    for state, picture in zip(states, pictures(kit_page, shown, states), strict=True):
        note, _, distances, _ = picture["parts"]
        first, *_, last = points(distances, 0)
        if note["lines"][0].startswith(("It converges", "It diverges")):
            assert (last < first) == note["lines"][0].startswith("It converges"), state


def test_the_posts_without_the_step(kit_page):
    path = kit_page.evaluate("modules.descent.descended(0.1, modules.descent.curvatures(10).sum, 0)")
    assert path[-1] == pytest.approx(-485692.56, rel=1e-5)  # TensorFlow 2.21


# Checkpoints.


def test_the_checkpoints_of_lesson_10(kit_page):
    shown = lab.CheckpointTimeline()
    for state in settings(shown):
        first, second = kit_page.evaluate("(state) => modules.checkpoints.stopAndResume(state)", state)
        before, after = stop_and_resume(state["every"], state["keep"], state["killed"])
        for here, real in ((first, before), (second, after)):
            assert here == {"start": real.start, "end": real.end, "saved": real.saved, "kept": real.kept}, state
        assert first["kept"] + second["kept"] == after.found


# Smoothing.


def smoothed(page: Page, values: list, weight: float) -> list:
    """Return the values as the page smooths them."""
    return page.evaluate("([values, weight]) => modules.smoothing.smoothed(values, weight)", [values, weight])


def test_a_smoothed_point_is_the_mean_of_those_before_it_the_nearest_weigh_most(kit_page):
    for _ in range(TIMES // 4):
        values = [DRAW.uniform(-100, 100) for _ in range(DRAW.randint(1, 30))]
        weight = DRAW.choice([0.0, DRAW.uniform(0, 0.99)])
        for count, point in enumerate(smoothed(kit_page, values, weight), start=1):
            weights = weight ** np.arange(count - 1, -1, -1)
            assert point == pytest.approx(np.average(values[:count], weights=weights), abs=1e-9)


def test_what_is_no_number_is_left_out_as_tensorboard_does(kit_page):
    assert smoothed(kit_page, [1.0, None, 1.0], 0.5) == [1.0, None, 1.0]


# All of them.

NAMES = [
    "CallTimeline",
    "CheckpointTimeline",
    "DecayExplorer",
    "ScheduleExplorer",
    "SmoothingExplorer",
    "StabilityExplorer",
]
NAMES += ["WorkerScheduler"]
FOR_EACH = pytest.mark.parametrize("name", NAMES)


@FOR_EACH
def test_each_control_moves_the_picture_and_the_words(kit_page, name):
    shown = explorer(name)
    [before] = pictures(kit_page, shown, [shown.state])
    hidden = {control for control, change in before.get("controls", {}).items() if change["hidden"]}
    for control in shown.controls:
        if control["name"] in hidden:
            continue
        other = next(value for value in iter(lambda: drawn(control), None) if value != control["value"])  # noqa: B023
        [after] = pictures(kit_page, shown, [{**shown.state, control["name"]: other}])
        assert after["words"] != before["words"]
        assert after["parts"] != before["parts"]


@FOR_EACH
def test_nothing_moves_but_what_is_drawn(kit_page, name):
    shown = explorer(name)
    chosen = [control["name"] for control in shown.controls if control["kind"] in ("menu", "segments")]
    seen = {}
    states = settings(shown)
    for state, picture in zip(states, pictures(kit_page, shown, states), strict=True):
        parts = picture["parts"]
        heights = [part.get("height") or part.get("reserve") or len(part.get("rows", ())) for part in parts]
        assert seen.setdefault("heights", heights) == heights
        choice = str([state[control] for control in chosen])
        axes = [[part[side]["min"], part[side]["max"]] for part in parts for side in "xy" if side in part]
        assert seen.setdefault(choice, axes) == axes
        assert not re.search(r"nan|undefined|[Ii]nf", picture["words"]), state


@FOR_EACH
def test_python_can_set_each_control(name):
    shown = explorer(name)
    for control in shown.controls:
        value = drawn(control)
        setattr(shown, control["name"], value)
        assert getattr(shown, control["name"]) == shown.state[control["name"]] == value
        if "max" in control:
            setattr(shown, control["name"], control["max"] + 5)
            assert getattr(shown, control["name"]) == control["max"]
        assert trait(control).default_value == control["value"]


@FOR_EACH
def test_the_learners_graph_is_left_alone(name):
    with tf.Graph().as_default() as graph:
        explorer(name)
        assert graph.get_operations() == []
