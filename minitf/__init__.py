"""minitf: TensorFlow 1's graph mode on NumPy alone, small enough to read.

    import minitf as tf

Code written for TensorFlow 1 runs unchanged, provided that minitf covers what it uses;
`tf.program(fetches)` prints the short NumPy program that a run executes.
"""

# A graph is not a run.
from minitf.framework import errors
from minitf.framework.errors import OpError
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
from minitf.framework.tensor_shape import Dimension, TensorShape
from minitf.framework.operation import Operation, Tensor
from minitf.framework.graph import (
    Graph,
    GraphKeys,
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
from minitf.framework.op_def_library import (
    IndexedSlices,
    IndexedSlicesValue,
    constant,
    convert_to_tensor,
    is_tensor,
)
from minitf.client.session import InteractiveSession, Session, program

# Arrays and numbers.
from minitf.ops.array_ops import (
    broadcast_to,
    expand_dims,
    fill,
    identity,
    ones,
    ones_like,
    placeholder,
    placeholder_with_default,
    range,
    rank,
    reshape,
    shape,
    size,
    squeeze,
    stop_gradient,
    transpose,
    zeros,
    zeros_like,
)
from minitf.ops.gather_ops import boolean_mask, gather, gather_nd, one_hot, unique, where
from minitf.ops.slicing_ops import concat, split, stack, unstack
from minitf.ops.math_ops import (
    abs,
    add,
    cast,
    ceil,
    conj,
    cos,
    divide,
    equal,
    exp,
    floor,
    floor_div,
    floordiv,
    floormod,
    greater,
    greater_equal,
    less,
    less_equal,
    log,
    log1p,
    logical_and,
    logical_not,
    logical_or,
    logical_xor,
    matmul,
    maximum,
    minimum,
    multiply,
    negative,
    not_equal,
    pow,
    realdiv,
    round,
    sigmoid,
    sign,
    sin,
    sqrt,
    square,
    subtract,
    tanh,
    truediv,
)
from minitf.ops.reduction_ops import (
    add_n,
    argmax,
    argmin,
    reduce_all,
    reduce_any,
    reduce_max,
    reduce_mean,
    reduce_min,
    reduce_sum,
)
from minitf.ops.clip_ops import clip_by_global_norm, clip_by_norm, clip_by_value, global_norm
from minitf.ops.random_ops import (
    get_seed,
    random_normal,
    random_uniform,
    set_random_seed,
    truncated_normal,
)

# A variable is not its value.
from minitf.ops.variables import (
    Variable,
    VariableAggregation,
    VariableSynchronization,
    global_variables,
    global_variables_initializer,
    is_variable_initialized,
    local_variables,
    local_variables_initializer,
    model_variables,
    moving_average_variables,
    report_uninitialized_variables,
    trainable_variables,
    variables_initializer,
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
from minitf.ops.init_ops import (
    constant_initializer,
    glorot_normal_initializer,
    glorot_uniform_initializer,
    ones_initializer,
    random_normal_initializer,
    random_uniform_initializer,
    truncated_normal_initializer,
    variance_scaling_initializer,
    zeros_initializer,
)
from minitf.ops.state_ops import (
    assign,
    assign_add,
    assign_sub,
    scatter_add,
    scatter_sub,
    scatter_update,
)

# Training, and the global step.
from minitf.ops.gradients import AggregationMethod, UnconnectedGradients, gradients
from minitf.ops.control_flow_ops import Assert, cond, group, no_op, tuple
from minitf import nn
from minitf import training as train
from minitf import summary

# Logging.
from minitf.framework import tf_logging as logging
from minitf.framework.tf_logging import get_logger

# What few programs use loads when it is needed.
from minitf import extras as _extras
from minitf.framework.late import loads_late as _loads_late

mod, newaxis = floormod, None

__version__ = VERSION = "0.1.0"
__getattr__, __dir__ = _loads_late("tf", globals())
