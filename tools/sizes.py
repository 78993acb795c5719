"""Count tokens and lines of code by folder: `python -m tools.sizes`.

Comments, docstrings and line structure aren't code. A line counts if it holds a token.
"""

import ast
import io
import subprocess
import tokenize
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NOT_COUNTED = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
F_STRING = {"FSTRING_START": 1, "FSTRING_END": -1}  # one token up to Python 3.11, many since


def tokens(path: Path) -> Iterator[tokenize.TokenInfo]:
    """The tokens of a file that are code."""
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


def lines(path: Path) -> int:
    """The number of a file's lines that hold code."""
    return len({n for token in tokens(path) for n in range(token.start[0], token.end[0] + 1)})


def main() -> None:
    """Print a table."""
    tracked = subprocess.run(["git", "ls-files", "*.py"], cwd=ROOT, capture_output=True, text=True, check=True)
    sizes = defaultdict(lambda: [0, 0])
    for name in tracked.stdout.split():
        path = ROOT / name
        counted = len(list(tokens(path))), lines(path)
        for folder in {"all", name.partition("/")[0], str(Path(name).parent)}:
            sizes[folder] = [a + b for a, b in zip(sizes[folder], counted, strict=True)]
    for folder, (number, held) in sorted(sizes.items()):
        print(f"{folder:40} {number:8,} tokens {held:7,} lines {number / max(held, 1):6.1f}")


if __name__ == "__main__":
    main()
