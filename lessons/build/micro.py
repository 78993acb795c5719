"""The core of TensorFlow 1: build a graph of Nodes, which computes nothing, and then run it."""

from contextlib import contextmanager
from types import SimpleNamespace

import numpy as np

float32 = np.float32  # the only type of number here
graph = {}  # each Node by its name, in the order of building
waiting_for = []  # the Nodes that a new Node must wait for


def unique_name(name):
    """Return name, or name_1, name_2, ... if a Node already has that name, ignoring case."""
    unique, number = name, 0
    while unique.lower() in map(str.lower, graph):
        number += 1
        unique = f"{name}_{number}"
    return unique


class Node:
    def __init__(self, kind, *inputs, name=None, updates=None, function=None):
        self.function, *self.rules = OPS.get(kind, [function])
        self.inputs = [node if isinstance(node, Node) else constant(node) for node in inputs]
        self.control_inputs = list(waiting_for)  # these run first, though it doesn't use them
        self.updates = updates  # the Variable that this changes, if any
        self.name = unique_name(name or kind)
        graph[self.name] = self


def sum_to_shape(d, x):
    """Sum d over the axes along which broadcasting repeated x."""
    shape = (1,) * (d.ndim - x.ndim) + x.shape
    return d.sum(axis=tuple(i for i, n in enumerate(shape) if n == 1)).reshape(x.shape)


OPS = {  # for each op: what computes it, and each input's gradient, given the op's own (d)
    "add": [np.add, lambda d, a, b: d, lambda d, a, b: d],
    "sub": [np.subtract, lambda d, a, b: d, lambda d, a, b: 0 - d],
    "mul": [np.multiply, lambda d, a, b: d * b, lambda d, a, b: d * a],
    "truediv": [np.divide, lambda d, a, b: d / b, lambda d, a, b: 0 - d * a / b**2],
    "pow": [np.power, lambda d, a, b: d * b * a ** (b - 1)],  # there is none for the exponent
    "unbroadcast": [sum_to_shape, lambda d, a, x: d * Node("ones_like", a)],
    "ones_like": [np.ones_like],
    "Floor": [np.floor],
    "Assign": [np.copy],
    "NoOp": [lambda: None],  # there is nothing to compute, but it can wait
}

for kind in ["add", "sub", "mul", "truediv", "pow"]:  # for a + b, Python calls a.__add__(b),
    setattr(Node, f"__{kind}__", lambda a, b, kind=kind: Node(kind, a, b))
    setattr(Node, f"__r{kind}__", lambda b, a, kind=kind: Node(kind, a, b))  # or b.__radd__(a)
Node.__array_ufunc__ = None  # so that NumPy leaves array + node to us


def constant(value, name="Const"):
    return Node("Const", name=name, function=np.array(value, float32).copy)


def placeholder(dtype, shape=None, name="Placeholder"):
    return Node("Placeholder", name=name)  # it has no function: a run must be fed its value


class Variable(Node):  # it has no function either: a session holds its value
    def __init__(self, initial_value, trainable=True, name="Variable"):
        super().__init__("Variable", name=name)
        self.trainable = trainable
        self.initializer = Node("Assign", initial_value, name=f"{self.name}/Assign", updates=self)

    def assign_add(self, value):
        return Node("add", self, value, name="AssignAdd", updates=self)

    def assign_sub(self, value):
        return Node("sub", self, value, name="AssignSub", updates=self)


def global_variables_initializer():
    return [node.initializer for node in graph.values() if isinstance(node, Variable)]


def walk_back(nodes, known=(), order=()):
    """Return all Nodes that a run needs, each after the Nodes that it needs."""
    for node in nodes:
        if node not in order and node not in known:
            order = [*walk_back(node.inputs + node.control_inputs, known, order), node]
    return order


class Session:
    def __init__(self):
        self.state = {}  # the value of each Variable, kept between runs

    def run(self, fetches, feed_dict=None):
        if isinstance(fetches, Node):
            return self.run([fetches], feed_dict)[0]
        values = self.state | {node: float32(value) for node, value in (feed_dict or {}).items()}
        for node in walk_back(fetches, values):
            if isinstance(node, Variable):
                raise RuntimeError(f"Attempting to use uninitialized value {node.name}")
            if node.function is None:
                raise RuntimeError(f"You must feed a value for placeholder tensor '{node.name}'")
            values[node] = node.function(*[values[before] for before in node.inputs])
            if node.updates:
                self.state[node.updates] = values[node.updates] = values[node]
        return [np.copy(values[node]) for node in fetches]


def gradients(y, variables):
    """Build the gradient of y for each Variable; None where y does not depend on it."""
    found = {y: Node("ones_like", y)}
    for node in reversed(walk_back([y])):
        if node in found:
            for x, rule in zip(node.inputs, node.rules):
                d = Node("unbroadcast", rule(found[node], *node.inputs), x)
                found[x] = found[x] + d if x in found else d
    return [found.get(variable) for variable in variables]


@contextmanager
def control_dependencies(nodes):
    """Make everything that is built inside wait for these Nodes."""
    before = list(waiting_for)
    waiting_for.extend(nodes)
    try:
        yield
    finally:
        waiting_for[:] = before


class GradientDescentOptimizer:
    def __init__(self, learning_rate):
        self.learning_rate = learning_rate

    def minimize(self, loss, global_step=None):
        weights = [node for node in graph.values() if isinstance(node, Variable) and node.trainable]
        pairs = [(d, w) for d, w in zip(gradients(loss, weights), weights) if d]
        with control_dependencies([d for d, w in pairs]):  # no update before all gradients
            updates = [w.assign_sub(self.learning_rate * d) for d, w in pairs]
        with control_dependencies(updates):
            return global_step.assign_add(1) if global_step else Node("NoOp")


def exponential_decay(learning_rate, global_step, decay_steps, decay_rate, staircase=False):
    periods = global_step / decay_steps
    return learning_rate * decay_rate ** (Node("Floor", periods) if staircase else periods)


train = SimpleNamespace(**globals())  # TensorFlow keeps the last two in tf.train
