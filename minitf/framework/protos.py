"""The messages that TensorFlow stores, such as `tf.Summary`: TensorBoard's, loaded when one is first asked for.

Mirrors the .proto files of tensorflow/core.
"""

import functools
import importlib
import sys
from types import ModuleType

# Where TensorBoard keeps each message.
MODULES = dict.fromkeys(["Summary", "SummaryMetadata", "SummaryDescription"], "summary_pb2")
MODULES |= dict.fromkeys(["Event", "SessionLog", "LogMessage", "TaggedRunMetadata"], "event_pb2")
MODULES |= {
    "HistogramProto": "histogram_pb2",
    "GraphDef": "graph_pb2",
    "MetaGraphDef": "meta_graph_pb2",
}
MODULES |= {"NodeDef": "node_def_pb2", "AttrValue": "attr_value_pb2", "DataType": "types_pb2"}
MODULES |= {"TensorProto": "tensor_pb2", "TensorShapeProto": "tensor_shape_pb2"}


@functools.cache
def tensorboard(module: str):
    """A module of the package tensorboard. Raises ImportError with advice where that is not installed."""
    # TensorBoard looks for a module called tensorflow, unless it finds this one.
    sys.modules.setdefault("tensorboard.compat.notf", ModuleType("tensorboard.compat.notf"))
    try:
        return importlib.import_module(f"tensorboard.{module}")
    except ModuleNotFoundError as error:
        words = "Summaries and stored graphs need the package tensorboard (so do sessions with a checkpoint_dir, which"
        raise ImportError(f"{words} write both): pip install tensorboard ({error})") from error


def message(name: str):
    """The class of the messages of this name."""
    return getattr(tensorboard(f"compat.proto.{MODULES[name]}"), name)


def __getattr__(name: str):
    if name in MODULES:
        return message(name)
    raise AttributeError(name)
