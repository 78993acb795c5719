"""Wrong answers to the exercise of lesson 12."""

from __future__ import annotations

ON = ("save_summaries_steps=None,\n        save_summaries_secs=None", "save_summaries_steps=1")
MERGED = "    merged = tf.summary.merge_all()\n"
HILLS = '    tf.summary.histogram("logits", logits)\n'
RUN, ALONE = "_, curve = sess.run([op, merged], feed)", "sess.run(op, feed)"
ADD = "            writer.add_summary(curve, i)\n"
HOOKS = "tf.train.StopAtStepHook(num_steps=400)]"
SOLVED = [ON, (MERGED, HILLS), (RUN, ALONE), (ADD, "")]
SESSION = "    with tf.train.Monitored"
SHOWN = (SESSION, f"    shown = tf.add(global_step, 0)\n{SESSION}")
WAITING = (SESSION, SHOWN[1].replace("    s", "    with tf.control_dependencies([train_op]):\n        s", 1))
WITH_SHOWN = "_, curve, now = sess.run([op, merged, shown], feed)"
BOTH = (MERGED, HILLS + MERGED)  # the script goes on writing
ASKED = "return tf.train.SessionRunArgs(self.rate)"
READ = "step = tf.train.global_step(sess, tf.train.get_global_step())"
PRINTED = "run_values.results, reads"
FIRST_OF_TWO = [(READ, "step = run_values.results[1]"), (PRINTED, "run_values.results[0], reads")]
STEP_FN = "_, curve, now = sess.run_step_fn(lambda step_context: step_context.{}([op, merged, global_step], feed))"


def changed(*changes: tuple[str, str]) -> str:
    """Return an answer that makes these changes in the script as the lesson finds it."""
    return f"""
script = lab.inherited(12)
for old, new in {list(changes)!r}:
    assert script.count(old) == 1, old
    script = script.replace(old, new)
"""


def solved_but(old: str, new: str) -> str:
    """Return the solution with another last change."""
    return changed(*SOLVED, (old, new))


