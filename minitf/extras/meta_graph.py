"""A MetaGraphDef is a stored graph with its collections: the '.meta' file beside a checkpoint.

    saver = tf.train.import_meta_graph("folder/model-1000.meta")
    saver.restore(sess, "folder/model-1000")
    sess.run(tf.get_collection("train_op"))

It also says which ops of the graph save and restore.

Mirrors tensorflow/python/framework/meta_graph.py and importer.py, and import_meta_graph and
export_meta_graph of tensorflow/python/training/saver.py.
"""

from __future__ import annotations

import os

from minitf.extras import gfile
from minitf.extras.file_io import write_graph
from minitf.extras.graph_def import read_nodes, undone_on_error
from minitf.framework import errors, tf_logging
from minitf.framework.graph import Graph, GraphKeys, get_default_graph, name_scope
from minitf.framework.op_def_library import convert_to_tensor
from minitf.framework.operation import Operation, Tensor
from minitf.framework.protos import message, tensorboard
from minitf.ops.variables import Variable, VariableAggregation, VariableSynchronization
from minitf.training.saver import Saver
from minitf.training.saver_ops import scoped

SaverDef = tensorboard("compat.proto.saver_pb2").SaverDef
VariableDef = tensorboard("compat.proto.variable_pb2").VariableDef

# The collections whose items are stored as VariableDefs.
_OF_VARIABLES = (
    GraphKeys.GLOBAL_VARIABLES,
    GraphKeys.LOCAL_VARIABLES,
    GraphKeys.TRAINABLE_VARIABLES,
    GraphKeys.MOVING_AVERAGE_VARIABLES,
    GraphKeys.MODEL_VARIABLES,
    GraphKeys.METRIC_VARIABLES,
    GraphKeys.GLOBAL_STEP,
)
_WITH_CONTEXTS = {GraphKeys.COND_CONTEXT, GraphKeys.WHILE_CONTEXT}  # the Reader finds these itself


# Writing.


def _variable_def(variable: Variable):
    first = variable.initial_value
    return VariableDef(
        variable_name=variable.name,
        initial_value_name=first.name if first is not None else "",
        initializer_name=variable.initializer.name,
        snapshot_name=variable.value().name,
        trainable=variable.trainable,
        synchronization=variable.synchronization.value,
        aggregation=variable.aggregation.value,
    )


def _store_collection(found, key: str, items: list) -> None:
    """Add a collection to a MetaGraphDef, or log a warning if it has no stored form."""
    kinds = {str: "bytes_list", bytes: "bytes_list", int: "int64_list", float: "float_list"}
    kind = next((kinds[t] for t in kinds if isinstance(items[0], t)), "node_list")
    try:
        if key in _OF_VARIABLES:
            kind, items = "bytes_list", [_variable_def(v).SerializeToString() for v in items]
        elif key == GraphKeys.SAVERS:
            kind, items = "bytes_list", [s.saver_def.SerializeToString() for s in items]
        elif kind == "node_list":
            items = [item.name for item in items]
        elif kind == "bytes_list":
            items = [os.fsencode(item) for item in items]
        found.MergeFrom(type(found)(collection_def={key: {kind: {"value": items}}}))
    except (AttributeError, TypeError, ValueError) as error:
        tf_logging.warning(
            "Issue encountered when serializing %s.\nType is unsupported, or the types of the "
            "items don't match field type in CollectionDef. Note this is a warning and probably "
            "safe to ignore.\n%s",
            key,
            error,
        )


