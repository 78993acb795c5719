"""Optimizers that few programs use.

Mirrors tensorflow/python/training/adadelta.py, adagrad_da.py, ftrl.py, proximal_adagrad.py,
proximal_gradient_descent.py and sync_replicas_optimizer.py.
"""

from minitf.framework.graph import GraphKeys, control_dependencies, name_scope
from minitf.framework.operation import Operation, Tensor
from minitf.ops.array_ops import zeros
from minitf.ops.control_flow_ops import cond, group, no_op
from minitf.ops.gather_ops import where_v2
from minitf.ops.init_ops import constant_initializer
from minitf.ops.math_ops import cast, equal, greater_equal
from minitf.ops.state_ops import assign
from minitf.ops.training_ops import rule
from minitf.ops.variables import Variable, global_variables, report_uninitialized_variables
from minitf.training.optimizer import Optimizer
from minitf.training.optimizers import ZEROS, check_positive
from minitf.training.session_run_hook import SessionRunHook


class AdadeltaOptimizer(Optimizer):
    """Adadelta: a rate for each element, from the sizes of its recent updates and gradients.

        accum += (1 - rho) * (gradient ** 2 - accum)
        update = sqrt(accum_update + epsilon) / sqrt(accum + epsilon) * gradient
        variable -= learning_rate * update
        accum_update += (1 - rho) * (update ** 2 - accum_update)

    An element's rate is the size of its recent updates, divided by that of its recent gradients.
    The slots are "accum" and "accum_update".
    """

    _op_type = rule(
        "ApplyAdadelta",
        "var accum accum_update",
        "lr rho epsilon grad",
        "accum += (1 - rho) * (grad**2 - accum); "
        "var -= lr * sqrt(accum_update + epsilon) / sqrt(accum + epsilon) * grad; "
        "accum_update += "
        "(1 - rho) * ((accum_update + epsilon) / (accum + epsilon) * grad**2 - accum_update)",
    )
    _slot_initializers = {"accum": ZEROS, "accum_update": ZEROS}

    def __init__(
        self, learning_rate=0.001, rho=0.95, epsilon=1e-8, use_locking=False, name="Adadelta"
    ):
        super().__init__(use_locking, name, lr=learning_rate, rho=rho, epsilon=epsilon)


class AdagradDAOptimizer(Optimizer):
    """Adagrad with dual averaging: each update finds the best value for all gradients so far.

        gradient_sum += gradient
        square_sum += gradient ** 2
        pull = sign(gradient_sum) * max(abs(gradient_sum) - l1 * steps, 0)
        variable = -learning_rate * pull / (l2 * steps * learning_rate + sqrt(square_sum))

    Here `steps` is `global_step` + 1. With `l1`, an element whose gradients nearly cancel out is 0.
    The slots are "gradient_accumulator" and "gradient_squared_accumulator".
    """

    _op_type = rule(
        "ApplyAdagradDA",
        "var gradient_sum square_sum",
        "grad lr l1 l2 steps:T=-",
        "gradient_sum += grad; "
        "square_sum += grad**2; "
        "var = -lr * sign(gradient_sum) * maximum(abs(gradient_sum) - l1 * steps, 0) "
        "/ (l2 * steps * lr + sqrt(square_sum))",
    )

    def __init__(
        self,
        learning_rate,
        global_step,
        initial_gradient_squared_accumulator_value=0.1,
        l1_regularization_strength=0.0,
        l2_regularization_strength=0.0,
        use_locking=False,
        name="AdagradDA",
    ):
        square_sum = initial_gradient_squared_accumulator_value
        check_positive(initial_gradient_squared_accumulator_value=square_sum)
        super().__init__(
            use_locking,
            name,
            learning_rate=learning_rate,
            l1=l1_regularization_strength,
            l2=l2_regularization_strength,
        )
        self._global_step = global_step
        self._slot_initializers = {
            "gradient_accumulator": ZEROS,
            "gradient_squared_accumulator": constant_initializer(square_sum),
        }

    def _hyperparameters(self):
        return [*super()._hyperparameters(), self._global_step + 1]


