"""Softmax regression on handwritten digits: 2,000 steps, with decay and with averages; rate 1.0, its NaN and its step.

The lines are rounded: further digits depend on the order in which a processor adds.
"""

import copy

from minitf.examples.tutorials.mnist import input_data
from tests.conformance.outcomes import raises

_MEASURED = (1, 2, 3, 4, 5, 10, 20, 50, 100, 200, 500, 1000, 1500, 2000)
_read = []


def _digits(np):
    """The digits, read once: TensorFlow's own reader is not in TensorFlow any more."""
    if not _read:
        _read.append(input_data.read_data_sets("no MNIST here", one_hot=True, seed=0))
    return copy.deepcopy(_read[0])


def _model(tf):
    x = tf.placeholder(tf.float32, [None, 784], name="x")
    y = tf.placeholder(tf.float32, [None, 10], name="y")
    return x, y, tf.Variable(tf.zeros([784, 10])), tf.Variable(tf.zeros(10))


def _outputs(tf, x, y, w, b):
    """The loss as the post writes it, and the accuracy."""
    a = tf.nn.softmax(tf.matmul(x, w) + b)
    loss = tf.reduce_mean(-tf.reduce_sum(y * tf.log(a), reduction_indices=[1]))
    right = tf.equal(tf.argmax(a, 1), tf.argmax(y, 1))
    return loss, tf.reduce_mean(tf.cast(right, tf.float32))


def _train(tf, np, train_op, watch, at=_MEASURED, also=()):
    """Loss and accuracy on the test digits, at some steps; at the end, what `also` gives."""
    mnist, lines = _digits(np), []
    held_back = {"x:0": mnist.test.images, "y:0": mnist.test.labels}
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for now in range(1, max(at) + 1):
            images, labels = mnist.train.next_batch(100)
            sess.run(train_op, {"x:0": images, "y:0": labels})
            if now in at:
                loss, accuracy = sess.run(watch, held_back)
                lines.append(f"step {now}: loss {loss:.3f}, accuracy {accuracy:.3f}")
        return [*lines, *(int(value) for value in sess.run(list(also)))]


def two_thousand_steps(tf, np):
    """The post's program."""
    watch = _outputs(tf, *_model(tf))
    train_op = tf.train.GradientDescentOptimizer(0.5).minimize(watch[0])
    return _train(tf, np, train_op, watch)


def nobody_made_a_step(tf, np):
    """After the post's program is built, there is no global step."""
    loss, _ = _outputs(tf, *_model(tf))
    tf.train.GradientDescentOptimizer(0.5).minimize(loss)
    return tf.train.get_global_step()


def _counted(tf, decay_rate):
    model = _model(tf)
    watch = _outputs(tf, *model)
    step = tf.train.get_or_create_global_step()
    rate = tf.train.exponential_decay(0.5, step, decay_steps=500, decay_rate=decay_rate)
    train_op = tf.train.GradientDescentOptimizer(rate).minimize(watch[0], global_step=step)
    return model, train_op, watch, step


def with_decay(tf, np):
    """The rate is halved every 500 steps, and the step is counted."""
    _, train_op, watch, step = _counted(tf, 0.5)
    return _train(tf, np, train_op, watch, also=[step])


def with_moving_averages(tf, np):
    """The same model with the averages of its weights, which `num_updates` lets move faster at first."""
    (x, y, w, b), train_op, _, step = _counted(tf, 1.0)
    average = tf.train.ExponentialMovingAverage(0.99, num_updates=step)
    with tf.control_dependencies([train_op]):
        train_and_average = average.apply([w, b])
    watch = _outputs(tf, x, y, average.average(w), average.average(b))
    return _train(tf, np, train_and_average, watch, also=[step])


def rate_one(tf, np):
    """At rate 1.0 the post's formula gives NaN by the fourth step: 0 * log 0."""
    watch = _outputs(tf, *_model(tf))
    train_op = tf.train.GradientDescentOptimizer(1.0).minimize(watch[0])
    return _train(tf, np, train_op, watch, at=range(1, 7))


def _first_nan(tf, np, loss, optimizer, rates):
    """At each rate, the number of the first batch whose loss is NaN, that loss and the one before; in 50 batches."""
    rate, found = tf.placeholder(tf.float32, []), {}
    train_op = optimizer(rate).minimize(loss)
    with tf.Session() as sess:
        for value in rates:
            train, losses = _digits(np).train, [0.0]
            sess.run(tf.global_variables_initializer())
            while len(losses) <= 50 and not np.isnan(losses[-1]):
                images, labels = train.next_batch(100)
                losses.append(sess.run([loss, train_op], {"x:0": images, "y:0": labels, rate: value})[0])
            found[str(value)] = [len(losses) - 1, *(f"{loss:.3g}" for loss in losses[-2:])]
    return {value: end if end[-1] == "nan" else "numbers" for value, end in found.items()}


