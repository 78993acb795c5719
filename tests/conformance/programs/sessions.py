"""Sessions: default ones, closed ones, and the short forms `eval` and `run`."""

from tests.conformance.outcomes import raises


def eval_in_a_with_block(tf, np):
    """Inside `with tf.Session()` a tensor evaluates itself."""
    x = tf.placeholder(tf.float32, [])
    w = tf.Variable(2.0)
    with tf.Session():
        tf.global_variables_initializer().run()
        return [(x * w).eval({x: 3.0}), w.eval(), (x + 1.0).eval(feed_dict={x: 1.0})]


def eval_with_a_session(tf, np):
    """Outside, the session is an argument."""
    a = tf.constant(2.0)
    w = tf.Variable(1.0)
    sess = tf.Session()
    w.initializer.run(session=sess)
    return [a.eval(session=sess), w.eval(sess), tf.no_op().run(session=sess), sess.close()]


def without_a_default_session(tf, np):
    """`eval` and `run` without a session say how to give one."""
    a = tf.constant(1.0)
    w = tf.Variable(1.0)
    return [raises(a.eval), raises(a.op.run), raises(w.eval), tf.get_default_session()]


def default_sessions(tf, np):
    """`with` makes a session the default one, and the outer one comes back."""
    tf.constant(1.0)
    seen = [tf.get_default_session()]
    with tf.Session() as one:
        seen.append(tf.get_default_session() is one)
        with tf.Session() as other:
            seen.append(tf.get_default_session() is other)
        seen.append(tf.get_default_session() is one)
    return [*seen, tf.get_default_session()]


def as_default_does_not_close(tf, np):
    """`with sess.as_default()` leaves the session open; `with sess` closes it."""
    a = tf.constant(1.0)
    sess = tf.Session()
    with sess.as_default():
        first = a.eval()
    second = sess.run(a)
    with sess:
        third = a.eval()
    return [first, second, third, raises(lambda: sess.run(a))]


def a_closed_session(tf, np):
    """A closed session is refused; closing twice is fine."""
    a = tf.constant(1.0)
    sess = tf.Session()
    sess.run(a)
    sess.close()
    return [raises(lambda: sess.run(a)), sess.close(), raises(lambda: a.eval(session=sess))]


def a_session_closed_by_its_block(tf, np):
    """After the `with` block the session is closed: the most common slip of all."""
    a = tf.constant(1.0)
    with tf.Session() as sess:
        sess.run(a)
    return raises(lambda: sess.run(a))


def an_interactive_session(tf, np):
    """`InteractiveSession` is the default session as soon as it is made."""
    a = tf.constant(2.0)
    w = tf.Variable(3.0)
    sess = tf.InteractiveSession()
    try:
        w.initializer.run()
        return [(a * w).eval(), tf.get_default_session() is sess, sess.run(w)]
    finally:
        sess.close()


def after_an_interactive_session(tf, np):
    """Closing it takes it out of the default place."""
    a = tf.constant(2.0)
    sess = tf.InteractiveSession()
    sess.close()
    return [tf.get_default_session(), raises(a.eval), raises(lambda: sess.run(a))]


def a_session_of_a_graph(tf, np):
    """A session runs the graph that it was made for; the default one if none is named."""
    graph = tf.Graph()
    with graph.as_default():
        a = tf.constant(5.0, name="a")
    with tf.Session(graph=graph) as sess:
        inside = tf.get_default_graph() is graph
        return [sess.run(a), sess.run("a:0"), sess.graph is graph, inside]


def the_graph_is_taken_when_made(tf, np):
    """A session made before `with graph.as_default()` belongs to the outer graph."""
    sess = tf.Session()
    tf.constant(0.0)
    with tf.Graph().as_default():
        a = tf.constant(1.0, name="a")
        return [sess.graph is tf.get_default_graph(), raises(lambda: sess.run(a))]


def eval_in_the_wrong_session(tf, np):
    """`eval` needs a session of the tensor's graph."""
    with tf.Graph().as_default():
        a = tf.constant(1.0, name="a")
    tf.constant(1.0)
    with tf.Session() as sess:
        return [raises(a.eval), raises(lambda: a.eval(session=sess)), raises(a.op.run)]


def ops_added_while_running(tf, np):
    """Ops made after the session was made can be run."""
    sess = tf.Session()
    seen = []
    total = tf.constant(0.0)
    for _ in range(3):
        total = total + 1.0
        seen.append(sess.run(total))
    return seen


def a_failed_run_leaves_the_session_usable(tf, np):
    """After an error the session goes on with its values."""
    w = tf.Variable(1.0)
    x = tf.placeholder(tf.float32, [], name="x")
    add = tf.assign_add(w, x)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        failed = [raises(lambda: sess.run(add)).type, raises(lambda: sess.run(None)).type]
        return [failed, sess.run(add, {x: 2.0}), sess.run(w)]


def the_classic_hello(tf, np):
    """The first program of every tutorial."""
    hello = tf.constant("Hello, TensorFlow!")
    sess = tf.Session()
    return sess.run(hello)


