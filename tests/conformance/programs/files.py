"""`tf.gfile`: files, folders, and the errors of both."""

import os
import tempfile
from contextlib import contextmanager

from tests.conformance.outcomes import Raised


@contextmanager
def _folder():
    """A function that tries expressions in a new folder, which is called D in what they raise."""
    with tempfile.TemporaryDirectory() as folder:

        def attempt(expression):
            try:
                return expression()
            except Exception as error:
                return [Raised(error).type, str(error).replace(folder, "D")]

        yield folder, attempt


def text(tf, np):
    """Lines are written, read, and found again."""
    gfile = tf.gfile
    with _folder() as (folder, attempt):
        name = os.path.join(folder, "a.txt")
        with gfile.GFile(name, "w") as file:
            written = [file.write("one\ntwo\n"), file.tell(), attempt(file.read), file.flush()]
        with gfile.Open(name) as file:
            read = [file.size(), file.readline(), file.tell(), file.readline(), file.readline(), file.readlines()]
            read += [file.seek(1), file.read(2), file.read(), file.seek(-4, 2), next(file), file.mode]
        with gfile.FastGFile(name, "a") as file:
            file.write("drei\xe4")
        return [written, read, list(gfile.GFile(name)), gfile.GFile(name, "rb").read(), gfile.Stat(name).length]


def bytes_and_both_ways(tf, np):
    """Bytes stay bytes; a file may be open for both."""
    gfile = tf.gfile
    with _folder() as (folder, attempt):
        name = os.path.join(folder, "a")
        with gfile.GFile(name, "wb") as file:
            file.write(b"\xff\n1")
        both = gfile.GFile(name + "b", "w+")
        both.write("12345")
        both.flush()
        found = [both.read(), both.close(), both.close()]
        return [gfile.GFile(name, "rb").readlines(), attempt(gfile.GFile(name).read), found]


def places(tf, np):
    """A place lies behind the start; a line ends with a newline alone; what is opened for both is emptied first."""
    gfile = tf.gfile
    with _folder() as (folder, attempt):
        name, archive = os.path.join(folder, "a.txt"), os.path.join(folder, "a.npz")
        with gfile.GFile(name, "r+") as file:
            file.write("1\r\n2")
        file = gfile.GFile(name)
        lines = [file.read(), file.seek(0), file.readlines(), gfile.GFile(name, "rb").readline()]
        wrong = [attempt(lambda: file.seek(-1)), attempt(lambda: file.seek(0, 3)), attempt(lambda: file.read(-2))]
        with gfile.GFile(name, "r+") as file:
            file.write("3")
        np.savez(archive, x=[1, 2])
        with gfile.GFile(archive, "rb") as file:
            return [lines, wrong, gfile.GFile(name).read(), file.seekable(), np.load(file)["x"]]


def refused_files(tf, np):
    """Nothing is opened before it is used."""
    gfile = tf.gfile
    with _folder() as (folder, attempt):
        name = os.path.join(folder, "a.txt")
        unused = gfile.GFile(name, "w")
        missing = [gfile.Exists(name), attempt(gfile.GFile(name).read), attempt(gfile.GFile(name).size), unused.close()]
        return [
            *missing,
            attempt(lambda: gfile.GFile(name, "x")),
            attempt(lambda: gfile.GFile(name).write("1")),
            attempt(lambda: gfile.GFile(folder + "/no/a", "w").write("1")),
            attempt(lambda: gfile.GFile(folder, "w").write("1")),
            gfile.Exists(name),
        ]


def folders(tf, np):
    """Made, listed, walked through, matched, deleted."""
    gfile = tf.gfile
    with _folder() as (folder, attempt):
        below = os.path.join(folder, "x", "y")
        made = [attempt(lambda: gfile.MkDir(below)), gfile.MkDir(folder), gfile.MakeDirs(below), gfile.MakeDirs(below)]
        made += [gfile.MakeDirs(os.path.dirname("model.ckpt")), gfile.MkDir("")]
        for name in ("a.txt", "b.txt", ".c", "x/d.txt"):
            gfile.GFile(os.path.join(folder, name), "w").write(name)

        def match(*patterns):
            found = gfile.Glob(
                [os.path.join(folder, p) for p in patterns] if patterns[1:] else f"{folder}/{patterns[0]}"
            )
            return sorted(os.path.relpath(name, folder) for name in found)

        walks = [gfile.Walk(folder), gfile.Walk(folder, in_order=False), gfile.Walk(folder + "/no")]
        return [
            made,
            sorted(gfile.ListDirectory(folder)),
            attempt(lambda: gfile.ListDirectory(folder + "/no")),
            attempt(lambda: gfile.ListDirectory(folder + "/a.txt")),
            [[[top.replace(folder, "D"), sorted(dirs), sorted(files)] for top, dirs, files in w] for w in walks],
            [match("*"), match("*.txt"), match("*/*"), match("[ab].*"), match("?.txt", "x"), match("no*")],
            [gfile.IsDirectory(folder), gfile.IsDirectory(folder + "/a.txt"), gfile.IsDirectory(folder + "/no")],
            attempt(lambda: gfile.Remove(folder + "/x")),
            gfile.DeleteRecursively(folder + "/x"),
            gfile.Remove(folder + "/a.txt"),
            sorted(gfile.ListDirectory(folder)),
            attempt(lambda: gfile.Remove(folder + "/a.txt")),
            attempt(lambda: gfile.DeleteRecursively(folder + "/x"))[0],
        ]


def copies_and_renames(tf, np):
    """What is there is replaced only if asked for."""
    gfile = tf.gfile
    with _folder() as (folder, attempt):
        a, b, no = (os.path.join(folder, name) for name in ("a", "b", "no"))
        with gfile.GFile(a, "w") as file:
            file.write("1")
        return [
            gfile.Copy(a, b),
            attempt(lambda: gfile.Copy(a, b)),
            gfile.Copy(a, b, overwrite=True),
            attempt(lambda: gfile.Copy(no, folder + "/c")),
            attempt(lambda: gfile.Rename(a, b)),
            gfile.Rename(a, b, True),
            attempt(lambda: gfile.Rename(a, folder + "/c")),
            [gfile.Stat(b).length, gfile.Stat(b).is_directory, gfile.Stat(folder).is_directory],
            attempt(lambda: gfile.Stat(no)),
            gfile.ListDirectory(folder),
        ]


def a_file_in_the_way_of_directories(tf, np):
    """No directory can be made where a file is, or below it."""
    with _folder() as (folder, attempt):
        path = os.path.join(folder, "f")
        tf.gfile.GFile(path, "w").write("x")
        found = [attempt(lambda: tf.gfile.MkDir(path)), attempt(lambda: tf.gfile.MakeDirs(path))]
        return [*found, attempt(lambda: tf.gfile.MakeDirs(os.path.join(path, "g")))[0]]
