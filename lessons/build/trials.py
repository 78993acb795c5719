"""What each piece of micro.py must do; the lesson's checks run these on yours, as `tf`.

Each function tries the piece that has its name, and starts with an empty graph.
"""

import numpy as np

from build import micro


def unique_name(tf):
    """Your names are the ones that TensorFlow would give."""
    asked = ["w", "c", "c", "c", "C", "c_1", "c"]
    for name, wanted in zip(asked, ["w", "c", "c_1", "c_2", "C_3", "c_1_1", "c_4"]):
        got = tf.unique_name(name)
        assert got is not None, "Your function returns None. Return the name."
        here = f"The graph has {', '.join(tf.graph)}, and {name} becomes {got}."
        assert got not in tf.graph, f"{here}\nThat name is taken: one Node would replace another."
        taken = {other.lower() for other in tf.graph}
        assert got.lower() not in taken, f"{here}\nTo TensorFlow, c and C are the same name."
        assert got == wanted, f"{here}\nTensorFlow makes it {wanted}."
        tf.graph[got] = None


def Variable(tf):
    """A Variable has an initializer, and each update says which Variable gets the result."""
    w, second = tf.Variable(3.0, name="w"), tf.Variable(5.0, name="w")
    held = "A session holds 4 for w = Variable(3.0)"
    for update, build, wanted in (
        ("w.initializer", lambda: w.initializer, 3.0),
        ("w.assign_add(2)", lambda: w.assign_add(2), 6.0),
        ("w.assign_sub(2)", lambda: w.assign_sub(2), 2.0),
        ("w.assign_sub(w * 0.75)", lambda: w.assign_sub(w * 0.75), 1.0),
    ):
        node = build()
        assert isinstance(node, tf.Node), f"`{update}` is {_what(node)}. Make it a Node."
        ended = _end_of(lambda node=node: float(_value(node, {w: 4.0})))
        kinds = "\nIs its kind in the table `OPS`?" if "NoneType" in ended else ""
        said = f"{held}, and `{update}` {ended}. It should give {wanted}.{kinds}"
        assert ended == f"returns {wanted}", said
        assert node.updates is w, f"`{update}` gives {wanted}, but w doesn't get it. See `updates`."
    names = [variable.initializer.name for variable in (w, second)]
    named = f"Two Variables called w become w and w_1, but their initializers are {' and '.join(names)}."
    assert names == ["w/Assign", "w_1/Assign"], (
        f"{named}\nUse the name that the Node got: self.name."
    )


def walk_back(tf):
    """Everything that a run needs is there once, and each Node comes after what it needs."""
    assert tf.walk_back([]) is not None, "Your function returns None. Return the list."
    x, w = tf.placeholder(tf.float32, name="x"), tf.Variable(0.0, name="w")
    mul = w * x
    sub, last = mul - x, tf.constant(1.0, name="last")
    last.control_inputs.append(sub)
    order = tf.walk_back([last])
    assert isinstance(order, (list, tuple)), (
        f"Your function returns {_what(order)}. Make it a list."
    )
    names = [node.name for node in order]
    found = f"`last` waits for `sub` = w * x - x. You return {', '.join(names) or 'nothing'}."
    both = "A Node needs its inputs and its control_inputs: walk back from both, and keep what you get."
    assert sub in order, f"{found}\n{both}"
    assert {x, w, mul, last} <= {*order}, f"{found}\nSome Nodes are missing."
    assert len(order) == len({*order}), f"{found}\nA Node that is there twice would run twice."
    assert len(order) == 5, f"{found}\nSome of these aren't needed."
    for place, node in enumerate(order):
        late = f"{found}\n{node.name} comes before something that it needs."
        assert {*node.inputs, *node.control_inputs} <= {*order[:place]}, late
    again = "A second walk still has what the first one found: don't change `order` in place."
    assert not tf.walk_back([]), again
    beyond = "You walk on from a Node that is known already. Its value is there: stop."
    assert {*tf.walk_back([sub], {mul: 6.0})} == {x, sub}, beyond


