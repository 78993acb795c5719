"""Which names TensorFlow has, so that the error for a name that minitf lacks can say whose it is.

Beside this file, tensorflow_names.txt has a line for each module. It begins with `tf.nn:` for a
public module and with `python.ops.nn_impl:` for one inside TensorFlow, and goes on with the names
there, where `lrn=nn.` is public as `tf.nn.lrn`, `GFile=gfile.Open` as `tf.gfile.Open`; `*=flags`
says that all names there are those of `tf.flags`. A plain `*` stands for names that aren't listed.
"""

from functools import cache
from pathlib import Path

FILE = Path(__file__).with_suffix(".txt")
# Parts of TensorFlow that can be imported, but aren't attributes of `tensorflow`.
HIDDEN = ("compiler", "core", "examples", "python", "tools")
COVERS = (
    "what minitf covers: graphs, sessions, variables, the ops of training code, gradients, "
    "optimizers and everything that uses the global step (see README.md)"
)


@cache
def _lines() -> dict[str, str]:
    lines = FILE.read_text("utf-8").splitlines()[1:]
    return dict(line.split(":", 1) for line in lines)


def _key(module: str) -> str:
    """Return how the line of a module such as "tensorflow.nn" begins."""
    path = module.removeprefix("tensorflow").removeprefix(".")
    inner = path.removeprefix("compat.v1").removeprefix(".") if path.endswith("v1") else path
    inner = inner.removeprefix("compat.v1.")
    return inner if inner in _lines() else f"tf.{inner}".rstrip(".")


@cache
def _last_parts() -> set[str]:
    """Return the last parts of all paths of modules: files import each other by these names."""
    return {path.rpartition(".")[2] for path in _lines()}


def is_module(module: str) -> bool:
    """Return whether TensorFlow has a module such as "tensorflow.nn" or "tensorflow.python.ops"."""
    return _key(module) in _lines()


@cache
def is_inside(module: str) -> bool:
    """Return whether this is a module of TensorFlow that isn't public, such as one of its files."""
    key = _key(module)
    return key in _lines() and not key.startswith("tf")


@cache
def names(module: str) -> dict[str, str]:
    """Return the listed names of a module, each with its public path, or "" if it isn't public."""
    found = {}
    for entry in _lines().get(_key(module), "").split():
        name, equals, path = entry.partition("=")
        found[name] = path if path and path[-1] != "." else f"{path}{name}" if equals else ""
    return found


def modules_in(module: str) -> list[str]:
    """Return the paths of all modules inside a module of TensorFlow."""
    key = _key(module) + "."
    return [f"tensorflow.{path}" for path in _lines() if path.startswith(key)]


@cache
def has(module: str, name: str) -> bool | None:
    """Return whether a module of TensorFlow has a name, or None if that isn't known."""
    if _key(module) == "tf" and name in HIDDEN:
        return False
    listed = names(module)
    if name in listed or is_module(f"{module}.{name}"):
        return True
    if listed.get("*"):
        return has(f"tensorflow.{listed['*']}", name)
    if "*" in listed or name.startswith("_") or not is_module(module):
        return None
    may_be_imported = is_inside(module) and name in _last_parts()
    return None if may_be_imported else False


def may_have(path: str) -> bool:
    """Return whether TensorFlow may have a name such as "tensorflow.nn.conv2d", as far as known."""
    module, _, name = path.rpartition(".")
    if f"{path}.".startswith(tuple(f"tensorflow.compat.v1.{part}." for part in HIDDEN)):
        return False
    if not module or is_inside(path):
        return True
    known = has(module, name)
    # Of a class, a function or an unlisted module, the attributes aren't known.
    return may_have(module) if known is None else known


def problem(module: str, name: str) -> str:
    """Return the message for a name of a module such as "tensorflow.nn" that minitf lacks."""
    shown = f"{module}.{name}".replace("tensorflow", "tf", 1)
    known = has(module, name)
    if known:
        return f"minitf has no {shown}. TensorFlow has it, but it's outside of {COVERS}"
    if known is None:
        return f"minitf has no {shown}. If TensorFlow has it, it's outside of {COVERS}"
    return f"module '{module}' has no attribute '{name}' (and neither has minitf)"
