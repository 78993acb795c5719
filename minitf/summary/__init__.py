"""`tf.summary`: values of a run as messages, and the files of them that TensorBoard shows."""

from minitf.framework import protos as _protos
from minitf.framework.namespaces import names_what_is_missing as _names_what_is_missing
from minitf.summary.summary import histogram, merge, merge_all, scalar, text
from minitf.summary.writer import FileWriter, FileWriterCache

__getattr__ = _names_what_is_missing("tf.summary", _protos.message, _protos.MODULES)
