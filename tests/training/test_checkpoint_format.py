"""The checkpoint files: what is written is read, TensorFlow's files are read, damage is seen."""

import os
import random
import shutil
import subprocess
import sys
from pathlib import Path
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minitf as tf
from minitf.training import checkpoint_format as form
from minitf.training.checkpoint_format import CheckpointReader, write_checkpoint
from tests.support import examples
from tests.training.checkpoints import DENSE, HEADER, OBJECTS, SHARDED, SLICE_OF_TWO, VALUES

RECORDED = Path(__file__).parent / "checkpoints"
DTYPES = [dtype for dtype in form.TYPES.values() if dtype is not tf.string]

natural_numbers = st.integers(0, 2**64 - 1)
keys = st.binary(max_size=8)


def assert_same(value, expected):
    """The same type, dtype, shape and bits."""
    assert type(value) is type(expected)
    if isinstance(expected, bytes):
        assert value == expected
        return
    value, expected = np.asarray(value), np.asarray(expected)
    assert (repr(value.dtype), value.shape) == (repr(expected.dtype), expected.shape)
    same = value.tolist() == expected.tolist() if value.dtype == object else value.tobytes() == expected.tobytes()
    assert same, (value, expected)


def assert_holds(prefix, values):
    """The checkpoint holds these values and nothing else."""
    reader = CheckpointReader(str(prefix))
    assert list(reader.get_variable_to_shape_map()) == sorted(values)
    for name, value in values.items():
        assert_same(reader.get_tensor(name), value)
        assert reader.get_variable_to_shape_map()[name] == list(np.shape(value))
        assert reader.get_variable_to_dtype_map()[name] == tf.as_dtype(np.asarray(value).dtype)


# Numbers, tables.


@given(natural_numbers, st.binary(max_size=3))
def test_a_varint_is_read_as_it_was_written(number, before):
    stream = form.Bytes(before + form.varint(number))
    stream.seek(len(before))
    assert (stream.varint(), stream.read()) == (number, b"")


@given(st.dictionaries(keys, st.binary(max_size=300), min_size=1))
def test_a_table_is_read_as_it_was_written(items):
    assert dict(form.read_table(form.table(sorted(items.items())))) == items


def checksummed(content):
    return content + b"\0" + form.checksum(content + b"\0").to_bytes(4, "little")


def tensorflows_table(items, restart_every, block_entries):
    """A table as TensorFlow writes it: several blocks, and keys without what they share with the key before."""

    def block(entries):
        content, starts, last = b"", [], b""
        for index, (key, value) in enumerate(entries):
            shared = len(os.path.commonprefix([last, key]))
            if index % restart_every == 0:
                starts.append(len(content))
                shared = 0
            content += b"".join(map(form.varint, (shared, len(key) - shared, len(value)))) + key[shared:] + value
            last = key
        return content + b"".join(n.to_bytes(4, "little") for n in [*starts, len(starts)])

    file, handles = b"", []
    pieces = [items[start : start + block_entries] for start in range(0, len(items), block_entries)]
    for piece in [*pieces, [], None]:
        content = block(zip([p[-1][0] for p in pieces], handles, strict=False) if piece is None else piece)
        handles.append(form.varint(len(file)) + form.varint(len(content)))
        file += checksummed(content)
    return file + (handles[-2] + handles[-1]).ljust(40, b"\0") + form.MAGIC


@given(st.dictionaries(keys, st.binary(max_size=99), min_size=1), st.integers(1, 16), st.integers(1, 5))
def test_a_table_of_tensorflows_is_read(items, restart_every, block_entries):
    table = tensorflows_table(sorted(items.items()), restart_every, block_entries)
    assert list(form.read_table(table)) == sorted(items.items())


numbers_of_slices = st.integers(-(2**62), 2**62)


@given(st.lists(numbers_of_slices, min_size=2, max_size=2), st.integers(1, 3))
def test_keys_of_slices_are_in_the_order_of_their_numbers(numbers, length):
    one, other = [form.slice_key("w", ((n, length),)) for n in sorted(numbers)]
    assert (one < other) is (numbers[0] != numbers[1])


def test_keys_of_slices_that_tensorflow_wrote():
    assert form.slice_key("rows", ((0, 3), (0, -1))) == b"\0rows\0\1\1\2\x80\x83\x80\x7f"
    assert form.slice_key("columns", ((100, 64), (-65, 0))) == b"\0columns\0\1\1\2\xc0\x64\xc0\x40\x3f\xbf\x80"


# Tensors.


