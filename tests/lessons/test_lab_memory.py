"""One Variable, two sessions: the explorer shows what TensorFlow's sessions hold."""

from __future__ import annotations

import pytest

import minitf as tf
from lab import MemoryExplorer, recorded


@pytest.fixture(autouse=True)
def fresh_graph():
    """Give each test its own graph."""
    with tf.Graph().as_default():
        yield


def pictures():
    explorer = MemoryExplorer()
    return [explorer.picture(at) for at in range(len(explorer.lines))]


def nodes(picture):
    return {node["label"]: node for node in picture.parts[1]["nodes"]}


def test_after_each_line_the_sessions_hold_what_they_hold_in_tensorflow():
    shown = [[nodes(picture)[f"session {name}"]["value"] for name in "ab"] for picture in pictures()]
    held = [
        ["no entry" if entry is None else f"step: {entry}" for entry in pair] for pair in recorded("memory")["explorer"]
    ]
    assert shown == held
