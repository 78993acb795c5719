"""Summaries are string tensors: their names, their tags, and the messages that runs of them give."""

import io

from PIL import Image

from tests.conformance.outcomes import raises


def _run(tf, fetch, feed_dict=None):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return session.run(fetch, feed_dict)


def _values(tf, summary, feed_dict=None):
    """The values in what a run of a summary gives: the tag, the field that is set, and what is in it."""
    return _parsed(tf, _run(tf, summary, feed_dict))


def _parsed(tf, serialized):
    found = []
    for value in tf.Summary.FromString(serialized).value:
        field = value.WhichOneof("value")
        content = getattr(value, field)
        if field == "histo":
            content = {name: getattr(content, name) for name in ("min", "max", "num", "sum", "sum_squares")}
            content["limits"] = list(value.histo.bucket_limit)
            content["counts"] = list(value.histo.bucket)
        if field == "image":
            content = [content.height, content.width, content.colorspace, _pixels(content.encoded_image_string)]
        if field == "tensor":
            lengths = [dim.size for dim in content.tensor_shape.dim]
            content = [content.dtype, lengths, list(content.string_val), value.metadata.plugin_data.plugin_name]
        found.append([value.tag, field, content])
    return found


def _pixels(encoded):
    with Image.open(io.BytesIO(encoded)) as picture:
        return [picture.format, picture.mode, list(picture.tobytes())]


def scalar_summaries(tf, np):
    """A scalar summary is a string tensor, named and tagged as it is called."""
    loss = tf.constant(1.5, name="loss_value")
    first, second = tf.summary.scalar("loss", loss), tf.summary.scalar("loss", loss)
    ops = [(op.name, op.type, [t.name for t in op.inputs]) for op in tf.get_default_graph().get_operations()]
    described = [first.name, first.dtype.name, first.shape.as_list(), str(second)]
    return [described, ops, _values(tf, first), _values(tf, second), type(_run(tf, first)).__name__]


def bytes_of_a_scalar(tf, np):
    """The message has its exact bytes, zeros at its end included."""
    return [_run(tf, tf.summary.scalar(name, value)) for name, value in [("a", 1.5), ("b", 0.0), ("c", 2)]]


def names_and_tags(tf, np):
    """What no name may have becomes an underscore; scopes are part of a tag."""
    names = ["an int", "many $#illegal^: characters!", "/absolute", "a/b", "a.b-c_d", "x/", ""]
    made = [tf.summary.scalar(name, 1.0) for name in names]
    with tf.name_scope("scope"):
        made += [tf.summary.scalar("a", 1.0), tf.summary.histogram("a", [1.0])]
        with tf.name_scope("inner"):
            made.append(tf.summary.scalar("a", 1.0))
    return [[summary.name, _values(tf, summary)[0][0]] for summary in made]


def refused_names(tf, np):
    """A name must be one that an op may have."""
    return [
        raises(lambda: tf.summary.scalar("_x", 1.0)),
        raises(lambda: tf.summary.scalar(3, 1.0)),
        raises(lambda: tf.summary.scalar(None, 1.0)),
        raises(lambda: tf.summary.text(None, tf.constant("a"))),
        tf.summary.histogram(None, 1.0).name,
    ]


def families(tf, np):
    """A family is a scope, and is also put before the tag."""
    made = [tf.summary.scalar("a", 1.0, family="f"), tf.summary.scalar("f/b", 1.0, family="f g")]
    with tf.name_scope("scope"):
        made += [tf.summary.scalar("a", 1.0, family="f"), tf.summary.histogram("h", [1.0], family="f")]
        with tf.name_scope("f"):
            made.append(tf.summary.scalar("a", 1.0, family="f"))
    return [[summary.name, _values(tf, summary)[0][0]] for summary in made]


def collections(tf, np):
    """Summaries are added to the collection that merge_all reads, or to others instead."""
    first = tf.summary.scalar("a", 1.0)
    tf.summary.scalar("b", 1.0, collections=[])
    tf.summary.scalar("c", 1.0, ["own", "other"])
    tf.summary.histogram("d", [1.0], collections=["own"])
    tf.summary.text("e", tf.constant("x"), collections=["own"])
    merged = tf.summary.merge([first], collections=["merged"])
    keys = [tf.GraphKeys.SUMMARIES, "own", "other", "merged"]
    return [[t.name for t in tf.get_collection(key)] for key in keys] + [merged.op.type]


