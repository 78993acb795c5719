"""The collection viewer shows what TensorFlow answers; the check of lesson 08 takes every right way."""

from __future__ import annotations

import logging

import pytest

import minitf as tf
from lab import CollectionViewer, check_one_step, logged
from lab.experiments.ways_to_count import WAYS, look
from tests.conformance.transcripts import answers
from tests.lessons.room import room

# What was asked of TensorFlow, in that order: a line of the script in each way.
BARE, NAMED = "tf.Variable(0, trainable=False)", 'tf.Variable(0, trainable=False, name="global_step")'
ASKED = [
    "global_step = tf.Variable(0)",
    f"global_step = {BARE}",
    f"global_step = {NAMED}",
    f'with tf.name_scope("train"):\n    global_step = {NAMED}',
    f"global_step = {BARE}\ntf.add_to_collection(tf.GraphKeys.GLOBAL_STEP, global_step)",
    "global_step = tf.train.create_global_step()",
    "global_step = tf.train.get_or_create_global_step()",
]


@pytest.fixture(autouse=True)
def fresh_graph():
    """Give each test its own graph."""
    with tf.Graph().as_default():
        yield


def test_the_ways_are_those_that_were_asked_of_tensorflow():
    asked = answers("finding", "ways_to_make_a_counter")
    for code, (name, found, _, counted) in zip(ASKED, asked, strict=True):
        seen = look(code)
        assert name in seen.held["GLOBAL_VARIABLES"]
        assert repr(seen.found) == found
        steps = [step for step, _ in seen.points]
        assert steps == ([0] * 8 if found == "None" else [1, 51, 101, 151, 201, 251, 300, 300])
        assert counted == 3  # training counts each of them


def test_every_way_trains_the_same_model():
    curves = [[share for _, share in look(code).points] for code in WAYS.values()]
    assert curves == [curves[0]] * len(WAYS)
    assert curves[0][0] < 0.25 < 0.85 < curves[0][-1] < 0.9


def test_two_in_the_collection_are_none_and_an_error():
    seen = look(WAYS["two in the collection"])
    assert seen.found is None and len(seen.held["GLOBAL_STEP"]) == 2
    assert set(seen.log) == {"ERROR:tensorflow:Multiple tensors in global_step collection."}


@pytest.mark.parametrize("way", WAYS)
def test_the_picture_shows_the_code_the_collections_the_questions_and_the_curve(way):
    explorer, seen = CollectionViewer(), look(WAYS[way])
    picture = explorer.picture(way)
    assert room(picture) == room(explorer.picture(**explorer.state))
    code, curve, collections, search = picture.parts
    assert "\n".join(line["text"] for line in code["lines"]).rstrip() == WAYS[way]
    columns = zip(seen.held.values(), zip(*collections["rows"], strict=True), strict=True)
    for held, column in columns:
        texts = [cell["text"] for cell in column if cell != " "]
        assert texts == (held or ["empty"])
        done = [cell["text"] for cell in column if cell != " " and cell["kind"] == "done"]
        assert done == [name for name in held if seen.found is not None and name == seen.found.name]
    first, second, gives, logs = [answer for _, answer in search["rows"]]
    assert gives == {"text": repr(seen.found), "kind": "now" if seen.found is None else "done"}
    assert [one["kind"] for one in (first, second)].count("done") == (seen.found is not None)
    assert (second["text"] == "not asked") == bool(seen.held["GLOBAL_STEP"])
    assert (logs["kind"] == "now") == bool(seen.log)
    assert all(f"{text} {answer['text']}" in picture.words for text, answer in search["rows"])
    for key, names in seen.held.items():
        assert f"{key}: {', '.join(names) or 'empty'}." in picture.words
    [drawn] = curve["lines"]
    assert drawn["points"] == seen.points
    assert drawn["kind"] == ("now" if seen.found is None else "done")


def test_two_in_the_collection_are_marked():
    picture = CollectionViewer().picture("two in the collection")
    _, _, collections, search = picture.parts
    assert [row[2] if row[2] == " " else row[2]["kind"] for row in collections["rows"]] == ["now", "now", " ", " "]
    assert [answer["kind"] for _, answer in search["rows"]] == ["now", "off", "now", "now"]
    assert "It gives None\nIt logs ERROR: Multiple tensors in global_step collection." in picture.words


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


