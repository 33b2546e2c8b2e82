"""Positions, order, and elements that differ."""

from collections import namedtuple

import switchyard as torch
from switchyard.array_api._dtypes import COMPLEX, together, wide, widened

UniqueAll = namedtuple("UniqueAll", "values indices inverse_indices counts")
UniqueCounts = namedtuple("UniqueCounts", "values counts")
UniqueInverse = namedtuple("UniqueInverse", "values inverse_indices")


def argmax(x, /, *, axis=None, keepdims=False):
    """Where the largest element is, the first of them."""
    return _arg(torch.argmax, x, axis, keepdims)


def argmin(x, /, *, axis=None, keepdims=False):
    """Where the smallest element is, the first of them."""
    return _arg(torch.argmin, x, axis, keepdims)


def _arg(of, x, axis, keepdims):
    x = wide(x)
    if axis is not None:
        return of(x, axis, keepdims)
    found = of(x.reshape(-1), 0)
    return found.reshape((1,) * x.dim()) if keepdims else found


def nonzero(x, /):
    """Coordinates of elements that are not 0, an array for each dimension."""
    if x.dim() == 0:
        raise ValueError("nonzero(): the array has no dimensions")
    return tuple(torch.nonzero(x, as_tuple=True))


def searchsorted(x1, x2, /, *, side="left", sorter=None):
    """Where elements of x2 belong in x1."""
    x1, x2 = map(wide, together(x1, x2))
    if sorter is not None:
        sorter = sorter.to(torch.int64)
    return torch.searchsorted(x1, x2, side=side, sorter=sorter)


def where(condition, x1, x2, /):
    """Elements of x1 where the condition holds, else of x2."""
    return torch.where(condition, *together(x1, x2))


def sort(x, /, *, axis=-1, descending=False, stable=True):
    """In order along one dimension."""
    return widened(lambda x: torch.sort(x, dim=axis, descending=descending, stable=stable)[0], x)


def argsort(x, /, *, axis=-1, descending=False, stable=True):
    """Where elements in order come from."""
    return torch.sort(wide(x), dim=axis, descending=descending, stable=stable)[1]


def unique_all(x, /):
    """Elements, each once; where the first of each is; which one each element is; how often."""
    flat = x.reshape(-1)
    order = _order(flat)
    in_order = flat[order]
    # NaNs differ from each other.
    first = torch.ones(flat.shape, dtype=torch.bool, device=x.device)
    if flat.numel() > 1:
        first[1:] = in_order[1:] != in_order[:-1]
    begins = torch.nonzero(first).reshape(-1)
    inverse = torch.empty_like(order)
    inverse[order] = torch.cumsum(first, 0) - 1
    ends = torch.cat([begins[1:], torch.tensor([flat.numel()], device=x.device)])[:begins.numel()]
    return UniqueAll(in_order[begins], order[begins], inverse.reshape(x.shape), ends - begins)


def _order(flat):
    if flat.dtype in COMPLEX:  # by the real part, then the imaginary one
        by_imaginary = torch.sort(torch.imag(flat), stable=True)[1]
        return by_imaginary[torch.sort(torch.real(flat)[by_imaginary], stable=True)[1]]
    if flat.dtype is torch.bool:
        flat = flat.to(torch.uint8)
    return torch.sort(wide(flat), stable=True)[1]


def unique_counts(x, /):
    """Elements, each once, and how often each is there."""
    found = unique_all(x)
    return UniqueCounts(found.values, found.counts)


def unique_inverse(x, /):
    """Elements, each once, and which of them each element is."""
    found = unique_all(x)
    return UniqueInverse(found.values, found.inverse_indices)


def unique_values(x, /):
    """Elements, each once."""
    return unique_all(x).values
