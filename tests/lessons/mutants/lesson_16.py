"""Wrong answers to the eight exercises of lesson 16: each is our piece with other lines."""

from __future__ import annotations

import ast

from tests.lessons.notebooks import LESSONS

SOURCE = (LESSONS / "build" / "micro.py").read_text(encoding="utf-8")


def piece(name: str) -> str:
    """Return the code of a function or class of micro.py, decorators included."""
    [node] = [node for node in ast.parse(SOURCE).body if getattr(node, "name", "") == name]
    first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    return "\n".join(SOURCE.splitlines()[first - 1 : node.end_lineno])


def changed(name: str, *changes: tuple[str, str]) -> str:
    """Return a piece with other lines."""
    code = piece(name)
    for old, new in changes:
        assert code.count(old) == 1, (name, old)
        code = code.replace(old, new)
    return code


LOWER = ("unique.lower() in map(str.lower, graph)", "unique in graph")
NAMES = [
    ("no name back", changed("unique_name", ("    return unique", "    unique")), "returns None"),
    ("only one try", changed("unique_name", ("while", "if")), "c becomes c_1.\nThat name is taken"),
    ("case counts", changed("unique_name", LOWER), "To TensorFlow, c and C are the same name."),
    (
        "a tail of numbers",
        changed("unique_name", ('f"{name}_{number}"', 'f"{unique}_{number}"')),
        "c becomes c_1_2.\nTensorFlow makes it c_2.",
    ),
    ("from two", changed("unique_name", ("number = name, 0", "number = name, 1")), "TensorFlow makes it c_1."),
    (
        "in lower case",
        changed(
            "unique_name", ("unique, number = name", "unique, number = name.lower()"), ("{name}", "{name.lower()}")
        ),
        "C becomes c_3.\nTensorFlow makes it C_3.",
    ),
    ("an error", changed("unique_name", ("str.lower, graph", "str.lower, grph")), "stops with an error: NameError"),
]

INITIALIZER = 'Node("Assign", initial_value, name=f"{self.name}/Assign", updates=self)'
ADD = 'Node("add", self, value, name="AssignAdd", updates=self)'
SUB = 'Node("sub", self, value, name="AssignSub", updates=self)'
VARIABLES = [
    ("no initializer", changed("Variable", (INITIALIZER, "None")), "`w.initializer` is nothing. Make it a Node."),
    ("a value", changed("Variable", (INITIALIZER, "initial_value")), "`w.initializer` is a float. Make it a Node."),
    (
        "an initializer for nobody",
        changed("Variable", (INITIALIZER, INITIALIZER.replace(", updates=self", ""))),
        "`w.initializer` gives 3.0, but w doesn't get it.",
    ),
    (
        "a sum for nobody",
        changed("Variable", (ADD, "self + value")),
        "`w.assign_add(2)` gives 6.0, but w doesn't get it. See `updates`.",
    ),
    ("nothing back", changed("Variable", ("return " + ADD, ADD)), "`w.assign_add(2)` is nothing"),
    (
        "subtracts to add",
        changed("Variable", (ADD, ADD.replace("add", "sub"))),
        "`w.assign_add(2)` returns 2.0. It should give 6.0.",
    ),
    (
        "the wrong way round",
        changed("Variable", (SUB, SUB.replace("self, value", "value, self"))),
        "`w.assign_sub(2)` returns -2.0. It should give 2.0.",
    ),
    (
        "a kind that isn't there",
        changed("Variable", (ADD, ADD.replace('"add"', '"AssignAdd"'))),
        "Is its kind in the table `OPS`?",
    ),
    (
        "only the value",
        changed("Variable", (ADD, 'Node("Assign", value, name="AssignAdd", updates=self)')),
        "`w.assign_add(2)` returns 2.0. It should give 6.0.",
    ),
    (
        "the name that was asked for",
        changed("Variable", ('f"{self.name}/Assign"', 'f"{name}/Assign"')),
        "Their initializers are w/Assign and w/Assign_1.\nUse the name that the Node got",
    ),
    (
        "no name",
        changed("Variable", (', name=f"{self.name}/Assign"', "")),
        "Their initializers are Assign and Assign_1.",
    ),
]