class FtrlOptimizer(Optimizer):
    """FTRL ("follow the regularized leader"): each update finds the best value for all gradients.

        linear += gradient - ((accum + gradient ** 2) ** 0.5 - accum ** 0.5) / rate * variable
        accum += gradient ** 2
        variable = (l1 * sign(linear) - linear) / (accum ** 0.5 / rate + 2 * l2)
        variable = 0 where abs(linear) <= l1

    The exponent 0.5 is `-learning_rate_power`. The slots are "accum", which starts at
    `initial_accumulator_value`, and "linear". minitf has neither `beta` nor
    `l2_shrinkage_regularization_strength`. Raises ValueError if the power is positive, or if the
    initial value or a strength is negative.
    """

    _op_type = rule(
        "ApplyFtrl",
        "var accum linear",
        "grad lr l1 l2 lr_power",
        "linear += grad - ((accum + grad**2) ** -lr_power - accum ** -lr_power) / lr * var; "
        "accum += grad**2; "
        "var = (abs(linear) > l1) * (l1 * sign(linear) - linear) "
        "/ (accum ** -lr_power / lr + 2 * l2)",
    )

    def __init__(
        self,
        learning_rate,
        learning_rate_power=-0.5,
        initial_accumulator_value=0.1,
        l1_regularization_strength=0.0,
        l2_regularization_strength=0.0,
        use_locking=False,
        name="Ftrl",
    ):
        start, power = initial_accumulator_value, learning_rate_power
        numbers = {"l1": l1_regularization_strength, "l2": l2_regularization_strength}
        if power > 0.0 or min(start, *numbers.values()) < 0.0:
            raise ValueError(
                f"One of these is out of range: {numbers}, {learning_rate_power=} and "
                f"{initial_accumulator_value=}"
            )
        super().__init__(use_locking, name, learning_rate=learning_rate, **numbers, lr_power=power)
        self._slot_initializers = {"accum": constant_initializer(start), "linear": ZEROS}


class ProximalAdagradOptimizer(Optimizer):
    """Adagrad, followed by a pull towards 0.

        accum += gradient ** 2
        rate = learning_rate / sqrt(accum)
        variable -= rate * gradient
        variable = sign(variable) * max(abs(variable) - rate * l1, 0) / (1 + rate * l2)

    Here `l1` and `l2` are the strengths: `l1` can make an element exactly 0, and `l2` shrinks it in
    proportion. The slot, "accumulator", starts at `initial_accumulator_value`, which must be
    positive.
    """

    _op_type = rule(
        "ApplyProximalAdagrad",
        "var accum",
        "lr l1 l2 grad",
        "accum += grad**2; "
        "var -= lr / sqrt(accum) * grad; "
        "var = sign(var) * maximum(abs(var) - lr / sqrt(accum) * l1, 0) "
        "/ (1 + lr / sqrt(accum) * l2)",
    )

    def __init__(
        self,
        learning_rate,
        initial_accumulator_value=0.1,
        l1_regularization_strength=0.0,
        l2_regularization_strength=0.0,
        use_locking=False,
        name="ProximalAdagrad",
    ):
        check_positive(initial_accumulator_value=initial_accumulator_value)
        super().__init__(
            use_locking,
            name,
            learning_rate=learning_rate,
            l1=l1_regularization_strength,
            l2=l2_regularization_strength,
        )
        self._slot_initializers = {"accumulator": constant_initializer(initial_accumulator_value)}


class ProximalGradientDescentOptimizer(Optimizer):
    """Gradient descent, followed by a pull towards 0.

        variable -= rate * gradient
        variable = sign(variable) * max(abs(variable) - rate * l1, 0) / (1 + rate * l2)

    Here `rate` is the learning rate, and `l1` and `l2` are the strengths: `l1` can make an element
    exactly 0, and `l2` shrinks it in proportion.
    """

    _op_type = rule(
        "ApplyProximalGradientDescent",
        "var",
        "alpha l1 l2 grad",
        "var -= alpha * grad; "
        "var = sign(var) * maximum(abs(var) - alpha * l1, 0) / (1 + alpha * l2)",
    )

    def __init__(
        self,
        learning_rate,
        l1_regularization_strength=0.0,
        l2_regularization_strength=0.0,
        use_locking=False,
        name="ProximalGradientDescent",
    ):
        super().__init__(
            use_locking,
            name,
            alpha=learning_rate,
            l1=l1_regularization_strength,
            l2=l2_regularization_strength,
        )


