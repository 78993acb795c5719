"""minitf's public functions take what TensorFlow's take: the same names, in the same order, with the same defaults."""

import importlib.util

import pytest

import minitf
from minitf import extras
from minitf.framework import tensorflow_names
from tests.conformance.referee import import_tensorflow
from tools import signatures

# What TensorFlow 1 did not have either.
LATER = {"layout", "skip_gradients_aggregation", "bad_indices_policy", "handle_data", "output_type", "grad_a", "grad_b"}
LATER |= {"index_type"}
LATER |= {"use_own_namescope_for_non_slot_vars", "use_pybind11_proto"}
# Objects that the library makes, not its users; what TensorFlow takes in another language, or hides behind `*args`.
NOT_COMPARED = {"DType", "Operation", "Tensor", "VariableScope", "Graph.get_operations", "Graph.create_op", "Variable"}
NOT_COMPARED |= {"logging.TaskLevelStatusMessage"}
DIFFERENT = {
    "all_variables": "takes a scope, for it is global_variables",
    "constant_initializer": "no verify_shape",
    "gather_nd": "no batch_dims",
    "get_local_variable": "trainable is False whatever is given",
    "merge_all_summaries": "takes a scope and a name, for it is summary.merge_all",
    "nn.nce_loss": "takes a seed, too",
    "select": "names the values as it did before 1.0",
    "train.FtrlOptimizer": "no names for the slots, no shrinkage and no beta",
    "train.Optimizer": "takes the hyperparameters of its subclasses, too",
    "unique": "no out_idx",
}
# What only minitf has: a way to see a run, what its own modules need, and names that TensorFlow has elsewhere.
OWN = {"program", "Graph.distrust_shape", "TensorShape.of", "VariableScope.inside", "Tensor.assign", "Tensor.consumers"}
OWN |= {
    "errors.of_files",
    "errors.open_to_read",
    "IndexedSlicesValue",
    "errors.OperatorNotAllowedInGraphError",
    "errors.InaccessibleTensorError",
}
OWN |= {"gfile.FileStatistics", "logging.get_logger", "Session.paused"}
OWN |= {f"{name}_{kind}_initializer" for name in ("he", "lecun") for kind in ("normal", "uniform")}

# Names from before TensorFlow 1.0.
OWN |= {*extras.RENAMED, "batch_matmul"}

extras.load_all()
RECORDED = signatures.recorded()
NAMES = signatures.public_names(minitf)


def _without_later(parameters):
    return [p for p in parameters if p.split("=")[0] not in LATER]


@pytest.mark.parametrize("path", NAMES)
def test_a_public_name_is_tensorflows(path):
    known = path in RECORDED or path in OWN
    assert known, "TensorFlow has no such name; if minitf needs it all the same, add it to OWN"


@pytest.mark.parametrize("path", [p for p in NAMES if RECORDED.get(p) is not None and p not in NOT_COMPARED])
def test_it_takes_what_tensorflows_takes(path):
    ours = signatures.parameters(signatures.find(minitf, path))
    ours, theirs = _without_later(ours), _without_later(RECORDED[path])
    assert (ours == theirs) != (path in DIFFERENT), f"minitf takes {ours}, TensorFlow {theirs}"


@pytest.mark.tensorflow
@pytest.mark.filterwarnings("ignore")
def test_tensorflow_still_takes_what_is_recorded():
    if importlib.util.find_spec("tensorflow") is None:
        pytest.skip("TensorFlow is not installed")
    assert signatures.of_tensorflow(import_tensorflow()) == RECORDED


@pytest.mark.parametrize("path", [p for p in NAMES if p not in OWN])
def test_the_list_of_tensorflows_names_has_it(path):
    module, _, name = f"tensorflow.{path}".rpartition(".")
    if tensorflow_names.is_module(module):
        assert tensorflow_names.has(module, name)


@pytest.mark.tensorflow
@pytest.mark.filterwarnings("ignore")
def test_the_list_has_all_names_of_tensorflow():
    if importlib.util.find_spec("tensorflow") is None:
        pytest.skip("TensorFlow is not installed")
    tf = import_tensorflow()
    for module in ("", ".nn", ".train", ".losses", ".linalg", ".summary"):
        names = [name for name in dir(signatures.find(tf, module[1:]) if module else tf) if name[0] != "_"]
        lacking = [name for name in names if tensorflow_names.has(f"tensorflow{module}", name) is False]
        assert not lacking
