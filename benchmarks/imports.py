"""What `import minitf` costs beside `import numpy`, each in new processes taking turns."""

from __future__ import annotations

import os
import subprocess
import sys

from benchmarks.compare import Pair

_TIME = "import time; t = time.perf_counter(); import {}; print(time.perf_counter() - t)"
# The peak of this very process: what getrusage says may be that of the process that started it.
_MEMORY = "import {}; print(open('/proc/self/status').read().split('VmHWM:')[1].split()[0])"


def _run(code: str) -> float:
    # Compiled files are kept between the runs, as they are for everybody who imports twice.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    result = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    return float(result.stdout)


def measure(rounds: int = 15) -> Pair:
    """Seconds that the import itself takes in a new process."""
    pairs = [tuple(_run(_TIME.format(name)) for name in ("minitf", "numpy")) for _ in range(rounds)]
    return Pair.of(pairs[1:])


def extra_memory() -> float:
    """MiB that minitf adds to a process that has imported NumPy (on Linux)."""
    ours, numpys = (_run(_MEMORY.format(name)) for name in ("minitf", "numpy"))
    return (ours - numpys) / 1024
