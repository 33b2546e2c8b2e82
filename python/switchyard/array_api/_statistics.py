"""Sums, extremes and spreads along dimensions."""

import switchyard as torch
from switchyard.array_api._dtypes import SIGNED, UNSIGNED, widened


def _axes(x, axis):
    """As a tuple; None: all."""
    if axis is None:
        return tuple(range(x.dim()))
    return (axis,) if isinstance(axis, int) else tuple(axis)


def _sum_dtype(x):
    """Integers are summed in 64 bits of their own signedness."""
    if x.dtype in SIGNED:
        return torch.int64
    return torch.uint64 if x.dtype in UNSIGNED else x.dtype


def _in_64_bits(of, x, dtype):
    """of(x), x as this dtype: unsigned integers by way of int64, whose sums and products have the
    same bits."""
    if dtype in UNSIGNED and dtype is not torch.uint8:
        return of(x.to(torch.int64)).to(dtype)
    return of(x.to(dtype)).to(dtype)


def sum(x, /, *, axis=None, dtype=None, keepdims=False):
    """The sum of elements along dimensions."""
    dtype = _sum_dtype(x) if dtype is None else dtype
    axes = _axes(x, axis)
    if not axes:  # which means all to PyTorch
        return x.to(dtype, copy=True)
    return _in_64_bits(lambda x: torch.sum(x, axes, keepdims, dtype=x.dtype), x, dtype)


def prod(x, /, *, axis=None, dtype=None, keepdims=False):
    """The product of elements along dimensions."""
    dtype = _sum_dtype(x) if dtype is None else dtype
    if not _axes(x, axis):
        return x.to(dtype, copy=True)

    def of(x):
        for a in sorted({a % x.dim() for a in _axes(x, axis)}, reverse=True):
            x = torch.prod(x, a, keepdims, dtype=x.dtype)
        return x
    return _in_64_bits(of, x, dtype)


def cumulative_sum(x, /, *, axis=None, dtype=None, include_initial=False):
    """Sums of elements up to each; include_initial: with the 0 before them."""
    if axis is None:
        if x.dim() > 1:
            raise ValueError(f"cumulative_sum(): which axis of {x.dim()}?")
        axis = 0
    dtype = _sum_dtype(x) if dtype is None else dtype
    sums = _in_64_bits(lambda x: torch.cumsum(x, axis, dtype=x.dtype), x, dtype)
    if not include_initial:
        return sums
    sizes = list(sums.shape)
    sizes[axis] = 1
    return torch.cat([torch.zeros(sizes, dtype=dtype, device=x.device), sums], axis)


def max(x, /, *, axis=None, keepdims=False):
    """The largest element along dimensions."""
    axes = _axes(x, axis)
    return widened(lambda x: torch.amax(x, axes, keepdims), x) if axes else x.clone()


def min(x, /, *, axis=None, keepdims=False):
    """The smallest element along dimensions."""
    axes = _axes(x, axis)
    return widened(lambda x: torch.amin(x, axes, keepdims), x) if axes else x.clone()


def mean(x, /, *, axis=None, keepdims=False):
    """The arithmetic mean along dimensions."""
    axes = _axes(x, axis)
    return torch.mean(x, axes, keepdims) if axes else x.clone()


def var(x, /, *, axis=None, correction=0.0, keepdims=False):
    """The variance along dimensions. correction: what the number of elements is lessened by."""
    axes = _axes(x, axis)
    if not axes:
        return torch.var(x.unsqueeze(0), 0, correction=correction)
    return torch.var(x, axes, correction=correction, keepdim=keepdims)


def std(x, /, *, axis=None, correction=0.0, keepdims=False):
    """The square root of the variance."""
    return torch.sqrt(var(x, axis=axis, correction=correction, keepdims=keepdims))


def all(x, /, *, axis=None, keepdims=False):
    """Whether all elements along dimensions are not 0."""
    axes = _axes(x, axis)
    x = x.to(torch.bool, copy=True)
    return torch.all(x, axes, keepdims) if axes else x


def any(x, /, *, axis=None, keepdims=False):
    """Whether some element along dimensions is not 0."""
    axes = _axes(x, axis)
    x = x.to(torch.bool, copy=True)
    return torch.any(x, axes, keepdims) if axes else x
