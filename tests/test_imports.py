"""minitf's imports go down only, those inside functions as well, and there is no circle."""

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import minitf

ROOT = Path(minitf.__file__).parent
MODULES = {
    ".".join(path.relative_to(ROOT.parent).with_suffix("").parts).removesuffix(".__init__"): path
    for path in ROOT.rglob("*.py")
}
# From the bottom up. A module is in the layer that its name begins with, the longest if there are several.
LAYERS = [
    ["minitf.framework"],
    ["minitf.ops"],
    ["minitf.client"],
    ["minitf.summary"],
    ["minitf.training"],
    ["minitf.nn", "minitf.extras"],  # the list of what the files of extras define, not yet the files
    ["minitf"],
    ["minitf.examples"],
    ["minitf.extras."],
    ["minitf.syntax"],
    ["minitf.checking.notebook", "minitf.checking.python2", "minitf.checking.source"],
    ["minitf.stand_in", "minitf.names_used"],
    ["minitf.explain"],
    ["minitf.checking"],
    ["minitf.__main__"],
]
HEIGHTS = {name: height for height, names in enumerate(LAYERS) for name in names}


def height(module):
    """The layer of a module."""
    return HEIGHTS[max((name for name in HEIGHTS if module.startswith(name)), key=len)]


def is_for_checkers_only(node):
    """Whether this is `if TYPE_CHECKING:`, whose imports never happen."""
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def statements(node):
    """Everything inside a node, functions too."""
    for child in ast.iter_child_nodes(node):
        if not is_for_checkers_only(child):
            yield child
            yield from statements(child)


def imported(text):
    """The modules of minitf that a file imports."""
    for node in statements(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in MODULES)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, "a relative import"
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield from (name for name in (inner, node.module) if name in MODULES)


def imports_of(module):
    """The modules of minitf that a module imports, without the packages that they are in."""
    found = set(imported(MODULES[module].read_text("utf-8")))
    return {name for name in found if not any(other.startswith(f"{name}.") for other in found)} - {module}


IMPORTS = {module: imports_of(module) for module in MODULES}


@pytest.mark.parametrize("module", MODULES)
def test_nothing_is_imported_from_above(module):
    assert [name for name in sorted(IMPORTS[module]) if height(name) > height(module)] == []


def test_there_is_no_circle():
    TopologicalSorter(IMPORTS).prepare()  # raises CycleError


def test_imports_are_found_wherever_they_stand():
    text = """if TYPE_CHECKING:
    from minitf.client.session import Session
import numpy
import minitf.nn
def function():
    from minitf.framework import dtypes
    from minitf.ops.variables import Variable
"""
    assert list(imported(text)) == ["minitf.nn", "minitf.framework.dtypes", "minitf.framework", "minitf.ops.variables"]


def test_few_files_load_modules_by_their_names():
    """`extras` loads its own files; the others load packages that may be missing, or stand in for TensorFlow."""
    found = {name for name, path in MODULES.items() if "import_module(" in path.read_text("utf-8")}
    others = {"minitf.framework.late", "minitf.names_used", "minitf.stand_in"}
    assert found == {"minitf.extras"} | others
