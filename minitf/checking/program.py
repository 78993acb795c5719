"""A script with its own modules, as their text shows it: which calls, and what values names have.

`values` follows names, attributes, parameters and results to the expressions that they come from,
across the modules. Where the text doesn't say, it finds UNKNOWN, and a rule had better be silent.
"""

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from minitf.checking.bindings import SCOPES, Binding, Bindings
from minitf.checking.tensorflow import METHODS, public_name
from minitf.names_used import Text
from minitf.syntax import FUNCTIONS, argument, around, callee, function_of

UNKNOWN = ast.Pass()
_DEEPEST = 25


class Module:
    """A file of a program: its syntax tree, in which nodes know their parents, and its names."""

    def __init__(self, path: Path, text: Text):
        self.path, self.text, self.tree = path, text, text.source.tree
        self.bindings = Bindings(self.tree)
        self.tree.home = self
        self.tensorflow = dict(text.tensorflow)  # what it calls parts of TensorFlow
        for name, bindings in self.bindings.scopes[self.tree].items():
            full = self.full_name(bindings[0].node)
            if len(bindings) == 1 and isinstance(bindings[0].node, ast.Attribute) and full:
                self.tensorflow[name] = full

    @cached_property
    def calls(self) -> list[ast.Call]:
        """All calls in the order of the text."""
        calls = [node for node in self.bindings.nodes if isinstance(node, ast.Call)]
        return sorted(calls, key=lambda call: (call.lineno, call.col_offset))

    def full_name(self, node: ast.AST) -> str:
        """Return the public name, such as "train.Saver", of a part of TensorFlow, or ""."""
        parts = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name) or node.id not in self.tensorflow:
            return ""
        return public_name(".".join([self.tensorflow[node.id], *reversed(parts)]))


def home(node: ast.AST) -> Module:
    """Return the module in which a node is."""
    while node.parent:
        node = node.parent
    return node.home


def class_of(node: ast.AST) -> ast.ClassDef | None:
    """Return the innermost class around a node."""
    return next((outer for outer in around(node) if isinstance(outer, ast.ClassDef)), None)


def takes_more(call: ast.Call) -> bool:
    """Return whether a call has arguments that the text doesn't show: `*given` or `**given`."""
    starred = any(isinstance(each, ast.Starred) for each in call.args)
    return starred or any(word.arg is None for word in call.keywords)


