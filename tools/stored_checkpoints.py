"""`python -m tools.stored_checkpoints`: let TensorFlow write the checkpoints of this folder again."""

import os
import subprocess
import sys
from pathlib import Path

from tests.training.checkpoints import BFLOAT16, OBJECTS, VALUES

FOLDER = Path(__file__).resolve().parents[1] / "tests" / "training" / "checkpoints"


def record(tf):
    """Write what TensorFlow 1 wrote."""
    for name, values in (VALUES | {"bfloat16": BFLOAT16}).items():
        config = tf.ConfigProto(device_count={"CPU": 2})
        with tf.Graph().as_default(), tf.Session(config=config) as sess:
            for index, (key, value) in enumerate(values.items()):
                options = {}
                if name == "sliced" and value.ndim or key == "rows":
                    axis = value.shape.index(max(value.shape))
                    options["partitioner"] = tf.fixed_size_partitioner(3, axis)
                with tf.device(f"/cpu:{index % 2}" if name == "sharded" else None):
                    first = tf.cast(value, tf.bfloat16) if name == "bfloat16" else tf.constant(value)
                    tf.get_variable(key, initializer=first, use_resource=False, **options)
            sess.run(tf.global_variables_initializer())
            saver = tf.train.Saver(sharded=name == "sharded")
            saver.save(sess, str(FOLDER / name), write_state=False, write_meta_graph=False)


def record_objects():
    """Write what TensorFlow 2 writes; run in a separate process."""
    import tensorflow as tf

    variables = {key: tf.Variable(value, name=key) for key, value in OBJECTS.items()}
    tf.train.Checkpoint(model=tf.train.Checkpoint(**variables)).write(str(FOLDER / "objects"))


if __name__ == "__main__":
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    if sys.argv[1:]:
        record_objects()
    else:
        from tests.conformance.referee import import_tensorflow

        record(import_tensorflow())
        subprocess.run([sys.executable, "-m", "tools.stored_checkpoints", "objects"], check=True)
