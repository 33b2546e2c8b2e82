"""DLPack, as torch.utils.dlpack has it."""

from switchyard._functions import from_dlpack  # noqa: F401


def to_dlpack(tensor):
    """A capsule that shares the tensor's memory; it can be taken once."""
    return tensor.__dlpack__()