class Program:
    """A script and its own modules."""

    def __init__(self, modules: list[Module], resolve):
        self.modules = modules
        self._by_path = {module.path: module for module in modules}
        self._resolve = resolve  # Files.resolve: the files that an import runs
        self._known: dict[ast.AST, frozenset] = {}
        self._busy: set[ast.AST] = set()

    @cached_property
    def calls(self) -> list[ast.Call]:
        """All calls of the program."""
        return [call for module in self.modules for call in module.calls]

    @cached_property
    def by_name(self) -> dict[str, list[ast.Call]]:
        """All calls by the last part of what they call."""
        found = defaultdict(list)
        for call in self.calls:
            found[callee(call)].append(call)
        return found

    def full_name(self, node: ast.AST) -> str:
        """Return the public name of the part of TensorFlow that a node names or calls, or ""."""
        node = node.func if isinstance(node, ast.Call) else node
        if not isinstance(node, ast.Name | ast.Attribute):
            return ""
        return home(node).full_name(node)

    # What there is by a name.

    @cached_property
    def _attributes(self) -> dict[str, list[tuple[ast.Attribute, Binding]]]:
        found = defaultdict(list)
        for module in self.modules:
            for name, bindings in module.bindings.attributes.items():
                found[name] += bindings
        return found

    @cached_property
    def _methods(self) -> dict[str, list[ast.AST]]:
        """The functions that are defined in classes."""
        found = defaultdict(list)
        for module in self.modules:
            for scope, names in module.bindings.scopes.items():
                for name, bindings in names.items() if isinstance(scope, ast.ClassDef) else ():
                    found[name] += [each.node for each in bindings if each.kind == "def"]
        return found

    @cached_property
    def _passed_on(self) -> set[str]:
        """The names that are read otherwise than in a call: those of methods with a dot before."""
        found = set()
        for module in self.modules:
            for node in module.bindings.nodes:
                if isinstance(node, ast.Name | ast.Attribute):
                    is_called = isinstance(node.parent, ast.Call) and node.parent.func is node
                    if isinstance(node.ctx, ast.Load) and not is_called:
                        found.update(self._names_read(node))
        return found

    def _names_read(self, node: ast.Name | ast.Attribute) -> Iterator[str]:
        if isinstance(node, ast.Name):
            yield node.id
            return
        yield f".{node.attr}"
        owner = node.value
        if isinstance(owner, ast.Name) and any(map(self._imported_modules, self._looked_up(owner))):
            yield node.attr

    def _escapes(self, function: ast.AST) -> bool:
        """Return whether a function may be called from elsewhere, with other arguments."""
        if isinstance(function, ast.Lambda):
            return True
        dot = "." if isinstance(function.parent, ast.ClassDef) else ""
        return f"{dot}{function.name}" in self._passed_on

    def _looked_up(self, name: ast.Name) -> list[Binding]:
        """Return the bindings of a name where it is used, or [] if the text has none."""
        outer = [scope for scope in around(name) if isinstance(scope, SCOPES)]
        scopes = home(name).bindings.scopes
        for place, scope in enumerate(outer):
            hidden = isinstance(scope, ast.ClassDef) and place > 0
            if not hidden and name.id in scopes.get(scope, ()):
                return scopes[scope][name.id]
        stars = [each for each in scopes[home(name).tree].get("*", ()) if each.kind == "import"]
        return [found for star in stars for found in self._from_module(star.node, name.id)]

    def _imported_modules(self, binding: Binding) -> list[Module]:
        """Return the modules of the program that an import binds a name to."""
        node, name = binding.node, binding.item
        if binding.kind != "import":
            return []
        if isinstance(node, ast.Import):
            files = self._resolve(home(node).path, 0, name)
        else:
            files = self._resolve(home(node).path, node.level, f"{node.module or ''}.{name}")
            package = self._resolve(home(node).path, node.level, node.module or "")
            files = [] if files and files == package else files
        return [self._by_path[file] for file in files[-1:] if file in self._by_path]

    def _from_module(self, node: ast.AST, name: str) -> list[Binding]:
        """Return the bindings of a name in the module that `from module import` means."""
        if not isinstance(node, ast.ImportFrom):
            return []
        files = self._resolve(home(node).path, node.level, node.module or "")
        modules = [self._by_path[file] for file in files[-1:] if file in self._by_path]
        return [
            found
            for module in modules
            for found in module.bindings.scopes[module.tree].get(name, ())
        ]

    def functions(self, call: ast.Call) -> list[ast.AST]:
        """Return the program's own functions that a call may run, a class as its `__init__`."""
        found = []
        match call.func:
            case ast.Name():
                found = self._defined(self._looked_up(call.func))
            case ast.Attribute(value=ast.Name() as owner, attr=name):
                bindings = self._looked_up(owner)
                base = [c for c in self._defined(bindings) if isinstance(c, ast.ClassDef)]
                if name == "__init__" and base:
                    found = base  # Base.__init__(self, ...), whose arguments begin with self
                elif any(each.kind == "import" for each in bindings):
                    modules = [m for each in bindings for m in self._imported_modules(each)]
                    for module in modules:
                        found += self._defined(module.bindings.scopes[module.tree].get(name, []))
                else:
                    found = self._own_methods(call, owner.id == "self")
            case ast.Attribute() if not self.full_name(call):
                found = self._own_methods(call, False)
        return [each for node in found for each in self._runs(node)]

    def _own_methods(self, call: ast.Call, is_own: bool) -> list[ast.AST]:
        name = callee(call)
        if isinstance(call.func.value, ast.Call) and callee(call.func.value) == "super":
            return self._inherited(call, name)
        if name == "__init__":
            return []
        found = [each for each in self._methods.get(name, ()) if isinstance(each, FUNCTIONS)]
        owner = class_of(call)
        if is_own and any(class_of(each) is owner for each in found):
            return [each for each in found if class_of(each) is owner]
        return found if is_own or name not in METHODS else []

    def _inherited(self, call: ast.Call, name: str) -> list[ast.AST]:
        """Return the methods of the classes from which the class around a call is made."""
        owner = class_of(call)
        names = [home(b).bindings.scopes.get(b, {}) for b in (self._bases(owner) if owner else ())]
        return [each.node for scope in names for each in scope.get(name, ()) if each.kind == "def"]

    def _defined(self, bindings: list[Binding], depth: int = 0) -> list[ast.AST]:
        found = []
        for each in bindings:
            if each.kind == "def":
                found.append(each.node)
            elif each.kind == "import" and depth < _DEEPEST:
                found += self._defined(self._from_module(each.node, each.item), depth + 1)
        return found

    def _runs(self, node: ast.AST) -> list[ast.AST]:
        """Return a function, or the `__init__` of a class or of the classes that it's made from."""
        if not isinstance(node, ast.ClassDef):
            return [node]
        for each in [node, *self._bases(node)]:
            names = home(each).bindings.scopes.get(each, {})
            made = [b.node for b in names.get("__init__", ()) if b.kind == "def"]
            if made:
                return made
        return []

    def _bases(self, node: ast.ClassDef) -> list[ast.ClassDef]:
        found, waiting = [], [node]
        while waiting and len(found) < _DEEPEST:
            for base in waiting.pop().bases:
                if isinstance(base, ast.Name):
                    own = [
                        each
                        for each in self._defined(self._looked_up(base))
                        if isinstance(each, ast.ClassDef)
                    ]
                    found, waiting = found + own, waiting + own
        return found

    @cached_property
    def _callers(self) -> dict[ast.AST, list[ast.Call]]:
        found = defaultdict(list)
        for call in self.calls:
            for function in self.functions(call):
                found[function].append(call)
        return found

    def callers(self, function: ast.AST) -> list[ast.Call]:
        """Return the calls that may run one of the program's functions."""
        return self._callers.get(function, [])

    # What values there are.

    def values(self, node: ast.AST | None, depth: int = 0) -> frozenset[ast.AST]:
        """Return the expressions that an expression's value may come from."""
        if node is None or depth > _DEEPEST or node in self._busy:
            return frozenset([UNKNOWN])
        if node not in self._known:
            self._busy.add(node)
            self._known[node] = frozenset(self._found(node, depth + 1))
            self._busy.discard(node)
        return self._known[node]

    def _found(self, node: ast.AST, depth: int) -> Iterator[ast.AST]:
        match node:
            case ast.Name():
                bindings = self._looked_up(node)
                yield from self._bound(bindings, depth) if bindings else [UNKNOWN]
            case ast.Attribute(attr=name):
                yield from self._attribute(node, name, depth)
            case ast.IfExp(body=one, orelse=other):
                yield from self.values(one, depth) | self.values(other, depth)
            case ast.BoolOp(values=parts):
                for part in parts:
                    yield from self.values(part, depth)
            case ast.NamedExpr(value=value):
                yield from self.values(value, depth)
            case ast.Subscript() | ast.Await() | ast.Starred():
                yield UNKNOWN
            case ast.Call():
                functions = self.functions(node)
                if not functions or any(
                    getattr(each, "name", "") == "__init__" for each in functions
                ):
                    yield node
                else:
                    for function in functions:
                        yield from self._returned(function, None, depth)
            case _:
                yield node

    def _attribute(self, node: ast.Attribute, name: str, depth: int) -> Iterator[ast.AST]:
        if isinstance(node.value, ast.Name):
            for each in self._looked_up(node.value):
                for module in self._imported_modules(each):
                    bound = module.bindings.scopes[module.tree].get(name, [])
                    yield from self._bound(bound, depth) if bound else [UNKNOWN]
                    return
        set_to = self._attributes.get(name, [])
        is_own = isinstance(node.value, ast.Name) and node.value.id == "self"
        own = [pair for pair in set_to if is_own and class_of(pair[0]) is class_of(node)]
        yield from self._bound([binding for _, binding in own or set_to], depth)
        for method in () if own else self._methods.get(name, ()):
            yield from self._returned(method, None, depth)
        if not set_to and name not in self._methods:
            yield UNKNOWN

    def _bound(self, bindings: list[Binding], depth: int) -> Iterator[ast.AST]:
        for kind, node, item in bindings:
            if kind in ("value", "with"):
                yield from self.values(node, depth)
            elif kind == "item":
                yield from self._item(node, item, depth)
            elif kind == "parameter":
                yield from self._given(node, item, depth)
            elif kind == "import":
                found = self._from_module(node, item) if depth < _DEEPEST else []
                yield from self._bound(found, depth + 1) if found else [UNKNOWN]
            elif kind == "loop" and _lists_its_values(node):
                for part in node.iter.elts:
                    yield from self.values(part, depth)
            else:
                yield node if kind in ("loop", "changed") else UNKNOWN

    def _item(self, node: ast.AST, place: int, depth: int) -> Iterator[ast.AST]:
        """Yield the values of an item of a tuple that a function of the program returns."""
        functions = self.functions(node) if isinstance(node, ast.Call) else []
        for function in functions:
            yield from self._returned(function, place, depth)
        if not functions:
            yield UNKNOWN

    def _returned(self, function: ast.AST, place: int | None, depth: int) -> Iterator[ast.AST]:
        """Yield the values that a function returns, or those of an item of what it returns."""
        if isinstance(function, ast.ClassDef | ast.Lambda) or _is_decorated(function):
            yield UNKNOWN
            return
        own = [
            node
            for node in ast.walk(function)
            if isinstance(node, ast.Return | ast.Yield | ast.YieldFrom)
            and function_of(node) is function
        ]
        for node in own:
            if not isinstance(node, ast.Return):
                yield UNKNOWN
            elif place is None and node.value:
                yield from self.values(node.value, depth)
            elif isinstance(node.value, ast.Tuple) and place is not None:
                items = node.value.elts
                yield from self.values(items[place] if place < len(items) else None, depth)
            else:
                yield UNKNOWN
        if not own:
            yield UNKNOWN

    def _given(self, function: ast.AST, name: str, depth: int) -> Iterator[ast.AST]:
        """Yield the values that the calls of a function give to one of its parameters."""
        given = function.args
        places = [each.arg for each in [*given.posonlyargs, *given.args]]
        calls = self.callers(function)
        if (
            not calls
            or self._escapes(function)
            or name not in places + [each.arg for each in given.kwonlyargs]
        ):
            yield UNKNOWN
        default = _default(function, name, places)
        for call in calls:
            place = places.index(name) if name in places else None
            if place is not None and isinstance(function.parent, ast.ClassDef):
                is_given_self = callee(call) == "__init__" and isinstance(call.func.value, ast.Name)
                place -= not _is_static(function) and not is_given_self
            if takes_more(call) or place == -1 or not _fits(function, call):
                yield UNKNOWN
                continue
            value = argument(call, place, name)
            yield from self.values(default if value is None else value, depth)


def _lists_its_values(loop: ast.AST) -> bool:
    return isinstance(loop.target, ast.Name) and isinstance(loop.iter, ast.List | ast.Tuple)


def _is_decorated(function: ast.AST) -> bool:
    names = {getattr(each, "id", "") for each in function.decorator_list}
    return bool(names - {"property", "staticmethod", "classmethod"})


def _is_static(function: ast.AST) -> bool:
    return "staticmethod" in {getattr(each, "id", "") for each in function.decorator_list}


def _default(function: ast.AST, name: str, places: list[str]) -> ast.AST | None:
    given = function.args
    if name in places:
        place = places.index(name) - (len(places) - len(given.defaults))
        return given.defaults[place] if place >= 0 else None
    names = [each.arg for each in given.kwonlyargs]
    return given.kw_defaults[names.index(name)] if name in names else None


def _fits(function, call) -> bool:
    """Return whether a call gives a function no more than it takes."""
    given = function.args
    places = len(given.posonlyargs) + len(given.args)
    names = {each.arg for each in [*given.args, *given.kwonlyargs]}
    return (bool(given.vararg) or len(call.args) <= places) and (
        bool(given.kwarg) or all(word.arg in names for word in call.keywords)
    )
