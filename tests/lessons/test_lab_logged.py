"""What TensorFlow logs is caught for a lesson to print."""

from __future__ import annotations

import logging

import pytest

from lab import logged


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
