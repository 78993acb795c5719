"""What the pictures of lessons 06 and 08 show when a reader moves their controls."""

from __future__ import annotations

import re

import matplotlib.pyplot as plt
import numpy as np
import pytest

import lab
import minitf as tf
from tests.conformance.transcripts import answers
from tests.lessons.notebooks import cell, text_of


@pytest.fixture(autouse=True)
def tidy():
    """Leave neither a graph nor a figure behind (lesson 06 resets the default graph, so it can't have its own)."""
    yield
    tf.reset_default_graph()
    plt.close("all")


def defined(number, *cell_ids):
    """Run cells of a lesson, and return what they define."""
    names = {"keys": tf.GraphKeys}
    for cell_id in cell_ids:
        exec(cell(number, cell_id).source, names)
    return names


def drawn():
    """Return the points of each line of the newest figure, axis by axis."""
    return [[line.get_xydata() for line in ax.lines] for ax in plt.gcf().axes]


# Lesson 06: ten steps on the loss.


@pytest.fixture(scope="module")
def stability():
    return defined(
        "06", "imports", "draw-steps", "explorer", "model", "ten-steps", "slope-and-curvature", "whole-explorer"
    )


@pytest.mark.parametrize("rate, start", [(0.02, 0.0), (0.042, -1.0), (0.043, 2.5), (0.1, 0.0)])
def test_each_step_multiplies_the_distance_by_the_same_factor(stability, rate, start):
    stability["walk"](rate=rate, start=start)
    [_, path], [away] = drawn()
    assert len(path) == 11
    assert path[0, 0] == pytest.approx(start)
    assert path[1:, 0] - 1 == pytest.approx((1 - rate * 47.037) * (path[:-1, 0] - 1), rel=1e-3, abs=1e-6)
    assert away[:, 1] == pytest.approx(abs(path[:, 0] - 1))


def test_the_steps_are_on_the_curve(stability):
    stability["walk"](rate=0.04, start=2.0)
    [curve, path], _ = drawn()
    assert path[:, 1] == pytest.approx(np.interp(path[:, 0], *curve.T), abs=0.1)


@pytest.mark.parametrize("examples, limit", [(10, 0.04252), (20, 0.02135), (40, 0.01069)])
def test_more_examples_lower_the_limit_of_the_sum_alone(stability, capsys, examples, limit):
    capsys.readouterr()
    stability["compare"](rate=0.99 * limit, examples=examples)
    assert f"limit {limit:.4g}, " in capsys.readouterr().out
    stability["compare"](rate=0.99 * limit, examples=examples, loss=tf.reduce_mean)
    assert "limit 0.42" in capsys.readouterr().out


@pytest.mark.parametrize("over, comes_closer", [(0.95, True), (1.05, False)])
@pytest.mark.parametrize("loss, limit", [(tf.reduce_sum, 0.01069), (tf.reduce_mean, 0.4278)])
def test_the_limit_divides_the_rates(stability, loss, limit, over, comes_closer):
    stability["compare"](rate=over * limit, examples=40, loss=loss)
    _, [away] = drawn()
    assert (away[-1, 1] < away[0, 1]) == comes_closer


def test_a_start_at_the_answer_stays_there(stability, recwarn):
    stability["walk"](start=1.0)
    _, [away] = drawn()
    assert not away[:, 1].any()
    assert not recwarn.list


def test_the_picture_of_w_has_both_runs(capsys):
    names = defined("06", "imports", "model", "train", "ten-steps", "both-runs")
    exec(cell("06", "weights").source.replace("plt.show()", ""), names)
    recording = lab.recorded("divergence")
    for points, run in zip(drawn()[0], ["with_step", "without"], strict=True):
        assert points[:, 1] == pytest.approx(recording[run][0], rel=1e-4)


# Lesson 08: ways to make the step of the script.


@pytest.fixture(scope="module")
def finding():
    return defined("08", "imports", "pile", "draw", "lines", "explorer")


@pytest.fixture
def rerun(finding, capsys):
    """Run the script with the counter made in one of the lesson's ways; return the curve and what is printed."""

    def run(way):
        capsys.readouterr()
        plt.close("all")
        finding["rerun"](finding["ways"][way])
        [[points]] = drawn()
        return points, capsys.readouterr().out

    return run


ASKED = ["trainable", "as inherited", "with a name", "name and scope", "in the collection", "create", "get_or_create"]


@pytest.mark.parametrize("way", [way for way in ASKED if way != "create"])
def test_each_way_is_found_as_in_tensorflow(rerun, way):
    name, found, _, counted = answers("finding", "ways_to_make_a_counter")[ASKED.index(way)]
    points, said = rerun(way)
    assert f"'{name}'" in said
    returned = re.search(r"^get_global_step\(\) +(.*)", said, re.MULTILINE)[1]
    assert re.findall(r"\w+:0|None|int\d+_ref", returned) == re.findall(r"\w+:0|None|int\d+_ref", found)
    assert list(points[:, 0]) == ([0] * 8 if found == "None" else [1, 51, 101, 151, 201, 251, 300, 300])
    assert counted == 3  # training counts each of them


def test_every_way_trains_the_same_model_and_three_draw_a_curve(finding, rerun):
    curves = [rerun(way)[0] for way in finding["ways"]]
    assert np.ptp([curve[:, 1] for curve in curves], axis=0).max() == 0
    assert curves[0][0, 1] < 0.25 < 0.85 < curves[0][-1, 1] < 0.9
    assert sum(curve[-1, 0] > 0 for curve in curves) == 3
    assert "Three of them work" in text_of("08")


def test_two_in_the_collection_are_none_and_an_error(rerun):
    points, said = rerun("two of them")
    assert "get_global_step()    None\n" in said
    assert said.endswith("\nERROR:tensorflow:Multiple tensors in global_step collection.\n")
    assert not points[:, 0].any()


def test_the_lessons_own_graph_stays_as_it_was(rerun):
    with tf.Graph().as_default() as graph:
        rerun("get_or_create")
    assert graph.get_operations() == []


@pytest.mark.tensorflow
@pytest.mark.parametrize("way", ["as inherited", "with a name", "name and scope", "in the collection", "get_or_create"])
def test_tensorflow_draws_the_same_curve(finding, rerun, way, by_tensorflow, tmp_path):
    line = finding["ways"][way].replace("\n", "\n    ")
    script = lab.inherited().replace(finding["ways"]["as inherited"], line)
    assert by_tensorflow(script, tmp_path).returncode == 0
    assert np.array(lab.curve(str(tmp_path))) == pytest.approx(rerun(way)[0], abs=0.01)
