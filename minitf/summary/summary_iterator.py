"""The records of an events file are events, one after the other.

Mirrors tensorflow/python/summary/summary_iterator.py.
"""

from minitf.framework.protos import message
from minitf.platform.tf_record import tf_record_iterator


class summary_iterator(tf_record_iterator):
    """The events of a file, such as a FileWriter writes; when the file has grown, it goes on behind its end.

    Raises NotFoundError where there is no file; when it comes to a damaged record, DataLossError with its place.
    """

    def __init__(self, path):
        super().__init__(path)

    def __next__(self):
        return message("Event").FromString(super().__next__())
