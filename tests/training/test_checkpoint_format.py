"""The checkpoint files: what is written is read, TensorFlow's files are read, and a save is all or nothing."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import minitf as tf
from minitf.training import checkpoint_format as form
from minitf.training.checkpoint_format import CheckpointReader, write_checkpoint
from tests.support import examples
from tests.training.checkpoints import DENSE, OBJECTS, SHARDED, VALUES

RECORDED = Path(__file__).parent / "checkpoints"
ONES, ZEROS = {"w": np.ones(2)}, {"w": np.zeros(2)}


def assert_same(value, expected):
    """The same type, dtype, shape and bits."""
    assert type(value) is type(expected)
    value, expected = np.asarray(value), np.asarray(expected)
    assert (repr(value.dtype), value.shape) == (repr(expected.dtype), expected.shape)
    if value.dtype == object:
        assert value.tolist() == expected.tolist()
    else:
        assert value.tobytes() == expected.tobytes()


def assert_holds(prefix, values):
    """The checkpoint holds these values and nothing else."""
    reader = CheckpointReader(str(prefix))
    assert reader.get_variable_to_shape_map() == {name: list(np.shape(values[name])) for name in sorted(values)}
    for name, value in values.items():
        assert_same(reader.get_tensor(name), value)
        assert reader.get_variable_to_dtype_map()[name] == tf.as_dtype(np.asarray(value).dtype)


# Tables.

keys = st.binary(max_size=8)


def block(entries, restart_every):
    """Entries whose keys leave out what they share with the key before, but for some where it begins anew."""
    content, starts, last = b"", [], b""
    for index, (key, value) in enumerate(entries):
        shared = len(os.path.commonprefix([last, key]))
        if index % restart_every == 0:
            starts.append(len(content))
            shared = 0
        lengths = (shared, len(key) - shared, len(value))
        content += b"".join(map(form.varint, lengths)) + key[shared:] + value
        last = key
    return content + b"".join(number.to_bytes(4, "little") for number in [*starts, len(starts)])


def tensorflows_table(items, restart_every, entries):
    """A table as TensorFlow writes it: several blocks, an empty one, and the index of the blocks."""
    file, handles = b"", []

    def add(content):
        nonlocal file
        handles.append(form.varint(len(file)) + form.varint(len(content)))
        content += b"\0"  # not compressed
        file += content + form.checksum(content).to_bytes(4, "little")

    pieces = [items[start : start + entries] for start in range(0, len(items), entries)]
    for piece in [*pieces, []]:
        add(block(piece, restart_every))
    add(block(list(zip([piece[-1][0] for piece in pieces], handles, strict=False)), restart_every))
    return file + (handles[-2] + handles[-1]).ljust(40, b"\0") + form.MAGIC


@given(st.dictionaries(keys, st.binary(max_size=99), min_size=1), st.integers(1, 16), st.integers(1, 5))
def test_a_table_of_tensorflows_is_read(items, restart_every, entries):
    items = sorted(items.items())
    assert list(form.read_table(tensorflows_table(items, restart_every, entries))) == items


@given(st.lists(st.integers(-(2**62), 2**62), min_size=2, max_size=2, unique=True), st.integers(1, 3))
def test_keys_of_slices_are_in_the_order_of_their_numbers(starts, length):
    one, other = [form.slice_key("w", ((start, length),)) for start in sorted(starts)]
    assert one < other


def test_keys_of_slices_that_tensorflow_wrote():
    assert form.slice_key("rows", ((0, 3), (0, -1))) == b"\0rows\0\1\1\2\x80\x83\x80\x7f"
    assert form.slice_key("columns", ((100, 64), (-65, 0))) == b"\0columns\0\1\1\2\xc0\x64\xc0\x40\x3f\xbf\x80"


# Tensors.


def arrays():
    """Arrays and scalars of every dtype, arrays of strings, and single strings."""
    dtypes = [dtype.as_numpy_dtype for dtype in form.TYPES.values() if dtype is not tf.string]
    shapes = hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3)
    of_numbers = hnp.arrays(st.sampled_from(dtypes), shapes).map(lambda array: array[()])
    text = st.binary(max_size=200)
    return of_numbers | hnp.arrays(object, st.integers(0, 4), elements=text) | text


names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=9)
names = names.filter(lambda name: name[0] != "\0")  # TensorFlow has no such names


@given(st.dictionaries(names, arrays(), max_size=5))
@examples(50)
def test_a_checkpoint_is_read_as_it_was_written(tmp_path_factory, tensors):
    prefix = tmp_path_factory.mktemp("saved") / "model"
    write_checkpoint(str(prefix), tensors)
    assert_holds(prefix, tensors)


def test_what_is_read_belongs_to_the_reader_alone(tmp_path):
    path = str(tmp_path / "m")
    write_checkpoint(path, ONES)
    first = tf.train.load_variable(path, "w")
    first += 1
    assert tf.train.load_variable(path, "w").tolist() == [1, 1]


def test_arrays_that_are_not_in_one_piece(tmp_path):
    values = {"turned": np.arange(6).reshape(2, 3).T, "big": np.arange(3, dtype=">i4"), "every": np.arange(9)[::2]}
    write_checkpoint(str(tmp_path / "m"), values)
    assert_holds(tmp_path / "m", {name: value.astype(value.dtype.newbyteorder("=")) for name, value in values.items()})


# TensorFlow's files.


@pytest.mark.parametrize("name", VALUES)
def test_files_that_tensorflow_wrote_are_read(name):
    assert_holds(RECORDED / name, VALUES[name])


def test_the_bytes_of_the_tensors_are_those_of_tensorflow(tmp_path):
    write_checkpoint(str(tmp_path / "dense"), DENSE)
    name = "dense.data-00000-of-00001"
    assert (tmp_path / name).read_bytes() == (RECORDED / name).read_bytes()


def test_names_of_a_checkpoint_of_objects():
    reader = CheckpointReader(str(RECORDED / "objects"))
    for name, key in reader.keys_of_names().items():
        assert_same(reader.get_tensor(key), OBJECTS[name])
    assert CheckpointReader(str(RECORDED / "dense")).keys_of_names() == {}


# The checksum library.


def test_without_the_checksum_library(tmp_path, monkeypatch):
    form._crc32c.cache_clear()
    monkeypatch.setitem(sys.modules, "google_crc32c", None)
    with pytest.raises(ImportError, match="pip install google-crc32c"):
        write_checkpoint(str(tmp_path / "m"), ONES)
    form._crc32c.cache_clear()
    assert os.listdir(tmp_path) == []


def test_the_checksum_library_is_loaded_by_the_first_checkpoint():
    code = "import sys, minitf; sys.exit('google_crc32c' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


# A save is all or nothing.


@pytest.fixture(params=["with links", "without links"])
def links(request, monkeypatch):
    """File systems with hard links, and without."""
    if request.param == "without links":
        monkeypatch.setattr(os, "link", mock.Mock(side_effect=PermissionError))


def test_a_save_that_fails_changes_nothing(tmp_path):
    write_checkpoint(str(tmp_path / "m"), SHARDED)
    before = sorted(os.listdir(tmp_path))
    with pytest.raises(TypeError):
        write_checkpoint(str(tmp_path / "m"), {"a": np.ones(3), "b": np.array([1], "datetime64[s]")})
    assert sorted(os.listdir(tmp_path)) == before
    assert_holds(tmp_path / "m", SHARDED)


@pytest.mark.parametrize("number", range(3))
def test_a_save_that_ends_between_two_files_leaves_a_checkpoint(tmp_path, monkeypatch, number, links):
    write_checkpoint(str(tmp_path / "m"), ONES)
    replaces = [os.replace] * number + [mock.Mock(side_effect=KeyboardInterrupt)]
    monkeypatch.setattr(os, "replace", lambda *names: replaces.pop(0)(*names))
    with pytest.raises(KeyboardInterrupt):
        write_checkpoint(str(tmp_path / "m"), ZEROS)
    assert_holds(tmp_path / "m", ZEROS if number else ONES)


def test_a_checkpoint_takes_the_place_of_another(tmp_path, links):
    for file in RECORDED.glob("sharded.*"):
        shutil.copy(file, tmp_path)
    for values in (SHARDED, ONES, ZEROS):
        write_checkpoint(str(tmp_path / "sharded"), values)
        assert_holds(tmp_path / "sharded", values)
        assert sorted(os.listdir(tmp_path)) == ["sharded.data-00000-of-00001", "sharded.index"]
