"""The order of a run, as a person would find it with a finger on the graph: the rule of minitf/client/order.py."""

from minitf.framework.operation import Operation, Tensor
from minitf.framework.registry import OPS
from tests.client.plain_ops import RULES

# Updates that put another value in the place of the old one, and all updates.
REPLACING = {"Assign", "ScatterUpdate", "ScatterNdUpdate", "StridedSliceAssign"}
UPDATES = REPLACING | {"AssignAdd", "AssignSub", "ApplyGradientDescent", "ScatterAdd", "ScatterSub"}
UPDATES |= {*RULES, *(f"Sparse{op_type}" for op_type in RULES)}


def sources(op, fed):
    """What has to run before `op`: a fed tensor needs nothing, only a fed placeholder is gone."""
    data = [t.op for t in op.inputs if t not in fed]
    control = [c for c in op.control_inputs if not is_fed_placeholder(c, fed)]
    block = op.control.block
    return data + control + ([block.construct.pred.op] if block else [])


def is_fed_placeholder(op, fed):
    return op.type == "Placeholder" and op.outputs[0] in fed


def order(fetches, fed):
    """First what waits for no update, without what only assigns use; then updates; then what waits."""
    needed = []
    targets = [f.op if isinstance(f, Tensor) else f for f in fetches if f not in fed]
    waiting = list(targets)
    while waiting:
        op = waiting.pop()
        if op not in needed:
            needed.append(op)
            waiting += sources(op, fed)
    return _in_order(needed, fed, None, targets)


def _in_order(ops, fed, level, targets):
    """The ops of a block; everything that belongs to one cond comes at one place."""
    steps = {}
    for op in sorted(ops, key=lambda op: op.number):
        steps.setdefault(_cond_of(op, level) or op, []).append(op)
    in_order = []
    for key in _Turns(steps, fed, targets).order():
        if isinstance(key, Operation):
            in_order.append(key)
            continue
        leaving = [op for op in steps[key] if op.control.closes is key]
        for block in key.blocks:
            inside = [op for op in steps[key] if op not in leaving and block in blocks_of(op)]
            in_order += _in_order(inside, fed, block, [])
        in_order += leaving
    return in_order


