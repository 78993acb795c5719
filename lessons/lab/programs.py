"""Lets `!` and `%tensorboard` find the programs beside this Python, even if its environment is not active."""

import os
import sysconfig

os.environ["PATH"] = os.pathsep.join([sysconfig.get_path("scripts"), os.environ.get("PATH", "")])