WALK = "walk_back(node.inputs + node.control_inputs, known, order)"
LONGER = f"            order = [*{WALK}, node]\n"
WALKS = [
    ("nothing back", changed("walk_back", ("    return order", "    pass")), "returns None"),
    (
        "no control inputs",
        changed("walk_back", (" + node.control_inputs", "")),
        "needs its inputs and its control_inputs",
    ),
    ("not itself", changed("walk_back", (", order), node]", ", order)]")), "You return nothing."),
    (
        "what comes back is lost",
        changed("walk_back", (LONGER, f"            {WALK}\n            order = [*order, node]\n")),
        "You return last.\nA Node needs its inputs and its control_inputs: walk back from both",
    ),
    (
        "itself first",
        changed("walk_back", (LONGER, f"            order = {WALK.replace('order', '[*order, node]')}\n")),
        "last comes before something that it needs",
    ),
    ("each as often as it is used", changed("walk_back", ("node not in order and ", "")), "would run twice"),
    (
        "one list for every walk",
        changed(
            "walk_back", ("order=()", "order=[]"), (LONGER, f"            {WALK}\n            order.append(node)\n")
        ),
        "A second walk still has what the first one found",
    ),
    ("past what is known", changed("walk_back", (" and node not in known", "")), "from a Node that is known"),
    (
        "known at the top alone",
        changed("walk_back", ("_inputs, known, order", "_inputs, (), order")),
        "from a Node that is known",
    ),
    (
        "one step",
        changed("walk_back", (LONGER, "            order = [*order, *node.inputs, *node.control_inputs]\n")),
        "Some Nodes are missing",
    ),
]

STATE = "                self.state[node.updates] = values[node.updates] = values[node]"
FEED = """            if node.function is None:
                raise RuntimeError(f"You must feed a value for placeholder tensor '{node.name}'")
"""
HELD = """            if isinstance(node, Variable):
                raise RuntimeError(f"Attempting to use uninitialized value {node.name}")
"""
SESSIONS = [
    (
        "no list back",
        changed("Session", ("return [np.copy(values[node]) for node in fetches]", "pass")),
        "stops with TypeError",
    ),
    (
        "values thrown away",
        changed(
            "Session",
            ("            values[node] = node.function", "            value = node.function"),
            ("= values[node]\n", "= value\n"),
        ),
        "Put the value of each Node into `values`.",
    ),
    ("no words for a feed", changed("Session", (FEED, "")), "A run without a value for x stops with TypeError"),
    (
        "no words for a Variable",
        changed("Session", (HELD, "")),
        "A run without a value for w stops with RuntimeError: You must feed",
    ),
    (
        "updates forgotten",
        changed("Session", ("            if node.updates:\n" + STATE + "\n", "")),
        "the state has no w. See `node.updates`.",
    ),
    ("only the state is updated", changed("Session", ("= values[node.updates] =", "=")), "gives 1.0, and w gives 1.0"),
    (
        "only this run is updated",
        changed("Session", ("self.state[node.updates] = values", "values")),
        "the state has no w. See `node.updates`.",
    ),
    (
        "one state for all",
        changed("Session", ("    def __init__(self):\n        self.state = {}  #", "    state = {}  #")),
        "Each session needs its own state.",
    ),
    (
        "values kept for the next run",
        changed(
            "Session",
            ("self.state = {}", "self.state, self.values = {}, {}"),
            ("values = self.state |", "values = self.values = self.values | self.state |"),
        ),
        "Compute anew in each run.",
    ),
]

RIGHT_D = "                found[x] = found[x] + d if x in found else d"
SLOPES = [
    (
        "none is passed by",
        changed("gradients", ("        if node in found:\n", "        if True:\n")),
        "should be 2.0, and yours stops with KeyError: mul.\nA Node of the walk back may have no gradient",
    ),
    (
        "overwritten",
        changed("gradients", (" + d if x in found else d", " if x in found else d")),
        "add up what comes back",
    ),
    ("the last one counts", changed("gradients", (RIGHT_D, "                found[x] = d")), "add up what comes back"),
    ("forward", changed("gradients", ("reversed(walk_back([y]))", "walk_back([y])")), "should be 114, and is None"),
    (
        "no unbroadcast",
        changed(
            "gradients", ('Node("unbroadcast", rule(found[node], *node.inputs), x)', "rule(found[node], *node.inputs)")
        ),
        "Give it the shape of w: use unbroadcast.",
    ),
    (
        "d for everyone",
        changed("gradients", ("rule(found[node], *node.inputs)", "found[node]")),
        "of w * 5 should be 5, and is 1.0",
    ),
    (
        "zeros instead of None",
        changed("gradients", ("found.get(variable)", "found.get(variable, 0 * y)")),
        "should be None",
    ),
    (
        "one, not a list",
        changed("gradients", ("[found.get(variable) for variable in variables]", "found.get(variables[0])")),
        "not a list",
    ),
    (
        "passed on too early",
        """def gradients(y, variables):
    found = {y: Node("ones_like", y)}
    todo, done = [y], []
    while todo:
        node = todo.pop(0)
        done.append(node)
        for x, rule in zip(node.inputs, node.rules):
            d = Node("unbroadcast", rule(found[node], *node.inputs), x)
            found[x] = found[x] + d if x in found else d
            if x not in done and x not in todo:
                todo.append(x)
    return [found.get(variable) for variable in variables]
""",
        "z passes on what isn't complete yet.",
    ),
]