def the_first_nan_of_the_mean(tf, np):
    """The post's formula, at the rates that lesson 09 stores."""
    loss, _ = _outputs(tf, *_model(tf))
    rates = (0.25, 0.5, 0.75, 0.8, 0.85, 0.9, 0.95, 1.0, 1.05, 1.25, 1.5, 2.0, 3.0)
    return _first_nan(tf, np, loss, tf.train.GradientDescentOptimizer, rates)


def the_first_nan_of_the_sum(tf, np):
    """The formula of the first MNIST tutorial, which adds up the whole batch."""
    x, y, w, b = _model(tf)
    loss = -tf.reduce_sum(y * tf.log(tf.nn.softmax(tf.matmul(x, w) + b)))
    return _first_nan(tf, np, loss, tf.train.GradientDescentOptimizer, (0.002, 0.007, 0.008, 0.0085, 0.01, 0.02, 0.03))


def the_first_nan_with_adam(tf, np):
    """The post's formula with another optimizer."""
    loss, _ = _outputs(tf, *_model(tf))
    return _first_nan(tf, np, loss, tf.train.AdamOptimizer, (0.01, 0.2, 0.3, 0.5, 1.0))


def rate_one_from_logits(tf, np):
    """The cure."""
    x, y, w, b = model = _model(tf)
    losses = tf.nn.softmax_cross_entropy_with_logits_v2(labels=y, logits=tf.matmul(x, w) + b)
    loss = tf.reduce_mean(losses)
    train_op = tf.train.GradientDescentOptimizer(1.0).minimize(loss)
    return _train(tf, np, train_op, [loss, _outputs(tf, *model)[1]], at=(*range(1, 7), 500, 2000))


def counted_by_apply_gradients(tf, np):
    """The post's program, with the step that `apply_gradients` takes: it learns the same, and counts."""
    watch = _outputs(tf, *_model(tf))
    step = tf.train.get_or_create_global_step()
    optimizer = tf.train.GradientDescentOptimizer(0.5)
    train_op = optimizer.apply_gradients(optimizer.compute_gradients(watch[0]), global_step=step)
    return _train(tf, np, train_op, watch, at=[2000], also=[step])


def rate_one_counted(tf, np):
    """2,000 steps of NaN: each is counted. Then the step, the weights, and the digits read in the test set."""
    x, y, w, b = _model(tf)
    watch = _outputs(tf, x, y, w, b)
    step = tf.train.get_or_create_global_step()
    train_op = tf.train.GradientDescentOptimizer(1.0).minimize(watch[0], global_step=step)
    finite = tf.reduce_sum(tf.cast(tf.is_finite(w), tf.int32))
    read = tf.reduce_max(tf.argmax(tf.matmul(_digits(np).test.images, w) + b, 1))
    return _train(tf, np, train_op, watch, also=[step, finite, read])


def sure_of_an_answer(tf, np):
    """Softmax, its log, and the loss by both formulas, where the model is sure: first right, then wrong."""
    logits, found = [200.0, 0.0], []
    a = tf.nn.softmax(logits)
    with tf.Session() as sess:
        found += [str(sess.run(value)) for value in (a, tf.log(a))]
        for y in ([1.0, 0.0], [0.0, 1.0]):
            by_hand = -tf.reduce_sum(y * tf.log(a))
            ready = tf.nn.softmax_cross_entropy_with_logits_v2(labels=y, logits=logits)
            found.append(f"{sess.run(by_hand):.1f}, from the logits {abs(sess.run(ready)):.1f}")
        return found


def the_gradient(tf, np):
    """After one step: the largest gradient, and whether all agree with the formula."""
    x, y, w, b = model = _model(tf)
    loss, _ = _outputs(tf, *model)
    train_op = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
    mnist = _digits(np)
    feeds = {x: mnist.validation.images, y: mnist.validation.labels}
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(train_op, feeds)
        gradient, a = sess.run([tf.gradients(loss, w)[0], tf.nn.softmax(tf.matmul(x, w) + b)], feeds)
    by_hand = feeds[x].T @ (a - feeds[y]) / len(feeds[x])
    largest = float(np.abs(gradient).max())
    return [f"{largest:.4f}", bool(np.allclose(gradient, by_hand, atol=1e-6))]


def a_list_of_variables(tf, np):
    """`apply_gradients` takes none."""
    loss, _ = _outputs(tf, *_model(tf))
    optimizer = tf.train.GradientDescentOptimizer(0.5)
    pairs = optimizer.compute_gradients(loss, var_list=tf.trainable_variables())
    return raises(lambda: optimizer.apply_gradients(pairs, var_list=tf.trainable_variables()))
