"""`tf.train.Saver`, and what looks at checkpoints."""

import os
import tempfile
from contextlib import chdir, contextmanager

from tests.conformance.outcomes import Raised, raises
from tests.training import checkpoints as stored


@contextmanager
def _folder():
    """A function that tries expressions in a new folder, which is called D in what they give and raise."""
    with tempfile.TemporaryDirectory() as folder:

        def named(value):
            if isinstance(value, str):
                return value.replace(folder, "D")
            return [named(item) for item in value] if isinstance(value, list) else value

        def attempt(expression):
            try:
                return named(expression())
            except Exception as error:
                return Raised(type(error)(*([None, None] * hasattr(error, "op")), named(str(error))))

        yield folder, attempt


def _text(folder, name="checkpoint"):
    with open(os.path.join(folder, name)) as file:
        return file.read().replace(folder, "D")


def _started(tf):
    """A session in which all variables have values."""
    sess = tf.Session()
    sess.run(tf.global_variables_initializer())
    return sess


def _saved(tf, folder, **values):
    """The checkpoint of a graph with these variables."""
    with tf.Graph().as_default():
        for name, value in values.items():
            tf.Variable(value, name=name)
        return tf.train.Saver().save(_started(tf), os.path.join(folder, "model"))


def save_and_restore(tf, np):
    """Values come back, into a session whose variables had none."""
    with _folder() as (folder, attempt):
        v = tf.Variable([[1.0, 2.0], [3.0, 4.0]], name="v")
        step = tf.train.get_or_create_global_step()
        flag, text = tf.Variable(True, name="flag"), tf.Variable([["a"], ["bc"]], name="text")
        saver, sess = tf.train.Saver(), _started(tf)
        sess.run([v.assign(v * 2), step.assign(7)])
        path = saver.save(sess, os.path.join(folder, "model"))
        sess.run(v.assign(v * 100))
        other = tf.Session()
        found = [attempt(lambda: path), saver.restore(sess, path), saver.restore(other, path)]
        return [found, sess.run([v, step]), other.run([v, step, flag, text]), sorted(os.listdir(folder)), _text(folder)]


def names_with_the_step(tf, np):
    """The global step as a number, a variable, a tensor, a name."""
    with _folder() as (folder, attempt):
        step = tf.Variable(1000, name="step", trainable=False)
        half = step / 2
        saver, sess, path = tf.train.Saver(max_to_keep=0), _started(tf), os.path.join(folder, "my-model")
        steps = [0, 5, np.int64(6), step, step + 1, "step:0", True, -1, half, 7.5, "none"]
        saved = [attempt(lambda s=s: saver.save(sess, path, global_step=s)) for s in steps]
        return [saved, sorted(os.listdir(folder))]


def padded_and_relative(tf, np):
    """Names with a fixed number of digits; paths in 'checkpoint' without the folder."""
    with _folder() as (folder, attempt):
        tf.Variable(1.0)
        saver, sess = tf.train.Saver(pad_step_number=True, save_relative_paths=True), _started(tf)
        saved = [attempt(lambda s=s: saver.save(sess, os.path.join(folder, "m"), s)) for s in (1, 123456789)]
        state = tf.train.get_checkpoint_state(folder)
        return [saved, _text(folder), attempt(lambda: list(state.all_model_checkpoint_paths)), str(state)[:30]]


def how_many_are_kept(tf, np):
    """`max_to_keep`."""
    outcomes = []
    for kept in (1, 2, 5, 0, None):
        with _folder() as (folder, attempt), tf.Graph().as_default():
            tf.Variable(1.0)
            saver, sess = tf.train.Saver(max_to_keep=kept), _started(tf)
            for step in (0, 1, 2, 1, 3):
                saver.save(sess, os.path.join(folder, "m"), step)
            outcomes.append([attempt(lambda s=saver: s.last_checkpoints), sorted(os.listdir(folder)), _text(folder)])
    with _folder() as (folder, attempt):
        tf.Variable(1.0)
        outcomes += [attempt(lambda k=kept: tf.train.Saver(max_to_keep=k).last_checkpoints) for kept in ("3", 2.5)]
    return outcomes


