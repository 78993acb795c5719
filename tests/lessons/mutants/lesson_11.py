"""Wrong answers to the exercise of lesson 11."""

from __future__ import annotations

ASK = "return tf.train.SessionRunArgs(self.loss)"
STOP = "run_context.request_stop()"
IF_SMALL = "if run_values.results < self.limit:\n            "


def _hook(
    before: str = ASK, after: str = IF_SMALL + STOP, more: str = "", base: str = "(tf.train.SessionRunHook)"
) -> str:
    """Return lesson 11's exercise with other methods."""
    return f"""
class StopWhenSmall{base}:
    def __init__(self, loss, limit):
        self.loss, self.limit = loss, limit
        self.runs, self.last = 0, float("inf")
{more}
    def before_run(self, run_context):
        {before}

    def after_run(self, run_context, run_values):
        {after}
"""


MUTANTS = {
    "11_hooks": [
        ("never stops", _hook(after="pass"), "It never stops. Who calls run_context.request_stop()?"),
        ("only notes it", _hook(after=f"{IF_SMALL}self.stop = True"), "It never stops."),
        ("stops at once", _hook(after=STOP), "It stops after run 1 each time, whatever the loss is."),
        ("stops before the run", _hook(f"{STOP}; {ASK}", "pass"), "It stops after run 1 each time"),
        (
            "stops by its own count of runs",
            _hook(after=f"self.runs += 1\n        if self.runs == 3:\n            {STOP}"),
            "It stops after run 3 each time, whatever the loss is.",
        ),
        (
            "asks for the step",
            _hook("return tf.train.SessionRunArgs(tf.train.get_global_step())"),
            "before_run asks for global_step:0, not for the loss.",
        ),
        (
            "stops at a step",
            _hook(
                "return tf.train.SessionRunArgs(tf.train.get_global_step())",
                f"if run_values.results >= 2:\n            {STOP}",
            ),
            "before_run asks for global_step:0, not for the loss.",
        ),
        (
            "the wrong way round",
            _hook(after=f"if run_values.results > self.limit:\n            {STOP}"),
            "The loss 5 is not below 0.5.",
        ),
        (
            "at the limit, not below it",
            _hook(after=f"if run_values.results <= self.limit:\n            {STOP}"),
            "The loss 0.5 is not below 0.5.",
        ),
        (
            "a limit of its own",
            _hook(after=f"if run_values.results < 0.5:\n            {STOP}"),
            "Compare with self.limit.",
        ),
        (
            "the loss of the run before",
            _hook(after=f"if self.last < self.limit:\n            {STOP}\n        self.last = run_values.results"),
            "That is one run too late. Look at the loss of this run.",
        ),
        ("asks for nothing", _hook("return None"), "before_run asks for nothing, so run_values.results is None."),
        (
            "forgets to return",
            _hook("tf.train.SessionRunArgs(self.loss)"),
            "Let it return tf.train.SessionRunArgs(self.loss).",
        ),
        (
            "returns the loss itself",
            _hook("return self.loss"),
            "before_run should return tf.train.SessionRunArgs(self.loss).",
        ),
        (
            "returns it in a list",
            _hook("return [self.loss]"),
            "before_run should return tf.train.SessionRunArgs(self.loss).",
        ),
        (
            "a run of its own",
            _hook("return None", f"if run_context.session.run(self.loss) < self.limit:\n            {STOP}"),
            "The hook starts its own run, and that run has no batch.",
        ),
        (
            "compares the tensor",
            _hook(after=f"if self.loss < self.limit:\n            {STOP}"),
            "self.loss is a tensor. Its number comes in",
        ),
        ("makes an op", _hook("return tf.train.SessionRunArgs(self.loss * 1)"), "The hook makes an op"),
        (
            "compares all the values",
            _hook(after=f"if run_values < self.limit:\n            {STOP}"),
            "The number is run_values.results.",
        ),
        (
            "asks for a list",
            _hook("return tf.train.SessionRunArgs([self.loss])"),
            "results has the form of what you asked for.",
        ),
        ("asks by a fixed name", _hook('return tf.train.SessionRunArgs("loss:0")'), "Ask for self.loss."),
        ("an error in place of a stop", _hook(after=f"{IF_SMALL}raise StopIteration"), "but nobody asked for a stop."),
        (
            "sets the property",
            _hook(after=f"{IF_SMALL}run_context.stop_requested = True"),
            "It calls run_context.request_stop().",
        ),
        ("calls what there is not", _hook(after=f"{IF_SMALL}run_context.stop()"), "no attribute 'stop'"),
        (
            "closes the session",
            _hook(after=f"{IF_SMALL}run_context.session.close()"),
            "A hook does not close the session.",
        ),
        ("no base class", _hook(base=""), "The session calls five methods of a hook."),
        ("two arguments fewer", _hook().replace(", loss, limit", ""), "takes 1 positional argument but 3 were given"),
        ("an object, not a class", _hook() + "\nStopWhenSmall = StopWhenSmall(None, 0.5)", "should be a class"),
        (
            "too strict",
            _hook(after=f"if run_values.results < self.limit / 10:\n            {STOP}"),
            "Stop at the first loss below",
        ),
        (
            "stops at the end only",
            _hook(after="pass", more="\n    def end(self, session):\n        self.done = True\n"),
            "It never stops.",
        ),
    ]
}
