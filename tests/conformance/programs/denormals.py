"""Denormal numbers: what calculations make zero, and what only moves numbers and keeps them.

The programs say "zero" or "denormal" in words, because to a tolerance these are the same.
"""

# A denormal number, and the smallest that isn't one.
_DENORMAL = {"float32": 1e-40, "float64": 1e-310, "float16": 1e-6}
_NORMAL = {"float32": 2.0**-126, "float64": 2.0**-1022, "float16": 2.0**-14}


def _kinds(np, values):
    """In a word, the kinds of number among the values."""
    array = np.ravel(values)
    limit = _NORMAL[array.dtype.name]
    kinds = {"zero": array == 0, "denormal": (array != 0) & (abs(array) < limit), "inf": np.isinf(array)}
    named = [kind for kind, found in kinds.items() if found.any()]
    return " ".join(named) or "normal"


def _calculations(tf, d, n):
    """Of a vector `d` of denormal numbers, and one `n` of the smallest normal ones."""
    return {
        "product": n * n,
        "product of a constant": n * 0.25,
        "sum": d + d,
        "difference": n * 1.5 - n,
        "quotient": n / 4.0,
        "divided by it": 1.0 / d,
        "reciprocal": tf.reciprocal(d),
        "scaled up": d * 1024.0,
        "square": tf.square(tf.sqrt(n) * 0.5),
        "power": tf.pow(n * 4.0, 1.5),
        "square root": tf.sqrt(d),
        "exp": tf.exp(tf.log(n) - 1.0),
        "sigmoid": tf.sigmoid(tf.log(n) - 1.0),
        "softplus": tf.nn.softplus(tf.log(n) - 1.0),
        "softmax": tf.nn.softmax(tf.stack([tf.log(n) - 1.0, n], axis=1)),
        "maximum": tf.maximum(d, 0.0),
        "clip": tf.clip_by_value(d, -1.0, 1.0),
        "clip to it": tf.clip_by_value(d * 0.0, d[0], 1.0),
        "add_n": tf.add_n([d, d]),
        "reduce_sum": tf.reduce_sum(d),
        "reduce_mean": tf.reduce_mean(tf.concat([n, d * 0.0], 0)),
        "reduce_max": tf.reduce_max(d),
        "reduce_prod": tf.reduce_prod(tf.concat([n, d * 0.0 + 0.5], 0)),
        "l2_loss": tf.nn.l2_loss(tf.sqrt(n) * 0.25),
        "matmul": tf.matmul(n[:, None], n[None, :] * 0.0 + 0.25),
        "gradient of a sigmoid": tf.gradients(tf.sigmoid(tf.log(n) - 1.0), n, n)[0],
        "gradient of a product": tf.gradients(n * 0.25, n, n)[0],
        "greater than zero": tf.cast(d > 0.0, d.dtype),
        "different from zero": tf.cast(tf.not_equal(d, 0.0), d.dtype),
        "true": tf.cast(tf.cast(d, tf.bool), d.dtype),
    }


def _copies(tf, d):
    return {
        "identity": tf.identity(d),
        "stop_gradient": tf.stop_gradient(d),
        "negative": -d,
        "abs": tf.abs(d),
        "reshape": tf.reshape(d, [2, 2]),
        "transpose": tf.transpose(tf.reshape(d, [2, 2])),
        "expand_dims": tf.expand_dims(d, 0),
        "concat": tf.concat([d, d], 0),
        "stack": tf.stack([d, d]),
        "slice": d[1:],
        "gather": tf.gather(d, [0, 3]),
        "tile": tf.tile(d, [2]),
        "reverse": tf.reverse(d, [0]),
        "where": tf.where([True, False, True, False], d, d),
        "fill": tf.fill([2], d[0]),
        "zero where padded": tf.pad(d, [[0, 1]]),
        "top_k": tf.nn.top_k(d, 2)[0],
        "cond": tf.cond(tf.constant(True), lambda: tf.identity(d), lambda: d * 0.0),
    }


def _run(tf, np, made, feeds=None):
    with tf.Session() as sess:
        return {name: _kinds(np, value) for name, value in sess.run(made, feeds).items()}


def _fed(tf, np, dtype):
    d, n = tf.placeholder(dtype, [None]), tf.placeholder(dtype, [None])
    return d, n, {d: [_DENORMAL[dtype]] * 4, n: [_NORMAL[dtype]] * 4}


def _of_fed(tf, np, dtype):
    d, n, feeds = _fed(tf, np, dtype)
    return _run(tf, np, _calculations(tf, d, n), feeds)


def _of_constants(tf, np, dtype):
    d, n = tf.constant([_DENORMAL[dtype]] * 4, dtype), tf.constant([_NORMAL[dtype]] * 4, dtype)
    return _run(tf, np, _calculations(tf, d, n))


def calculations_in_float32(tf, np):
    """What is fed."""
    return _of_fed(tf, np, "float32")


def calculations_in_float64(tf, np):
    """What is fed."""
    return _of_fed(tf, np, "float64")


def calculations_in_float16(tf, np):
    """These keep denormal numbers."""
    return _of_fed(tf, np, "float16")


def folded_in_float32(tf, np):
    """Constants, which are calculated before the run, give the same."""
    return _of_constants(tf, np, "float32")


def folded_in_float64(tf, np):
    """Constants, which are calculated before the run, give the same."""
    return _of_constants(tf, np, "float64")


def _moved(tf, np, dtype):
    d, n, feeds = _fed(tf, np, dtype)
    fed = _run(tf, np, _copies(tf, d), feeds)
    constant = tf.constant([_DENORMAL[dtype]] * 4, dtype)
    return [fed, _run(tf, np, _copies(tf, constant)), _run(tf, np, {"a number": constant[0], "all": constant})]