def export_meta_graph(
    filename=None,
    meta_info_def=None,
    graph_def=None,
    saver_def=None,
    collection_list=None,
    as_text=False,
    graph=None,
    export_scope=None,
    clear_devices=False,
    clear_extraneous_savers=False,
    strip_default_attrs=False,
    save_debug_info=False,
    **kwargs,
):
    """Return the graph, by default the default graph, as a MetaGraphDef, and write it to a file.

        tf.train.export_meta_graph("folder/model.meta")

    collection_list: the names of the collections to include, by default all.
    as_text: whether the file, if there is one, is text.
    graph_def, saver_def, meta_info_def: messages to use instead of the graph's own.
    clear_devices: whether to leave out the devices.

    The keyword `saver` is the Saver to record (not in TensorFlow, which has only `saver_def`).
    `strip_default_attrs` and the other arguments have no effect here. Raises
    UnimplementedError for an `export_scope`, which minitf lacks, and an OpError if the file can't
    be written.
    """
    if export_scope:
        raise errors.UnimplementedError(
            None, None, f"minitf can only export a whole graph, not the scope '{export_scope}'"
        )
    graph, saver = graph or get_default_graph(), kwargs.get("saver")
    found = message("MetaGraphDef")(
        meta_info_def=meta_info_def,
        graph_def=graph_def or graph.as_graph_def(add_shapes=True),
        saver_def=saver_def or saver and saver.saver_def,
    )
    for key in graph.get_all_collection_keys() if collection_list is None else collection_list:
        if items := graph.get_collection(key):
            _store_collection(found, key, items)
    for node in found.graph_def.node if clear_devices else ():
        node.device = ""
    if filename:
        write_graph(found, os.path.dirname(filename), os.path.basename(filename), as_text)
    return found


# Reading.


def _variable(proto, graph: Graph, scope: str) -> Variable:
    """Return a variable whose ops are already in the graph."""
    if proto.is_resource:
        raise errors.UnimplementedError(
            None, None, f"'{proto.variable_name}' is a resource variable, which minitf lacks"
        )

    def element(name: str):
        return graph.as_graph_element(scoped(name, scope)) if name else None

    made = Variable.__new__(Variable)
    made._variable, made.initializer = element(proto.variable_name), element(proto.initializer_name)
    made._snapshot, made.initial_value = map(
        element, (proto.snapshot_name, proto.initial_value_name)
    )
    if made._snapshot is None:
        raise AttributeError(f"the variable '{proto.variable_name}' has no snapshot")
    made.trainable, made.constraint = proto.trainable, None
    made.synchronization = VariableSynchronization(proto.synchronization)
    made.aggregation = VariableAggregation(proto.aggregation)
    return made


def _read(path: str):
    """Return the MetaGraphDef of a file, which may be text. Raises OSError if it isn't one."""
    if not gfile.Exists(path):
        raise OSError(f"File does not exist. Received: {path}.")
    with gfile.GFile(path, "rb") as file:
        content = file.read()
    try:
        return message("MetaGraphDef").FromString(content)
    except Exception:  # protobuf's
        from google.protobuf import text_format

        try:
            return text_format.Parse(content.decode(), message("MetaGraphDef")())
        except (text_format.ParseError, RecursionError) as error:
            raise OSError(f"Cannot parse file {path}: {error}.") from None
        except UnicodeDecodeError as error:
            error.add_note(f"{path} is damaged, or isn't a MetaGraphDef.")
            raise


def _restore_collection(graph: Graph, key: str, stored, scope: str, known: dict) -> None:
    """Add the items of a CollectionDef to a collection; `known` has the variables made so far."""
    kind = stored.WhichOneof("kind")
    if kind is None:
        tf_logging.error("Cannot identify data type for collection %s. Skipping.", key)
        return
    for value in getattr(stored, kind).value:
        if kind == "bytes_list" and key in _OF_VARIABLES:
            variable = _variable(VariableDef.FromString(value), graph, scope)
            # Collections share their Variables, except GLOBAL_STEP, as in TensorFlow.
            value = variable if key == GraphKeys.GLOBAL_STEP else known.setdefault(value, variable)
        elif kind == "bytes_list" and key == GraphKeys.SAVERS:
            value = Saver(saver_def=SaverDef.FromString(value), name=scope)
        elif kind == "node_list":
            value = graph.as_graph_element(scoped(value, scope))
        graph.add_to_collection(key, value)


