"""`tf.summary`: values of a run as messages, and the files in which TensorBoard finds them."""

from minitf.framework.late import loads_late as _loads_late
from minitf.summary.summary import histogram, merge, merge_all, scalar
from minitf.summary.writer import FileWriter, FileWriterCache

__getattr__, __dir__ = _loads_late("tf.summary", globals())