def kept_for_ever(tf, np):
    """`keep_checkpoint_every_n_hours`: of what would be deleted, one for each so many hours stays."""
    with _folder() as (folder, attempt):
        tf.Variable(1.0)
        sess, found = _started(tf), []
        for hours in (1e-9, None, 0, 1):
            saver = tf.train.Saver(max_to_keep=1, keep_checkpoint_every_n_hours=hours)
            for step in range(3):
                saver.save(sess, os.path.join(folder, f"m{hours}"), step)
            found += [sorted(os.listdir(folder)), attempt(lambda s=saver: s.last_checkpoints)]
        return found


def last_checkpoints_given(tf, np):
    """A new saver goes on with the checkpoints of an old one."""
    with _folder() as (folder, attempt):
        tf.Variable(1.0)
        sess, path = _started(tf), os.path.join(folder, "m")
        old = [tf.train.Saver(max_to_keep=9).save(sess, path, step) for step in range(3)]
        saver, found = tf.train.Saver(max_to_keep=3), []
        saver.recover_last_checkpoints([*old, path + "-gone"])
        found.append(attempt(lambda: saver.last_checkpoints))
        saver.save(sess, path, 3)
        found += [attempt(lambda: saver.last_checkpoints), sorted(os.listdir(folder))]
        saver.set_last_checkpoints(old[1:])
        found += [attempt(lambda: saver.last_checkpoints), attempt(lambda: saver.set_last_checkpoints(("m",)))]
        return found


def deleted_later(tf, np):
    """What a save that fails has not deleted, a later one does."""
    with _folder() as (folder, attempt):
        tf.Variable(1.0)
        saver, sess, path = tf.train.Saver(max_to_keep=1), _started(tf), os.path.join(folder, "m")
        saver.save(sess, path, 1)
        os.mkdir(os.path.join(folder, "state"))
        found = []
        try:
            saver.save(sess, path, 2, latest_filename="state")
        except tf.errors.FailedPreconditionError as error:
            found.append(type(error).__name__)
        for step in (3, 4):
            saver.save(sess, path, step)
            found += [sorted(os.listdir(folder)), attempt(lambda: saver.last_checkpoints)]
        return found


def state_files(tf, np):
    """`latest_filename`, `write_state`."""
    with _folder() as (folder, attempt):
        tf.Variable(1.0)
        saver, sess, path = tf.train.Saver(), _started(tf), os.path.join(folder, "m")
        saver.save(sess, path, 1, latest_filename="mine")
        saver.save(sess, path, 2, write_state=False)
        found = [sorted(os.listdir(folder)), _text(folder, "mine"), attempt(lambda: saver.last_checkpoints)]
        for name in (None, "mine"):
            found.append(attempt(lambda n=name: tf.train.latest_checkpoint(folder, n)))
        found.append(attempt(lambda: saver.save(sess, path, 1, latest_filename="a/b")))
        found.append(attempt(lambda: saver.save(sess, os.path.join(folder, "checkpoint"))))
        found.append(attempt(lambda: saver.save(sess, os.path.join(folder, "checkpoint"), 1)))
        shards = tf.train.Saver(sharded=True)
        with chdir(folder):
            os.mkdir("train")
            found.append(attempt(lambda: [shards.save(sess, "train/checkpoint"), tf.train.latest_checkpoint("train")]))
            found.append(attempt(lambda: saver.save(sess, "m", latest_filename="")))
            found.append(attempt(lambda: saver.save(sess, "m", 5, latest_filename="", write_state=False)))
        return [*found, attempt(lambda: tf.train.latest_checkpoint(folder, ""))]


