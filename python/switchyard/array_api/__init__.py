"""The array API standard, version 2023.12, over tensors.

    import switchyard.array_api as xp
    x = xp.asarray([[1., 2.], [3., 4.]])
    xp.sum(x, axis=1, keepdims=True)

Functions have the standard's names, arguments and promotion of dtypes, which, unlike PyTorch's, does
not ask how many dimensions an array has. Arrays are tensors, whose methods and operators stay
PyTorch's: docs/python.md says what that changes.
"""

from switchyard import (  # noqa: F401
    complex64, complex128, e, float32, float64, inf, int8, int16, int32, int64, nan, pi, uint8,
    uint16, uint32, uint64)
from switchyard.array_api import fft, linalg  # noqa: F401
from switchyard.array_api._creation import (  # noqa: F401
    arange, asarray, empty, empty_like, eye, from_dlpack, full, full_like, linspace, meshgrid,
    ones, ones_like, tril, triu, zeros, zeros_like)
from switchyard.array_api._dtypes import (  # noqa: F401
    astype, can_cast, finfo, iinfo, isdtype, result_type)
from switchyard.array_api._elementwise import (  # noqa: F401
    abs, acos, acosh, add, asin, asinh, atan, atan2, atanh, bitwise_and, bitwise_invert,
    bitwise_left_shift, bitwise_or, bitwise_right_shift, bitwise_xor, ceil, clip, conj, copysign,
    cos, cosh, divide, equal, exp, expm1, floor, floor_divide, greater, greater_equal, hypot, imag,
    isfinite, isinf, isnan, less, less_equal, log, log1p, log2, log10, logaddexp, logical_and,
    logical_not, logical_or, logical_xor, maximum, minimum, multiply, negative, not_equal, positive,
    pow, real, remainder, round, sign, signbit, sin, sinh, sqrt, square, subtract, tan, tanh, trunc)
from switchyard.array_api._info import __array_namespace_info__  # noqa: F401
from switchyard.array_api._manipulation import (  # noqa: F401
    broadcast_arrays, broadcast_to, concat, expand_dims, flip, moveaxis, permute_dims, repeat,
    reshape, roll, squeeze, stack, take, tile, unstack)
from switchyard.array_api._searching import (  # noqa: F401
    argmax, argmin, argsort, nonzero, searchsorted, sort, unique_all, unique_counts, unique_inverse,
    unique_values, where)
from switchyard.array_api._statistics import (  # noqa: F401
    all, any, cumulative_sum, max, mean, min, prod, std, sum, var)
from switchyard.array_api.linalg import (  # noqa: F401
    matmul, matrix_transpose, tensordot, vecdot)
from switchyard._core import bool  # noqa: F401

newaxis = None
__array_api_version__ = "2023.12"
