"""Windows, symmetric unless sym=False, for which they are the first M elements of one of M + 1.

Source: torch/signal/windows/windows.py, whose names, arguments and refusals these are.
"""

import math

from switchyard import _core


def _size(name, M, sym, dtype, layout):
    """dtype and how many elements the symmetric window has."""
    dtype = _core.get_default_dtype() if dtype is None else dtype
    if M < 0:
        raise ValueError(f"{name} requires non-negative window length, got M={M}")
    if layout is not None and layout is not _core.strided:
        raise ValueError(f"{name} is implemented for strided tensors only, got: {layout}")
    if dtype is not _core.float32 and dtype is not _core.float64:
        raise ValueError(f"{name} expects float32 or float64 dtypes, got: {dtype}")
    return dtype, M if sym or M <= 1 else M + 1


def _made(M, values, requires_grad):
    values = values.narrow(0, 0, M).contiguous()
    return values.requires_grad_() if requires_grad else values


def _ramp(size, start, step, dtype, device):
    """start, start + step, …"""
    return _core.call("linspace", start, start + (size - 1) * step, size, dtype=dtype,
                      device=device)


def exponential(M, *, center=None, tau=1.0, sym=True, dtype=None, layout=None, device=None,
                requires_grad=False):
    """exp(-|n - center| / tau)."""
    dtype, size = _size("exponential", M, sym, dtype, layout)
    if tau <= 0:
        raise ValueError(f"Tau must be positive, got: {tau} instead.")
    if sym and center is not None:
        raise ValueError("Center must be None for symmetric windows")
    if M == 0:
        return _made(0, _core.call("empty", (0,), dtype=dtype, device=device), requires_grad)
    center = (size - 1) / 2 if center is None else center
    n = _ramp(M, -center / tau, 1 / tau, dtype, device)
    return _made(M, (-n.abs()).exp(), requires_grad)


def cosine(M, *, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    """sin(pi (n + 1/2) / M)."""
    dtype, size = _size("cosine", M, sym, dtype, layout)
    if M == 0:
        return _made(0, _core.call("empty", (0,), dtype=dtype, device=device), requires_grad)
    step = math.pi / size
    return _made(M, _ramp(M, 0.5 * step, step, dtype, device).sin(), requires_grad)


def gaussian(M, *, std=1.0, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    """exp(-(n / std)^2 / 2), n from the middle."""
    dtype, size = _size("gaussian", M, sym, dtype, layout)
    if std <= 0:
        raise ValueError(f"Standard deviation must be positive, got: {std} instead.")
    if M == 0:
        return _made(0, _core.call("empty", (0,), dtype=dtype, device=device), requires_grad)
    step = 1 / (std * math.sqrt(2))
    n = _ramp(M, -(size - 1) / 2 * step, step, dtype, device)
    return _made(M, (-n.square()).exp(), requires_grad)


def kaiser(M, *, beta=12.0, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    """I0(beta sqrt(1 - x^2)) / I0(beta), x from -1 to 1."""
    dtype, size = _size("kaiser", M, sym, dtype, layout)
    if beta < 0:
        raise ValueError(f"beta must be non-negative, got: {beta} instead.")
    if M <= 1:
        return _made(M, _core.call("ones", (M,), dtype=dtype, device=device), requires_grad)
    if beta == 0:
        return _made(M, _core.call("ones", (M,), dtype=dtype, device=device), requires_grad)
    n = _ramp(M, -beta, 2 * beta / (size - 1), dtype, device)
    squares = (beta * beta - n.square()).clamp(min=0)
    top = _core.call("full", (), beta, dtype=dtype, device=device)
    return _made(M, squares.sqrt().i0() / top.i0(), requires_grad)


def _general_cosine(name, M, a, sym, dtype, layout, device, requires_grad):
    dtype, size = _size(name, M, sym, dtype, layout)
    if M <= 1:
        return _made(M, _core.call("ones", (M,), dtype=dtype, device=device), requires_grad)
    n = _ramp(M, 0.0, 2 * math.pi / (size - 1), dtype, device)
    terms = [(n * k).cos() * (-x if k % 2 else x) for k, x in enumerate(a)]
    values = terms[0]
    for term in terms[1:]:
        values = values + term
    return _made(M, values, requires_grad)


def general_cosine(M, *, a, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    """The sum of (-1)^k a[k] cos(2 pi k n / (M - 1))."""
    if not isinstance(a, (list, tuple)):
        raise TypeError("Coefficients must be a list/tuple")
    if not a:
        raise ValueError("Coefficients cannot be empty")
    return _general_cosine("general_cosine", M, a, sym, dtype, layout, device, requires_grad)


def general_hamming(M, *, alpha=0.54, sym=True, dtype=None, layout=None, device=None,
                    requires_grad=False):
    """alpha - (1 - alpha) cos(2 pi n / (M - 1))."""
    return general_cosine(M, a=[alpha, 1 - alpha], sym=sym, dtype=dtype, layout=layout,
                          device=device, requires_grad=requires_grad)


def hamming(M, *, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    """general_hamming of 0.54."""
    return general_hamming(M, sym=sym, dtype=dtype, layout=layout, device=device,
                           requires_grad=requires_grad)


def hann(M, *, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    """general_hamming of 0.5."""
    return general_hamming(M, alpha=0.5, sym=sym, dtype=dtype, layout=layout, device=device,
                           requires_grad=requires_grad)


def blackman(M, *, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    """general_cosine of 0.42, 0.5, 0.08."""
    _size("blackman", M, sym, dtype, layout)
    return general_cosine(M, a=[0.42, 0.5, 0.08], sym=sym, dtype=dtype, layout=layout,
                          device=device, requires_grad=requires_grad)


def nuttall(M, *, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    """Nuttall's window of four terms."""
    return general_cosine(M, a=[0.3635819, 0.4891775, 0.1365995, 0.0106411], sym=sym, dtype=dtype,
                          layout=layout, device=device, requires_grad=requires_grad)


def bartlett(M, *, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    """A triangle that begins and ends with 0."""
    dtype, size = _size("bartlett", M, sym, dtype, layout)
    if M <= 1:
        return _made(M, _core.call("ones", (M,), dtype=dtype, device=device), requires_grad)
    n = _ramp(M, -1.0, 2 / (size - 1), dtype, device)
    return _made(M, 1 - n.abs(), requires_grad)
