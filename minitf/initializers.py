"""`tf.initializers`: what gives a variable its first value.

Stands for the module tensorflow.initializers.
"""

from minitf.framework.missing import names_what_is_missing
from minitf.ops import init_ops

zeros = init_ops.Zeros
ones = init_ops.Ones
constant = init_ops.Constant
random_uniform = init_ops.RandomUniform
random_normal = init_ops.RandomNormal
truncated_normal = init_ops.TruncatedNormal
variance_scaling = init_ops.VarianceScaling
glorot_uniform = init_ops.GlorotUniform
glorot_normal = init_ops.GlorotNormal
uniform_unit_scaling = init_ops.UniformUnitScaling
orthogonal = init_ops.Orthogonal
__getattr__ = names_what_is_missing("tf.initializers")
