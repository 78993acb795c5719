"""Handwritten digits, in batches: MNIST where its files are, else smaller digits in the same form.

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
_HERE = (
    Path(__file__).resolve().parent
)  # the digits are here if minitf is installed, else with the lessons
_DIGITS = [_HERE / "optdigits.npz", _HERE.parents[3] / "lessons" / "data" / "optdigits.npz"]


class DataSet:
    """Images, their labels, and `next_batch`, which goes through them in an order that is new in each epoch.

    The batches of a seed are TensorFlow's. Without one (here or in `tf.set_random_seed`), `np.random` decides.
    """

    def __init__(
        self,
        images,
        labels,
        fake_data: bool = False,
        one_hot: bool = False,
        dtype=dtypes.float32,
        reshape: bool = True,
        seed: int | None = None,
    ):
        dtype = dtypes.as_dtype(dtype).base_dtype
        if dtype not in (dtypes.uint8, dtypes.float32):
            raise TypeError(f"Invalid image dtype {dtype!r}, expected uint8 or float32")
        images = images.reshape(len(images), math.prod(images.shape[1:])) if reshape else images
        self.images = (
            images if dtype == dtypes.uint8 else np.multiply(images, 1 / 255, dtype=np.float32)
        )
        self.labels, self.num_examples, self.epochs_completed = labels, len(images), 0
        seed = get_seed(seed)[seed is not None]
        self._random = np.random if seed is None else np.random.RandomState(seed)
        self._order, self._at = np.arange(len(images)), 0

    def _shuffle(self) -> None:
        order = np.arange(self.num_examples)
        self._random.shuffle(order)
        self._order = self._order[order]

    def next_batch(
        self, batch_size: int, fake_data: bool = False, shuffle: bool = True
    ) -> tuple[Any, Any]:
        """The next images and their labels; a batch may end one epoch and begin the next."""
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
    """What is in a file; what fails because of that is a DataLossError that names the file."""
    with errors.of_files():
        data = path.read_bytes()
    try:
        yield data
    except Exception as error:  # gzip, zip and NumPy have many
        raise errors.DataLossError(None, None, f"{path}: {error}") from None


def _from_idx(path: Path, rank: int) -> np.ndarray:
    """The bytes in a file of MNIST's: a magic number, the shape, the elements."""
    print("Extracting", path)
    with _reading(path) as data:
        data = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
        magic, head = int.from_bytes(data[:4]), 4 + 4 * rank
        if magic != 0x800 + rank:
            raise ValueError(f"Invalid magic number {magic} in MNIST file, not {0x800 + rank}")
        shape = [int.from_bytes(data[at : at + 4]) for at in range(4, head, 4)]
        if len(data) != head + math.prod(shape):
            raise ValueError(
                f"{len(data)} bytes, where {head} and {' * '.join(map(str, shape))} are expected"
            )
        return np.frombuffer(data, np.uint8, offset=head).reshape(shape)


def _digits() -> tuple[np.ndarray, ...]:
    """The smaller digits, three times as large, with a border of 2: every sixth belongs to the test set."""
    with (
        _reading(next(filter(Path.exists, _DIGITS), _DIGITS[0])) as data,
        np.load(io.BytesIO(data), allow_pickle=False) as file,
    ):
        images, labels = np.rint(file["images"] * (255 / 16)).astype(np.uint8), file["labels"]
    images = np.pad(images.repeat(3, 1).repeat(3, 2), ((0, 0), (2, 2), (2, 2)))
    held_back = np.arange(len(labels)) % 6 == 5
    return images[~held_back], labels[~held_back], images[held_back], labels[held_back]


def _mnist(images: Path, labels: Path) -> tuple[np.ndarray, ...]:
    """The images and the labels in two of MNIST's files."""
    arrays = _from_idx(images, 3), _from_idx(labels, 1)
    many, most = len(arrays[1]), arrays[1].max(initial=0)
    if many != len(arrays[0]) or most > 9:
        words = f"{labels}: {many} labels up to {most}, for {len(arrays[0])} images of 0 to 9"
        raise errors.DataLossError(None, None, words)
    return arrays


def read_data_sets(
    train_dir,
    fake_data: bool = False,
    one_hot: bool = False,
    dtype=dtypes.float32,
    reshape: bool = True,
    validation_size: int = 5000,
    seed: int | None = None,
    source_url: str = "",
) -> Datasets:
    """MNIST's three parts from its four files in `train_dir`, packed or not; nothing is downloaded, nothing fake.

    Where none of them is, 1,797 smaller digits of the same form come instead, and a line is logged. Of these a
    validation part that would leave none to train on takes a twelfth, as 5,000 are of MNIST's 60,000.
    Raises NotFoundError where some files are missing, DataLossError where one is damaged.
    """
    folder = Path(train_dir)
    paths = [
        min(folder.glob(f"{name}*"), default=folder / f"{name.replace('?', '-')}.gz")
        for name in NAMES
    ]
    if any(path.exists() for path in paths):
        images, labels, *test = *_mnist(*paths[:2]), *_mnist(*paths[2:])
    else:
        images, labels, *test = _digits()
        validation_size = len(images) // 12 if validation_size >= len(images) else validation_size
        tf_logging.warning(
            "No MNIST files in %s: 1,797 smaller digits take their place.", train_dir
        )
    if not 0 <= validation_size <= len(images):
        raise ValueError(
            f"Validation size should be between 0 and {len(images)}. Received: {validation_size}."
        )

    def part(images: np.ndarray, labels: np.ndarray) -> DataSet:
        labels = np.eye(10)[labels] if one_hot else labels
        return DataSet(images[..., None], labels, fake_data, one_hot, dtype, reshape, seed)

    at = validation_size
    return Datasets(part(images[at:], labels[at:]), part(images[:at], labels[:at]), part(*test))
