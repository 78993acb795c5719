"""minitf stays as small as CONTRIBUTING.md says. To see the counts: `python -m tests.test_size`."""

from __future__ import annotations

import ast
import io
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
MINITF = ROOT / "minitf"
EXPLAINED = "graph compiler session variables gradients optimizer training_util learning_rate_decay"
NOT_COUNTED = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
F_STRING = {"FSTRING_START": 1, "FSTRING_END": -1}  # one token up to Python 3.11, many since


def tokens(path: Path) -> Iterator[tokenize.TokenInfo]:
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


def loaded() -> list[Path]:
    """The files of minitf that `import minitf` loads."""
    program = (
        "import sys, minitf; print(*(m.__file__ for name, m in sys.modules.items() if 'minitf' in name), sep='\\n')"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    return [Path(line) for line in done.stdout.splitlines()]


def sizes() -> dict[str, int]:
    """The counts for which CONTRIBUTING.md has a limit, each by the words that follow it there."""
    files = list(MINITF.rglob("*.py"))
    explained = [path for path in files if path.stem in EXPLAINED.split()]
    assert len(explained) == 8
    lines = {(path, n) for path in explained for t in tokens(path) for n in range(t.start[0], t.end[0] + 1)}
    return {
        "lines of code": len(lines),
        "files": len(files),
        "tokens": sum(len(list(tokens(path))) for path in files),
        "of them in what `import minitf` loads": sum(len(list(tokens(path))) for path in loaded()),
    }


def limit(words: str) -> int:
    """The limit in CONTRIBUTING.md that is followed by these words."""
    text = " ".join((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split())
    (number,) = re.findall(rf"([\d,]+) {re.escape(words)}\b", text)
    return int(number.replace(",", ""))


@pytest.fixture(scope="module")
def counted() -> dict[str, int]:
    return sizes()


@pytest.mark.parametrize("words", ["lines of code", "files", "tokens", "of them in what `import minitf` loads"])
def test_minitf_is_no_larger_than_contributing_says(counted, words):
    assert counted[words] <= limit(words)


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
    for words, count in sizes().items():
        print(f"{count:,} of at most {limit(words):,} {words}")
