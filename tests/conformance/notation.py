"""How transcripts write outcomes: as Python writes them, so that they read like a session at the prompt.

    [1, 2.5, 'text', b'bytes', None]        lists, tuples and dicts as they are
    array([[1.0, nan]], float32)            an array and its dtype; its shape follows if it is empty
    float32(0.1)                            a NumPy scalar, which is no 0-d array
    Point(x=1, y=2)                         a named tuple
    ValueError: words … more words          what an expression raised, and the core of its message
    ValueError('words', 'more words')       the same inside a list

An error's nearest built-in base follows its name unless it is Exception: `KeyError(LookupError)`.
Inside, outcomes are JSON, as tests/conformance/outcomes.py encodes them.
"""

import ast
import re

import numpy as np

WIDTH = 96
_RAISED = re.compile(r"(\w+)(?:\((\w+)\))?:(?: (.*))?", re.DOTALL)
_GAP = " … "  # between the pieces of a message


def to_text(outcome):
    """The text of an encoded outcome, on as many lines as it needs."""
    if isinstance(outcome, dict) and "$raises" in outcome:
        base = "" if outcome["base"] == "Exception" else f"({outcome['base']})"
        return f"{outcome['$raises']}{base}: {_GAP.join(_pieces(outcome))}".rstrip()
    return _wrapped(outcome, 0)


def from_text(text):
    """The encoded outcome that a text stands for."""
    raised = _RAISED.fullmatch(text)
    if raised:
        name, base, message = raised.groups()
        return _raised(name, (message or "").split(_GAP), base)
    return _read(ast.parse(text.strip(), mode="eval").body)


def _pieces(outcome):
    message = outcome["message"]
    return ([message] if message else []) if isinstance(message, str) else message


def _raised(name, pieces, base=None):
    message = pieces if len(pieces) > 1 else "".join(pieces)
    return {"$raises": name, "base": base or "Exception", "message": message}


# Writing.


def _wrapped(outcome, indent):
    """The text; what doesn't fit on a line is broken after commas, and short items share a line."""
    opening, items, closing = _parts(outcome)
    line = _joined(opening, items, closing)
    if indent + len(line) <= WIDTH or not items:
        return line
    indent += len(opening)
    lines = []
    for name, item in items:
        text = name + _wrapped(item, indent + len(name))
        together = indent + len(lines[-1]) + len(text) + 3 if lines else WIDTH + 1
        if together <= WIDTH and "\n" not in lines[-1] + text:
            lines[-1] += f", {text}"
        else:
            lines.append(text)
    return opening + f",\n{' ' * indent}".join(lines) + closing


def _joined(opening, items, closing):
    return opening + ", ".join(name + _joined(*_parts(item)) for name, item in items) + closing


def _parts(outcome):
    """What opens an outcome's text, its items (each with its name, if it has one), and what closes it."""
    if isinstance(outcome, list):
        return "[", _unnamed(outcome), "]"
    if not isinstance(outcome, dict):
        return repr(outcome), [], ""
    kind = next(iter(outcome), "")
    if kind == "$tuple":
        return "(", _unnamed(outcome[kind]), ",)" if len(outcome[kind]) == 1 else ")"
    if kind == "$array":
        shape, elements = outcome["shape"], _elements(outcome[kind], outcome["dtype"])
        opening, items, closing = _parts(elements)
        shown = f", {tuple(shape)}" if 0 in shape else ""
        return f"array({opening}", items, f"{closing}, {outcome['dtype']}{shown})"
    if kind == "$scalar":
        return f"{outcome['dtype']}(", _unnamed([_elements(outcome[kind], outcome["dtype"])]), ")"
    if kind == "$bytes":
        return repr(outcome[kind].encode("latin-1")), [], ""
    if kind == "$float":
        return outcome[kind], [], ""
    if kind == "$namedtuple":
        return f"{outcome[kind]}(", [(f"{name}=", value) for name, value in outcome["fields"].items()], ")"
    if kind == "$raises":
        base = [] if outcome["base"] == "Exception" else [("base=", outcome["base"])]
        return f"{outcome[kind]}(", _unnamed(_pieces(outcome)) + base, ")"
    return "{", [(f"{key!r}: ", value) for key, value in outcome.items()], "}"


def _unnamed(items):
    return [("", item) for item in items]


def _elements(value, dtype):
    """An array's elements, with NaN and infinity as floats outside arrays are encoded."""
    if isinstance(value, list):
        return [_elements(item, dtype) for item in value]
    return {"$float": value} if "float" in dtype and isinstance(value, str) else value


# Reading.


def _read(node):
    match node:
        case ast.Constant(bytes() as value):
            return {"$bytes": value.decode("latin-1")}
        case ast.Constant(value):
            return value
        case ast.Name(name) | ast.UnaryOp(ast.USub(), ast.Name(name)):
            return {"$float": name if isinstance(node, ast.Name) else f"-{name}"}
        case ast.UnaryOp(ast.USub(), ast.Constant(value)):
            return -value
        case ast.List(items):
            return [_read(item) for item in items]
        case ast.Tuple(items):
            return {"$tuple": [_read(item) for item in items]}
        case ast.Dict(keys, values):
            return {_read(key): _read(value) for key, value in zip(keys, values, strict=True)}
        case ast.Call(ast.Name(name), arguments, named):
            return _read_call(name, arguments, {pair.arg: _read(pair.value) for pair in named})
    raise ValueError(f"no outcome: {ast.unparse(node)}")


def _read_call(name, arguments, named):
    if name == "array":
        elements, dtype, *shape = arguments
        elements = _bare(_read(elements))
        shape = _read(shape[0])["$tuple"] if shape else _shape(elements)
        return {"$array": elements, "dtype": dtype.id, "shape": shape}
    values = [_read(argument) for argument in arguments]
    if name in np.sctypeDict or name.endswith("_"):
        return {"$scalar": _bare(values[0]), "dtype": name}
    if named and "base" not in named:
        return {"$namedtuple": name, "fields": named}
    return _raised(name, values, named.get("base"))


def _bare(value):
    """The reverse of `_elements`."""
    if isinstance(value, list):
        return [_bare(item) for item in value]
    return value.get("$float", value) if isinstance(value, dict) else value


def _shape(elements):
    return [len(elements), *_shape(elements[0])] if isinstance(elements, list) else []
