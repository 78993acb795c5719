"""What TensorFlow's public names take: `python -m tools.signatures` records it, where it is installed.

For each public function and class in the modules that minitf covers, whether minitf has it yet or not, and for each
method of minitf's classes: the names, order, kinds and defaults of its parameters.
"""

import enum
import inspect
import json
import os
import types
from pathlib import Path

RECORDED = Path(__file__).resolve().parents[1] / "tests" / "conformance" / "signatures.json"
# Modules in which users look names up; "" is `tf` itself.
SPACES = ("", "train", "nn", "losses", "math", "random", "initializers", "errors", "logging", "gfile")
SPACES += ("python_io", "summary", "layers", "contrib.layers", "contrib.framework")
# What a class of minitf offers beside its constructor is compared for these, which users call methods of.
CLASSES = ("Graph", "Session", "InteractiveSession", "Operation", "Tensor", "Variable", "VariableScope", "TensorShape")
CLASSES += ("train.Optimizer", "train.ExponentialMovingAverage", "train.Saver")
CLASSES += ("summary.FileWriter", "summary.FileWriterCache")


def find(tf, path):
    """What `path` ('train.Optimizer.minimize') names, or None."""
    found = tf
    for part in path.split("."):
        try:
            found = getattr(found, part)
        except AttributeError:
            return None
    return found


def public_names(tf):
    """The paths of all public callables of minitf, sorted."""
    paths = []
    for space in SPACES:
        module = find(tf, space) if space else tf
        for name, value in vars(module).items() if module else ():
            own = str(getattr(value, "__module__", "")).startswith("minitf")
            if own and callable(value) and not name.startswith("_") and not isinstance(value, types.ModuleType):
                paths.append(f"{space}.{name}".lstrip("."))
    for path in CLASSES:
        own = vars(find(tf, path))
        paths += [f"{path}.{name}" for name in own if not name.startswith("_") and inspect.isroutine(own[name])]
    return sorted(paths)


def parameters(function):
    """['x', 'name=None', '*args'] of a function, or of a class's constructor; None where Python doesn't know.

    Of an enumeration, its members and their values: what its constructor takes depends on Python's version.
    """
    if isinstance(function, enum.EnumType):
        return [f"{member.name}={member.value!r}" for member in function]
    try:
        found = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    return [stars.get(p.kind, "") + p.name + _default(p.default) for p in found]


def _default(value):
    if value is inspect.Parameter.empty:
        return ""
    shown = getattr(value, "__name__", None) or repr(value)
    if " object at" in shown:  # its class, wherever that is
        shown = shown.split(" object at")[0].rpartition(".")[2]
    return f"={shown}"


def recorded():
    """TensorFlow's parameters by path."""
    return json.loads(RECORDED.read_text("utf-8"))


def of_tensorflow(tf):
    """The parameters of everything callable that TensorFlow has, and of minitf's methods that it has as well."""
    import minitf

    paths = set(public_names(minitf))
    for space in SPACES:
        names = dir(find(tf, space) if space else tf)
        paths |= {f"{space}.{name}".lstrip(".") for name in names if not name.startswith("_")}
    found = {path: find(tf, path) for path in paths}
    return {path: parameters(value) for path, value in found.items() if callable(value)}


def main():
    """Record them."""
    from tests.conformance.referee import import_tensorflow

    found = of_tensorflow(import_tensorflow())
    lines = ",\n".join(f"  {json.dumps(path)}: {json.dumps(found[path])}" for path in sorted(found))
    temporary = RECORDED.with_suffix(".part")
    temporary.write_text(f"{{\n{lines}\n}}\n", "utf-8")
    os.replace(temporary, RECORDED)
    print(f"{len(found)} signatures recorded")


if __name__ == "__main__":
    main()