def odd_folders(tf, np):
    """A folder that is a file, folders that have to be made, and the folder itself in the place of a checkpoint."""
    with _folder() as (folder, attempt), chdir(folder):
        tf.Variable(1.0)
        saver, sess = tf.train.Saver(), _started(tf)
        open("file", "w").close()
        paths = ["file/m", "./new/./m", "new/../m", "other/.", "other/"]
        found = [attempt(lambda p=path: [saver.save(sess, p), saver.restore(sess, p)]) for path in paths]
        return [*found, sorted(os.listdir(".")), attempt(lambda: tf.train.NewCheckpointReader("."))]


def other_names(tf, np):
    """A dict of names: what is saved under one name is restored into another variable."""
    with _folder() as (folder, attempt):
        v, w = tf.Variable([1.0, 2.0], name="v"), tf.Variable([3.0, 4.0], name="w")
        sess, path = _started(tf), os.path.join(folder, "m")
        tf.train.Saver({"a": v, "scope/b": w}).save(sess, path)
        listed = tf.train.list_variables(path)
        tf.train.Saver({"a": w}).restore(sess, path)
        tf.train.Saver([v]).save(sess, path + "2")
        return [[list(item) for item in listed], sess.run([v, w]), tf.train.list_variables(path + "2")[0][0]]


def averages_in_the_place_of_variables(tf, np):
    """`ExponentialMovingAverage.variables_to_restore`."""
    with _folder() as (folder, attempt):
        v, step = tf.Variable(10.0, name="v"), tf.train.get_or_create_global_step()
        ema = tf.train.ExponentialMovingAverage(0.5)
        with tf.control_dependencies([v.assign_add(10.0)]):
            update = ema.apply([v])
        sess, path = _started(tf), os.path.join(folder, "m")
        sess.run(update)
        tf.train.Saver().save(sess, path)
        tf.train.Saver(ema.variables_to_restore()).restore(sess, path)
        found = [sess.run([v, step]), [list(item) for item in tf.train.list_variables(path)]]
        with tf.Graph().as_default(), tf.Session() as other:  # a graph that only evaluates keeps no averages
            v, step = tf.Variable(0.0, name="v"), tf.train.get_or_create_global_step()
            names = tf.train.ExponentialMovingAverage(0.5).variables_to_restore()
            tf.train.Saver(names).restore(other, path)
            return [*found, sorted(names), other.run([v, step])]


def what_can_be_saved(tf, np):
    """`var_list`, and what is refused in it."""
    v, w, c = tf.Variable([1.0], name="v"), tf.Variable(1.0, name="w"), tf.constant(1.0)
    lists = [[v, w], (v, w), {v, w}, [[v], (w,)], {"a": v}, [v._ref()], [], {}, [v, v], {"a": v, "b": v}]
    lists += [[c], {"c": c}, [v.value()], v, "v", {1: v}, [v + 1.0]]
    lists += [[1], [None], ["v"], {"a": 3}, {"a": None}, {"a": [v]}, {"a": v.op}, iter([v])]

    def attempt(var_list):
        try:
            return type(tf.train.Saver(var_list)).__name__
        except Exception as error:
            return Raised(error)

    return [attempt(var_list) for var_list in lists]


def nothing_to_save(tf, np):
    """A graph without variables."""
    with _folder() as (folder, attempt):
        empty = tf.train.Saver(allow_empty=True)
        tf.no_op()
        saved = empty.save(tf.Session(), os.path.join(folder, "m"))
        return [attempt(lambda: tf.train.Saver()), saved, empty.restore(tf.Session(), None), sorted(os.listdir(folder))]


