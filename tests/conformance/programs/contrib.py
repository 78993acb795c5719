"""tf.contrib's layers, scopes of arguments and optimize_loss: values, names, collections and errors."""

from tests.conformance.outcomes import raises
from tests.conformance.programs.layers import _collections, _fill, _numbers, _run


def fully_connected(tf, np):
    """Fully connected."""
    layers, x = tf.contrib.layers, tf.placeholder(tf.float32, [None, 3])
    y = layers.fully_connected(x, 4)
    z = layers.fully_connected(y, 2, activation_fn=None, scope="out", biases_initializer=None)
    again = layers.fully_connected(
        y, 2, None, scope="out", reuse=True, outputs_collections="ends", biases_initializer=None
    )
    g = tf.gradients(z, [x, *tf.trainable_variables()])
    names = [t.name for t in (y, z, again, *tf.get_collection("ends"))]
    error = raises(lambda: layers.fully_connected(x, "4"))
    return [names, error, _collections(tf), _run(tf, np, [y, z, again, *g], {x: _numbers(np, 2, 3)})]


def conv2d_and_the_rest(tf, np):
    """Conv2d and the rest."""
    layers, x = tf.contrib.layers, tf.placeholder(tf.float32, [None, 6, 6, 2])
    y = layers.conv2d(x, 3, [3, 3], weights_regularizer=layers.l2_regularizer(0.5))
    z = layers.max_pool2d(y, [2, 2])
    w = layers.conv2d(z, 2, 2, 2, "VALID", scope="second", activation_fn=None)
    found = [y, z, w, layers.flatten(w), layers.dropout(w, is_training=False)]
    shapes = [[t.name, str(t.shape)] for t in found]
    losses = tf.losses.get_regularization_losses()
    noisy = layers.dropout(tf.ones([100, 100]), 0.25)
    kept = float((_run(tf, np, noisy) == 4.0).mean())
    noisy = [noisy.name.split("/")[0], abs(kept - 0.25) < 0.05]
    layers.fully_connected(x, 1, trainable=False, scope="fixed")
    return [shapes, noisy, _collections(tf), _run(tf, np, [*found, *losses], {x: _numbers(np, 2, 6, 6, 2)})]


def collections_of_variables(tf, np):
    """Collections of variables."""
    layers, x = tf.contrib.layers, tf.ones([2, 3])
    layers.fully_connected(x, 4, variables_collections=["mine"])
    layers.fully_connected(x, 4, variables_collections={"weights": ["heavy"]})
    for reuse in (None, True):
        layers.fully_connected(x, 4, scope="twice", reuse=reuse, variables_collections="light")
    layers.fully_connected(x, 4, normalizer_fn=layers.batch_norm, variables_collections=["before"], scope="norm")
    keys = ("mine", "heavy", "light", "before", tf.GraphKeys.MODEL_VARIABLES)
    names = {key: [v.name for v in tf.get_collection(key)] for key in keys}
    found = tf.contrib.framework.get_variables
    more = [found("fully_connected"), found(suffix="weights"), found("fully_connected_1", "biases")]
    more += [found(collection="heavy"), found(suffix="weights:0"), found(suffix="weight")]
    with tf.variable_scope("fully_connected_1") as scope:
        more.append(found(scope))
    return [names, [[v.name for v in variables] for variables in more]]


def batch_norm(tf, np):
    """Batch norm."""
    layers = tf.contrib.layers
    found = []
    for shape in [(4, 3, 2, 2), (5, 3)]:
        x = tf.placeholder(tf.float32, [None, *shape[1:]])
        y = layers.batch_norm(x, decay=0.5, scale=True)
        z = layers.batch_norm(x, is_training=False, activation_fn=tf.nn.relu, scope="given")
        tf.get_variable_scope()
        g = tf.gradients(tf.reduce_sum(y * _numbers(np, *shape[1:])), x)
        with tf.Session() as sess:
            _fill(tf, np, sess)
            feeds = {x: _numbers(np, *shape)}
            found += sess.run([y, z, *g], feeds)
            sess.run(tf.get_collection(tf.GraphKeys.UPDATE_OPS)[-2:], feeds)
            found += [[v.name, sess.run(v)] for v in sorted(tf.global_variables(), key=lambda v: v.name)]
        found.append(z.name)
        found.append({key: value for key, value in _collections(tf).items() if key != "update_ops"})
        tf.reset_default_graph()
    return found


