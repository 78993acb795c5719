"""What a monitored session calls, in which order, with what, and when it stops."""

from tests.conformance.watching import attempt, raising, watcher


def order_of_calls(tf, np):
    """The hooks in the order given, each method for all."""
    events, x = [], tf.constant(2.0)
    hooks = [watcher(tf, events, "one"), watcher(tf, events, "two")]
    with tf.train.MonitoredSession(hooks=hooks) as sess:
        events.append(str(sess.run(x)))
        events.append(str(sess.run("Const:0")))
    return events


def what_a_hook_asks_for(tf, np):
    """A hook's fetches come back in their form; what the caller asked for is in the context."""
    x, y, seen = tf.constant(2.0, name="x"), tf.constant([1, 2], name="y"), []
    wanted = [x, [x, y], {"a": y}, (x,), "x:0", None]

    def before_run(context):
        args = context.original_args
        seen.append([args._fields, args.fetches is y, args.feed_dict, context.stop_requested])
        fetches = wanted[len(seen) - 1]
        return None if fetches is None else tf.train.SessionRunArgs(fetches)

    def after_run(context, values):
        seen[-1] += [values.results, values._fields]

    with tf.train.MonitoredSession(hooks=[watcher(tf, [], before_run=before_run, after_run=after_run)]) as sess:
        return [[sess.run(y) for _ in wanted], seen]


def arguments(tf, np):
    """SessionRunArgs and SessionRunValues are named tuples; a context starts without a stop."""
    args = tf.train.SessionRunArgs("a", {"b": 1})
    values = tf.train.SessionRunValues(1, None, None)
    context = tf.train.SessionRunContext(args, "session")
    found = [args.fetches, args.feed_dict, args.options, str(args), str(values), len(tf.train.SessionRunArgs(1))]
    found += [context.original_args is args, context.session, context.stop_requested, context.request_stop()]
    refused = [
        attempt(lambda: setattr(context, "stop_requested", False)),
        attempt(lambda: tf.train.SessionRunArgs())[0],
    ]
    return [*found, context.stop_requested, refused]


def feeds_of_hooks(tf, np):
    """Hooks and caller feed together, but no tensor twice."""
    x, y = tf.placeholder(tf.float32, [], name="x"), tf.placeholder(tf.float32, [], name="y")
    feeds = {}

    def feeding(name):
        return watcher(tf, [], before_run=lambda context: tf.train.SessionRunArgs(None, feeds.get(name)))

    z = x * 10 + y
    with tf.train.MonitoredSession(hooks=[feeding("one"), feeding("two"), tf.train.FeedFnHook(lambda: None)]) as sess:
        found = [sess.run(z, {x: 1, y: 2})]
        feeds["one"] = {x: 3}
        found.append(sess.run(z, {y: 4}))
        found.append(attempt(lambda: sess.run(z, {x: 1, y: 2}))[1].split(" Conflict")[0])
        feeds["two"] = {y: 5}
        found.append(sess.run(z))
        feeds["two"] = {x: 5}
        found.append(attempt(lambda: sess.run(z, {y: 2}))[1].split(" Conflict")[0])
    return found


def feed_function(tf, np):
    """A FeedFnHook feeds what its function gives."""
    x, values = tf.placeholder(tf.float32, []), iter([1.0, 2.0])
    with tf.train.SingularMonitoredSession(hooks=[tf.train.FeedFnHook(lambda: {x: next(values)})]) as sess:
        return [sess.run(x), sess.run(x)]


def a_stop(tf, np):
    """After a requested stop one more run is an error."""
    events, x = [], tf.constant(1)
    stop = watcher(tf, events, "stops", after_run=lambda context, values: context.request_stop())
    with tf.train.MonitoredSession(hooks=[stop, watcher(tf, events, "other")]) as sess:
        found = [sess.should_stop(), sess.run(x), sess.should_stop(), attempt(lambda: sess.run(x))]
    return [*found, sess.should_stop(), events]


def a_stop_before_the_run(tf, np):
    """A stop requested before the run counts after it."""
    events, x = [], tf.constant(1)
    stop = watcher(tf, events, before_run=lambda context: context.request_stop())
    with tf.train.MonitoredSession(hooks=[stop]) as sess:
        return [sess.run(x), sess.should_stop(), events]


def _ended_by(tf, make_error, kind, where):
    tf.reset_default_graph()
    events, x = [], tf.constant(1)
    hook = watcher(tf, events, **{where: raising(make_error)} if where != "body" else {})

    def work():
        with kind(hooks=[watcher(tf, events, "first"), hook]) as sess:
            sess.run(x)
            if where == "body":
                raise make_error
        return "no error"

    return [attempt(work), events]


