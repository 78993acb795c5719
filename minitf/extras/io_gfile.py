"""`tf.io.gfile`: newer names of what `tf.gfile` has."""

from os.path import join as join

from minitf.framework.namespaces import loads_late as _loads_late
from minitf.platform import gfile as _gfile
from minitf.platform.gfile import GFile as GFile

copy, exists, glob, isdir, listdir = (
    _gfile.Copy,
    _gfile.Exists,
    _gfile.Glob,
    _gfile.IsDirectory,
    _gfile.ListDirectory,
)
makedirs, mkdir, remove, rename = _gfile.MakeDirs, _gfile.MkDir, _gfile.Remove, _gfile.Rename
rmtree, stat, walk = _gfile.DeleteRecursively, _gfile.Stat, _gfile.Walk

__getattr__, __dir__ = _loads_late("tf.io.gfile")
