"""Lesson 14: what other libraries printed is of the programs that are shown, and minitf prints the same."""

from __future__ import annotations

import json

import pytest

import lab
import minitf as tf
from lab.explorers.elsewhere import LIBRARIES, ONLY, RIGHT, ROWS, compared
from tests.lessons.elsewhere import LESSONS, PACKAGES, outcome, programs
from tests.lessons.notebooks import cells, read
from tests.lessons.room import room

EXPLORER = lab.ElsewhereExplorer()
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
    [name] = [name for name, file in LIBRARIES.items() if file == library.removesuffix("_1")]
    picture = EXPLORER.picture(name, mistake)
    assert room(picture) == room(EXPLORER.picture(**EXPLORER.state))
    runs = RECORDED[library]["runs"]
    right, run = runs[RIGHT], runs[mistake]
    code, verdict, table, chart = picture.parts
    assert len(code["lines"]) <= ROWS
    for program, left_out in ((run["program"], "gone"), (right["program"], "now")):
        shown = [one["text"] for one in code["lines"] if one["kind"] != left_out]
        assert shown == [text for text in program if text and not text.startswith(("import ", "from "))]
    assert all((one["kind"] == "plain") == (not one["note"]) for one in code["lines"])
    assert any(one["note"] for one in code["lines"]) == (mistake != RIGHT)
    for printed, other, (_, *three) in zip(run["printed"], right["printed"], table["rows"], strict=True):
        assert " ".join(cell["text"] for cell in three) == printed
        assert any(cell["kind"] == "now" for cell in three) == (printed != other)
    meant, *mine = chart["lines"]
    assert bool(mine) == (mistake != RIGHT) == (meant["kind"] == "plain") == (verdict["kind"] == "now")
    rates, steps, weights = zip(*map(str.split, run["printed"]), strict=True)
    assert [str(step) for _, step in (mine or [meant])[0]["points"][1:11]] == [*steps]
    said = f"After ten updates the step is {steps[-1]}, the rate {rates[-1]}, w {weights[-1]}."
    assert list(verdict["lines"]) == [said, "No error, no warning."]
    assert picture.words.endswith("\n".join(verdict["lines"])) and mistake in picture.words
    assert name in picture.words and RECORDED[library][LIBRARIES[name]] in picture.words


def test_what_is_left_out_and_what_is_new_are_lines_of_their_own():
    lines = list(compared(["import a", "", "x = 1", "y = 2"], ["import a", "x = 1", "y = 3", "z = 4"]))
    shown = [f"{one['kind']}: {one['text']}" for one in lines]
    assert shown == ["plain: x = 1", "gone: y = 2", "now: y = 3", "now: z = 4"]


@pytest.mark.parametrize("mistake", ONLY)
@pytest.mark.parametrize("library", LIBRARIES)
def test_a_mistake_of_another_library_is_said_to_be_so(library, mistake):
    [home] = [name for name, file in LIBRARIES.items() if mistake in lab.recorded("elsewhere", file)["runs"]]
    picture, right = (EXPLORER.picture(library, made) for made in (mistake, RIGHT))
    assert room(picture) == room(right)
    assert (f"“{mistake}” belongs to {home}, where " in picture.words) == (library != home)
    assert (picture.parts[0] == right.parts[0] and picture.parts[2:] == right.parts[2:]) == (library != home)


def test_the_explorer_offers_every_mistake():
    offered = EXPLORER.controls[1]["options"]
    assert set(offered) == {mistake for _, mistake in EVERY} and offered[0] == RIGHT


def stairs(count):
    return 0.1 * 0.5 ** (count // 4)


def slope(w):
    """Return the lesson's gradient: the mean of 2 * x * x is 4.7037."""
    x = [1 + n / 9 for n in range(10)]
    return 2 * sum(v * v for v in x) / 10 * (w - 1)


def by_hand(w, state, steps):
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
        assert not verdict and "The check could not run" not in verdict.message


def test_the_recordings_name_one_version_each():
    for file in (LESSONS / "data").glob("*_elsewhere.json"):
        library, *numbers = file.name.removesuffix("_elsewhere.json").split("_")
        assert json.loads(file.read_text(encoding="utf-8"))[library].split(".")[:2] == numbers
    assert len(list((LESSONS / "data").glob("*_elsewhere.json"))) == len(PACKAGES)
