"""The accelerator of this machine, whichever it is."""

from switchyard import _core


def is_available():
    """Whether there is one."""
    return _core._has_accelerator()


def current_accelerator(check_available=False):
    """Its device, without a number; None where there is none."""
    return _core.device(_core._current_accelerator().type) if is_available() else None


def device_count():
    """How many of its kind."""
    return _core._device_count(_core._current_accelerator().type) if is_available() else 0


def current_device_index():
    """The number of the one that calls go to."""
    return _core._current_device(_core._current_accelerator().type)


def set_device_index(index):
    """Makes later calls of this thread go to another one."""
    _core._set_device(_core.device(_core._current_accelerator().type, index))


def synchronize(device=None):
    """Waits until all that was asked of it is done."""
    _core._synchronize(_core._current_accelerator() if device is None else device)