def dtypes(tf, np):
    """Any real number will do; it is stored as a float32."""
    numbers = [tf.float16, tf.float32, tf.float64, tf.int8, tf.int32, tf.int64, tf.uint8, tf.uint16]
    values = [_values(tf, tf.summary.scalar("a", tf.cast(3, dtype)))[0][2] for dtype in numbers]
    values += [
        _values(tf, tf.summary.scalar("a", value))[0][2] for value in (7, 0.1, np.float64(0.1), np.int64(5), -0.0)
    ]
    others = [tf.constant(True), tf.constant("a"), tf.constant(1j)]
    refused = [raises(lambda value=value: tf.summary.scalar("a", value)) for value in [*others, None]]
    return [values, refused, raises(lambda: tf.summary.histogram("h", tf.constant("a")))]


def not_a_scalar(tf, np):
    """That a value is no scalar is said by the run."""
    x = tf.placeholder(tf.float32, name="x")
    summary = tf.summary.scalar("x_summary", x)
    refused = [raises(lambda value=value: _run(tf, summary, {x: value})) for value in ([1, 2, 3], [[1]], [])]
    known = tf.summary.scalar("known", [1.0, 2.0])
    return [refused, _values(tf, summary, {x: 2}), _values(tf, summary, {x: np.nan}), raises(lambda: _run(tf, known))]


def variables(tf, np):
    """A summary of a variable reads it when it runs."""
    v = tf.Variable(2.0, name="v")
    summary = tf.summary.scalar("v", v)
    with tf.Session() as session:
        refused = raises(lambda: session.run(summary))
        session.run(v.initializer)
        first = _parsed(tf, session.run(summary))
        session.run(tf.assign(v, 5.0))
        return [refused, first, _parsed(tf, summary.eval()), [t.name for t in summary.op.inputs]]


def histograms(tf, np):
    """A histogram counts the values between limits that grow by a tenth."""
    cases = [[1.0, 2.0, 2.0, -3.0, 0.0], [0.0], [1e30], [-1e30, 1e-13, -1e-13], [[1, 2], [3, 4]], 2.0]
    cases += [np.arange(3), np.array([0.1, 0.2, -5, 1e19]), np.float32([1e-12, -1e-12, 1e20]), np.int8([-128, 127])]
    return [_values(tf, tf.summary.histogram("h", case)) for case in cases]


def histograms_of_nothing(tf, np):
    """Without values, the smallest is the largest number there is."""
    return _values(tf, tf.summary.histogram("h", []))


def many_values_in_a_histogram(tf, np):
    """Each of many values is counted."""
    numbers = np.random.RandomState(0).standard_normal((100, 10))
    summary = tf.summary.histogram("h", tf.placeholder_with_default(numbers * 10.0 ** np.arange(-5, 5), [100, 10]))
    return _values(tf, summary)


def histograms_that_are_refused(tf, np):
    """A histogram has no place for what is not finite."""
    x = tf.placeholder(tf.float32)
    summary = tf.summary.histogram("h", x)
    cases = [[np.nan, 1], [np.inf], [1, -np.inf], [np.inf, np.nan], [np.nan, np.inf]]
    return [raises(lambda value=value: _run(tf, summary, {x: value})) for value in cases]


def texts(tf, np):
    """Text is stored as a tensor, with a word for TensorBoard's part that shows it."""
    one = tf.summary.text("one", tf.constant("hello"))
    table = tf.summary.text("table", tf.constant([["a", "b"]]))
    refused = [raises(lambda: tf.summary.text("t", tf.constant(1))), raises(lambda: tf.summary.text("t", "plain"))]
    ops = [(op.name, op.type) for op in tf.get_default_graph().get_operations()]
    return [one.op.type, ops, _values(tf, one), _values(tf, table), refused]


def merging(tf, np):
    """One summary of several: their values in order, each tag once."""
    a, b = tf.summary.scalar("a", 1.0), tf.summary.histogram("b", [1.0])
    merged = tf.summary.merge([a, b])
    named = tf.summary.merge([a, merged.op.inputs[1]], name="both")
    return [
        [merged.name, merged.op.type, merged.dtype.name, [t.name for t in merged.op.inputs], named.name],
        _values(tf, merged),
        _values(tf, tf.summary.merge([a, tf.constant("")])),
        _values(tf, tf.summary.merge([tf.constant([_run(tf, b), _run(tf, a)])])),
        raises(lambda: _run(tf, tf.summary.merge([a, merged]))),
        raises(lambda: _run(tf, tf.summary.merge([tf.constant("no summary")]))),
        raises(lambda: tf.summary.merge([])),
        raises(lambda: tf.summary.merge([tf.constant(1.0)])),
        raises(lambda: tf.summary.merge(None)),
        raises(lambda: tf.summary.merge({a})),
        tf.summary.merge([a]).name,  # what was refused has used up names as well
    ]


