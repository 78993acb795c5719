"""Wrong answers to the ten cases of lesson 15: each is the broken program with another line."""

from __future__ import annotations

import ast

from tests.lessons.notebooks import LESSONS


def programs(file: str) -> list[str]:
    """Return the ten programs of a file of the clinic."""
    text = (LESSONS / "clinic" / file).read_text(encoding="utf-8")
    return [ast.get_source_segment(text, node) for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]


BROKEN, REPAIRED = programs("broken.py"), programs("repaired.py")


def changed(number: int, *changes: tuple[str, str]) -> str:
    """Return case `number` with other lines."""
    program = BROKEN[number - 1]
    for old, new in changes:
        assert program.count(old) == 1, (number, old)
        program = program.replace(old, new)
    return program


RUN = "            sess.run(train_op)\n"
PRINT_1 = '        print("step {} rate {:.4g}".format(*sess.run([global_step, rate])))'
BOTH = "both = [minimize(w**2, global_step=step), minimize(b**2, global_step=step)]"
ADD_ALL = "    for counter in [step, episode]:\n        tf.add_to_collection(tf.GraphKeys.GLOBAL_STEP, counter)\n"
UPDATE = "train_op = tf.assign_sub(w, 0.1 * tf.clip_by_value(slope, -1.0, 1.0))"
FETCH = "_, now = sess.run([train_op, shown])"
SHOWN = 'shown = tf.add(step, 0, name="shown")'
INIT = "    init = tf.global_variables_initializer()\n"
ATTEMPT = """    def attempt(op):
        try:
            sess.run(op)
        except tf.errors.OpError:
            pass

"""

