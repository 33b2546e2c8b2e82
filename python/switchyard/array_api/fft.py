"""Fourier transforms of the array API."""

from switchyard import fft as _fft


def fft(x, /, *, n=None, axis=-1, norm="backward"):
    """The transform along one dimension."""
    return _fft.fft(x, n, axis, norm)


def ifft(x, /, *, n=None, axis=-1, norm="backward"):
    """fft's inverse."""
    return _fft.ifft(x, n, axis, norm)


def fftn(x, /, *, s=None, axes=None, norm="backward"):
    """The transform along several dimensions."""
    return _fft.fftn(x, s, axes, norm)


def ifftn(x, /, *, s=None, axes=None, norm="backward"):
    """fftn's inverse."""
    return _fft.ifftn(x, s, axes, norm)


def rfft(x, /, *, n=None, axis=-1, norm="backward"):
    """Of real numbers: the half that says the whole."""
    return _fft.rfft(x, n, axis, norm)


def irfft(x, /, *, n=None, axis=-1, norm="backward"):
    """rfft's inverse."""
    return _fft.irfft(x, n, axis, norm)


def rfftn(x, /, *, s=None, axes=None, norm="backward"):
    """rfft along several dimensions."""
    return _fft.rfftn(x, s, axes, norm)


def irfftn(x, /, *, s=None, axes=None, norm="backward"):
    """rfftn's inverse."""
    return _fft.irfftn(x, s, axes, norm)


def hfft(x, /, *, n=None, axis=-1, norm="backward"):
    """Of a Hermitian signal, by its half."""
    return _fft.hfft(x, n, axis, norm)


def ihfft(x, /, *, n=None, axis=-1, norm="backward"):
    """hfft's inverse."""
    return _fft.ihfft(x, n, axis, norm)


def fftfreq(n, /, *, d=1.0, dtype=None, device=None):
    """The frequencies of fft's elements; d: the time between samples."""
    return _fft.fftfreq(n, d, dtype=dtype, device=device)


def rfftfreq(n, /, *, d=1.0, dtype=None, device=None):
    """The frequencies of rfft's elements."""
    return _fft.rfftfreq(n, d, dtype=dtype, device=device)


def fftshift(x, /, *, axes=None):
    """With frequency 0 in the middle."""
    return _fft.fftshift(x, axes)


def ifftshift(x, /, *, axes=None):
    """fftshift's inverse."""
    return _fft.ifftshift(x, axes)


