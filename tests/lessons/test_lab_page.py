"""The page gets plain data, the same on every machine, and lab's rooms keep to themselves."""

from __future__ import annotations

import ast
import json
import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lab
from lab.page.plain import delta, key_of, plain
from lab.page.view import OURS, View, kit
from tests.browser.journey import views_of
from tests.lessons.notebooks import LESSONS
from tests.lessons.views import patched

LAB = LESSONS / "lab"
NUMBERS = st.floats(allow_nan=False, allow_infinity=False, width=32)
LEAVES = st.none() | st.booleans() | st.integers(-1000, 1000) | st.text(max_size=3)
TREES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3)
)


@given(TREES, TREES)
def test_a_picture_is_stored_as_its_difference(base, now):
    if base == now and base is not now and not isinstance(base, list | dict):
        return  # JSON tells 1 from true, Python does not
    assert patched(base, delta(base, now)) == now


@given(NUMBERS)
def test_numbers_are_short_and_close(number):
    short = plain(number)
    assert math.isclose(short, number, rel_tol=1e-4, abs_tol=1e-300)
    assert len(re.sub(r"\D", "", f"{short:e}".partition("e")[0]).rstrip("0")) <= 5


def test_plain_data_is_what_json_can_hold():
    data = {
        "a": np.float32(0.1),
        2: (np.int64(3), [True, None, "x"]),
        "nan": [math.nan, np.inf],
        "array": np.arange(2.0),
    }
    assert plain(data) == {"a": 0.1, "2": [3, [True, None, "x"]], "nan": [None, None], "array": [0, 1]}


def test_a_key_is_what_the_page_makes_of_a_state():
    assert key_of([0.1, 2.0, "a b", False, 10]) == '[0.1,2,"a b",false,10]'


def test_a_view_has_its_data_a_page_of_its_own_and_words():
    bundle = View({"kind": "verdict", "right": True, "message": "</script>"}, "Right! <b>")._repr_mimebundle_()
    assert json.loads(bundle[OURS])["right"] is True
    assert bundle["text/plain"] == "Right! <b>"
    html = bundle["text/html"]
    assert html.count("</script>") == 1  # what a message says does not end the script
    assert "Right! &lt;b&gt;" in html
    assert not re.search(r"https?://|//cdn", html)  # nothing comes from another host


def test_the_kit_is_one_module_without_imports():
    assert not re.search(r"^(import|export)", kit(), flags=re.MULTILINE)
    assert not re.search(r"https?://(?!www\.w3\.org/)", kit())
    parts = re.findall(r"^modules\.(\w+) = \(", kit(), flags=re.MULTILINE)
    assert sorted(parts) == sorted(path.stem for path in (LAB / "page").rglob("*.js") if path.stem != "jupyterlab")


def imports(room: str) -> set[str]:
    """Return which rooms of lab the modules of a room import."""
    rooms = set()
    for path in (LAB / room).glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("lab."):
                rooms.add(node.module.split(".")[1])
    return rooms - {room}


@pytest.mark.parametrize(
    "room, may",
    [
        ("page", set()),
        ("drawing", {"page"}),
        ("controls", {"page", "drawing"}),
        ("experiments", {"files"}),
        ("files", set()),
        ("workers", {"files"}),
        ("checks", {"page", "experiments", "files"}),
        ("explorers", {"page", "drawing", "controls", "experiments", "files"}),
    ],
)
def test_data_and_drawing_know_nothing_of_each_other(room, may):
    assert imports(room) <= may


def test_lab_offers_what_it_names():
    for name in lab.__all__:
        assert getattr(lab, name).__name__ == name
    assert dir(lab) == lab.__all__
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        lab.nothing  # noqa: B018


@pytest.mark.parametrize("path", sorted(LESSONS.glob("*.ipynb")), ids=lambda path: path.stem)
def test_what_is_stored_is_plain_json(path):
    def refuse(name):
        raise AssertionError(f"it holds {name}")

    for view in views_of(path):
        json.loads(json.dumps(view), parse_constant=refuse)