def built_late(tf, np):
    """`defer_build`."""
    with _folder() as (folder, attempt):
        v = tf.Variable(1.0, name="v")
        saver, path = tf.train.Saver(defer_build=True), os.path.join(folder, "m")
        late = tf.Variable(2.0, name="late")
        sess = _started(tf)
        found = [attempt(lambda: saver.save(sess, path)), attempt(lambda: tf.train.Saver([v], defer_build=True))]
        saver.build()
        found += [attempt(lambda: saver.save(sess, path)), [list(item) for item in tf.train.list_variables(path)]]
        return [*found, sess.run(late)]


def variables_made_later(tf, np):
    """A saver saves what was there when it was made."""
    with _folder() as (folder, attempt):
        tf.Variable(1.0, name="v")
        saver = tf.train.Saver()
        tf.Variable(1.0, name="late")
        path = saver.save(_started(tf), os.path.join(folder, "m"))
        return [[list(item) for item in tf.train.list_variables(path)], attempt(tf.train.Saver().build)]


def what_does_not_fit(tf, np):
    """A missing name, another shape, another dtype."""
    with _folder() as (folder, attempt):
        path = _saved(tf, folder, v=[1.0, 2.0], n=3)
        values = [{"v": [1.0, 2.0], "lacking": 1.0, "other": 1.0}, {"v": [1.0]}, {"v": [1, 2]}, {"v": [[1.0, 2.0]]}]
        found = []
        for variables in values:
            with tf.Graph().as_default():
                for name, value in variables.items():
                    tf.Variable(value, name=name)
                found.append(attempt(lambda: tf.train.Saver().restore(_started(tf), path)))
        return found


def another_shape(tf, np):
    """`reshape`, and variables whose shape is open."""
    with _folder() as (folder, attempt):
        path = _saved(tf, folder, v=[1.0, 2.0, 3.0, 4.0])
        v = tf.Variable([[0.0, 0.0], [0.0, 0.0]], name="v")
        loose = tf.Variable([0.0], name="loose", validate_shape=False)
        bad = tf.Variable([0.0], name="bad")
        sess = _started(tf)
        tf.train.Saver({"v": v}, reshape=True).restore(sess, path)
        tf.train.Saver({"v": loose}).restore(sess, path)
        refused = attempt(lambda: tf.train.Saver({"v": bad}, reshape=True).restore(sess, path))
        return [sess.run([v, loose]), refused]


def no_such_checkpoint(tf, np):
    """What is no checkpoint."""
    with _folder() as (folder, attempt):
        path = _saved(tf, folder, v=1.0)
        v = tf.Variable(1.0, name="v")
        saver, sess = tf.train.Saver([v]), _started(tf)
        with open(os.path.join(folder, "foreign"), "wb") as file:
            file.write(b"no table" * 30)
        with open(path + ".index", "rb") as file:
            index = file.read()
        with open(os.path.join(folder, "cut.index"), "wb") as file:
            file.write(index[:-60])
        wrong = [None, 3, path + ".data-00000-of-00001", *(os.path.join(folder, n) for n in ("none", "foreign", "cut"))]
        found = [attempt(lambda p=p: saver.restore(sess, p)) for p in wrong]
        found.append(attempt(lambda: tf.train.NewCheckpointReader(os.path.join(folder, "none"))))
        os.remove(path + ".data-00000-of-00001")
        return [*found, attempt(lambda: saver.restore(sess, path).__class__)]


def damaged_values(tf, np):
    """A flipped bit is found."""
    with _folder() as (folder, attempt):
        path = _saved(tf, folder, v=[1.0, 2.0])
        v = tf.Variable([5.0, 5.0], name="v")
        with open(path + ".data-00000-of-00001", "r+b") as file:
            file.write(b"\x01")
        sess = _started(tf)
        try:
            tf.train.Saver([v]).restore(sess, path)
        except tf.errors.DataLossError as error:
            return [type(error).__name__, "Checksum does not match" in str(error), sess.run(v)]


