"""Ways to look into a checkpoint, and what minitf has in the place of '.meta' files.

Mirrors tensorflow/python/training/checkpoint_utils.py and py_checkpoint_reader.py, and parts of saver.py.
"""

import os

from minitf.framework import errors
from minitf.training.checkpoint_format import CheckpointReader
from minitf.training.checkpoint_management import latest_checkpoint


def NewCheckpointReader(filepattern: str | bytes) -> CheckpointReader:
    """Return a reader of the checkpoint of this name, such as "folder/model-100".

    Raises NotFoundError if there is none, DataLossError if a file is damaged or something else.
    """
    return CheckpointReader(filepattern)


def load_checkpoint(ckpt_dir_or_file) -> CheckpointReader:
    """Return a reader of the checkpoint of this name, or of the latest one in this folder.

    Raises ValueError for a folder without checkpoints, NotFoundError, DataLossError.
    """
    path = os.fspath(ckpt_dir_or_file)
    if os.path.isdir(path):
        path = latest_checkpoint(path)
    if path is None:
        words = "Couldn't find 'checkpoint' file or checkpoints in given directory"
        raise ValueError(f"{words} {ckpt_dir_or_file}")
    return CheckpointReader(path)


def load_variable(ckpt_dir_or_file, name: str):
    """Return the value that a checkpoint holds for a variable. Raises NotFoundError."""
    return load_checkpoint(ckpt_dir_or_file).get_tensor(name.removesuffix(":0"))


def list_variables(ckpt_dir_or_file) -> list[tuple[str, list[int]]]:
    """Return (name, shape) of everything that a checkpoint holds, in the order of the names."""
    return list(load_checkpoint(ckpt_dir_or_file).get_variable_to_shape_map().items())


class SaverDef:
    """What a Saver's `write_version` may say. minitf always writes V2."""

    LEGACY, V1, V2 = range(3)


def import_meta_graph(meta_graph_or_file, clear_devices=False, import_scope=None, **kwargs) -> None:
    """Raise OSError, or UnimplementedError if there is such a file: minitf has no '.meta' files."""
    words = "minitf neither writes nor reads '.meta' files: build the graph again, then tf.train.Saver().restore(...)"
    if not os.path.exists(str(meta_graph_or_file)):
        raise OSError(f"File does not exist. Received: {meta_graph_or_file}. {words}")
    raise errors.UnimplementedError(None, None, words)
