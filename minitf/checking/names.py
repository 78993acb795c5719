"""The rule about names that TensorFlow 1 doesn't have."""

import ast

from minitf.checking.program import around
from minitf.checking.rule import rule
from minitf.checking.script import Script
from minitf.framework import tensorflow_names
from minitf.framework.tensorflow_names import HIDDEN

# What names from before TensorFlow 1.0 are called since.
_NOW = {
    "audio_summary": "summary.audio",
    "batch_matmul": "matmul",
    "concat_v2": "concat",
    "histogram_summary": "summary.histogram",
    "image_summary": "summary.image",
    "inv": "reciprocal",
    "merge_all_summaries": "summary.merge_all",
    "merge_summary": "summary.merge",
    "mul": "multiply",
    "neg": "negative",
    "pack": "stack",
    "scalar_summary": "summary.scalar",
    "select": "where",
    "sub": "subtract",
    "train.SummaryWriter": "summary.FileWriter",
    "unpack": "unstack",
}


@rule(
    "no-such-name",
    lesson="14_where_did_it_go",
    title="TensorFlow 1 doesn't have this name",
)
def no_such_name(script: Script):
    """The script needs a name that TensorFlow 1 doesn't have."""
    for module in script.modules:
        for name, nodes in module.text.names.items():
            path = name.removeprefix("tensorflow.").removeprefix("compat.v1.")
            needed = [node for node in nodes if not _depends_on_version(node)]
            if needed and not _may_have(name, path):
                known = f"; it's called `tf.{_NOW[path]}` there" if path in _NOW else ""
                yield (
                    min(needed, key=lambda node: (node.lineno, node.col_offset)),
                    f"TensorFlow 1 has no `tf.{path}`, so the script stops here{known}",
                )


def _may_have(name: str, path: str) -> bool:
    first = path.split(".")[0]
    return first in ("contrib", *HIDDEN) or tensorflow_names.may_have(name)


def _depends_on_version(node: ast.AST) -> bool:
    """Return whether a node is only used with some versions, or where something is caught."""
    for outer in around(node):
        if isinstance(outer, ast.If | ast.IfExp) and "ersion" in ast.unparse(outer.test):
            return True
        if isinstance(outer, ast.Try) and outer.handlers:
            return True
    return False