def sessions_that_cannot(tf, np):
    """No value yet, no session, a closed one, a folder that is not there."""
    with _folder() as (folder, attempt):
        path = _saved(tf, folder, v=1.0)
        v = tf.Variable(1.0, name="v")
        saver, closed, sess = tf.train.Saver(), tf.Session(), _started(tf)
        closed.close()
        nowhere = os.path.join(folder, "a", "b", "m")
        below = os.path.join(folder, "c", "m")
        with tf.Graph().as_default():
            tf.Variable(1.0, name="v")
            foreign = tf.Session()
        return [
            attempt(lambda: saver.save(tf.Session(), path)),
            attempt(lambda: saver.save(None, path)),
            attempt(lambda: saver.save(closed, path)),
            attempt(lambda: saver.restore(closed, path)),
            attempt(lambda: saver.save(sess, nowhere)),
            attempt(lambda: saver.save(sess, below)),
            attempt(lambda: saver.save(sess, None)),
            attempt(lambda: saver.save(sess, path.encode())),
            sess.run(v),
            attempt(lambda: saver.restore(foreign, path)).type,
        ]


def in_monitored_sessions(tf, np):
    """A monitored session can restore, and what it wraps can also save."""
    with _folder() as (folder, attempt):
        v, path = tf.Variable(1.0, name="v"), _saved(tf, folder, v=7.0)
        saver, found = tf.train.Saver(), []
        for kind in (tf.train.MonitoredSession, tf.train.SingularMonitoredSession):
            with kind() as sess:
                saver.restore(sess, path)
                found += [sess.run(v), attempt(lambda s=sess: saver.save(s, path)).type]
                found.append(attempt(lambda s=sess: saver.save(s._tf_sess(), path)))
        return found


def finished_graph(tf, np):
    """A saver made before the graph is finished works; after that none is made."""
    with _folder() as (folder, attempt):
        tf.Variable(1.0)
        saver, sess = tf.train.Saver(), _started(tf)
        tf.get_default_graph().finalize()
        path = attempt(lambda: saver.save(sess, os.path.join(folder, "m"), 3))
        return [path, saver.restore(sess, os.path.join(folder, "m-3")), attempt(tf.train.Saver)]


def states(tf, np):
    """`get_checkpoint_state` and `update_checkpoint_state`."""
    with _folder() as (folder, attempt):
        train, found = tf.train, []
        a, b = os.path.join(folder, "a"), os.path.join(folder, "b")
        for arguments in ([a], [b, [a]], [b, [a, b]], [b, [a, b], None, [1.5, 2.5], 3.5], [b, [b], None, [1.5, 2.5]]):
            found.append(attempt(lambda args=arguments: train.update_checkpoint_state(folder, *args)))
            found.append(_text(folder))
            state = train.get_checkpoint_state(folder)
            found.append(attempt(lambda s=state: [s.model_checkpoint_path, list(s.all_model_checkpoint_paths)]))
        found.append(list(state.all_model_checkpoint_timestamps))
        found.append(attempt(lambda: train.update_checkpoint_state(folder, os.path.join(folder, "checkpoint"))))
        found += [train.get_checkpoint_state(a), train.get_checkpoint_state(folder, "other")]
        with open(os.path.join(folder, "checkpoint"), "w") as file:
            file.write("# by hand\nmodel_checkpoint_path : 'a';  # the best\nall_model_checkpoint_paths: 'a'\n")
        found.append(attempt(lambda: str(train.get_checkpoint_state(folder))))
        return [*found, attempt(lambda: str(train.generate_checkpoint_state_proto(folder, a, [a], [1.0], 2.5)))]