MUTANTS = {
    "12_watching": [
        (
            "as it comes",
            changed((ADD, f'{ADD}            hill = tf.summary.histogram("logits", logits)\n')),
            "The first run stops: RuntimeError: Graph is finalized and cannot be modified.\nThe loop makes an op.",
        ),
        (
            "only the op moved",
            changed(BOTH),
            "The loss is at the steps 0, 1, 2, ..., 399. The second run is drawn over the first",
        ),
        (
            "counted from 1",
            changed(BOTH, (ADD, ADD.replace("i)", "i + 1)"))),
            "at the steps 1, 2, 3, ..., 400. The second",
        ),
        (
            "no step",
            changed(BOTH, (ADD, ADD.replace(", i)", ")"))),
            "add_summary needs the step as its second argument.",
        ),
        (
            "read in the loop",
            changed(BOTH, (ADD, ADD.replace("i)", "sess.run(global_step))"))),
            "Run called even after should_stop requested.\nEach `run` of this session calls the hooks",
        ),
        (
            "fetched with the train op",
            changed(
                BOTH,
                (RUN, "_, curve, now = sess.run([op, merged, global_step], feed)"),
                (ADD, ADD.replace("i)", "now)")),
            ),
            "The step is read in a run that updates it, and no path orders the two",
        ),
        (
            "plus one, by luck",
            changed(BOTH, SHOWN, (RUN, WITH_SHOWN), (ADD, ADD.replace("i)", "now + 1)"))),
            "The step is read in a run that updates it, and no path orders the two",
        ),
        (
            "a hook fetches it with the train op",
            changed(
                *SOLVED, (ASKED, ASKED.replace("self.rate", "[self.rate, tf.train.get_global_step()]")), *FIRST_OF_TWO
            ),
            "The step is read in a run that updates it, and no path orders the two",
        ),
        (
            "a hook fetches it with the train op, plus one",
            changed(
                *SOLVED, ("LogTest(writer, rate,", "LogTest(writer, [rate, tf.add(global_step, 1)],"), *FIRST_OF_TWO
            ),
            "The step is read in a run that updates it, and no path orders the two",
        ),
        (
            "fetched with the train op in a step function",
            changed(BOTH, (RUN, STEP_FN.format("run_with_hooks")), (ADD, ADD.replace("i)", "now)"))),
            "The step is read in a run that updates it, and no path orders the two",
        ),
        (
            "trained in a run without hooks",
            changed(BOTH, (RUN, STEP_FN.format("session.run")), (ADD, ADD.replace("i)", "now)"))),
            "its loop never ends\nNo hook stops it.",
        ),
        (
            "waits for one of the train ops",
            changed(BOTH, WAITING, (RUN, WITH_SHOWN), (ADD, ADD.replace("i)", "now)"))),
            "at the steps 1, 2, 3, ..., 804. Two runs of the script count 800 steps.",
        ),
        ("both write", changed(ON, BOTH), "Some steps are there twice. Do the script and a hook both write them"),
        (
            "read before the update",
            changed(
                BOTH,
                (
                    "        i = 0\n",
                    "        plain = lambda step_context: step_context.session\n"
                    "        start = int(sess.run_step_fn(plain).run(global_step))\n        i = 0\n",
                ),
                (ADD, ADD.replace("i)", "start + i)")),
            ),
            "at the steps 0, 1, 2, ..., 799. They should start at 1",
        ),
        (
            "written seldom",
            solved_but("steps=1,", "steps=100,"),
            "at the steps 1, 101, 201, ..., 701. There should be more",
        ),
        ("never turned on", changed(*SOLVED[1:]), "The loss is at no step. No event has it."),
        (
            "half taken out",
            changed(*SOLVED[:2], (RUN, ALONE)),
            "NameError: name 'curve' is not defined\nA line still uses",
        ),
        (
            "the train op taken out",
            changed(ON, (MERGED, HILLS), (f"            {RUN}\n", ""), (ADD, "")),
            "its loop never ends\nNo hook stops it.",
        ),
        ("broken Python", solved_but("i += 1", "i +="), "Look at print(script): is each line where it should be?"),
        (
            "another tag",
            solved_but('"logits", logits', '"hills", logits'),
            "The loss is right. But no summary has the tag `logits`. The tags are: loss, hills,",
        ),
        (
            "a scalar",
            solved_but(HILLS.strip(), 'tf.summary.scalar("logits", tf.reduce_mean(logits))'),
            "`logits` holds single numbers. tf.summary.histogram takes all 500 logits",
        ),
        (
            "the weights",
            solved_but('"logits", logits', '"logits", w'),
            "Each histogram counts 640 numbers, but a batch has 500",
        ),
        ("the probabilities", solved_but('s", logits', 's", tf.nn.softmax(logits)'), "`logits` counts other numbers."),
        (
            "two hooks write the histogram",
            solved_but(
                HOOKS, f"{HOOKS[:-1]}, tf.train.SummarySaverHook(1, None, None, writer, None, tf.summary.merge_all())]"
            ),
            "Some steps are there twice.",
        ),
        (
            "too few histograms",
            changed(
                ON,
                (MERGED, ""),
                (RUN, ALONE),
                (ADD, ""),
                (
                    HOOKS,
                    f"{HOOKS[:-1]}, tf.train.SummarySaverHook(100, summary_writer=writer, "
                    'summary_op=tf.summary.histogram("logits", logits, collections=[]))]',
                ),
            ),
            "The histograms are at the steps 1, 101, 201, ..., 701. There should be more of them",
        ),
        (
            "the loop ends too soon",
            solved_but("while not sess.should_stop():", "while i < 300:"),
            "The loss is at the steps 1, 2, 3, ..., 600. Two runs of the script count 800 steps.",
        ),
        ("longer", solved_but("num_steps=400", "num_steps=500"), "Two runs of the script count 800 steps."),
        ("no script", "script = None", "`script` should be the text of the script."),
    ]
}
