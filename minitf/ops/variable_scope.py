"""A variable scope is a prefix for names; `get_variable` creates or finds a variable in it.

The settings of a scope (initializer, regularizer, dtype, ...) also apply to the scopes inside it.
Each graph keeps its variables by name and, for each thread, the current scope.

Mirrors tensorflow/python/ops/variable_scope.py.
"""

import enum
import functools
import inspect
import itertools
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from minitf.framework import dtypes, graph
from minitf.framework.graph import GraphKeys
from minitf.framework.op_def_library import convert_to_tensor
from minitf.framework.tensor_shape import TensorShape
from minitf.ops import init_ops
from minitf.ops.array_ops import zeros
from minitf.ops.variables import Variable, VariableAggregation, VariableSynchronization

_ReuseMode = enum.Enum("_ReuseMode", "AUTO_REUSE")
AUTO_REUSE = _ReuseMode.AUTO_REUSE


class VariableScope:
    """What `with tf.variable_scope(...)` yields: a prefix for names, and settings for variables.

    With `reuse=True`, `get_variable` only finds existing variables; with AUTO_REUSE, it creates
    those that don't exist; with False or None, it only creates. `global_variables()`,
    `local_variables()` and `trainable_variables()` return the scope's variables of each kind.
    """

    def __init__(
        self,
        reuse,
        name="",
        initializer=None,
        regularizer=None,
        custom_getter=None,
        original_name_scope="",
        dtype=dtypes.float32,
        constraint=None,
    ):
        self.reuse, self.name, self.original_name_scope = reuse, name, original_name_scope
        self.initializer, self.regularizer, self.constraint = initializer, regularizer, constraint
        self.custom_getter, self.dtype = custom_getter, dtype

    def reuse_variables(self) -> None:
        """From now on, find existing variables instead of creating them."""
        self.reuse = True

    def set_initializer(self, initializer) -> None:
        """From now on, initialize variables with this by default."""
        self.initializer = initializer

    def set_regularizer(self, regularizer) -> None:
        """From now on, call this by default for the regularization loss of a variable."""
        self.regularizer = regularizer

    def set_custom_getter(self, custom_getter) -> None:
        """From now on, call this by default to get variables."""
        self.custom_getter = custom_getter

    def set_dtype(self, dtype) -> None:
        """From now on, create variables with this dtype by default."""
        self.dtype = dtype

    def get_collection(self, name: str) -> list:
        """The items of a collection whose names are in this scope."""
        return graph.get_collection(name, f"{self.name}/" if self.name else "")

    def global_variables(self) -> list:
        """The global variables in this scope."""
        return self.get_collection(GraphKeys.GLOBAL_VARIABLES)

    def trainable_variables(self) -> list:
        """The trainable variables in this scope."""
        return self.get_collection(GraphKeys.TRAINABLE_VARIABLES)

    def local_variables(self) -> list:
        """The local variables in this scope."""
        return self.get_collection(GraphKeys.LOCAL_VARIABLES)

    def inside(self, name: str) -> str:
        """The full name of `name` in this scope."""
        return f"{self.name}/{name}" if self.name else name


class _Scopes(threading.local):
    """A graph's variables by name and, per thread, the scope and how often each was entered.

    As a threading.local, it runs `__init__` again in each thread, with the same dict of variables.
    """

    def __init__(self, variables):
        self.variables = variables
        self.current = VariableScope(False)
        self.entered = {}

    def unique(self, name):
        """`name`, with a number if the current scope already has a scope of that name."""
        numbered = itertools.chain([name], (f"{name}_{number}" for number in itertools.count(1)))
        return next(n for n in numbered if not self.entered.get(self.current.inside(n)))

    @contextmanager
    def entering(self, scope, again):
        """Inside the `with`, `scope` is the current one.

        If it is entered `again`, as an object, the scopes inside it keep the numbers that they had
        before. If it is entered by its name, they will be numbered from the beginning next time.
        """
        outer, self.current = self.current, scope
        self.entered[scope.name] = self.entered.get(scope.name, 0) + 1
        on_entry = dict(self.entered)
        try:
            yield scope
        finally:
            self.current = outer
            if again:
                self.entered = on_entry
            else:
                inner = [key for key in self.entered if key.startswith(f"{scope.name}/")]
                self.entered |= dict.fromkeys(inner, 0)


def _scopes():
    current = graph.get_default_graph()
    if current.variable_scopes is None:
        current.variable_scopes = _Scopes({})
    return current.variable_scopes


def get_variable_scope() -> VariableScope:
    """The current variable scope."""
    return _scopes().current


