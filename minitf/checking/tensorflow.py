"""What the rules know about TensorFlow: its schedules, optimizers, steps, and ops."""

from functools import cache

from minitf.framework import tensorflow_names
from minitf.training import learning_rate_decay

# Methods of TensorFlow's objects. A method of the program's with such a name may not be meant.
_METHODS = (
    "run save restore minimize apply_gradients compute_gradients eval assign assign_add assign_sub "
    "load apply average close flush add_summary add_graph initializer value get append extend "
    "update items keys format join read write train fit predict"
)
METHODS = frozenset(_METHODS.split())


@cache
def public_name(full: str) -> str:
    """Return the public name of a part of TensorFlow, without `tf`: "train.Saver"."""
    path = full.removeprefix("tensorflow").removeprefix(".").removeprefix("compat.v1.")
    if path.startswith("python."):
        module, _, name = path.rpartition(".")
        public = tensorflow_names.names(f"tensorflow.{module}").get(name, "")
        return public or path
    return path


# Where each schedule takes its step.
SCHEDULES = {schedule.__name__: 1 for schedule in learning_rate_decay.SCHEDULES}
SCHEDULES |= {"piecewise_constant": 0, "piecewise_constant_decay": 0}
_FINDS_STEP = {"get_global_step", "get_or_create_global_step", "create_global_step"}
_VARIABLES = {"Variable", "get_variable", "variable", "model_variable", "VariableV1"}
_INITIALIZERS = {
    "global_variables_initializer",
    "initialize_all_variables",
    "initializers.global_variables",
}
# Ops whose result changes with what they are given, as a step plus 1 does.
_COMPUTES = (
    "cast to_float to_double to_int32 to_int64 identity add multiply mul subtract sub mod floormod "
    "floordiv div divide truediv maximum minimum convert_to_tensor floor ceil round reshape "
    "squeeze square sqrt pow"
)
_OPS = "array_ops math_ops nn_ops nn_impl random_ops state_ops clip_ops control_flow_ops"
_SUMMARIES = "scalar histogram image audio merge merge_all"
_NOT_OPS = {"control_dependencies", "no_op", "placeholder", "group", "shape", "random.set_seed"}


def is_schedule(name: str) -> bool:
    """Return whether a public name is that of a schedule."""
    module, _, last = name.rpartition(".")
    return module == "train" and last in SCHEDULES


def finds_step(name: str) -> bool:
    """Return whether a public name is that of a function such as `get_or_create_global_step`."""
    module, _, last = name.rpartition(".")
    return last in _FINDS_STEP and module in ("train", "contrib.framework", "contrib.slim")


def makes_variable(name: str) -> bool:
    """Return whether a public name is that of a function that makes a variable."""
    module, _, last = name.rpartition(".")
    return last in _VARIABLES and module in ("", "contrib.framework", "contrib.slim")


def computes(name: str) -> bool:
    """Return whether a public name is that of an op that computes with numbers."""
    return name.removeprefix("math.") in _COMPUTES.split()


def initializes(name: str) -> bool:
    """Return whether a public name is that of the initializer of all variables."""
    return name in _INITIALIZERS


@cache
def _ops() -> frozenset[str]:
    modules = [tensorflow_names.names(f"tensorflow.python.ops.{each}") for each in _OPS.split()]
    summaries = {f"summary.{each}" for each in _SUMMARIES.split()}
    names = {name for module in modules for name in module.values() if name}
    return frozenset(names - _NOT_OPS | summaries | {"constant", "one_hot", "argmax"})


def makes_op(name: str) -> bool:
    """Return whether a public name is that of a function that makes an op each time."""
    last = name.rpartition(".")[2]
    return name in _ops() and last == last.lower()
