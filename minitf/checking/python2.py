"""Turns Python 2 into Python 3 with the same statements on the same lines, so that `ast` reads it.

tree-sitter finds what only Python 2 has, such as print statements. It's an optional package:
without it, `as_python_3` raises ModuleNotFoundError.
"""

import re
from collections.abc import Iterator
from functools import cache

# Where to replace what: the first byte, the byte after the last, and the new text.
Edit = tuple[int, int, bytes]

HOW_TO_GET_IT = "python -m pip install tree-sitter tree-sitter-python"


@cache
def _parser():
    import tree_sitter
    import tree_sitter_python

    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_python.language()))


def as_python_3(text: str) -> str:
    """Return a Python 2 program in Python 3, or something near it that may not be valid."""
    source = "\n".join(map(_without_tabs, text.split("\n"))).encode("utf-8", "replace")
    edits = sorted(edit for node in _nodes(source) for edit in _edits(node, source))
    for first, end, new in reversed(edits):
        source = source[:first] + new + source[end:]
    return source.decode("utf-8")


def _without_tabs(line: str) -> str:
    """Return a line whose indentation has the width that it has for Python 2."""
    code = line.lstrip(" \t")
    return line[: len(line) - len(code)].expandtabs(8) + code


def _nodes(source: bytes) -> Iterator:
    waiting = [_parser().parse(source).root_node]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += node.children


def _edits(node, source: bytes) -> Iterator[Edit]:
    """Yield what to change at a node, the nodes inside of it not included."""
    match node.type:
        case "print_statement":
            chevron = [child for child in node.children if child.type == "chevron"]
            yield from ((each.start_byte, each.start_byte + 2, b"  ") for each in chevron)
            yield from _in_parentheses(node.start_byte + len("print"), node.end_byte, source)
        case "exec_statement":
            yield from _in_parentheses(node.start_byte + len("exec"), node.end_byte, source)
        case "raise_statement":
            for child in node.children:
                if child.type == "expression_list":
                    yield from _in_parentheses(child.start_byte, child.end_byte, source)
        case "except_clause":
            for comma in (child for child in node.children if child.type == ","):
                yield comma.start_byte, comma.end_byte, b" as "
        case "<>":
            yield node.start_byte, node.end_byte, b"!="
        case "integer":
            yield node.start_byte, node.end_byte, _as_integer(node.text)
        case "string":
            yield from _as_string(node)
        case "tuple_pattern" if node.parent and node.parent.type in _PARAMETERS:
            names = b"_".join(re.findall(rb"\w+", node.text))
            yield node.start_byte, node.end_byte, names + b"\n" * node.text.count(b"\n")
        case "identifier" if node.text == b"async":
            yield node.start_byte, node.end_byte, node.text + b"_"


_PARAMETERS = ("parameters", "lambda_parameters", "default_parameter")


def _in_parentheses(first: int, end: int, source: bytes) -> Iterator[Edit]:
    """Yield the edits that put brackets around a part, the first in place of a space before it."""
    has_space = source[first : first + 1] in (b" ", b"\t")
    yield first, first + has_space, b"("
    yield end, end, b")"


def _as_integer(text: bytes) -> bytes:
    text = text.rstrip(b"lL")
    return b"0o" + text.lstrip(b"0") if re.fullmatch(rb"0+[1-7][0-7]*", text) else text


def _as_string(node) -> Iterator[Edit]:
    """Yield the edits for a string such as ur"text", or for backquotes, which call `repr`."""
    start, *_, end = node.children
    if start.text == b"`":
        yield start.start_byte, start.end_byte, b"repr("
        yield end.start_byte, end.end_byte, b")"
    elif start.text[:2].lower() == b"ur":
        yield start.start_byte, start.start_byte + 1, b""
