"""Types by the names that PyTorch's annotations use."""

from switchyard._core import Generator, Size, Tensor, device, dtype, layout  # noqa: F401

_dtype = dtype
_size = Size | list | tuple
Number = int | float | bool
Device = device | str | int | None
