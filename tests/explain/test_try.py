"""`--try` runs a changed copy of the script's folder, and says how that went; the folder itself stays as it was."""

from __future__ import annotations

import pytest

import minitf as tf

WEIGHTS_ONLY = """
    import tensorflow as tf

    step = tf.train.get_or_create_global_step()
    w = tf.Variable(1.0, name="w")
    rate = tf.train.exponential_decay(0.25, step, 2, 0.5)
    train = tf.train.MomentumOptimizer(rate, 0.9).minimize(w * w, global_step=step)
    saver = tf.train.Saver([w])
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        latest = tf.train.latest_checkpoint("models")
        if latest:
            saver.restore(sess, latest)
        for _ in range(4):
            sess.run(train)
        saver.save(sess, "models/m", global_step=step)
"""


def last_words(found) -> list[str]:
    """Return the lines about the copy."""
    said = found.stderr.decode()
    return said[said.index("--try: ") :].splitlines()


def test_the_change_is_tried_in_a_copy(command, tmp_path):
    found = command(["--explain", "--try"], WEIGHTS_ONLY)
    assert b"    8 + saver = tf.train.Saver(tf.global_variables())" in found.stderr
    assert last_words(found)[:3] == [
        "--try: changed line 8 in a copy, which ended after 4 runs of its train ops.",
        "Still found: nothing.",
        "Not covered:",
    ]
    assert "Saver([w])" in (tmp_path / "script.py").read_text()
    assert [name for name, _ in tf.train.list_variables(str(tmp_path / "models"))] == ["w"]


def test_a_checkpoint_from_before_the_change_is_named_as_the_cause(command):
    command([], WEIGHTS_ONLY)
    assert last_words(command(["--explain", "--try"], WEIGHTS_ONLY)) == [
        "--try: changed line 8 in a copy, which failed with NotFoundError after 0 runs of its train ops.",
        "  Key global_step not found in checkpoint",
        "This checkpoint was written before the change, so start in a new folder.",
        "Since it didn't train, there's no telling what would still be found.",
    ]


def test_words_alone_are_not_tried(command):
    read_back = 'saver.save(sess, "models/m", global_step=7)\n        n = int("models/m-7".split("-")[-1])'
    text = WEIGHTS_ONLY.replace("Saver([w])", "Saver()").replace(
        'saver.save(sess, "models/m", global_step=step)', read_back
    )
    found = command(["--explain", "--try"], text)
    assert b"Line 17 reads the number back from a name, so change that too" in found.stderr
    assert last_words(found) == ["--try: no finding comes with a change to try, so follow the advice above."]


def test_only_what_is_found_is_tried(command):
    nothing = WEIGHTS_ONLY.replace("Saver([w])", "Saver()")
    assert last_words(command(["--explain", "--try"], nothing)) == [
        "--try: there's no finding, so there's nothing to try."
    ]
    command([], nothing)
    found = command(
        ["--explain", "--try"],
        nothing.replace("range(4)", "range(TIMES)").replace("step =", "TIMES = 4\n    step =", 1),
    )
    assert b"trains-more:" in found.stderr
    assert last_words(found) == ["--try: the changes above belong to questions, and only those of findings are tried."]


@pytest.mark.parametrize("form", ["{path}", "--folder={path}"])
def test_a_script_that_writes_elsewhere_is_not_tried(form, command, tmp_path_factory):
    path = tmp_path_factory.mktemp("elsewhere")
    found = command(["--explain", "--try"], WEIGHTS_ONLY, form.format(path=path))
    assert last_words(found) == [f"--try: not tried, because the script would also write to {path}."]
