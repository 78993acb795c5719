"""`python -m minitf script.py` runs a program for TensorFlow 1 as Python would run it, with minitf for TensorFlow."""

import os
import re
import subprocess
import sys
import textwrap
from operator import attrgetter
from pathlib import Path
from types import ModuleType

import pytest

import minitf
from minitf.__main__ import main, missing, used
from minitf.checking import python2
from minitf.stand_in import standing_in

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def run(tmp_path):
    """Runs the text of a program in a new folder; gives the finished process."""

    def run(text, *arguments):
        (tmp_path / "program").mkdir(exist_ok=True)
        (tmp_path / "program" / "script.py").write_text(textwrap.dedent(text), "utf-8")
        command = [sys.executable, "-m", "minitf", os.path.join("program", "script.py"), *arguments]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)

    return run


TRAINING = """
    import tensorflow as tf

    step = tf.train.get_or_create_global_step()
    w = tf.Variable(1.0)
    train = tf.train.GradientDescentOptimizer(0.25).minimize(w * w, global_step=step)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(2):
            sess.run(train)
        print("%d %.2f" % tuple(sess.run([step, w])))
"""


def test_a_program_runs_unchanged(run):
    found = run(TRAINING)
    assert (found.returncode, found.stdout, found.stderr) == (0, "2 0.25\n", "")


def test_it_is_the_main_program_with_its_arguments(run, tmp_path):
    found = run(
        """
        '''Its docstring.'''
        import sys
        import neighbour
        print(__name__, __doc__, sys.argv, __file__, sys.modules["__main__"].__dict__ is globals(), neighbour.x)
        """,
        *["a", "-h"],
    )
    assert found.returncode == 1 and "ModuleNotFoundError: No module named 'neighbour'" in found.stderr
    (tmp_path / "program" / "neighbour.py").write_text("x = 5")
    script = os.path.join("program", "script.py")
    found = run((tmp_path / script).read_text(), "a", "-h")
    assert found.stdout == f"__main__ Its docstring. {[script, 'a', '-h']} {tmp_path / script} True 5\n"


@pytest.mark.parametrize(
    "statement, code",
    [("sys.exit(3)", 3), ("sys.exit()", 0), ("raise SystemExit('over')", 1), ("1 / 0", 1), ("pass", 0), ("print 1", 1)],
)
def test_the_exit_code_is_pythons(run, statement, code):
    assert run(f"import sys\n{statement}").returncode == code


def test_a_traceback_begins_in_the_program(run):
    found = run("import tensorflow as tf\nmean = tf.reduce_mean('text')")
    lines = found.stderr.splitlines()
    assert lines[0] == "Traceback (most recent call last):"
    assert lines[1].endswith('script.py", line 2, in <module>') and "mean = tf.reduce_mean('text')" in lines[2]


def test_an_error_in_the_program_says_where_its_tensor_was_made_beside_tensorflows_words(run):
    found = run(
        """
        import tensorflow as tf
        x = tf.placeholder(tf.float32, [2], name="x")
        try:
            tf.Session().run(x, {x: 1})
        except ValueError as error:
            print(error)
            raise
        """
    )
    assert found.stdout == "Cannot feed value of shape () for Tensor x:0, which has shape (2,)\n"
    assert found.stderr.splitlines()[-1].endswith('script.py:3: x = tf.placeholder(tf.float32, [2], name="x")')


def test_what_cannot_be_opened(tmp_path, capsys):
    missing_file = tmp_path / "nowhere.py"
    assert main([str(missing_file)]) == 2
    assert f"can't open file {str(missing_file)!r}: [Errno 2] No such file or directory" in capsys.readouterr().err
    assert main([str(tmp_path)]) == 2


@pytest.mark.parametrize("options", [["--html"], ["--json"], ["--explain", "--html"]])
def test_a_report_that_cannot_be_written_is_refused_before_the_program_runs(options, tmp_path, capsys):
    script = tmp_path / "script.py"
    script.write_text("print('ran')")
    for place in (tmp_path / "nowhere" / "page.html", tmp_path):
        assert main([*options, str(place), str(script)]) == 2
        shown = capsys.readouterr()
        assert shown.out == "" and f"can't write file {str(place)!r}: [Errno " in shown.err
    assert [path.name for path in tmp_path.iterdir()] == ["script.py"]


