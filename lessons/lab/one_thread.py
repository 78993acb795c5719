"""NumPy multiplies the matrices of these lessons in one thread, if it is not loaded yet.

They are small. On a busy machine, two threads wait for each other up to sixty times as long as one computes.
"""

import os

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(_name, "1")
