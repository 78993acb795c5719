"""Optimizers that few programs use.

Mirrors tensorflow/python/training/adadelta.py, adagrad_da.py, ftrl.py, proximal_adagrad.py and
proximal_gradient_descent.py.
"""

from minitf.ops.init_ops import constant_initializer
from minitf.ops.training_ops import rule
from minitf.training.optimizer import Optimizer
from minitf.training.optimizers import ZEROS, check_positive


class AdadeltaOptimizer(Optimizer):
    """Adadelta: each element's rate compares the size of its recent updates and gradients.

        accum += (1 - rho) * (gradient ** 2 - accum)
        update = sqrt(accum_update + epsilon) / sqrt(accum + epsilon) * gradient
        variable -= learning_rate * update
        accum_update += (1 - rho) * (update ** 2 - accum_update)

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
        "grad lr l1 l2 steps",
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
            words = f"{numbers}, {learning_rate_power=} and {initial_accumulator_value=}"
            raise ValueError(f"One of these is out of range: {words}")
        super().__init__(use_locking, name, learning_rate=learning_rate, **numbers, lr_power=power)
        self._slot_initializers = {"accum": constant_initializer(start), "linear": ZEROS}


class ProximalAdagradOptimizer(Optimizer):
    """Adagrad that then pulls elements towards 0: `l1` as far as 0, `l2` in proportion.

        accum += gradient ** 2
        rate = learning_rate / sqrt(accum)
        variable -= rate * gradient
        variable = sign(variable) * max(abs(variable) - rate * l1, 0) / (1 + rate * l2)

    The slot, "accumulator", starts at `initial_accumulator_value`, which must be positive.
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
    """Gradient descent that then pulls elements towards 0: `l1` as far as 0, `l2` in proportion.

    variable -= rate * gradient
    variable = sign(variable) * max(abs(variable) - rate * l1, 0) / (1 + rate * l2)
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
