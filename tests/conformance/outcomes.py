"""Outcomes of programs: how they are observed, written as JSON, and compared.

JSON has no dtypes, tuples, bytes, exceptions: they are objects with one key that starts with `$`:

    {"$array": [[1.0, "nan"]], "dtype": "float32", "shape": [1, 2]}
    {"$scalar": 0.1, "dtype": "float32"}                     a NumPy scalar, which is no 0-d array
    {"$tuple": [1, 2]}      {"$bytes": "abc"}      {"$float": "inf"}
    {"$namedtuple": "Point", "fields": {"x": 1}}
    {"$raises": "ValueError", "base": "Exception", "message": "..."}

A recorded message is the core of TensorFlow's: what it said without node lists, stack traces,
memory addresses and links. Where something of that kind was in the middle, the core is a list of
pieces. Any message in which all pieces occur, in that order, agrees with it.
"""

import builtins
import math
import re
from dataclasses import dataclass

import numpy as np

# Relative and absolute tolerance by dtype; any other dtype must agree exactly. float64 is held to
# more digits than float32, or an update rounded to float32 on the way would pass unseen.
TOLERANCES = {"float16": (1e-3, 1e-6), "float32": (1e-5, 1e-6), "float64": (1e-12, 1e-15)}


@dataclass(frozen=True)
class Raised:
    """An exception as an observation."""

    error: Exception

    @property
    def type(self):
        """The name of the exception's class."""
        return type(self.error).__name__

    @property
    def base(self):
        """The name of the nearest built-in class that an `except` clause could name instead."""
        bases = type(self.error).__mro__[1:]
        return next(base.__name__ for base in bases if hasattr(builtins, base.__name__))


def raises(expression):
    """Call `expression`: what it raised is the observation, and raising nothing is one too."""
    try:
        expression()
    except Exception as error:
        return Raised(error)
    return "raised nothing"


def observe(program, tf):
    """Run a program against `tf` in a fresh default graph and return what it observed."""
    tf.reset_default_graph()
    np.random.seed(0)
    try:
        return program(tf, np)
    except Exception as error:
        return Raised(error)
    finally:
        tf.reset_default_graph()


def encode(outcome):
    """The JSON form of an outcome; messages are kept whole."""
    if outcome is None or isinstance(outcome, bool | str | int):
        return outcome
    if isinstance(outcome, np.ndarray):
        array = {"$array": _encode_elements(outcome), "dtype": outcome.dtype.name}
        return {**array, "shape": list(outcome.shape)}
    if isinstance(outcome, np.generic):
        return {"$scalar": _encode_elements(outcome), "dtype": outcome.dtype.name}
    if isinstance(outcome, float):
        return outcome if math.isfinite(outcome) else {"$float": str(outcome)}
    if isinstance(outcome, bytes):
        return {"$bytes": outcome.decode("latin-1")}
    if isinstance(outcome, Raised):
        return {"$raises": outcome.type, "base": outcome.base, "message": str(outcome.error)}
    if isinstance(outcome, list):
        return [encode(item) for item in outcome]
    if isinstance(outcome, tuple) and hasattr(outcome, "_fields"):
        fields = {name: encode(item) for name, item in outcome._asdict().items()}
        return {"$namedtuple": type(outcome).__name__, "fields": fields}
    if isinstance(outcome, tuple):
        return {"$tuple": [encode(item) for item in outcome]}
    if isinstance(outcome, dict):
        return {key: encode(item) for key, item in outcome.items()}
    raise TypeError(f"a program may not return a {type(outcome).__name__}: {outcome!r}")


def _encode_elements(value):
    """Nested lists of an array's elements, floats with the fewest digits that give them back."""
    if isinstance(value, np.ndarray):
        return [_encode_elements(item) for item in value] if value.ndim else _element(value[()])
    return _element(value)


def _element(item):
    if isinstance(item, np.floating):
        return float(str(item)) if np.isfinite(item) else str(item)
    return encode(item.item() if isinstance(item, np.generic) else item)


