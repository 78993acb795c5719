"""Serve a folder by TensorBoard on this machine alone, until the process that started this one ends.

    python -P tensorboard_server.py FOLDER

The event files lie in FOLDER/logs. FOLDER is thrown away at the end. It is a program of its own, so that
TensorBoard's threads do not slow a lesson down. The end of the standard input tells that the other process
is gone, however it ended.
"""

from __future__ import annotations

import os
import shutil
import sys
import threading


def _end_with_parent(folder: str) -> None:
    sys.stdin.buffer.read()  # nobody writes: it returns when the other end is closed
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(0)


if __name__ == "__main__":
    threading.Thread(target=_end_with_parent, args=[sys.argv[1]], daemon=True).start()
    from tensorboard.main import run_main

    # Port 0: the system chooses one that is free. TensorBoard prints the address.
    sys.argv[1:] = [
        f"--logdir={sys.argv[1]}/logs",
        "--host=127.0.0.1",
        "--port=0",
        "--load_fast=false",
    ]
    run_main()
