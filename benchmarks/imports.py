"""What `import minitf` costs, compared with `import numpy`: new processes run them in turns."""

import os
import subprocess
import sys

from benchmarks.compare import Pair

_TIME = "import time; t = time.perf_counter(); import {}; print(time.perf_counter() - t)"
# The peak of this process itself. What getrusage returns may be its parent's.
_MEMORY = "import {}; print(open('/proc/self/status').read().split('VmHWM:')[1].split()[0])"


def _run(code):
    # Keep compiled files between the runs, as for anyone who imports minitf more than once.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    result = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    return float(result.stdout)


def measure(rounds=15):
    """The seconds that either import takes in a new process."""
    pairs = [tuple(_run(_TIME.format(name)) for name in ("minitf", "numpy")) for _ in range(rounds)]
    return Pair.of(pairs[1:])


def extra_memory():
    """The MiB that importing minitf takes beyond those of importing NumPy (on Linux)."""
    ours, numpys = (_run(_MEMORY.format(name)) for name in ("minitf", "numpy"))
    return (ours - numpys) / 1024