def _find_or_make(
    name,
    shape=None,
    dtype=dtypes.float32,
    initializer=None,
    regularizer=None,
    reuse=None,
    partitioner=None,
    **others,
):
    variables = _scopes().variables
    from_value = initializer is not None and not callable(initializer)
    if from_value and shape is not None:
        raise ValueError("If initializer is a constant, do not specify shape.")
    dtype = dtypes.as_dtype(dtype).base_dtype
    shape = None if shape is None else TensorShape(shape)
    if name in variables:
        return _found(variables[name], name, shape, dtype, reuse)
    if reuse is True:
        raise ValueError(
            f"Variable {name} does not exist, or was not created with tf.get_variable(). "
            "Did you mean to set reuse=tf.AUTO_REUSE in VarScope?"
        )
    by_shape = not from_value and shape is not None and shape.is_fully_defined()
    if not from_value:
        initializer = _made_by(initializer, name, shape, dtype, by_shape)
    others |= {"dtype": dtype if by_shape else None, "shape": shape}
    variable = variables[name] = Variable(initializer, name=name, **others)
    # TensorFlow also calls the regularizer twice: to see whether there is a loss, and for the loss.
    if regularizer and regularizer(variable) is not None:
        with graph.name_scope(f"{name}/Regularizer/"):
            graph.add_to_collection(GraphKeys.REGULARIZATION_LOSSES, regularizer(variable))
    return variable


def _found(variable, name, shape, dtype, reuse):
    if reuse is False:
        raise ValueError(
            f"Variable {name} already exists, disallowed. Did you mean to set reuse=True or "
            "reuse=tf.AUTO_REUSE in VarScope? Originally defined at:"
            f"\n\n{variable.op.source_line}"
        )
    problem = f"Trying to share variable {name}, but specified"
    if shape is not None and not shape.is_compatible_with(variable.shape):
        raise ValueError(f"{problem} shape {shape} and found shape {variable.shape}.")
    if dtype is not variable.dtype.base_dtype:
        raise ValueError(f"{problem} dtype {dtype.name} and found dtype {variable.dtype.name}.")
    return variable


def _made_by(initializer, name, shape, dtype, by_shape):
    """The initializer, or the default one, as a function without arguments.

    The function returns a tensor of this shape or, if `by_shape` is false, of any shape.
    """
    if initializer is None:
        if shape is None:
            raise ValueError(
                f"Variable {name} did not get an initializer, "
                "so its `shape` argument must be specified."
            )
        if dtype.is_complex:
            raise ValueError(f"An initializer for variable {name} of {dtype} is required")
        initializer = init_ops.GlorotUniform if dtype.is_floating else zeros
    initializer = initializer() if inspect.isclass(initializer) else initializer
    parameters = inspect.signature(initializer).parameters
    if by_shape:
        more = {"partition_info": None} if "partition_info" in parameters else {}
        return functools.partial(initializer, shape.as_list(), dtype=dtype, **more)
    waits = any(p.default is p.empty and p.kind < p.VAR_POSITIONAL for p in parameters.values())
    if waits or isinstance(initializer, init_ops.Initializer):
        raise ValueError(
            "The initializer passed is not valid. It should be a callable with no arguments and "
            "the shape should not be provided or an instance of `tf.keras.initializers.*' and "
            "`shape` should be fully defined."
        )
    return initializer


def get_variable(
    name: str,
    shape=None,
    dtype=None,
    initializer=None,
    regularizer=None,
    trainable=None,
    collections=None,
    caching_device=None,
    partitioner=None,
    validate_shape=True,
    use_resource=None,
    custom_getter=None,
    constraint=None,
    synchronization=VariableSynchronization.AUTO,
    aggregation=VariableAggregation.NONE,
) -> Variable:
    """The variable with this name in the current scope: a new one or, with `reuse`, the old one.

        with tf.variable_scope("layer"):
            w = tf.get_variable("w", [784, 10])  # layer/w

    initializer: a function of (shape, dtype), or the initial value itself. By default, that of the
        scope, or else Glorot's uniform one for floats and zeros for other dtypes.
    regularizer: a function of the variable whose result joins REGULARIZATION_LOSSES.
    custom_getter: a function that is called with the real getter and its arguments instead.

    The other arguments are as in `tf.variable_scope` and `tf.Variable`; `caching_device`,
    `partitioner` and `use_resource` are ignored. Raises ValueError if the variable exists but must
    not be reused, or must be reused but doesn't exist or has a different shape or dtype.
    """
    scope = get_variable_scope()
    # The name comes from variable scopes alone, not from name scopes.
    with graph.name_scope(None):
        if dtype is not None and initializer is not None and not callable(initializer):
            found, wanted = convert_to_tensor(initializer).dtype.base_dtype, dtypes.as_dtype(dtype)
            if found is not wanted:
                raise ValueError(
                    f"Initializer type '{found}' and explicit dtype '{wanted}' don't match."
                )
        getter = scope.custom_getter if custom_getter is None else custom_getter
        arguments = {
            "name": scope.inside(name),
            "shape": shape,
            "dtype": scope.dtype if dtype is None else dtype,
            "initializer": scope.initializer if initializer is None else initializer,
            "regularizer": scope.regularizer if regularizer is None else regularizer,
            "reuse": scope.reuse,
            "trainable": trainable is not False,
            "collections": collections,
            "caching_device": caching_device,
            "partitioner": partitioner,
            "validate_shape": validate_shape,
            "use_resource": use_resource,
            "constraint": scope.constraint if constraint is None else constraint,
            "synchronization": synchronization,
            "aggregation": aggregation,
        }
        return getter(_find_or_make, **arguments) if getter else _find_or_make(**arguments)


