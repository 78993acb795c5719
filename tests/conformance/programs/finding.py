"""How other functions find the step, in the words that the lesson shows."""

import logging

from tests.conformance.outcomes import core
from tests.conformance.watching import caught, whole_line


def _message(expression):
    try:
        expression()
    except Exception as error:
        return core(str(error))
    return "raised nothing"


def _logged():
    """Collect what is logged, at the level at which TensorFlow starts."""
    return caught(logging.WARNING, whole_line)


def _train(tf, counter, runs=3):
    """The counter after some runs of a train op that counts it."""
    w = tf.Variable(5.0, name="w")
    train_op = tf.train.GradientDescentOptimizer(0.1).minimize(w**2, global_step=counter)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(runs):
            sess.run(train_op)
        return tf.train.global_step(sess, counter)


def a_step_that_starts_at_ten(tf, np):
    """A step may start at 10; two `assign_add` later it holds 12, and is read as an int."""
    step = tf.Variable(10, trainable=False, name="global_step")
    add_one = tf.assign_add(step, 1)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(add_one)
        sess.run(add_one)
        now = tf.train.global_step(sess, step)
    return [str(step), now, type(now).__name__]


def before_and_after_one_is_created(tf, np):
    """What the functions give and the collections hold before and after `get_or_create_global_step`."""
    key = tf.GraphKeys.GLOBAL_STEP
    before = [str(tf.train.get_global_step()), key, str(tf.get_collection(key))]
    step = tf.train.get_or_create_global_step()
    keys = (key, tf.GraphKeys.GLOBAL_VARIABLES, tf.GraphKeys.TRAINABLE_VARIABLES)
    held = [str(tf.get_collection(key)) for key in keys]
    return [*before, str(step), str(tf.train.get_or_create_global_step() is step), *held]


def a_second_one(tf, np):
    """`create_global_step` refuses to make a second step."""
    tf.train.get_or_create_global_step()
    return _message(tf.train.create_global_step)


def an_unnamed_counter_counts_unseen(tf, np):
    """Training counts an unnamed counter, but nobody finds it."""
    counter = tf.Variable(0, trainable=False)
    return [counter.name, _train(tf, counter, runs=1), tf.train.get_global_step()]


def ways_to_make_a_counter(tf, np):
    """What is found of counters made in different ways, and whether that is the Variable itself."""
    key, found = tf.GraphKeys.GLOBAL_STEP, []

    def look(make):
        with tf.Graph().as_default():
            counter = make()
            step = tf.train.get_global_step()
            found.append([counter.name, repr(step), step is counter, _train(tf, counter)])

    def in_a_scope():
        with tf.name_scope("train"):
            return tf.Variable(0, trainable=False, name="global_step")

    def added():
        counter = tf.Variable(0, trainable=False)
        tf.add_to_collection(key, counter)
        return counter

    look(lambda: tf.Variable(0))
    look(lambda: tf.Variable(0, trainable=False))
    look(lambda: tf.Variable(0, trainable=False, name="global_step"))
    look(in_a_scope)
    look(added)
    look(tf.train.create_global_step)
    look(tf.train.get_or_create_global_step)
    return found


def asked_too_early(tf, np):
    """A named counter is found as a Tensor, but not before it is made."""
    early = tf.train.get_global_step()
    tf.Variable(0, trainable=False, name="global_step")
    late = tf.train.get_global_step()
    return [str(early), str(late)]


def what_was_found_by_name_can_be_counted(tf, np):
    """The Tensor that the name leads to can be given to `minimize`: it counts the Variable."""
    tf.Variable(0, trainable=False, name="global_step")
    return _train(tf, tf.train.get_global_step())


def two_of_the_same_name(tf, np):
    """The second Variable named `global_step` gets another name, and the first is found."""
    made = [tf.Variable(0, trainable=False, name="global_step") for _ in range(2)]
    return [[v.name for v in made], str(tf.train.get_global_step())]


def two_in_the_collection(tf, np):
    """With two in the collection an error is logged, and the answer is None."""
    for _ in range(2):
        tf.add_to_collection(tf.GraphKeys.GLOBAL_STEP, tf.Variable(0, trainable=False))
    with _logged() as lines:
        return [str(tf.train.get_global_step()), *lines]


def two_in_the_collection_and_one_more(tf, np):
    """As two are no answer, `get_or_create_global_step` makes a third."""
    for _ in range(2):
        tf.add_to_collection(tf.GraphKeys.GLOBAL_STEP, tf.Variable(0, trainable=False))
    made = tf.train.get_or_create_global_step()
    return [str(made), len(tf.get_collection(tf.GraphKeys.GLOBAL_STEP))]


def the_initializer_made_too_early(tf, np):
    """An initializer leaves out the step that is made after it; one made last does not."""
    w = tf.Variable(5.0, name="w")
    init = tf.global_variables_initializer()
    step = tf.train.get_or_create_global_step()
    train_op = tf.train.GradientDescentOptimizer(0.1).minimize(w**2, global_step=step)
    with tf.Session() as sess:
        sess.run(init)
        message = _message(lambda: sess.run(train_op))
    init = tf.global_variables_initializer()
    with tf.Session() as sess:
        sess.run(init)
        sess.run(train_op)
        return [message, tf.train.global_step(sess, step)]


def two_functions_share_the_step(tf, np):
    """What one function makes another finds: the rate reads it, training counts it."""

    def build_model():
        step = tf.train.get_or_create_global_step()
        w = tf.Variable(5.0, name="w")
        return w, w**2, tf.train.exponential_decay(0.1, step, 10, 0.5)

    def build_training(loss, rate):
        step = tf.train.get_or_create_global_step()
        return tf.train.GradientDescentOptimizer(rate).minimize(loss, global_step=step)

    w, loss, rate = build_model()
    train_op = build_training(loss, rate)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(3):
            sess.run(train_op)
        return [tf.train.global_step(sess, tf.train.get_global_step()), sess.run([rate, w])]


def the_step_of_another_graph(tf, np):
    """`minimize` takes a step of another graph without a word: its train op counts and trains nothing."""
    step = tf.train.get_or_create_global_step()
    with tf.Graph().as_default():
        w = tf.Variable(5.0, name="w")
        train_op = tf.train.GradientDescentOptimizer(0.1).minimize(w**2, global_step=step)
    with tf.Session(graph=step.graph) as sess:
        sess.run(step.initializer)
        sess.run(train_op)
        return [train_op.graph is step.graph, len(train_op.control_inputs), sess.run(step)]
