"""What a script does with its global step: its schedules, its train ops, its runs, its loops."""

import ast
import re
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from minitf.checking import tensorflow
from minitf.checking.program import UNKNOWN, Program, home, takes_more
from minitf.checking.tensorflow import public_name
from minitf.syntax import LOOPS, argument, around, blocks, callee, loops


class Schedule(NamedTuple):
    """A call such as `exponential_decay`, what it calls the rate, and its step."""

    call: ast.Call
    name: str
    step: ast.AST | None


class Train(NamedTuple):
    """A call of `minimize` or `apply_gradients`, the step it gets, and its optimizer's rates."""

    call: ast.Call
    step: ast.AST | None
    rates: frozenset[ast.AST]


def is_none(node: ast.AST | None) -> bool:
    """Return whether an argument is None or isn't given."""
    return node is None or isinstance(node, ast.Constant) and node.value is None


def text(node: ast.AST) -> str:
    """Return a short expression as code, or "" for a long one."""
    words = ast.unparse(node)
    return words if len(words) <= 40 and "\n" not in words else ""


def name_of(call: ast.AST, otherwise: str = "") -> str:
    """Return the name that the script gives to the result of a call."""
    outer = call.parent
    if isinstance(outer, ast.Assign) and outer.value is call:
        return text(outer.targets[0]) or otherwise
    return otherwise


def number(node: ast.AST | None) -> float | None:
    """Return the number that a literal is, or None."""
    try:
        value = ast.literal_eval(node) if node else None
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def is_long(loop: ast.AST) -> bool:
    """Return whether a loop may have more than a few turns."""
    over = getattr(loop, "iter", None)
    if isinstance(over, ast.List | ast.Tuple):
        return False
    is_range = isinstance(over, ast.Call) and callee(over) in ("range", "xrange")
    count = number(over.args[0]) if is_range and len(over.args) == 1 else None
    return count is None or count >= 10


_BRANCHES = (ast.If, ast.IfExp, ast.BoolOp, ast.ExceptHandler, ast.Match)
_LEAVES = (ast.Break, ast.Continue, ast.Return, ast.Raise)


def always_runs(node: ast.AST, loop: ast.AST) -> bool:
    """Return whether each turn of a loop runs a node, as far as the text shows."""
    inner = node
    for outer in around(node):
        if isinstance(outer, _BRANCHES) or isinstance(outer, LOOPS) and outer is not loop:
            return False
        for body in blocks(outer):
            if any(inner is part for part in body):
                before = body[: [*map(id, body)].index(id(inner))]
                if any(isinstance(part, _LEAVES) for s in before for part in ast.walk(s)):
                    return False
        if outer is loop:
            return True
        inner = outer
    return False


def statement(node: ast.AST) -> ast.stmt:
    """Return the statement that a node is a part of."""
    return (
        node
        if isinstance(node, ast.stmt)
        else next(outer for outer in around(node) if isinstance(outer, ast.stmt))
    )


