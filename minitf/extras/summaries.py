"""Summaries of images, and the summaries that TensorFlow had before 1.0.

Mirrors tensorflow/core/kernels/summary_image_op.cc, tensorflow/python/ops/logging_ops.py and
tensorflow/contrib/deprecated.
"""

import io

import numpy as np

from minitf.framework.dtypes import string
from minitf.framework.graph import name_scope
from minitf.framework.op_def_library import build_tensor, check_allowed
from minitf.framework.operation import Tensor
from minitf.framework.protos import message
from minitf.framework.registry import call_code, kernel, not_differentiable, register
from minitf.framework.tensor_shape import SCALAR, in_message
from minitf.ops.kernels import invalid
from minitf.summary.summary import Collections, collected, summarized


def _pixels(image):
    """Numbers from 0 to 255 for an image; a pixel with a number that isn't finite becomes red."""
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
    allowed = ("uint8", "float32", "float16", "float64")
    check_allowed("tensor", op.inputs[1].dtype.base_dtype, allowed)
    return [(string, SCALAR)]


_code = call_code("png_summary", max_images=3)
register("ImageSummary", "tag tensor", _infer, _code, not_differentiable)


def _at_least_one(max_images: int) -> dict[str, int]:
    if max_images < 1:
        raise ValueError(
            f"Attr 'max_images' of 'ImageSummary' Op passed {max_images} less than minimum 1."
        )
    return {"max_images": max_images}


def image(
    name: str,
    tensor,
    max_outputs: int = 3,
    collections: Collections = None,
    family: str | None = None,
) -> Tensor:
    """Return a summary of the first `max_outputs` images of a batch; otherwise like `scalar`.

    `tensor` has the shape [batch, height, width, channels], with 1, 3 or 4 channels: grey, RGB, or
    RGB with opacity. Integers are uint8. Floats are stretched: the largest becomes 255, and if
    there are negative ones, 0 becomes 128. The tags are `name/image/0` and so on. Raises TypeError
    for another dtype; a run raises InvalidArgumentError for another shape.
    """
    attrs = _at_least_one(max_outputs)
    return summarized("ImageSummary", name, collections, family, tensor, **attrs)


# Their tags are used as they are, without scopes, and don't become names.


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
    return _tagged("ImageSummary", name, collections, tag, tensor, **_at_least_one(max_images))
