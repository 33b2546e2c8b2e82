"""Dtypes of the array API: kinds, promotion, limits."""

import builtins
from functools import reduce

import switchyard as torch
from switchyard import Tensor
from switchyard._core import bool as _bool

SIGNED = (torch.int8, torch.int16, torch.int32, torch.int64)
UNSIGNED = (torch.uint8, torch.uint16, torch.uint32, torch.uint64)
REAL = (torch.float32, torch.float64)
COMPLEX = (torch.complex64, torch.complex128)
_KINDS = {"bool": (_bool,), "signed integer": SIGNED, "unsigned integer": UNSIGNED,
          "integral": SIGNED + UNSIGNED, "real floating": REAL, "complex floating": COMPLEX,
          "numeric": SIGNED + UNSIGNED + REAL + COMPLEX}
ALL = (_bool,) + _KINDS["numeric"]


def promote(a, b):
    """The dtype that both become. Errors: TypeError where the standard has none."""
    if a is b:
        return a
    if a in SIGNED + UNSIGNED and b in SIGNED + UNSIGNED:
        if (a in SIGNED) == (b in SIGNED):
            return a if a.itemsize > b.itemsize else b
        signed, unsigned = (a, b) if a in SIGNED else (b, a)
        if signed.itemsize > unsigned.itemsize:
            return signed
        if unsigned is torch.uint64:
            raise TypeError(f"{a} and {b} have no dtype in common")
        return SIGNED[UNSIGNED.index(unsigned) + 1]
    if a in REAL + COMPLEX and b in REAL + COMPLEX:
        return torch.promote_types(a, b)
    raise TypeError(f"{a} and {b} have no dtype in common")


# Operators have no kernels for these, as PyTorch's have none. In 64 bits their results are the same.
NARROW = (torch.uint16, torch.uint32)


def widened(of, *arrays):
    """of(arrays), computed in int64 where operators have no kernels for their dtype; what comes out
    as int64 is of the arrays' dtype again."""
    dtype = arrays[0].dtype
    if dtype not in NARROW:
        return of(*arrays)
    found = of(*(x.to(torch.int64) if isinstance(x, Tensor) else x for x in arrays))
    return found.to(dtype) if found.dtype is torch.int64 else found


def wide(x):
    """The array, in int64 where operators have no kernels for its dtype."""
    return x.to(torch.int64) if x.dtype in NARROW else x


def result_type(*arrays_and_dtypes):
    """The dtype of an operator's result on arrays or dtypes."""
    if not arrays_and_dtypes:
        raise ValueError("result_type(): expected an array or a dtype")
    return reduce(promote, [x.dtype if isinstance(x, Tensor) else x for x in arrays_and_dtypes])


def together(*arrays):
    """Arrays of one dtype, the one that the standard promotes theirs to. Python's numbers take
    the arrays' dtype. Where it has none, PyTorch's rules decide, in the operator."""
    dtypes = [x.dtype for x in arrays if isinstance(x, Tensor)]
    if not dtypes:
        raise TypeError("expected an array")
    try:
        dtype = reduce(promote, dtypes)
    except TypeError:
        return arrays
    device = next(x for x in arrays if isinstance(x, Tensor)).device
    return tuple(x if isinstance(x, Tensor) and x.dtype is dtype else
                 x.to(dtype) if isinstance(x, Tensor) else torch.tensor(x, dtype=dtype, device=device)
                 for x in arrays)


def astype(x, dtype, /, *, copy=True, device=None):
    """The array as another dtype. copy=False: itself where it is that one."""
    if x.dtype in COMPLEX and dtype not in COMPLEX and dtype is not _bool:
        raise TypeError(f"complex numbers do not become {dtype}: take real() or imag()")
    return x.to(device=x.device if device is None else device, dtype=dtype, copy=copy)


def can_cast(from_, to, /):
    """Whether promotion of the two gives `to`."""
    a = from_.dtype if isinstance(from_, Tensor) else from_
    return torch.can_cast(a, to)


class _Limits:
    def __init__(self, info, dtype, names):
        self.dtype = dtype
        for name in names:
            setattr(self, name, getattr(info, name))

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{k}={v}' for k, v in vars(self).items())})"


class finfo(_Limits):
    """Limits of a floating dtype; of complex ones, of their parts."""

    def __init__(self, type, /):
        dtype = type.dtype if isinstance(type, Tensor) else type
        if dtype in COMPLEX:
            dtype = REAL[COMPLEX.index(dtype)]
        super().__init__(torch.finfo(dtype), dtype,
                         ("bits", "eps", "max", "min", "smallest_normal"))


class iinfo(_Limits):
    """Limits of an integer dtype."""

    def __init__(self, type, /):
        dtype = type.dtype if isinstance(type, Tensor) else type
        super().__init__(torch.iinfo(dtype), dtype, ("bits", "max", "min"))


def isdtype(dtype, kind):
    """Whether a dtype is one, or of a kind: "bool", "integral", "real floating", …; or of any of a
    tuple of these."""
    if isinstance(kind, tuple):
        return builtins.any(isdtype(dtype, k) for k in kind)
    if isinstance(kind, str):
        if kind not in _KINDS:
            raise ValueError(f"unknown kind {kind!r}: expected one of {', '.join(_KINDS)}")
        return dtype in _KINDS[kind]
    return dtype is kind