# What surrounds the core of a message, and what in its middle depends on the machine.
_BEFORE = re.compile(
    r"\AGraph execution error:\n\n(?:Detected at .*?\nNode: '[^\n]*'\n)?"
    r"(?:\d+ root error\(s\) found\.\n\s*\(0\) [\w ]+: )?",
    re.DOTALL,
)
_AFTER = re.compile(
    r"\n.*|, node name: .*"  # the node, the stack
    r"| You can attempt the following resolutions.*| See https?://.*"  # advice for TensorFlow 2
    r"|(?<=allowed values:) .*|(?<=expected:) \[tf\..*"  # dtypes: the lists hold kinds minitf lacks
    r"| and with (?:input tensors computed|computed input tensors).*",
    re.DOTALL,
)
_INSIDE = re.compile(
    r"\{\{node (?P<node>[^}]*)\}\} = \w+\[.*?\]\([^)]*\)"  # an op with its attributes and inputs
    r"|\{\{node (?P<bare>[^}]*)\}\}"
    r"|(?:\w+\.)*tensorflow\.python(?:\.\w+)*\.(?P<name>\w+)"  # where a class lives
    r"|np\.str_\((?P<text>[^)]*)\)"  # how NumPy shows a string depends on its version
    r"| at 0x[0-9a-f]+"
)


def core(message):
    """The core of a message of TensorFlow's: a string, or a list of pieces."""
    message = _AFTER.sub("", _BEFORE.sub("", message), count=1).rstrip()
    pieces, end = [], 0
    for match in _INSIDE.finditer(message):
        pieces += [message[end : match.start()], match[match.lastgroup] if match.lastgroup else ""]
        end = match.end()
    pieces = [piece.strip(" '") for piece in [*pieces, message[end:]]] if pieces else [message]
    pieces = [piece for piece in pieces if piece]
    return pieces if len(pieces) > 1 else "".join(pieces)


def shorten(encoded):
    """An encoded outcome with each message cut down to its core."""
    if isinstance(encoded, list):
        return [shorten(item) for item in encoded]
    if isinstance(encoded, dict) and "$raises" in encoded:
        return {**encoded, "message": core(encoded["message"])}
    if isinstance(encoded, dict):
        return {key: shorten(item) for key, item in encoded.items()}
    return encoded


def differences(recorded, observed, where="outcome"):
    """The lines that say where an encoded outcome differs from the recorded one, if it does."""
    if isinstance(recorded, dict) and isinstance(observed, dict):
        if recorded.keys() != observed.keys():
            return [f"{where}: {recorded} recorded, {observed} observed"]
        if "$raises" in recorded:
            return _message_differences(recorded, observed, where)
        if "$array" in recorded or "$scalar" in recorded:
            same = _same_numbers(recorded, observed)
            return [] if same else [f"{where}: {recorded} recorded, {observed} observed"]
        pairs = [(f"{where}[{key!r}]", recorded[key], observed[key]) for key in recorded]
    elif isinstance(recorded, list) and isinstance(observed, list):
        if len(recorded) != len(observed):
            return [f"{where}: {recorded} recorded, {observed} observed"]
        pairs = [(f"{where}[{index}]", *pair) for index, pair in enumerate(zip(recorded, observed, strict=True))]
    elif type(recorded) is float and type(observed) is float:
        same = math.isclose(recorded, observed, rel_tol=1e-5, abs_tol=1e-6)
        return [] if same else [f"{where}: {recorded} recorded, {observed} observed"]
    elif type(recorded) is type(observed) and recorded == observed:
        return []
    else:
        return [f"{where}: {recorded!r} recorded, {observed!r} observed"]
    return [line for name, one, other in pairs for line in differences(one, other, name)]


def _message_differences(recorded, observed, where):
    lines = [
        f"{where}: {recorded[key]} recorded, {observed[key]} observed (its {name})"
        for key, name in (("$raises", "type"), ("base", "built-in base"))
        if recorded[key] != observed[key]
    ]
    message, pieces, start = observed["message"], recorded["message"], 0
    for piece in [pieces] if isinstance(pieces, str) else pieces:
        start = message.find(piece, start)
        if start < 0:
            lines.append(f"{where}: {piece!r} recorded, not in its place in {message!r}")
            break
        start += len(piece)
    return lines


def _same_numbers(recorded, observed):
    if recorded["dtype"] != observed["dtype"] or recorded.get("shape") != observed.get("shape"):
        return False
    dtype = recorded["dtype"]
    one, other = (encoded.get("$array", encoded.get("$scalar")) for encoded in (recorded, observed))
    if dtype not in TOLERANCES:
        return one == other
    rtol, atol = TOLERANCES[dtype]
    one, other = np.array(one, "float64"), np.array(other, "float64")
    return bool(np.allclose(other, one, rtol, atol, equal_nan=True))
