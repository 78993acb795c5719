"""Settings that every test shares, the lessons' cells included."""

from __future__ import annotations

import os
import random
from collections.abc import Generator

import pytest
from hypothesis import HealthCheck, settings

# There is a process for each processor already. (lab.one_thread comes too late where NumPy is imported before lab.)
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

settings.register_profile("course", deadline=None)  # a slow machine is not a wrong program
settings.register_profile("long", deadline=None, suppress_health_check=list(HealthCheck))
if not os.environ.get("CI"):  # there, Hypothesis loads its own: the same examples every time
    settings.load_profile("course")


# What tests draw from that try something else each time; workers inherit it, and a run prints it.
SEED = os.environ.setdefault("MINITF_SEED", str(random.randrange(2**32)))

# How a figure is drawn may differ from machine to machine; its words, in text/plain, may not.
NOT_COMPARED = ("image/png", "image/svg+xml", "text/html")


def pytest_report_header() -> str:
    """How to run the same again."""
    return f"MINITF_SEED={SEED}"


def pytest_itemcollected(item: pytest.Item) -> None:
    """Let nbval compare all that a cell prints, and of its figures the words."""
    if hasattr(item.parent, "skip_compare"):
        item.parent.skip_compare = (*item.parent.skip_compare, *NOT_COMPARED)


def _no_skip(report):
    """With CI set, turn a skipped test into a failure: what is not run there is run nowhere."""
    skipped = report.skipped and not hasattr(report, "wasxfail")
    if skipped and os.environ.get("CI"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"With CI set, nothing may be skipped. {reason}"
    return report


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator:
    """Apply the rule to what ran."""
    return _no_skip((yield))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Generator:
    """Apply the rule to files that skip themselves as a whole."""
    return _no_skip((yield))
