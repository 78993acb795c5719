"""`tf.io`: newer homes of what reads and writes files."""

from minitf.extras import io_gfile as gfile
from minitf.framework.namespaces import loads_late as _loads_late
from minitf.platform.tf_record import TFRecordWriter, tf_record_iterator
from minitf.training.graph_io import write_graph

__all__ = ["TFRecordWriter", "gfile", "tf_record_iterator", "write_graph"]
__getattr__, __dir__ = _loads_late("tf.io")
