"""`python -m minitf --check`: what it prints and returns, what it leaves out, and what it can't read."""

import json
import os
import sys
from pathlib import Path

import pytest

from minitf.__main__ import main
from minitf.checking import python2
from minitf.checking.files import scripts
from minitf.checking.rules import RULES

FAULTY = """\
import tensorflow as tf

w = tf.get_variable("w", [])
step = tf.train.get_or_create_global_step()
rate = tf.train.exponential_decay(0.1, step, 100, 2.0)
train_op = tf.train.GradientDescentOptimizer(rate).minimize(w * w)
"""
GROWS = "rate-grows `rate` grows: every `decay_steps` steps multiply it by `decay_rate`, which is 2"
NOT_PASSED = (
    "step-not-passed `rate` depends on `step`, but no optimizer counts `step`, so it never moves, "
    "and the rate never changes"
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The current folder, with one script that has two faults."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "train.py").write_text(FAULTY)
    return tmp_path


def lines(capsys, *arguments):
    """What `--check` prints, and its exit code."""
    code = main(["--check", *arguments])
    return capsys.readouterr().out.splitlines(), code


def identifiers(capsys, *arguments):
    """The identifiers of what `--check` prints."""
    return [line.split(": ", 1)[1].split()[0] for line in lines(capsys, *arguments)[0]]


def notebook(*cells):
    """A notebook with these cells of code, the first below a cell of text."""
    made = [{"cell_type": "markdown", "source": ["# A title"]}]
    made += [{"cell_type": "code", "source": cell.splitlines(keepends=True), "outputs": []} for cell in cells]
    return json.dumps({"cells": made, "nbformat": 4})


def test_findings_are_printed_with_their_places_and_counted(folder, capsys):
    assert main(["--check", "."]) == 1
    shown = capsys.readouterr()
    assert shown.out.splitlines() == [f"train.py:5:8: {GROWS}", f"train.py:6:12: {NOT_PASSED}"]
    assert shown.err == "2 findings in 1 file\n"
    (folder / "train.py").write_text("import tensorflow as tf")
    assert main(["--check", "train.py"]) == 0
    assert (
        capsys.readouterr().err
        == "0 findings in 1 file (this reads the text only; --explain runs a script, and sees more)\n"
    )


def test_a_path_outside_of_the_current_folder_is_absolute(folder, tmp_path_factory, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    assert lines(capsys, str(folder))[0][0] == f"{folder / 'train.py'}:5:8: {GROWS}"


def test_columns_count_characters(folder, capsys):
    (folder / "train.py").write_text(FAULTY.replace("rate = tf", "名前 = rate = tf"), "utf-8")
    assert lines(capsys, "train.py")[0][0].startswith("train.py:5:13: rate-grows")


def test_select_and_ignore_choose_the_rules(folder, capsys):
    assert identifiers(capsys, "--select", "rate-grows,no-such-name", ".") == ["rate-grows"]
    assert identifiers(capsys, ".", "--ignore", "rate-grows") == ["step-not-passed"]
    assert lines(capsys, ".", "--select=rate-grows", "--ignore=rate-grows") == ([], 0)


@pytest.mark.parametrize("option", ["--select", "--ignore"])
def test_an_unknown_identifier_is_refused_with_those_that_are_known(option, folder, capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["--check", option, "rate-grows,no-such-rule", "."])
    said = capsys.readouterr().err
    assert stopped.value.code == 2 and "there is no no-such-rule" in said and all(id in said for id in RULES)


@pytest.mark.parametrize("arguments", [[], ["nowhere.py"], [".", "nowhere"], ["--json", "no/file.json", "."]])
def test_what_cannot_begin_is_a_usage_error(arguments, folder, capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["--check", *arguments])
    assert stopped.value.code == 2


@pytest.mark.parametrize(
    "comment, left",
    [
        ("# minitf: ignore", ["step-not-passed"]),
        ("# minitf: ignore[rate-grows]", ["step-not-passed"]),
        ("# it warms up  # minitf: ignore[step-not-saved, rate-grows]", ["step-not-passed"]),
        ("# minitf: ignore[step-not-passed]", ["rate-grows", "step-not-passed"]),
        ("# minitf: ignored", ["rate-grows", "step-not-passed"]),
    ],
)
def test_a_comment_silences_its_statement(comment, left, folder, capsys):
    for broken in (False, True):
        text = FAULTY.replace("100, 2.0)", f"100, 2.0)  {comment}")
        if broken:
            text = text.replace("0.1, step,", "0.1,\n    step,")
        (folder / "train.py").write_text(text)
        assert identifiers(capsys, "train.py") == left


def test_a_comment_inside_a_string_silences_nothing(folder, capsys):
    (folder / "train.py").write_text(FAULTY.replace("100, 2.0)", "100, 2.0, name='# minitf: ignore')"))
    assert identifiers(capsys, "train.py") == ["rate-grows", "step-not-passed"]


def test_findings_are_written_as_json(folder, capsys):
    main(["--check", "--json", "found.json", "train.py"])
    found = json.loads((folder / "found.json").read_text("utf-8"))
    assert found[0] == {
        "path": "train.py",
        "cell": None,
        "line": 5,
        "column": 8,
        "end_line": 5,
        "end_column": 55,
        "id": "rate-grows",
        "words": GROWS.removeprefix("rate-grows "),
        "title": RULES["rate-grows"].title,
        "lesson": "lessons/05_the_rate_reads_the_clock.ipynb",
    }
    assert [each["id"] for each in found] == ["rate-grows", "step-not-passed"]


def test_lines_of_a_notebook_are_those_of_a_cell(folder, capsys):
    start, end = FAULTY.split("rate = ")
    magic = "%matplotlib inline\n!pip install \\\n  tensorflow==1.15\nfiles = !ls\n?tf\nif True:\n    %cd ..\n"
    shell = "%%bash\nls 'not Python"
    timed = "%%time\n# minitf: ignore\nrate = " + end
    (folder / "train.py").unlink()
    (folder / "book.ipynb").write_text(notebook(magic + start, shell, timed))
    place = "book.ipynb:cell 4:"
    assert lines(capsys, ".") == ([f"{place}3:8: {GROWS}", f"{place}4:12: {NOT_PASSED}"], 1)
    main(["--check", "--json", "found.json", "book.ipynb"])
    assert json.loads((folder / "found.json").read_text())[0]["cell"] == 4
    capsys.readouterr()
    (folder / "book.ipynb").write_text(notebook(magic + start, timed.replace("2.0)", "2.0)  # minitf: ignore")))
    assert identifiers(capsys, ".") == ["step-not-passed"]


PYTHON_2 = """\
print "started",
print >>log, `x`, 10L, 0777, ur"text"
exec "x = 1" in {}
try:
\tif x <> 1:
                raise ValueError, "no"
except (ValueError, KeyError), error:
    print
def unpack(a, (b, c)):
    return lambda (x, y): x
"""


def test_python_2_is_read_with_its_own_lines(folder, capsys):
    (folder / "train.py").write_text(PYTHON_2 + FAULTY)
    places = [line.split(": ")[0] for line in lines(capsys, "train.py")[0]]
    assert places == ["train.py:15:8", "train.py:16:12"]


def test_without_its_parser_python_2_is_not_read_and_it_says_how_to_get_it(folder, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "tree_sitter", None)
    python2._parser.cache_clear()
    (folder / "old.py").write_text("print 1")
    assert main(["--check", "."]) == 1
    shown = capsys.readouterr()
    assert len(shown.out.splitlines()) == 2
    assert shown.err.splitlines() == [
        "2 findings in 1 file; 1 file couldn't be read:",
        f"  old.py: it isn't Python 3; to read Python 2, first run `{python2.HOW_TO_GET_IT}`",
    ]


UNREADABLE = {
    "binary.py": bytes(range(256)) * 9,
    "null.py": b"x = 1\0",
    "deep.py": b"x = " + b"(" * 5000 + b")" * 5000,
    "sum.py": b"x = " + b"1 + " * 50_000 + b"1",
    "huge.py": b"x = 1\n" * 200_000,
    "wrong.py": b"x = = 1",
    "coding.py": b"# -*- coding: no-such-coding -*-\nx = = 1",
    "list.ipynb": b"[1, 2]",
    "cut.ipynb": b'{"cells": [',
    "deep.ipynb": b"[" * 100_000,
    "wrong.ipynb": notebook("x = = 1").encode(),
}


def test_what_cannot_be_read_is_listed_with_the_reason(folder, capsys):
    for name, data in UNREADABLE.items():
        (folder / name).write_bytes(data)
    (folder / "latin.py").write_bytes("# -*- coding: latin-1 -*-\nx = 'ü'".encode("latin-1"))
    (folder / "undeclared.py").write_bytes("x = 'ü'".encode("latin-1"))
    assert main(["--check", "."]) == 1
    first, *rest = capsys.readouterr().err.splitlines()
    listed = {line.split(":")[0].strip() for line in rest}
    assert listed <= set(UNREADABLE) and set(UNREADABLE) - listed <= {"sum.py"}
    assert f"{len(listed)} files couldn't be read:" in first
    assert "  wrong.ipynb: it isn't valid Python: invalid syntax, cell 2, line 1" in rest


def test_installed_files_are_not_searched(tmp_path):
    for name in ("a.py", "src/b.py", "book.ipynb", "notes.txt", ".git/c.py", "env/pyvenv.cfg", "env/lib/d.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    for name in ("lib/site-packages/e.py", "__pycache__/f.py", ".ipynb_checkpoints/book.ipynb"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    found = [os.path.relpath(path, tmp_path) for path in scripts([tmp_path, tmp_path / "a.py"])]
    assert found == ["a.py", "book.ipynb", os.path.join("src", "b.py")]


def test_its_own_lessons_can_be_checked(capsys):
    folder = Path(__file__).resolve().parents[2] / "lessons"
    main(["--check", str(folder / "clinic"), str(folder / "inheritance")])
    assert "couldn't be read" not in capsys.readouterr().err
