"""minitf's public functions take what TensorFlow's take: the same names, in the same order, with the same defaults."""

import importlib.util

import pytest

import minitf
from tests.conformance import signatures
from tests.conformance.record import import_tensorflow

# What TensorFlow 1.15 did not have either.
LATER = {"layout", "skip_gradients_aggregation", "bad_indices_policy", "handle_data", "output_type", "grad_a", "grad_b"}
LATER |= {"use_own_namescope_for_non_slot_vars"}
# Objects that the library makes, not its users; what TensorFlow takes as a bag of settings or in another language.
NOT_CALLED = {
    "DType",
    "Operation",
    "Tensor",
    "IndexedSlicesValue",
    "Graph.get_operations",
    "Graph.create_op",
    "Variable",
}
NOT_CALLED |= {"UnconnectedGradients", "logging.TaskLevelStatusMessage"}
# What only minitf has: a way to see a run, and what its own modules need.
OWN = {"program", "Graph.distrust_shape", "TensorShape.of", "VariableScope.inside", "Tensor.assign", "Tensor.consumers"}
OWN |= {"IndexedSlicesValue", "errors.OperatorNotAllowedInGraphError", "errors.InaccessibleTensorError"}
OWN |= {"gfile.FileStatistics"}

RECORDED = signatures.recorded()
NAMES = signatures.public_names(minitf)


def _without_later(parameters):
    return [p for p in parameters if p.split("=")[0] not in LATER]


@pytest.mark.parametrize("path", NAMES)
def test_a_public_name_is_tensorflows(path):
    assert path in RECORDED or path in OWN


@pytest.mark.parametrize("path", [p for p in NAMES if RECORDED.get(p) is not None and p not in NOT_CALLED])
def test_it_takes_what_tensorflows_takes(path):
    ours = signatures.parameters(signatures.find(minitf, path))
    assert _without_later(ours) == _without_later(RECORDED[path])


@pytest.mark.tensorflow
@pytest.mark.filterwarnings("ignore")
def test_tensorflow_still_takes_what_is_recorded():
    if importlib.util.find_spec("tensorflow") is None:
        pytest.skip("TensorFlow is not installed")
    assert signatures.of_tensorflow(import_tensorflow()) == RECORDED
