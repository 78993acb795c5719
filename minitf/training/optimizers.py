"""The optimizers: how each of them applies a gradient to a variable.

Mirrors tensorflow/python/training/gradient_descent.py, momentum.py, adagrad.py, rmsprop.py and
adam.py.
"""

from minitf.framework.graph import control_dependencies, get_default_graph
from minitf.framework.op_def_library import IndexedSlices, convert_to_tensor
from minitf.ops import array_ops, math_ops, state_ops
from minitf.ops.init_ops import constant_initializer, ones_initializer, zeros_initializer
from minitf.ops.training_ops import rule
from minitf.ops.variables import Variable
from minitf.training.optimizer import Optimizer

ZEROS, _ONES = zeros_initializer(), ones_initializer()


def check_positive(**arguments) -> None:
    """Raise ValueError unless all arguments are positive."""
    for name, value in arguments.items():
        if value <= 0.0:
            raise ValueError(f"{name} must be positive: {value}")


class GradientDescentOptimizer(Optimizer):
    """Gradient descent: each variable moves against its gradient, by a fixed or scheduled rate.

        variable -= learning_rate * gradient

    `learning_rate` is a number (rounded to float32), a float tensor, or a function that returns
    either.

        train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss, global_step=step)
    """

    _op_type = "ApplyGradientDescent"

    def __init__(self, learning_rate, use_locking=False, name="GradientDescent"):
        super().__init__(use_locking, name, learning_rate=learning_rate)

    def _apply_sparse_duplicate_indices(self, gradient, variable):
        rate = math_ops.cast(self._tensors["learning_rate"], variable.dtype.base_dtype)
        return state_ops.scatter_sub(variable, gradient.indices, gradient.values * rate).op


class MomentumOptimizer(Optimizer):
    """Momentum: each variable follows a running sum of its gradients, in which old ones fade.

        accum = momentum * accum + gradient
        variable -= learning_rate * accum

    With `use_nesterov`, the update looks ahead:

        variable -= learning_rate * (gradient + momentum * accum)

    The learning rate and the momentum are numbers, float tensors, or functions that return either.
    The slot is "momentum".
    """

    _op_type = rule(
        "ApplyMomentum",
        "var accum",
        "lr grad momentum",
        lambda op: (
            "accum = momentum * accum + grad; var -= lr * "
            + ("(grad + momentum * accum)" if op.attrs["use_nesterov"] else "accum")
        ),
        defaults={"use_nesterov": False},
    )
    _slot_initializers = {"momentum": ZEROS}

    def __init__(
        self, learning_rate, momentum, use_locking=False, name="Momentum", use_nesterov=False
    ):
        super().__init__(use_locking, name, learning_rate=learning_rate, momentum=momentum)
        self._attrs = {"use_nesterov": use_nesterov}


class AdagradOptimizer(Optimizer):
    """Adagrad: each element of a variable has its own rate, which falls as its gradients add up.

        accum += gradient ** 2
        variable -= learning_rate * gradient / sqrt(accum)

    The slot, "accumulator", starts at `initial_accumulator_value`, which must be positive.
    """

    _op_type = rule(
        "ApplyAdagrad", "var accum", "lr grad", "accum += grad**2; var -= lr * grad / sqrt(accum)"
    )

    def __init__(
        self, learning_rate, initial_accumulator_value=0.1, use_locking=False, name="Adagrad"
    ):
        check_positive(initial_accumulator_value=initial_accumulator_value)
        super().__init__(use_locking, name, learning_rate=learning_rate)
        self._slot_initializers = {"accumulator": constant_initializer(initial_accumulator_value)}


