"""A Session holds the values of the variables and runs programs.

Mirrors tensorflow/python/client/session.py.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any, Self

import numpy as np

from minitf.client import blame
from minitf.client.arithmetic import calculate
from minitf.client.compiler import compile_program
from minitf.client.feeds_and_fetches import (
    as_feed_key,
    as_feed_value,
    flatten,
    structure_key,
    without_nesting,
)
from minitf.client.order import all_ops, execution_order
from minitf.client.program import Program
from minitf.client.watchers import SessionRun, watchers
from minitf.framework import dtypes, errors, nest
from minitf.framework.graph import Graph, default_graphs, get_default_graph
from minitf.framework.locks import add_lock
from minitf.framework.operation import Operation, Tensor, default_sessions
from minitf.framework.protos import message

PLANS_KEPT = 64
FITTING_SHAPES_KEPT = 100


class State(dict):
    """The values of a session's variables, by name.

    They are arrays that nothing else refers to. Values of rank 0 are NumPy scalars instead, because
    updating an array in place would also change it for everyone who has read it. `streams` holds
    the generators of the session's random ops.
    """

    def __init__(self, values: Mapping | tuple = ()):
        super().__init__(values)
        self.streams: dict[str, np.random.Generator] = {}

    def __missing__(self, name: str) -> None:
        raise errors.FailedPreconditionError(
            None, None, f"Attempting to use uninitialized value {name}"
        )


class Plan:
    """A program, how to feed it, and how to arrange what it returns.

    `feeds` lists the key, tensor, NumPy dtype and shapes known to fit of each feed; `rebuild`
    arranges what the program returns like the fetches.
    """

    def __init__(self, program: Program, feeds: list[tuple], rebuild: Callable[[Any], Any]):
        self.program, self.feeds, self.rebuild = program, feeds, rebuild

    def fed_values(self, feed_dict: Mapping) -> list[Any]:
        """Return the values to feed, in the program's order; arrays that fit aren't converted."""
        values = []
        for key, tensor, dtype, fitting in self.feeds:
            value = feed_dict[key]
            is_array = type(value) is np.ndarray
            if not is_array or value.dtype is not dtype or value.shape not in fitting:
                value = as_feed_value(tensor, value)
                if type(value) is np.ndarray and len(fitting) < FITTING_SHAPES_KEPT:
                    fitting.add(value.shape)
            values.append(value)
        return values


class Session:
    """Runs a graph: `with tf.Session() as sess: sess.run(fetches, feed_dict)`.

    Each session has its own values for the graph's variables, in `state`, which programs read and
    write. Each `run` is atomic: threads that share a session take turns. (A run that fails midway
    keeps the updates it has made, as in TensorFlow.) `target` and `config` have no effect.

    Raises TypeError for arguments of the wrong type.
    """

    def __init__(self, target: str = "", graph: Graph | None = None, config=None):
        for name, value, kind, shown in (
            ("target", target, str, "string"),
            ("graph", graph, Graph, "tf.Graph"),
            ("config", config, config is not None and message("ConfigProto"), "tf.ConfigProto"),
        ):
            if value is not None and not isinstance(value, kind):
                given = type(value).__name__
                raise TypeError(f'Argument `{name}` must be a {shown}, but got "{given}"')
        self.graph = graph or default_graphs.get()
        self.state = State()
        self._plans: OrderedDict[Any, Plan] = OrderedDict()
        add_lock(self, "_lock")
        self._closed = False
        self._contexts = ExitStack()
        self.sess_str = target

    graph_def = property(lambda self: self.graph.as_graph_def(), doc="The graph as a GraphDef.")

    @contextmanager
    def paused(self) -> Iterator[State]:
        """Let no other thread run this session within the `with`, which yields its state."""
        with self._lock:
            yield self.state

    def run(self, fetches, feed_dict: Mapping | None = None, options=None, run_metadata=None):
        """Run what `fetches` need, and return their values in the same structure.

        Fetches are tensors, ops (whose value is None), variables, names, or lists, tuples, named
        tuples and dicts of them. `feed_dict` gives values to placeholders, or to other tensors in
        place of their own values; a key can also be a tuple of such keys. Scalars come back as
        NumPy scalars, everything else as arrays that belong to the caller. `options` and
        `run_metadata` have no effect.

        Everything that doesn't wait for the update of a variable runs first, then the updates, then
        whatever waits for them. An optimizer's update comes before an assign, and what an assign
        stores is computed when its turn comes, so no update is lost. Fetched variables are read
        last. (client/order.py has the whole rule.)

        Raises RuntimeError if the session is closed, TypeError and ValueError for invalid fetches
        and feeds, and an OpError that names the op if the run itself fails.
        """
        feed_dict = without_nesting(feed_dict or {})
        with self._lock:
            plan = self._plan(fetches, feed_dict)
            values = plan.fed_values(feed_dict)
            run = SessionRun(self, fetches, plan.program, values) if watchers else None
            if run:
                run.begin()
            try:
                result = calculate(plan.program.function, self.state, *values)
            except Exception as error:
                explained = blame.explained(error, plan.program)
                if run:
                    run.fail(explained)
                raise explained from error
            if run:
                run.end()
        return plan.rebuild(result)

    def _plan(self, fetches, feed_dict: Mapping) -> Plan:
        """Return the plan for these fetches and feeds, which is kept until one of its ops changes.

        At most PLANS_KEPT plans are kept, those used last.
        """
        if self._closed:
            raise RuntimeError("Attempted to use a closed Session.")
        direct = type(fetches) is Tensor or type(fetches) is Operation
        try:
            key = (fetches if direct else structure_key(fetches), *feed_dict)
            plan = self._plans.get(key)
        except TypeError:  # something that can't be fetched or fed: _new_plan raises
            plan = key = None
        if plan is None or not plan.program.is_current():
            plan = self._new_plan(fetches, feed_dict)
            self._plans[key] = plan
            while len(self._plans) > PLANS_KEPT:
                self._plans.popitem(last=False)
        else:
            self._plans.move_to_end(key)
        return plan

    def _new_plan(self, fetches, feed_dict: Mapping) -> Plan:
        if not self.graph.operations:
            raise RuntimeError(
                "The Session graph is empty. Add operations to the graph before calling run()."
            )
        # If two keys refer to one tensor, the last one counts.
        fed = {as_feed_key(key, self.graph): key for key in feed_dict}
        elements, rebuild = flatten(fetches, self.graph)
        program = compile_program(self.graph, elements, fed)
        feeds = []
        for tensor, key in fed.items():
            dtype = tensor.dtype.base_dtype
            # An array of strings never fits as it is, because they may need encoding.
            fits = None if dtype is dtypes.string else np.dtype(dtype.as_numpy_dtype)
            feeds.append((key, tensor, fits, set()))
        single = len(elements) == 1  # the program returns it bare, not in a tuple
        return Plan(program, feeds, (lambda result: rebuild((result,))) if single else rebuild)

    def close(self) -> None:
        """Close the session; running it from now on raises RuntimeError."""
        self._closed = True
        self._plans.clear()

    def as_default(self):
        """Make `eval` and `run` use this session within the `with`."""
        return default_sessions.pushed(self)

    def make_callable(
        self, fetches, feed_list: Iterable[Any] | None = None, accept_options: bool = False
    ) -> Callable:
        """Return a function that runs `fetches`, whose arguments are fed to `feed_list` in order.

        Raises TypeError and ValueError immediately for invalid fetches, and TypeError unless
        `feed_list` is a list or tuple.
        """
        if not isinstance(feed_list, list | tuple | None):
            raise TypeError(
                f"Argument `feed_list` must be a list or tuple. Received: feed_list={feed_list}"
            )
        flatten(fetches, self.graph)  # raises now rather than at the first call

        def call(*values, options=None, run_metadata=None):
            return self.run(fetches, dict(zip(feed_list or (), values, strict=False)))

        return call

    def __enter__(self) -> Self:
        self._contexts.enter_context(self.graph.as_default())
        return self._contexts.enter_context(self.as_default())

    def __exit__(self, *exception) -> None:
        self._contexts.close()
        self.close()


class InteractiveSession(Session):
    """A session that is the default from the start until it is closed, for notebooks and shells."""

    def __init__(self, target: str = "", graph: Graph | None = None, config=None):
        super().__init__(target, graph, config)
        if graph is not None:
            self._contexts.enter_context(graph.as_default())
        self._contexts.enter_context(self.as_default())

    def close(self) -> None:
        """Close the session, which then is no longer the default."""
        super().close()
        self._contexts.close()


def program_of(fetches, feeds: Iterable[Any] | None = None, graph: Graph | None = None) -> Program:
    """Return the program that `run(fetches)` executes when `feeds` are fed.

    By default, `feeds` are the placeholders that the run needs. Raises what `run` would raise for
    invalid fetches and feeds.
    """
    graphs = (f.graph for f in nest.flatten(fetches)[0] if hasattr(f, "graph"))
    graph = graph or next(graphs, get_default_graph())
    elements, _ = flatten(fetches, graph)
    if feeds is None:
        targets = [e.op if isinstance(e, Tensor) else e for e in elements]
        needed = all_ops(execution_order(targets, set()))
        fed = [op.outputs[0] for op in needed if op.type == "Placeholder"]
    else:
        fed = [as_feed_key(key, graph) for key in feeds]
    return compile_program(graph, elements, fed)


def program(fetches, feeds: Iterable[Any] | None = None) -> Program:
    """Return the NumPy program that `run(fetches)` executes (not in TensorFlow).

        print(tf.program(train_op))

    `feeds` are the tensors that would be fed, by default the placeholders that the run needs.
    Raises TypeError and ValueError for invalid fetches and feeds.
    """
    return program_of(fetches, feeds)
