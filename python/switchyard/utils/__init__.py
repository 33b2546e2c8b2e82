"""utils.checkpoint and utils.dlpack, under PyTorch's names."""

from switchyard.utils import dlpack  # noqa: F401


def __getattr__(name):
    if name != "checkpoint":
        raise AttributeError(f"module 'switchyard.utils' has no attribute {name!r}")
    return __import__("switchyard.utils.checkpoint", fromlist=[name])
