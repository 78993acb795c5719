"""The reader of digits: MNIST's files, whole and damaged, and the smaller digits in their form."""

import gzip
import io
import logging
import runpy
import sys
import types

import numpy as np
import pytest

import minitf as tf
from minitf.examples.tutorials.mnist import input_data
from tests.lessons.notebooks import ROOT

DIGITS = ROOT / "lessons/data/optdigits.npz"


def idx(array):
    """The bytes of an IDX file."""
    sizes = [size.to_bytes(4) for size in array.shape]
    return bytes([0, 0, 8, array.ndim]) + b"".join(sizes) + array.astype(np.uint8).tobytes()


def images(count):
    """Pictures whose first pixel is their number."""
    made = np.zeros((count, 28, 28), np.uint8)
    made[:, 0, 0] = np.arange(count)
    return made


FILES = {
    "train-images?idx3-ubyte": idx(images(12)),
    "train-labels?idx1-ubyte": idx(np.arange(12) % 10),
    "t10k-images?idx3-ubyte": idx(images(5)),
    "t10k-labels?idx1-ubyte": idx(np.arange(5)),
}
TRAIN_IMAGES, TRAIN_LABELS, _, TEST_LABELS = FILES


@pytest.fixture
def folder(tmp_path):
    """MNIST's four files, packed."""
    for name, content in FILES.items():
        packed(tmp_path, name).write_bytes(gzip.compress(content))
    return tmp_path


def packed(folder, name):
    return folder / f"{name.replace('?', '-')}.gz"


def read(folder, **options):
    return input_data.read_data_sets(str(folder), **{"validation_size": 2, "dtype": tf.uint8, **options})


def numbers(batch):
    """The numbers of the pictures in a batch."""
    return batch[0][:, 0].tolist()


def test_the_four_files_are_read(folder, capsys):
    mnist = read(folder, one_hot=True, dtype=tf.float32)
    assert [part.num_examples for part in mnist] == [10, 2, 5]
    assert mnist.train.images.shape == (10, 784)
    assert mnist.train.images.dtype == np.float32
    np.testing.assert_array_equal(mnist.train.images[:, 0], np.arange(2, 12, dtype="f4") * np.float32(1 / 255))
    np.testing.assert_array_equal(mnist.test.labels, np.eye(10)[:5])
    assert capsys.readouterr().out.count("Extracting") == 4


@pytest.mark.parametrize("form", ["-", "."])
def test_files_may_be_unpacked(tmp_path, form):
    for name, content in FILES.items():
        (tmp_path / name.replace("?", form)).write_bytes(content)
    assert read(tmp_path).train.images[:, 0].tolist() == list(range(2, 12))


def test_the_arguments_of_tensorflow_1(folder):
    mnist = read(folder, reshape=False, validation_size=0)
    assert mnist.train.images.shape == (12, 28, 28, 1)
    assert mnist.train.images.dtype == np.uint8
    assert mnist.validation.images.shape == (0, 28, 28, 1)
    assert mnist.train.labels.tolist() == [*range(10), 0, 1]


def test_another_dtype_is_refused(folder):
    with pytest.raises(TypeError, match="Invalid image dtype tf.int32, expected uint8 or float32"):
        read(folder, dtype=tf.int32)


@pytest.mark.parametrize("size", [-1, 13])
def test_another_validation_size_is_refused(folder, size):
    with pytest.raises(ValueError, match=f"Validation size should be between 0 and 12. Received: {size}"):
        read(folder, validation_size=size)


def test_batches_go_through_every_epoch(folder):
    train = read(folder, seed=3).train
    seen = sum([numbers(train.next_batch(4)) for _ in range(5)], [])
    assert sorted(seen[:10]) == sorted(seen[10:]) == list(range(2, 12))
    assert seen[:10] != seen[10:]
    assert train.epochs_completed == 1
    train.next_batch(1)
    assert train.epochs_completed == 2


@pytest.mark.parametrize("graph_seed, seed", [(None, 7), (7, None)])
def test_the_batches_of_a_seed_are_tensorflows(folder, graph_seed, seed):
    """TensorFlow 1 shuffles what the last epoch left, by NumPy's generator with this seed."""
    by_hand, order = np.random.RandomState(7), np.arange(2, 12)
    for _ in range(2):
        swaps = np.arange(10)
        by_hand.shuffle(swaps)
        order = order[swaps]
    with tf.Graph().as_default():
        tf.set_random_seed(graph_seed)
        train = read(folder, seed=seed).train
    train.next_batch(10)
    assert numbers(train.next_batch(10)) == order.tolist()


def test_without_a_seed_numpys_seed_decides(folder):
    orders = []
    for seed in (1, 1, 2):
        np.random.seed(seed)
        orders.append(numbers(read(folder).train.next_batch(10)))
    assert orders[0] == orders[1] != orders[2]


def test_a_batch_need_not_be_shuffled(folder):
    assert numbers(read(folder).train.next_batch(3, shuffle=False)) == [2, 3, 4]


