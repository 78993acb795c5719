"""`--explain` adds a report and changes nothing else: not the output, the exit code or the files of a script."""

from __future__ import annotations

import json
import os
import re
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

import minitf as tf
from minitf.__main__ import main
from minitf.client.watchers import watchers
from minitf.explain import FINDINGS, explained
from minitf.explain.record import recording
from minitf.framework.events import listeners
from minitf.stand_in import standing_in
from tests.lessons.notebooks import LESSONS

TRAINING = """
    import tensorflow as tf

    step = tf.train.get_or_create_global_step()
    w = tf.Variable(1.0, name="w")
    rate = tf.train.exponential_decay(0.25, step, 2, 0.5)
    train = tf.train.GradientDescentOptimizer(rate).minimize(w * w, global_step=step)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(4):
            sess.run(train)
        print("%d %.2f" % tuple(sess.run([step, w])))
"""


def words(found) -> str:
    """Return what a process wrote to stderr."""
    return found.stderr.decode()


def test_the_report_is_on_stderr_and_says_that_nothing_was_found(command, tmp_path):
    found = command(["--explain"], TRAINING)
    assert (found.returncode, found.stdout) == (0, command([], TRAINING).stdout)
    assert words(found).startswith("script.py ended after 4 runs of its train ops.\n")
    assert f"Looked for {len(FINDINGS)} kinds of faults and found none." in words(found)
    assert "  step   went from 0 to 4; changed by line 7 (4 times)\n" in words(found)
    assert "  train  ran 4 times and counts step\n" in words(found)
    assert "falls from 0.25 to 0.0625 over step 0 to 4; decay_steps is 2  █▅▃▂▁" in words(found)
    assert [path.name for path in tmp_path.iterdir()] == ["script.py"]


ENDS = {
    "sys.exit(3)": "ended",
    "sys.exit()": "ended",
    "raise SystemExit('over')": "ended",
    "1 / 0": "failed with ZeroDivisionError",
    "print(": "failed with SyntaxError",
    "import os; os.write(1, b'\\xff\\r\\n'); print(sys.argv, flush=True)": "ended",
    "raise KeyboardInterrupt": "was interrupted",
}


@pytest.mark.parametrize("statement", ENDS)
def test_output_and_exit_code_stay_the_scripts(command, statement):
    text = f"import sys\nprint('begins')\n{statement}"
    plain, found = command([], text, "a", "--html"), command(["--explain"], text, "a", "--html")
    assert (found.returncode, found.stdout) == (plain.returncode, plain.stdout)
    assert f"script.py {ENDS[statement]} after 0 runs of its train ops." in words(found)


def test_an_error_in_training_is_explained_after_its_traceback(command):
    found = command(["--explain"], TRAINING.replace("sess.run(tf.global_variables_initializer())", "pass"))
    assert found.returncode == 1
    assert words(found).index("Traceback") < words(found).index("not-initialized: ")


def test_it_stops_after_some_steps(command):
    found = command(["--explain", "--steps", "2"], TRAINING)
    assert (found.returncode, found.stdout) == (0, b"")
    assert words(found).startswith("script.py was stopped after 2 runs of its train ops.")


def test_interrupted_in_training(command):
    text = TRAINING.replace("sess.run(train)", "sess.run(train)\n            if _ == 2: raise KeyboardInterrupt")
    found = command(["--explain"], text)
    assert found.returncode == command([], text).returncode
    assert "script.py was interrupted after 3 runs of its train ops." in words(found)


