"""Forward mode: tangents that go along with values.

    with dual_level():
        y, tangent = unpack_dual(f(make_dual(x, v)))
"""

from collections import namedtuple

from switchyard import _core
from switchyard._core import Tensor
from switchyard._modes import _wraps

UnpackedDualTensor = namedtuple("UnpackedDualTensor", ("primal", "tangent"))
UnpackedDualTensor.__doc__ = "What unpack_dual gives: a primal, and its tangent or None."


def enter_dual_level():
    """Begins a level, and returns its number. Levels nest."""
    return _core._enter_dual()


def exit_dual_level(*, level=None):
    """Ends the innermost level; dual tensors of it cannot be used any more."""
    _core._exit_dual(-1 if level is None else level)


class dual_level:
    """A level inside `with`, or inside a function that it decorates."""

    def __enter__(self):
        self._level = enter_dual_level()
        return self._level

    def __exit__(self, *error):
        exit_dual_level(level=self._level)

    def __call__(self, f):
        return _wraps(dual_level, f)


def make_dual(tensor, tangent, *, level=None):
    """A tensor that looks like `tensor` and carries the tangent, of the innermost level."""
    return _core._make_dual(tensor, tangent)


def unpack_dual(tensor, *, level=None):
    """The primal, and the tangent or None, at the innermost level."""
    if not isinstance(tensor, Tensor):
        return UnpackedDualTensor(tensor, None)
    return UnpackedDualTensor(*_core._unpack_dual(tensor))
