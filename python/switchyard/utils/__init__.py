"""utils.dlpack, under PyTorch's name."""

from switchyard.utils import dlpack  # noqa: F401