def arrays():
    numbers = st.sampled_from(DTYPES).flatmap(
        lambda dtype: st.tuples(st.just(dtype.as_numpy_dtype), st.lists(st.integers(0, 3), max_size=3))
    )

    def of_bytes(kind_and_shape, seed):
        dtype, shape = kind_and_shape
        data = np.random.default_rng(seed).bytes(int(np.prod(shape)) * np.dtype(dtype).itemsize)
        array = np.frombuffer(data, np.uint8 if dtype is np.bool_ else dtype).reshape(shape)
        return (array % 2 == 1 if dtype is np.bool_ else array)[()]

    strings = st.lists(st.binary(max_size=200), max_size=4).map(lambda words: np.array([*words, None], object)[:-1])
    return st.builds(of_bytes, numbers, st.integers(0, 2**32)) | strings | st.binary(max_size=300)


@given(st.dictionaries(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=9), arrays(), max_size=5))
@examples(50)
def test_a_checkpoint_is_read_as_it_was_written(tmp_path_factory, tensors):
    tensors = {name: value for name, value in tensors.items() if name[0] != "\0"}  # TensorFlow has no such names
    prefix = tmp_path_factory.mktemp("saved") / "model"
    write_checkpoint(str(prefix), tensors)
    assert_holds(prefix, tensors)


def test_what_is_read_belongs_to_the_reader_alone(tmp_path):
    write_checkpoint(str(tmp_path / "m"), {"w": np.ones(3)})
    first = tf.train.load_variable(str(tmp_path / "m"), "w")
    first += 1
    assert tf.train.load_variable(str(tmp_path / "m"), "w").tolist() == [1, 1, 1]


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


# Damage.


def damage(folder, files, rng):
    """Change one file of a checkpoint, and say how."""
    path = folder / rng.choice(files)
    data = bytearray(path.read_bytes())
    kind = rng.choice(["flip", "flip", "flip", "end", "cut", "zeros", "swap"])
    if kind == "flip":
        for _ in range(rng.choice([1, 1, 2, 8])):
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    elif kind == "end":
        del data[rng.randrange(len(data)) :]
    elif kind in ("cut", "zeros"):
        start = rng.randrange(len(data))
        size = rng.randint(1, 64)
        data[start : start + size] = b"\0" * len(data[start : start + size]) if kind == "zeros" else b""
    else:
        data = bytearray((folder / f"other{path.name[path.name.index('.') :]}").read_bytes())
    path.write_bytes(data)
    return f"{kind} {path.name}"


def restored_in_session(prefix, values):
    """What a Saver makes of a checkpoint."""
    with tf.Graph().as_default(), tf.Session() as sess:
        variables = {name: tf.Variable(value) for name, value in values.items()}
        tf.train.Saver(variables).restore(sess, str(prefix))
        return sess.run(variables)


