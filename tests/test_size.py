"""The files that the lessons open stay short. To see their length: `python -m tests.test_size`."""

import ast
import io
import re
import tokenize
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
MINITF = ROOT / "minitf"
EXPLAINED = "graph compiler session variables gradients optimizer training_util learning_rate_decay"
NOT_COUNTED = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
F_STRING = {"FSTRING_START": 1, "FSTRING_END": -1}  # one token up to Python 3.11, many since


def tokens(path):
    """The tokens of a file without comments, docstrings and line structure."""
    text = path.read_text(encoding="utf-8")
    docstrings, depth = set(), 0
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            docstrings.add((node.body[0].lineno, node.body[0].col_offset))
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        change = F_STRING.get(tokenize.tok_name[token.type], 0)
        if not depth and token.type not in NOT_COUNTED and token.start not in docstrings:
            yield token
        depth += change


def lines_of_code():
    """The number of lines, in the files that the lessons open, that hold a token."""
    explained = [path for path in MINITF.rglob("*.py") if path.stem in EXPLAINED.split()]
    assert len(explained) == 8
    return len({(path, n) for path in explained for t in tokens(path) for n in range(t.start[0], t.end[0] + 1)})


def limit():
    """The limit in CONTRIBUTING.md."""
    text = " ".join((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split())
    (number,) = re.findall(r"at most ([\d,]+) lines of code\b", text)
    return int(number.replace(",", ""))


def test_the_files_that_the_lessons_open_are_no_longer_than_contributing_says():
    assert lines_of_code() <= limit()


@pytest.mark.parametrize(
    "text, count",
    [
        ('"""About."""\nx = 1  # one\n', 3),
        ('def f():\n    """About."""\n    return "x"\n', 7),
        ("x = f\"a{b + 1}{f'{c}'}\"\n", 3),
        ("x = [\n    1,\n]\n", 6),
    ],
)
def test_what_is_a_token(tmp_path, text, count):
    (tmp_path / "code.py").write_text(text, encoding="utf-8")
    assert len(list(tokens(tmp_path / "code.py"))) == count


if __name__ == "__main__":
    print(f"{lines_of_code():,} of at most {limit():,} lines of code")