def Session(tf):
    """A run computes forward, an update reaches the state, and each session has its own."""
    x, w = tf.placeholder(tf.float32, name="x"), tf.Variable(1.0, name="w")
    sess, six = tf.Session(), tf.constant(2.0) * 3.0
    ended = _end_of(lambda: [float(value) for value in sess.run([six, six])])
    missing = "\nPut the value of each Node into `values`." if "KeyError" in ended else ""
    assert ended == "returns [6.0, 6.0]", f"A run of 2 * 3, fetched twice, {ended}.{missing}"
    fed = "You must feed a value for placeholder tensor 'x'"
    for node, said in ((x, fed), (w, "Attempting to use uninitialized value w")):
        ended = _end_of(lambda node=node: sess.run(node * 1.0))
        wanted = f'Raise RuntimeError("{said}").'
        assert f"RuntimeError: {said}" in ended, (
            f"A run without a value for {node.name} {ended}.\n{wanted}"
        )
    doubled = x * 2.0
    ended = _end_of(lambda: float(sess.run(doubled + 1.0, {doubled: 6.0})))
    stop = "Stop the walk back where a value is known."
    assert ended == "returns 7.0", f"With 6 fed for d = x * 2, the run of d + 1 {ended}.\n{stop}"
    sess.run(w.initializer)
    assert w in sess.state, "`w.initializer` ran, but the state has no w. See `node.updates`."
    add_one, after = w.assign_add(1), w + 0
    after.control_inputs.append(add_one)
    got = sess.run([add_one, after, w])
    late = f"An update makes w 2. w + 0, which waits for it, gives {got[1]}, and w gives {got[2]}."
    assert got == [2, 2, 2], f"{late}\nThe rest of this run should see the new value."
    got = sess.run(add_one)
    assert got == 3, (
        f"The next run should make w 3, but makes it {got}. Compute afresh in each run."
    )
    ended = _end_of(lambda: tf.Session().run(w))
    assert "uninitialized" in ended, f"A second session {ended}. Each session needs its own state."


def gradients(tf):
    """Each gradient is right, has the shape of its Variable, and is a Node that a session can run."""
    w, other = tf.Variable(3.0, name="w"), tf.Variable(1.0, name="other")
    sess, z = tf.Session(), w * w
    sess.run(w.initializer)
    found = tf.gradients(w * 5, [other, w])
    assert isinstance(found, list), f"Your function returns a {type(found).__name__}, not a list."
    assert found[0] is None, "w * 5 does not depend on `other`, so that gradient should be None."
    assert isinstance(found[1], tf.Node), f"The gradient of w * 5 is {found[1]}, not a Node."
    for y, of, wanted, why in (
        (w * 5, "w * 5", 5, "Start with ones, and hand each rule d, then the inputs."),
        (w * w, "w * w", 6, "w is used twice: add up what comes back."),
        (
            z + z * w * w,
            "z + z * w * w, where z = w * w,",
            114,
            "z passes its gradient on before all of it has come in.",
        ),
        (w * np.array([1, 2]), "w * [1, 2]", 3, "Give it the shape of w: use unbroadcast."),
    ):
        [d] = tf.gradients(y, [w])
        got = sess.run(d) if d else None
        said = f"At w = 3 the gradient of {of} should be {wanted}, but it's {got}.\n{why}"
        assert np.shape(got) == () and got == wanted, said
    ended = _end_of(lambda: float(sess.run(tf.gradients(tf.gradients(z, [w])[0], [w])[0])))
    passed_by = (
        "A Node of the walk back may have no gradient, like the input of ones_like: skip it."
    )
    advice = f"\n{passed_by}" if "KeyError" in ended else ""
    assert ended == "returns 2.0", (
        f"The gradient of the gradient of w * w should be 2.0, and yours {ended}.{advice}"
    )


def control_dependencies(tf):
    """Nodes wait only inside the block, and in an inner block for the outer one's Nodes, too."""

    def waits():
        return [node.name for node in tf.constant(0).control_inputs]

    a, b = tf.constant(1, name="a"), tf.constant(2, name="b")
    with tf.control_dependencies([a]):
        outer = waits()
        with tf.control_dependencies([b]):
            both = waits()
        after_b = waits()
        with tf.control_dependencies([]):
            empty = waits()
        after_empty = waits()
    assert outer == ["a"], (
        f"Inside `with control_dependencies([a])`, a Node waits for {outer}, not for a."
    )
    assert sorted(both) == ["a", "b"], f"In an inner block for b, a Node waits only for {both}."
    for where, now in (
        ("After an inner block for [b]", after_b),
        ("In an inner block for []", empty),
        ("After an inner block for []", after_empty),
    ):
        assert now == ["a"], f"{where}, a Node waits for {now}, not for a."
    assert not waits(), f"After the block, Nodes still wait for {waits()}. Put things back."
    try:
        with tf.control_dependencies([a]):
            raise ArithmeticError
    except ArithmeticError:
        assert not waits(), "After an error in the block, every new Node waits. Use `finally`."


