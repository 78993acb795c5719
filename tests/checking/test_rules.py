"""Each rule finds faults in short scripts, and nothing in scripts like them that are right."""

import textwrap

import pytest

from minitf.checking.check import check
from minitf.checking.rules import RULES

START = """
import tensorflow as tf

x = tf.placeholder(tf.float32)
w = tf.Variable(1.0)
loss = w * x
"""
STEP = "step = tf.Variable(0, trainable=False)\n"
GLOBAL = "step = tf.train.get_or_create_global_step()\n"
DECAY = "rate = tf.train.exponential_decay(0.1, step, 100, 0.9)\n"
TRAIN = "train_op = tf.train.GradientDescentOptimizer(rate).minimize(loss, global_step=step)\n"
PLAIN = "train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss, global_step=step)\n"
SESSION = """
saver = tf.train.Saver()
writer = tf.summary.FileWriter("logs")
merged = tf.summary.merge_all()
sess = tf.Session()
sess.run(tf.global_variables_initializer())
"""
NOT_COUNTED = "train_op = tf.train.GradientDescentOptimizer(rate).minimize(loss)\n"
AVERAGE = "ema = tf.train.ExponentialMovingAverage(0.9, step)\naverage = ema.apply(tf.trainable_variables())\n"
LOOP = SESSION + "for i in range(1000):\n"
RESTORE = SESSION + 'saver.restore(sess, "model")\n' + "for i in range(1000):\n    sess.run(train_op)\n"
ENDS = STEP + "max_steps, epochs = 500, 3\n" + PLAIN
L2 = "loss += sum(tf.nn.l2_loss(v) for v in tf.trainable_variables())\n"

