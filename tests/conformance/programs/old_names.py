"""Functions that had other names or arguments before TensorFlow 1.0, and still have them here."""


def _tags(tf, serialized):
    return [value.tag for value in tf.Summary.FromString(serialized).value]


def summaries_by_their_tags(tf, np):
    """Tags are used as they are; names are those of ops, or given."""
    with tf.name_scope("scope"):
        made = [tf.scalar_summary("my loss", 1.5), tf.histogram_summary("all of it", [1.0, 2.0])]
        made += [tf.image_summary("pictures", np.zeros((2, 1, 1, 1), np.float32), 1)]
        made += [tf.scalar_summary("named", 2.0, name="given"), tf.scalar_summary("kept", 2.0, ["mine"])]
        made += [tf.scalar_summary("alone", 2.0, [])]
    names = [summary.name for summary in made]
    made += [tf.merge_summary(made[:2]), tf.merge_all_summaries(), tf.merge_all_summaries("mine")]
    kept = [summary.name for summary in tf.get_collection("summaries")]
    with tf.Session() as sess:
        return [names, kept, tf.merge_all_summaries("none"), [_tags(tf, found) for found in sess.run(made)]]


def arithmetic(tf, np):
    """mul, sub, neg and select."""
    x, y = tf.constant([1.0, 2.0], name="x"), tf.constant([3.0, 5.0])
    made = [tf.mul(x, y), tf.sub(x, y, name="less"), tf.neg(x), tf.select([True, False], x, y)]
    with tf.Session() as sess:
        return [[z.name for z in made], sess.run(made)]