def test_what_cannot_be_opened_has_no_report(capsys):
    assert main(["--explain", "nowhere.py"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    with pytest.raises(SystemExit):
        main(["--explain"])


def test_plain_values_are_valid_and_the_same_each_time(command, tmp_path):
    written = []
    for _ in range(2):
        command(["--explain", "--json", "facts.json"], TRAINING.replace("0.25, step, 2, 0.5", "0.25, step, 1, 1e30"))
        written.append((tmp_path / "facts.json").read_text("utf-8"))
    assert written[0] == written[1]
    facts = json.loads(written[0], parse_constant=pytest.fail)  # NaN and Infinity aren't JSON
    assert [finding["id"] for finding in facts["findings"]] == ["rate-grows"]
    [step], [train] = facts["steps"], facts["train_ops"]
    assert (step["variable"], step["first"], step["last"]) == ("global_step", 0, 4)
    assert [(place["line"], place["times"]) for place in step["changed_by"]] == [(7, 4)]
    assert (train["counts"], train["runs"], train["changes"]) == (["step"], 4, ["w", "global_step"])
    assert facts["rates"][0]["points"][:2] == [[0, 0.25], [1, pytest.approx(2.5e29)]]


class Tags(HTMLParser):
    """Collects the tags and attributes of a page."""

    def __init__(self):
        super().__init__()
        self.seen = set()

    def handle_starttag(self, tag, attrs):
        """Note the tag, and each attribute."""
        self.seen |= {tag, *(f"{tag} {name}" for name, _ in attrs)}


def test_the_page_escapes_everything_of_the_scripts(command, tmp_path):
    evil = "<script>alert(1)</script><img src=x onerror=alert(2)>"
    text = TRAINING.replace("get_or_create_global_step()", "create_global_step()")
    text += f"""    writer = tf.summary.FileWriter("logs")
    bad = tf.train.get_global_step(tf.Graph()), {evil!r}
    for i in range(3): writer.add_summary(tf.Summary(), i + len({evil!r}))
    raise ValueError({evil!r} + '"global_step" already exists.')
    """
    command(["--explain", "--html", "page.html"], text)
    page = (tmp_path / "page.html").read_text("utf-8")
    tags = Tags()
    tags.feed(page)
    assert "&lt;script&gt;alert(1)" in page
    allowed = "html head meta title style body header section figure figcaption h1 h2 h3 p ul li a"
    allowed += " table tr th td br div code pre span svg polyline line text circle"
    assert {tag for tag in tags.seen if " " not in tag} <= {*allowed.split()}
    attributes = {tag.split(" ")[1] for tag in tags.seen if " " in tag}
    allowed = "lang charset name content http-equiv viewbox points class id href role aria-label aria-hidden"
    allowed += " colspan tabindex x y x1 x2 y1 y2 cx cy r"
    assert attributes <= {*allowed.split()}


def test_the_page_is_whole(command, tmp_path):
    command(["--explain", "--html", "page.html"], TRAINING)
    page = (tmp_path / "page.html").read_text("utf-8")
    assert "$" not in page and "http" not in page.replace("http-equiv", "")
    assert "prefers-color-scheme: dark" in page and "<polyline points=" in page
    assert '<td class="did">0 → 4</td><td><code>step = tf.train.get_or_create_global_step()</code></td>' in page


def test_a_line_of_the_page_says_how_often_all_its_train_ops_ran(command, tmp_path):
    train = "train = tf.group(*[sgd.minimize(v, step) for v in (w, w * w)])"
    made = "train = tf.train.GradientDescentOptimizer(rate).minimize(w * w, global_step=step)"
    text = TRAINING.replace(made, f"sgd = tf.train.GradientDescentOptimizer(rate)\n    {train}")
    found = command(["--explain", "--html", "page.html"], text)
    assert "changed by line 8 (8 times)" in words(found)
    page = (tmp_path / "page.html").read_text("utf-8")
    assert '<td class="did">8 ×</td><td><code>train = tf.group' in page


def test_a_script_that_cannot_run_gets_what_its_text_shows(command):
    text = """
        import tensorflow as tf
        data = tf.placeholder(tf.float32, [3])
        loss = tf.square(tf.Variable(1.0) - data)
        global_step = tf.Variable(0, trainable=False)
        rate = tf.train.exponential_decay(0.1, 0, 100, 0.5)
        train = tf.train.AdamOptimizer(rate).minimize(loss)
        open("no_such_data.txt")
    """
    found = command(["--explain"], text)
    assert "Nothing was trained, so there's no run to report on." in words(found)
    assert "From reading the script alone, without running it:\nscript.py:6:8: rate-never-moves " in words(found)
    command(["--explain", "--html", "page.html"], text)


def test_a_stored_graph_prints_its_train_op(command, tmp_path, capsys):
    command([], TRAINING + '        tf.train.Saver().save(sess, "m", global_step=step)')
    assert main(["--explain", str(tmp_path / "m-4.meta")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["# GradientDescent", "def program(state):"]
    assert lines[-1] == '    state["global_step"] += 1  # GradientDescent'
    (tmp_path / "damaged.meta").write_bytes((tmp_path / "m-4.meta").read_bytes()[:100])
    for name in ("damaged.meta", "none.meta"):
        assert main(["--explain", str(tmp_path / name)]) == 1
        found = capsys.readouterr()
        assert found.out == "" and name in found.err


README, CLINIC = LESSONS.parent / "README.md", LESSONS / "15_bug_clinic.ipynb"
SCRIPTS = [
    (README, Path(__file__).parent / "cases" / "fault_saver_before_the_step.py"),
    (CLINIC, LESSONS / "inheritance" / "fit_wave.py"),
]


@pytest.mark.parametrize("page, script", SCRIPTS)
def test_the_pages_show_a_report_as_it_is(page, script, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)  # both scripts write there
    with tf.Graph().as_default():
        assert main(["--explain", str(script), "."]) == 0
    text = page.read_text("utf-8")
    if page == CLINIC:
        text = "".join(next(cell["source"] for cell in json.loads(text)["cells"] if cell["id"] == "your-own"))
    [shown] = re.findall(rf"```text\n({script.name} ended.*?)```", text, re.DOTALL)
    assert capsys.readouterr().err.replace(f"{LESSONS.parent}{os.sep}", "").startswith(shown)


LONG = """
import tensorflow as tf
step = tf.train.get_or_create_global_step()
w = tf.Variable(1.0, name="w")
train = tf.train.GradientDescentOptimizer(0.1).minimize(w * w)
{more}
sess = tf.Session()
sess.run(tf.global_variables_initializer())
for i in range(9):
    sess.run(train)
"""


@pytest.mark.parametrize("line", ["a{0} = {0} + 1", "i{0} = 0\ni{0} += 1", "n{0} = tf.add(w, {0}.0)"])
def test_a_script_of_twice_the_lines_takes_twice_the_calls(line, tmp_path):
    def calls(lines: int) -> int:
        """Return how many functions are called to report on a script with so many lines."""
        path = tmp_path / f"{lines}.py"
        path.write_text(LONG.format(more="\n".join(line.format(n) for n in range(lines))))
        with tf.Graph().as_default(), recording() as record, standing_in():
            exec(compile(path.read_text(), str(path), "exec"), {})
        events = []
        sys.setprofile(lambda frame, event, value: events.append(event))
        try:
            facts = explained(record, str(path), None)
        finally:
            sys.setprofile(None)
        assert facts["findings"]
        return events.count("call")

    assert calls(400) < 2.2 * calls(200)


def test_afterwards_everything_is_as_it_was(tmp_path):
    hook, before = sys.excepthook, dict(vars(tf.train))
    (tmp_path / "script.py").write_text("1 / 0")
    assert main(["--explain", str(tmp_path / "script.py")]) == 1
    assert sys.excepthook is hook
    with recording() as record:
        assert watchers == [record] and listeners == [record.hear]
        assert vars(tf.train) == before
    assert watchers == listeners == []