TRY = "    try:\n        yield\n    finally:\n        waiting_for[:] = before"
ORDERS = [
    (
        "never undone",
        changed("control_dependencies", (TRY, "    yield")),
        "After an inner block for [b], a Node waits for ['a', 'b']",
    ),
    (
        "undone unless an error",
        changed("control_dependencies", (TRY, "    yield\n    waiting_for[:] = before")),
        "Use `finally`.",
    ),
    (
        "replaced",
        changed("control_dependencies", ("waiting_for.extend(nodes)", "waiting_for[:] = nodes")),
        "In an inner block for b, a Node waits only for ['b']",
    ),
    (
        "emptied",
        changed("control_dependencies", ("waiting_for[:] = before", "waiting_for.clear()")),
        "After an inner block for [b], a Node waits for []",
    ),
    (
        "the last ones deleted",
        changed("control_dependencies", ("waiting_for[:] = before", "del waiting_for[-len(nodes) :]")),
        "After an inner block for [], a Node waits for []",
    ),
    (
        "another list",
        changed("control_dependencies", ("waiting_for.extend(nodes)", "before = before + nodes")),
        "a Node waits for []",
    ),
]

OPTIMIZER = "GradientDescentOptimizer"
GATE = "with control_dependencies([d for d, w in pairs]):  # no update before all gradients\n            updates"
BLOCK = "        with control_dependencies(updates):\n            return"
TRAINED = [
    ("no gate", changed(OPTIMIZER, (GATE, "updates")), "[1.7, 2.83].\nOne gradient used what the other had changed"),
    ("up the slope", changed(OPTIMIZER, ("assign_sub", "assign_add")), "up the slope. Subtract"),
    ("nothing waits", changed(OPTIMIZER, (BLOCK, "        return")), "no update ran"),
    (
        "nobody counts",
        changed(OPTIMIZER, ('global_step.assign_add(1) if global_step else Node("NoOp")', 'Node("NoOp")')),
        "but the step is 0",
    ),
    ("counts two", changed(OPTIMIZER, ("assign_add(1)", "assign_add(2)")), "but the step is 2"),
    (
        "no rate",
        changed(OPTIMIZER, ("self.learning_rate * d)", "d)")),
        "w and b are [-1.0, 1.0]. They should be [1.7, 2.8].",
    ),
    (
        "a list",
        changed(OPTIMIZER, (BLOCK, "        if not global_step:\n            return updates\n" + BLOCK)),
        "Return one Node.",
    ),
    (
        "the + 1 first",
        changed(
            OPTIMIZER,
            (
                "        with control_dependencies([d",
                "        count = [global_step.assign_add(1)] if global_step else []\n"
                "        with control_dependencies(count + [d",
            ),
            ('global_step.assign_add(1) if global_step else Node("NoOp")', 'Node("NoOp")'),
        ),
        "the + 1 must wait for both updates",
    ),
    ("every gradient, None as well", changed(OPTIMIZER, (" if d]", "]")), "stops with an error"),
    (
        "always a step",
        changed(OPTIMIZER, (' if global_step else Node("NoOp")', "")),
        "`minimize(loss)`, without a step, stops with AttributeError",
    ),
    (
        "only the last waits",
        changed(OPTIMIZER, ("control_dependencies(updates)", "control_dependencies(updates[-1:])")),
        "They should be [1.7, 2.8].",
    ),
]

DECAYS = [
    ("no return", changed("exponential_decay", ("    return ", "    ")), "returns None"),
    (
        "no staircase",
        changed("exponential_decay", ('(Node("Floor", periods) if staircase else periods)', "periods")),
        "At step 5 with staircase=True the rate is 0.07071, not 0.1.",
    ),
    (
        "always a staircase",
        changed("exponential_decay", ("if staircase else", "if True else")),
        "At step 5 with staircase=False the rate is 0.1, not 0.07071.",
    ),
    (
        "times, not to the power",
        changed(
            "exponential_decay", ("return learning_rate * decay_rate ** (", "return learning_rate * decay_rate * (")
        ),
        "At step 0 with staircase=False the rate is 0, not 0.1.",
    ),
    (
        "the wrong way round",
        changed("exponential_decay", ("= global_step / decay_steps", "= decay_steps / (global_step + 1e-9)")),
        "At step 0",
    ),
    (
        "a number",
        "def exponential_decay(rate, global_step, decay_steps, decay_rate, staircase=False):\n    return rate",
        "Build a Node from the step.",
    ),
    (
        "made an int",
        changed("exponential_decay", ("= global_step /", "= int(global_step) /")),
        "stops with an error: TypeError",
    ),
]

PIECES = [NAMES, VARIABLES, WALKS, SESSIONS, SLOPES, ORDERS, TRAINED, DECAYS]
MUTANTS = {
    f"16_build_it_yourself{f' {number}' if number > 1 else ''}": mutants
    for number, mutants in enumerate(PIECES, start=1)
}
