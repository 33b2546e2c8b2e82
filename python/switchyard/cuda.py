"""NVIDIA's GPUs."""

from switchyard import _core


def device_count():
    """How many there are; 0 without a driver."""
    try:
        return _core._device_count("cuda")
    except RuntimeError:
        return 0


def is_available():
    """Whether there is one."""
    return device_count() > 0


def current_device():
    """The number of the one that calls go to."""
    return _core._current_device("cuda")


def set_device(device):
    """Makes later calls of this thread go to another one."""
    _core._set_device(_core.device("cuda", device) if isinstance(device, int) else device)


def synchronize(device=None):
    """Waits until all that was asked of it is done."""
    _core._synchronize("cuda" if device is None else device)


def manual_seed(seed):
    """Seeds all generators."""
    _core.manual_seed(seed)


manual_seed_all = manual_seed
