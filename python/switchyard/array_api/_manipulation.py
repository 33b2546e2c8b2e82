"""Sizes and places."""

import math

import switchyard as torch
from switchyard import Tensor
from switchyard.array_api._dtypes import together


def broadcast_to(x, /, shape):
    """A view in which elements stand for several."""
    return torch.broadcast_to(x, tuple(shape))


def broadcast_arrays(*arrays):
    """Views of the sizes that all broadcast to."""
    sizes = torch.broadcast_shapes(*[x.shape for x in arrays])  # of dtypes that have none in common too
    return [x.expand(sizes) for x in arrays]


def concat(arrays, /, *, axis=0):
    """Arrays one after the other; axis=None: their elements."""
    arrays = together(*arrays)
    if axis is None:
        arrays, axis = [x.reshape(-1) for x in arrays], 0
    return torch.cat(list(arrays), axis)


def stack(arrays, /, *, axis=0):
    """Arrays along a new dimension."""
    return torch.stack(list(together(*arrays)), axis)


def unstack(x, /, *, axis=0):
    """A tuple of the array's parts along one dimension."""
    if x.dim() == 0:
        raise ValueError("unstack(): the array has no dimensions")
    return tuple(torch.unbind(x, axis))


def expand_dims(x, /, axis=0):
    """With a dimension of size 1 more."""
    return torch.unsqueeze(x, axis)


def squeeze(x, /, axis):
    """Without dimensions of size 1. Errors: ValueError for another size."""
    axes = (axis,) if isinstance(axis, int) else tuple(axis)
    for a in axes:
        if x.shape[a] != 1:
            raise ValueError(f"squeeze(): dimension {a} has size {x.shape[a]}, not 1")
    return torch.squeeze(x, axes) if axes else x


def flip(x, /, *, axis=None):
    """In the opposite order along some dimensions; None: all."""
    if axis is None:
        axis = tuple(range(x.dim()))
    return torch.flip(x, (axis,) if isinstance(axis, int) else tuple(axis))


def moveaxis(x, source, destination, /):
    """With dimensions elsewhere."""
    return torch.moveaxis(x, source, destination)


def permute_dims(x, /, axes):
    """With its dimensions in another order."""
    return torch.permute(x, tuple(axes))


def repeat(x, repeats, /, *, axis=None):
    """Each element several times."""
    if axis is None:
        x, axis = x.reshape(-1), 0
    if isinstance(repeats, (tuple, list)):
        repeats = torch.tensor(repeats, dtype=torch.int64, device=x.device)
    if isinstance(repeats, Tensor):
        repeats = repeats.to(torch.int64)
    return torch.repeat_interleave(x, repeats, axis)


def reshape(x, /, shape, *, copy=None):
    """With other sizes. copy=False: a view, or that is a ValueError."""
    shape = tuple(shape)
    if copy is None:
        return torch.reshape(x, shape)
    if copy:
        return torch.reshape(x.clone(), shape)
    try:
        return x.view(shape)
    except RuntimeError as error:
        raise ValueError(f"reshape(): {error}") from None


def roll(x, /, shift, *, axis=None):
    """Elements moved along dimensions, the last ones to the front; None: as one row."""
    return torch.roll(x, shift) if axis is None else torch.roll(x, shift, axis)


def take(x, indices, /, *, axis=None):
    """Elements at positions of one dimension."""
    if axis is None:
        if x.dim() != 1:
            raise ValueError(f"take(): which axis of {x.dim()}?")
        axis = 0
    return torch.index_select(x, axis, indices.to(torch.int64))


def tile(x, repetitions, /):
    """The array several times, along each dimension."""
    repetitions = tuple(repetitions)
    if math.prod(repetitions) == 0:
        repetitions = (1,) * (x.dim() - len(repetitions)) + repetitions
        sizes = (1,) * (len(repetitions) - x.dim()) + tuple(x.shape)
        return torch.empty([a * b for a, b in zip(sizes, repetitions)], dtype=x.dtype, device=x.device)
    return torch.tile(x, repetitions)
