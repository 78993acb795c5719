"""A chart has round marks, keeps its curves inside, and is drawn in both forms."""

from __future__ import annotations

import math
from xml.etree import ElementTree

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lab.chart import HEIGHT, WIDTH, Chart, Line, ticks
from lab.shown import Still

NAMESPACE = "{http://www.w3.org/2000/svg}"


@given(st.floats(1e-8, 1e20))
@example(0.2)
@example(1.0)
@example(0.30000001192092896)
def test_marks_are_few_even_and_reach_far_enough(largest):
    marks = ticks(largest)
    assert marks[0] == 0
    assert 4 <= len(marks) <= 8
    assert marks[-1] >= largest * 0.999 and marks[-2] < largest
    assert all(math.isclose(b - a, marks[1]) for a, b in zip(marks[1:], marks[2:], strict=False))


@pytest.mark.parametrize("largest, marks", [(0.2, 0.05), (0.8, 0.2), (30, 5), (20, 5), (1, 0.2)])
def test_marks_are_round(largest, marks):
    assert ticks(largest)[1] == pytest.approx(marks)


@pytest.mark.parametrize("largest", [0, -1, math.inf, math.nan])
def test_no_number_is_too_odd_for_an_axis(largest):
    assert len(ticks(largest)) > 2


def chart(**options):
    lines = [
        Line("<one>", [(0, 0), (5, 1), (10, 2)]),
        Line("other", [(0, 1), (10, 1)], "#767676", "dashed", dots=False),
    ]
    return Chart(lines, "step & step", "rate", 'It says "up".', **options)


def drawn(chart):
    return ElementTree.fromstring(chart.svg().replace("<svg ", f'<svg xmlns="{NAMESPACE[1:-1]}" ', 1))


def test_the_svg_is_well_formed_and_says_its_words():
    svg = drawn(chart())
    assert svg.get("aria-label") == 'It says "up".'
    texts = [text.text for text in svg.iter(f"{NAMESPACE}text")]
    assert {"<one>", "other", "step & step", "rate", "10", "2"} <= set(texts)


def test_every_point_lies_inside():
    circles = list(drawn(chart()).iter(f"{NAMESPACE}circle"))
    assert len(circles) == 3
    for circle in circles:
        assert 0 < float(circle.get("cx")) < WIDTH and 0 < float(circle.get("cy")) < HEIGHT


def test_lines_differ_in_dashes_not_only_in_colour():
    paths = [path for path in drawn(chart()).iter(f"{NAMESPACE}path") if path.get("stroke-width")]
    assert len({path.get("stroke-dasharray") for path in paths}) == 2


def test_a_scale_stays_as_it_is():
    assert [marks[-1] for marks in chart(scale=(20, 4)).scales()] == [20, 4]


def test_a_chart_that_stands_still_shows_in_each_way():
    still = Still(chart())
    data, metadata = still._repr_mimebundle_()
    assert data["text/plain"] == 'It says "up".'
    assert data["image/png"].startswith(b"\x89PNG")
    assert metadata["image/png"] == {"width": WIDTH, "height": HEIGHT, "alt": 'It says "up".'}
    [html] = still.children
    assert chart().svg().partition("aria-label")[2] in html.value
    assert "It says &quot;up&quot;.</p>" in html.value


def test_the_same_chart_is_the_same_picture():
    assert chart().png() == chart().png() != chart(note="More.").png()
