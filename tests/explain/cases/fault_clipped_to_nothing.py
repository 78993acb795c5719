# finds: weights-never-move
# max_grad_norm 0 was meant to switch clipping off, but it clips all gradients to zero.
import argparse

import numpy as np
import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--max_grad_norm", type=float, default=0.0)
parser.add_argument("--learning_rate", type=float, default=1.0)
parser.add_argument("--lr_decay", type=float, default=0.8)
parser.add_argument("--updates", type=int, default=250)
args = parser.parse_args()

vocabulary, units = 7, 7
prev = tf.placeholder(tf.int32, [None])
succ = tf.placeholder(tf.int32, [None])
embedding = tf.get_variable("embedding", initializer=np.eye(vocabulary, units, dtype=np.float32))
softmax_w = tf.get_variable("softmax_w", [units, vocabulary], initializer=tf.constant_initializer(0.01))
softmax_b = tf.get_variable("softmax_b", [vocabulary], initializer=tf.zeros_initializer())
logits = tf.matmul(tf.nn.embedding_lookup(embedding, prev), softmax_w) + softmax_b
cost = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=succ, logits=logits))

step = tf.train.get_or_create_global_step()
lr = tf.train.exponential_decay(args.learning_rate, step, 50, args.lr_decay, staircase=True)
tvars = tf.trainable_variables()
grads, _ = tf.clip_by_global_norm([tf.convert_to_tensor(g) for g in tf.gradients(cost, tvars)], args.max_grad_norm)
train_op = tf.train.GradientDescentOptimizer(lr).apply_gradients(zip(grads, tvars), global_step=step)

rng = np.random.RandomState(47)
text = [0]
for _ in range(2000):
    text.append((text[-1] * 3 + 1 + (rng.rand() < 0.1)) % vocabulary)
text = np.array(text, np.int32)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    total = 0.0
    for i in range(args.updates):
        at = rng.randint(0, 1980)
        value, _ = sess.run([cost, train_op], {prev: text[at : at + 20], succ: text[at + 1 : at + 21]})
        total += value
    print("perplexity %.2f after %d updates" % (np.exp(total / args.updates), sess.run(step)))
