"""Findings about what a run reads and changes, when nothing says which comes first."""

import ast

from minitf.client.dependencies import computed_from, held_by, may_read
from minitf.explain.cure import Cure, cured
from minitf.explain.finding import Fault, finding
from minitf.explain.source import assigned, is_known, named, statement
from minitf.explain.uses import decides, is_kept, passed_to, uses
from minitf.syntax import block_of

_ORDER = "07_before_or_after"


@finding("order-undefined", _ORDER, "A fetch races an update")
def order_undefined(script):
    """A run fetches what it also changes, in no order.

    In TensorFlow, a fetched variable has its new value or its old one. The value of an op that
    reads it is undefined.
    """
    steps = {step.variable: step for step in script.steps}
    for (variable, tensor, place), line, work in script.record.races:
        known, itself = named(variable), held_by(tensor) is variable
        if variable not in steps and not (itself and variable in work.weights):
            continue
        name = known if itself else assigned(tensor.op.source_line) or repr(tensor.name)
        used = [node for node in uses(line, place) if passed_to(node) != "run" or itself]
        said = f"{work.times} runs fetched {name} while they changed {known}, in no defined order."
        sure = not itself or any(map(decides, used))
        if itself:
            used = [node for node in used if is_kept(node)]
            sure = sure or variable not in steps
            said += " You may get the old value or the new one."
        if used:
            words = f"Fetch {name} in a separate run, after this one."
            about = [steps[variable]] if variable in steps else []
            yield Fault(said, [line, tensor.op.source_line], Cure((), words), sure, about)


@finding("updates-race", _ORDER, "Two updates in the same run race")
def updates_race(script):
    """An update reads weights that the same run trains, and nothing says which comes first."""
    for (variable, reader, _), _, work in script.record.update_races:
        trains = [train for train in script.trains if train.call in work.calls]
        trained = [train for train in trains if variable in train.weights]
        owner = variable_changed(reader)
        is_training = any(reader in train.before for train in trains)
        if not trained or is_training or not work.times:
            continue
        said = (
            f"{work.times} runs trained {named(variable)} and updated {owner.name} from it, in no "
        )
        said += "defined order, so the update may use values from before the training or after it."
        lines = [reader.source_line, trained[0].line]
        yield Fault(said, lines, _after_training(reader, trained[0]), about=[variable])

    for (variable, fetch, place), line, work in script.record.races:
        readers = [op for op in computed_from(fetch) if variable in may_read(op)]
        waits = [op for op in readers if op.control_inputs]
        if variable in work.weights and waits and held_by(fetch) is None and uses(line, place):
            said = f"{work.times} runs trained {named(variable)} and fetched a value made from it."
            said += " That value waits for another op, but not for the training."
            trained = [t for t in script.trains if t.call in work.calls]
            lines = [waits[0].source_line, *(train.line for train in trained)]
            words = "Let it wait for the train op, or fetch it in a separate run."
            yield Fault(said, lines, Cure((), words), about=[variable])


def variable_changed(op):
    """Return the variable that an update changes."""
    return held_by(op.inputs[0]) if op.inputs else None


def _after_training(reader, train) -> Cure:
    """Return the cure that builds an update under control_dependencies of the train op."""
    words = "Build the second update inside `with tf.control_dependencies([train_op]):`."
    line, name = reader.source_line, assigned(train.line)
    node = statement(line)
    if node is None or not name or line.filename != train.line.filename:
        return Cure((), words)
    other = statement(train.line)
    if other is None or node.lineno != node.end_lineno or block_of(node) is not block_of(other):
        return Cure((), words)
    if not is_known(name, node, line.filename) or not isinstance(node, ast.Assign | ast.Expr):
        return Cure((), words)
    indent = " " * node.col_offset
    text = f"with tf.control_dependencies([{name}]):\n{indent}    {ast.unparse(node)}"
    return cured(line.filename, [(node, text)], otherwise=words)
