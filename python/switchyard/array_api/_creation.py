"""Making arrays."""

import switchyard as torch
from switchyard import Tensor, _functions
from switchyard.array_api import _dtypes


def asarray(obj, /, *, dtype=None, device=None, copy=None):
    """An array of numbers, nested sequences, buffers or arrays, whose memory is shared where it can
    be. copy=True: never; copy=False: it must be, or that is a ValueError."""
    if not hasattr(obj, "__array__") and _functions._has_buffer(obj):  # numbers; torch's are bytes
        obj = torch.as_tensor(memoryview(obj))
    return torch.asarray(obj, dtype=dtype, device=device, copy=copy)


def from_dlpack(x, /, *, device=None, copy=None):
    """An array of another library's."""
    return torch.from_dlpack(x, device=device, copy=copy)


def arange(start, /, stop=None, step=1, *, dtype=None, device=None):
    """Numbers from start up to, not with, stop."""
    if stop is None:
        start, stop = 0, start
    if step == 0:
        raise ValueError("arange(): step must not be 0")
    if (stop - start) * step < 0:  # none, which PyTorch refuses
        stop = start
    if dtype in _dtypes.UNSIGNED:  # uint8 alone has a kernel
        return torch.arange(start, stop, step, dtype=torch.int64, device=device).to(dtype)
    return torch.arange(start, stop, step, dtype=dtype, device=device)


def empty(shape, *, dtype=None, device=None):
    """An array whose elements are whatever was there."""
    return torch.empty(_sizes(shape), dtype=dtype, device=device)


def zeros(shape, *, dtype=None, device=None):
    """An array of zeros."""
    return torch.zeros(_sizes(shape), dtype=dtype, device=device)


def ones(shape, *, dtype=None, device=None):
    """An array of ones."""
    return torch.ones(_sizes(shape), dtype=dtype, device=device)


def full(shape, fill_value, *, dtype=None, device=None):
    """An array of one number."""
    return torch.full(_sizes(shape), fill_value, dtype=dtype, device=device)


def empty_like(x, /, *, dtype=None, device=None):
    """As empty, of another array's sizes."""
    return torch.empty_like(x, dtype=dtype, device=device)


def zeros_like(x, /, *, dtype=None, device=None):
    """As zeros, of another array's sizes."""
    return torch.zeros_like(x, dtype=dtype, device=device)


def ones_like(x, /, *, dtype=None, device=None):
    """As ones, of another array's sizes."""
    return torch.ones_like(x, dtype=dtype, device=device)


def full_like(x, /, fill_value, *, dtype=None, device=None):
    """As full, of another array's sizes."""
    return torch.full_like(x, fill_value, dtype=dtype, device=device)


def eye(n_rows, n_cols=None, /, *, k=0, dtype=None, device=None):
    """Ones on a diagonal: k-th above the main one, below it where k is negative."""
    x = zeros((n_rows, n_rows if n_cols is None else n_cols), dtype=dtype, device=device)
    if -x.shape[0] < k < x.shape[1]:
        x.diagonal(k).fill_(1)
    return x


def linspace(start, stop, /, num, *, dtype=None, device=None, endpoint=True):
    """num numbers at equal distances. endpoint=False: without stop, which would be one more."""
    if dtype is None and (isinstance(start, complex) or isinstance(stop, complex)):
        dtype = torch.complex64 if torch.get_default_dtype() is torch.float32 else torch.complex128
    if endpoint:
        return torch.linspace(start, stop, num, dtype=dtype, device=device)
    return torch.linspace(start, stop, num + 1, dtype=dtype, device=device)[:num]


def meshgrid(*arrays, indexing="xy"):
    """Coordinates of a grid, an array for each dimension."""
    if not arrays:
        return []
    arrays = _dtypes.together(*arrays)
    return list(torch.meshgrid(*arrays, indexing=indexing))


def tril(x, /, *, k=0):
    """Matrices with zeros above the k-th diagonal."""
    return torch.tril(x, k)


def triu(x, /, *, k=0):
    """Matrices with zeros below the k-th diagonal."""
    return torch.triu(x, k)


def _sizes(shape):
    if isinstance(shape, Tensor):
        raise TypeError("shape: expected an integer or a tuple of them")
    return (shape,) if isinstance(shape, int) else tuple(shape)