class _Turns:
    """Whose turn it is. A step is an op, or everything that belongs to one cond."""

    def __init__(self, steps, fed, targets):
        self.steps, self.fed, self.targets, self.done = steps, fed, targets, []
        step_of = {op: key for key, inside in steps.items() for op in inside}
        self.number, self.before, self.givers = {}, {}, {}
        self.updated, self.reads = {}, {}
        for key, inside in steps.items():
            self.number[key] = max(op.number for op in inside)
            before = [s for op in inside for s in sources(op, fed)]
            self.before[key] = {step_of[op] for op in before if op in step_of} - {key}
            givers = [t.op for op in inside for t in op.inputs if t not in fed]
            self.givers[key] = {step_of[op] for op in givers if op in step_of} - {key}
            self.updated[key] = {v for op in inside if op.type in UPDATES for v in changed_by(op)}
            self.reads[key] = {v for op in inside for v in _read_by(op)}
        every = set().union(*self.updated.values())
        self.reads = {key: read & every for key, read in self.reads.items()}
        self.after = {key: [k for k in steps if key in self.before[k]] for key in steps}

    def values(self, key):
        """The updated variables that a step's value is computed from, until an update's output is met."""
        found = set(self.reads[key])
        for giver in self.givers[key]:
            if not self.updated[giver]:
                found |= self.values(giver)
        return found

    def all_before(self, key):
        """Whatever must come before a step."""
        found = set(self.before[key])
        for source in self.before[key]:
            found |= self.all_before(source)
        return found

    def rank(self, key):
        """0 for an optimizer, 1 for an assign from another variable, 2 and 3 from its own, 4 and 5 others, 6 copies."""
        others = self.values(key) - self.updated[key]
        if len(others) > 1 or any("Apply" in op.type for op in self.steps[key]):
            return 0
        replaces = any(op.type in REPLACING for op in self.steps[key])
        if others:
            return 1 if replaces and not self.reads[key] else 6
        return (2 if self.values(key) else 4) + replaces

    def is_late(self, key):
        """Whether a step is an update or waits for one."""
        return any(self.updated[k] for k in self.all_before(key) | {key})

    def is_early(self, key):
        """Whether a step comes before all updates."""
        if self.is_late(key):
            return False
        if not self.after[key] or any(map(self.asks_early, self.after[key])):
            return True
        fetched = any(op in self.targets for op in self.steps[key])
        return fetched and not self.values(key) & self.goes_into(key)

    def asks_early(self, user):
        """Whether what a step uses must be there before all updates."""
        if self.updated[user]:
            return self.rank(user) == 0
        return self.is_late(user) or self.is_early(user)

    def order(self):
        """Everything, in its turn."""
        keys = sorted(self.steps, key=self.number.get)
        for key in filter(self.is_early, keys):
            self.place(key, {key})
        for rank in range(7):
            left = [k for k in keys if self.updated[k] and self.rank(k) == rank]
            while left:  # the first, and before it those made later that update the same
                same = [k for k in left if self.updated[k] == self.updated[left[0]]]
                for key in reversed(same):
                    self.place(key, {key})
                left = [k for k in left if k not in same]
        for key in keys:
            self.place(key, {key})
        return self.done

    def place(self, key, hurried):
        """Do a step, after what must come before, and after the assigns that would undo what it does."""
        if key in self.done:
            return
        for source in sorted(self.before[key], key=self.number.get):
            self.place(source, hurried)
        for assign in sorted(self.steps, key=self.number.get):
            if self.would_undo(assign, key) and assign not in hurried:
                hurried.add(assign)
                self.place(assign, hurried)
        self.done.append(key)

    def replaces(self, key):
        """Whether a step puts in a variable's place what it computed from it."""
        assigns = any(op.type in REPLACING for op in self.steps[key])
        return assigns and bool(self.values(key) & self.updated[key])

    def goes_into(self, key):
        """The variables in whose place a value computed from this step's is put."""
        found = set()
        for taker in self.steps:
            if key in self.givers[taker]:
                if self.replaces(taker):
                    found |= self.updated[taker]
                elif not self.updated[taker]:
                    found |= self.goes_into(taker)
        return found

    def would_undo(self, assign, key):
        """Whether an assign has already read what this step changes, or reads for another assign."""
        if assign in self.done or assign is key or not self.replaces(assign):
            return False
        if key in self.all_before(assign):
            return False
        changed = self.updated[key] or self.reads[key] & self.goes_into(key)
        return self.has_read(assign, self.updated[assign] & changed)

    def has_read(self, key, variables):
        """Whether a step's value comes from one that is done and read one of these variables."""
        for giver in self.givers[key]:
            if self.updated[giver]:
                continue
            if giver in self.done and self.reads[giver] & variables:
                return True
            if self.has_read(giver, variables):
                return True
        return False


def changed_by(op):
    kinds = [kind for _, kind in OPS[op.type].inputs]
    return [variable_of(t) for t, kind in zip(op.inputs, kinds, strict=False) if kind == "ref"]


def _read_by(op):
    """The variables that an op reads when it runs."""
    if op.passes_on or op.type == "VariableV2":
        return []
    inputs = op.inputs[len(changed_by(op)) :] if op.type in UPDATES else op.inputs
    return [variable_of(t) for t in map(_source, inputs) if t.dtype.name.endswith("_ref")]


def _source(tensor):
    return _source(tensor.op.inputs[0]) if tensor.op.passes_on else tensor


def blocks_of(op):
    """The branches that the op is in, the innermost first."""
    blocks, block = [], op.control.block
    while block is not None:
        blocks.append(block)
        block = block.construct.outer
    return blocks


def _cond_of(op, level):
    """The cond that the op belongs to, as seen from the branch `level`."""
    blocks = blocks_of(op)
    inner = blocks[: blocks.index(level)] if level is not None else blocks
    return inner[-1].construct if inner else op.control.closes


def variable_of(tensor):
    """The variable whose value a `_ref` tensor stands for."""
    op = tensor.op
    while op.type != "VariableV2":
        op = op.inputs[0].op
    return op
