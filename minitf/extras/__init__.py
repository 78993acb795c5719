"""Functions and classes that few programs use: a file here is loaded when a name in it is needed.

    tf.train.FtrlOptimizer  # loads minitf.extras.optimizers

You can read the core without these files, and the core imports none of them. It asks
framework/late.py for the few that it calls itself.
"""

import importlib
import sys
from functools import partial
from operator import attrgetter

from minitf.framework.late import LateModule, names, provide

# For each public module, the names that each file here defines. A file's own name means the file.
# (`tf.Graph` isn't a module, but what it does to be stored loads late as well.)
NAMES = {
    "tf": {
        "app": "app",
        "arrays": "acos acosh arg_max arg_min asin asinh atan atanh batch_matmul cosh cumsum div "
        "div_no_nan erf expm1 eye is_finite is_inf is_nan lin_space linspace pad "
        "meshgrid multinomial random_shuffle reciprocal reduce_logsumexp reduce_prod reverse rint "
        "rsqrt select scatter_nd_update sequence_mask sinh slice squared_difference strided_slice "
        "tan tile to_double to_float to_int32 to_int64",
        "control_flow": "case while_loop",
        "debugging": "Print assert_equal assert_greater assert_greater_equal assert_less "
        "assert_less_equal assert_negative assert_non_negative assert_non_positive "
        "assert_none_equal assert_positive assert_variables_initialized py_func",
        "products": "einsum tensordot",
        "flags": "flags",
        "functional": "map_fn scan",
        "linalg": "diag diag_part matrix_band_part matrix_diag matrix_diag_part norm",
        "meta_graph": "import_graph_def",
        "nn": "he_normal_initializer he_uniform_initializer lecun_normal_initializer "
        "lecun_uniform_initializer log_sigmoid orthogonal_initializer "
        "uniform_unit_scaling_initializer",
        "other_names": "debugging disable_eager_execution disable_v2_behavior dtypes "
        "executing_eagerly initializers linalg math random",
        "summaries": "histogram_summary image_summary scalar_summary",
    },
    "tf.Graph": {"graph_def": "as_graph_def"},
    "tf.nn": {
        "convolution": "avg_pool conv2d conv2d_transpose max_pool",
        "embeddings": "embedding_lookup log_uniform_candidate_sampler nce_loss "
        "sampled_softmax_loss uniform_candidate_sampler",
        "nn": "batch_norm_with_global_normalization batch_normalization elu in_top_k "
        "l2_normalize leaky_relu local_response_normalization lrn moments relu6 relu_layer "
        "softplus softsign top_k xw_plus_b zero_fraction",
    },
    "tf.summary": {"summaries": "image text"},
    "tf.train": {
        "file_io": "NewCheckpointReader init_from_checkpoint list_variables load_checkpoint "
        "load_variable summary_iterator write_graph",
        "meta_graph": "SaverDef export_meta_graph import_meta_graph",
        "hooks": "FeedFnHook FinalOpsHook GlobalStepWaiterHook LooperThread start_queue_runners",
        "optimizers": "AdadeltaOptimizer AdagradDAOptimizer FtrlOptimizer "
        "ProximalAdagradOptimizer ProximalGradientDescentOptimizer SyncReplicasOptimizer",
        "supervisor": "Supervisor",
    },
}

_CONTRIB_LAYERS = (
    "batch_norm conv2d dropout flatten fully_connected l1_regularizer l2_regularizer max_pool2d "
    "optimize_loss softmax variance_scaling_initializer xavier_initializer "
    "xavier_initializer_conv2d"
)
_ABOUT_STEP = "assert_global_step create_global_step get_global_step get_or_create_global_step "

# The same, for public modules whose names all load late.
MODULES = {
    "tf.compat": {"other_names": "as_bytes as_str as_text v1"},
    "tf.contrib": {},
    "tf.contrib.framework": {"contrib": _ABOUT_STEP + "add_arg_scope arg_scope get_variables"},
    "tf.contrib.layers": {"contrib": _CONTRIB_LAYERS},
    "tf.contrib.slim": {
        "contrib": f"{_CONTRIB_LAYERS} {_ABOUT_STEP} add_arg_scope arg_scope get_variables"
    },
    "tf.contrib.learn": {},
    "tf.contrib.learn.datasets": {},
    "tf.contrib.learn.datasets.mnist": {"contrib": "read_data_sets"},
    "tf.contrib.training": {"contrib": "HParams"},
    "tf.gfile": {
        "gfile": "Copy DeleteRecursively Exists FastGFile GFile Glob IsDirectory ListDirectory "
        "MakeDirs MkDir Open Remove Rename Stat Walk"
    },
    "tf.io": {"file_io": "TFRecordWriter tf_record_iterator write_graph"},
    "tf.io.gfile": {
        "gfile": "GFile copy exists glob isdir join listdir makedirs mkdir remove rename rmtree "
        "stat walk"
    },
    "tf.layers": {
        "layers": "average_pooling2d batch_normalization conv2d dense dropout flatten max_pooling2d"
    },
    "tf.losses": {
        "losses": "Reduction absolute_difference add_loss compute_weighted_loss get_losses "
        "get_regularization_loss get_regularization_losses get_total_loss hinge_loss huber_loss "
        "log_loss mean_squared_error sigmoid_cross_entropy softmax_cross_entropy "
        "sparse_softmax_cross_entropy"
    },
    "tf.metrics": {"losses": "accuracy mean"},
    "tf.python_io": {"file_io": "TFRecordWriter tf_record_iterator"},
}

# Names from before TensorFlow 1.0, and their names now.
RENAMED = {
    "all_variables": "global_variables",
    "complex_abs": "abs",
    "initialize_all_variables": "global_variables_initializer",
    "initialize_local_variables": "local_variables_initializer",
    "initialize_variables": "variables_initializer",
    "inv": "reciprocal",
    "merge_all_summaries": "summary.merge_all",
    "merge_summary": "summary.merge",
    "mul": "multiply",
    "neg": "negative",
    "pack": "stack",
    "sub": "subtract",
    "train.SummaryWriter": "summary.FileWriter",
    "unpack": "unstack",
}


def _load(file: str, name: str):
    home = importlib.import_module(f"minitf.extras.{file}")
    return home if name == file else getattr(home, name)


def _named(path: str):
    return attrgetter(path)(sys.modules["minitf"])


for _path, _files in (NAMES | MODULES).items():
    for _file, _names in _files.items():
        provide(_path, {name: partial(_load, _file, name) for name in _names.split()})
for _path in MODULES:
    _outer, _, _name = _path.rpartition(".")
    provide(_outer, {_name: partial(LateModule, _path)})
for _before, _now in RENAMED.items():
    _outer, _, _name = f"tf.{_before}".rpartition(".")
    provide(_outer, {_name: partial(_named, _now)})


def load_all() -> None:
    """Load every name and the ops that its file registers: a stored graph may need any of them."""
    for path in NAMES | MODULES:
        public = _named(path.removeprefix("tf.")) if path != "tf" else sys.modules["minitf"]
        for name in names(path):
            getattr(public, name)
