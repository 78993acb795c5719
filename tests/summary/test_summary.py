"""Summaries hold what was measured, whatever it was."""

from __future__ import annotations

import bisect
import collections
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minitf as tf
from minitf.summary.summary import histogram_summary, merge_summaries, scalar_summary
from tests.support import examples

FINITE = st.floats(allow_nan=False, allow_infinity=False, min_value=-1e150, max_value=1e150)
EDGES = st.sampled_from([0.0, -0.0, 1e-12, -1e-12, 1.1e-12, 1e20, -1e20])
TEXTS = st.text(st.characters(codec="utf-8"))


def _values(serialized):
    return tf.Summary.FromString(serialized).value


def _histogram(numbers):
    (value,) = _values(histogram_summary("h", np.array(numbers)))
    return value.histo


@given(TEXTS, st.floats(width=32))
@examples(100)
def test_any_number_under_any_tag(tag, number):
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


LIMITS = _limits()


@given(st.lists(FINITE | EDGES, min_size=1))
@examples(100)
def test_a_histogram_counts_each_value_in_its_bucket(numbers):
    histo = _histogram(numbers)
    counts = collections.Counter(LIMITS[bisect.bisect_right(LIMITS, number)] for number in numbers)
    stored = zip(histo.bucket_limit, histo.bucket, strict=True)
    assert {limit: count for limit, count in stored if count} == counts


@given(st.lists(FINITE | EDGES, min_size=1))
@examples(100)
def test_a_histogram_says_how_large_its_values_are(numbers):
    histo = _histogram(numbers)
    assert (histo.min, histo.max, histo.num) == (min(numbers), max(numbers), len(numbers))
    assert histo.sum == pytest.approx(sum(numbers), rel=1e-9, abs=1e-9 * max(map(abs, numbers)))
    assert histo.sum_squares == pytest.approx(sum(number**2 for number in numbers))


@given(st.lists(st.floats(-10, 10), max_size=20))
@examples(50)
def test_no_two_neighbours_of_a_histogram_are_empty(numbers):
    histo = _histogram(numbers)
    assert list(histo.bucket_limit) == sorted(histo.bucket_limit)
    assert not any(a == b == 0 for a, b in zip(histo.bucket, histo.bucket[1:], strict=False))


@given(st.lists(st.lists(st.sampled_from("abcdef"), max_size=3), min_size=1, max_size=4))
@examples(100)
def test_a_merged_summary_has_all_tags_in_order(parts):
    tags = sum(parts, [])
    summaries = [tf.Summary(value=[tf.Summary.Value(tag=tag) for tag in part]).SerializeToString() for part in parts]
    if len(set(tags)) < len(tags):
        with pytest.raises(ValueError, match="Duplicate tag"):
            merge_summaries(*summaries)
    else:
        assert [value.tag for value in _values(merge_summaries(*summaries))] == tags


def test_the_program_says_the_tag():
    text = str(tf.program(tf.summary.scalar("a", tf.placeholder(tf.float32, name="x") * 2.0)))
    assert 'scalar_summary("a", ' in text


def test_a_renamed_summary_is_told_where_info_is_shown(caplog, monkeypatch):
    monkeypatch.setattr(tf.get_logger(), "propagate", True)
    with caplog.at_level("INFO", logger="tensorflow"):
        tf.summary.scalar("an int", 1.0)
    assert "Summary name an int is illegal; using an_int instead." in caplog.text


def test_a_summary_that_fails_names_the_op_and_the_line():
    summary = tf.summary.histogram("h", tf.placeholder_with_default([np.nan], [1]))
    words = "Nan in summary histogram for: h\n.*test_summary.py"
    with pytest.raises(tf.errors.InvalidArgumentError, match=words) as caught:
        tf.Session().run(summary)
    assert caught.value.op is summary.op