class RMSPropOptimizer(Optimizer):
    """RMSProp: the gradient is divided by the root of a moving average of its square.

        ms += (1 - decay) * (gradient ** 2 - ms)
        mom = momentum * mom + learning_rate * gradient / sqrt(ms + epsilon)
        variable -= mom

    With `centered`, ms is reduced by the square of mg, a moving average of the gradient. The slots
    are "rms" (ms, which starts at 1), "momentum" (mom) and, if centered, "mg".
    """

    _op_type = rule(
        "ApplyRMSProp",
        "var ms mom",
        "lr rho momentum epsilon grad",
        "ms += (1 - rho) * (grad**2 - ms); "
        "mom = momentum * mom + lr * grad / sqrt(ms + epsilon); "
        "var -= mom",
    )
    _centered = rule(
        "ApplyCenteredRMSProp",
        "var mg ms mom",
        "lr rho momentum epsilon grad",
        "ms += (1 - rho) * (grad**2 - ms); "
        "mg += (1 - rho) * (grad - mg); "
        "mom = momentum * mom + lr * grad / sqrt(ms - mg**2 + epsilon); "
        "var -= mom",
    )
    _slot_initializers = {"rms": _ONES, "momentum": ZEROS}

    def __init__(
        self,
        learning_rate,
        decay=0.9,
        momentum=0.0,
        epsilon=1e-10,
        use_locking=False,
        centered=False,
        name="RMSProp",
    ):
        super().__init__(
            use_locking,
            name,
            learning_rate=learning_rate,
            decay=decay,
            momentum=momentum,
            epsilon=epsilon,
        )
        if centered:
            self._op_type, self._slot_order = self._centered, ["mg", "rms", "momentum"]
            self._slot_initializers = {"rms": _ONES, "mg": ZEROS, "momentum": ZEROS}


class AdamOptimizer(Optimizer):
    """Adam: momentum, and a rate for each element, from averages corrected for their start at 0.

        m += (1 - beta1) * (gradient - m)
        v += (1 - beta2) * (gradient ** 2 - v)
        variable -= rate * sqrt(1 - beta2 ** t) / (1 - beta1 ** t) * m / (sqrt(v) + epsilon)

    The slots are "m" and "v". Two more variables hold the powers of beta1 and beta2, and are
    multiplied once more at the end of each step. The learning rate, the betas and epsilon may be
    numbers, tensors, or functions that return either.
    """

    _op_type = rule(
        "ApplyAdam",
        "var m v",
        "beta1_power beta2_power lr beta1 beta2 epsilon grad",
        "m += (1 - beta1) * (grad - m); "
        "v += (1 - beta2) * (grad**2 - v); "
        "var -= lr * sqrt(1 - beta2_power) / (1 - beta1_power) * m / (sqrt(v) + epsilon)",
    )
    _slot_initializers = {"m": ZEROS, "v": ZEROS}

    def __init__(
        self,
        learning_rate=0.001,
        beta1=0.9,
        beta2=0.999,
        epsilon=1e-8,
        use_locking=False,
        name="Adam",
    ):
        super().__init__(
            use_locking,
            name,
            learning_rate=learning_rate,
            beta1=beta1,
            beta2=beta2,
            epsilon=epsilon,
        )

    def _create_slots(self, var_list):
        first = min(var_list, key=lambda v: v.name)
        for beta in ("beta1", "beta2"):
            key = get_default_graph(), f"{beta}_power"
            if key not in self._non_slots:
                with key[0].colocate_with(first):
                    power = Variable(self._numbers[beta], name=key[1], trainable=False)
                self._non_slots[key] = power
        super()._create_slots(var_list)

    def _get_beta_accumulators(self) -> list[Variable | None]:
        graph = get_default_graph()
        return [self._non_slots.get((graph, name)) for name in ("beta1_power", "beta2_power")]

    def _hyperparameters(self):
        return self._get_beta_accumulators() + super()._hyperparameters()

    def _apply_sparse_duplicate_indices(self, gradient, variable):
        """Return the op that updates all rows, because rows without a gradient also move, by m."""
        whole = IndexedSlices(gradient.values, gradient.indices, array_ops.shape(variable))
        return self._apply_dense(convert_to_tensor(whole), variable)

    def _finish(self, update_ops, name):
        first, locking = self._get_beta_accumulators()[0], self._use_locking
        with control_dependencies(update_ops), first.graph.colocate_with(first):
            betas = zip(("beta1", "beta2"), self._get_beta_accumulators(), strict=True)
            products = [p.assign(p * self._tensors[beta], locking).op for beta, p in betas]
        return super()._finish([*update_ops, *products], name)
