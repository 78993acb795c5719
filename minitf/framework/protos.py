"""TensorFlow's protocol buffers, such as `tf.Summary`.

The classes are TensorBoard's, which is loaded on first use. `defined` makes those that it lacks.

Mirrors the .proto files of tensorflow/core.
"""

from __future__ import annotations

import importlib.util
import sys
from functools import cache, partial
from types import ModuleType
from typing import Any

from minitf.framework.late import imported, provide

# TensorBoard's modules, and the messages that each defines.
_MODULES = {
    "attr_value": "AttrValue",
    "config": "ConfigProto GPUOptions GraphOptions OptimizerOptions RunMetadata RunOptions",
    "event": "Event LogMessage SessionLog TaggedRunMetadata",
    "graph": "GraphDef",
    "histogram": "HistogramProto",
    "meta_graph": "MetaGraphDef",
    "node_def": "NodeDef",
    "summary": "Summary SummaryDescription SummaryMetadata",
    "tensor": "TensorProto",
    "tensor_shape": "TensorShapeProto",
    "types": "DataType",
}


def detach_tensorboard() -> None:
    """Make TensorBoard use its stub of TensorFlow instead of importing `tensorflow`."""
    sys.modules.setdefault("tensorboard.compat.notf", ModuleType("tensorboard.compat.notf"))


@cache
def tensorboard(module: str):
    """Return a module of the package tensorboard. Raises ImportError if that isn't installed."""
    detach_tensorboard()
    return imported(
        f"tensorboard.{module}",
        "Summaries, stored graphs and options need the package tensorboard (and so do monitored "
        "sessions, which use all of them): pip install tensorboard",
    )


def has_file(module: str) -> bool:
    """Return whether TensorBoard has a module, as far as that is known without installing it."""
    detach_tensorboard()
    try:
        return importlib.util.find_spec(f"tensorboard.{module}") is not None
    except ModuleNotFoundError:
        return True  # importing it gives the advice to install TensorBoard


def _load(module: str, name: str):
    return getattr(tensorboard(f"compat.proto.{module}_pb2"), name)


# For each message, a function that loads its class.
MESSAGES = {
    name: partial(_load, module, name)
    for module, names in _MODULES.items()
    for name in names.split()
}
provide("tf", MESSAGES)
provide("tf.summary", MESSAGES)


def message(name: str):
    """Return the class of the message `name`."""
    return MESSAGES[name]()


@cache
def protobuf(module: str):
    """Return a module of the package protobuf. Raises ImportError if that isn't installed."""
    return imported(
        f"google.protobuf.{module}", "Checkpoints need the package protobuf: pip install protobuf"
    )


def defined(text: str) -> dict[str, Any]:
    """Return the classes of messages that TensorBoard lacks, by their names.

    They are described as protobuf describes a .proto file, by a FileDescriptorProto in text form.
    """
    file = protobuf("descriptor_pb2").FileDescriptorProto()
    protobuf("text_format").Parse(text, file)
    pool = protobuf("descriptor_pool").DescriptorPool()
    return protobuf("message_factory").GetMessages([file], pool=pool)


def record_writer(file):
    """Return a writer that adds records, each with its length and checksum, to a binary file."""
    return tensorboard("summary.writer.record_writer").RecordWriter(file)