# For each rule, scripts that have the fault, and after None scripts that are right or can't be judged.
SCRIPTS = {
    "step-not-passed": [
        STEP + DECAY + NOT_COUNTED,
        GLOBAL + DECAY + "opt = tf.train.AdamOptimizer(rate)\ntrain_op = opt.minimize(loss)",
        STEP + "rate = tf.train.cosine_decay(0.1, step * 32, 100)\n" + NOT_COUNTED,
        STEP + DECAY + NOT_COUNTED + "sess = tf.Session()\nsess.run(rate, {step: 3})\nsess.run(train_op)",
        "class Model:\n"
        "    def __init__(self):\n"
        "        self.step = tf.Variable(0, trainable=False)\n"
        "        self.rate = tf.train.exponential_decay(0.1, self.step, 100, 0.9)\n"
        "        self.train = tf.train.AdamOptimizer(self.rate).minimize(loss)\n",
        "def rate_of(step):\n    return tf.train.exponential_decay(0.1, step, 100, 0.9)\n"
        "rate = rate_of(tf.train.get_or_create_global_step())\n" + NOT_COUNTED,
        STEP + AVERAGE + "train_op = tf.train.AdamOptimizer(0.1).minimize(loss)",
        GLOBAL + "train_op = tf.train.AdamOptimizer(0.1).minimize(loss)\nhook = tf.train.StopAtStepHook(last_step=9)",
        STEP + "train_op = tf.train.AdamOptimizer(0.1).minimize(loss)\n" + LOOP + "    sess.run(train_op)\n"
        "    if i % 10 == 0:\n        saver.save(sess, 'model', global_step=step)",
        None,
        STEP + DECAY + TRAIN,
        STEP + DECAY + "train_op = tf.train.AdamOptimizer(rate).minimize(loss, step)",
        STEP + DECAY + NOT_COUNTED + "count = tf.assign_add(step, 1)",
        STEP + DECAY + NOT_COUNTED + "count = step.assign(step + 1)",
        STEP + DECAY + NOT_COUNTED + "sess = tf.Session()\nsess.run(train_op, {step: 3})",
        STEP + DECAY + NOT_COUNTED + "feed = {}\nfeed[step] = 3",
        STEP + DECAY + NOT_COUNTED + "from helpers import count\ncount(step)",
        GLOBAL + DECAY + "train_op = tf.contrib.slim.learning.create_train_op(loss, tf.train.AdamOptimizer(rate))",
        GLOBAL + DECAY + "critic = tf.train.AdamOptimizer(rate).minimize(loss)\n" + TRAIN,
        "step = tf.placeholder(tf.int32)\n" + DECAY + NOT_COUNTED,
        "def build(step):\n    " + DECAY + "    " + NOT_COUNTED,
        GLOBAL + DECAY + "train_op = tf.train.AdamOptimizer(rate).minimize(loss, tf.train.get_global_step())",
        "step = tf.Variable(0, trainable=False, name='global_step')\n" + DECAY
        + "train_op = tf.train.AdamOptimizer(rate).minimize(loss, tf.train.get_global_step())",
        "tf.enable_eager_execution()\n" + STEP + DECAY + NOT_COUNTED,
        "from keras.optimizers import Adam\n" + STEP + DECAY + "Adam(rate).minimize(loss)",
        STEP + DECAY + "print(rate)",
    ],
    "step-created-twice": [
        STEP + DECAY + "train_op = tf.train.AdamOptimizer(rate).minimize(loss, tf.train.get_or_create_global_step())",
        STEP + DECAY + "other = tf.Variable(0)\ntrain_op = tf.train.AdamOptimizer(rate).minimize(loss, other)",
        "step = tf.train.create_global_step()\nagain = tf.train.create_global_step()",
        None,
        STEP + DECAY + TRAIN,
        "a = tf.train.get_or_create_global_step()\nb = tf.train.get_or_create_global_step()",
        "a = tf.train.create_global_step()\ntf.reset_default_graph()\nb = tf.train.create_global_step()",
        "if x:\n    a = tf.train.create_global_step()\nelse:\n    a = tf.train.create_global_step()",
        "step = tf.get_variable('global_step', [], tf.int64)\n" + DECAY
        + "train_op = tf.train.AdamOptimizer(rate).minimize(loss, tf.train.get_global_step())",
    ],
    "step-trained": [
        "step = tf.Variable(0.0, name='global_step')\n" + PLAIN + L2,
        None,
        "step = tf.Variable(0, name='global_step')\n" + PLAIN + L2,
        "step = tf.Variable(0.0, trainable=False)\n" + PLAIN + L2,
        "step = tf.Variable(0.0)\n" + PLAIN,
        "step = tf.Variable(0.0)\n" + PLAIN
        + "loss += sum(tf.nn.l2_loss(v) for v in tf.trainable_variables() if 'step' not in v.name)",
    ],
    "step-starts-over": [
        STEP + PLAIN + LOOP + "    sess.run(tf.global_variables_initializer())\n    sess.run(train_op)",
        STEP + DECAY + TRAIN + "reset = step.assign(0)\n" + LOOP + "    sess.run(reset)\n    for batch in x:\n"
        "        sess.run(train_op)",
        None,
        STEP + PLAIN + LOOP + "    sess.run(train_op)",
        STEP + PLAIN + "reset = step.assign(0)\n" + LOOP + "    sess.run(reset)\n    sess.run(train_op)",
        STEP + PLAIN + "for trial in range(9):\n    sess = tf.Session()\n"
        "    sess.run(tf.global_variables_initializer())\n    sess.run(train_op)",
        STEP + PLAIN + SESSION + "for trial in range(9):\n    sess.run(tf.global_variables_initializer())\n"
        "    for i in range(100):\n        sess.run(train_op)",
    ],
    "not-initialized": [
        "init = tf.global_variables_initializer()\ntrain_op = tf.train.AdamOptimizer(0.1).minimize(loss)",
        None,
        "init = tf.global_variables_initializer()\ntrain_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss)",
        "train_op = tf.train.AdamOptimizer(0.1).minimize(loss)\ninit = tf.global_variables_initializer()",
        "init = tf.global_variables_initializer()\ntrain_op = tf.train.AdamOptimizer(0.1).minimize(loss)\n"
        "init = tf.global_variables_initializer()",
    ],
    "rate-never-moves": [
        "rate = tf.train.exponential_decay(0.1, 0, 100, 0.9)\n" + NOT_COUNTED,
        "step = 0\n" + DECAY + NOT_COUNTED + "step += 1",
        "rate = tf.train.piecewise_constant(10, [100, 200], [0.1, 0.01, 0.001])",
        "epoch = tf.Variable(0)\nrate = tf.train.exponential_decay(0.1, epoch, 100, 0.9)\n" + STEP + TRAIN,
        None,
        STEP + DECAY,
        "for step in range(9):\n    " + DECAY,
        "def rate_at(step):\n    return tf.train.exponential_decay(0.1, step, 100, 0.9)\n"
        "for i in range(9):\n    rate_at(3)",
        "step = tf.constant(3)\n" + DECAY,
    ],
    "rate-not-used": [
        STEP + DECAY + PLAIN,
        STEP + DECAY + PLAIN + "tf.summary.scalar('rate', rate)",
        STEP + "tf.train.exponential_decay(0.1, step, 100, 0.9)",
        "class Model:\n    def build(self):\n        self.rate = tf.train.exponential_decay(0.1, 3 * w, 100, 0.9)",
        None,
        STEP + DECAY + TRAIN,
        STEP + DECAY + PLAIN + "tf.summary.scalar('rate', rate)\nprint(tf.Session().run(rate))",
        "def rate_of(step):\n    " + DECAY + "    return rate",
        "def build(step):\n    " + DECAY + "    return locals()",
        "class Model:\n    def build(self):\n        self.rate = tf.train.exponential_decay(0.1, 3 * w, 100, 0.9)\n"
        "getattr(Model(), 'rate')",
    ],
    "rate-grows": [
        STEP + "rate = tf.train.exponential_decay(0.1, step, 100, 2)\n" + TRAIN,
        STEP + "FACTOR = 1.1\nrate = tf.train.exponential_decay(0.1, step, 100, decay_rate=FACTOR)\n" + TRAIN,
        STEP + "rate = tf.train.natural_exp_decay(0.1, step, 100, -0.5)\n" + TRAIN,
        STEP + "rate = tf.train.polynomial_decay(0.00001, step, 100)\n" + TRAIN,
        None,
        STEP + DECAY + TRAIN,
        STEP + "rate = tf.train.natural_exp_decay(0.1, step, 100, 2)\n" + TRAIN,
        STEP + "warmup_rate = tf.train.exponential_decay(0.001, step, 100, 2)\n",
        STEP + "rate = tf.train.polynomial_decay(0.1, step, 100)\n" + TRAIN,
        STEP + "rate = tf.train.polynomial_decay(0.0, step, 100, end_learning_rate=0.1)\n" + TRAIN,
    ],
    "schedule-malformed": [
        STEP + "rate = tf.train.piecewise_constant(step, [100, 200], [0.1, 0.01])\n" + TRAIN,
        STEP + "ends = [200, 100]\nrate = tf.train.piecewise_constant(step, ends, [0.1, 0.01, 0.001])\n" + TRAIN,
        None,
        STEP + "rate = tf.train.piecewise_constant(step, [100, 200], [0.1, 0.01, 0.001])\n" + TRAIN,
        STEP + "ends = [100]\nends.append(200)\n"
        "rate = tf.train.piecewise_constant(step, ends, [0.1, 0.01, 0.001])\n" + TRAIN,
        STEP + "rate = tf.train.piecewise_constant(step, [n * 10 for n in w], [0.1, 0.01, 0.001])\n" + TRAIN,
    ],
    "decay-in-epochs": [
        STEP + "num_epochs = 30\nrate = tf.train.exponential_decay(0.1, step, num_epochs, 0.9)\n" + TRAIN,
        STEP + "rate = tf.train.exponential_decay(0.1, step, FLAGS.num_epochs_per_decay, 0.9)\n" + TRAIN,
        None,
        STEP + "num_epochs = 30\nrate = tf.train.exponential_decay(0.1, step, num_epochs * 500, 0.9)\n" + TRAIN,
        STEP + "num_epochs = 30 * 500\nrate = tf.train.exponential_decay(0.1, step, num_epochs, 0.9)\n" + TRAIN,
        STEP + "num_epochs = 30\nrate = tf.train.exponential_decay(0.1, step, num_epochs, 0.9)\n" + NOT_COUNTED
        + "next_epoch = tf.assign_add(step, 1)",
        STEP + "steps_per_epoch = 30\nrate = tf.train.exponential_decay(0.1, step, steps_per_epoch, 0.9)\n" + TRAIN,
    ],
    "step-not-restored": [
        STEP + PLAIN + SESSION + "saver.restore(sess, 'm')\nsess.run(tf.global_variables_initializer())",
        STEP + PLAIN + "init = tf.global_variables_initializer()\nsaver = tf.train.Saver()\n"
        "with tf.Session() as sess:\n    if x:\n        saver.restore(sess, 'm')\n    sess.run(init)",
        None,
        STEP + PLAIN + SESSION + "saver.restore(sess, 'm')",
        STEP + PLAIN + SESSION + "if x:\n    saver.restore(sess, 'm')\nelse:\n"
        "    sess.run(tf.global_variables_initializer())",
        STEP + PLAIN + SESSION + "saver.restore(sess, 'm')\nprint(sess.run(w))\n"
        "sess.run(tf.global_variables_initializer())",
        STEP + PLAIN + SESSION + "saver.restore(sess, 'm')\nsess.run(tf.variables_initializer([w]))",
        STEP + PLAIN + SESSION + "saver.restore(sess, 'm')\nother = tf.Session()\n"
        "other.run(tf.global_variables_initializer())",
    ],
    "step-not-saved": [
        STEP + DECAY + TRAIN + "sess = tf.Session()\nsaver = tf.train.Saver(tf.trainable_variables())\n"
        "saver.restore(sess, 'm')\nsess.run(train_op)\nsaver.save(sess, 'm')",
        None,
        STEP + DECAY + TRAIN + "sess = tf.Session()\nsaver = tf.train.Saver(tf.trainable_variables())\n"
        "sess.run(train_op)\nsaver.save(sess, 'm')",
        STEP + DECAY + TRAIN + "sess = tf.Session()\nsaver = tf.train.Saver(tf.trainable_variables() + [step])\n"
        "saver.restore(sess, 'm')\nsess.run(train_op)\nsaver.save(sess, 'm')",
    ],
    "saves-every-step": [
        STEP + PLAIN + LOOP + "    sess.run(train_op)\n    saver.save(sess, 'm', global_step=step)",
        STEP + PLAIN + LOOP + "    train_op.run({x: 1}, sess)\n    saver.save(sess, 'm')",
        STEP + PLAIN + LOOP + "    for batch in x:\n        _, cost = sess.run([train_op, loss])\n"
        "        saver.save(sess, 'm')",
        None,
        STEP + PLAIN + LOOP + "    sess.run(train_op)\n    if i % 100 == 0:\n        saver.save(sess, 'm')",
        STEP + PLAIN + LOOP + "    for batch in x:\n        sess.run(train_op)\n    saver.save(sess, 'm')",
        STEP + PLAIN + LOOP + "    sess.run(train_op)\n    if i % 100:\n        continue\n    saver.save(sess, 'm')",
        STEP + PLAIN + LOOP + "    sess.run(loss)\n    saver.save(sess, 'm')",
        STEP + PLAIN + LOOP + "    sess.run(train_op)\nsaver.save(sess, 'm')",
    ],
    "python-counter": [
        STEP + PLAIN + RESTORE + "    writer.add_summary(sess.run(merged), i)\nsaver.save(sess, 'm')",
        STEP + PLAIN + "n = 0\n" + RESTORE + "    n += 1\n    saver.save(sess, 'm', global_step=n)",
        None,
        STEP + PLAIN + LOOP + "    sess.run(train_op)\n    writer.add_summary(sess.run(merged), i)",
        STEP + PLAIN + SESSION + "with tf.Session() as other:\n    saver.restore(other, 'm')\nfor i in range(1000):\n"
        "    sess.run(train_op)\n    saver.save(sess, 'm', global_step=i)",
        STEP + PLAIN + RESTORE.replace('"logs"', "os.path.join('logs', time.strftime('%H-%M'))")
        + "    writer.add_summary(sess.run(merged), i)\nsaver.save(sess, 'm')",
        STEP + PLAIN + "n = sess.run(step)\n" + RESTORE + "    n += 1\n    writer.add_summary(sess.run(merged), n)",
        STEP + PLAIN + RESTORE + "    writer.add_summary(sess.run(merged), sess.run(step))\nsaver.save(sess, 'm')",
        STEP + PLAIN + SESSION + "if x:\n    saver.restore(sess, 'm')\n    exit()\nfor i in range(1000):\n"
        "    sess.run(train_op)\n    saver.save(sess, 'm', global_step=i)",
        STEP + PLAIN + SESSION + "vgg = tf.train.Saver([w])\nvgg.restore(sess, 'vgg')\nfor i in range(1000):\n"
        "    sess.run(train_op)\n    saver.save(sess, 'm', global_step=i)",
    ],
    "summary-without-step": [
        STEP + PLAIN + LOOP + "    sess.run(train_op)\n    writer.add_summary(sess.run(merged))",
        None,
        STEP + PLAIN + LOOP + "    sess.run(train_op)\n    writer.add_summary(sess.run(merged), i)",
        STEP + PLAIN + LOOP + "    sess.run(train_op)\nwriter.add_summary(sess.run(merged))",
        STEP + PLAIN + SESSION + "for part in [1, 2]:\n    writer.add_summary(sess.run(merged))",
    ],
    "graph-grows": [
        STEP + PLAIN + LOOP + "    sess.run(train_op)\n    sess.run(tf.assign(w, 1.0))",
        STEP + PLAIN + LOOP + "    sess.run(train_op)\n    sess.run(step.assign(i))",
        STEP + LOOP + "    train_op = tf.train.AdamOptimizer(0.1).minimize(loss)\n    sess.run(train_op)",
        None,
        # Once an epoch: each may need its own.
        STEP + PLAIN + LOOP + "    mean = tf.reduce_mean(loss)\n    for batch in x:\n        sess.run(train_op)",
        STEP + PLAIN + LOOP + "    sess.run(train_op)",
        STEP + PLAIN + "for n in range(9):\n    mean = tf.reduce_mean(loss)",
        STEP + PLAIN + "for n in range(99):\n    with tf.Graph().as_default(), tf.Session() as sess:\n"
        "        mean = tf.reduce_mean(loss)\n        sess.run(train_op)",
        STEP + PLAIN + LOOP + "    sess.run(train_op)\n    if i == 0:\n        mean = tf.reduce_mean(loss)",
        STEP + PLAIN + SESSION + "for i in range(3):\n    sess.run(train_op)\n    sess.run(tf.assign(w, 1.0))",
        STEP + PLAIN + LOOP + "    sess.run(train_op)\n    writer.add_summary(tf.Summary(value=[]), i)",
    ],
    "updates-race": [
        STEP + PLAIN + AVERAGE + "both = tf.group(train_op, average)",
        STEP + PLAIN + AVERAGE + "with tf.control_dependencies([train_op, average]):\n    both = tf.no_op()",
        STEP + PLAIN + AVERAGE + SESSION + "sess.run([train_op, average])",
        STEP + PLAIN + AVERAGE.replace("tf.trainable_variables()", "[w]") + "both = tf.group(train_op, average)",
        None,
        STEP + PLAIN + "ema = tf.train.ExponentialMovingAverage(0.9)\nwith tf.control_dependencies([train_op]):\n"
        "    average = ema.apply(tf.trainable_variables())\nboth = tf.group(train_op, average)",
        STEP + "ema = tf.train.ExponentialMovingAverage(0.9)\naverage = ema.apply([loss])\n" + PLAIN
        + "both = tf.group(train_op, average)",
        STEP + PLAIN + AVERAGE + "both = tf.group(train_op, tf.no_op())",
    ],
    "order-undefined": [
        STEP + PLAIN + SESSION + "late = step + 1\nwhile True:\n    _, n = sess.run([train_op, late])\n"
        "    if n > 9:\n        break",
        None,
        STEP + PLAIN + SESSION + "while True:\n    _, n = sess.run([train_op, step])\n    if n > 9:\n        break",
        STEP + PLAIN + SESSION + "late = step + 1\nwhile True:\n    _, n = sess.run([train_op, late])\n    print(n)",
        STEP + PLAIN + SESSION + "with tf.control_dependencies([train_op]):\n    late = tf.identity(step)\n"
        "while True:\n    _, n = sess.run([train_op, late])\n    if n > 9:\n        break",
    ],
    "trains-more": [
        ENDS + SESSION + "saver.restore(sess, 'm')\n"
        "for i in range(max_steps):\n    sess.run(train_op)\nsaver.save(sess, 'm')",
        None,
        ENDS + SESSION + "for i in range(max_steps):\n    sess.run(train_op)\nsaver.save(sess, 'm')",
        ENDS + SESSION + "saver.restore(sess, 'm')\n"
        "for i in range(sess.run(step), max_steps):\n    sess.run(train_op)\nsaver.save(sess, 'm')",
        ENDS + SESSION + "saver.restore(sess, 'm')\nfor i in range(max_steps):\n    sess.run(train_op)\n"
        "    if sess.run(step) > max_steps:\n        break\nsaver.save(sess, 'm')",
        ENDS + SESSION + "saver.restore(sess, 'm')\n"
        "for i in range(epochs):\n    sess.run(train_op)\nsaver.save(sess, 'm')",
    ],
    "no-such-name": [
        "tf.concat_v2([x, w], 0)",
        "tf.nn.exp(x)",
        None,
        "tf.multiply(x, w)",
        "tf.contrib.nowhere.nothing(x)",
        "tf.added = 3\ntf.added",
        "if tf.__version__ < '1':\n    tf.concat_v2(x, w)",
        "try:\n    mul = tf.concat_v2\nexcept AttributeError:\n    mul = tf.multiply",
        "if hasattr(tf, 'concat_v2'):\n    tf.concat_v2(x, w)",
    ],
}  # fmt: skip
FAULTY = [(id, text) for id, texts in SCRIPTS.items() for text in texts[: texts.index(None)]]
RIGHT = [(id, text) for id, texts in SCRIPTS.items() for text in texts[texts.index(None) + 1 :]]


