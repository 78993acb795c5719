"""Checkpoints that are damaged at random, and what a library makes of each.

`python -m tests.training.damage` records what TensorFlow makes of them, where that is installed beside minitf.
"""

import hashlib
import os
import random
import shutil
import tempfile
from pathlib import Path

import numpy as np

ENDINGS = ["model.index", "model.data-00000-of-00001", "checkpoint", "model.meta"]
STORED = Path(__file__).parent / "damaged"
RECORDED = STORED.parent / "damaged.json"


def build(library):
    """Make the variables that the checkpoint holds."""
    library.Variable(np.arange(6, dtype=np.float32).reshape(2, 3), name="weights")
    library.Variable(np.int64(7), name="global_step", trainable=False)
    library.Variable(np.array([True, False]), name="flags", trainable=False)
    library.Variable(np.float64(2.5), name="scope/rate", trainable=False)


def save(library, folder):
    """Save the variables in a folder."""
    with library.Graph().as_default(), library.Session() as sess:
        build(library)
        sess.run(library.global_variables_initializer())
        library.train.Saver().save(sess, os.path.join(folder, "model"))
    state = Path(folder) / "checkpoint"
    state.write_text(state.read_text().replace(f"{folder}/", ""))


def damaged(data, rng):
    """Return what becomes of a file."""
    changed, size = bytearray(data), len(data)
    kind = rng.choice(["flip", "flip", "flip", "cut", "swap", "longer", "zeros", "without"])
    start, other = rng.randrange(size), rng.randrange(size)
    length = rng.randint(1, 32)
    if kind == "flip":
        for _ in range(rng.choice([1, 1, 2, 8])):
            changed[rng.randrange(size)] ^= 1 << rng.randrange(8)
    elif kind == "cut":
        del changed[start:]
    elif kind == "swap":
        changed[start], changed[other] = changed[other], changed[start]
    elif kind == "longer":
        changed += rng.randbytes(length)
    elif kind == "zeros":
        changed[start : start + length] = bytes(len(changed[start : start + length]))
    else:
        del changed[start : start + length]
    return bytes(changed)


def digest(values):
    """Return a short text that is the same for the same values."""
    text = repr([(name, np.asarray(v).dtype.str, np.asarray(v).tobytes()) for name, v in sorted(values.items())])
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def restored(library, folder, use_meta):
    """Restore the latest checkpoint of a folder, and return what came of it."""
    with library.Graph().as_default(), library.Session() as sess:
        try:
            path = library.train.latest_checkpoint(folder)
            if use_meta:
                saver = library.train.import_meta_graph(os.path.join(folder, "model.meta"))
            else:
                build(library)
                saver = library.train.Saver()
            if saver is None:
                return "no saver"
            saver.restore(sess, path)
            values = {v.name: sess.run(v.name) for v in library.global_variables()}
        except Exception as error:
            return type(error).__name__
        return f"ok {digest(values)}"


def case(seed):
    """Return the name of a file, and what it holds now."""
    rng = random.Random(seed)
    name = rng.choice(ENDINGS)
    return name, damaged((STORED / name).read_bytes(), rng)


def outcomes(library, seeds):
    """Return, for each case, the file that is damaged, and "ok" with a digest or the kind of the error."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for name, content in map(case, seeds):
            shutil.copytree(STORED, folder, dirs_exist_ok=True)
            Path(folder, name).write_bytes(content)
            found.append((name, restored(library, folder, name == "model.meta")))
    return found


def main():
    """Let TensorFlow save the checkpoint again, and record what it makes of 300 damaged ones."""
    from tests.conformance.referee import import_tensorflow

    tensorflow = import_tensorflow()
    with tempfile.TemporaryDirectory() as made:
        save(tensorflow, made)
        shutil.copytree(made, STORED, dirs_exist_ok=True)
    lines = [f'["{name}", "{outcome}"]' for name, outcome in outcomes(tensorflow, range(300))]
    RECORDED.write_text("[\n" + ",\n".join(lines) + "\n]\n")


if __name__ == "__main__":
    main()
