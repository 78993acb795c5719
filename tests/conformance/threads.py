"""Let threads share one session: `python -m tests.conformance.threads` asks TensorFlow, and tells lesson 13.

Each thread runs `assign_add` and notes the value that the run gave. A run in TensorFlow is not atomic: between the
addition and the read another thread may add, so that two threads see one value and another one is seen by
nobody. How many values differ is up to the processor: the file says what came once.

It needs TensorFlow, as tests/conformance/record.py does.
"""

from __future__ import annotations

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tests.conformance import recordings
from tests.conformance.outcomes import observe
from tests.conformance.record import import_tensorflow

DATA = Path(__file__).resolve().parents[2] / "lessons" / "data"
THREADS, STEPS = 8, 3_000


def counted(tf: Any, threads: int = THREADS, steps: int = STEPS) -> dict[str, int]:
    """Return what the step holds in the end, and how many different values the runs gave."""

    def program(tf: Any, np: Any) -> dict[str, int]:
        step = tf.Variable(0, trainable=False, name="step")
        add_one = tf.assign_add(step, 1)
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())

            def count(thread: int) -> list[int]:
                return [int(sess.run(add_one)) for _ in range(steps)]

            with ThreadPoolExecutor(threads) as pool:
                seen = [value for values in pool.map(count, range(threads)) for value in values]
            reached = int(sess.run(step))
        return {"threads": threads, "steps": steps, "reached": reached, "different": len(set(seen))}

    return observe(program, tf)


def main() -> int:
    """Ask TensorFlow and write the file; fail if it lost a step."""
    tf = import_tensorflow()
    figures = counted(tf)
    print(figures)
    if figures["reached"] != THREADS * STEPS:
        print("a step was lost", file=sys.stderr)
        return 1
    version = tf.version.VERSION
    major, minor, _ = version.split(".")
    path = DATA / f"tensorflow_{major}_{minor}_threads.json"
    temporary = path.with_suffix(".part")
    temporary.write_text(recordings.pretty({"tensorflow": version, **figures}) + "\n", encoding="utf-8")
    os.replace(temporary, path)
    print(f"{path.name}: written")
    return 0


if __name__ == "__main__":
    sys.exit(main())
