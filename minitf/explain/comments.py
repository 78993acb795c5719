"""Reads the comments by which a script silences findings about a line.

    train_op = critic.minimize(loss)  # minitf: ignore[step-not-passed]

Several identifiers are separated by commas, and `# minitf: ignore` silences everything.
"""

import re
import tokenize
from collections.abc import Iterable, Iterator

_COMMENT = re.compile(r"#\s*minitf:\s*ignore(?!\w)\s*(?:\[([^\]]*)\])?")


def ignored(lines: Iterable[str]) -> dict[int, set[str] | None]:
    """Return the identifiers that are silenced at each line with such a comment; None for all.

    Lines are counted from 1. In a text that isn't Python, what looks like a comment is one.
    """
    lines = [line.rstrip("\n") for line in lines]
    if not any("minitf:" in line for line in lines):
        return {}
    found = {}
    for number, comment in _comments(lines):
        if match := _COMMENT.search(comment):
            names = match[1]
            found[number] = names if names is None else {name.strip() for name in names.split(",")}
    return found


def silences(found: dict[int, set[str] | None], id: str, lines: Iterable[int]) -> bool:
    """Return whether a comment at one of these lines silences findings of a kind."""
    return any(line in found and (found[line] is None or id in found[line]) for line in lines)


def _comments(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Yield the comments with their lines, from where the text isn't Python what looks like one."""
    last = 1
    try:
        for token in tokenize.generate_tokens(iter([f"{line}\n" for line in lines]).__next__):
            last = token.end[0]
            if token.type == tokenize.COMMENT:
                yield token.start[0], token.string
    except (tokenize.TokenError, SyntaxError, StopIteration):
        for number, line in enumerate(lines[last - 1 :], last):
            if "#" in line:
                yield number, line[line.index("#") :]