def latest(tf, np):
    """`latest_checkpoint`."""
    with _folder() as (folder, attempt):
        latest = tf.train.latest_checkpoint
        found = [latest(folder), latest(os.path.join(folder, "none"))]
        tf.Variable(1.0)
        saver, sess = tf.train.Saver(), _started(tf)
        paths = [saver.save(sess, os.path.join(folder, "m"), step) for step in (10, 9)]
        found.append(attempt(lambda: latest(folder)))
        found.append([tf.train.checkpoint_exists(path) for path in [*paths, folder + "/x", folder + "/m-*"]])
        tf.train.remove_checkpoint(paths[1])
        found += [latest(folder), sorted(os.listdir(folder)), tf.train.checkpoint_exists(paths[1])]
        for text in ("", "garbage", 'all_model_checkpoint_paths: "x"\n', 'model_checkpoint_path: "m-10"\n'):
            with open(os.path.join(folder, "checkpoint"), "w") as file:
                file.write(text)
            found.append(attempt(lambda: latest(folder)))
        return found


def looking_inside(tf, np):
    """`list_variables`, `load_variable`, `NewCheckpointReader`."""
    with _folder() as (folder, attempt):
        path = _saved(tf, folder, v=[[1.0, 2.0]], n=np.int64(3), t=["a", "b"], half=np.float16(0.5), yes=True)
        reader = tf.train.NewCheckpointReader(path)
        kinds = {name: kind.name for name, kind in reader.get_variable_to_dtype_map().items()}
        return [
            [list(item) for item in tf.train.list_variables(folder)],
            [tf.train.load_variable(path, name) for name in ("v", "v:0", "n", "t", "half", "yes")],
            attempt(lambda: tf.train.load_variable(path, "w")),
            attempt(lambda: tf.train.load_checkpoint(folder).get_tensor("w")),
            dict(sorted(reader.get_variable_to_shape_map().items())),
            dict(sorted(kinds.items())),
            [reader.has_tensor("v"), reader.has_tensor("v:0"), reader.get_tensor("v")],
            reader.debug_string().decode(),
            attempt(lambda: tf.train.load_checkpoint(os.path.join(folder, "none"))),
            os.mkdir(os.path.join(folder, "empty")),
            attempt(lambda: tf.train.load_checkpoint(os.path.join(folder, "empty"))),
        ]


def half_of_a_float32(tf, np):
    """A checkpoint with bfloat16 variables, which TensorFlow wrote: the values, and who refuses them."""
    path = os.path.join(os.path.dirname(os.path.abspath(stored.__file__)), "bfloat16")
    reader = tf.train.NewCheckpointReader(path)
    names = sorted(reader.get_variable_to_shape_map())
    found = [names, b"one (DT_BFLOAT16) []\n" in reader.debug_string(), str(reader.get_variable_to_dtype_map()["one"])]
    found += [np.asarray(reader.get_tensor(name)).astype(np.float32) for name in names]
    one = tf.get_variable("one", [], tf.float32)
    with tf.Session() as sess:
        found.append(raises(lambda: tf.train.Saver([one]).restore(sess, path)))
        sess.run(tf.assign(one, 2.0))
        return [*found, sess.run(one)]


def training_goes_on(tf, np):
    """Restored slots and steps: the second half of a training run is the same."""

    def train(folder, stop):
        with tf.Graph().as_default():
            step = tf.train.get_or_create_global_step()
            w = tf.get_variable("w", initializer=[1.0, -2.0])
            rate = tf.train.exponential_decay(0.5, step, 2, 0.5)
            optimizer = tf.train.AdamOptimizer(rate)
            train_op = optimizer.minimize(tf.reduce_sum(tf.square(w)), global_step=step)
            saver, sess = tf.train.Saver(), _started(tf)
            if tf.train.latest_checkpoint(folder):
                saver.restore(sess, tf.train.latest_checkpoint(folder))
            while sess.run(step) < stop:
                sess.run(train_op)
            path = saver.save(sess, os.path.join(folder, "model.ckpt"), global_step=step)
            return [sess.run([w, step]), os.path.basename(path), [list(i) for i in tf.train.list_variables(path)]]

    with _folder() as (folder, _), _folder() as (other, _):
        return [train(folder, 2), train(folder, 5), train(other, 5)[0]]
