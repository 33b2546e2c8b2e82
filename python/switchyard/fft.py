"""Fourier transforms: the registry's operators whose names begin with fft_."""

from switchyard import _core, _docs


def __getattr__(name):
    found = None if name.startswith("__") else _docs.function("fft_" + name)
    if found is None:
        raise AttributeError(f"module 'switchyard.fft' has no attribute {name!r}")
    globals()[name] = found
    return found


_docs.has_operators(__name__)


def __dir__():
    return sorted({*globals(), *(n.removeprefix("fft_") for n in _core.operator_names()
                                 if n.startswith("fft_"))})