class Script(Program):
    """A program, seen as one that trains."""

    @cached_property
    def is_graph(self) -> bool:
        """Whether it builds graphs, as far as is known: it neither runs eagerly nor is new."""
        names = {public_name(name) for module in self.modules for name in module.text.names}
        is_new = any(name.startswith("optimizers.") for name in names)
        return not is_new and _EAGER.isdisjoint(self.by_name) and "function" not in names

    @cached_property
    def schedules(self) -> list[Schedule]:
        """All schedules."""
        found = []
        for name, place in tensorflow.SCHEDULES.items():
            for call in self.by_name.get(name, ()):
                if tensorflow.is_schedule(self.full_name(call)) and not takes_more(call):
                    step = argument(call, place, "global_step", "x")
                    found.append(Schedule(call, name_of(call, f"{callee(call)}(...)"), step))
        return found

    # Train ops.

    @cached_property
    def trains(self) -> list[Train]:
        """All calls of `minimize` and `apply_gradients` of TensorFlow 1's optimizers."""
        found = []
        for name in ("minimize", "apply_gradients"):
            for call in self.by_name.get(name, ()):
                if self._is_optimizers(call):
                    step = UNKNOWN if takes_more(call) else argument(call, 1, "global_step")
                    found.append(Train(call, None if is_none(step) else step, self._rates(call)))
        return found

    def _is_optimizers(self, call: ast.Call) -> bool:
        func = call.func
        if not isinstance(func, ast.Attribute) or self.functions(call):
            return False
        if self.is_foreign(call):
            return False
        made = [v for v in self.values(func.value) if isinstance(v, ast.Call)]
        return not any("keras" in self.full_name(v) or self._is_imported(v) for v in made)

    def _is_imported(self, call: ast.Call) -> bool:
        """Return whether a call is one of a function or class from another library."""
        bindings = self._looked_up(call.func) if isinstance(call.func, ast.Name) else []
        is_own = self.full_name(call) or self.functions(call)
        return not is_own and any(each.kind == "import" for each in bindings)

    def is_foreign(self, call: ast.Call) -> bool:
        """Return whether a call is one of another library's function, such as `np.load`."""
        owner = getattr(call.func, "value", None)
        while isinstance(owner, ast.Attribute):
            owner = owner.value
        bindings = self._looked_up(owner) if isinstance(owner, ast.Name) else []
        return any(each.kind == "import" for each in bindings) and not self.full_name(call)

    def _rates(self, call: ast.Call) -> frozenset[ast.AST]:
        """Return the values of the learning rate of the optimizer whose method is called."""
        found = set()
        for value in self.values(call.func.value):
            name = self.full_name(value) if isinstance(value, ast.Call) else ""
            if name.endswith("Optimizer") and not takes_more(value):
                rate = argument(value, 0, "learning_rate")
                wraps = argument(value, None, "opt") or rate
                if name.rpartition(".")[2] in ("SyncReplicasOptimizer", "MovingAverageOptimizer"):
                    found.add(UNKNOWN)
                elif not is_none(wraps):
                    found |= self.values(rate)
            else:
                found.add(UNKNOWN)
        return frozenset(found)

    # Steps.

    def sources(self, node: ast.AST | None, depth: int = 0) -> frozenset[ast.AST]:
        """Return what a step is computed from, such as the calls that create or find it."""
        known = self.__dict__.setdefault("_sources", {})
        if (node, depth) not in known:
            known[node, depth] = self._sources_of(node, depth)
        return known[node, depth]

    def _sources_of(self, node, depth):
        found = set()
        for value in self.values(node):
            parts = []
            match value:
                case ast.BinOp(left=left, right=right):
                    parts = [left, right]
                case ast.UnaryOp(operand=operand):
                    parts = [operand]
                case ast.Call(func=ast.Attribute(attr="read_value" | "value", value=inner)):
                    parts = [inner]
                case ast.Call(args=parts) if tensorflow.computes(self.full_name(value)):
                    pass
                case ast.Call(func=ast.Name(id="int" | "float"), args=parts):
                    pass
                case _:
                    parts = []
            if parts and depth < 5:
                inner = [self.sources(part, depth + 1) for part in parts]
                found.update(*inner)
            else:
                found.add(value)
        return frozenset(found)

    def steps(self, node: ast.AST | None) -> list[ast.AST]:
        """Return the calls that create or find a step, or [] if it might be something else."""
        found = [v for v in self.sources(node) if not isinstance(v, ast.Constant)]
        return found if found and all(map(self.is_step, found)) else []

    def is_step(self, node: ast.AST) -> bool:
        """Return whether a call creates a variable, or finds the graph's global step."""
        name = self.full_name(node) if isinstance(node, ast.Call) else ""
        return tensorflow.makes_variable(name) or tensorflow.finds_step(name)

    def initializes(self, node: ast.AST) -> bool:
        """Return whether a value is the initializer of all variables."""
        return isinstance(node, ast.Call) and tensorflow.initializes(self.full_name(node))

    def may_be_same(self, one: ast.AST, other: ast.AST) -> bool:
        """Return whether two values may be the same step."""
        if one is other or UNKNOWN in (one, other):
            return True
        if not (self.is_step(one) and self.is_step(other)):
            return False
        return self._name_in_graph(one) in (self._name_in_graph(other), "?") or (
            self._name_in_graph(other) == "?"
        )

    def _name_in_graph(self, call: ast.Call) -> str:
        """Return the name of a variable, "?" if it's not known, or something unique."""
        full = self.full_name(call)
        if tensorflow.finds_step(full):
            return "global_step"
        if takes_more(call) or argument(call, None, "collections") is not None:
            return "?"
        if any("GLOBAL_STEP" in ast.unparse(each) for each in self.by_name["add_to_collection"]):
            return "?"
        is_constructor = full.endswith("Variable") or full.endswith("VariableV1")
        name = argument(call, 4 if is_constructor else 0, "name")
        if name is None:
            return f"line {call.lineno} of {home(call).path}"
        if isinstance(name, ast.Constant) and isinstance(name.value, str):
            if is_constructor and name.value != "global_step":
                return f"line {call.lineno} of {home(call).path}"
            return name.value.rpartition("/")[2]
        return "?"

    def may_be_counted(self, step: ast.AST) -> bool:
        """Return whether anything in the program may change a step."""
        return any(self.may_be_same(step, source) for source in self._changed)

    @cached_property
    def _changed(self) -> set[ast.AST]:
        """What may be changed as a step is: by a train op, an assignment, or being fed."""
        found = {
            source for train in self.trains if train.step for source in self.sources(train.step)
        }
        for call in self.calls:
            found |= {source for node in self.changed_by(call) for source in self.sources(node)}
        for module in self.modules:
            for node in module.bindings.nodes:
                if isinstance(node, ast.Dict) and not self._feeds_no_training(node):
                    keys = [key for key in node.keys if isinstance(key, ast.Name | ast.Attribute)]
                    found |= {s for key in keys for s in self.sources(key) if self.is_step(s)}
                elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
                    found |= {s for s in self.sources(node.slice) if self.is_step(s)}
        return found

    def changed_by(self, call: ast.Call) -> Iterator[ast.AST]:
        """Yield the expressions that a call may change."""
        name, full = callee(call), self.full_name(call)
        if _ASSIGNS.fullmatch(name):
            is_method = isinstance(call.func, ast.Attribute) and not full
            target = call.func.value if is_method else argument(call, 0, "ref", "variable")
            if target is not None and not (self._is_loops(target) or self.is_foreign(call)):
                yield target
        elif name in ("create_train_op", "optimize_loss", "train_op_fn", "create_estimator_spec"):
            step = argument(call, None, "global_step")
            given = name == "create_train_op" and step is not None and is_none(step)
            if not given and not self.functions(call):
                yield UNKNOWN if step is None else step
        elif not full and not self.functions(call) and name not in _ONLY_READ.split():
            for each in [*call.args, *(word.value for word in call.keywords)]:
                if isinstance(each, ast.Name | ast.Attribute):
                    yield from (v for v in self.values(each) if self.is_step(v))

    def _feeds_no_training(self, node: ast.Dict) -> bool:
        """Return whether a dict is only what a run is fed that trains nothing."""
        run = node.parent.parent if isinstance(node.parent, ast.keyword) else node.parent
        if not isinstance(run, ast.Call) or run not in self.runs or not self.trains:
            return False
        items = self.items(argument(run, 0, "fetches"))
        known = all(UNKNOWN not in self.values(item) for item in items)
        return known and run not in self.training_runs

    def _is_loops(self, node: ast.AST) -> bool:
        """Return whether a node is a name that only a loop sets."""
        return all(isinstance(v, ast.comprehension | ast.For) for v in self.values(node))

    # Runs.

    @cached_property
    def runs(self) -> list[ast.Call]:
        """All calls of `run` that aren't the program's own."""
        calls = [call for call in self.by_name["run"] if isinstance(call.func, ast.Attribute)]
        return [
            call
            for call in calls
            if argument(call, 0, "fetches") is not None and not self.full_name(call)
        ]

    def items(self, node: ast.AST | None) -> list[ast.AST]:
        """Return the expressions of a list, tuple or dict, or the one that isn't any of these."""
        found, waiting = [], [node] if node is not None else []
        while waiting:
            each = waiting.pop()
            if isinstance(each, ast.Name | ast.Attribute):
                lists = [
                    v for v in self.values(each) if isinstance(v, ast.List | ast.Tuple | ast.Dict)
                ]
                each = lists[0] if len(lists) == 1 and len(self.values(each)) == 1 else each
            if isinstance(each, ast.List | ast.Tuple):
                waiting += each.elts
            elif isinstance(each, ast.Dict):
                waiting += each.values
            elif isinstance(each, ast.BinOp) and isinstance(each.op, ast.Add):
                waiting += [each.left, each.right]
            else:
                found.append(each)
        return found

    def trained_by(self, node: ast.AST, depth: int = 0) -> list[ast.Call]:
        """Return the calls of `minimize` and so on whose ops a run of an expression includes."""
        calls = {train.call for train in self.trains} | set(self.by_name["create_train_op"])
        found = []
        for value in self.values(node):
            if value in calls:
                found.append(value)
            elif isinstance(value, ast.Call) and depth < 4:
                name = self.full_name(value)
                inner = self.items(ast.List(value.args)) if name in ("group", "tuple") else []
                if name in ("no_op", "group", "identity"):
                    inner += self.waits_for(value)
                found += [call for part in inner for call in self.trained_by(part, depth + 1)]
        return found

    def waits_for(self, node: ast.AST) -> list[ast.AST]:
        """Return what `control_dependencies` around a node lists, inside its function."""
        found = []
        for outer in around(node):
            if isinstance(outer, ast.With):
                for item in outer.items:
                    call = item.context_expr
                    if isinstance(call, ast.Call) and callee(call) == "control_dependencies":
                        found += self.items(call.args[0]) if call.args else [UNKNOWN]
            if isinstance(outer, ast.FunctionDef | ast.Lambda):
                break
        return found

    def trains_in(self, loop: ast.AST) -> list[ast.Call]:
        """Return the runs of train ops for which a loop is the innermost one."""
        return [
            run for run in self.training_runs if (around_it := loops(run)) and around_it[0] is loop
        ]

    @cached_property
    def training_runs(self) -> list[ast.Call]:
        """The runs that fetch a train op."""
        ops = [call for call in self.by_name["run"] if isinstance(call.func, ast.Attribute)]
        found = [call for call in ops if self.trained_by(call.func.value)]  # train_op.run()
        for run in self.runs:
            items = self.items(argument(run, 0, "fetches"))
            if run not in found and any(map(self._is_train_op, items)):
                found.append(run)
        return found

    def _is_train_op(self, node: ast.AST) -> bool:
        if self.trained_by(node):
            return True
        name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
        is_known = UNKNOWN not in self.values(node)
        return not is_known and bool(
            re.search(r"train_?(op|step)\w*$|optimi[sz]e?r?$|^train$", name)
        )

    def made_by(self, node: ast.AST, pattern: str) -> bool:
        """Return whether all of a node's values come from calls of what a pattern matches."""
        values = self.values(node)
        return all(
            isinstance(v, ast.Call) and re.fullmatch(pattern, self.full_name(v)) for v in values
        )


_EAGER = {"enable_eager_execution", "enable_v2_behavior", "GradientTape"}
_ASSIGNS = re.compile(
    r"assign(_\w+)?|scatter_(add|div|max|min|mul|nd_\w+|sub|update)|count_up_to|load|set_value"
)
# Methods and functions that read a step and don't change it.
_ONLY_READ = (
    "run eval print str int float format save add_summary global_step append info debug warning "
    "write isinstance len get_shape name join hasattr range"
)
