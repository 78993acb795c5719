"""What other libraries printed is of the programs in lessons/elsewhere."""

from __future__ import annotations

import json

import pytest

import lab
import minitf as tf
from tools.elsewhere import LESSONS, PACKAGES, more_programs, outcome, programs

RIGHT = "no mistake"
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


def test_the_recordings_name_one_version_each():
    for file in (LESSONS / "data").glob("*_elsewhere.json"):
        library, *numbers = file.name.removesuffix("_elsewhere.json").split("_")
        assert json.loads(file.read_text(encoding="utf-8"))[library].split(".")[:2] == numbers
    assert len(list((LESSONS / "data").glob("*_elsewhere.json"))) == len(PACKAGES)
