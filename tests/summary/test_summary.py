"""Summaries hold what was measured, whatever it was."""

from __future__ import annotations

import bisect
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minitf as tf
from minitf.summary.summary import histogram_summary, merge_summaries, scalar_summary
from tests.support import examples

FINITE = st.floats(allow_nan=False, allow_infinity=False, min_value=-1e150, max_value=1e150)


def _values(serialized):
    return tf.Summary.FromString(serialized).value


@given(st.text(), st.floats(width=32))
@examples(100)
def test_any_number_under_any_tag(tag, number):
    try:
        tag.encode()
    except UnicodeEncodeError:
        return
    (value,) = _values(scalar_summary(tag, np.float32(number)))
    assert value.tag == tag
    assert np.array_equal(np.float32(value.simple_value), np.float32(number), equal_nan=True)


def _limits():
    """Where buckets end, counted from 0 outwards by the rule: each is a tenth farther out."""
    outwards = [1e-12]
    while outwards[-1] * 1.1 < 1e20:
        outwards.append(outwards[-1] * 1.1)
    outwards.append(sys.float_info.max)
    return sorted([-limit for limit in outwards] + [0.0] + outwards)


@given(st.lists(st.one_of(FINITE, st.sampled_from([0.0, -0.0, 1e-12, -1e-12, 1.1e-12, 1e20, -1e20])), min_size=1))
@examples(100)
def test_a_histogram_counts_each_value_in_its_bucket(numbers):
    histo = _values(histogram_summary("h", np.array(numbers)))[0].histo
    assert (histo.min, histo.max, histo.num) == (min(numbers), max(numbers), len(numbers))
    assert histo.sum == pytest.approx(sum(numbers), rel=1e-9, abs=1e-9 * max(map(abs, numbers)))
    assert histo.sum_squares == pytest.approx(sum(number**2 for number in numbers))
    limits = _limits()
    counts = dict.fromkeys(limits, 0)
    for number in numbers:
        counts[limits[bisect.bisect_right(limits, number)]] += 1
    stored = dict(zip(histo.bucket_limit, histo.bucket, strict=True))
    assert {limit: count for limit, count in counts.items() if count} == {
        limit: count for limit, count in stored.items() if count
    }


@given(st.lists(st.floats(-10, 10), max_size=20))
@examples(50)
def test_no_two_neighbours_of_a_histogram_are_empty(numbers):
    histo = _values(histogram_summary("h", np.array(numbers)))[0].histo
    assert list(histo.bucket_limit) == sorted(histo.bucket_limit)
    assert not any(a == b == 0 for a, b in zip(histo.bucket, histo.bucket[1:], strict=False))


@given(st.lists(st.lists(st.tuples(st.sampled_from("abcdef"), FINITE), max_size=3), min_size=1, max_size=4))
@examples(100)
def test_a_merged_summary_has_all_values_in_order(parts):
    summaries = [
        tf.Summary(value=[tf.Summary.Value(tag=tag, simple_value=number) for tag, number in part]).SerializeToString()
        for part in [[(tag, np.float32(1.0) * np.tanh(number)) for tag, number in part] for part in parts]
    ]
    tags = [tag for part in parts for tag, _ in part]
    if len(set(tags)) < len(tags):
        with pytest.raises(ValueError, match="Duplicate tag"):
            merge_summaries(*summaries)
    else:
        assert [value.tag for value in _values(merge_summaries(*summaries))] == tags


def test_zeros_at_the_end_of_a_message_stay():
    a, b = tf.summary.scalar("a", 0.0), tf.summary.scalar("b", 0.0)
    x = tf.placeholder(tf.float32)
    c = tf.summary.scalar("c", x)
    with tf.Session() as session:
        merged = session.run(tf.summary.merge([a, b, c]), {x: 0.0})
        assert merged == b"".join(session.run([a, b, c], {x: 0.0}))
        assert len(_values(merged)) == 3


def test_a_fed_tag_is_used():
    summary = tf.summary.scalar("a", 1.0)
    with tf.Session() as session:
        (value,) = _values(session.run(summary, {"a/tags:0": "other"}))
    assert value.tag == "other"


def test_the_program_says_the_tag(capsys):
    tf.program(tf.summary.scalar("a", tf.placeholder(tf.float32, name="x") * 2.0))
    assert 'scalar_summary("a", ' in capsys.readouterr().out


def test_a_renamed_summary_is_told_where_info_is_shown(caplog):
    old = tf.logging.get_verbosity()
    tf.logging.set_verbosity(tf.logging.INFO)
    tf.get_logger().propagate = True
    try:
        with caplog.at_level("INFO"):
            tf.summary.scalar("an int", 1.0)
    finally:
        tf.logging.set_verbosity(old)
    assert "Summary name an int is illegal; using an_int instead." in caplog.text


def test_a_summary_that_fails_names_the_op_and_the_line():
    summary = tf.summary.histogram("h", tf.placeholder_with_default([np.nan], [1]))
    with pytest.raises(
        tf.errors.InvalidArgumentError, match="Nan in summary histogram for: h\n.*test_summary.py"
    ) as info:
        tf.Session().run(summary)
    assert info.value.op is summary.op
