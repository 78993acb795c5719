"""Wrong answers to the exercises of lesson 10."""

from __future__ import annotations

ALL, WEIGHTS = "tf.train.Saver()", "tf.train.Saver(tf.trainable_variables())"
INIT = "sess.run(tf.global_variables_initializer())"
RESTORE = "if latest:\n            saver.restore(sess, latest)"
LOOP = "for _ in range(runs):\n            sess.run(train_op)"
SAVE = 'saver.save(sess, f"{folder}/model", global_step=step)'
RETURN = "return tf.train.global_step(sess, step)"
RIGHT = (INIT, RESTORE, LOOP, SAVE, RETURN)
NUMBER = 'int(latest.rpartition("-")[2])'
FROM_NAME = f"if latest:\n            step.load({NUMBER}, sess)"


def _resume(*lines: str, saver: str = ALL, latest: str = "tf.train.latest_checkpoint(folder)", more: str = "") -> str:
    """Return lesson 10's exercise with other statements inside the session, or another Saver."""
    inside = "\n        ".join(lines or RIGHT)
    return f"""
def train_more(folder, runs):
    train_op = build(start=0.001, decay_steps=500)
    step = tf.train.get_global_step()
    saver = {saver}
    latest = {latest}
    {more}
    with tf.Session() as sess:
        {inside}
"""


WEIGHTS_BACK = "tf.train.Saver([w, b]).restore(sess, old)"
ALL_SAVED = 'tf.train.Saver().save(sess, f"{rescued}/model.ckpt", global_step=step)'


def _rescue(*lines: str) -> str:
    """Return lesson 10's second exercise with other statements inside the session."""
    inside = "\n    ".join(lines)
    return f"""
old, rescued = tf.train.latest_checkpoint(folder), lab.temporary_folder()
with tf.Graph().as_default(), tf.Session() as sess:
    w, b = tf.Variable(tf.zeros([64, 10]), name="w"), tf.Variable(tf.zeros([10]), name="b")
    step = tf.train.get_or_create_global_step()
    {inside}
"""