IMAGES = FILES[TRAIN_IMAGES]
PACKED = gzip.compress(IMAGES)
DAMAGED = {
    "cut": (PACKED[:-9], "Compressed file ended"),
    "cut inside": (gzip.compress(IMAGES[:-9]), "9415 bytes, where 16 and 12 * 28 * 28 are expected"),
    "too long": (gzip.compress(IMAGES + b"0"), "9425 bytes, where 16"),
    "a bit turned": (PACKED[:-8] + bytes(8), "CRC check failed"),
    "deflate damaged": (PACKED[:12] + b"\xff" * 99, "Error -3"),
    "labels in their place": (gzip.compress(FILES[TRAIN_LABELS]), "Invalid magic number 2049 in MNIST file, not 2051"),
    "a web page": (b"<html>", "Invalid magic number 1013478509"),
    "empty": (b"", "Invalid magic number 0"),
    "only a head": (IMAGES[:9], "9 bytes, where 16 and 12"),
    "a head that lies": (IMAGES[:4] + b"\xff" * 12, "16 bytes, where 16 and 4294967295 * 4294967295"),
}


@pytest.mark.parametrize("what", DAMAGED)
def test_a_damaged_file_is_named(folder, what):
    content, words = DAMAGED[what]
    packed(folder, TRAIN_IMAGES).write_bytes(content)
    with pytest.raises(tf.errors.DataLossError) as caught:
        read(folder)
    assert words in caught.value.message
    assert "train-images-idx3-ubyte.gz" in caught.value.message


@pytest.mark.parametrize("labels, words", [(range(11), "11 labels up to 10"), ([0] * 11 + [10], "12 labels up to 10")])
def test_labels_that_do_not_fit_are_named(folder, labels, words):
    packed(folder, TRAIN_LABELS).write_bytes(gzip.compress(idx(np.array(labels))))
    with pytest.raises(tf.errors.DataLossError, match=f"train-labels-idx1-ubyte.gz: {words}, for 12 images of 0 to 9"):
        read(folder)


def test_a_missing_file_is_named(folder):
    packed(folder, TEST_LABELS).unlink()
    with pytest.raises(tf.errors.NotFoundError, match="t10k-labels-idx1-ubyte.gz; No such file"):
        read(folder)


def test_without_files_the_digits_come_and_a_line_says_so(tmp_path, caplog):
    with caplog.at_level(logging.WARNING, logger="tensorflow"):
        mnist = read(tmp_path / "nowhere", validation_size=300)
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "nowhere: 1,797 smaller digits take their place" in caplog.text
    assert mnist.validation.num_examples == 300


@pytest.fixture(scope="module")
def digits():
    return input_data.read_data_sets("nowhere", one_hot=True)


def test_the_digits_have_the_form_of_mnist(digits):
    assert [part.images.shape for part in digits] == [(1374, 784), (124, 784), (299, 784)]
    for part in digits:
        assert part.images.dtype == np.float32
        assert (part.images.min(), part.images.max()) == (0, 1)
    assert digits.test.labels.sum(0).min() > 20


def test_a_pixel_of_a_digit_becomes_nine(digits):
    picture = digits.test.images[0].reshape(28, 28)
    assert not picture[:2].any()
    assert not picture[:, -2:].any()
    np.testing.assert_array_equal(picture[2:-2:3, 2:-2:3].repeat(3, 0).repeat(3, 1), picture[2:-2, 2:-2])


def test_no_digit_is_in_two_parts(digits):
    with np.load(DIGITS, allow_pickle=False) as file:
        assert len(np.unique(file["images"], axis=0)) == 1797  # so they can be told from each other
    assert len(np.unique(np.concatenate([part.images for part in digits]), axis=0)) == 1797


def archive(**arrays):
    """The bytes of an .npz file."""
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


DAMAGED_DIGITS = {
    "cut": DIGITS.read_bytes()[:1000],
    "nothing": b"",
    "pickled": archive(images=np.array([{}]), labels=np.zeros(1)),
    "no labels": archive(images=np.zeros((6, 8, 8), np.uint8)),
}


@pytest.mark.parametrize("damage", DAMAGED_DIGITS)
def test_damaged_digits_are_named(tmp_path, monkeypatch, damage):
    path = tmp_path / "optdigits.npz"
    path.write_bytes(DAMAGED_DIGITS[damage])
    monkeypatch.setattr(input_data, "_DIGITS", [path])
    with pytest.raises(tf.errors.DataLossError, match="optdigits.npz: "):
        read(tmp_path / "nowhere")


def test_missing_digits_are_named(tmp_path, monkeypatch):
    monkeypatch.setattr(input_data, "_DIGITS", [tmp_path / "optdigits.npz"])
    with pytest.raises(tf.errors.NotFoundError, match="optdigits.npz; No such file"):
        read(tmp_path / "nowhere")


def test_an_installed_package_gets_the_digits_beside_the_reader(monkeypatch):
    """By hatch_build.py; the reader of a clone finds them with the lessons."""
    interface = types.ModuleType("hatchling.builders.hooks.plugin.interface")
    interface.BuildHookInterface = object  # hatchling is there only while a package is built
    monkeypatch.setitem(sys.modules, interface.__name__, interface)
    build_data = {"force_include": {}}
    runpy.run_path(str(ROOT / "hatch_build.py"))["CompileBuildHook"]().initialize("standard", build_data)
    beside, in_a_clone = input_data._DIGITS
    where = {ROOT / source: ROOT / target for source, target in build_data["force_include"].items()}
    assert where == {in_a_clone: beside, in_a_clone.with_suffix(".md"): beside.with_suffix(".md")}
    assert all(source.exists() for source in where)