def found(folder, **texts):
    """The identifiers of what is found in scripts."""
    paths = [folder / f"{name}.py" for name in texts]
    for path, text in zip(paths, texts.values(), strict=True):
        path.write_text(textwrap.dedent(text), "utf-8")
    checked = check(paths, [], RULES)
    assert checked.unread == []
    return [finding.id for finding in checked.findings]


@pytest.mark.parametrize("id, text", FAULTY)
def test_a_fault_is_found(id, text, tmp_path):
    assert id in found(tmp_path, script=START + text)


@pytest.mark.parametrize("id, text", RIGHT)
def test_what_is_right_or_unknown_is_not_reported(id, text, tmp_path):
    assert id not in found(tmp_path, script=START + text)


def test_every_rule_has_scripts_a_title_and_a_lesson():
    assert set(SCRIPTS) == set(RULES)
    assert all(rule.title and rule.lesson for rule in RULES.values())


MODEL = """
import tensorflow as tf

class Model:
    def __init__(self, rate):
        self.step = tf.train.get_or_create_global_step()
        self.rate = tf.train.exponential_decay(rate, self.step, 100, 0.9)
        self.loss = tf.get_variable("w", []) ** 2
"""
TRAINING = """
import tensorflow as tf
from model import Model

model = Model(0.1)
train_op = tf.train.GradientDescentOptimizer(model.rate).minimize(model.loss{})
"""


def test_a_step_that_is_made_in_one_module_may_be_passed_in_another(tmp_path):
    assert found(tmp_path, model=MODEL, good=TRAINING.format(", model.step")) == []
    assert found(tmp_path, model=MODEL, bad=TRAINING.format("")) == ["step-not-passed"]


def test_a_file_that_several_scripts_import_is_reported_once(tmp_path):
    model = MODEL + "tf.concat_v2([1, 2], 0)\n"
    scripts = {name: TRAINING.format(", model.step") for name in ("one", "two")}
    assert found(tmp_path, model=model, **scripts) == ["no-such-name"]