def corrupt(folder, count, seed):
    """Damage checkpoints `count` times; returns how often that was seen."""
    rng, seen = random.Random(seed), 0
    for name, values in VALUES.items():
        for file in RECORDED.glob(f"{name}.*"):
            shutil.copy(file, folder)
        shards = CheckpointReader(str(folder / name))._shards
        others = {key: np.array(value)[..., ::-1] if np.ndim(value) else value for key, value in values.items()}
        write_checkpoint(str(folder / "other"), {**others, "more": np.ones(3)})
        for shard in range(shards if shards > 1 else 0):
            shutil.copy(folder / "other.data-00000-of-00001", folder / f"other.data-{shard:05d}-of-{shards:05d}")
        files = sorted(file.name for file in RECORDED.glob(f"{name}.*"))
        for number in range(count // len(VALUES)):
            where = f"seed {seed}, {name}, {number}: {damage(folder, files, rng)}"
            try:
                reader = CheckpointReader(str(folder / name))
                read = {key: reader.get_tensor(key) for key in values}
                if number % 10 == 0 and name != "sliced":
                    read = restored_in_session(folder / name, values)
            except (tf.errors.DataLossError, tf.errors.NotFoundError, tf.errors.OutOfRangeError) as error:
                assert str(folder) in str(error), where
                seen += 1
            except Exception as error:
                raise AssertionError(where) from error
            else:
                for key, value in values.items():
                    assert_same(read[key], value)
            for file in files:
                shutil.copy(RECORDED / file, folder / file)
    return seen


def test_damage_is_seen(tmp_path):
    assert corrupt(tmp_path, 100, int(os.environ["MINITF_SEED"])) > 70


@pytest.mark.long
def test_damage_is_seen_a_thousand_times(tmp_path):
    assert corrupt(tmp_path, 1000, 1) > 700


@pytest.mark.parametrize("content", [b"", b"x" * 47, b"\x80" * 500, b"PK" * 99, form.MAGIC * 6, bytes(40) + form.MAGIC])
def test_foreign_files(tmp_path, content):
    for name in ("foreign.index", "alone"):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(tf.errors.DataLossError, match=name):
            CheckpointReader(str(tmp_path / name.removesuffix(".index")))


def test_a_file_that_promises_too_much(tmp_path):
    huge = form.Entry(1, (2**30, 2**30), 0, 0, 2**62, 0, ())
    table = form.table([(b"", HEADER), (b"w", huge.packed())])
    (tmp_path / "m.index").write_bytes(table)
    (tmp_path / "m.data-00000-of-00001").write_bytes(bytes(99))
    with pytest.raises(tf.errors.OutOfRangeError, match="m.data-00000-of-00001 ends before byte"):
        CheckpointReader(str(tmp_path / "m")).get_tensor("w")


def test_slices_that_are_not_the_whole(tmp_path):
    whole, part = form.Entry(1, (4,), 0, 0, 0, 0, ()).packed(), ((0, 2),)
    with_slice = whole + SLICE_OF_TWO
    write_checkpoint(str(tmp_path / "m"), {"w": np.ones(2, np.float32)})
    items = dict(form.read_table((tmp_path / "m.index").read_bytes()))
    items |= {b"w": with_slice, form.slice_key("w", part): items[b"w"]}
    (tmp_path / "m.index").write_bytes(form.table(sorted(items.items())))
    with pytest.raises(tf.errors.DataLossError, match="slices hold 2 of its 4 values"):
        CheckpointReader(str(tmp_path / "m")).get_tensor("w")


def test_a_dtype_that_minitf_has_not(tmp_path):
    table = form.table([(b"", HEADER), (b"w", form.Entry(11, (2, 3), 0, 0, 12, 0, ()).packed())])
    (tmp_path / "m.index").write_bytes(table)
    reader = CheckpointReader(str(tmp_path / "m"))
    assert reader.get_variable_to_dtype_map() == {"w": None}
    assert reader.debug_string() == b"w (DT_11) [2,3]\n"
    with pytest.raises(tf.errors.UnimplementedError, match="w: Data type 11 not supported"):
        reader.get_tensor("w")


def test_a_missing_data_file(tmp_path):
    write_checkpoint(str(tmp_path / "m"), SHARDED)
    os.remove(tmp_path / "m.data-00000-of-00001")
    with pytest.raises(tf.errors.NotFoundError, match="m.data-00000-of-00001"):
        CheckpointReader(str(tmp_path / "m")).get_tensor("first")


def test_without_the_checksum_library(tmp_path, monkeypatch):
    form._crc32c.cache_clear()
    monkeypatch.setitem(sys.modules, "google_crc32c", None)
    with pytest.raises(ImportError, match="pip install google-crc32c"):
        write_checkpoint(str(tmp_path / "m"), {"w": np.ones(3)})
    form._crc32c.cache_clear()
    assert os.listdir(tmp_path) == []


def test_the_checksum_library_is_loaded_by_the_first_checkpoint():
    code = "import sys, minitf; sys.exit('google_crc32c' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


# A save is all or nothing.


def test_a_save_that_fails_changes_nothing(tmp_path):
    write_checkpoint(str(tmp_path / "m"), SHARDED)
    before = sorted(os.listdir(tmp_path))
    with pytest.raises(TypeError):
        write_checkpoint(str(tmp_path / "m"), {"a": np.ones(3), "b": np.array([1], "datetime64[s]")})
    assert sorted(os.listdir(tmp_path)) == before
    assert_holds(tmp_path / "m", SHARDED)


@pytest.mark.parametrize("links", [True, False])
@pytest.mark.parametrize("number", range(3))
def test_a_save_that_ends_between_two_files_leaves_a_checkpoint(tmp_path, monkeypatch, number, links):
    if not links:
        monkeypatch.setattr(os, "link", mock.Mock(side_effect=PermissionError))
    write_checkpoint(str(tmp_path / "m"), {"w": np.ones(2)})
    replaces = [os.replace] * number + [mock.Mock(side_effect=KeyboardInterrupt)]
    monkeypatch.setattr(os, "replace", lambda *names: replaces.pop(0)(*names))
    with pytest.raises(KeyboardInterrupt):
        write_checkpoint(str(tmp_path / "m"), {"w": np.zeros(2)})
    assert_holds(tmp_path / "m", {"w": np.zeros(2) if number else np.ones(2)})


@pytest.mark.parametrize("links", [True, False])
def test_a_checkpoint_takes_the_place_of_another(tmp_path, monkeypatch, links):
    if not links:
        monkeypatch.setattr(os, "link", mock.Mock(side_effect=PermissionError))
    for file in RECORDED.glob("sharded.*"):
        shutil.copy(file, tmp_path)
    for values in (SHARDED, {"w": np.ones(2)}, {"w": np.zeros(2)}):
        write_checkpoint(str(tmp_path / "sharded"), values)
        assert_holds(tmp_path / "sharded", values)
        assert sorted(os.listdir(tmp_path)) == ["sharded.data-00000-of-00001", "sharded.index"]
