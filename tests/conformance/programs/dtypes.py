"""Dtypes: how they are shown, inferred, joined and cast."""

from tests.conformance.outcomes import raises


def showing_dtypes(tf, np):
    """The printed form, the repr, and the name of a dtype."""
    dtypes = [tf.float16, tf.float32, tf.float64, tf.int8, tf.uint8, tf.int16, tf.int32, tf.int64]
    dtypes += [tf.bool, tf.string]
    return [[str(dtype), repr(dtype), dtype.name, dtype.size] for dtype in dtypes]


def properties_of_dtypes(tf, np):
    """What a dtype says of itself."""
    return {
        dtype.name: {
            "floating": dtype.is_floating,
            "integer": dtype.is_integer,
            "numpy": dtype.as_numpy_dtype.__name__,
            "base": dtype.base_dtype.name,
        }
        for dtype in (tf.float32, tf.float64, tf.int32, tf.int64, tf.bool)
    }


def dtypes_compare_with_numpy(tf, np):
    """A dtype equals NumPy's and its own name's."""
    return [
        tf.float32 == np.float32,
        tf.float32 == tf.float64,
        tf.as_dtype("float32") is tf.float32,
        tf.as_dtype(np.int64) is tf.int64,
        tf.as_dtype("float") is tf.float32,
        tf.constant(1.0).dtype == tf.float32,
        raises(lambda: tf.as_dtype("float33")),
    ]


def inferred_dtypes(tf, np):
    """Python numbers become int32 and float32; NumPy's keep their dtype."""
    values = [1, 1.0, True, "a", [1, 2.5], [[1, 2]], np.float64(1), np.array([1]), np.ones(2)]
    values += [np.float32(1), np.array([True]), 2**40, np.arange(3, dtype="int32"), [True, False]]
    return [str(tf.constant(value).dtype) for value in values]


def constants_of_a_given_dtype(tf, np):
    """A constant takes the dtype asked for where the value allows it."""
    made = [tf.constant(1, tf.float32), tf.constant([1, 2], dtype=tf.int64)]
    made += [tf.constant(np.array([1.5, 2.5]), tf.float32), tf.constant(3, "float64")]
    with tf.Session() as sess:
        return sess.run(made)


def constants_that_do_not_fit(tf, np):
    """Values that the dtype cannot hold are refused when the constant is made."""
    return {
        "float to int": raises(lambda: tf.constant(1.5, tf.int32)),
        "text to float": raises(lambda: tf.constant("a", tf.float32)),
        "text": raises(lambda: tf.constant([1.0, "a"])),
        "None": raises(lambda: tf.constant(None)),
        "ragged": raises(lambda: tf.constant([[1], [2, 3]])).type,
    }


def constants_of_a_given_shape(tf, np):
    """With a shape, the values fill it; the last one is repeated if they are too few."""
    made = [tf.constant(7.0, shape=[2, 2]), tf.constant([1, 2, 3, 4], shape=[2, 2])]
    made += [tf.constant([1, 2], shape=[2, 2])]
    error = raises(lambda: tf.constant([1, 2, 3], shape=[2]))
    with tf.Session() as sess:
        return [*sess.run(made), error]


def numbers_take_the_tensors_dtype(tf, np):
    """A Python number joined to a tensor gets the tensor's dtype, on either side."""
    f = tf.placeholder(tf.float32)
    d = tf.placeholder(tf.float64)
    i = tf.placeholder(tf.int64)
    made = [f * 2, 2 * f, 2.5 - f, d + 1, d / 3, i + 1, 3 - i, i * 2, f**2, 2**f]
    return [str(tensor.dtype) for tensor in made]


def numpy_arrays_take_the_tensors_dtype(tf, np):
    """A float64 array joined to a float32 tensor becomes float32; so does a NumPy number."""
    f = tf.placeholder(tf.float32)
    made = [f + np.ones(3), np.float64(2) * f, f * np.float64(2), f - np.float32(1)]
    return [str(tensor.dtype) for tensor in made]


def a_float_does_not_join_an_int_tensor(tf, np):
    """An int tensor takes no Python float."""
    i = tf.placeholder(tf.int32, name="i")
    return [raises(lambda: i * 2.5), raises(lambda: 2.5 * i), raises(lambda: i + 1.0)]


def int_and_float_tensors_do_not_mix(tf, np):
    """An op takes two tensors of one dtype; the message names the op's type and both dtypes."""
    f = tf.constant(1.0, name="f")
    i = tf.constant(1, name="i")
    return [
        raises(lambda: f * i),
        raises(lambda: i * f),
        raises(lambda: f + i),
        raises(lambda: i - f),
        raises(lambda: tf.add(f, i)),
        raises(lambda: tf.multiply(i, f)),
        raises(lambda: tf.maximum(f, i)),
        raises(lambda: tf.pow(f, i)),
        raises(lambda: f / i),
        raises(lambda: f < i),
        raises(lambda: tf.equal(f, i)),
    ]


