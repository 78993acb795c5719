"""`tf.compat`: text and bytes, and TensorFlow 1's names as `v1`. Mirrors tensorflow/python/util/compat.py."""

from minitf.framework.namespaces import Respelled
from minitf.framework.namespaces import loads_late as _loads_late

v1 = Respelled("tf.compat.v1", "{}")


def as_text(bytes_or_text: bytes | str, encoding: str = "utf-8") -> str:
    """The text that bytes stand for. Raises TypeError for what is neither."""
    if not isinstance(bytes_or_text, bytes | str):
        raise TypeError(f"Expected binary or unicode string, got {bytes_or_text!r}")
    return bytes_or_text if isinstance(bytes_or_text, str) else bytes_or_text.decode(encoding)


def as_bytes(bytes_or_text: bytes | str, encoding: str = "utf-8") -> bytes:
    """The bytes that stand for a text. Raises TypeError for what is neither."""
    return (
        bytes_or_text
        if isinstance(bytes_or_text, bytes)
        else as_text(bytes_or_text).encode(encoding)
    )


as_str = as_text
__getattr__, __dir__ = _loads_late("tf.compat")
