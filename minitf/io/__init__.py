"""`tf.io`: newer homes of what reads and writes files."""

from minitf.framework.namespaces import names_what_is_missing as _names_what_is_missing
from minitf.io import gfile
from minitf.platform.tf_record import TFRecordWriter, tf_record_iterator
from minitf.training.graph_io import write_graph

__getattr__ = _names_what_is_missing("tf.io")
