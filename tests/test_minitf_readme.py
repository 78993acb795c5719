"""minitf/README.md tells the truth: its examples print what it shows, its additions work, names are where it says."""

import ast
import contextlib
import functools
import importlib
import io
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import minitf as tf
from minitf.client.lowering import fed_value, lower
from minitf.client.order import execution_order
from minitf.client.session import program_of

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "minitf" / "README.md").read_text(encoding="utf-8")
TABLE = "\n".join(line for line in README.splitlines() if line.startswith("| "))
LINK = r"\[[^]]*\]\(([^)]+)\)"
# `a` and `b` in [a file](path); in the table, `tf.a`, `tf.b`: [a file](path).
CLAIMS = [(names, path) for names, path in re.findall(rf"((?:`\w[\w.]*`(?: and )?)+)\s+in\s+{LINK}", README)]
ROWS = re.findall(rf"((?:`tf\.[\w.]+`(?:, )?)+): {LINK}", TABLE)
WANTED = """
    tf.Variable tf.placeholder tf.add_n tf.cond tf.gradients tf.get_variable tf.train.AdamOptimizer tf.train.Saver
    tf.train.exponential_decay tf.train.MonitoredTrainingSession tf.train.StopAtStepHook tf.summary.scalar tf.flags
    tf.gfile.GFile tf.train.FtrlOptimizer
"""


def blocks(language):
    """Return README's blocks of this language."""
    return re.findall(rf"^```{language}\n(.*?)^```", README, flags=re.MULTILINE | re.DOTALL)


def names(text):
    """Return what is between backticks."""
    return re.findall(r"`([\w.]+)`", text)


@functools.cache
def defined_in(path):
    """Return the names that a file defines: its own, and those of its classes' methods."""
    found = set()
    tree = ast.parse((ROOT / "minitf" / path).read_text(encoding="utf-8"))
    for prefix, body in [("", tree.body)] + [(f"{n.name}.", n.body) for n in tree.body if isinstance(n, ast.ClassDef)]:
        for node in body:
            if isinstance(node, ast.ClassDef | ast.FunctionDef):
                found.add(prefix + node.name)
            elif isinstance(node, ast.Assign | ast.AnnAssign):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                names = {n.id for target in targets for n in ast.walk(target) if isinstance(n, ast.Name)}
                found |= {prefix + name for name in names}
    return found


def test_a_run_prints_what_is_shown_and_counts_what_is_said_at_its_stations():
    (code,), (shown,) = blocks("python"), blocks("text")
    example = {}
    with tf.Graph().as_default() as graph, contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(code, example)
    assert printed.getvalue() == shown
    fed = {example["x"], example["y"]}
    order = execution_order([example["train"]], fed)
    nodes = lower(order, {tensor: fed_value(tensor) for tensor in fed}, [None]).nodes
    counts = f"{len(graph.get_operations())} ops, this run needs {len(order)}, which become {len(nodes)} nodes"
    assert f"Of the graph's {counts} and then ten statements." in README
    assert len(program_of(example["train"]).statements) == 10


def test_links_lead_somewhere():
    lost = [path for path in re.findall(LINK, README) if not (ROOT / "minitf" / path).exists()]
    assert lost == []


@pytest.mark.parametrize(("claimed", "path"), CLAIMS)
def test_what_a_file_is_opened_for_is_there(claimed, path):
    assert set(names(claimed)) <= defined_in(path)


@pytest.mark.parametrize(("listed", "path"), ROWS)
def test_a_name_of_the_table_is_defined_in_its_file(listed, path):
    home = importlib.import_module("minitf." + path.removesuffix(".py").replace("/", "."))
    for name in names(listed):
        found = functools.reduce(getattr, name.split(".")[1:], tf)
        last = name.rpartition(".")[2]
        assert found is home or found is getattr(home, last) and last in defined_in(path)


def test_the_table_has_the_names_that_people_look_for():
    assert set(WANTED.split()) <= {name for listed, _ in ROWS for name in names(listed)}
    assert TABLE.count("`tf.") == sum(len(names(listed)) for listed, _ in ROWS) + 2  # TensorBoard's


# The additions.


def apply(diff, folder):
    """Change the files as a diff says; `@@ path @@` is above the lines of each file, which may be a new one."""
    for path, change in re.findall(r"^@@ (\S+) @@\n((?:[ +-].*\n|\+\n)+)", diff, flags=re.MULTILINE):
        lines = change.splitlines(keepends=True)
        before, after = ("".join(line[1:] for line in lines if line[0] in kept) for kept in (" -", " +"))
        text = (folder / path).read_text(encoding="utf-8") if before else ""
        words = f"minitf/README.md shows these lines of {path}. If you changed them, change them there as well:"
        assert not before or text.count(before) == 1, f"{words}\n{before}"
        (folder / path).write_text(text.replace(before, after) if before else after, encoding="utf-8")


def run(folder, *arguments, **options):
    """Run Python with minitf and the tests of this folder; return what it prints."""
    environment = os.environ | {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-P", *arguments]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def grown(tmp_path_factory):
    """A copy of minitf and its tests with all additions."""
    folder = tmp_path_factory.mktemp("grown")
    shutil.copy(ROOT / "pyproject.toml", folder)  # Ruff's settings
    left_out = shutil.ignore_patterns("__pycache__", "recorded", "browser", "lessons", "checkpoints")
    for name in ("minitf", "tests"):
        shutil.copytree(ROOT / name, folder / name, ignore=left_out)
    for diff in blocks("diff"):
        apply(diff, folder)
    return folder


def test_what_is_added_does_what_is_shown(grown):
    program = "import doctest, sys, minitf as tf; print(tf.__file__); tf.logging.set_verbosity(tf.logging.ERROR); "
    program += "example = doctest.DocTestParser().get_doctest(sys.stdin.read(), {'tf': tf}, 'README.md', None, 0); "
    program += "sys.exit(doctest.DocTestRunner().run(example).failed)"
    assert run(grown, "-c", program, input="\n".join(blocks("pycon"))).startswith(str(grown))


def test_what_is_added_is_formatted(grown):
    changed = sorted({path for diff in blocks("diff") for path in re.findall("^@@ (.+) @@$", diff, re.MULTILINE)})
    run(grown, "-m", "ruff", "format", "--check", *changed)
    run(grown, "-m", "ruff", "check", *changed)


def test_what_is_added_passes_the_tests_that_ask_for_it(grown):
    folders = ["ops/test_gradients.py", "framework/test_registry.py", "training/test_update_rules.py"]
    files = [f"tests/{name}" for name in [*folders, "conformance/test_signatures.py"]]
    options = ["-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:nbval", "-c", os.devnull, "--rootdir=."]
    options += ["-m", "not tensorflow", "-q", "-k", "erfc or Lion or warmup or StopBelow or listed or optimizer_here"]
    printed = run(grown, "-m", "pytest", *options, *files)
    assert re.search(r"\b\d\d passed", printed), printed
