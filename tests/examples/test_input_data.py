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

NAMES = [name.replace("?", "-") for name in input_data.NAMES]


def idx(array):
    """The bytes of an IDX file."""
    head = bytes([0, 0, 8, array.ndim])
    return head + b"".join(size.to_bytes(4) for size in array.shape) + array.astype(np.uint8).tobytes()


def arrays(train=12, test=5):
    """Images whose first pixel is their number, and labels."""
    images = [np.zeros((n, 28, 28), np.uint8) for n in (train, test)]
    for image in images:
        image[:, 0, 0] = np.arange(len(image))
    return [images[0], np.arange(train) % 10, images[1], np.arange(test) % 10]


def write(folder, *, pack=gzip.compress, ending=".gz", form="-", **instead):
    """Write MNIST's four files; `instead` gives other bytes for train_images and the like."""
    for name, array in zip(input_data.NAMES, arrays(), strict=True):
        short = name.partition("?")[0].replace("-", "_")
        (folder / f"{name.replace('?', form)}{ending}").write_bytes(instead.get(short, pack(idx(array))))
    return folder


def read(folder, **options):
    return input_data.read_data_sets(str(folder), **{"validation_size": 2, **options})


@pytest.mark.parametrize(
    "form",
    [{}, {"pack": bytes, "ending": ""}, {"pack": bytes, "ending": "", "form": "."}],
    ids=["packed", "unpacked", "with a dot"],
)
def test_mnists_files_are_read(tmp_path, capsys, form):
    mnist = read(write(tmp_path, **form), one_hot=True)
    assert [part.num_examples for part in mnist] == [10, 2, 5]
    assert mnist.train.images.shape == (10, 784) and mnist.train.images.dtype == np.float32
    np.testing.assert_array_equal(mnist.train.images[:, 0], np.arange(2, 12, dtype="f4") * np.float32(1 / 255))
    np.testing.assert_array_equal(mnist.test.labels, np.eye(10)[:5])
    assert capsys.readouterr().out.count("Extracting") == 4


def test_the_arguments_of_tensorflow_1(tmp_path):
    mnist = read(write(tmp_path), dtype=tf.uint8, reshape=False, validation_size=0)
    assert mnist.train.images.shape == (12, 28, 28, 1) and mnist.train.images.dtype == np.uint8
    assert mnist.validation.images.shape == (0, 28, 28, 1)
    assert mnist.train.labels.tolist() == [*range(10), 0, 1]
    with pytest.raises(TypeError, match="Invalid image dtype tf.int32, expected uint8 or float32"):
        read(tmp_path, dtype=tf.int32)
    for size in (-1, 13):
        with pytest.raises(ValueError, match=f"Validation size should be between 0 and 12. Received: {size}"):
            read(tmp_path, validation_size=size)


def test_batches_go_through_every_epoch(tmp_path):
    train = read(write(tmp_path), dtype=tf.uint8, seed=3).train
    seen = np.concatenate([train.next_batch(4)[0][:, 0] for _ in range(5)])
    assert sorted(seen[:10]) == sorted(seen[10:]) == list(range(2, 12))
    assert seen[:10].tolist() != seen[10:].tolist()
    assert train.epochs_completed == 1
    train.next_batch(1)
    assert train.epochs_completed == 2


def test_the_batches_of_a_seed_are_tensorflows(tmp_path):
    """TensorFlow 1 shuffles what the last epoch left, by NumPy's generator with this seed."""
    by_hand, order = np.random.RandomState(7), np.arange(2, 12)
    for _ in range(2):
        swaps = np.arange(10)
        by_hand.shuffle(swaps)
        order = order[swaps]
        last = order
    write(tmp_path)
    for graph_seed, seed in ((None, 7), (7, None)):
        with tf.Graph().as_default():
            tf.set_random_seed(graph_seed)
            train = read(tmp_path, dtype=tf.uint8, seed=seed).train
        train.next_batch(10)
        assert train.next_batch(10)[0][:, 0].tolist() == last.tolist()


def test_without_a_seed_numpys_seed_decides(tmp_path):
    train, orders = read(write(tmp_path), dtype=tf.uint8).train, []
    for seed in (1, 1, 2):
        np.random.seed(seed)
        order = read(tmp_path, dtype=tf.uint8).train.next_batch(10)[0][:, 0].tolist()
        orders.append(order)
    assert orders[0] == orders[1] != orders[2]
    assert train.next_batch(3, shuffle=False)[0][:, 0].tolist() == [2, 3, 4]


