"""The index of minitf's public names, as Markdown, made from their docstrings."""

from __future__ import annotations

import inspect
import re
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import minitf as tf
from website import ROOT

PACKAGES = {"nn", "summary"}  # the packages of minitf that are namespaces in TensorFlow as well
HEAD = """# minitf's public names

This page lists every public name in minitf, with its docstring. [How minitf works](README.md) follows a run through
the files that define them.
"""


def index() -> str:
    """Return the page: a section for each namespace, and in it an entry for each thing that has its name there."""
    sections: dict[str, dict[str, str]] = {}
    named: dict[Any, list[str]] = {}
    for prefix, space in spaces().items():
        for name, thing in public(space):
            named.setdefault(thing, []).append(f"{prefix}.{name}")
    for thing, names in named.items():
        own = next((name for name in names if name.endswith(f".{thing.__name__}")), names[0])
        sections.setdefault(own.rpartition(".")[0], {})[own] = entry(own, thing, names)
    parts = []
    for space, entries in sorted(sections.items()):
        parts += [f"## {space}\n", *(entries[own] for own in sorted(entries, key=str.lower))]
    return "\n".join([HEAD, *parts])


def spaces() -> dict[str, types.ModuleType]:
    """Return the namespaces that a program can use, without the packages and files of minitf, which `dir` lists too."""
    found = {"tf": tf}
    for prefix, space in (todo := list(found.items())):
        for name in dir(space):
            inner = getattr(space, name, None)
            if not isinstance(inner, types.ModuleType) or inner in found.values() or name.startswith("_"):
                continue
            is_file = inner.__name__ == f"{space.__name__}.{name}" and space.__name__.startswith("minitf")
            is_ours = inner.__name__.startswith(("minitf.", "tf."))
            if is_ours and (not is_file or space is tf and name in PACKAGES):
                found[f"{prefix}.{name}"] = inner
                todo.append((f"{prefix}.{name}", inner))
    return found


def public(space: types.ModuleType) -> Iterator[tuple[str, Any]]:
    """Yield the functions and classes of minitf that a namespace offers."""
    for name in sorted(dir(space), key=str.lower):
        thing = getattr(space, name, None)
        is_ours = getattr(thing, "__module__", "").startswith("minitf")
        if not name.startswith("_") and is_ours and (inspect.isclass(thing) or inspect.isfunction(thing)):
            yield name, thing


def entry(own: str, thing: Any, names: list[str]) -> str:
    """Return one entry: the signature, the docstring, the source, other names; of a class, its methods."""
    path = Path(inspect.getsourcefile(inspect.unwrap(thing))).resolve().relative_to(ROOT / "minitf")
    more = [f"Defined in [{path}]({path})."]
    if others := [f"`{name}`" for name in names if name != own]:
        more += [f"Also called {', '.join(others)}."]
    for name, method in vars(thing).items() if inspect.isclass(thing) else []:
        if inspect.isfunction(method) and not name.startswith("_"):
            more += [described(f"{own}.{name}", method, "method")]
    return described(own, thing, "class" if inspect.isclass(thing) else "function", *more)


def described(name: str, thing: Any, kind: str, *more: str) -> str:
    """Return a signature and a docstring, in which lines such as "name: what it means" become a list."""
    try:
        taken = [one.replace(annotation=one.empty) for one in inspect.signature(thing).parameters.values()]
    except ValueError:
        taken = []  # an error that Python's own class defines
    shown = inspect.Signature([one for one in taken if one.name != "self"])
    signature = re.sub(r"<[^<>]*(?:<[^<>]*>[^<>]*)*>", "...", str(shown))
    docstring = re.sub(r"^([a-z]\w*(?:, [a-z]\w*)*): ", r"- `\1`: ", inspect.getdoc(thing) or "", flags=re.MULTILINE)
    fence = "`" * (4 if kind == "method" else 5)
    return "\n".join([f"{fence}{{py:{kind}}} {name}{signature}", "", docstring, "", *more, fence, ""])
