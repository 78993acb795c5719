"""Lesson 14: what other libraries printed is of the programs that are shown, and minitf prints the same."""

from __future__ import annotations

import json

import pytest

import lab
import minitf as tf
from lab.elsewhere import LIBRARIES, LINE, RIGHT, RIGHT_EDGE, ROWS, compared, counters
from lab.panel import Curve
from lab.scene import Box, Text, text_width
from tests.lessons.elsewhere import LESSONS, PACKAGES, outcome, programs
from tests.lessons.notebooks import cells, read

RECORDED = {library: lab.recorded("elsewhere", library.removesuffix("_1")) for library in PACKAGES}
LESSON = read(LESSONS / "14_where_did_it_go.ipynb")
EVERY = [(library, mistake) for library, it in RECORDED.items() for mistake in it["runs"]]


@pytest.mark.parametrize("library", PACKAGES)
def test_the_programs_are_those_that_were_recorded(library):
    recorded = {name: run["program"] for name, run in RECORDED[library]["runs"].items()}
    assert recorded == {name: text.splitlines() for name, text in programs(library).items()}


def test_all_print_the_same_ten_lines():
    first, *others = [it["runs"][RIGHT]["printed"] for it in RECORDED.values()]
    assert all(printed == first for printed in others)
    posts = lab.recorded("experiment")["with_step"]
    assert [line.rpartition(" ")[0] for line in first] == posts


@pytest.mark.parametrize("mistake", RECORDED["tensorflow_1"]["runs"])
def test_minitf_prints_what_tensorflow_does(mistake):
    run = RECORDED["tensorflow_1"]["runs"][mistake]
    with tf.Graph().as_default():
        assert outcome("\n".join(run["program"])) == {"printed": run["printed"], "warnings": []}


def test_what_the_lesson_says_of_the_mistakes():
    wrong = [RECORDED[library]["runs"][mistake] for library, mistake in EVERY if mistake != RIGHT]
    assert len(wrong) == 11  # "all eleven mistakes"
    assert not any(run["warnings"] for run in wrong)
    assert all(abs(float(run["printed"][-1].split()[2]) - 1) < 0.01 for run in wrong)


def test_the_lesson_shows_the_programs():
    text = "\n".join(cell.source for cell in cells(LESSON, "markdown"))
    for library in ("keras", "pytorch", "optax"):
        assert f"```python\n{programs(library)[RIGHT].rstrip()}\n```" in text
    code = [line.strip() for cell in cells(LESSON, "code") for line in cell.source.splitlines()]
    for line in programs("tensorflow_1")[RIGHT].splitlines()[:-1]:
        assert line.strip() in code


def test_the_lesson_names_the_versions():
    text = " ".join(cells(LESSON, "markdown")[-1].source.split())
    versions = {name: RECORDED[name][name] for name in ("keras", "pytorch", "optax")}
    minor = {name: version.rpartition(".")[0] for name, version in versions.items()}
    assert f"Keras {minor['keras']}, PyTorch {minor['pytorch']} and optax {versions['optax']}" in text


@pytest.mark.parametrize("library, mistake", EVERY)
def test_the_explorer_shows_every_program(library, mistake):
    explorer = lab.ElsewhereExplorer()
    [explorer.library.value] = [name for name, file in LIBRARIES.items() if file == library.removesuffix("_1")]
    explorer.mistake.value = mistake
    runs = RECORDED[library]["runs"]
    rows = list(compared(runs[RIGHT]["program"], runs[mistake]["program"]))
    assert len(rows) <= ROWS
    assert any(how != "same" for _, how in rows) == (mistake != RIGHT)
    last = runs[mistake]["printed"][-1].split()
    assert "After ten updates the step is {1}, the rate {0}, w {2}.".format(*last) in explorer.words
    assert mistake in explorer.words
    scene = explorer.picture()
    texts = [shape for shape in scene.shapes if isinstance(shape, Text)]
    assert {line for line, _ in rows} <= {shape.text for shape in texts}
    marked = sum(map(str.__ne__, runs[mistake]["printed"], runs[RIGHT]["printed"]))
    assert [shape.text for shape in texts].count("≠") == marked
    frames = [shape for shape in scene.shapes if isinstance(shape, Box)]
    assert len(frames) == sum(how != "same" for _, how in rows)
    for line, how in rows:  # no line runs into the word at its end
        assert 14 + text_width(line, 12, mono=True) + text_width(how, 12) * (how != "same") < RIGHT_EDGE
    assert all(frame.height < LINE for frame in frames)