LEFT_OUT = [
    (
        "counted in Python",
        changed(4, ("for _ in range(10)", "for now in range(1, 11)"), (PRINT_1, "        print('step', now)")),
        "the step in the session stays at 0",
    ),
    (
        "an op built in each turn",
        changed(4, (RUN, RUN + "            sess.run(tf.assign_add(global_step, 1))\n")),
        "It grows in the loop.",
    ),
    (
        "counted twice",
        changed(
            4,
            ("minimize(w**2)", "minimize(w**2, global_step)\n    add_one = tf.assign_add(global_step, 1)"),
            (RUN, RUN + "            sess.run(add_one)\n"),
        ),
        "the step is 2, 4, 6",
    ),
    (
        "set at the end",
        changed(4, (PRINT_1, "        sess.run(tf.assign(global_step, 10))\n" + PRINT_1)),
        "After updates 1 to 10 the step is 0, 0,",
    ),
    ("starts at ten", changed(4, ("tf.Variable(0,", "tf.Variable(10,")), "stays at 10"),
    (
        "a number for the step",
        changed(4, ("minimize(w**2)", "minimize(w**2, global_step=0)")),
        "It stops with an error:",
    ),
    (
        "counted in the same run",
        changed(
            4,
            ("    with", "    inc = tf.assign_add(global_step, 1)\n    with"),
            (RUN, RUN.replace("train_op", "[train_op, inc]")),
        ),
        "These rates are right, but by luck: no path orders the `+ 1` and the read that the rate makes.",
    ),
    (
        "grouped with the update",
        changed(
            4, ("minimize(w**2)", "minimize(w**2)\n    train_op = tf.group(train_op, tf.assign_add(global_step, 1))")
        ),
        "In TensorFlow an update may use the next step's rate.",
    ),
    (
        "another rate for the optimizer",
        changed(4, ("Optimizer(rate).minimize(w**2)", "Optimizer(0.1).minimize(w**2, global_step)")),
        "do not use the rate",
    ),
]
UNSEEN = [
    (
        "made when it is asked for",
        changed(7, ("tf.train.get_global_step()", "tf.train.get_or_create_global_step()")),
        "Two counters are one too many.",
    ),
    ("another name", changed(7, ("trainable=False)", 'trainable=False, name="counter")')), "finds no counter"),
    (
        "in the collection alone",
        changed(7, ("trainable=False)", "trainable=False, collections=[tf.GraphKeys.GLOBAL_STEP])")),
        "It stops with an error:",
    ),
    (
        "one more in the collection",
        changed(
            7,
            (
                "False)\n",
                "False)\n    tf.add_to_collection('global_step', counter)\n    tf.train.create_global_step()\n",
            ),
        ),
        "It stops with an error:",
    ),
    (
        "added twice",
        changed(7, ("False)\n", "False)\n" + 2 * "    tf.add_to_collection('global_step', counter)\n")),
        "GLOBAL_STEP holds 2 Variables",
    ),
    (
        "found, but not counted",
        changed(7, ("trainable=False)", 'trainable=False, name="global_step")'), (", global_step=counter", "")),
        "stays at 0",
    ),
]
TWO_STEPS = [
    ("the other one in the collection", changed(5, ("[step, episode]:", "[episode]:")), "finds `episode`"),
    ("no hook", changed(5, ("[tf.train.StepCounterHook()]", "[]")), "GLOBAL_STEP holds 2 Variables"),
    (
        "no hook, one step",
        changed(5, ("[tf.train.StepCounterHook()]", "[]"), ("[step, episode]:", "[step]:")),
        "The hook is gone.",
    ),
    (
        "a third one",
        changed(5, (ADD_ALL, ADD_ALL + "    tf.train.get_or_create_global_step()\n")),
        "GLOBAL_STEP holds 3 Variables",
    ),
    (
        "no episode",
        changed(
            5,
            ('    episode = tf.Variable(0, trainable=False, name="episode")\n', "    episode = step\n"),
            ("[step, episode]:", "[step]:"),
        ),
        "The program needs `episode` as well.",
    ),
    ("nobody counts", changed(5, ("[step, episode]:", "[step]:"), (", global_step=step", "")), "stays at 0"),
]
DOUBLE = [
    ("nobody counts", changed(1, (BOTH, "both = [minimize(w**2), minimize(b**2)]")), "Now nothing counts."),
    ("one weight less", changed(1, (BOTH, "both = minimize(w**2, global_step=step)")), "At the end b is 5.0000"),
    ("halved where it is printed", changed(1, ("[step, w, b]", "[step // 2, w, b]")), "It grows in the loop."),
    (
        "halved before the loop",
        changed(1, ("    with", "    half = step // 2\n    with"), ("[step, w, b]", "[half, w, b]")),
        "the step in the session is 10",
    ),
    (
        "one taken back after each turn",
        changed(
            1,
            ("    with", "    back = tf.assign_sub(step, 1)\n    with"),
            ("sess.run(both)", "sess.run(both)\n            sess.run(back)"),
        ),
        "the step changes by 2, -1, 2, -1, and so on. Each turn should add one, once.",
    ),
    (
        "one after the other",
        changed(1, ("sess.run(both)", "sess.run(both[0])\n            sess.run(both[1])")),
        "the step in the session is 10",
    ),
    (
        "starts below zero",
        changed(1, ("tf.train.create_global_step()", 'tf.Variable(-5, trainable=False, name="global_step")')),
        "the step is -5",
    ),
]
A_RACE = [
    (
        "written in another way",
        changed(6, ('print("updated, now at step", now)', 'print(f"update {now} of 5")')),
        "it prints 0, 1, 2, 3, 4",
    ),
    (
        "counted in Python, and the step fetched",
        changed(6, ("for _ in", "for i in"), ('step", now)', 'step", i + 1)')),
        "What it prints is right here. But it reads the step in the run that changes it",
    ),
    ("the list turned round", changed(6, (FETCH, "now, _ = sess.run([shown, train_op])")), "it prints 0, 1, 2, 3, 4"),
    (
        "one added in Python",
        changed(6, ('step", now)', 'step", now + 1)')),
        "no path\norders the two: in TensorFlow it may get another number",
    ),
    (
        "the Variable itself",
        changed(6, (FETCH, "_, now = sess.run([train_op, step])")),
        "no path\norders the two: in TensorFlow it may get another number",
    ),
    (
        "the sum made outside",
        changed(
            6, (SHOWN, SHOWN + "\n    with tf.control_dependencies([train_op]):\n        shown = tf.identity(shown)")
        ),
        "in TensorFlow these may be other numbers",
    ),
    (
        "read first",
        changed(6, (FETCH, "now = sess.run(shown)\n            sess.run(train_op)")),
        "it prints 0, 1, 2, 3, 4",
    ),
    (
        "counted in Python",
        changed(6, ("for _ in", "for now in"), (FETCH, "sess.run([train_op, shown])")),
        "it prints 0, 1, 2, 3, 4",
    ),
]
BY_HAND = [
    ("no hook", changed(10, ("[tf.train.StepCounterHook()]", "[]")), "stays at 0"),
    (
        "a silent log",
        changed(10, ("    with", "    tf.logging.set_verbosity(tf.logging.ERROR)\n    with")),
        "stays at 0",
    ),
    ("a + 1 that nobody runs", changed(10, (UPDATE, UPDATE + "\n    add_one = tf.assign_add(step, 1)")), "stays at 0"),
    (
        "the optimizer, without the clipping",
        changed(10, (UPDATE, "train_op = tf.train.GradientDescentOptimizer(0.1).minimize(w**2, global_step=step)")),
        "At the end w is",
    ),
    (
        "always one",
        changed(10, (UPDATE, UPDATE + "\n    train_op = tf.group(train_op, tf.assign(step, 1))")),
        "the step is 1, 1, 1",
    ),
    (
        "a second op in the loop",
        changed(10, (RUN, RUN + "            sess.run(tf.assign_add(step, 1))\n")),
        "It stops with an error:",
    ),
    (
        "counted in a run by itself",
        changed(
            10,
            ("    with", "    add_one = tf.assign_add(step, 1)\n    with"),
            (RUN, RUN + "            sess.run(add_one)\n"),
        ),
        "The hook still complains",
    ),
    (
        "counted, and no hook",
        changed(
            10,
            (UPDATE, UPDATE + "\n    train_op = tf.group(train_op, tf.assign_add(step, 1))"),
            ("[tf.train.StepCounterHook()]", "[]"),
        ),
        "The hook is gone.",
    ),
]
UNINITIALIZED = [
    ("nobody counts", changed(2, (", global_step=step", "")), "It stops with an error:"),
    (
        "nobody counts or reads",
        changed(2, (", global_step=step", ""), ("[step, w]", "[0 * w, w]")),
        "The step has no value in the session.",
    ),
    (
        "in each turn",
        changed(
            2,
            (INIT, ""),
            ("sess.run(init)\n", "pass\n"),
            (RUN, "            sess.run(tf.global_variables_initializer())\n" + RUN),
        ),
        "It grows in the loop.",
    ),
    (
        "the error caught",
        changed(2, (RUN, RUN.replace("sess.run", "attempt")), ("    with", ATTEMPT + "    with")),
        "It stops with an error:",
    ),
    (
        "of the weights alone",
        changed(2, (INIT, "    init = tf.variables_initializer(tf.trainable_variables())\n")),
        "It stops with an error:",
    ),
    (
        "after the loop",
        changed(
            2, ("        sess.run(init)\n", ""), (RUN, RUN + "        sess.run(tf.global_variables_initializer())\n")
        ),
        "It stops with an error:",
    ),
    (
        "one init in each turn",
        changed(2, (INIT, ""), ("    with", INIT + "    with"), (RUN, RUN + "            sess.run(init)\n")),
        "At the end w is 5.0000",
    ),
]
GOES_ON = [
    ("nothing restored", changed(9, ("        saver.restore(sess, path)\n", "")), "what was saved is not there"),
    (
        "initialized after it",
        changed(
            9,
            ("        sess.run(tf.global_variables_initializer())\n", ""),
            ("path)\n        ", "path)\n        sess.run(tf.global_variables_initializer())\n        "),
        ),
        "After the restore, w is 1.6384, then 5, then 4: 2 runs change it, not one.",
    ),
    (
        "the number in the name",
        changed(9, ("path)\n        ", 'path)\n        step.load(int(path.split("-")[-1]), sess)\n        ')),
        "That is only the number in the name.",
    ),
    (
        "the step of this checkpoint",
        changed(9, ("tf.train.create_global_step()", 'tf.Variable(5, trainable=False, name="global_step")')),
        "Take the step that is inside.",
    ),
    (
        "two updates",
        changed(
            9, ("tf.trainable_variables()", ""), ("        sess.run(train_op)\n", 2 * "        sess.run(train_op)\n")
        ),
        "After the restore, w is 1.6384, then 1.31072, then 1.04858: 2 runs change it, not one.",
    ),
    ("only the step", changed(9, ("tf.trainable_variables()", "[step]")), "what was saved is not there"),
    (
        "no initializer",
        changed(9, ("        sess.run(tf.global_variables_initializer())\n", "")),
        "It stops with an error:",
    ),
]
DECAY = "decay_steps=2, decay_rate=2, staircase=True"
UNITS = [
    (
        "only the unit",
        changed(3, (DECAY, "decay_steps=100, decay_rate=2, staircase=True")),
        "After two epochs the rate is 0.2.",
    ),
    (
        "only the rate",
        changed(3, (DECAY, "decay_steps=2, decay_rate=0.5, staircase=True")),
        "The rate is 0.1 for 2 batches, then 0.05.",
    ),
    ("no staircase", changed(3, (DECAY, "decay_steps=100, decay_rate=0.5")), "The rate is 0.1 for 1 batch, then"),
    ("one epoch", changed(3, (DECAY, "decay_steps=50, decay_rate=0.5, staircase=True")), "0.1 for 50 batches"),
    ("four epochs", changed(3, (DECAY, "decay_steps=200, decay_rate=0.5, staircase=True")), "0.1 for all 200 updates"),
    (
        "one batch too many",
        changed(3, ("exponential_decay(0.1, step, " + DECAY, "piecewise_constant(step, [100], [0.1, 0.05]")),
        "The rate is 0.1 for 101 batches, then 0.05.",
    ),
    (
        "a step of its own for the rate",
        changed(3, ("0.1, step, " + DECAY, "0.1, tf.Variable(0, trainable=False), 100, 0.5, True")),
        "0.1 for all",
    ),
]
GROWN = [
    (
        "half of it",
        changed(
            8,
            (
                "optimizer = tf.train.GradientDescentOptimizer(0.1)",
                "train_op = tf.train.GradientDescentOptimizer(0.1).minimize(w**2, global_step=step)",
            ),
            ("optimizer.minimize(w**2, global_step=step))", "train_op)"),
        ),
        "It grows in the loop.",
    ),
    (
        "an empty graph in each turn",
        changed(8, ("            sess.run(opt", "            tf.reset_default_graph()\n            sess.run(opt")),
        "It stops with an error:",
    ),
    (
        "finalized",
        changed(8, ("        for", "        tf.get_default_graph().finalize()\n        for")),
        "It stops with an error:",
    ),
    ("one turn", changed(8, ("range(5)", "range(1)")), "The training runs should be 5, not 1."),
    (
        "nobody counts",
        changed(
            8,
            ("            sess.run(optimizer.minimize(w**2, global_step=step))", "            sess.run(train_op)"),
            (
                "optimizer = tf.train.GradientDescentOptimizer(0.1)",
                "loss = w**2\n    train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss)",
            ),
            ("[step, w**2]", "[step, loss]"),
        ),
        "stays at 0",
    ),
    (
        "the loss before the update",
        changed(
            8,
            ("    with", "    loss = w**2\n    train_op = optimizer.minimize(loss, global_step=step)\n    with"),
            ("            sess.run(optimizer.minimize(w**2, global_step=step))\n", ""),
            ("*sess.run([step, w**2])", "*sess.run([step, loss, train_op])"),
        ),
        "the output is not the same",
    ),
]
CASES = [DOUBLE, UNINITIALIZED, UNITS, LEFT_OUT, TWO_STEPS, A_RACE, UNSEEN, GROWN, GOES_ON, BY_HAND]
MUTANTS = {
    f"15_bug_clinic{f' {number}' if number > 1 else ''}": mutants for number, mutants in enumerate(CASES, start=1)
}
