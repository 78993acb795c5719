"""Record what other libraries print for the experiment: `python -m tools.elsewhere LIBRARY`.

Lesson 14 shows one program in four libraries (lessons/elsewhere/with_*.py), and what each prints if
a line goes wrong. The wrong programs are made here, of the right ones; a few more programs (MORE) show
one thing each. All are run by the library
itself, in a virtual environment that has it (CONTRIBUTING.md), and what they are and print is written
to lessons/data/LIBRARY_*_elsewhere.json. Only that one library is imported here, and no other package.
"""

import contextlib
import importlib.metadata
import io
import json
import sys
import warnings
from pathlib import Path

LESSONS = Path(__file__).resolve().parents[1] / "lessons"

# The package whose version counts, for each library.
PACKAGES = {"tensorflow_1": "tensorflow-cpu", "keras": "keras", "pytorch": "torch", "optax": "optax"}
Changes = list[tuple[str, str]]
LOOP = ("for _ in range(10):", "for batch in range(10):")


def _restarted(last, *lines, step="step"):
    """After the line that ends with `last`: a run stopped at step 5 and started again, with w alone."""
    indent = "        " if step != "step" else "    "
    after = [f"{indent}if {step} == 5:", *(f"{indent}    {line}" for line in lines)]
    return [(f"{last}\n", "\n".join([last, *after, ""]))]


# What goes wrong, for each library: the name of the mistake, and which text is replaced by which.
MISTAKES = {
    "tensorflow_1": {
        "nobody counts": [("minimize(loss, global_step=step)", "minimize(loss)")],
        "only w is restored": _restarted("[rate, step, w])))", "sess.run(step.initializer)", step="sess.run(step)"),
        "counted twice": [
            ("with tf.Session()", "add_one = tf.assign_add(step, 1)\nwith tf.Session()"),
            ("        sess.run(train_op)\n", "        sess.run(train_op)\n        sess.run(add_one)\n"),
        ],
    },
    "keras": {
        "nobody counts": [
            ("optimizer.apply_gradients([(gradient, w)])", "w.assign_sub(schedule(optimizer.iterations) * gradient)")
        ],
        "only w is restored": _restarted('{w.numpy():.4f}")', "optimizer = SGD(schedule)"),
        "two optimizers": [
            ("optimizer = SGD(schedule)\n", "optimizer = SGD(schedule)\nother = SGD(schedule)\n"),
            ('{w.numpy():.4f}")\n', '{w.numpy():.4f}")\n    optimizer, other = other, optimizer\n'),
        ],
    },
    "pytorch": {
        "nobody counts": [("    scheduler.step()\n", "")],
        "only w is restored": _restarted(
            '{w.item():.4f}")', "optimizer = SGD([w], lr=0.1)", "scheduler = ExponentialLR(optimizer, gamma=2**0.1)"
        ),
        "once an epoch": [LOOP, ("    scheduler.step()\n", "    if batch % 5 == 4:\n        scheduler.step()\n")],
    },
    "optax": {
        "nobody counts": [("updates, state = ", "updates, _ = ")],
        "only w is restored": _restarted('{w:.4f}")', "state = optimizer.init(w)"),
    },
}

ONE_RATE = """\
class Schedule(LearningRateSchedule):
    def __call__(self, step):
        rate = 0.5 * 0.8 ** (tf.cast(step, "float32") / 100)
        return tf.where(step % 400 < 300, rate, rate / 10)


train = SGD(Schedule())
"""
# Programs of one library: a file's name, or a name of a file, after a comma what is changed, and how.
MORE = {
    "keras": {
        "digits": [],
        "digits, one rate": [
            ("schedules import ExponentialDecay", "schedules import LearningRateSchedule"),
            ("train = SGD(ExponentialDecay(0.5, decay_steps=100, decay_rate=0.8))\n", ONE_RATE),
            ("polish = SGD(ExponentialDecay(0.05, decay_steps=100, decay_rate=0.8))\n", ""),
            ("    optimizer = train if i < 300 else polish\n", ""),
            ("float(optimizer.", "float(train."),
            ("    optimizer.apply", "    train.apply"),
            ("int(optimizer.", "int(train."),
        ],
        "saving": [],
    },
    "pytorch": {"curve": []},
}


def programs(library):
    """Return the program in a library, without its docstring, and each program with a mistake."""
    return {name: _program(f"with_{library}", changes) for name, changes in _mistakes(library).items()}


def more_programs(library):
    """Return the other programs in a library."""
    every = MORE.get(library, {}).items()
    return {name: _program(f"{name.partition(',')[0]}_with_{library}", changes) for name, changes in every}


def _mistakes(library):
    return {"no mistake": [], **MISTAKES[library]}


def _program(file, changes):
    text = (LESSONS / "elsewhere" / f"{file}.py").read_text(encoding="utf-8").partition('"""\n\n')[2]
    for old, new in changes:
        if text.count(old) != 1:
            raise ValueError(f"{file}: {old!r} is not there once")
        text = text.replace(old, new)
    return text


def outcome(program):
    """Run a program; return the lines that it prints, and what it warns of."""
    said = io.StringIO()
    caught = warnings.catch_warnings(record=True)
    with contextlib.chdir(LESSONS), contextlib.redirect_stdout(said), caught as warned:
        warnings.simplefilter("always")
        exec(compile(program, "<program>", "exec"), {"__name__": "__main__"})
    return {"printed": said.getvalue().splitlines(), "warnings": [str(w.message) for w in warned]}


def recording(library, programs):
    """Run programs of a library; fail if a second run says something else."""
    runs = {}
    for mistake, program in programs.items():
        outcomes = []
        for _ in range(2):
            if library == "tensorflow_1":
                sys.modules["minitf"].reset_default_graph()
            outcomes.append(outcome(program))
        if outcomes[0] != outcomes[1]:
            raise ValueError(f"{library}, {mistake}: two runs differ")
        runs[mistake] = {"program": program.splitlines(), **outcomes[0]}
    return runs


def main():
    """Ask the library that is named, and write its file."""
    if sys.argv[1:] not in [[library] for library in PACKAGES]:
        print(f"usage: python -m tools.elsewhere {{{','.join(PACKAGES)}}}", file=sys.stderr)
        return 2
    [library] = sys.argv[1:]
    if library == "tensorflow_1":  # the program says minitf: here it gets TensorFlow
        from tests.conformance.referee import import_tensorflow

        sys.modules["minitf"] = import_tensorflow()
    runs = recording(library, programs(library))
    more = recording(library, more_programs(library))
    name = library.removesuffix("_1")
    version = importlib.metadata.version(PACKAGES[library])
    major, minor = version.split(".")[:2]
    path = LESSONS / "data" / f"{name}_{major}_{minor}_elsewhere.json"
    for old in path.parent.glob(f"{name}_*_elsewhere.json"):
        old.unlink()
    text = json.dumps({name: version, "runs": runs} | ({"more": more} if more else {}), indent=1, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8")
    print(f"{path.name}: {len(runs) + len(more)} programs recorded")
    return 0


if __name__ == "__main__":
    sys.exit(main())
