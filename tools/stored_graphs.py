"""`python -m tools.stored_graphs`: let TensorFlow build and store the graphs again, and run them."""

import gzip
import json

from tests.conformance.outcomes import encode
from tests.conformance.referee import import_tensorflow
from tests.extras.stored import FOLDER, GRAPHS, WITHOUT_VALUES, build, run

# What minitf doesn't read, and what would only make the files larger.
_LEFT_OUT = ("_output_shapes", "_class", "_has_manual_control_dependencies")


def record(tf, name):
    """Write a graph; return the values of what is fetched, or None if they aren't compared."""
    with tf.Graph().as_default():
        meta_graph, fetched = build(tf, name)
        values = None if name in WITHOUT_VALUES else run(tf, fetched)
    meta_graph.meta_info_def.ClearField("stripped_op_list")
    for node in meta_graph.graph_def.node:
        for attr in _LEFT_OUT:
            node.attr.pop(attr, None)
    with gzip.GzipFile(FOLDER / f"{name}.meta.gz", "wb", mtime=0) as file:
        file.write(str(meta_graph).encode())
    return {"fetched": fetched, "values": values and encode(values)}


def main():
    """The command."""
    tf = import_tensorflow()
    found = {name: record(tf, name) for name in GRAPHS}
    lines = [f"{json.dumps(name)}: {json.dumps(outcome)}" for name, outcome in found.items()]
    (FOLDER / "values.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
