"""Half repairs of lesson 15's inherited scripts: each is the whole repair with something missing or something else."""

from __future__ import annotations

from lab.experiments.inheritance import inheritance

Changes = dict[str, list[tuple[str, str]]]

READOUT, FEATURES = (
    "minimize(loss, global_step, var_list=weights[2:])",
    "minimize(loss, global_step, var_list=weights[:2])",
)
SAVER = "    saver = tf.train.Saver(max_to_keep=3)\n"
STEP = "    global_step = tf.train.get_or_create_global_step()\n"
DECAY = "exponential_decay(0.2, global_step, 4 * BATCHES, 0.5, staircase=True)"
BUILD, RETURN = "loss, saver = build_model()", "b2], loss, saver\n"
RESTORE = "            saver.restore(sess, tf.train.latest_checkpoint(folder))\n"
LOOP = "        for epoch in range(1, EPOCHS + 1):\n"
RUNS = "                sess.run(readout_op, batch)\n                sess.run(features_op, batch)\n"
EMA = "    with tf.control_dependencies([features_op]):\n        features_op = ema.apply(weights)\n"
NAME, POINT = 'os.path.join(folder, "model.ckpt"), global_step=epoch)', "writer.add_summary(curve, epoch)"
COUNTER = '    counter = tf.Variable(0, trainable=False, name="counter")\n'
FETCH = "_, step, used = sess.run([train_op, now, rate], feed)\n"
NOW = '    now = tf.add(counter, 0, name="now")\n'
TEST = """\
    accuracy = tf.reduce_mean(tf.cast(right, tf.float32))
    summary = tf.summary.scalar("accuracy", accuracy)
    reads, curve = sess.run([accuracy, summary], feed)
    writer.add_summary(curve, step)
"""
TEST_ONCE = """\
    reads = float(np.mean(sess.run(right, feed)))
    value = tf.Summary.Value(tag="accuracy", simple_value=reads)
    writer.add_summary(tf.Summary(value=[value]), step)
"""
PLANE_SAVER, START = "Saver([w, ema.average(w)])", "tf.Variable(start, trainable=False"

APPLY = "    with tf.control_dependencies([train_op]):\n        average_op = ema.apply([w])\n"
GROUPED = "    average_op = tf.group(train_op, ema.apply([w]))\n"
BEFORE = "the average of `w` takes the weights from before the batch: nothing makes it wait for the update."
BY_HAND = [  # the plane's average without ExponentialMovingAverage
    (
        "    ema = tf.train.ExponentialMovingAverage(0.99, num_updates=",
        '    mean = tf.Variable(tf.zeros([4, 1]), trainable=False, name="mean")\n    now = tf.to_float(',
    ),
    ("global_step)\n    with", "global_step)\n    keep = tf.minimum(0.99, (1 + now) / (10 + now))\n    with"),
    ("ema.apply([w])", "tf.assign(mean, keep * mean + (1 - keep) * w)"),
    ("ema.average(w)", "mean"),
]

REPAIRS: dict[int, Changes] = {  # what has to change in each script; the lesson's solutions do this
    1: {
        "count": [(READOUT, "minimize(loss, var_list=weights[2:])")],
        "decay": [("4 * BATCHES", "2 * BATCHES")],
        "saver": [
            (f"{SAVER}    return", "    return"),
            (RETURN, "b2], loss\n"),
            (BUILD, "loss = build_model()"),
            ("    writer =", f"{SAVER}    writer ="),
        ],
        "curve": [(POINT, "writer.add_summary(curve, step)")],
        "name": [(NAME, NAME.replace("epoch", "step"))],
    },
    2: {
        "step": [(COUNTER, "    counter = tf.train.get_or_create_global_step()\n")],
        "rate": [("1.25", "0.8")],
        "read": [
            (NOW, ""),
            (FETCH, "_, used = sess.run([train_op, rate], feed)\n            step = sess.run(counter)\n"),
        ],
        "test": [(TEST, TEST_ONCE)],
    },
    3: {
        "average": [("num_updates=start", "num_updates=global_step")],
        "saver": [(PLANE_SAVER, "Saver()")],
        "curve": [("(curve, start + i)", "(curve, step)")],
        "name": [("global_step=i)", "global_step=step)")],
    },
}