def test_the_counter_is_drawn_beside_the_right_one():
    right, still = [[f"0.1 {step(n)} 0.5" for n in range(1, 11)] for step in (int, lambda n: 0)]
    for printed, kind in ((right, "done"), (still, "now")):
        *_, meant, counted = [shape for shape in counters(printed, right) if isinstance(shape, Curve)]
        assert meant.dashed and not counted.dashed and counted.kind == kind
        assert meant.points[0][1] > meant.points[-1][1]
        assert (counted.points[0][1] > counted.points[-1][1]) == (printed == right)


def test_the_mistakes_follow_the_library():
    explorer = lab.ElsewhereExplorer()
    explorer.mistake.value = "nobody counts"
    explorer.library.value = "optax"
    assert explorer.mistake.value == "nobody counts"  # each library has it
    assert "optax 0.2" in explorer.words and "updates, _ =" in explorer.words
    explorer.library.value = "PyTorch"
    explorer.mistake.value = "once an epoch"
    explorer.library.value = "Keras"
    assert explorer.mistake.value == RIGHT and "Keras" in explorer.words
    assert explorer.mistake.options == tuple(RECORDED["keras"]["runs"])


def stairs(count):
    """Return the exercise's rate."""
    return 0.1 * 0.5 ** (count // 4)


def slope(w):
    """Return the lesson's gradient: the mean of 2 * x * x is 4.7037."""
    x = [1 + n / 9 for n in range(10)]
    return 2 * sum(v * v for v in x) / 10 * (w - 1)


def by_hand(w, state, steps):
    """Train without `update`."""
    for count in range(state["count"], state["count"] + steps):
        w -= stairs(count) * slope(w)
    return w, {"count": state["count"] + steps}


def by_recursion(w, state, steps):
    """Train one step, then the others; return a list, with the state's other entries kept."""
    if not steps:
        return [w, state]
    moved = w - stairs(state["count"]) * slope(w)
    return by_recursion(moved, {**state, "count": state["count"] + 1}, steps - 1)


@pytest.mark.parametrize("train", [by_hand, by_recursion])
@pytest.mark.parametrize(
    "schedule", [stairs, lambda count: 0.1 / 2 ** (count // 4), lambda count: 0.1 * 0.5 ** int(count / 4)]
)
def test_other_right_answers(train, schedule):
    verdict = lab.check_ported(schedule, train)
    assert verdict, verdict.message


@pytest.mark.parametrize("junk", [None, 3, int, print, lambda *_: ("w", {"count": "five"}), lambda *_: (0.5, {})])
def test_nothing_reaches_the_learner_as_an_error(junk):
    for answer in ((junk, by_hand), (stairs, junk)):
        verdict = lab.check_ported(*answer)
        assert not verdict and "The check cannot run" not in verdict.message


def test_the_recordings_name_one_version_each():
    for file in (LESSONS / "data").glob("*_elsewhere.json"):
        library, *numbers = file.name.removesuffix("_elsewhere.json").split("_")
        version = json.loads(file.read_text(encoding="utf-8"))[library]
        assert version.split(".")[:2] == numbers
    assert len(list((LESSONS / "data").glob("*_elsewhere.json"))) == len(PACKAGES)