def copies_in_float32(tf, np):
    """What only moves numbers keeps them."""
    return _moved(tf, np, "float32")


def copies_in_float64(tf, np):
    """What only moves numbers keeps them."""
    return _moved(tf, np, "float64")


def casts(tf, np):
    """From one float to another: zero where the input or the result is denormal, except float16."""
    made = {}
    for given, wanted in [("float32", "float64"), ("float32", "float16"), ("float16", "float32")]:
        made[f"{given} to {wanted}"] = tf.cast(tf.constant([_DENORMAL[given]], given), wanted)
    made["float64 to float32"] = tf.cast(tf.constant([1e-40], tf.float64), tf.float32)
    half = tf.cast(tf.constant([_DENORMAL["float16"]]), tf.float16)
    return _run(tf, np, made | {"to a denormal float16": half})


def a_number(tf, np):
    """A scalar constant, by itself and where others use it."""
    d, x = tf.constant(_DENORMAL["float32"]), tf.placeholder(tf.float32, [])
    made = {"itself": d, "identity": tf.identity(d), "stacked": tf.stack([d, d]), "times": x * d, "plus": x * 0.0 + d}
    return _run(tf, np, made, {x: 1024.0})


def variables(tf, np):
    """A Variable can be given one; a calculation with it makes zero."""
    v, d = tf.Variable(_DENORMAL["float32"]), tf.placeholder(tf.float32, [])
    n, found = tf.Variable([1.5 * _NORMAL["float32"]] * 2), []
    feeds = {d: _DENORMAL["float32"]}
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for op in (tf.no_op(), tf.assign(v, d), tf.assign_add(v, d), tf.assign(v, d), tf.assign_sub(v, d * 0.0)):
            sess.run(op, feeds)
            found.append(_kinds(np, sess.run(v)))
        sess.run(tf.assign_sub(n, [_NORMAL["float32"]] * 2))
        found.append(_kinds(np, sess.run(n)))
        sess.run(tf.scatter_update(n, [0, 1], [_DENORMAL["float32"]] * 2))
        found.append(_kinds(np, sess.run(n)))
    return found


def optimizers(tf, np):
    """What their slots and the Variable hold after a step with a gradient of 1e-20 or 2e-38."""
    train, found = tf.train, {}
    for make in (
        lambda: train.GradientDescentOptimizer(0.1),
        lambda: train.MomentumOptimizer(0.1, 0.9),
        lambda: train.AdamOptimizer(0.1),
        lambda: train.AdadeltaOptimizer(0.1),
        lambda: train.RMSPropOptimizer(0.1),
        lambda: train.FtrlOptimizer(0.1),
    ):
        for gradient in (1e-20, 2e-38):
            tf.reset_default_graph()
            v, optimizer = tf.Variable(np.zeros(5, np.float32), name="v"), make()
            op = optimizer.apply_gradients([(tf.constant([gradient] * 5), v)])
            with tf.Session() as sess:
                sess.run(tf.global_variables_initializer())
                sess.run(op)
                held = {w.op.name: _kinds(np, sess.run(w)) for w in tf.global_variables()}
                found[f"{type(optimizer).__name__} {gradient}"] = held
    return found


def python_in_a_run(tf, np):
    """A function that tf.py_func calls calculates as the run does; Python before and after doesn't."""

    def small():
        return np.float32(1e-20) * np.float32(1e-20)

    x = tf.placeholder(tf.float32, [])
    inside = tf.py_func(lambda x: np.float32([small() != 0, float(x) * 1e-300 * 1e-10 != 0]), [x], tf.float32)
    with tf.Session() as sess:
        return [bool(small() != 0), sess.run(inside, {x: 1.0}).tolist(), bool(small() != 0)]


def in_a_loop(tf, np):
    """The first power of a half that is zero."""
    i, _ = tf.while_loop(lambda i, x: x > 0, lambda i, x: [i + 1, x * 0.5], [tf.constant(0), tf.constant(1.0)])
    with tf.Session() as sess:
        return sess.run(i)


# The loss of many beginners.


def the_loss_by_the_gap(tf, np):
    """Minus the sum of label times log of softmax, for logits apart by more and more; then its gradient."""
    logits, label = tf.placeholder(tf.float32, [None]), tf.placeholder(tf.float32, [None])
    loss = -tf.reduce_sum(label * tf.log(tf.nn.softmax(logits)))
    (gradient,) = tf.gradients(loss, logits)
    found = {}
    with tf.Session() as sess:
        for gap in (80.0, 87.0, 87.3, 87.4, 88.0, 95.0, 103.0, 104.0, 200.0):
            for y in ([1.0, 0.0], [0.0, 1.0], [0.5, 0.5]):
                value, slopes = sess.run([loss, gradient], {logits: [gap, 0.0], label: y})
                found[f"{gap}, {y}"] = [f"{value:.2f}", *(f"{slope:.2f}" for slope in slopes)]
    return found


def squared_probabilities(tf, np):
    """What is left of a small probability after it's squared, and the log of that."""
    p = tf.placeholder(tf.float32, [None])
    made = {"square": p * p, "log": tf.log(p * p), "root": tf.sqrt(p * p), "share": p * p / tf.reduce_sum(p * p)}
    with tf.Session() as sess:
        values = sess.run(made, {p: [1e-18, 1e-20, 1e-22]})
    return {name: [f"{number:.3g}" for number in value] for name, value in values.items()}