@pytest.mark.parametrize("end", ["pass", "raise SystemExit", "raise SystemExit(3)"])
def test_a_report_that_fails_when_it_is_written_fails_the_command(end, tmp_path, capsys):
    script, page = tmp_path / "script.py", tmp_path / "page.html"
    script.write_text(f"import os; os.mkdir({str(page)!r})\n{end}")
    if end.endswith("(3)"):
        with pytest.raises(SystemExit, match="3"):
            main(["--html", str(page), str(script)])
    else:
        assert main(["--html", str(page), str(script)]) == 2
    assert "can't write the report: [Errno " in capsys.readouterr().err


def test_only_a_folder_can_be_searched_for_missing_names(tmp_path, capsys):
    file = tmp_path / "script.py"
    file.write_text("")
    for place in (tmp_path / "nowhere", file):
        assert main(["--missing", str(tmp_path), str(place)]) == 2
        assert f"can't open folder {str(place)!r}: [Errno " in capsys.readouterr().err


INTERRUPTED = """
    import tensorflow as tf

    def wait():
        raise KeyboardInterrupt  # as Ctrl-C does

    with tf.Session() as sess:
        sess.run(tf.py_func(wait, [], tf.float32))
"""


@pytest.mark.parametrize("options", [[], ["--explain"]])
def test_an_interrupt_ends_it_as_it_ends_python_and_shows_the_programs_own_lines_or_the_report(options, tmp_path):
    (tmp_path / "script.py").write_text(textwrap.dedent(INTERRUPTED))
    (tmp_path / "plain.py").write_text("raise KeyboardInterrupt")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}

    def run(*command):
        given = [sys.executable, *command]
        return subprocess.run(given, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)

    found = run("-m", "minitf", *options, "script.py")
    assert found.returncode == run("plain.py").returncode
    if options:
        assert found.stderr.startswith("script.py was interrupted") and "Traceback" not in found.stderr
        return
    *_, first, second, last = [line for line in found.stderr.splitlines() if not line.startswith("    ")]
    assert (first.split(", ", 1)[1], second.split(", ", 1)[1]) == ("line 8, in <module>", "line 5, in wait")
    assert last == "KeyboardInterrupt" and found.stderr.count("  File ") == 2


def test_usage(capsys):
    for arguments, code in (([], 2), (["-h"], 0)):
        with pytest.raises(SystemExit) as stopped:
            main(arguments)
        assert stopped.value.code == code
    shown = capsys.readouterr()
    assert shown.err.startswith("usage: python -m minitf ")
    assert "imports tensorflow" in shown.out and "--missing" in shown.out


def test_missing_names_are_listed_and_the_program_runs_up_to_the_first(run):
    found = run(
        """
        import tensorflow as tf
        import tensorflow.contrib.crf as crf
        """
    )
    assert found.returncode == 1 and "tf.contrib.crf (line 3)" in found.stderr
    assert found.stderr.splitlines()[-1].startswith("ModuleNotFoundError: minitf has no tf.contrib.")
    found = run(
        """
        import tensorflow as tf
        print("begins")
        if False:
            tf.signal.fft(1)
        y = tf.signal.dct(
            tf.signal.fft(2), 3)
        """
    )
    assert found.stdout == "begins\n" and found.returncode == 1
    listed = ["  tf.signal.fft (line 5, 7)", "  tf.signal.dct (line 6)"]
    assert found.stderr.splitlines()[1:3] == listed
    assert found.stderr.splitlines()[-1].startswith("AttributeError: minitf has no tf.signal.")


def test_names_that_a_program_can_do_without_are_not_listed():
    text = """
        import numpy as np
        import tensorflow
        import tensorflow.compat.v1 as tf
        from tensorflow.python.training import training_util
        try:
            import tensorflow.contrib.crf as crf
            rate = tf.contrib.rate
        except ImportError:
            crf = None
        try:
            rate = tf.rate
        except (AttributeError, KeyError):
            rate = 1
        if hasattr(tf, "signal"):
            tf.signal.fft(np.no_such(1))
        tf.helper = lambda: tf.constant(0)
        tf.helper()
        tensorflow.float32.nobody_knows, tf.train.Saver.save, tf.Summary.FromString, tf.app.flags.FLAGS.anything
        training_util.get_global_step()
    """
    with standing_in():
        assert missing(textwrap.dedent(text)) == {}


