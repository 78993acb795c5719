"""nbval notices a changed digit and a changed curve, and leaves alone how a picture is drawn."""

from __future__ import annotations

import copy
import subprocess
import sys

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat import v4

from tests.lessons.notebooks import LESSONS, ROOT
from tools.execute import tidy

CELLS = [
    "import matplotlib.pyplot as plt\nimport numpy as np\n\nimport lab",
    "print(f'{1 / 3:.4f}')",
    "plt.plot(0.1 * 2 ** (np.arange(21) / 10))\nplt.show()",
    "@lab.explore(power=(1, 3))\ndef draw(power=2):\n    plt.plot(np.arange(5) ** power)",
]
CHANGES = {
    "nothing": (2, "", "", False),
    "a digit": (1, "1 / 3", "1 / 3.001", True),
    "a curve by a thousandth": (2, "/ 10", "/ 10.01", True),
    "no figure": (2, "plt.show()", "plt.close()", True),
    "an explorer's curve": (3, "np.arange(5)", "np.arange(1, 6)", True),
    "a colour": (2, "/ 10)", "/ 10), color='red'", False),
}


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    """Execute a small lesson as the lessons are, change a copy of it for each case, and return what nbval says."""
    notebook = v4.new_notebook(cells=[v4.new_code_cell(source, id=f"cell-{n}") for n, source in enumerate(CELLS)])
    before = copy.deepcopy(notebook)
    client = NotebookClient(notebook, resources={"metadata": {"path": str(LESSONS)}}, store_widget_state=False)
    stored = tidy(client.execute(), before)
    for output in stored.cells[2].outputs:
        output.data["image/png"] = "iVBORw0KGgo="  # as if drawn by another version of matplotlib
    folder = tmp_path_factory.mktemp("strict")
    (folder / "lab").symlink_to(LESSONS / "lab")
    for name, (number, old, new, _) in CHANGES.items():
        changed = copy.deepcopy(stored)
        assert old in changed.cells[number].source
        changed.cells[number].source = changed.cells[number].source.replace(old, new)
        nbformat.write(changed, folder / f"{name}.ipynb")
    command = [sys.executable, "-m", "pytest", "-n0", "-pconftest", f"-c{ROOT / 'pyproject.toml'}", str(folder)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout


@pytest.mark.parametrize("name", CHANGES)
def test_what_nbval_notices(said, name):
    *_, fails = CHANGES[name]
    assert f"{name}.ipynb" in said
    assert (f"FAILED {name}.ipynb" in said) == fails, said
