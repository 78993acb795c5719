"""A cell that is marked `# ✓ TensorFlow 2.21` shows what it would show with TensorFlow.

`pytest -m tensorflow tests/lessons/test_marks.py` runs each lesson from top to bottom with TensorFlow for minitf.
Cells without the mark may fail, because they show what only minitf has, such as a program. (Scripts that `lab` runs in
processes of their own still run on minitf; tests/conformance/facts has what TensorFlow says about these.)
"""

import re

import pytest

from lab import recorded
from lab.experiments import errors
from lab.experiments.errors import first_line
from tests.lessons.notebooks import cells, lessons, read, text_of

ABOVE = r"^Graph execution error:\s+(Detected at node .*?\nNode: '\S*'\n)?"  # TensorFlow 2 adds where an op was made
MARK = "# ✓ TensorFlow 2.21"
OURS = "import minitf as tf"
THEIRS = "import tensorflow.compat.v1 as tf; tf.disable_v2_behavior()"


def marked(path):
    """Return the marked cells of a lesson."""
    return [cell for cell in cells(read(path), "code") if MARK in cell.source]


def shown(outputs):
    """Return what outputs say, in words: what was printed, and the words of views."""
    for output in outputs:
        yield output["text"] if "text" in output else output["data"].get("text/plain", "")


def test_some_cells_are_marked():
    assert sum(len(marked(path)) for path in lessons()) >= 20


def test_a_mark_ends_a_cell_that_shows_something_and_lesson_00_explains_it():
    assert MARK.endswith(recorded("graphs_and_runs")["tensorflow"].rpartition(".")[0])
    assert f"`{MARK}`" in text_of("00")
    for cell in (cell for path in lessons() for cell in cells(read(path), "code") if "✓" in cell.source):
        assert cell.source.count("✓") == 1 and cell.source.endswith(f"\n{MARK}"), cell.id
        assert "".join(shown(cell.outputs)).strip(), cell.id


@pytest.mark.tensorflow
@pytest.mark.parametrize("path", [path for path in lessons() if marked(path)], ids=lambda path: path.stem)
def test_tensorflow_shows_the_same(path, tmp_path, monkeypatch):
    import tensorflow.compat.v1 as tf
    from IPython.core.interactiveshell import InteractiveShell
    from IPython.utils.capture import capture_output

    tf.reset_default_graph()
    monkeypatch.chdir(path.parent)
    monkeypatch.setattr(errors, "first_line", lambda error: first_line(re.sub(ABOVE, "", str(error), flags=re.DOTALL)))
    InteractiveShell.clear_instance()
    shell = InteractiveShell.instance()
    for cell in cells(read(path), "code"):
        with capture_output() as said:
            shell.run_cell(cell.source.replace(OURS, THEIRS), store_history=False)
        if MARK in cell.source:
            words = [re.sub(r"Out\[\d+\]:", "", said.stdout), *(output.data["text/plain"] for output in said.outputs)]
            assert "".join(words).split() == "".join(shown(cell.outputs)).split(), cell.id