def import_meta_graph(
    meta_graph_or_file, clear_devices=False, import_scope=None, **kwargs
) -> Saver | None:
    """Add a stored graph and its collections to the default graph, and return its saver.

        saver = tf.train.import_meta_graph("folder/model-1000.meta")
        saver.restore(sess, "folder/model-1000")

    The graph is a file, from minitf or from TensorFlow, or a MetaGraphDef. All names are put into
    `import_scope`, if given. `clear_devices` drops the devices, and the keyword `input_map` has
    tensors to use instead of stored ones. If there are no variables, the saver is None.

    Raises OSError if there is no such file or its text can't be parsed, NotFoundError for an op
    that minitf lacks, ValueError for a malformed graph, DecodeError for a malformed collection. If
    it raises, the default graph is as it was.
    """
    stored, graph = meta_graph_or_file, get_default_graph()
    if not isinstance(stored, message("MetaGraphDef")):
        if not isinstance(stored, str | bytes | os.PathLike):
            raise TypeError(f"Expected binary or unicode string, got {stored!r}")
        stored = _read(os.fsdecode(stored))
    try:
        with undone_on_error(graph):
            scope = graph.unique_name(import_scope) if import_scope else graph.get_name_scope()
            for node in stored.graph_def.node if clear_devices else ():
                node.device = ""
            import_graph_def(stored.graph_def, **kwargs, name=f"{scope}/" if scope else "")
            known: dict[bytes, Variable] = {}
            for key in sorted(stored.collection_def.keys() - _WITH_CONTEXTS):
                _restore_collection(graph, key, stored.collection_def[key], scope, known)
            if stored.HasField("saver_def"):
                return Saver(saver_def=stored.saver_def, name=scope)
            if graph.get_collection(GraphKeys.GLOBAL_VARIABLES):
                return Saver()
    except (AttributeError, IndexError) as error:
        raise ValueError(f"The MetaGraphDef is not well-formed: {error}") from error
    tf_logging.info("Saver not created because there are no variables in the graph to restore")
    return None


def import_graph_def(
    graph_def, input_map=None, return_elements=None, name=None, op_dict=None, producer_op_list=None
) -> list[Operation | Tensor] | None:
    """Add the ops of a GraphDef to the default graph; return those named in `return_elements`.

        y, = tf.import_graph_def(graph_def, {"x:0": x}, ["y:0"])

    Their names are put into the scope `name`, by default "import"; "" leaves them as they are.
    `input_map` has tensors, or values, to use instead of stored tensors. `op_dict` and
    `producer_op_list` have no effect here.

    Raises TypeError for arguments of the wrong type, NotFoundError for an op that minitf lacks, and
    ValueError for a malformed graph or a name that isn't there. If it raises, the graph is as it
    was.
    """
    if not isinstance(graph_def, message("GraphDef")):
        raise TypeError("Argument `graph_def` must be a GraphDef proto.")
    if not isinstance(input_map or {}, dict):
        raise TypeError(
            f"Argument `input_map` must be a dictionary. Obtained {type(input_map).__name__}"
        )
    wanted = return_elements or ()
    if not all(isinstance(element, str) for element in wanted):
        raise TypeError(
            f"Argument `return_elements` must be a list of strings. Obtained {return_elements}."
        )
    graph = get_default_graph()
    with undone_on_error(graph), name_scope(name, "import") as scope:
        given = {key if ":" in key else f"{key}:0": v for key, v in (input_map or {}).items()}
        if not name and name is not None and not all(isinstance(v, Tensor) for v in given.values()):
            raise ValueError(
                "tf.import_graph_def() requires a non-empty `name` if `input_map` contains "
                "non-Tensor values. Try calling tf.convert_to_tensor() on `input_map` values "
                "before calling tf.import_graph_def()."
            )
        given = {key: convert_to_tensor(v) for key, v in given.items()}
        reader = read_nodes(graph, graph_def.node, scope, given)
        if unused := sorted(given.keys() - reader.used):
            raise ValueError(
                f"Attempted to map inputs that were not found in graph_def: [{', '.join(unused)}]"
            )
        found = [_element(reader, wish) for wish in wanted]
    return None if return_elements is None else found


def _element(reader, wish: str) -> Operation | Tensor:
    """Return the op or tensor of this name in the file."""
    name, colon, index = wish.partition(":")
    if name not in reader.operations:
        raise ValueError(f"Requested return node '{name}' not found in graph def")
    op = reader.operations[name]
    if colon and wish not in reader.tensors:
        raise ValueError(
            f"Invalid return output {index} of node '{name}', which has {len(op.outputs)} output(s)"
        )
    return reader.tensors.get(wish, op)
