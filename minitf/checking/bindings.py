"""What the names in a module are bound to, scope by scope, and what its attributes are set to."""

import ast
from collections import defaultdict
from typing import NamedTuple

from minitf.syntax import FUNCTIONS

COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
SCOPES = (ast.Module, ast.ClassDef, *FUNCTIONS, *COMPREHENSIONS)


class Binding(NamedTuple):
    """One way in which a name gets a value.

    `kind` says how `node` gives it: "value" if it's the value, "item" if it's an item of the value,
    "loop" if the node is a loop, "changed" if it's a statement such as `x += 1`, "parameter" if
    it's a function that has this parameter, "def" if it's a function or a class, and "import". For
    "with", it's what `with` was given, and for "other" anything else.
    """

    kind: str
    node: ast.AST
    item: int | str = 0


class Bindings:
    """The bindings of a module: `scopes[scope][name]` and `attributes[name]` list them."""

    def __init__(self, tree: ast.Module):
        self.scopes: dict[ast.AST, dict[str, list[Binding]]] = defaultdict(dict)
        self.attributes: dict[str, list[tuple[ast.Attribute, Binding]]] = defaultdict(list)
        self.nodes: list[ast.AST] = []
        self._tree = tree
        self._global: dict[ast.AST, set[str]] = defaultdict(set)
        tree.parent = None
        waiting = [(tree, tree)]
        while waiting:
            node, scope = waiting.pop()
            self.nodes.append(node)
            self._enter(node, scope)
            inner = node if isinstance(node, SCOPES) else scope
            for child in ast.iter_child_nodes(node):
                if not isinstance(child, ast.expr_context | ast.operator | ast.cmpop):
                    child.parent = node
                    waiting.append((child, inner))

    def _enter(self, node: ast.AST, scope: ast.AST) -> None:
        """Note what a node binds."""
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self._bind(target, Binding("value", value), scope)
            case ast.AnnAssign(target=target, value=value) if value:
                self._bind(target, Binding("value", value), scope)
            case ast.NamedExpr(target=target, value=value):
                self._bind(target, Binding("value", value), scope)
            case ast.AugAssign(target=target):
                self._bind(target, Binding("changed", node), scope)
            case ast.For(target=target) | ast.AsyncFor(target=target):
                self._bind(target, Binding("loop", node), scope)
            case ast.comprehension(target=target):
                self._bind(target, Binding("loop", node), scope)
            case ast.withitem(context_expr=value, optional_vars=target) if target:
                self._bind(target, Binding("with", value), scope)
            case ast.ExceptHandler(name=name) if name:
                self._bind_name(name, Binding("other", node), scope)
            case ast.Global(names=names):
                self._global[scope].update(names)
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                for alias in names:
                    own = alias.asname or alias.name.split(".")[0]
                    self._bind_name(own, Binding("import", node, alias.name), scope)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            self._bind_name(node.name, Binding("def", node), scope)
        if isinstance(node, FUNCTIONS):
            # What it declares global is bound later than its other statements are entered.
            for part in ast.walk(node) if not isinstance(node, ast.Lambda) else ():
                if isinstance(part, ast.Global):
                    self._global[node].update(part.names)
            for name in parameters(node):
                self._bind_name(name, Binding("parameter", node, name), node)

    def _bind(self, target: ast.AST, binding: Binding, scope: ast.AST) -> None:
        match target:
            case ast.Name(id=name):
                self._bind_name(name, binding, scope)
            case ast.Attribute(attr=name):
                self.attributes[name].append((target, binding))
            case ast.Starred(value=value):
                self._bind(value, Binding("other", target), scope)
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                parts = _items(binding, len(targets))
                for place, (inner, part) in enumerate(zip(targets, parts, strict=True)):
                    self._bind(inner, part or Binding("item", binding.node, place), scope)

    def _bind_name(self, name: str, binding: Binding, scope: ast.AST) -> None:
        if name in self._global[scope]:
            scope = self._tree
        self.scopes[scope].setdefault(name, []).append(binding)


def _items(binding: Binding, count: int) -> list[Binding | None]:
    """Return the bindings of the items of a tuple, as far as the text shows them."""
    match binding:
        case Binding("value", ast.Tuple(elts=values) | ast.List(elts=values)):
            if len(values) == count and not any(isinstance(v, ast.Starred) for v in values):
                return [Binding("value", value) for value in values]
        case Binding("value"):
            return [None] * count
        case Binding("loop", node):
            return [Binding("loop", node, place) for place in range(count)]
    return [Binding("other", binding.node)] * count


def parameters(function: ast.AST) -> list[str]:
    """Return the names of a function's parameters, those before `*` first."""
    given = function.args
    every = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
    return [each.arg for each in every if each]