def batch_norm_that_updates_at_once(tf, np):
    """Batch norm that updates at once."""
    layers, x = tf.contrib.layers, tf.placeholder(tf.float32, [None, 3])
    y = layers.batch_norm(x, 0.5, updates_collections=None)
    other = layers.batch_norm(x, 0.5, updates_collections="mine", scope="other")
    counts = [len(tf.get_collection(key)) for key in (tf.GraphKeys.UPDATE_OPS, "mine")]
    with tf.Session() as sess:
        _fill(tf, np, sess)
        sess.run([y, other], {x: _numbers(np, 5, 3)})
        return [counts, [sess.run(v) for v in tf.global_variables()]]


def layers_with_batch_norm(tf, np):
    """Layers with batch norm."""
    layers, x = tf.contrib.layers, tf.placeholder(tf.float32, [None, 4, 4, 1])
    params = {"is_training": True, "decay": 0.9}
    y = layers.conv2d(x, 2, 3, normalizer_fn=layers.batch_norm, normalizer_params=params)
    z = layers.fully_connected(layers.flatten(y), 2, normalizer_fn=layers.batch_norm, normalizer_params=params)
    return [z.name, sorted(v.name for v in tf.global_variables()), _run(tf, np, [y, z], {x: _numbers(np, 3, 4, 4, 1)})]


def regularizers(tf, np):
    """Regularizers."""
    layers, w = tf.contrib.layers, tf.constant(_numbers(np, 2, 3), name="w")
    penalties = [layers.l1_regularizer(0.5)(w), layers.l2_regularizer(0.5)(w), layers.l2_regularizer(0.1, "mine")(w)]
    with tf.variable_scope("scope", regularizer=layers.l1_regularizer(0.5)):
        tf.get_variable("v", [2])
    names = [t.name for t in penalties + tf.losses.get_regularization_losses()]
    errors = [raises(lambda: layers.l1_regularizer(1)), raises(lambda: layers.l2_regularizer(-0.5))]
    return [names, errors, layers.l2_regularizer(0.0)(w), _run(tf, np, penalties)]


def initializers(tf, np):
    """Initializers."""
    layers, found = tf.contrib.layers, []
    made = [
        layers.xavier_initializer(),
        layers.xavier_initializer(uniform=False),
        layers.variance_scaling_initializer(),
    ]
    made += [layers.variance_scaling_initializer(1.0, mode, True) for mode in ("FAN_IN", "FAN_OUT", "FAN_AVG")]
    for initializer in made:
        for shape in ([400, 100], [5, 5, 20, 100], [50000]):
            values = _run(tf, np, initializer(shape))
            limit = float(np.abs(values).max()) * np.sqrt(shape[-2] if len(shape) > 1 else 1)
            found.append([str(values.shape), round(limit, 1)])
    errors = [
        raises(lambda: layers.variance_scaling_initializer(mode="FAN")),
        raises(lambda: layers.xavier_initializer(dtype=tf.int32)),
    ]
    return [found, errors]


def axes_in_another_order(tf, np):
    """Axes in another order."""
    layers, x = tf.contrib.layers, tf.placeholder(tf.float32, [None, 3, 8, 6])
    y = layers.max_pool2d(layers.conv2d(x, 4, 3, data_format="NCHW"), 2, data_format="NCHW")
    z = layers.batch_norm(y, data_format="NCHW", scope="norm")
    shapes = [str(t.shape) for t in (y, z, *tf.global_variables())]
    return [
        shapes,
        raises(lambda: layers.max_pool2d(x, 2, data_format="NWHC")),
        raises(lambda: layers.batch_norm(x, data_format="NWHC")),
    ]


def arg_scope(tf, np):
    """Arg scope."""
    framework, layers, x = tf.contrib.framework, tf.contrib.layers, tf.ones([2, 3])

    @framework.add_arg_scope
    def mine(a, b=1, c=2):
        return [a, b, c]

    found = [mine(0)]
    with framework.arg_scope([mine], b=5) as scope:
        found += [mine(0), mine(0, b=6), mine(0, c=7)]
        with framework.arg_scope([mine], c=8):
            found.append(mine(0))
    with framework.arg_scope(scope):
        found.append(mine(0))
    with framework.arg_scope([layers.fully_connected], activation_fn=None, scope="named"):
        found.append(layers.fully_connected(x, 2).name)
    found += [mine(0), mine.__name__]

    def enter(*args, **kwargs):
        with framework.arg_scope(*args, **kwargs):
            pass

    errors = [raises(lambda: enter(mine, b=1)), raises(lambda: enter(scope, b=1))]
    return [found, errors, type(raises(lambda: enter([enter], b=1)).error).__name__]


