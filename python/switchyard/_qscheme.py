"""How integers of quantised tensors stand for numbers, by PyTorch's names."""

from switchyard import _core

_NAMES = ("per_tensor_affine", "per_channel_affine", "per_tensor_symmetric", "per_channel_symmetric",
          "per_channel_affine_float_qparams")


class qscheme(int):
    """What Tensor.qscheme() gives; symmetric ones are told by observers, no tensor has them."""

    __slots__ = ()

    def __repr__(self):
        return "torch." + _NAMES[self]

    __str__ = __repr__

    def __reduce__(self):
        return _of_number, (int(self),)


# By name. There is one object of each: `is` tells them apart. Without `enum`: to import this package
# brings no other module.
MEMBERS = {name: qscheme(i) for i, name in enumerate(_NAMES)}


def _of_number(number):
    return MEMBERS[_NAMES[number]]


def of_tensor(self):
    """How its integers stand for numbers. Of a tensor that is not quantised an error."""
    return _of_number(_core.call("qscheme", self))
