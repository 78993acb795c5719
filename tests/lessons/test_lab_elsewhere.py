"""What other libraries printed is of the programs in lessons/elsewhere, and the explorer shows these programs."""

from __future__ import annotations

import json

import pytest

import lab
import minitf as tf
from lab.explorers.elsewhere import LIBRARIES, RIGHT, ROWS, compared
from tools.elsewhere import LESSONS, PACKAGES, more_programs, outcome, programs

EXPLORER = lab.ElsewhereExplorer()
RECORDED = {library: lab.recorded("elsewhere", library.removesuffix("_1")) for library in PACKAGES}


@pytest.mark.parametrize("library", PACKAGES)
def test_the_programs_are_those_that_were_recorded(library):
    for key, made in (("runs", programs(library)), ("more", more_programs(library))):
        recorded = {name: run["program"] for name, run in RECORDED[library].get(key, {}).items()}
        assert recorded == {name: text.splitlines() for name, text in made.items()}


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


@pytest.mark.parametrize("mistake", EXPLORER.controls[0]["options"])
def test_the_explorer_shows_every_program(mistake):
    picture = EXPLORER.picture(mistake)
    assert [part["reserve"] for part in picture.parts] == [part["reserve"] for part in EXPLORER.picture(RIGHT).parts]
    assert mistake in picture.words
    for (name, file), part in zip(LIBRARIES.items(), picture.parts, strict=True):
        runs = lab.recorded("elsewhere", file)["runs"]
        right, run = runs[RIGHT], runs[mistake]
        verdict, code = part["parts"]
        assert len(code["lines"]) <= ROWS
        for program, left_out in ((run["program"], "gone"), (right["program"], "now")):
            shown = [one["text"] for one in code["lines"] if one["kind"] != left_out]
            assert shown == [text for text in program if text and not text.startswith(("import ", "from "))]
        assert all((one["kind"] == "plain") == (not one["note"]) for one in code["lines"])
        assert any(one["kind"] in ("now", "gone") for one in code["lines"]) == (mistake != RIGHT)
        rate, step, w = run["printed"][-1].split()
        said = f"after 10 updates: rate {rate}, step {step}, w {w}"
        assert (verdict["title"], verdict["lines"]) == (name, (said,))
        assert verdict["kind"] == ("plain" if mistake == RIGHT else "now")
        assert f"{name}, {said}" in picture.words


def test_each_right_program_has_one_counter_and_one_line_that_adds_one():
    for part in EXPLORER.picture(RIGHT).parts:
        assert [one["note"] for one in part["parts"][1]["lines"] if one["note"]] == ["the counter", "adds one"]


def test_what_is_left_out_and_what_is_new_are_lines_of_their_own():
    lines = list(compared(["import a", "", "x = 1", "y = 2"], ["import a", "x = 1", "y = 3", "z = 4"]))
    shown = [f"{one['kind']}: {one['text']}" for one in lines]
    assert shown == ["plain: x = 1", "gone: y = 2", "now: y = 3", "now: z = 4"]


def test_the_recordings_name_one_version_each():
    for file in (LESSONS / "data").glob("*_elsewhere.json"):
        library, *numbers = file.name.removesuffix("_elsewhere.json").split("_")
        assert json.loads(file.read_text(encoding="utf-8"))[library].split(".")[:2] == numbers
    assert len(list((LESSONS / "data").glob("*_elsewhere.json"))) == len(PACKAGES)
