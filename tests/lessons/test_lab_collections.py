"""The collection viewer shows what TensorFlow answers; the check of lesson 08 takes every right way."""

from __future__ import annotations

import logging

import pytest

import minitf as tf
from lab import CollectionViewer, check_one_step, logged
from lab.experiments.ways_to_count import WAYS, look
from tests.conformance import recordings
from tests.lessons.quote import plain
from tests.lessons.room import room


@pytest.fixture(autouse=True)
def fresh_graph():
    """Give each test a graph of its own."""
    with tf.Graph().as_default():
        yield


def test_the_ways_are_those_that_were_asked_of_tensorflow():
    asked = plain(recordings.read("finding")["ways_to_make_a_counter"])
    for code, (name, found, _, counted) in zip(list(WAYS.values())[:6], asked, strict=False):
        seen = look(code, runs=3)
        assert (repr(seen.found), seen.values[name]) == (found, counted)


def test_two_in_the_collection_are_none_and_an_error():
    seen = look(WAYS["two in the collection"], runs=2)
    assert seen.found is None and len(seen.held["GLOBAL_STEP"]) == 2
    assert seen.log == ["ERROR:tensorflow:Multiple tensors in global_step collection."]
    assert list(seen.values.values()) == [pytest.approx(3.2), 2, 0]


@pytest.mark.parametrize("way", WAYS)
def test_the_picture_shows_the_code_the_collections_and_the_questions(way):
    explorer, seen = CollectionViewer(), look(WAYS[way], 7)
    picture = explorer.picture(way, 7)
    assert room(picture) == room(explorer.picture(**explorer.state))
    code, collections, search = picture.parts
    assert "\n".join(line["text"] for line in code["lines"]).rstrip() == WAYS[way]
    columns = zip(seen.held.values(), zip(*collections["rows"], strict=True), strict=True)
    for held, column in columns:
        texts = [cell["text"] for cell in column if cell != " "]
        assert texts == ([f"{name} = {seen.values[name]:.4g}" for name in held] or ["empty"])
        done = [cell["text"].split()[0] for cell in column if cell != " " and cell["kind"] == "done"]
        assert done == [name for name in held if seen.found is not None and name == seen.found.name]
    first, second, gives, logs = [answer for _, answer in search["rows"]]
    assert gives == {"text": repr(seen.found), "kind": "now" if seen.found is None else "done"}
    assert [one["kind"] for one in (first, second)].count("done") == (seen.found is not None)
    assert (second["text"] == "not asked") == bool(seen.held["GLOBAL_STEP"])
    assert (logs["kind"] == "now") == bool(seen.log)
    assert all(f"{text} {answer['text']}" in picture.words for text, answer in search["rows"])
    for key, names in seen.held.items():
        values = ", ".join(f"{name} = {seen.values[name]:.4g}" for name in names)
        assert f"{key}: {values or 'empty'}." in picture.words


def test_two_in_the_collection_are_marked():
    picture = CollectionViewer().picture("two in the collection", 3)
    _, collections, search = picture.parts
    assert [row[2] if row[2] == " " else row[2]["kind"] for row in collections["rows"]] == ["now", "now", " "]
    assert [answer["kind"] for _, answer in search["rows"]] == ["now", "off", "now", "now"]
    assert picture.words.endswith("It gives None\nIt logs ERROR: Multiple tensors in global_step collection.")


def test_what_is_logged_is_kept_from_the_page_and_only_inside(capsys):
    log = logging.getLogger("tensorflow")
    with logged() as lines:
        log.error("One %s.", "thing")
    assert lines == ["ERROR:tensorflow:One thing."]
    assert capsys.readouterr().err == ""
    filters = list(log.filters)
    with pytest.raises(ValueError), logged():
        raise ValueError
    assert log.filters == filters


def model(step):
    w = tf.Variable(5.0, name="w")
    return w**2, tf.train.exponential_decay(0.1, step, 10, 0.5)


def training(loss, rate, step):
    return tf.train.GradientDescentOptimizer(rate).minimize(loss, global_step=step)


def handed_over():
    step = tf.train.create_global_step()
    return training(*model(step), step)


def got_in_the_second():
    return training(*model(tf.train.create_global_step()), tf.train.get_global_step())


def named():
    step = tf.Variable(10, trainable=False, name="global_step")
    return training(*model(step), tf.train.get_global_step())


def added_to_the_collection():
    step = tf.Variable(0, trainable=False)
    tf.add_to_collection(tf.GraphKeys.GLOBAL_STEP, step)
    return training(*model(tf.train.get_or_create_global_step()), step)


def after_a_reset():
    tf.reset_default_graph()
    return handed_over()


def in_a_graph_of_its_own():
    with tf.Graph().as_default():
        return handed_over()


def found_when_the_first_fails():
    step = tf.train.create_global_step()
    try:
        again = tf.train.create_global_step()
    except ValueError:
        again = tf.train.get_global_step()
    return training(*model(step), again)


@pytest.mark.parametrize(
    "build",
    [
        handed_over,
        got_in_the_second,
        named,
        added_to_the_collection,
        after_a_reset,
        in_a_graph_of_its_own,
        found_when_the_first_fails,
    ],
)
def test_each_way_to_share_one_step_is_right(build):
    verdict = check_one_step(build)
    assert verdict, verdict.message
    assert check_one_step(build)  # again
    assert tf.get_default_graph().get_operations() == []


def counted_twice():
    step = tf.train.create_global_step()
    loss, rate = model(step)
    return tf.group(training(loss, rate, step), tf.assign_add(step, 1))


def not_in_global_variables():
    step = tf.Variable(0, trainable=False, collections=[tf.GraphKeys.GLOBAL_STEP])
    return training(*model(step), step)


STEPS: list[tf.Variable] = []


@pytest.mark.parametrize(
    "build, words",
    [
        (None, "`build` should be a function"),
        (lambda: None, "should return the train op"),
        (lambda loss: loss, "missing 1 required positional argument"),
        (lambda: 1 / 0, "stops: division by zero"),
        (lambda: [][0], "stops: list index out of range"),
        (counted_twice, "One run moves the step by 2"),
        (not_in_global_variables, "Attempting to use uninitialized value Variable"),
        (lambda: training(*model(STEPS[0]), STEPS[0]), "Use no Variable of another cell"),
        (lambda: training(*model(tf.train.create_global_step()), STEPS[0]), "This train op changes no weight."),
        (lambda: tf.no_op(), "This train op changes no weight."),
        (lambda: training(tf.Variable(5.0) ** 2, 0.1, None), "finds nothing. The counter is missing"),
        (lambda: (_ for _ in ()).throw(KeyError()), "stops: KeyError"),
    ],
)
def test_odd_answers_are_named(build, words):
    STEPS[:] = [tf.Variable(0, trainable=False, name="global_step")]
    verdict = check_one_step(build)
    assert not verdict
    assert words in verdict.message
