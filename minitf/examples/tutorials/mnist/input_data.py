"""Handwritten digits in batches: MNIST, or smaller ones in the same form if its files are missing.

    from minitf.examples.tutorials.mnist import input_data

    mnist = input_data.read_data_sets("MNIST_data", one_hot=True)
    images, labels = mnist.train.next_batch(100)

Mirrors tensorflow/examples/tutorials/mnist/input_data.py and
tensorflow/contrib/learn/python/learn/datasets/mnist.py.
"""

import gzip
import io
import math
from collections import namedtuple
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from minitf.framework import dtypes, errors, tf_logging
from minitf.ops.random_ops import get_seed

Datasets = namedtuple("Datasets", ["train", "validation", "test"])

NAMES = [
    "train-images?idx3-ubyte",
    "train-labels?idx1-ubyte",
    "t10k-images?idx3-ubyte",
    "t10k-labels?idx1-ubyte",
]
# Real images are a fifth of their size when packed; a file that claims much more is a trap.
_MOST_PACKED, _SMALL = 50, 1 << 24
_HERE = Path(__file__).resolve().parent
# The digits are beside this file if minitf is installed, otherwise with the lessons.
_DIGITS = [_HERE / "optdigits.npz", _HERE.parents[3] / "lessons" / "data" / "optdigits.npz"]


class DataSet:
    """Images, their labels, and `next_batch`, which goes through them in a new order in each epoch.

    With a seed, here or in `tf.set_random_seed`, the batches are TensorFlow's; without one,
    `np.random` decides.
    """

    def __init__(
        self,
        images,
        labels,
        fake_data=False,
        one_hot=False,
        dtype=dtypes.float32,
        reshape=True,
        seed: int | None = None,
    ):
        dtype = dtypes.as_dtype(dtype).base_dtype
        if dtype not in (dtypes.uint8, dtypes.float32):
            raise TypeError(f"Invalid image dtype {dtype!r}, expected uint8 or float32")
        if reshape:
            images = images.reshape(len(images), math.prod(images.shape[1:]))
        if dtype == dtypes.float32:
            images = np.multiply(images, 1 / 255, dtype=np.float32)
        self.images = images
        self.labels, self.num_examples, self.epochs_completed = labels, len(images), 0
        seed = get_seed(seed)[seed is not None]
        self._random = np.random if seed is None else np.random.RandomState(seed)
        self._order, self._at = np.arange(len(images)), 0

    def _shuffle(self) -> None:
        self._order = self._random.permutation(self._order)

    def next_batch(self, batch_size: int, fake_data=False, shuffle=True) -> tuple[Any, Any]:
        """Return the next images and their labels; a batch may end one epoch and begin the next."""
        if shuffle and self._at == self.epochs_completed == 0:
            self._shuffle()
        taken = self._order[self._at : self._at + batch_size]
        self._at += batch_size
        if self._at > self.num_examples:
            self.epochs_completed, self._at = self.epochs_completed + 1, batch_size - len(taken)
            if shuffle:
                self._shuffle()
            taken = np.concatenate([taken, self._order[: self._at]])
        return self.images[taken], self.labels[taken]


@contextmanager
def _reading(path: Path) -> Iterator[bytes]:
    """Give what is in a file. What fails because of it is a DataLossError that names the file."""
    with errors.of_files(path), errors.open_to_read(path) as file:
        data = file.read()
    try:
        yield data
    except Exception as error:  # gzip, zip and NumPy have many
        raise errors.DataLossError(None, None, f"{path}: {error}") from None


def _from_idx(path: Path, rank: int) -> np.ndarray:
    """Return the elements in one of MNIST's files, where a magic number and a shape come first."""
    print("Extracting", path)
    with _reading(path) as data:
        packed = data[:2] == b"\x1f\x8b"
        stream = gzip.GzipFile(fileobj=io.BytesIO(data)) if packed else io.BytesIO(data)
        head = stream.read(4 + 4 * rank)
        magic, *shape = [int.from_bytes(head[at : at + 4]) for at in range(0, 4 + 4 * rank, 4)]
        if magic != 0x800 + rank:
            raise ValueError(f"Invalid magic number {magic} in MNIST file, not {0x800 + rank}")
        count = math.prod(shape)
        content = stream.read(min(count, _MOST_PACKED * len(data)) + _SMALL)
        if len(head) < 4 + 4 * rank or len(content) != count:
            sides = " * ".join(map(str, shape))
            raise ValueError(
                f"{len(head) + len(content)} bytes, where {4 + 4 * rank} and {sides} are expected"
            )
        return np.frombuffer(content, np.uint8).reshape(shape)


def _digits() -> tuple[np.ndarray, ...]:
    """Return the smaller digits, three times as large, with a border of 2; each sixth is a test."""
    with (
        _reading(next(filter(Path.exists, _DIGITS), _DIGITS[0])) as data,
        np.load(io.BytesIO(data), allow_pickle=False) as file,
    ):
        images, labels = np.rint(file["images"] * (255 / 16)).astype(np.uint8), file["labels"]
    images = np.pad(images.repeat(3, 1).repeat(3, 2), ((0, 0), (2, 2), (2, 2)))
    held_back = np.arange(len(labels)) % 6 == 5
    return images[~held_back], labels[~held_back], images[held_back], labels[held_back]


def _mnist(images: Path, labels: Path) -> tuple[np.ndarray, ...]:
    """Return the images and the labels in two of MNIST's files."""
    arrays = _from_idx(images, 3), _from_idx(labels, 1)
    many, most = len(arrays[1]), arrays[1].max(initial=0)
    if many != len(arrays[0]) or most > 9:
        words = f"{labels}: {many} labels up to {most}, for {len(arrays[0])} images of 0 to 9"
        raise errors.DataLossError(None, None, words)
    return arrays


def read_data_sets(
    train_dir,
    fake_data=False,
    one_hot=False,
    dtype=dtypes.float32,
    reshape=True,
    validation_size=5000,
    seed: int | None = None,
    source_url="",
) -> Datasets:
    """Return MNIST's three parts from its four files in `train_dir`, packed or not.

    Nothing is downloaded, or fake.

    If there are no such files, 1,797 smaller digits in the same form take their place, and a line
    is logged. If the validation part would leave none of these to train on, it is a twelfth, as
    5,000 are of MNIST's 60,000.

    Raises NotFoundError if some files are missing, DataLossError if one is damaged.
    """
    folder = Path(train_dir)
    packed = {name: folder / f"{name.replace('?', '-')}.gz" for name in NAMES}
    paths = [min(folder.glob(f"{name}*"), default=packed[name]) for name in NAMES]
    if any(path.exists() for path in paths):
        images, labels, *test = *_mnist(*paths[:2]), *_mnist(*paths[2:])
    else:
        images, labels, *test = _digits()
        validation_size = len(images) // 12 if validation_size >= len(images) else validation_size
        words = "No MNIST files in %s: 1,797 smaller digits take their place."
        tf_logging.warning(words, train_dir)
    if not 0 <= validation_size <= len(images):
        raise ValueError(
            f"Validation size should be between 0 and {len(images)}. Received: {validation_size}."
        )

    def part(images: np.ndarray, labels: np.ndarray) -> DataSet:
        labels = np.eye(10)[labels] if one_hot else labels
        return DataSet(images[..., None], labels, fake_data, one_hot, dtype, reshape, seed)

    at = validation_size
    return Datasets(part(images[at:], labels[at:]), part(images[:at], labels[:at]), part(*test))