def a_session_with_a_configuration(tf, np):
    """A configuration is made at once or setting by setting."""
    at_once = tf.ConfigProto(allow_soft_placement=True, gpu_options=tf.GPUOptions(allow_growth=True))
    by_setting = tf.ConfigProto()
    by_setting.gpu_options.allow_growth = True
    found = [at_once.allow_soft_placement, at_once.gpu_options.allow_growth, by_setting.gpu_options.allow_growth]
    x = tf.constant(2.0)
    for config in (at_once, by_setting):
        with tf.Session(config=config) as sess:
            found.append(sess.run(x, options=tf.RunOptions(), run_metadata=tf.RunMetadata()))
    return found


def names_of_the_later_version(tf, np):
    """`tf.compat.v1` has the same names, and nothing runs eagerly."""
    return [tf.compat.v1.constant(1.0).name, tf.executing_eagerly()]


def text_and_bytes(tf, np):
    """What is one becomes the other."""
    compat = tf.compat
    found = [repr(f(value)) for f in (compat.as_text, compat.as_bytes, compat.as_str) for value in ("é", b"\xc3\xa9")]
    return [found, repr(compat.as_bytes("é", "latin-1")), raises(lambda: compat.as_text(5))]


def arguments_of_a_session(tf, np):
    """A graph is given by its name."""
    wrong = [lambda: tf.Session(tf.Graph()), lambda: tf.Session(graph=3), lambda: tf.Session(config={"a": 1})]
    return [raises(program) for program in wrong]


def callables(tf, np):
    """A function of what will be fed; its fetches and feeds are checked at once, fed values when it is called."""
    x, y = tf.placeholder(tf.float32, name="x"), tf.placeholder(tf.float32, name="y")
    z = x + 2.0 * y
    sess = tf.Session()
    add, both = sess.make_callable(z, [x, y]), sess.make_callable([z, {"x": x}], ("x:0", y))
    wrong = [lambda: sess.make_callable(z, x), lambda: sess.make_callable(3), lambda: sess.make_callable(None)]
    wrong += [lambda: add(1.0), lambda: add(1.0, "a")]
    found = [add(1.0, 2.0), add([1.0], 2.0), add(1.0, 2.0, 3.0), both(1.0, 2.0), sess.make_callable(z.op, [x, y])(1, 2)]
    found += [raises(program) for program in wrong]
    sess.close()
    return [found, raises(lambda: add(1.0, 2.0))]


def feeds_are_looked_at_first(tf, np):
    """Where neither the feeds nor the fetches can be, the feeds are named."""
    with tf.Graph().as_default():
        other = tf.placeholder(tf.float32, [], name="other")
    tf.constant(1.0)
    sess = tf.Session()
    wrong = [(other, {other: 1.0}), (None, {other: 1.0}), (3, {"a": 1.0}), (None, {3: 1.0})]
    return [raises(lambda f=fetch, d=fed: sess.run(f, d)) for fetch, fed in wrong]


def what_a_session_is_made_with(tf, np):
    """Whether the target is a text and the configuration a ConfigProto is seen at once."""
    return [raises(lambda: tf.Session(target=1)), raises(lambda: tf.Session(config={}))]


def names_as_bytes(tf, np):
    """Fetches may be named by bytes."""
    tf.constant(3.0, name="c")
    with tf.Session() as sess:
        return [sess.run(b"c:0"), raises(lambda: sess.run(b"d:0"))]


def a_callable_of_nothing(tf, np):
    """What can't be fetched is refused before the callable is called."""
    tf.constant(3.0, name="c")
    with tf.Session() as sess:
        return raises(lambda: sess.make_callable("nothing"))


def settings_of_a_traced_run(tf, np):
    """The options that ask for a trace."""
    x = tf.constant(3.0)
    with tf.Session() as sess:
        options, metadata = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), tf.RunMetadata()
        found = [sess.run(x, options=options, run_metadata=metadata), tf.RunOptions.NO_TRACE, options.trace_level]
    return [*found, tf.RunOptions() == tf.RunOptions(), options == tf.RunOptions(trace_level=3), options == 3]


def parts_of_a_configuration(tf, np):
    """Constants, parts and defaults; what has another name or type is refused."""
    config = tf.ConfigProto(gpu_options=tf.GPUOptions(per_process_gpu_memory_fraction=0.25), device_count={"GPU": 0})
    config.gpu_options.allow_growth = True
    config.graph_options.optimizer_options.global_jit_level = tf.OptimizerOptions.ON_1
    level = tf.OptimizerOptions(opt_level=tf.OptimizerOptions.L0)
    nested = tf.ConfigProto(graph_options=tf.GraphOptions(optimizer_options=level))
    with tf.Session(config=config) as sess:
        ran = sess.run(tf.constant(2.0))
    return [
        [str(config), str(nested), ran, config.intra_op_parallelism_threads, config.gpu_options.visible_device_list],
        [tf.OptimizerOptions.ON_2, tf.OptimizerOptions.L0, tf.RunOptions.FULL_TRACE, str(tf.RunMetadata())],
        raises(lambda: tf.ConfigProto(foo=1)).type,
        raises(lambda: setattr(config, "foo", 1)).type,
        raises(lambda: setattr(config.gpu_options, "allow_growth", "x")).type,
        raises(lambda: tf.Session(config=tf.GPUOptions())),
    ]
