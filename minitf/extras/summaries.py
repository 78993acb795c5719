"""Summaries of text and images, and the summaries that TensorFlow had before 1.0.

Mirrors tensorflow/python/summary/summary.py, tensorflow/python/ops/logging_ops.py and
tensorflow/core/kernels/summary_tensor_op.cc and summary_image_op.cc.
"""

import io

import numpy as np

from minitf.extras.graph_def import tensor_proto
from minitf.framework.dtypes import string
from minitf.framework.graph import name_scope
from minitf.framework.op_def_library import at_least_one, build_tensor, check_allowed
from minitf.framework.operation import Tensor
from minitf.framework.protos import message
from minitf.framework.registry import call_code, kernel, not_differentiable, register
from minitf.framework.tensor_shape import SCALAR, in_message
from minitf.ops.kernels import invalid
from minitf.summary.summary import Collections, collected, summarized, summary_of


@kernel
def tensor_summary(tag: bytes, value, metadata: bytes) -> bytes:
    """Return a serialized Summary of a tensor; `metadata` names the plugin that shows it."""
    metadata = message("SummaryMetadata").FromString(metadata)
    tensor = tensor_proto(value)
    return summary_of(tag.decode(), tensor=tensor, metadata=metadata).SerializeToString()


def _pixels(image):
    """Numbers from 0 to 255 for an image; a pixel with any number that isn't finite is red."""
    if image.dtype == np.uint8:
        return image
    is_finite = np.isfinite(image).all(-1)
    numbers = image[is_finite]
    largest = np.float32(np.abs(numbers).max(initial=0))
    width, middle = (127, 128) if (numbers < 0).any() else (255, 0)
    scale = image.dtype.type(0 if largest < 1e-6 else width / largest)
    red = np.uint8([255, 0, 0, 255])[: image.shape[-1]]
    return np.where(is_finite[..., None], image * scale + middle, red).astype(np.uint8)


@kernel
def png_summary(tag: bytes, images, max_images=3) -> bytes:
    """Return a serialized Summary of the first images of a batch, as PNG files."""
    from PIL import Image  # most programs need none

    shape = np.shape(images)
    if len(shape) != 4 or shape[3] not in (1, 3, 4):
        raise invalid(f"Tensor must be 4-D with last dim 1, 3, or 4, not {in_message(shape)}")
    if not all(shape[1:]):
        raise invalid(f"input tensor must have non-zero dims. Found: {list(shape)}.")
    summary = message("Summary")()
    for i, image in enumerate(images[:max_images]):
        pixels, file = _pixels(image), io.BytesIO()
        Image.fromarray(pixels[..., 0] if shape[3] == 1 else pixels).save(file, "PNG")
        value = summary.value.add(tag=f"{tag.decode()}/image" + f"/{i}" * (max_images > 1))
        value.image.height, value.image.width, value.image.colorspace = shape[1:]
        value.image.encoded_image_string = file.getvalue()
    return summary.SerializeToString()


def _infer(op):
    if op.type == "ImageSummary":
        allowed = ("uint8", "float32", "float16", "float64")
        check_allowed("tensor", op.inputs[1].dtype.base_dtype, allowed)
    return [(string, SCALAR)]


_code = call_code("png_summary", max_images=3)
_MOST = {"max_images": 3}
register("ImageSummary", "tag=- tensor", _infer, _code, not_differentiable, defaults=_MOST)
_inputs = "tag=- tensor serialized_summary_metadata=-"
register("TensorSummaryV2", _inputs, _infer, "tensor_summary", not_differentiable)


def text(name: str, tensor, collections: Collections = None) -> Tensor:
    """Return a summary of a string tensor of any shape; otherwise like `scalar`.

    Raises ValueError if `tensor` has a different dtype.
    """
    if tensor.dtype.base_dtype is not string:
        raise ValueError(f"Expected tensor {tensor.name} to have dtype string, got {tensor.dtype}")
    metadata = message("SummaryMetadata")(plugin_data={"plugin_name": "text"}).SerializeToString()
    return summarized("TensorSummaryV2", name, collections, None, tensor, metadata)


def image(
    name: str,
    tensor,
    max_outputs: int = 3,
    collections: Collections = None,
    family: str | None = None,
) -> Tensor:
    """Return a summary of the first `max_outputs` images of a batch; otherwise like `scalar`.

    `tensor` has the shape [batch, height, width, channels], with 1, 3 or 4 channels: gray, RGB, or
    RGB with opacity. Integers must be uint8. Floats are scaled: the largest becomes 255, and if
    any are negative, 0 becomes 128. The tags are `name/image/0` and so on. Raises TypeError for any
    other dtype; a run raises InvalidArgumentError for any other shape.
    """
    attrs = at_least_one("ImageSummary", max_images=max_outputs)
    return summarized("ImageSummary", name, collections, family, tensor, **attrs)


# Before 1.0, tags were used as they are, without scopes, and didn't become names.


def _tagged(op_type, name, collections, *values, **attrs):
    with name_scope(name, op_type, values) as scope:
        return collected(build_tensor(op_type, *values, name=scope, **attrs), collections)


def scalar_summary(tags: str, values, collections: Collections = None, name=None) -> Tensor:
    """`tf.summary.scalar` as it was before 1.0, with exactly this tag."""
    return _tagged("ScalarSummary", name, collections, tags, values)


def histogram_summary(tag: str, values, collections: Collections = None, name=None) -> Tensor:
    """`tf.summary.histogram` as it was before 1.0, with exactly this tag."""
    return _tagged("HistogramSummary", name, collections, tag, values)


def image_summary(
    tag: str, tensor, max_images: int = 3, collections: Collections = None, name=None
) -> Tensor:
    """`tf.summary.image` as it was before 1.0, with exactly this tag."""
    attrs = at_least_one("ImageSummary", max_images=max_images)
    return _tagged("ImageSummary", name, collections, tag, tensor, **attrs)
