"""Looking for nan in backward: slow, for finding mistakes."""

from _thread import _local

from switchyard import _core
from switchyard._modes import _wraps

_state = _local()


def is_anomaly_enabled():
    """Whether this thread is inside detect_anomaly, or has asked for it."""
    return getattr(_state, "now", (False, True))[0]


def is_anomaly_check_nan_enabled():
    """Whether that looks for nan."""
    return getattr(_state, "now", (False, True))[1]


def _set(mode, check_nan):
    before = (is_anomaly_enabled(), is_anomaly_check_nan_enabled())
    _state.now = (mode, check_nan)
    _core._set_anomaly(mode and check_nan)
    return before


class set_detect_anomaly:
    """Backward stops, or no longer, at the first formula that gives nan, with an error that names
    the operator: from here on, or inside `with`."""

    def __init__(self, mode, check_nan=True):
        self._before = _set(bool(mode), bool(check_nan))

    def __enter__(self):
        pass

    def __exit__(self, *error):
        _set(*self._before)


class detect_anomaly:
    """The same inside `with`, or inside a function that it decorates."""

    def __init__(self, check_nan=True):
        self._check_nan = bool(check_nan)
        self._before = []

    def __enter__(self):
        self._before.append(_set(True, self._check_nan))

    def __exit__(self, *error):
        _set(*self._before.pop())

    def __call__(self, f):
        return _wraps(lambda: detect_anomaly(self._check_nan), f)
