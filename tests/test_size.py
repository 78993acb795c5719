"""The files that the lessons open stay short. To see their length: `python -m tests.test_size`."""

import ast
import io
import re
import tokenize
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
EXPLAINED = "graph compiler session variables gradients optimizer training_util learning_rate_decay"
NOT_COUNTED = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}


def lines_of_code(text):
    """How many lines of a file hold code: no blank lines, comments and docstrings."""
    code, docstrings = set(), set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in NOT_COUNTED:
            code.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            docstrings.update(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    return len(code - docstrings)


def length():
    """The length of the files that the lessons open."""
    explained = [path for path in (ROOT / "minitf").rglob("*.py") if path.stem in EXPLAINED.split()]
    assert len(explained) == 8
    return sum(lines_of_code(path.read_text(encoding="utf-8")) for path in explained)


def limit():
    """The limit in CONTRIBUTING.md."""
    text = " ".join((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split())
    (number,) = re.findall(r"at most ([\d,]+) lines of code\b", text)
    return int(number.replace(",", ""))


def test_the_files_that_the_lessons_open_are_no_longer_than_contributing_says():
    assert length() <= limit()


@pytest.mark.parametrize(
    "text, count",
    [
        ('"""About."""\nx = 1  # one\n', 1),
        ('def f():\n    """About\n    this."""\n\n    # one\n    return "x"\n', 2),
        ('x = """\n\n"""\n', 3),
        ("x = [\n    1,\n]\n", 3),
    ],
)
def test_what_is_a_line_of_code(text, count):
    assert lines_of_code(text) == count


if __name__ == "__main__":
    print(f"{length():,} of at most {limit():,} lines of code")
