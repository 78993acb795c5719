"""tf.Print passes a tensor and its gradient on, and shows what it is told to each time."""

import minitf as tf
from tests.support import initialized_session


def test_what_is_printed(capsys):
    w = tf.Variable(3.0)
    square = tf.Print(w * w, [w, tf.range(5), tf.constant("word")], "at: ", summarize=4)
    train = tf.train.GradientDescentOptimizer(0.5).minimize(square)
    session = initialized_session()
    assert session.run([square, tf.gradients(square, w)[0]]) == [9.0, 6.0]
    assert capsys.readouterr().err == "at: [3.0][0 1 2 3...][b'word']\n"
    for _ in range(2):
        session.run(train)
    assert session.run(w) == 0.0
    assert (square.op.name, square.op.type) == ("Print", "Print")
