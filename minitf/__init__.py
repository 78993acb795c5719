"""minitf: TensorFlow 1's graph mode, small enough to read, on NumPy alone.

    import minitf as tf

Code written for TensorFlow 1 runs unchanged, as far as minitf goes; `tf.program(fetches)` prints the short
NumPy program that a run executes.
"""

# A graph is not a run.
from minitf.extras import homes as _homes
from minitf.framework import errors, protos as _protos
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
from minitf.framework.constant_op import constant, convert_to_tensor, is_tensor
from minitf.framework.indexed_slices import IndexedSlices, IndexedSlicesValue
from minitf.framework.namespaces import (
    Respelled as _Respelled,
    RunMetadata,
    RunOptions,
    Settings as _Settings,
    disable_eager_execution,
    disable_v2_behavior,
    executing_eagerly,
    loads_late as _loads_late,
)
from minitf.client.session import InteractiveSession, Session, program

# Arrays and numbers.
from minitf.ops.array_ops import (
    fill,
    identity,
    linspace_nd as linspace,
    ones,
    ones_like,
    placeholder,
    placeholder_with_default,
    range_op as range,
    reshape_op as reshape,
    stop_gradient,
    zeros,
    zeros_like,
)
from minitf.ops.axes_ops import (
    expand_dims,
    reverse,
    squeeze_op as squeeze,
    transpose_op as transpose,
)
from minitf.ops.elementwise import broadcast_to_op as broadcast_to
from minitf.ops.gather_ops import (
    boolean_mask,
    eye,
    gather,
    gather_nd,
    one_hot_op as one_hot,
    where,
    unique,
)
from minitf.ops.joining_ops import (
    concat,
    split_op as split,
    stack,
    tile_op as tile,
    unstack_op as unstack,
)
from minitf.ops.shape_ops import rank, shape, size_of as size
from minitf.ops.slicing_ops import pad_op as pad, slice_op as slice, strided_slice
from minitf.ops.math_ops import (
    abs,
    acos,
    acosh,
    add,
    asin,
    asinh,
    atan,
    atanh,
    cast,
    ceil,
    conj,
    cos,
    cosh,
    div,
    div_no_nan,
    divide,
    erf,
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
    realdiv,
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
from minitf.ops.matrix_ops import matmul
from minitf.ops.reduction_ops import (
    add_n,
    arg_max,
    arg_min,
    argmax_op as argmax,
    argmin_op as argmin,
    cumsum_op as cumsum,
    reduce_all,
    reduce_any,
    reduce_logsumexp,
    reduce_max,
    reduce_mean,
    reduce_min,
    reduce_prod,
    reduce_sum,
)
from minitf.ops.clip_ops import clip_by_global_norm, clip_by_norm, clip_by_value, global_norm
from minitf.ops.random_ops import (
    get_seed,
    random_normal,
    random_shuffle,
    random_uniform,
    set_random_seed,
    truncated_normal,
)

# A variable is not its value.
from minitf.ops.variables import (
    Variable,
    VariableAggregation,
    VariableSynchronization,
    assert_variables_initialized,
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
    he_normal_initializer,
    he_uniform_initializer,
    lecun_normal_initializer,
    lecun_uniform_initializer,
    ones_initializer,
    orthogonal_initializer,
    random_normal_initializer,
    random_uniform_initializer,
    truncated_normal_initializer,
    uniform_unit_scaling_initializer,
    variance_scaling_initializer,
    zeros_initializer,
)
from minitf.ops.state_ops import (
    assign,
    assign_add,
    assign_sub,
    scatter_add,
    scatter_nd_update,
    scatter_sub,
    scatter_update,
)

# Training, and the global step.
from minitf.ops.gradients import AggregationMethod, UnconnectedGradients, gradients
from minitf.ops.control_flow_ops import group, no_op, tuple_ as tuple
from minitf.ops.cond_ops import assert_op as Assert, case, cond
from minitf import nn
from minitf.ops.nn_ops import log_sigmoid
from minitf import training as train
from minitf import compat, summary

# Log lines.
from minitf.framework import tf_logging as logging
from minitf.framework.tf_logging import get_logger

# Old names, and newer homes of names.
all_variables, initialize_all_variables = global_variables, global_variables_initializer
initialize_local_variables, initialize_variables = (
    local_variables_initializer,
    variables_initializer,
)
lin_space, mod, newaxis = linspace, floormod, None
math, random = _Respelled("tf.math", "{}"), _Respelled("tf.random", "random_{}", "{}")
initializers = _Respelled("tf.initializers", "{}_initializer")
ConfigProto = GPUOptions = OptimizerOptions = GraphOptions = _Settings

for _name, _value in {**globals()}.items():
    if getattr(_value, "__name__", "").endswith(("_op", "_of", "_nd", "tuple_")):
        _value.__name__ = _value.__qualname__ = _name  # what Python's own messages call it

__version__ = VERSION = "0.1.0"
__getattr__, __dir__ = _loads_late("tf", _homes("tf") | _protos.MESSAGES)
