"""The rule about names that TensorFlow 1 doesn't have."""

import ast
import re

from minitf.checking.rule import rule
from minitf.checking.script import Script
from minitf.framework import tensorflow_names
from minitf.framework.tensorflow_names import HIDDEN
from minitf.syntax import around

# What some names from before TensorFlow 1.0 are called since. (Others still have a meaning here.)
_NOW = {
    "concat_v2": "concat",
    "image.per_image_whitening": "image.per_image_standardization",
    "nn.rnn": "nn.static_rnn",
    "nn.bidirectional_rnn": "nn.static_bidirectional_rnn",
    "nn.state_saving_rnn": "nn.static_state_saving_rnn",
    "all_candidate_sampler": "nn.all_candidate_sampler",
}

# Names that a script for TensorFlow 2 doesn't use.
_OLD = re.compile(
    r"tensorflow\.(Session|InteractiveSession|placeholder|global_variables_initializer|app|flags|"
    r"initialize_all_variables|get_variable|variable_scope|contrib|ConfigProto|reset_default_graph|"
    r"train\.(\w+Optimizer|Saver|SummaryWriter|\w+_decay)|to_float|to_int32|models)\b"
)


@rule("no-such-name", lesson="14_where_did_it_go", title="TensorFlow 1 doesn't have this name")
def no_such_name(script: Script):
    """The script needs a name that TensorFlow 1 doesn't have."""
    for module in script.modules:
        if not any(_OLD.match(name) for name in module.text.names):
            continue  # a script for TensorFlow 2, perhaps
        said = []
        for name, nodes in sorted(module.text.names.items()):
            path = name.removeprefix("tensorflow.").removeprefix("compat.v1.")
            last = path.rpartition(".")[2]
            needed = [node for node in nodes if not _depends_on_version(node, last)]
            is_said = any(f"{name}.".startswith(f"{each}.") for each in said)
            if needed and not is_said and not _may_have(name, path):
                said.append(name)
                known = f"; it calls this `tf.{_NOW[path]}`" if path in _NOW else ""
                yield (
                    min(needed, key=lambda node: (node.lineno, node.col_offset)),
                    f"TensorFlow 1 has no `tf.{path}`, so the script stops at this line{known}",
                )


def _may_have(name: str, path: str) -> bool:
    first = path.split(".")[0]
    return first in ("contrib", *HIDDEN) or tensorflow_names.may_have(name)


def _depends_on_version(node: ast.AST, name: str) -> bool:
    """Return whether a node is only used with some versions, or where something is caught."""
    for outer in around(node):
        if isinstance(outer, ast.If | ast.IfExp):
            test = ast.unparse(outer.test)
            if "ersion" in test or f"'{name}'" in test:  # 'name' in dir(tf)
                return True
        if isinstance(outer, ast.Try) and outer.handlers:
            return True
    return False
