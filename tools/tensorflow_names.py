"""TensorFlow's names, read from its files: `python -m tools.tensorflow_names FOLDER ...` records them.

A FOLDER is an unpacked TensorFlow (1.15's `tensorflow_core`, 2.21's `tensorflow`). What is in any of them is recorded.
Nothing is imported, so this also reads a version that no Python of today can run. The text that this writes is
minitf/framework/tensorflow_names.txt; minitf/framework/tensorflow_names.py says what its lines mean.
"""

import ast
import re
import sys
import warnings
from collections import defaultdict
from pathlib import Path

import minitf  # noqa: F401 (which the next line looks for)
from minitf.extras import RENAMED
from minitf.framework.tensorflow_names import FILE

# Folders with the public names, and where their modules are in the public tree.
APIS = {"_api.v1": "", "_api.v1.v1": "", "_api.v2.compat.v1": "", "_api.v2.v2": "", "_api.v2": ""}
# The folders from which old programs import; of other modules inside TensorFlow, only the paths are recorded.
INNER = {f"python.{name}" for name in ("client", "eager", "framework", "layers", "platform", "summary", "training")}
INNER |= {"python.util", "python.ops", "python.ops.losses"}
INNER |= {f"contrib.{name}" for name in ("framework", "layers", "slim", "training")}
OF_CONTRIB = {"crf", "framework", "layers", "learn", "legacy_seq2seq", "losses", "metrics", "nn", "opt", "rnn"}
OF_CONTRIB |= {"seq2seq", "slim", "training"}
# Public modules that hold thousands of names, of which minitf has none: their own names are enough.
CLOSED = ("raw_ops.", "keras.", "estimator.", "compat.v1.", "compat.v2.", "experimental.numpy.")
SKIPPED = {"testdata", "kernel_tests", "raw_ops", "__internal__", "__operators__", "api", "numpy_ops", "parallel_for"}
SKIPPED |= {"standard_ops", "test_ops", "test_util", "gen_training_ops"}
UNWANTED = re.compile(r"tensorflow\.python\.util\.(tf_export|deprecation|all_util)|tensorflow\.python\.ops\.gen_")

# Names that no file shows: made while TensorFlow is imported, in other packages, or of older versions.
ADDED = {
    "tf": f"contrib estimator flags keras {' '.join(name for name in RENAMED if '.' not in name)} batch_matmul "
    "histogram_summary image_summary scalar_summary select",
    "tf.app": "flags",
    "tf.estimator": "*",
    "tf.flags": "*",
    "tf.keras": "*",
    "tf.train": "SummaryWriter",
    "python": "*=compat.v1",
    "examples.tutorials.mnist.fully_connected_feed": "*",
    "examples.tutorials.mnist.mnist": "*",
}

HEADER = """\
# TensorFlow's names (1.15's and 2.21's), by module. tools/tensorflow_names.py made this file.
"""


class Tree:
    """One TensorFlow, as a folder of Python files. An origin is a module and the name in it, "" for a module itself."""

    def __init__(self, root):
        self.root = root
        self._read = {}

    def file(self, module):
        """The file of a module such as `tensorflow.python.ops`, or None."""
        path = self.root.joinpath(*module.split(".")[1:])
        for file in (path / "__init__.py", path.with_name(f"{path.name}.py")):
            if file.exists():
                return file
        return None

    def modules(self, *under):
        """All modules in a folder, except tests."""
        for file in sorted(self.root.joinpath(*under).rglob("*.py")):
            path = file.relative_to(self.root).with_suffix("")
            parts = path.parts[:-1] if path.name == "__init__" else path.parts
            if not SKIPPED & set(parts[1:]) and not path.name.endswith("_test"):
                yield ".".join(["tensorflow", *parts])

    def origin(self, module, name):
        """Where a name comes from that is imported from a module."""
        if module.split(".")[0] != "tensorflow":
            return module, name
        if self.file(f"{module}.{name}"):
            return f"{module}.{name}", ""
        return self.namespace(module).get(name, (module, name))

    def namespace(self, module):
        """The names that a module has after its import, each with its origin; in a circle of imports, those so far."""
        file, found = self.file(module), self._read.setdefault(module, {})
        if file is None or found:
            return found
        package = module if file.name == "__init__.py" else module.rpartition(".")[0]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            statements = ast.parse(file.read_bytes()).body
        for statement in _executed(statements):
            self._bind(statement, module, package, found)
        return found

    def _bind(self, statement, module, package, found):
        match statement:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                found[name] = module, name
            case ast.Import(names=names):
                found.update({a.asname or a.name.split(".")[0]: (a.name, "") for a in names})
            case ast.ImportFrom(names=names):
                home = _home(statement, package)
                for alias in names:
                    if alias.name != "*":
                        found[alias.asname or alias.name] = self.origin(home, alias.name)
                    elif home.split(".")[0] == "tensorflow":
                        found |= {n: o for n, o in self.namespace(home).items() if n[0] != "_"}
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Name(id=other)) if other in found:
                found[name] = found[other]
            case ast.Assign() | ast.AnnAssign() | ast.For():
                for node in ast.walk(statement):
                    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                        found[node.id] = module, node.id
            case ast.Delete(targets=targets):
                for target in targets:
                    found.pop(getattr(target, "id", ""), None)


