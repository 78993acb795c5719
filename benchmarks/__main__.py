"""`python -m benchmarks`: time every case in turns with the same work by hand, and print a table.

A ratio of 1 means as fast as NumPy by hand. Everything runs on one thread, and the numbers are
medians. For comparison, the last column has the ratios of TensorFlow 2.21, measured on another
machine.
"""

import os

for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_variable] = "1"  # read when NumPy is first imported

from benchmarks import cases, checkpoints, explained, imports  # noqa: E402


def main():
    """Run all benchmarks and print the table."""
    print(f"{'case':<42}{'minitf':>12}{'by hand':>12}{'ratio':>8}{'TensorFlow':>12}")
    for name, tensorflow, run in [*cases.CASES, *checkpoints.CASES, *explained.CASES]:
        pair = run()
        print(
            f"{name:<42}{_time(pair.ours):>12}{_time(pair.by_hand):>12}{pair.ratio:>8.2f}{tensorflow:>12}", flush=True
        )
    imported = imports.measure()
    print(
        f"{'import (beside numpy)':<42}{_time(imported.ours):>12}{_time(imported.by_hand):>12}"
        f"{imported.ratio:>8.2f}{41:>12}"
    )
    print(f"peak memory of the MLP's forward and backward pass: {cases.mlp_memory():.2f} times by hand")
    print(f"import minitf takes {imports.extra_memory():.1f} MiB more than import numpy")


def _time(seconds):
    return f"{seconds * 1e3:.1f} ms" if seconds > 1e-3 else f"{seconds * 1e6:.1f} us"


if __name__ == "__main__":
    main()
