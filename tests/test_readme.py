"""README.md tells the truth: its example prints what it shows, and its links lead somewhere."""

import contextlib
import io
import re
from pathlib import Path

import pytest

import minitf as tf

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language):
    """Return README's blocks of this language."""
    return re.findall(rf"^```{language}\n(.*?)^```", README, flags=re.MULTILINE | re.DOTALL)


def test_the_example_prints_what_is_shown():
    printed = io.StringIO()
    program, _ = blocks("text")
    with tf.Graph().as_default(), contextlib.redirect_stdout(printed):
        exec(blocks("python")[0], {})
    assert printed.getvalue() == program


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_links_lead_somewhere(name):
    links = re.findall(r"\]\(([^)#\s]+)", (ROOT / name).read_text(encoding="utf-8"))
    lost = [link for link in links if "://" not in link and not (ROOT / link).exists()]
    assert lost == []


def test_both_commands_set_up_in_the_same_way():
    first, second = (block.strip() for block in blocks("bash"))
    setup = "python3 -m venv .venv && .venv/bin/python -m pip install -r requirements.txt && "
    assert first.startswith(setup) and second.startswith(setup)
    assert "\n" not in first + second
