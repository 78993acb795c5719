"""TensorFlow runs each case as well, and prints the same: pytest -m tensorflow tests/explain (minutes)."""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
import traceback
import warnings
from pathlib import Path

import pytest

from tests.explain.cases import ROOT, Case, cases


@pytest.fixture(scope="module")
def tensorflow():
    """TensorFlow's graph mode, imported once for all cases."""
    tf = pytest.importorskip("tensorflow.compat.v1")
    tf.disable_v2_behavior()
    tf.logging.set_verbosity(tf.logging.ERROR)
    return tf


def printed_by_tensorflow(tf, case: Case, folder: Path) -> tuple[str, str]:
    """Run a case in its own process, and return what it printed and its error."""
    folder.mkdir(exist_ok=True)
    out, error = folder.with_suffix(".out"), folder.with_suffix(".error")
    error.write_text("")
    pid = os.fork()
    if not pid:
        os.chdir(folder)
        sys.stdout = out.open("w", encoding="utf-8")
        warnings.simplefilter("ignore")
        sys.modules["tensorflow"], sys.argv = tf, [str(case.path)]
        try:
            runpy.run_path(str(case.path), run_name="__main__")
        except SystemExit:
            pass
        except BaseException:
            error.write_text(traceback.format_exc())
        sys.stdout.flush()
        os._exit(0)
    os.waitpid(pid, 0)
    return out.read_text("utf-8"), error.read_text("utf-8")


def printed_by_minitf(case: Case, folder: Path) -> tuple[str, str]:
    """Do the same with minitf."""
    folder.mkdir(exist_ok=True)
    command = [sys.executable, "-m", "minitf", str(case.path)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    return done.stdout, done.stderr if done.returncode else ""


@pytest.mark.tensorflow
@pytest.mark.parametrize("case", [pytest.param(case, id=case.path.stem) for case in cases()])
def test_tensorflow_prints_the_same(tensorflow, case, tmp_path):
    for _ in range(case.runs):
        printed, error = printed_by_tensorflow(tensorflow, case, tmp_path / "tensorflow")
        ours, our_error = printed_by_minitf(case, tmp_path / "minitf")
        assert ours == printed, error
        assert bool(our_error) == bool(error)
        if error:
            kind, names = re.findall(r"^(?:\w+\.)*(\w+Error)\b", error, re.M)[-1], r"uninitialized value \S+"
            assert kind in our_error
            assert re.findall(names, error)[:1] == re.findall(names, our_error)[:1]