def ends_of_a_session(tf, np):
    """`end` is called after OutOfRangeError and StopIteration alone; these two go no further."""
    errors = [
        tf.errors.OutOfRangeError(None, None, "the input ended"),
        StopIteration(),
        ValueError("a mistake"),
        tf.errors.CancelledError(None, None, "cancelled"),
    ]
    kinds = [tf.train.MonitoredSession, tf.train.SingularMonitoredSession]
    return [_ended_by(tf, e, k, w) for e in errors for k in kinds for w in ("body", "before_run", "after_run", "end")]


def errors_at_the_start(tf, np):
    """An error in `begin` or `after_create_session` comes out as it is."""
    kinds = [tf.train.MonitoredSession, tf.train.SingularMonitoredSession]
    return [_ended_by(tf, ValueError("no"), k, w) for k in kinds for w in ("begin", "after_create_session")]


def the_graph_in_between(tf, np):
    """Ops can be made in `begin`, not later; after `close` they can again."""
    found, graph = [], tf.get_default_graph()

    def begin():
        found.append(tf.constant(5, name="made_in_begin").name)

    def after_create_session(session, coord):
        found.append([graph.finalized, attempt(lambda: tf.constant(1)), type(session).__name__, coord.should_stop()])

    hook = watcher(tf, [], begin=begin, after_create_session=after_create_session)
    with tf.train.MonitoredSession(hooks=[hook]) as sess:
        found += [sess.run("made_in_begin:0"), sess.graph is graph, attempt(lambda: tf.constant(2))]
    found += [graph.finalized, sess.graph, tf.constant(3).name]
    tf.train.Scaffold().finalize()
    with tf.train.MonitoredSession() as sess:
        found.append(sess.run("made_in_begin:0"))
    return [*found, graph.finalized]


def more_runs_in_a_hook(tf, np):
    """The context's session runs without hooks."""
    events, v = [], tf.get_variable("v", [], initializer=tf.zeros_initializer())
    more = v.assign_add(1.0)

    def after_run(context, values):
        events.append(float(context.session.run(more)))

    with tf.train.MonitoredSession(hooks=[watcher(tf, events, after_run=after_run)]) as sess:
        return [sess.run(v), sess.run(v), events]


def final_ops(tf, np):
    """FinalOpsHook runs its ops when all is over."""
    v, p = tf.get_variable("v", [], initializer=tf.zeros_initializer()), tf.placeholder(tf.float32, [])
    hooks = [tf.train.FinalOpsHook([v, v + p], {p: 10.0}), tf.train.FinalOpsHook(None)]
    add, before = v.assign_add(1.0), hooks[0].final_ops_values
    with tf.train.MonitoredSession(hooks=hooks) as sess:
        sess.run(add)
        sess.run(add)
    return [before, [hook.final_ops_values for hook in hooks]]


def a_closed_session(tf, np):
    """Closing twice, running after closing."""
    events, x = [], tf.constant(1)
    found = []
    for kind in (tf.train.MonitoredSession, tf.train.SingularMonitoredSession):
        tf.reset_default_graph()
        x = tf.constant(1)
        sess = kind(hooks=[watcher(tf, events)])
        found += [sess.run(x), sess.should_stop(), sess.close(), sess.should_stop()]
        found += [attempt(lambda sess=sess, x=x: sess.run(x))[0], attempt(sess.close)]
    return [found, events]


def options_and_metadata(tf, np):
    """A hook gets the options and metadata of the run; without any, empty ones."""
    seen = []

    def after_run(context, values):
        seen.extend(type(value).__name__ for value in (values.options, values.run_metadata))
        seen.append(str(values))

    x = tf.constant(1)
    with tf.train.MonitoredSession(hooks=[watcher(tf, [], after_run=after_run)]) as sess:
        sess.run(x)
        sess.run(x, options=tf.RunOptions(), run_metadata=tf.RunMetadata())
    return [seen, tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE).trace_level, str(tf.RunOptions())]


def what_is_no_request(tf, np):
    """What a hook's before_run returns has fetches."""
    x, found = tf.constant(1), []
    for wrong in ([x], {"a": x}, "Const:0"):
        hook = watcher(tf, [], before_run=lambda context, wrong=wrong: wrong)
        with tf.train.MonitoredSession(hooks=[hook]) as sess:
            found.append(attempt(lambda sess=sess: sess.run(x)))
    return found
