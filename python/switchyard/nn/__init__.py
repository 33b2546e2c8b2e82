"""Functions of neural networks: nn.functional; and the tensors that they are trained on."""

from switchyard import _core
from switchyard._core import Tensor
from switchyard.nn import functional  # noqa: F401

_core._follow_views()


class Parameter(Tensor):
    """A tensor that wants a gradient."""

    def __new__(cls, data, requires_grad=True):
        return Tensor.__new__(cls, data.detach()).requires_grad_(requires_grad)

    @classmethod
    def _rebuilt(cls, t):
        return cls(t, t.requires_grad)

    def __repr__(self):
        return "Parameter containing:\n" + Tensor.__repr__(self)