class SyncReplicasOptimizer(Optimizer):
    """Averages the gradients of `replicas_to_aggregate` runs, then makes one step with `opt`.

        opt = tf.train.SyncReplicasOptimizer(opt, replicas_to_aggregate=2, total_num_replicas=1)
        train_op = opt.minimize(loss, global_step=step)
        hooks = [opt.make_session_run_hook(is_chief=True)]

    Here one process is the only worker. In TensorFlow, workers add gradients to accumulators, and a
    thread of the chief takes them from there; it then puts tokens into a queue, and each run takes
    one, which says from which step on the worker's next gradient counts. minitf has neither queues
    nor accumulators: plain variables hold the sums and count the tokens, and the run that adds the
    last gradient makes the step. Everything else is the same. In particular, while a worker has
    tokens of an old step, its gradients are dropped; with the usual number of tokens, that happens
    once after the first step. Where TensorFlow waits for another worker's token, minitf goes on.

    `variable_averages` is an ExponentialMovingAverage of `variables_to_average`, updated after each
    step. `use_locking` is ignored. For gathered rows, `replicas_to_aggregate` must be 1.
    """

    def __init__(
        self,
        opt,
        replicas_to_aggregate,
        total_num_replicas=None,
        variable_averages=None,
        variables_to_average=None,
        use_locking=False,
        name="sync_replicas",
    ):
        super().__init__(use_locking, name)
        self._opt, self._needed = opt, replicas_to_aggregate
        self._replicas = total_num_replicas or replicas_to_aggregate
        self._averages, self._averaged = variable_averages, variables_to_average
        self._tokens: Variable | None = None
        for method in ("compute_gradients", "get_slot", "get_slot_names", "variables"):
            setattr(self, method, getattr(opt, method))

    def apply_gradients(self, grads_and_vars, global_step=None, name=None) -> Tensor:
        """Return a tensor whose run adds the gradients, and makes the step if all are there.

        Its value is the step from which the next gradient counts. Raises ValueError if there are no
        pairs or no global step.
        """
        pairs = list(grads_and_vars)
        if not pairs:
            raise ValueError("Must supply at least one variable")
        if global_step is None:
            raise ValueError("Global step is required to check staleness")
        dtype, local = global_step.dtype.base_dtype, [GraphKeys.LOCAL_VARIABLES]
        known = Variable(0, False, local, name="sync_rep_local_step", dtype=dtype)
        self.local_step_init_op = assign(known, global_step)
        self.ready_for_local_init_op = report_uninitialized_variables(global_variables())
        with name_scope(None, self._name):
            self.chief_init_op = group(self.local_step_init_op)
            ready, waited_for = greater_equal(known, global_step), []
            if self._needed > 1:
                pairs, ready, waited_for = self._collect(pairs, ready)
            waited_for.append(cond(ready, lambda: self._make_step(pairs, global_step), no_op))
            self._tokens, left = _kept(0, "tokens")
            is_last = cast(equal(left, 0), left.dtype)
            refilled = left + is_last * max(self._needed, self._replicas) - 1
            waited_for.append(assign(self._tokens, refilled))
        with control_dependencies(waited_for):
            return assign(known, known + cast(is_last, dtype))

    def _collect(self, pairs: list, fresh: Tensor) -> tuple[list, Tensor, list[Tensor]]:
        """Return the means of the gradients, whether all are there, and the sums' updates."""
        counted, before = _kept(0, "count")
        count = before + cast(fresh, before.dtype)
        ready, means = equal(count, self._needed), []
        updates = [assign(counted, count % self._needed)]
        for gradient, variable in pairs:
            if gradient is not None:
                nothing = zeros(variable.shape, gradient.dtype)
                total, before = _kept(nothing, f"{variable.op.name}/sum")
                gradient = where_v2(fresh, before + gradient, before)
                updates.append(assign(total, where_v2(ready, nothing, gradient)))
                gradient /= self._needed
            means.append((gradient, variable))
        return means, ready, updates

    def _make_step(self, pairs: list, global_step: Variable) -> Operation:
        with name_scope(None):
            done = self._opt.apply_gradients(pairs, global_step)
            with control_dependencies([done]):
                return self._averages.apply(self._averaged) if self._averages else done

    def get_chief_queue_runner(self) -> None:
        """Return None because there is no queue. Raises ValueError before `apply_gradients`."""
        if self._tokens is None:
            raise ValueError("Should be called after apply_gradients().")

    def get_init_tokens_op(self, num_tokens=-1) -> Tensor:
        """Return a tensor whose run adds tokens, by default one for each gradient of a step.

        Raises ValueError before `apply_gradients`, or if the tokens are too few.
        """
        if self._tokens is None:
            raise ValueError("get_init_tokens_op() should be called after apply_gradients().")
        needed = self._needed - self._replicas
        if -1 != num_tokens < needed:
            raise ValueError(
                f"Too few tokens to finish the first step: {num_tokens} (given) vs {needed} "
                "(needed)"
            )
        added = self._needed if num_tokens == -1 else num_tokens
        return assign(self._tokens, self._tokens.initialized_value() + added)

    def make_session_run_hook(self, is_chief: bool, num_tokens=-1) -> SessionRunHook:
        """Return a hook that runs the ops above; with one process, `is_chief` has no effect.

        Its `begin` raises ValueError before `apply_gradients`.
        """
        return _SyncReplicasOptimizerHook(self, num_tokens)


class _SyncReplicasOptimizerHook(SessionRunHook):
    def __init__(self, optimizer: SyncReplicasOptimizer, num_tokens: int):
        self._optimizer, self._num_tokens = optimizer, num_tokens

    def begin(self):
        if self._optimizer._tokens is None:
            raise ValueError(
                "SyncReplicasOptimizer.apply_gradient should be called before using the hook."
            )
        tokens = self._optimizer.get_init_tokens_op(self._num_tokens)
        self._initial_ops = [self._optimizer.chief_init_op, tokens]

    def after_create_session(self, session, coord):
        session.run(self._initial_ops)


def _kept(initial, name: str) -> tuple[Variable, Tensor]:
    """Return a variable in no collection, and its value, which is `initial` if it has none yet."""
    variable = Variable(initial, trainable=False, collections=[], name=name)
    return variable, variable.initialized_value()