def version(number: int, *more: tuple[str, str], but: str = "", **instead: list[tuple[str, str]]) -> str:
    """Repair a script `but` for some parts, with others changed `instead`, and then `more` lines changed."""
    text = inheritance(number)
    repairs = {part: changes for part, changes in REPAIRS[number].items() if part not in but.split()} | instead
    for old, new in [*(change for changes in repairs.values() for change in changes), *more]:
        assert text.count(old) == 1, (number, old, text.count(old))
        text = text.replace(old, new)
    return text


def goes_wrong(number: int, what: str, words: str, *more: tuple[str, str], **how: object) -> tuple[str, str, str]:
    """Return a mutant: what is wrong, the answer, words of the message."""
    return what, f"script = {version(number, *more, **how)!r}", words


NAMED = "The next run goes on at step {}, with its weights, but the averages start from other values"
# In a Saver that knows the step, but not the averages.
STEP_SAVED = [
    ("    saver = tf", STEP + "    saver = tf"),
    (STEP + "    rate", "    global_step = tf.train.get_global_step()\n    rate"),
]
NO_SAVER = [(f"{SAVER}    return", "    return"), (RETURN, "b2], loss\n"), (BUILD, "loss = build_model()")]


def saver(text: str) -> list[tuple[str, str]]:
    """Build the Saver at the end, as `text`."""
    return [*NO_SAVER, ("    writer =", f"    saver = {text}\n    writer =")]


