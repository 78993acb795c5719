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

<label class="name-filter" hidden>Show only names that contain
<input type="search" placeholder="decay"> <output></output></label>

"""


def index() -> str:
    """Return the page: a section for each namespace, and in it an entry for each thing that has its name there."""
    things: dict[int, tuple[Any, list[str]]] = {}
    for prefix, space in spaces().items():
        for name, thing in public(space):
            things.setdefault(id(thing), (thing, []))[1].append(f"{prefix}.{name}")
    sections: dict[str, dict[str, str]] = {}
    for thing, names in things.values():
        own = next((name for name in names if name.endswith(f".{thing.__name__}")), names[0])
        others = [name for name in names if name != own]
        sections.setdefault(own.rpartition(".")[0], {})[own] = entry(own, thing, others)
    lines = []
    for space, entries in sorted(sections.items()):
        names = sorted(entries, key=str.lower)
        links = (f"{{py:obj}}`~{name}`" for name in names)
        lines += [f"## {space}", "", "```{container} names", " ".join(links), "```", "", *map(entries.get, names)]
    return HEAD + "\n".join(lines)


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


def entry(name: str, thing: Any, others: list[str]) -> str:
    """Return one entry: the signature, the docstring, other names, the source; of a class, its methods."""
    kind = "class" if inspect.isclass(thing) else "function"
    lines = [f"`````{{py:{kind}}} {name}{signature(thing)}", "", markdown(thing)]
    also = "Also called " + ", ".join(f"`{other}`" for other in others) + ". " if others else ""
    lines += ["", f"```{{container}} source\n{also}Defined in {source(thing)}.\n```", ""]
    if kind == "class":
        lines += [method(*one) for one in vars(thing).items() if not one[0].startswith("_")]
    return "\n".join([*lines, "`````", ""])


def method(name: str, thing: Any) -> str:
    """Return the entry of a method or a property, if it has a docstring."""
    is_property = isinstance(thing, property)
    called = getattr(thing, "__func__", thing)
    if not (is_property or inspect.isfunction(called)) or not called.__doc__:
        return ""
    kind = "property" if is_property else "method"
    shown = "" if is_property else signature(called)
    return "\n".join([f"````{{py:{kind}}} {name}{shown}", "", markdown(called), "````", ""])


def parameters(thing: Any) -> list[inspect.Parameter]:
    """Return what a function takes, without types."""
    try:
        found = inspect.signature(thing).parameters
    except (TypeError, ValueError):
        return []  # a property, say
    return [one.replace(annotation=one.empty) for one in found.values() if one.name != "self"]


def signature(thing: Any) -> str:
    """Return a function's parameters, in parentheses."""
    return re.sub(r"<[^<>]*(?:<[^<>]*>[^<>]*)*>", "...", str(inspect.Signature(parameters(thing))))


def markdown(thing: Any) -> str:
    """Return a docstring as Markdown: lines such as "name: what it means" become a list."""
    names = "|".join(one.name for one in parameters(thing)) or "$"
    parts = (inspect.getdoc(thing) or "").split("\n\n")
    line = rf"^((?:{names})(?:, (?:{names}))*): "
    return "\n\n".join(re.sub(line, r"- `\1`: ", part, flags=re.MULTILINE) for part in parts)


def source(thing: Any) -> str:
    """Return a link to where a thing is defined."""
    thing = inspect.unwrap(thing)
    path = Path(inspect.getsourcefile(thing)).resolve().relative_to(ROOT)
    try:
        place = f"#line-{inspect.getsourcelines(thing)[1]}"
    except OSError:
        place = ""  # made by other code, as the classes of errors are
    return f'<a href="../source/{path.with_suffix(".html")}{place}">{path.relative_to("minitf")}</a>'