def matmul_needs_one_dtype(tf, np):
    """`matmul` names its arguments a and b."""
    f = tf.ones([2, 2])
    i = tf.ones([2, 2], tf.int32)
    d = tf.ones([2, 2], tf.float64)
    return [raises(lambda: tf.matmul(f, i)), raises(lambda: tf.matmul(i, f)), raises(lambda: tf.matmul(d, f))]


def functions_refuse_dtypes(tf, np):
    """Functions of real numbers refuse ints, bools and strings, and list what they take."""
    i = tf.constant(1)
    b = tf.constant(True)
    s = tf.constant("a")
    return {
        "log of int": raises(lambda: tf.log(i)),
        "exp of int": raises(lambda: tf.exp(i)),
        "sqrt of int": raises(lambda: tf.sqrt(i)),
        "square of bool": raises(lambda: tf.square(b)),
        "bool + bool": raises(lambda: b + b),
        "negative of string": raises(lambda: tf.negative(s)),
        "string - string": raises(lambda: s - s),
    }


def dtypes_of_division(tf, np):
    """`/` on ints is true division in float64; `//` floors and keeps the dtype."""
    i = tf.constant([7, -7])
    j = tf.constant([2, 2])
    f = tf.constant([7.0, -7.0])
    g = tf.constant(2.0)
    with tf.Session() as sess:
        return sess.run([i / j, i // j, i % j, f / g, f // g, f % g, tf.divide(i, j)])


def dtypes_of_reductions(tf, np):
    """A reduction keeps the dtype: the mean of ints is an int."""
    i = tf.constant([1, 2, 4])
    f = tf.constant([1.0, 2.0, 4.0])
    with tf.Session() as sess:
        return sess.run([tf.reduce_mean(i), tf.reduce_sum(i), tf.reduce_max(i), tf.reduce_mean(f)])


def casts(tf, np):
    """Casting to int cuts towards zero; to bool asks for zero."""
    f = tf.constant([1.9, -1.9, 0.0, 2.5])
    i = tf.constant([0, 1, -2])
    b = tf.constant([True, False])
    made = [tf.cast(f, tf.int32), tf.cast(f, "int64"), tf.cast(i, tf.float32), tf.cast(b, tf.int32)]
    made += [tf.cast(i, tf.bool), tf.cast(b, tf.float32), tf.cast(f, tf.float64)]
    with tf.Session() as sess:
        return sess.run(made)


def a_cast_to_the_same_dtype_is_no_op(tf, np):
    """Casting to the dtype that a tensor has gives the tensor itself."""
    x = tf.constant(1.0)
    return [tf.cast(x, tf.float32) is x, tf.cast(x, tf.float64).name, tf.cast(1, tf.float32).name]


def ints_wrap_around(tf, np):
    """Integer arithmetic overflows silently."""
    big = tf.constant(2**31 - 1)
    small = tf.constant(255, tf.uint8)
    with tf.Session() as sess:
        return sess.run([big + 1, big * 2, small + 1, -tf.constant(-(2**31))])


def dtype_of_a_variables_tensors(tf, np):
    """A variable's own dtype is a reference; what is computed from it is not."""
    w = tf.Variable(1.0)
    return [
        str(w.dtype),
        repr(w.dtype),
        w.dtype.name,
        str(w.dtype.base_dtype),
        w.dtype == tf.float32,
        w.dtype.base_dtype == tf.float32,
        str(w.value().dtype),
        str((w * 2).dtype),
        str(tf.identity(w).dtype),
        str(w.initial_value.dtype),
    ]


def a_constant_of_a_tensor(tf, np):
    """A constant holds no tensor."""
    a = tf.constant(1.0)
    return [raises(lambda: tf.constant(a)), raises(lambda: tf.constant([a, 2.0]))]


def truth_values_as_numbers(tf, np):
    """Where a number is wanted, True is 1."""
    whole, real = tf.constant(1), tf.constant(1.0)
    made = [tf.constant(True, tf.float32), tf.constant([True, 2], tf.int64), whole + True, real * [True, False]]
    with tf.Session() as sess:
        return sess.run(made)


def lists_of_tensors_of_two_dtypes(tf, np):
    """Tensors of two dtypes do not make one tensor."""
    pair = [tf.constant(1), tf.constant(2.0, name="second")]
    return raises(lambda: tf.convert_to_tensor(pair))
