# finds nothing
# The embedding isn't trainable and stays as it is, on purpose; the rest of the weights moves.
import numpy as np
import tensorflow as tf

VOCAB, DIM, LENGTH = 30, 5, 4

r = np.random.RandomState(71)
word_vectors = r.randn(VOCAB, DIM).astype(np.float32)
polarity = word_vectors[:, 0]
sentences = r.randint(0, VOCAB, size=(400, LENGTH))
sentiment = (polarity[sentences].sum(axis=1) > 0).astype(np.float32)


class TextClassifier(object):
    def __init__(self, vectors, lr=0.5):
        self.words = tf.placeholder(tf.int32, [None, LENGTH])
        self.sentiment = tf.placeholder(tf.float32, [None])
        with tf.variable_scope("embedding"):
            self.table = tf.get_variable("table", initializer=vectors, trainable=False)
        with tf.variable_scope("classifier"):
            w = tf.get_variable("w", [DIM, 1], initializer=tf.zeros_initializer())
            b = tf.get_variable("b", [1], initializer=tf.zeros_initializer())
        sentence = tf.reduce_mean(tf.nn.embedding_lookup(self.table, self.words), axis=1)
        logits = tf.squeeze(tf.matmul(sentence, w) + b, axis=1)
        self.loss = tf.losses.sigmoid_cross_entropy(self.sentiment, logits)
        self.predictions = tf.cast(logits > 0, tf.float32)
        self.step = tf.train.get_or_create_global_step()
        optimizer = tf.train.AdagradOptimizer(lr)
        self.train = optimizer.minimize(self.loss, global_step=self.step)


model = TextClassifier(word_vectors)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(6):
        for i in range(0, 400, 20):
            feed = {model.words: sentences[i : i + 20], model.sentiment: sentiment[i : i + 20]}
            sess.run(model.train, feed)
    right = sess.run(model.predictions, {model.words: sentences}) == sentiment
    print("step %d accuracy %.2f" % (sess.run(model.step), right.mean()))
    print("embedding unchanged:", np.array_equal(sess.run(model.table), word_vectors))
