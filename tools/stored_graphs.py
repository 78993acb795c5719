"""`python -m tools.stored_graphs [NAME...]`: let TensorFlow build and store these graphs again, or all."""

import gzip
import sys

from tests.conformance.referee import import_tensorflow
from tests.extras.stored import FOLDER, OF_TENSORFLOW, build

# What minitf doesn't read, and what would only make the files larger.
_LEFT_OUT = ("_output_shapes", "_class", "_has_manual_control_dependencies")


def record(tf, name):
    """Write a graph."""
    with tf.Graph().as_default():
        meta_graph = build(tf, name)
    meta_graph.meta_info_def.ClearField("stripped_op_list")
    for node in meta_graph.graph_def.node:
        for attr in _LEFT_OUT:
            node.attr.pop(attr, None)
    with gzip.GzipFile(FOLDER / f"{name}.meta.gz", "wb", mtime=0) as file:
        file.write(str(meta_graph).encode())


def main():
    """The command."""
    tf = import_tensorflow()
    for name in sys.argv[1:] or OF_TENSORFLOW:
        record(tf, name)


if __name__ == "__main__":
    main()
