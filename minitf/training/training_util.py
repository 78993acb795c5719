"""The global step: an integer variable that counts training steps, found through a collection.

Mirrors tensorflow/python/training/training_util.py.
"""

from contextlib import suppress

from minitf.framework import dtypes, tf_logging
from minitf.framework.events import announced
from minitf.framework.graph import Graph, GraphKeys, get_default_graph
from minitf.framework.operation import Tensor, with_place
from minitf.ops.init_ops import zeros_initializer
from minitf.ops.variable_scope import get_variable
from minitf.ops.variables import Variable, VariableAggregation


def global_step(sess, global_step_tensor: Variable | Tensor) -> int:
    """Return the value of the global step in `sess`, as a Python int.

        step = tf.train.global_step(sess, global_step_tensor)

    Raises what `sess.run` raises, for example FailedPreconditionError if the step has no value yet.
    """
    return int(sess.run(global_step_tensor))


@announced
def get_global_step(graph: Graph | None = None) -> Variable | Tensor | None:
    """Return the global step of `graph` (by default the default graph), or None if it has none.

    It is the only item of the collection GLOBAL_STEP or, if that is empty, the tensor named
    `global_step:0`. If the collection has several items, this logs an error and returns None.
    Raises TypeError if the item isn't an integer scalar.
    """
    graph = graph or get_default_graph()
    found = graph.get_collection(GraphKeys.GLOBAL_STEP)
    if not found:
        with suppress(KeyError):
            found = [graph.get_tensor_by_name("global_step:0")]
    if len(found) > 1:
        tf_logging.error("Multiple tensors in global_step collection.")
    if len(found) != 1:
        return None
    assert_global_step(found[0])
    return found[0]


@announced
def create_global_step(graph: Graph | None = None) -> Variable:
    """Create and return the global step: an int64 variable named `global_step`, initially 0.

    It is not trainable, and joins the collections GLOBAL_VARIABLES and GLOBAL_STEP. Raises
    ValueError if there already is a global step.
    """
    graph = graph or get_default_graph()
    existing = get_global_step(graph)
    if existing is not None:
        raise with_place(ValueError('"global_step" already exists.'), existing)
    key, collections = GraphKeys.GLOBAL_STEP, [GraphKeys.GLOBAL_VARIABLES, GraphKeys.GLOBAL_STEP]
    with graph.as_default(), graph.name_scope(None):
        return get_variable(
            key,
            [],
            dtypes.int64,
            zeros_initializer(),
            trainable=False,
            collections=collections,
            aggregation=VariableAggregation.ONLY_FIRST_REPLICA,
        )


@announced
def get_or_create_global_step(graph: Graph | None = None) -> Variable | Tensor:
    """Return the global step of `graph` (by default the default graph); create it if needed."""
    step = get_global_step(graph)
    return create_global_step(graph) if step is None else step


def global_step_read() -> Tensor | None:
    """Return a tensor with the default graph's global step, for hooks, or None if it has none.

    It is created once. Its value is the step before a run's updates or, if that isn't initialized,
    its initial value.
    """
    graph = get_default_graph()
    known, step = graph.get_collection_ref("global_step_read_op_cache"), get_global_step(graph)
    if not known and step is not None:
        with graph.name_scope(None), graph.name_scope(f"{step.op.name}/"):
            known.append((step.initialized_value() if isinstance(step, Variable) else step) + 0)
    return known[0] if known else None


def assert_global_step(global_step_tensor) -> None:
    """Raise TypeError unless this is an integer scalar: a variable or a tensor."""
    step, existing = global_step_tensor, 'Existing "global_step"'
    if not isinstance(step, Variable | Tensor):
        raise TypeError(f"{existing} must be a Variable or Tensor: {step}.")
    if not step.dtype.base_dtype.is_integer:
        raise TypeError(f"{existing} does not have integer type: {step.dtype}")
    if step.shape.rank != 0 and step.shape.is_fully_defined():
        raise TypeError(f"{existing} is not scalar: {step.shape}")