def the_step(tf, np):
    """The step."""
    framework = tf.contrib.framework
    found = [framework.get_global_step(), framework.get_or_create_global_step().name]
    found += [framework.get_global_step().name, raises(framework.create_global_step)]
    framework.assert_global_step(framework.get_global_step())
    return found + [raises(lambda: framework.assert_global_step(tf.constant(1.0, name="one")))]


def _loss(tf):
    w = tf.get_variable("w", initializer=[1.0, 2.0])
    v = tf.get_variable("v", initializer=3.0)
    return tf.reduce_sum(tf.square(w)) + tf.square(v), [w, v]


def _train(tf, train, fetches, steps=3):
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(steps):
            sess.run(train)  # the loss may be that of before or after the update: TensorFlow leaves it open
        return sess.run(fetches)


def optimize_loss(tf, np):
    """Optimize loss."""
    found = []
    optimizers = ["SGD", "Adam", "Adagrad", "Ftrl", "Momentum", "RMSProp", tf.train.AdamOptimizer]
    optimizers += [lambda rate: tf.train.MomentumOptimizer(rate, 0.5), tf.train.GradientDescentOptimizer(0.2)]
    for optimizer in optimizers:
        tf.reset_default_graph()
        loss, variables = _loss(tf)
        step = tf.train.get_or_create_global_step()
        train = tf.contrib.layers.optimize_loss(loss, step, 0.1, optimizer)
        names = [train.name, [v.name for v in tf.global_variables()]]
        found.append([names, _train(tf, train, [*variables, step])])
    return found


def optimize_loss_with_everything(tf, np):
    """Optimize loss with everything."""
    loss, (w, v) = _loss(tf)
    step = tf.train.get_or_create_global_step()
    count = tf.Variable(0, trainable=False, name="count")
    tf.get_variable("unused", initializer=1.0)
    tf.add_to_collection(tf.GraphKeys.UPDATE_OPS, tf.assign_add(count, 1).op)
    train = tf.contrib.layers.optimize_loss(
        loss,
        None,
        0.5,
        "SGD",
        clip_gradients=1.0,
        learning_rate_decay_fn=lambda rate, n: tf.train.exponential_decay(rate, n, 2, 0.5),
        summaries=["loss", "global_gradient_norm", "learning_rate"],
        name="mine",
    )
    other = tf.contrib.layers.optimize_loss(
        loss,
        step,
        0.1,
        "SGD",
        variables=[v],
        increment_global_step=False,
        clip_gradients=lambda pairs: [(g * 0.5, v) for g, v in pairs],
        summaries=[],
        update_ops=[],
    )
    summaries = [t.name for t in tf.get_collection(tf.GraphKeys.SUMMARIES)]
    return [train.name, other.name, summaries, _train(tf, train, [w, v, step, count]), _train(tf, other, [w, v, step])]


def optimize_loss_that_does_not_fit(tf, np):
    """Optimize loss that does not fit."""
    loss, _ = _loss(tf)

    def wrong(*args, **kwargs):
        return raises(lambda: tf.contrib.layers.optimize_loss(loss, *args, **kwargs))

    return [
        wrong(None, -0.1, "SGD"),
        wrong(None, "0.1", "SGD"),
        wrong(None, 0.1, "sgd"),
        wrong(None, None, "SGD"),
        wrong(None, 0.1, lambda rate: 3),
        wrong(None, 0.1, "SGD", summaries=["all"]),
        wrong(None, 0.1, "SGD", clip_gradients=1),
        wrong(None, 0.1, "SGD", learning_rate_decay_fn=lambda rate, n: rate),
        wrong(tf.constant(1.0, name="one"), 0.1, "SGD"),
    ]


def slim(tf, np):
    """Slim."""
    slim, x = tf.contrib.slim, tf.placeholder(tf.float32, [None, 6, 6, 1])
    with slim.arg_scope([slim.conv2d, slim.fully_connected], weights_regularizer=slim.l2_regularizer(0.1)):
        y = slim.max_pool2d(slim.conv2d(x, 2, [3, 3], scope="conv1"), [2, 2], scope="pool1")
        y = slim.fully_connected(slim.flatten(y), 3, activation_fn=None, scope="fc")
    losses = tf.losses.get_regularization_losses()
    return [
        y.name,
        [t.name for t in losses],
        _collections(tf),
        _run(tf, np, [y, *losses], {x: _numbers(np, 1, 6, 6, 1)}),
    ]