def merging_all(tf, np):
    """merge_all merges what is in the collection when it is called; None where nothing is."""
    nothing = tf.summary.merge_all()
    tf.summary.scalar("a", 1.0)
    with tf.name_scope("s"):
        tf.summary.scalar("b", 2.0)
        tf.summary.scalar("c", 3.0, collections=["own"])
    everything, again = tf.summary.merge_all(), tf.summary.merge_all()
    some = [tf.summary.merge_all("own"), tf.summary.merge_all(scope="s"), tf.summary.merge_all(name="m")]
    missing = [tf.summary.merge_all("nothing"), tf.summary.merge_all(scope="t")]
    values = [_values(tf, summary) for summary in [everything, *some]]
    return [nothing, missing, everything.name, again.name, [summary.name for summary in some], values]


def summaries_of_training(tf, np):
    """A merged summary fetched beside a step shows the loss that the step was made from."""
    w = tf.Variable(3.0, name="w")
    step = tf.train.get_or_create_global_step()
    loss = tf.square(w * 2.0 - 4.0)
    tf.summary.scalar("loss", loss)
    rate = tf.train.exponential_decay(0.1, step, 1, 0.5)
    tf.summary.scalar("rate", rate)
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, global_step=step)
    merged = tf.summary.merge_all()
    found = []
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for _ in range(3):
            found.append(_parsed(tf, session.run(merged)))
            session.run(train)
    return found


def messages(tf, np):
    """The messages can be made, filled and read by hand."""
    summary = tf.Summary(value=[tf.Summary.Value(tag="a", simple_value=2.5)])
    summary.value.add(tag="b", simple_value=1.0)
    again = tf.Summary()
    again.ParseFromString(summary.SerializeToString())
    event = tf.Event(wall_time=2.0, step=3, summary=summary)
    empty = tf.Event()
    log = tf.SessionLog(status=tf.SessionLog.CHECKPOINT, checkpoint_path="x")
    return [
        _parsed(tf, summary.SerializeToString()),
        [again == summary, [value.tag for value in again.value], again.value[0].HasField("simple_value")],
        [event.WhichOneof("what"), event.step, event.wall_time, empty.WhichOneof("what"), empty.step],
        [log.status, log.checkpoint_path, tf.SessionLog.START, tf.SessionLog.STOP],
        [tf.summary.Summary is tf.Summary, tf.summary.Event is tf.Event, tf.summary.SessionLog is tf.SessionLog],
        [tf.HistogramProto(num=3).num, tf.SummaryMetadata(display_name="x").display_name],
    ]


def images(tf, np):
    """Floats are stretched, above or around zero; a pixel that isn't finite becomes red."""
    x = np.linspace(-1, 1, 12).reshape(1, 2, 2, 3).astype(np.float32)
    wrong = x.copy()
    wrong[0, 0, 0, 1], wrong[0, 1, 1, 2] = np.nan, np.inf
    pictures = [x, abs(x), 3 * x + 2, x * 1e-7, abs(x) * 1e-7, 0 * x, wrong, x * np.nan, x[..., :1], wrong[..., 1:2]]
    pictures += [np.concatenate([y, y[..., :1]], 3) for y in (x, wrong)]
    pictures += [x.astype(np.float64), x.astype(np.float16), (abs(x) * 99).astype(np.uint8)]
    return [_values(tf, tf.summary.image("image", tf.constant(picture))) for picture in pictures]


def how_many_images(tf, np):
    """At most max_outputs; their tags are numbered unless it is one. Names and scopes are those of any summary."""
    batch = np.arange(4.0).astype(np.float32).reshape(4, 1, 1, 1)
    options = [{}, {"max_outputs": 1}, {"max_outputs": 2}, {"max_outputs": 9}, {"family": "f"}, {"collections": ["k"]}]
    made = [tf.summary.image("an image", batch, **option) for option in options]
    with tf.name_scope("scope"):
        made.append(tf.summary.image("none", batch[:0]))
    kept = [len(tf.get_collection(key)) for key in ("summaries", "k")]
    return [[[s.name, s.op.type, str(s.shape), _values(tf, s)] for s in made], kept]


def images_that_are_refused(tf, np):
    """Other shapes, other dtypes, and none at all."""
    x, p = np.zeros((1, 2, 2, 3), np.float32), tf.placeholder(tf.float32)
    made = [tf.summary.image("i", wrong) for wrong in (x[0], x[..., :2], x[:, :0], x[..., None])]
    with tf.Session() as sess:
        found = [raises(lambda s=s: sess.run(s)) for s in made]
        found.append(raises(lambda: sess.run(tf.summary.image("i", p), {p: x[0]})))
    found += [raises(lambda: tf.summary.image("i", tf.constant([[[[1]]]]))), raises(lambda: tf.summary.image(None, x))]
    return [*found, raises(lambda: tf.summary.image("i", x, 0))]
