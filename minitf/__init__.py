"""minitf: TensorFlow 1's graph mode, small enough to read, on NumPy alone.

    import minitf as tf

Code written for TensorFlow 1 runs unchanged, as far as minitf goes; `tf.program(fetches)` prints the short
NumPy program that a run executes.
"""

from minitf import initializers, math, random
from minitf import training as train
from minitf.client.session import InteractiveSession, Session
from minitf.client.show import program
from minitf.framework import errors
from minitf.framework.collections import GraphKeys
from minitf.framework.constant_op import constant, convert_to_tensor
from minitf.framework.dtypes import (
    DType,
    as_dtype,
    bool,
    complex64,
    complex128,
    double,
    float16,
    float32,
    float64,
    half,
    int8,
    int16,
    int32,
    int64,
    string,
    uint8,
    uint16,
    uint32,
    uint64,
)
from minitf.framework.graph import (
    Graph,
    add_to_collection,
    add_to_collections,
    control_dependencies,
    device,
    get_collection,
    get_collection_ref,
    get_default_graph,
    get_default_session,
    name_scope,
    reset_default_graph,
)
from minitf.framework.indexed_slices import IndexedSlices, IndexedSlicesValue
from minitf.framework.missing import disable_eager_execution, disable_v2_behavior, names_what_is_missing
from minitf.framework.operation import Operation, Tensor
from minitf.framework.tensor_shape import Dimension, TensorShape
from minitf.ops import losses
from minitf.ops import nn_ops as nn
from minitf.ops.array_ops import (
    fill,
    identity,
    ones,
    ones_like,
    placeholder,
    placeholder_with_default,
    stop_gradient,
    zeros,
    zeros_like,
)
from minitf.ops.array_ops import reshape_op as reshape
from minitf.ops.axes_ops import expand_dims, transpose
from minitf.ops.axes_ops import squeeze_op as squeeze
from minitf.ops.broadcast_ops import broadcast_to_op as broadcast_to
from minitf.ops.clip_ops import clip_by_global_norm, clip_by_norm, clip_by_value, global_norm
from minitf.ops.comparison_ops import (
    equal,
    greater,
    greater_equal,
    less,
    less_equal,
    logical_and,
    logical_not,
    logical_or,
    logical_xor,
    not_equal,
)
from minitf.ops.control_flow_ops import group, no_op
from minitf.ops.control_flow_ops import tuple_ as tuple
from minitf.ops.gather_ops import boolean_mask, gather, where
from minitf.ops.gather_ops import one_hot_op as one_hot
from minitf.ops.gradients import gradients
from minitf.ops.init_ops import Constant as constant_initializer
from minitf.ops.init_ops import GlorotNormal as glorot_normal_initializer
from minitf.ops.init_ops import GlorotUniform as glorot_uniform_initializer
from minitf.ops.init_ops import Ones as ones_initializer
from minitf.ops.init_ops import Orthogonal as orthogonal_initializer
from minitf.ops.init_ops import RandomNormal as random_normal_initializer
from minitf.ops.init_ops import RandomUniform as random_uniform_initializer
from minitf.ops.init_ops import TruncatedNormal as truncated_normal_initializer
from minitf.ops.init_ops import UniformUnitScaling as uniform_unit_scaling_initializer
from minitf.ops.init_ops import VarianceScaling as variance_scaling_initializer
from minitf.ops.init_ops import Zeros as zeros_initializer
from minitf.ops.joining_ops import concat, stack
from minitf.ops.joining_ops import split_op as split
from minitf.ops.joining_ops import tile_op as tile
from minitf.ops.joining_ops import unstack_op as unstack
from minitf.ops.math_ops import (
    abs,
    acos,
    add,
    asin,
    atan,
    cast,
    ceil,
    conj,
    cos,
    cosh,
    div,
    divide,
    exp,
    expm1,
    floor,
    floor_div,
    floordiv,
    floormod,
    is_finite,
    is_inf,
    is_nan,
    log,
    log1p,
    maximum,
    minimum,
    multiply,
    negative,
    pow,
    reciprocal,
    rint,
    round,
    rsqrt,
    sigmoid,
    sign,
    sin,
    sinh,
    sqrt,
    square,
    squared_difference,
    subtract,
    tan,
    tanh,
    to_double,
    to_float,
    to_int32,
    to_int64,
    truediv,
)
from minitf.ops.matrix_ops import matmul
from minitf.ops.padding_ops import pad_op as pad
from minitf.ops.padding_ops import reverse
from minitf.ops.random_ops import random_normal, random_shuffle, random_uniform, set_random_seed, truncated_normal
from minitf.ops.reduction_ops import argmax_op as argmax
from minitf.ops.reduction_ops import argmin_op as argmin
from minitf.ops.reduction_ops import (
    reduce_all,
    reduce_any,
    reduce_logsumexp,
    reduce_max,
    reduce_mean,
    reduce_min,
    reduce_prod,
    reduce_sum,
)
from minitf.ops.scatter_ops import scatter_add, scatter_sub, scatter_update
from minitf.ops.sequence_ops import eye
from minitf.ops.sequence_ops import linspace_nd as linspace
from minitf.ops.sequence_ops import range_op as range
from minitf.ops.shape_ops import rank, shape
from minitf.ops.shape_ops import size_of as size
from minitf.ops.slicing_ops import slice_op as slice
from minitf.ops.slicing_ops import strided_slice
from minitf.ops.state_ops import assign, assign_add, assign_sub
from minitf.ops.sum_ops import accumulate_n, add_n, cumsum
from minitf.ops.uninitialized import (
    assert_variables_initialized,
    is_variable_initialized,
    report_uninitialized_variables,
)
from minitf.ops.variable_scope import (
    AUTO_REUSE,
    VariableScope,
    get_local_variable,
    get_variable,
    get_variable_scope,
    no_regularizer,
    variable_scope,
)
from minitf.ops.variables import (
    Variable,
    VariableAggregation,
    VariableSynchronization,
    global_variables,
    global_variables_initializer,
    local_variables,
    local_variables_initializer,
    model_variables,
    moving_average_variables,
    trainable_variables,
    variables_initializer,
)

lin_space = linspace
newaxis = None
mod = floormod
initialize_all_variables = global_variables_initializer
initialize_local_variables = local_variables_initializer
initialize_variables = variables_initializer
all_variables = global_variables

__version__ = "0.1.0"
__getattr__ = names_what_is_missing("tf")
