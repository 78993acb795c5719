"""Wrong answers to the exercise of lesson 11."""

from __future__ import annotations

HOOK = """
class LogTest(tf.train.SessionRunHook):
    runs = 0

    def __init__(self, writer, rate, accuracy, test):
        self.writer, self.rate, self.accuracy, self.test = writer, rate, accuracy, test

    def log(self, step, now, reads):
        value = tf.Summary.Value(tag="test_accuracy", simple_value=float(reads))
        self.writer.add_summary(tf.Summary(value=[value]), step)
        print(f"step {step} rate {now:.4f} test accuracy {reads:.3f}")
"""
ASK = "return tf.train.SessionRunArgs(self.rate)"
STEP = "tf.train.global_step(sess, tf.train.get_global_step())"
LOG = "self.log(step, run_values.results, sess.run(self.accuracy, self.test))"
AFTER = f"sess = run_context.session\nstep = {STEP}\nif step % 50 == 1:\n    {LOG}"


def hook(before: str = ASK, after: str = AFTER) -> str:
    """Return lesson 11's exercise with these bodies of before_run and after_run; "" for no such method."""
    methods = {"before_run(self, run_context)": before, "after_run(self, run_context, run_values)": after}
    parts = [(name, "\n        ".join(body.splitlines())) for name, body in methods.items() if body]
    return HOOK + "".join(f"\n    def {name}:\n        {body}\n" for name, body in parts)


def after(old: str, new: str) -> str:
    """Return the solution with one thing changed in after_run."""
    assert AFTER.count(old) == 1
    return hook(after=AFTER.replace(old, new))


PRINT = 'print("step {} rate {:.4f} test accuracy {:.3f}"'
TOGETHER = "now, step = run_values.results\nif step % 50 == 1:\n"
TOGETHER += "    self.log(step, now, run_context.session.run(self.accuracy, self.test))"
BATCH = f"now, reads = run_values.results\nsess = run_context.session\nstep = {STEP}\nif step % 50 == 1:\n"
BATCH += "    self.log(step, now, reads)"
OWN = f"sess = run_context.session\nself.runs += 1\nstep = self.runs\nif step % 50 == 1:\n    {LOG}"
OLD = f"sess, step = run_context.session, self.old\nif step % 50 == 1:\n    {LOG}"

MUTANTS = {
    "11_hooks": [
        ("the log in before_run only", hook(after=""), "It logs nothing. In after_run, call self.log"),
        (
            "the step in the run that updates it",
            hook("return tf.train.SessionRunArgs([self.rate, tf.train.get_global_step()])", TOGETHER),
            "but only by luck: you ask for the step in the run that updates it",
        ),
        (
            "the same, by its name",
            hook('return tf.train.SessionRunArgs([self.rate, "global_step:0"])', TOGETHER),
            "read it before or after the update (lesson 07)",
        ),
        (
            "a sum that reads the step in the same run",
            hook(
                "return tf.train.SessionRunArgs([self.rate, self.read])",
                TOGETHER.replace("run_values.results", "run_values.results\nstep += 1"),
            )
            + "\n    def begin(self):\n        self.read = tf.add(tf.train.get_global_step(), 0)\n",
            "but only by luck: you ask for the step in the run that updates it",
        ),
        (
            "the next rate",
            after("run_values.results", "sess.run(self.rate)"),
            "The step and the rate don't belong together",
        ),
        (
            "the step from before the update",
            hook(f'self.old = run_context.session.run("global_step:0")\n{ASK}', OLD),
            "The step and the rate don't belong together",
        ),
        (
            "another rate",
            after("run_values.results", "run_values.results / 10"),
            "The rates are 0.0500, 0.0447, 0.0400",
        ),
        ("every 50th", after("== 1", "== 0"), "It logs the steps 50, 100, 150, 200 ..., 8 in all."),
        ("all updates", after("step % 50 == 1", "step"), "It logs the steps 1, 2, 3, 4 ..., 400 in all."),
        ("stops at once", hook(after=f"{AFTER}\nrun_context.request_stop()"), "It logs the steps 1 ..., 1 in all."),
        ("a counter of its own", hook(after=OWN), "Don't keep your own count"),
        ("the batch's accuracy", hook(ASK.replace("self.rate", "[self.rate, self.accuracy]"), BATCH), "not 0.195, 0.8"),
        (
            "the test set in the batch's run",
            hook("return tf.train.SessionRunArgs([self.rate, self.accuracy], self.test)", BATCH),
            "That run has its own batch.",
        ),
        ("no feed", after(", self.test", ""), "This run has no images. Feed it self.test."),
        ("the rate as a tensor", after("run_values.results", "self.rate"), "A tensor isn't a number."),
        ("the accuracy as a tensor", after("sess.run(self.accuracy, self.test)", "self.accuracy"), "A tensor isn't"),
        ("the step as a Variable", after(STEP, "tf.train.get_global_step()"), "The hook makes an op"),
        ("the loop's session", after("sess = run_context.session\n", ""), "Here the session is run_context.session."),
        ("all the values", after(".results", ""), "The number is run_values.results."),
        ("a list", hook("return tf.train.SessionRunArgs([self.rate])"), "Ask for self.rate alone."),
        ("the rate itself", hook("return self.rate"), "before_run should return tf.train.SessionRunArgs(self.rate)."),
        ("nothing returned", hook(ASK.removeprefix("return ")), "before_run should return"),
        ("nothing asked", hook(""), "before_run should return"),
        (
            "only printed",
            hook(after=AFTER.replace(LOG, f"{PRINT}.format({LOG.removeprefix('self.log(')})")),
            "Call self.log once for each line.",
        ),
        ("no base class", hook().replace("(tf.train.SessionRunHook)", ""), "should be a hook"),
        ("an object, not a class", f"{hook()}\nLogTest = LogTest(None, None, None, None)", "should be a hook"),
        ("an error", after("step % 50", "steps % 50"), "name 'steps' is not defined\nFix that first"),
    ]
}