MUTANTS = {
    "10_stop_and_resume 2": [
        (
            "only the weights saved",
            _rescue(WEIGHTS_BACK, ALL_SAVED.replace("()", "([w, b])").replace("=step", "=800")),
            "has no global_step",
        ),
        (
            "the step is only in the name",
            _rescue(INIT, WEIGHTS_BACK, ALL_SAVED.replace("=step", "=800")),
            "The step inside is 0.\nAssign the step before you save.",
        ),
        (
            "the step is the old name's",
            _rescue(WEIGHTS_BACK, "sess.run(step.assign(400))", ALL_SAVED),
            "The step inside is 400.\nBoth runs used this name. How many updates did two runs of the script make?",
        ),
        (
            "the step is the next one",
            _rescue(WEIGHTS_BACK, "sess.run(step.assign(801))", ALL_SAVED),
            "The step inside is 801.\nHow many updates",
        ),
        (
            "the initializer after restore",
            _rescue(WEIGHTS_BACK, INIT, "sess.run(step.assign(800))", ALL_SAVED),
            "doesn't have the old b and w.\nRestore w and b",
        ),
        (
            "only w comes back",
            _rescue(INIT, WEIGHTS_BACK.replace(", b", ""), "sess.run(step.assign(800))", ALL_SAVED),
            "doesn't have the old b.",
        ),
        (
            "a step of int32",
            _rescue(INIT, WEIGHTS_BACK, ALL_SAVED).replace(
                "tf.train.get_or_create_global_step()", 'tf.Variable(800, trainable=False, name="global_step")'
            ),
            "The script's step is an int64. Make yours with",
        ),
        ("nothing saved", _rescue(WEIGHTS_BACK, "sess.run(step.assign(800))"), "There is no checkpoint in `rescued`."),
    ],
    "10_stop_and_resume": [
        ("nobody restores", _resume(INIT, LOOP, SAVE, RETURN), "starts at 0 again.\nNothing restores"),
        (
            "the initializer after restore",
            _resume(RESTORE, INIT, LOOP, SAVE, RETURN),
            "although it restores. What sets the step to 0 after that?\nThe initializer must run first",
        ),
        ("only the weights saved", _resume(saver=WEIGHTS), "The checkpoint holds w, and no global_step"),
        (
            "only the weights saved, and the step set from the name",
            _resume(INIT, RESTORE, FROM_NAME, LOOP, SAVE, RETURN, saver=WEIGHTS),
            "The checkpoint holds w, and no global_step",
        ),
        (
            "all saved, and the step set from the name",
            _resume(INIT, RESTORE, FROM_NAME, LOOP, SAVE, RETURN),
            "It went on at 7.\nYou take the step from the file's name",
        ),
        (
            "only the weights restored",
            _resume(INIT, RESTORE.replace("saver.", f"{WEIGHTS}."), LOOP, SAVE, RETURN),
            "And your Saver should take the step",
        ),
        (
            "only the step restored",
            _resume(INIT, RESTORE.replace("saver.", "tf.train.Saver([step])."), LOOP, SAVE, RETURN),
            "The step goes on, but w is 4.988 at step 1005. In a run that never stopped it is 1.688.",
        ),
        (
            "the weights restored, and the step set after the loop",
            _resume(
                INIT,
                RESTORE.replace("saver.", f"{WEIGHTS}."),
                LOOP,
                f"if latest:\n            step.load({NUMBER} + runs, sess)",
                SAVE,
                RETURN,
            ),
            "Is the weight restored, and the step before the first run?",
        ),
        (
            "the last name in the folder",
            _resume(
                latest='max((name[:-6] for name in os.listdir(folder) if name.endswith(".index")), default="")',
                more='latest = latest and f"{folder}/{latest}"',
            ),
            "a checkpoint named model-7 with the step 1000 inside. It ends at step 5, not at 1005.",
        ),
        ("only the step saved", _resume(saver="tf.train.Saver([step])"), "holds global_step, and no w"),
        (
            "the runs as the name",
            _resume(INIT, RESTORE, LOOP, SAVE.replace("=step", "=runs"), RETURN),
            "The name is model-5, but the step inside is 1005",
        ),
        ("no number in the name", _resume(*RIGHT[:3], SAVE.replace(", global_step=step", ""), RETURN), "has no step"),
        (
            "restored though nothing is there",
            _resume(INIT, "saver.restore(sess, latest)", LOOP, SAVE, RETURN),
            "There is no checkpoint yet: restore only if latest_checkpoint gives one.",
        ),
        (
            "a path that is not there yet",
            _resume(INIT, 'saver.restore(sess, f"{folder}/model-1000")', LOOP, SAVE, RETURN),
            "It restores a checkpoint that is not there yet",
        ),
        (
            "always the first checkpoint",
            _resume(latest='f"{folder}/model-1000" if os.listdir(folder) else None'),
            "the third one ends at step 1005, not at 1010",
        ),
        (
            "restored into another session",
            _resume(
                INIT,
                "if latest:\n            with tf.Session() as other:\n                saver.restore(other, latest)",
                *RIGHT[2:],
            ),
            "You restore into one session, and train in another",
        ),
        (
            "restored after the loop",
            _resume(INIT, LOOP, RESTORE, SAVE, RETURN),
            "ends at step 1000: its own steps are missing",
        ),
        (
            "up to runs, not runs more",
            _resume(INIT, RESTORE, "while sess.run(step) < runs:\n            sess.run(train_op)", SAVE, RETURN),
            "ends at step 1000: its own steps are missing",
        ),
        (
            "saved only the first time",
            _resume(INIT, RESTORE, LOOP, f"if not latest:\n            {SAVE}", RETURN),
            "saves nothing, so its 5 steps are lost",
        ),
        ("never saved", _resume(INIT, LOOP, RETURN), "leaves no checkpoint in `folder`"),
        ("saved elsewhere", _resume(INIT, LOOP, SAVE.replace("/model", "/../model"), RETURN), "leaves no checkpoint"),
        ("no initializer", _resume(RESTORE, LOOP, SAVE, RETURN), "The first call restores nothing"),
        (
            "one run too many",
            _resume(INIT, RESTORE, LOOP, "sess.run(train_op)", SAVE, RETURN),
            "In an empty folder, `train_more` ends at step 1001, not at 1000, after 1000 runs",
        ),
        ("nothing returned", _resume(*RIGHT[:4]), "the second call returns None, not 1005"),
        ("the runs returned", _resume(*RIGHT[:4], "return runs"), "the second call returns 5, not 1005"),
        (
            "restored by a file's name",
            _resume(INIT, RESTORE.replace("latest)", 'f"{latest}.index")'), *RIGHT[2:]),
            "No such file or directory\nGive `restore` what latest_checkpoint gives",
        ),
        ("not a function", "train_more = build()", "`train_more` should be a function"),
    ],
}