@functools.wraps(get_variable, assigned=())  # takes its signature
def get_local_variable(*args, collections=None, **kwargs) -> Variable:
    """`get_variable` for a local variable, which is not trainable and not saved by default."""
    collections = [*(collections or ()), GraphKeys.LOCAL_VARIABLES]
    return get_variable(*args, **kwargs | {"trainable": False, "collections": collections})


def no_regularizer(_) -> None:
    """A regularizer that adds no loss, for overriding a scope's regularizer."""


@contextmanager
def variable_scope(
    name_or_scope: str | VariableScope | None,
    default_name=None,
    values=None,
    initializer=None,
    regularizer=None,
    caching_device=None,
    partitioner=None,
    custom_getter=None,
    reuse=None,
    dtype=None,
    use_resource=None,
    constraint=None,
    auxiliary_name_scope=True,
) -> Iterator[VariableScope]:
    """Open a variable scope: inside the `with`, `get_variable` puts its name before the variable's.

        with tf.variable_scope("layer", reuse=tf.AUTO_REUSE):
            w = tf.get_variable("w", [784, 10])  # layer/w

    `name_or_scope` is a name inside the current scope, or a VariableScope to enter again. If it is
    None, the name is `default_name`, with a number if needed. Unless `auxiliary_name_scope` is
    False, ops get a name scope of the same name, a new one each time (`layer`, `layer_1`). Settings
    that aren't given are those of the outer scope; `caching_device`, `partitioner` and
    `use_resource` are ignored. Raises TypeError without a name, ValueError if `reuse` is not True,
    False, None or AUTO_REUSE.
    """
    _check_scope(name_or_scope, default_name, reuse)
    settings = {
        "initializer": initializer,
        "regularizer": regularizer,
        "custom_getter": custom_getter,
        "dtype": dtype,
    }
    settings = {name: value for name, value in settings.items() if value is not None}
    given = default_name if name_or_scope is None else name_or_scope
    again = isinstance(given, VariableScope)
    with graph.graph_of(values or ()).as_default() as current_graph:
        scopes = _scopes()
        base = given if again else scopes.current  # whose settings it takes over
        op_scope = given.name.split("/")[-1] if again else given
        with _name_scope(current_graph, op_scope, auxiliary_name_scope) as name_scope:
            if again:
                full_name = given.name
            else:
                full_name = base.inside(scopes.unique(given) if name_or_scope is None else given)
                settings["original_name_scope"] = name_scope
            if custom_getter is not None and base.custom_getter is not None:
                settings["custom_getter"] = _inside(base.custom_getter, custom_getter)
            settings |= {"reuse": reuse or base.reuse, "name": full_name, "constraint": constraint}
            with scopes.entering(VariableScope(**vars(base) | settings), again) as scope:
                yield scope


def _check_scope(name_or_scope, default_name, reuse):
    """Raise TypeError or ValueError if these arguments of `variable_scope` can't be."""
    if name_or_scope is None and default_name is None:
        raise TypeError("If default_name is None then name_or_scope is required")
    if not isinstance(name_or_scope, VariableScope | str | None):
        raise TypeError("VariableScope: name_or_scope must be a string or VariableScope.")
    if reuse not in (True, False, None, AUTO_REUSE):
        raise ValueError("The reuse parameter must be True or False or None.")
    if name_or_scope is None and reuse:
        raise ValueError("reuse=True cannot be used without a name_or_scope")


def _name_scope(current_graph, name, auxiliary):
    """Open a new name scope for the ops or, if not `auxiliary`, stay in the current one."""
    if not auxiliary:
        name = f"{current_graph.get_name_scope()}/"
    return current_graph.name_scope(name.lstrip("/")) if name else nullcontext("")


def _inside(outer, inner):
    """A custom getter that calls `inner`, whose getter is `outer`, whose getter is the real one."""
    return lambda getter, *args, **kwargs: inner(functools.partial(outer, getter), *args, **kwargs)