def test_what_is_missing_is_named_in_full():
    text = """
        import tensorflow as tf
        from tensorflow.contrib import crf, rnn as s
        from tensorflow.train import AdamOptimizer, LuckyOptimizer
        try:
            crf.crf_decode()
        except ValueError:
            s.core.cells.cell(tf.GraphKeys.NO_SUCH, tf.logging.whisper)
    """
    with standing_in():
        names = missing(textwrap.dedent(text))
    assert names == {
        "tensorflow.contrib.crf": [3],
        "tensorflow.contrib.rnn": [3],
        "tensorflow.train.LuckyOptimizer": [4],
        "tensorflow.contrib.crf.crf_decode": [6],
        "tensorflow.contrib.rnn.core.cells.cell": [8],
        "tensorflow.GraphKeys.NO_SUCH": [8],
        "tensorflow.logging.whisper": [8],
    }
    assert used("tf.constant(1)") == {}
    assert used("import tensorflow\npath = '\\d'") == {"tensorflow": [1]}  # without Python's warning


def test_tensorflow_and_its_first_version_are_one_module():
    with standing_in():
        import tensorflow as tf
        import tensorflow.compat.v1 as v1
        from tensorflow import train
        from tensorflow.compat import v1 as again
    assert v1 is again is tf is tf.compat.v1 and train is tf.train
    assert tf.__version__ == "1.15.0" and minitf.__version__ != tf.__version__


IMPORTED = {
    "from tensorflow.train import AdamOptimizer": "train.AdamOptimizer",
    "from tensorflow.core.framework.summary_pb2 import Summary": "Summary",
    "from tensorflow.python.framework.ops import Graph": "Graph",
    "from tensorflow.python.framework.dtypes import int64": "int64",
    "from tensorflow.python.framework.errors_impl import NotFoundError": "errors.NotFoundError",
    "from tensorflow.python.ops.control_flow_ops import cond": "cond",
    "from tensorflow.python.ops.control_flow_ops import group": "group",
    "from tensorflow.python.ops.math_ops import reduce_sum": "reduce_sum",
    "from tensorflow.python.ops.math_ops import negative": "negative",
    "from tensorflow.python.ops.init_ops import Constant": "constant_initializer",
    "from tensorflow.python.ops.array_ops import where": "where",
    "from tensorflow.python.platform.tf_logging import info": "logging.info",
    "from tensorflow.python.platform.gfile import GFile": "gfile.GFile",
    "from tensorflow.python.platform.app import run": "app.run",
    "from tensorflow.python.platform.flags import FLAGS": "flags.FLAGS",
    "from tensorflow.python.training.training_util import get_global_step": "train.get_global_step",
    "from tensorflow.python.training.optimizer import Optimizer": "train.Optimizer",
    "from tensorflow.python.training.session_run_hook import SessionRunHook": "train.SessionRunHook",
    "from tensorflow.contrib.framework.python.ops import add_arg_scope": "contrib.framework.add_arg_scope",
    "from tensorflow.contrib.layers.python.layers import batch_norm": "contrib.layers.batch_norm",
}


@pytest.mark.parametrize("statement, public", IMPORTED.items())
def test_programs_find_public_names_inside_tensorflow(statement, public):
    _, module, _, name = statement.split()
    package, _, last = module.rpartition(".")
    found = {}
    with standing_in():
        exec(f"{statement}\nimport {module} as one\nfrom {package} import {last} as other", found)
    assert found[name] is getattr(found["one"], name) is attrgetter(public)(minitf)
    assert found["one"] is found["other"]