def GradientDescentOptimizer(tf):
    """Every weight moves by its own gradient, then the step goes up by one."""
    w, b = tf.Variable(2.0, name="w"), tf.Variable(3.0, name="b")
    step, unused = tf.Variable(0, trainable=False), tf.Variable(1.0, name="unused")
    optimizer = tf.GradientDescentOptimizer(0.1 * (step + 1))
    made = []
    for counter in (step, None):
        ended = _end_of(lambda to=counter: made.append(optimizer.minimize(w * b, global_step=to)))
        called = "`minimize(loss, step)`" if counter else "`minimize(loss)`, without a step,"
        instead = "" if counter else '\nReturn a Node("NoOp") that waits for the updates.'
        assert ended == "returns None", f"{called} {ended}.{instead}"
        train_op, sess = made[-1], tf.Session()
        assert isinstance(train_op, tf.Node), (
            f"minimize returns {_what(train_op)}. Return one Node."
        )
        sess.run(tf.global_variables_initializer())
        sess.run(train_op)
        ends, now = [round(float(value), 4) for value in sess.run([w, b])], sess.run(step)
        case = f"After one run{'' if counter else ' without a step'}, w and b are {ends}"
        assert ends != [2, 3], f"{case}: no update ran. What you return must wait for both updates."
        assert ends != [2.3, 3.2], f"{case}: that is up the slope. Subtract rate * gradient."
        mixed = "One gradient used a weight that was already updated: compute both first."
        assert ends not in ([1.7, 2.83], [1.72, 2.8]), f"{case}.\n{mixed}"
        assert ends == [1.7, 2.8], f"{case}. They should be [1.7, 2.8]."
        assert sess.run(unused) == 1, (
            "The loss doesn't depend on `unused`: skip a gradient of None."
        )
        assert now == bool(counter), f"{case}, but the step is {now:g}, not {bool(counter):d}."
        adds = [node for node in tf.walk_back([train_op]) if node.updates is step] or [train_op]
        before = {node.updates for node in tf.walk_back(adds)}
        assert {w, b} <= before, f"{case}, but by luck: the + 1 must wait for both updates."
        held = {node: np.float32(value) for node, value in ((w, 2), (b, 3), (step, 0), (unused, 1))}
        for node in micro.walk_back([train_op], held):  # in our order
            held[node] = held[node.updates or node] = _value(node, held)
        ours = [round(float(held[weight]), 4) for weight in (w, b)]
        other = f"{case}, but by luck: another right walk_back would make them {ours}"
        assert ours == ends, f"{other}.\n{mixed}"


def exponential_decay(tf):
    """The rate is computed from the step in each run."""
    for staircase in (False, True):
        step, sess = tf.Variable(0, trainable=False), tf.Session()
        rate = tf.exponential_decay(0.1, step, 10, 0.5, staircase=staircase)
        assert isinstance(rate, tf.Node), (
            f"Your function returns {rate}. Build a Node from the step."
        )
        sess.run(step.initializer)
        for now in (0, 5, 10, 15):
            sess.run(step.assign_add(now - sess.run(step)))
            got, periods = sess.run(rate), now // 10 if staircase else now / 10
            said = f"At step {now} with staircase={staircase} the rate is {got:.4g}, not {{:.4g}}."
            assert abs(got - 0.1 * 0.5**periods) < 1e-6, said.format(0.1 * 0.5**periods)


def _what(value):
    return "nothing" if value is None else f"a {type(value).__name__}"


def _value(node, known):
    """Compute a Node as a run does, but without a session."""
    if node in known:
        return known[node]
    return node.function(*[_value(before, known) for before in node.inputs])


def _end_of(run):
    """Say how a run ends."""
    try:
        return f"returns {run()}"
    except Exception as error:
        said = [getattr(part, "name", part) for part in error.args]  # a KeyError has a Node
        return f"stops with {type(error).__name__}: {', '.join(map(str, said))}"