LUCKY_GRADIENT = "one run updates `readout/w` and reads it for another gradient"
RUN_BOTH = "                sess.run([readout_op, features_op], batch)\n"
ONE_RUN = "                sess.run(features_op, batch)\n"
OPS = f"    readout_op = sgd(rate).{READOUT}\n    features_op = sgd(rate / 4).{FEATURES}\n"
BY_GRADIENTS = """\
    slopes = zip(tf.gradients(loss, weights), weights)
    slopes = [(g / 4 if "features" in v.name else g, v) for g, v in slopes]
    features_op = sgd(rate).apply_gradients(slopes, global_step)
"""
WAVE = [
    goes_wrong(1, "counted twice", "the step after each batch is 2, 4, 6, 8", but="count"),
    goes_wrong(1, "counted twice, and the rate as it was", "step after each batch is 2, 4", but="count decay"),
    goes_wrong(1, "only the count", "Step 81 changes `readout/w` at a rate of 0.2", but="decay saver curve name"),
    goes_wrong(1, "the decay left", "By the script's first lines, it should be 0.1.", but="decay"),
    goes_wrong(1, "only the decay", "the step after each batch is 2, 4, 6, 8", but="count saver curve name"),
    goes_wrong(
        1,
        "nobody counts",
        "trains on 320 batches, and `global_step`, which `get_global_step()` finds, stays at 0.",
        (FEATURES, "minimize(loss, var_list=weights[:2])"),
    ),
    goes_wrong(
        1,
        "the readout forgotten",
        "In the first run, `readout/w` changes 0 times. It should learn once from each of 320 batches.",
        (RUNS, "                sess.run(features_op, batch)\n"),
    ),
    goes_wrong(
        1,
        "the readout twice",
        "In the first run, `readout/w` changes 640 times. It should learn once from each of 320 batches.",
        ("[features_op])", "[readout_op, features_op])"),
    ),
    goes_wrong(1, "both in one run", LUCKY_GRADIENT, (RUNS, ONE_RUN), ("[features_op])", "[readout_op, features_op])")),
    goes_wrong(1, "both in one fetch", LUCKY_GRADIENT, (RUNS, RUN_BOTH)),
    goes_wrong(
        1,
        "both in a group",
        LUCKY_GRADIENT,
        (RUNS, ONE_RUN),
        (EMA, "    features_op = tf.group(readout_op, features_op)\n" + EMA),
    ),
    goes_wrong(1, "gradients that nothing holds back", LUCKY_GRADIENT, (OPS, BY_GRADIENTS), (RUNS, ONE_RUN), count=[]),
    goes_wrong(
        1,
        "the gradient of half a step",
        "Step 1 doesn't move `features/w` along the gradient of its batch.",
        (
            f"    features_op = sgd(rate / 4).{FEATURES}\n",
            f"    with tf.control_dependencies([readout_op]):\n        features_op = sgd(rate / 4).{FEATURES}\n",
        ),
        (RUNS, "                sess.run(features_op, batch)\n"),
    ),
    goes_wrong(
        1,
        "boundaries that end",
        "Step 561 changes `readout/w` at a rate of 0.003125.",
        decay=[
            (DECAY, "piecewise_constant(global_step, [79, 159, 239, 319, 399, 479], [0.2 / 2**n for n in range(7)])")
        ],
    ),
    goes_wrong(
        1,
        "two epochs after a restart",
        "In the third run, `readout/w` changes 80 times. It should learn once from each of 320 batches.",
        (LOOP, "        for epoch in range(1, (2 if sess.run(global_step) else EPOCHS) + 1):\n"),
    ),
    goes_wrong(
        1,
        "the features forgotten",
        "In the first run, `features/w` changes 0 times.",
        (RUNS, "                sess.run(readout_op, batch)\n"),
        ("[features_op]):\n        features_op", "[readout_op]):\n        readout_op"),
        count=[(FEATURES, FEATURES)],
    ),
    goes_wrong(1, "no staircase", "Step 7 changes `readout/w` at a rate of 0.1899", (", staircase=True", "")),
    goes_wrong(
        1, "a rate that rises", "Step 81 changes `readout/w` at a rate of 0.4", ("BATCHES, 0.5, ", "BATCHES, 2.0, ")
    ),
    goes_wrong(1, "epochs for steps", "Step 3 changes `readout/w`", decay=[("4 * BATCHES", "2")]),
    goes_wrong(1, "one rate for both", "changes `features/w` at a rate of 0.2", ("rate / 4", "rate")),
    goes_wrong(
        1,
        "the rate by batches of a run",
        "Step 321 changes `readout/w`",
        ("        for epoch", "        done = 0\n        for epoch"),
        (
            RUNS,
            RUNS.replace("batch)", "{**batch, rate: 0.2 * 0.5 ** (done // 80)})", 1).replace(
                "op, batch)", "op, {**batch, rate: 0.2 * 0.5 ** (done // 80)})"
            )
            + "                done += 1\n",
        ),
    ),
    goes_wrong(1, "the Saver left", "One run ends at step 320, and the next one starts at step 0.", but="saver"),
    goes_wrong(1, "the step saved, not the averages", NAMED.format(320), but="saver", saver=STEP_SAVED),
    goes_wrong(1, "names for the Saver", NAMED.format(320), saver=saver("tf.train.Saver(weights + [global_step])")),
    goes_wrong(
        1,
        "all but the step",
        "the next one starts at step 0",
        saver=saver("tf.train.Saver(weights + [ema.average(v) for v in weights])"),
    ),
    goes_wrong(
        1,
        "the step from the name",
        NAMED.format(320),
        but="saver",
        saver=[
            (
                RESTORE,
                RESTORE
                + '            global_step.load(int(tf.train.latest_checkpoint(folder).split("-")[-1]), sess)\n',
            )
        ],
    ),
    goes_wrong(
        1,
        "the step from the name, in epochs",
        "the next one starts at step 8",
        but="saver name",
        saver=[
            (
                RESTORE,
                RESTORE
                + '            global_step.load(int(tf.train.latest_checkpoint(folder).split("-")[-1]), sess)\n',
            )
        ],
    ),
    goes_wrong(
        1,
        "the averages set to the weights",
        NAMED.format(320),
        but="saver",
        saver=[
            *STEP_SAVED,
            (RESTORE, RESTORE + "            sess.run([tf.assign(ema.average(v), 0 * v) for v in weights])\n"),
        ],
    ),
    goes_wrong(
        1,
        "initialized last",
        "the next one starts at step 0",
        (LOOP, "        sess.run(tf.global_variables_initializer())\n" + LOOP),
    ),
    goes_wrong(
        1, "no resuming", "the next one starts at step 0", ("if tf.train.latest_checkpoint(folder):", "if False:")
    ),
    goes_wrong(1, "files by epoch", "Inside model.ckpt-6 is step 240", but="name"),
    goes_wrong(
        1,
        "files without a number",
        "Inside model.ckpt is step 320",
        name=[(NAME, NAME.replace(", global_step=epoch", ""))],
    ),
    goes_wrong(
        1,
        "files by what Python counts",
        "Inside model.ckpt-40 is step 360",
        name=[(NAME, NAME.replace("epoch", "epoch * BATCHES"))],
    ),
    goes_wrong(1, "the curve by epoch", "has points at the steps 1, 2, 3", but="curve"),
    goes_wrong(
        1,
        "the curve by what Python counts",
        "has points at the steps",
        curve=[(POINT, POINT.replace("epoch", "epoch * BATCHES"))],
    ),
    goes_wrong(
        1,
        "one file at the end",
        "One run is killed at step",
        (
            f"            saver.save(sess, {NAME.replace('epoch', 'step')}",
            f"        saver.save(sess, {NAME.replace('epoch', 'step')}",
        ),
    ),
    goes_wrong(
        1,
        "a file as it ends, whatever happens",
        "One run is killed at step",
        (LOOP, "        import atexit\n        try:\n         for epoch in range(1, EPOCHS + 1):\n"),
        (
            f"            saver.save(sess, {NAME.replace('epoch', 'step')}",
            f"        finally:\n            saver.save(sess, {NAME.replace('epoch', 'sess.run(global_step)')}",
        ),
    ),
    goes_wrong(
        1, "no averages", "keeps 0.00 of itself. It should keep about 0.97.", ("0.98, num_updates=global_step", "0.0")
    ),
    goes_wrong(
        1,
        "the averages as they were",
        "No Variable averages `readout/w` any more",
        (EMA, ""),
        ("[ema.average(weight) for weight in weights]", "weights"),
    ),
    goes_wrong(
        1,
        "averages that don't wait",
        "At step 3, the average of `features/w` takes the weights from before the batch",
        (EMA, "    features_op = tf.group(features_op, ema.apply(weights))\n"),
    ),
    goes_wrong(
        1,
        "the weights tested, the averages not saved",
        NAMED.format(320),
        ("[ema.average(weight) for weight in weights]", "weights"),
        saver=saver("tf.train.Saver(weights + [global_step])"),
    ),
    goes_wrong(
        1,
        "the weights tested",
        "At step 40 the log shows an error of 0.102. The averaged weights have an error of 0.1002 on",
        ("[ema.average(weight) for weight in weights]", "weights"),
    ),
    goes_wrong(
        1,
        "tested on what it learned from",
        "At step 40 the log shows an error of 0.109. The averaged weights have an error of 0.1002 on the test data.",
        ("test = {x: x_test, y: y_test}", "test = {x: x_train, y: y_train}"),
    ),
    goes_wrong(
        1,
        "a curve of zeros",
        "At step 40 the curve shows an error of 0. The averaged weights have an error of 0.1002 on the test data.",
        curve=[
            (POINT, "writer.add_summary(tf.Summary(value=[tf.Summary.Value(tag='test_error', simple_value=0)]), step)")
        ],
    ),
    goes_wrong(
        1, "a log without an error", "the log shows an error of 0. The averaged weights", ("now, reads))", "now, 0))")
    ),
    goes_wrong(
        1,
        "a test in the loop",
        "It grows in the loop.",
        ("            test = {", "            error = tf.reduce_mean((averaged - y) ** 2)\n            test = {"),
    ),
    goes_wrong(
        1,
        "a test every two epochs",
        "One run is killed at step 379, and the next one starts at step 320",
        ("            test = {x", "            if epoch % 2:\n                continue\n            test = {x"),
    ),
    goes_wrong(
        1,
        "a silent log",
        "The log has lines for the steps (none)",
        ('            print("step', '            str("step'),
    ),
    goes_wrong(1, "a log by epoch", "The log has lines for the steps 1, 2, 3", ("% (step, now", "% (epoch, now")),
    goes_wrong(
        1,
        "another rate in the log",
        "At step 40 the log says rate 0.05. The next step uses 0.2.",
        ("(step, now, reads)", "(step, now / 4, reads)"),
    ),
    goes_wrong(
        1,
        "half an epoch",
        "`readout/w` changes 160 times",
        ("range(0, BATCHES * SIZE, SIZE)", "range(0, BATCHES * SIZE, 2 * SIZE)"),
    ),
    goes_wrong(
        1,
        "a misspelled name",
        "(line 74 of your version): NameError",
        ("writer.add_summary(curve, step)", "writer.add_summary(curve, now_step)"),
    ),
    goes_wrong(
        1,
        "no Python",
        "stops with an error (line 48 of your version): SyntaxError",
        ("weights, loss = build", "weights, loss = = build"),
    ),
    goes_wrong(1, "no main", "The first run runs nothing in a session.", ("    main(sys.argv[1])", "    pass")),
    ("not a text", "script = 3", "Pass the text"),
]
ELSEWHERE = "It tests after the steps 1, 101, 201, 301."
DIGITS = [
    goes_wrong(2, "the step twice", "`global_step`, which `get_global_step()` finds, stays at 0.", but="step"),
    goes_wrong(2, "only the rate", "`global_step`, which `get_global_step()` finds, stays at 0.", but="step read test"),
    goes_wrong(
        2,
        "the next rate in the log",
        "At step 100 the log says rate 0.4. This step used 0.4009.",
        read=[
            (NOW, ""),
            (FETCH, "sess.run(train_op, feed)\n            step, used = sess.run(counter), sess.run(rate)\n"),
        ],
    ),
    goes_wrong(
        2,
        "a test of what it learned from",
        "At step 100 the log shows an accuracy of 0.98. The weights have an accuracy of 0.8653 on the test data.",
        ("{x: images[1500:], y: labels[1500:]}, step)", "feed, step)"),
    ),
    goes_wrong(
        2,
        "only the step",
        "Step 48 changes `w` at a rate of 0.48. By the script's first lines, it should be 0.4502",
        but="rate read test",
    ),
    goes_wrong(2, "a rate that grows", "changes `w` at a rate of", but="rate"),
    goes_wrong(
        2,
        "no warm-up",
        "Step 1 changes `w` at a rate of 0.5",
        ("return tf.minimum(rate, 0.5 * (step + 1) / 50)", "return rate"),
    ),
    goes_wrong(2, "read in the same run", ELSEWHERE, but="read"),
    goes_wrong(
        2,
        "one added in Python",
        "no path\norders the two: in TensorFlow it may get another number",
        but="read",
        read=[("if step %", "step += 1\n            if step %")],
    ),
    goes_wrong(
        2,
        "one added in the graph",
        "no path\norders the two: in TensorFlow it may get another number",
        but="read",
        read=[("tf.add(counter, 0,", "tf.add(counter, 1,")],
    ),
    goes_wrong(
        2,
        "the Variable itself",
        "no path\norders the two: in TensorFlow it may get another number",
        but="read",
        read=[("[train_op, now, rate]", "[train_op, counter, rate]")],
    ),
    goes_wrong(
        2,
        "counted in Python",
        ELSEWHERE,
        but="read",
        read=[(FETCH, "_, used = sess.run([train_op, rate], feed)\n            step = i\n")],
    ),
    goes_wrong(2, "a summary for each test", "It grows in the loop.", but="test"),
    goes_wrong(
        2,
        "a curve less",
        "The curve `accuracy` has points at the steps (none).",
        ("    writer.add_summary(tf.Summary(value=[value]), step)\n", ""),
    ),
    goes_wrong(
        2, "no step in the curve", "has points at the steps 0, 0", ("(value=[value]), step)", "(value=[value]))")
    ),
]
PLANE = [
    goes_wrong(
        3,
        "no clock for the average",
        "At step 1, the average of `w` keeps 0.99 of itself. It should keep about 0.10.",
        average=[("0.99, num_updates=start", "0.99")],
    ),
    goes_wrong(
        3,
        "the weights tested",
        "The averaged weights have an error of",
        ("(tf.matmul(x, ema.average(w))", "(tf.matmul(x, w)"),
    ),
    goes_wrong(
        3,
        "tested on what it learned from",
        "on the test data.",
        ("{x: data[3000:], y: goals[3000:]}", "{x: data[:300], y: goals[:300]}"),
    ),
    goes_wrong(
        3,
        "the rate that was used in the log",
        "At step 100 the log says rate 0.0796. The next step uses 0.07937.",
        (
            "sess.run(average_op, {x: data[batch], y: goals[batch]})",
            "_, used = sess.run([average_op, rate], {x: data[batch], y: goals[batch]})",
        ),
        ("(step, now, reads)", "(step, used, reads)"),
    ),
    goes_wrong(
        3,
        "200 steps after a restart",
        "In the third run, `w` changes 200 times.",
        ("for i in range(1, 301)", "for i in range(1, 201 if sess.run(global_step) else 301)"),
    ),
    goes_wrong(3, "no average", "At step 300, the average of `w` keeps 0.10 of itself. It should keep", but="average"),
    goes_wrong(3, "always two steps", "of `w` keeps 0.50 of itself", average=[("0.99, num_updates=start", "0.5")]),
    goes_wrong(3, "an average that doesn't wait", BEFORE, (APPLY, GROUPED)),
    goes_wrong(
        3, "one that doesn't wait, and the clock left", "At step 300, the average", (APPLY, GROUPED), but="average"
    ),
    goes_wrong(
        3,
        "an average by hand, and not saved",
        "with its weights, but the averages start from other values",
        *BY_HAND,
        saver=[(PLANE_SAVER, "Saver([w, global_step])")],
    ),
    goes_wrong(3, "the Saver left", "Inside model.ckpt-100 is no step.", but="saver"),
    goes_wrong(3, "the name left", "Inside model.ckpt-100 is step 400.", but="name"),
    goes_wrong(
        3,
        "only the average",
        "One run is killed at step 450, and the next one starts at step 100.",
        but="saver name curve",
    ),
    goes_wrong(3, "only the Saver", "Inside model.ckpt-100 is step 400.", but="name curve"),
    goes_wrong(3, "only the name", "Inside model.ckpt-100 is no step.", but="saver curve"),
    goes_wrong(
        3,
        "the step not saved",
        "the next one starts at step 0",
        ("else 0\n", "else 0\n    start = 0\n"),
        saver=[(PLANE_SAVER, "Saver([w, ema.average(w)])")],
    ),
    goes_wrong(
        3,
        "the curve by batches",
        "The curve `error` has points at the steps",
        curve=[("(curve, start + i)", "(curve, i)")],
    ),
    goes_wrong(
        3,
        "the weights alone",
        "but the averages start from other values",
        saver=[(PLANE_SAVER, "Saver([w, global_step])")],
    ),
    goes_wrong(
        3,
        "one more than the name",
        "Its folder is empty, but the first run starts at step 1.",
        (START, "tf.Variable(start + 1, trainable=False"),
        saver=[(PLANE_SAVER, PLANE_SAVER)],
    ),
]
MUTANTS = {"15_bug_clinic 11": WAVE, "15_bug_clinic 12": DIGITS, "15_bug_clinic 13": PLANE}