# As TensorFlow 2.21 words them, whatever follows.
NOT_TENSORFLOWS = [
    ("import tensorflow.nonsense", "No module named 'tensorflow.nonsense'"),
    ("import tensorflow.compat.v1.nonsense", "No module named 'tensorflow."),
    ("import tensorflow.python.nonsense.b", "No module named 'tensorflow.python.nonsense'"),
    ("from tensorflow.python.nonsense import b", "No module named 'tensorflow.python.nonsense'"),
    ("from tensorflow import nonsense", "cannot import name 'nonsense' from 'tensorflow'"),
    ("from tensorflow.nn import nonsense", "cannot import name 'nonsense' from 'tensorflow.nn'"),
    ("from tensorflow.python.ops import nonsense", "cannot import name 'nonsense' from 'tensorflow.python.ops'"),
    ("from tensorflow.contrib import nonsense", "cannot import name 'nonsense' from 'tensorflow.contrib'"),
    ("import tensorflow as tf; tf.nonsense", "module 'tensorflow' has no attribute 'nonsense'"),
    ("import tensorflow as tf; tf.ops", "module 'tensorflow' has no attribute 'ops'"),
    ("import tensorflow as tf; tf.program", "module 'tensorflow' has no attribute 'program'"),
    ("import tensorflow as tf; tf.python", "module 'tensorflow' has no attribute 'python'"),
    ("import tensorflow.python.ops.math_ops; tensorflow.python", "module 'tensorflow' has no attribute 'python'"),
    ("import tensorflow.nn as nn; nn.nonsense", "module 'tensorflow.nn' has no attribute 'nonsense'"),
    (
        "from tensorflow.python.ops import array_ops as a; a.nonsense",
        "module 'tensorflow.python.ops.array_ops' has no attribute 'nonsense'",
    ),
]
LACKING = [
    ("from tensorflow.contrib import rnn", "tf.contrib.rnn"),
    ("from tensorflow.contrib.rnn import BasicLSTMCell", "tf.contrib.rnn"),
    ("import tensorflow.contrib.crf as crf", "tf.contrib.crf"),
    ("from tensorflow.contrib.layers import layer_norm", "tf.contrib.layers.layer_norm"),
    ("import tensorflow.keras", "tf.keras"),
    ("from tensorflow.keras.layers import Dense", "tf.keras"),
    ("import tensorflow as tf; tf.keras", "tf.keras"),
    ("from tensorflow import estimator", "tf.estimator"),
    ("from tensorflow.train import QueueRunner", "tf.train.QueueRunner"),
    ("from tensorflow.python.ops import rnn_cell_impl", "tf.python.ops.rnn_cell_impl"),
    ("from tensorflow.python.ops.rnn_cell_impl import RNNCell", "tf.python.ops.rnn_cell_impl"),
    ("import tensorflow.python.debug", "tf.python.debug"),
    (
        "from tensorflow.python.training import moving_averages as m; m.assign_moving_average",
        "tf.python.training.moving_averages.assign_moving_average",
    ),
    ("from tensorflow.python.framework.ops import RegisterGradient", "tf.python.framework.ops.RegisterGradient"),
    ("from tensorflow.examples.tutorials.mnist import mnist", "tf.examples.tutorials.mnist.mnist"),
]


@pytest.mark.parametrize("statement, words", NOT_TENSORFLOWS)
def test_a_name_that_tensorflow_lacks_fails_as_it_does_there(statement, words):
    with standing_in(), pytest.raises((ImportError, AttributeError), match=re.escape(words)):
        exec(statement, {})
    with standing_in():
        assert missing(statement)


@pytest.mark.parametrize("name", ["tensorflow.constant", "tensorflow.python.ops.array_ops.concat"])
def test_a_function_is_no_module(name):
    with standing_in(), pytest.raises(ModuleNotFoundError, match=f"No module named '{name}'"):
        exec(f"import {name}", {})


@pytest.mark.parametrize("statement, name", LACKING)
def test_a_name_that_only_minitf_lacks_is_told_as_tensorflows(statement, name):
    words = f"minitf has no {name}. TensorFlow has it, but"
    with standing_in(), pytest.raises((ImportError, AttributeError), match=re.escape(words)):
        exec(statement, {})
    with standing_in():
        assert missing(statement)


def test_an_app_has_its_flags():
    with standing_in():
        from tensorflow.python.platform import app, flags
    assert app.flags.FLAGS is flags.FLAGS is minitf.flags.FLAGS


def test_everything_can_be_imported_at_once():
    names = {}
    with standing_in():
        exec("from tensorflow import *", names)
    assert names["constant"] is minitf.constant and "program" not in names and "python" not in names