IMAGES = idx(arrays()[0])
DAMAGED = {
    "cut": (gzip.compress(IMAGES)[:-9], "train-images-idx3-ubyte.gz: Compressed file ended"),
    "cut inside": (gzip.compress(IMAGES[:-9]), "9415 bytes, where 16 and 12 * 28 * 28 are expected"),
    "too long": (gzip.compress(IMAGES + b"0"), "9425 bytes, where 16"),
    "a bit turned": (gzip.compress(IMAGES)[:-8] + bytes(8), "CRC check failed"),
    "deflate damaged": (gzip.compress(IMAGES)[:12] + b"\xff" * 99, "train-images-idx3-ubyte.gz: Error -3"),
    "labels in their place": (gzip.compress(idx(arrays()[1])), "Invalid magic number 2049 in MNIST file, not 2051"),
    "a web page": (b"<html>", "Invalid magic number 1013478509"),
    "empty": (b"", "Invalid magic number 0"),
    "only a head": (IMAGES[:9], "9 bytes, where 16 and 12"),
    "a head that lies": (IMAGES[:4] + b"\xff" * 12, "16 bytes, where 16 and 4294967295 * 4294967295"),
}


@pytest.mark.parametrize("data, words", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_file_is_named(tmp_path, data, words):
    write(tmp_path, train_images=data)
    with pytest.raises(tf.errors.DataLossError) as caught:
        read(tmp_path)
    assert words in caught.value.message and "train-images-idx3-ubyte.gz" in caught.value.message


@pytest.mark.parametrize("labels, words", [(range(11), "11 labels up to 10"), ([0] * 11 + [10], "12 labels up to 10")])
def test_labels_that_do_not_fit_are_named(tmp_path, labels, words):
    write(tmp_path, train_labels=gzip.compress(idx(np.array(labels))))
    with pytest.raises(tf.errors.DataLossError, match=f"train-labels-idx1-ubyte.gz: {words}, for 12 images of 0 to 9"):
        read(tmp_path)


def test_a_missing_file_is_named(tmp_path):
    (write(tmp_path) / NAMES[3]).with_suffix(".gz").unlink()
    with pytest.raises(tf.errors.NotFoundError, match="t10k-labels-idx1-ubyte.gz; No such file"):
        read(tmp_path)


def test_without_files_the_digits_come_and_a_line_says_so(tmp_path, caplog):
    with caplog.at_level(logging.WARNING, logger="tensorflow"):
        mnist = input_data.read_data_sets(str(tmp_path / "nowhere"), one_hot=True)
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "nowhere: 1,797 smaller digits take their place" in caplog.text
    assert [part.images.shape for part in mnist] == [(1374, 784), (124, 784), (299, 784)]
    assert all(part.images.dtype == np.float32 and part.images.min() == 0 for part in mnist)
    assert mnist.train.images.max() == 1 and (mnist.test.labels.sum(0) > 20).all()
    picture = mnist.test.images[0].reshape(28, 28)
    assert not picture[:2].any() and not picture[:, -2:].any()
    np.testing.assert_array_equal(picture[2:-2:3, 2:-2:3].repeat(3, 0).repeat(3, 1), picture[2:-2, 2:-2])
    assert input_data.read_data_sets(tmp_path, validation_size=300).validation.num_examples == 300


def test_no_digit_is_in_two_parts():
    with np.load(ROOT / "lessons/data/optdigits.npz", allow_pickle=False) as file:
        assert len(np.unique(file["images"], axis=0)) == 1797  # so they can be told from each other
    parts = input_data.read_data_sets("", dtype=tf.uint8)
    assert len(np.unique(np.concatenate([part.images for part in parts]), axis=0)) == 1797


@pytest.mark.parametrize("damage", ["cut", "nothing", "pickled", "no labels"])
def test_damaged_digits_are_named(tmp_path, monkeypatch, damage):
    path = tmp_path / "optdigits.npz"
    packed = io.BytesIO()
    if damage == "pickled":
        np.savez(packed, images=np.array([{}]), labels=np.zeros(1))
    elif damage == "no labels":
        np.savez(packed, images=np.zeros((6, 8, 8), np.uint8))
    else:
        packed.write((ROOT / "lessons/data/optdigits.npz").read_bytes()[: 1000 if damage == "cut" else 0])
    path.write_bytes(packed.getvalue())
    monkeypatch.setattr(input_data, "_DIGITS", [path])
    with pytest.raises(tf.errors.DataLossError, match="optdigits.npz: "):
        read(tmp_path / "nowhere")
    path.unlink()
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