def _executed(statements):
    """The statements of a module, also those in an `if`, `try`, `with` or `for`."""
    for statement in statements:
        yield statement
        if isinstance(statement, ast.If | ast.Try | ast.With | ast.For):
            handlers = [s for handler in getattr(statement, "handlers", ()) for s in handler.body]
            yield from _executed([*statement.body, *getattr(statement, "orelse", ()), *handlers])


def _home(statement, package):
    if not statement.level:
        return statement.module or ""
    parts = package.split(".")
    return ".".join([*parts[: len(parts) - statement.level + 1], *filter(None, [statement.module])])


def _public_path(tree, module):
    """The path of a module that holds public names ("" is `tf` itself), or None for any other."""
    inner = module.removeprefix("tensorflow.")
    for api, path in APIS.items():
        if inner == api:
            return path
        if inner.startswith(f"{api}.") and inner not in APIS:
            return inner.removeprefix(f"{api}.")
    is_package = f"{inner}.".startswith("contrib.") and tree.file(module).name == "__init__.py"
    return inner if is_package and ".python" not in inner else None


def _documented(tree, module):
    """The names that a module of contrib keeps, or None if it keeps all."""
    source = tree.file(module).read_text("utf-8")
    if "remove_undocumented(" not in source:
        return None
    return set(re.findall(r"(?:@@|')(\w+)", source))


def _is_contribs(tree, module, name, home, symbol):
    """Whether a name in a module of contrib is meant to be there, and not just imported for its own use."""
    kept = _documented(tree, module)
    is_ours = home.startswith("tensorflow.contrib." if not symbol else "tensorflow.")
    return is_ours and (kept is None or name in kept) and not UNWANTED.match(home)


def _public(tree, names):
    """Add the public names to `names`; returns the shortest public path of each origin."""
    paths = {}
    for module in (m for folder in ("_api", "contrib") for m in tree.modules(folder)):
        space = _public_path(tree, module)
        if space is None:
            continue
        outer, _, last = space.rpartition(".")
        if last:
            names[f"tf.{outer}".rstrip(".")].add(last)
        of_contrib = space.split(".")[1] if space.startswith("contrib.") else ""
        if f"{space}.".startswith(CLOSED) or of_contrib and of_contrib not in OF_CONTRIB:
            names[f"tf.{space}"].add("*")
            continue
        for name, (home, symbol) in tree.namespace(module).items():
            if name.startswith("_") or of_contrib and not _is_contribs(tree, module, name, home, symbol):
                continue
            path = f"{space}.{name}".lstrip(".")
            names[f"tf.{space}".rstrip(".")].add(name)
            old = paths.setdefault((home, symbol), path)
            paths[home, symbol] = min(old, path, key=lambda p, symbol=symbol: (_rank(p, symbol), p))
    return paths


def _rank(path, symbol):
    """How far a public path is from the one that a program would use."""
    return "contrib" in path, path.rpartition(".")[2] != symbol, path.count("."), len(path)


def _path_of(module, name, origin, paths, names):
    """The public path of a name in a module inside TensorFlow, or None.

    A name that isn't public by its origin may have a public twin: `math_ops.reduce_sum` is version 2 of it, and
    `math_ops.negative` calls what `tf.negative` is.
    """
    path = paths.get(origin)
    if path and not re.search("_?[vV]2$", name):
        return path
    if path:
        return path if path.rpartition(".")[2] == name else None
    folder = ".".join(module.split(".")[1:3])
    spaces = {"python.ops": ["", "nn"], "python.framework": [""], "python.training": ["train"]}
    for space in spaces.get(folder, ()) if origin == (module, name) else ():
        if name in names[f"tf.{space}".rstrip(".")]:
            return f"{space}.{name}".lstrip(".")
    return None


def _inner(tree, names, paths):
    """Add the modules inside TensorFlow to `names`; a name that is public comes with its public path."""
    for module in (m for folder in ("python", "core", "contrib", "examples", "tools") for m in tree.modules(folder)):
        inner = module.removeprefix("tensorflow.")
        if _public_path(tree, module) is not None:
            continue
        listed = names[inner]
        if inner == "python":
            continue
        if (module, "") in paths:
            listed.add(f"*={paths[module, '']}")
        folder = ".".join(inner.split(".")[:2])
        if folder not in INNER or inner != folder == "python.ops" and inner.rpartition(".")[0] not in INNER:
            listed |= {"*"} if tree.namespace(module) else set()
            continue
        found = tree.namespace(module) | {name: (home, name) for home, name in paths if home == module and name}
        for name, origin in found.items():
            if name.startswith("_"):
                continue
            path = _path_of(module, name, origin, paths, names)
            if path:
                shown = path.removesuffix(name) if path.rpartition(".")[2] == name else path
                listed.add(f"{name}={shown}")
            elif origin == (module, name) and folder.startswith("python") and not UNWANTED.match(module):
                listed.add(name)


def text(trees):
    """The file with the names of all these TensorFlows."""
    names = defaultdict(set)
    for tree in trees:
        _inner(tree, names, _public(tree, names))
    for module, added in ADDED.items():
        names[module] |= set(added.split())
    lines = []
    for module in sorted(names):
        listed = names[module]
        public = {entry.split("=")[0] for entry in listed if "=" in entry}
        lines.append(" ".join([f"{module}:", *sorted(listed - public)]))
    return HEADER + "\n".join(lines) + "\n"


def main():
    """Record them."""
    found = text([Tree(Path(folder)) for folder in sys.argv[1:]])
    FILE.write_text(found, "utf-8")
    print(f"{found.count(chr(10))} modules, {len(found) // 1000} kB")


if __name__ == "__main__":
    main()