@pytest.fixture
def repository(tmp_path):
    """A folder with two scripts, their package, two scripts in Python 2, and a file in no version of Python."""
    texts = {
        "good.py": "import tensorflow as tf\nimport lib.layers\ntf.constant(1)",
        "bad.py": "from lib import layers, deep\nimport json",
        "lib/__init__.py": "",
        "lib/layers.py": "import tensorflow as tf\ntf.nn.relu",
        "lib/deep.py": "from . import deeper",
        "lib/deeper.py": "from .. import nowhere\nimport tensorflow as tf\n\ntf.signal.fft",
        "old.py": "import os, tensorflow as tf  # tf.comment\nprint 'a', tf.nn.relu(1), tf.signal.dct",
        "older.py": "from tensorflow.contrib import (rnn,\n  layers)\ntry: layers.conv2d(0777)\nexcept E, e: pass",
        "wrong.py": "import tensorflow as tf\n)tf.signal.ifft",
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_missing_counts_a_script_with_its_own_modules_and_says_what_it_could_not_read(repository, capsys):
    assert main(["--missing", str(repository)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "2 of 7 scripts use only TensorFlow names that minitf has",
        "    1 tf.contrib.rnn",
        "    1 tf.signal.dct",
        "    1 tf.signal.fft",
        "1 file couldn't be read:",
        f"  {repository / 'wrong.py'}: it isn't valid Python: unmatched ')', line 2",
    ]


def test_without_the_parser_for_python_2_missing_says_which_files_it_could_not_read(repository, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "tree_sitter", None)
    python2._parser.cache_clear()
    assert main(["--missing", str(repository)]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[0] == "2 of 5 scripts use only TensorFlow names that minitf has"
    assert shown[2] == "3 files couldn't be read:" and python2.HOW_TO_GET_IT in shown[3]


def test_missing_does_not_list_what_tensorflow_lacks_itself(tmp_path, capsys):
    (tmp_path / "script.py").write_text("import tensorflow as tf\ntf.concat_v2\ntf.placegolder")
    assert main(["--missing", str(tmp_path)]) == 0
    assert capsys.readouterr().out == "1 of 1 scripts use only TensorFlow names that minitf has\n"


def test_the_list_says_which_names_are_not_tensorflows(repository, capsys):
    (repository / "bad.py").write_text("import tensorflow as tf\ntf.signal.fft\ntf.concat_v2\ntf.python.ops")
    main([str(repository / "bad.py")])
    assert capsys.readouterr().err.splitlines()[1:4] == [
        "  tf.signal.fft (line 2)",
        "  tf.concat_v2, which TensorFlow doesn't have (line 3)",
        "  tf.python.ops, which TensorFlow doesn't have (line 4)",
    ]


def test_names_in_a_scripts_own_modules_are_listed_before_it_runs(repository, capsys):
    assert main([str(repository / "bad.py")]) == 1
    listed = capsys.readouterr().err.splitlines()
    assert listed[1] == f"  tf.signal.fft ({os.path.join('lib', 'deeper.py')}, line 4)"
    main([str(repository / "good.py")])
    assert capsys.readouterr().err == ""


def test_what_stands_in_can_be_changed_without_changing_minitf():
    with standing_in():
        import tensorflow as tf

        tf.added = 1
    assert not hasattr(minitf, "added")


def test_the_name_is_gone_afterwards(tmp_path, capsys):
    script = tmp_path / "script.py"
    script.write_text(textwrap.dedent(TRAINING))
    before = sys.argv[:], sys.path[:], sys.modules["__main__"], sys.meta_path[:]
    with minitf.Graph().as_default():
        assert main([str(script)]) == 0
    script.write_text("import tensorflow.train\nraise SystemExit(4)")
    with pytest.raises(SystemExit):
        main([str(script)])
    assert (sys.argv, sys.path, sys.modules["__main__"], sys.meta_path) == before
    assert not [name for name in sys.modules if name.split(".")[0] == "tensorflow"]
    assert "2 0.25" in capsys.readouterr().out


def test_tensorflow_itself_is_back_afterwards(monkeypatch):
    itself = ModuleType("tensorflow")
    monkeypatch.setitem(sys.modules, "tensorflow", itself)
    with standing_in():
        import tensorflow as tf

        assert tf is not itself and tf.train.Saver is minitf.train.Saver
    assert sys.modules["tensorflow"] is itself


def test_tensorboard_keeps_to_its_own_files(run):
    found = run("import tensorflow\nfrom tensorboard.compat import tf\nprint(tf.__version__)")
    assert found.stdout == "stub\n"


FLAGS = """
    import tensorflow as tf

    flags = tf.app.flags
    FLAGS = flags.FLAGS
    flags.DEFINE_integer("steps", 10, "How many.")
    flags.DEFINE_float("rate", 0.5, "How far.")
    flags.DEFINE_string(flag_name="folder", default_value="here", docstring="Where.")
    flags.DEFINE_boolean("train", True, "Or not.")
    tf.flags.DEFINE_bool("quiet", False, "Or not.")
    flags.DEFINE_enum("optimizer", "sgd", ["sgd", "adam"], "Which.")
    flags.DEFINE_list("sizes", ["1"], "Which.")
    values = lambda: [FLAGS.steps, FLAGS.rate, FLAGS.folder, FLAGS.train, FLAGS.quiet, FLAGS.optimizer, FLAGS.sizes]
"""
MAIN = """
    def main(argv):
        tf.logging.warning("logged")
        FLAGS.folder = "there"
        print(values(), argv[1:], FLAGS["steps"].value, "steps" in FLAGS)
        return 5

    if __name__ == "__main__":
        tf.app.run()
"""


def test_flags_are_read_from_the_command_line(run):
    found = run(
        FLAGS + MAIN,
        "--steps=3",
        "x",
        "--notrain",
        "--quiet",
        "--optimizer",
        "adam",
        "--sizes=2,3",
        "--rate=1",
        "--other=1",
    )
    assert found.stdout == "[3, 1.0, 'there', False, True, 'adam', ['2', '3']] ['x', '--other=1'] 3 True\n"
    assert found.returncode == 5 and "WARNING:tensorflow:logged" in found.stderr.splitlines()


def test_flags_have_defaults_and_are_read_without_app_run_too(run):
    found = run(FLAGS + "\n    print(values())")
    assert found.stdout == "[10, 0.5, 'here', True, False, 'sgd', ['1']]\n"


def test_a_flag_that_cannot_be_read(run):
    found = run(FLAGS + MAIN, "--steps=many")
    assert found.returncode == 1 and "flag --steps=many" in found.stderr
    found = run(FLAGS + MAIN, "--help")
    assert found.returncode == 1 and "--steps: How many." in found.stdout
    assert run(FLAGS + "\n    FLAGS.nothing").returncode == 1


def test_run_takes_main_and_argv(run):
    found = run("import tensorflow as tf\ntf.app.run(main=lambda argv: print(argv), argv=['name', 'one'])", "two")
    assert (found.stdout, found.returncode) == ("['name', 'one']\n", 0)


def test_without_absl_there_is_advice(monkeypatch):
    monkeypatch.setitem(sys.modules, "absl", None)
    monkeypatch.setitem(sys.modules, "absl.flags", None)
    with pytest.raises(ImportError, match="pip install absl-py"):
        minitf.flags.DEFINE_string("never", "", "")


def test_summaries_are_written(run, tmp_path):
    found = run(
        """
        import tensorflow as tf

        loss = tf.constant(1.5)
        tf.summary.scalar("loss", loss)
        writer = tf.summary.FileWriter("logs", tf.get_default_graph())
        writer.add_summary(tf.Session().run(tf.summary.merge_all()), 7)
        writer.add_summary(tf.Summary(value=[tf.Summary.Value(tag="more", simple_value=2.0)]), 8)
        writer.close()
        """
    )
    assert (found.returncode, found.stderr) == (0, "")
    [path] = (tmp_path / "logs").iterdir()
    values = [(e.step, v.tag, v.simple_value) for e in minitf.train.summary_iterator(path) for v in e.summary.value]
    assert values == [(7, "loss", 1.5), (8, "more", 2.0)]


def test_the_digits_of_the_tutorial_come_with_a_line_that_says_which(run):
    found = run(
        """
        from tensorflow.examples.tutorials.mnist import input_data
        import tensorflow.examples.tutorials.mnist.input_data as the_same

        mnist = input_data.read_data_sets("MNIST_data/", one_hot=True)
        images, labels = mnist.train.next_batch(100)
        print(images.shape, labels.shape, the_same is input_data)
        """
    )
    assert (found.returncode, found.stdout) == (0, "(100, 784) (100, 10) True\n")
    assert "No MNIST files in MNIST_data/: 1,797 smaller digits take their place." in found.stderr
