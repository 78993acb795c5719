"""A graph can be stored, as text or in the binary form that TensorFlow and TensorBoard read.

Mirrors tensorflow/python/framework/graph_io.py.
"""

import os

from minitf.framework.graph import Graph
from minitf.platform import gfile


def write_graph(graph_or_graph_def, logdir, name: str, as_text: bool = True) -> str:
    """Write a graph or GraphDef into a file of a directory that is made if it is not there; the file's path."""
    stored = graph_or_graph_def
    if isinstance(stored, Graph):
        stored = stored.as_graph_def()
    gfile.MakeDirs(logdir)
    path = os.path.join(logdir, name)
    with gfile.GFile(path, "w" if as_text else "wb") as file:
        file.write(str(stored) if as_text else stored.SerializeToString())
    return path
