"""Functions of each element."""

import switchyard as torch
from switchyard import Tensor
from switchyard.array_api._dtypes import COMPLEX, REAL, together, widened


def _unary(name, operator=None):
    of = getattr(torch, operator or name)

    def function(x, /):
        return widened(of, x)
    return _named(function, name, of)


def _binary(name, operator=None):
    of = getattr(torch, operator or name)

    def function(x1, x2, /):
        return widened(of, *together(x1, x2))
    return _named(function, name, of)


def _named(function, name, of):
    function.__name__ = function.__qualname__ = name
    function.__doc__ = of.__doc__
    function.__module__ = "switchyard.array_api"
    return function


abs, acos, acosh, asin, asinh, atan, atanh = map(
    _unary, ("abs", "acos", "acosh", "asin", "asinh", "atan", "atanh"))
ceil, cos, cosh, exp, expm1, floor, isfinite, isinf, isnan = map(
    _unary, ("ceil", "cos", "cosh", "exp", "expm1", "floor", "isfinite", "isinf", "isnan"))
log, log1p, log2, log10, logical_not, negative, positive, signbit = map(
    _unary, ("log", "log1p", "log2", "log10", "logical_not", "negative", "positive", "signbit"))
sin, sinh, sqrt, square, tan, tanh, trunc = map(
    _unary, ("sin", "sinh", "sqrt", "square", "tan", "tanh", "trunc"))
bitwise_invert = _unary("bitwise_invert", "bitwise_not")

add, atan2, bitwise_and, bitwise_left_shift, bitwise_or, bitwise_right_shift, bitwise_xor = map(
    _binary, ("add", "atan2", "bitwise_and", "bitwise_left_shift", "bitwise_or",
              "bitwise_right_shift", "bitwise_xor"))
copysign, floor_divide, hypot, logaddexp, logical_and, logical_or, logical_xor = map(
    _binary, ("copysign", "floor_divide", "hypot", "logaddexp", "logical_and", "logical_or",
              "logical_xor"))
maximum, minimum, multiply, not_equal, pow, remainder, subtract = map(
    _binary, ("maximum", "minimum", "multiply", "not_equal", "pow", "remainder", "subtract"))
greater, greater_equal, less, less_equal = map(
    _binary, ("greater", "greater_equal", "less", "less_equal"))
divide = _binary("divide", "true_divide")
equal = _binary("equal", "eq")


def conj(x, /):
    """Complex numbers with the other sign of the imaginary part."""
    return torch.conj(x).resolve_conj()


def real(x, /):
    """Real parts."""
    return torch.real(x) if x.dtype in COMPLEX else x


def imag(x, /):
    """Imaginary parts."""
    return torch.imag(x)


def round(x, /):
    """The nearest integer, of two the even one."""
    if x.dtype in COMPLEX:
        return torch.complex(torch.round(torch.real(x)), torch.round(torch.imag(x)))
    return widened(torch.round, x)


def sign(x, /):
    """-1, 0 or 1; of complex numbers x/|x|. NaN where it is one."""
    if x.dtype in COMPLEX:
        return torch.sgn(x)
    signs = widened(torch.sign, x)
    return torch.where(torch.isnan(x), x, signs) if x.dtype in REAL else signs


def clip(x, /, min=None, max=None):
    """Elements between two bounds, each an array or a number, or None."""
    def bound(b):
        if b is None:
            return None
        return b.to(x.dtype) if isinstance(b, Tensor) else torch.tensor(b, dtype=x.dtype, device=x.device)
    low, high = bound(min), bound(max)
    if low is not None:
        x = maximum(x, low)
    if high is not None:
        x = minimum(x, high)
    return x.clone() if low is None and high is None else x
