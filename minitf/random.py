"""`tf.random`: the random ops under their newer names.

Stands for the module tensorflow.random.
"""

from minitf.framework.missing import names_what_is_missing
from minitf.ops import random_ops

get_seed = random_ops.get_seed
set_random_seed = random_ops.set_random_seed
normal = random_ops.random_normal
shuffle = random_ops.random_shuffle
truncated_normal = random_ops.truncated_normal
uniform = random_ops.random_uniform
__getattr__ = names_what_is_missing("tf.random")
