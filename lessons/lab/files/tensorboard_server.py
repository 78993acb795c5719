"""Serve event files by TensorBoard on this machine alone, until the process that started this one ends.

    python -P tensorboard_server.py FOLDER

It is a program of its own, so that TensorBoard's threads do not slow a lesson down. The end of the standard
input tells that the other process is gone, however it ended.
"""

import os
import sys
import threading


def _end_with_parent() -> None:
    sys.stdin.buffer.read()  # nobody writes: it returns when the other end is closed
    os._exit(0)


if __name__ == "__main__":
    threading.Thread(target=_end_with_parent, daemon=True).start()
    from tensorboard.main import run_main

    # Port 0: the system chooses one that is free. TensorBoard prints the address.
    server = ["--host=127.0.0.1", "--port=0", "--load_fast=false"]
    sys.argv[1:] = [f"--logdir={sys.argv[1]}", *server]
    run_main()