def rate(step):
    return tf.train.exponential_decay(0.5, step, 100, 0.8)


def training(loss, rate, step):
    return tf.train.GradientDescentOptimizer(rate).minimize(loss, global_step=step)


def passed_on(loss):
    step = tf.train.create_global_step()
    return training(loss, rate(step), step)


def got_in_the_rate(loss):
    return training(loss, rate(tf.train.create_global_step()), tf.train.get_global_step())


def named(loss):
    step = tf.Variable(10, trainable=False, name="global_step")
    return training(loss, rate(tf.train.get_global_step()), step)


def added_to_the_collection(loss):
    step = tf.Variable(0, trainable=False)
    tf.add_to_collection(tf.GraphKeys.GLOBAL_STEP, step)
    return training(loss, rate(tf.train.get_or_create_global_step()), step)


def found_when_the_first_fails(loss):
    step = tf.train.create_global_step()
    try:
        again = tf.train.create_global_step()
    except ValueError:
        again = tf.train.get_global_step()
    return training(loss, rate(step), again)


def with_a_variable_that_nobody_needs(loss):
    tf.Variable(3, trainable=False, name="unused")
    return passed_on(loss)


def by_apply_gradients(loss):
    step = tf.train.get_or_create_global_step()
    optimizer = tf.train.MomentumOptimizer(rate(step), 0.5)
    return optimizer.apply_gradients(optimizer.compute_gradients(loss), global_step=step)


@pytest.mark.parametrize(
    "make_train_op",
    [
        passed_on,
        got_in_the_rate,
        named,
        added_to_the_collection,
        found_when_the_first_fails,
        with_a_variable_that_nobody_needs,
        by_apply_gradients,
    ],
)
def test_each_way_to_share_one_step_is_right(make_train_op):
    verdict = check_one_step(make_train_op)
    assert verdict, verdict.message
    start = 10 if make_train_op is named else 0
    assert f"at the steps {start + 1}, {start + 51}, {start + 101}:" in verdict.message
    assert check_one_step(make_train_op)  # again
    assert tf.get_default_graph().get_operations() == []


def counted_twice(loss):
    step = tf.train.create_global_step()
    return tf.group(training(loss, rate(step), step), tf.assign_add(step, 1))


def not_in_global_variables(loss):
    step = tf.Variable(0, trainable=False, collections=[tf.GraphKeys.GLOBAL_STEP])
    return training(loss, rate(step), step)


STEPS: list[tf.Variable] = []


@pytest.mark.parametrize(
    "make_train_op, words",
    [
        (None, "`make_train_op` should be a function"),
        (lambda loss: None, "should return the train op"),
        (lambda: None, "takes 0 positional arguments but 1 was given"),
        (lambda loss: 1 / 0, "stops: division by zero"),
        (lambda loss: [][0], "stops: list index out of range"),
        (counted_twice, "One run moves `global_step:0` by 2"),
        (not_in_global_variables, "Attempting to use uninitialized value Variable"),
        (lambda loss: training(loss, rate(STEPS[0]), STEPS[0]), "Use no Variable of another cell"),
        (
            lambda loss: training(loss, rate(tf.train.create_global_step()), STEPS[0]),
            "This train op does not train `w`.",
        ),
        (lambda loss: tf.no_op(), "This train op does not train `w`."),
        (lambda loss: training(tf.Variable(5.0) ** 2, 0.1, None), "This train op does not train `w`."),
        (lambda loss: training(loss, 0.1, None), "counts nothing, the rate reads nothing, and log_test finds nothing."),
        (lambda loss: (_ for _ in ()).throw(KeyError()), "stops: KeyError"),
    ],
)
def test_odd_answers_are_named(make_train_op, words):
    STEPS[:] = [tf.Variable(0, trainable=False, name="global_step")]
    verdict = check_one_step(make_train_op)
    assert not verdict
    assert words in verdict.message
