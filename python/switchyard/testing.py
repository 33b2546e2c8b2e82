"""Comparisons for tests."""

from switchyard import _core
from switchyard._core import Tensor

_TOLERANCES = {  # by dtype: relative, absolute; PyTorch's
    "float16": (1e-3, 1e-5), "bfloat16": (1.6e-2, 1e-5), "float32": (1.3e-6, 1e-5),
    "float64": (1e-7, 1e-7), "complex64": (1.3e-6, 1e-5), "complex128": (1e-7, 1e-7)}


def assert_close(actual, expected, *, rtol=None, atol=None, equal_nan=False, check_device=True,
                 check_dtype=True, check_layout=True, check_stride=False, msg=None):
    """Raises AssertionError unless all elements are close, and sizes, dtype and device the same."""
    if isinstance(actual, dict) and isinstance(expected, dict):
        if actual.keys() != expected.keys():
            raise AssertionError(f"the keys differ: {sorted(actual)} and {sorted(expected)}")
        pairs = [(actual[k], expected[k]) for k in actual]
    elif isinstance(actual, (list, tuple)) and isinstance(expected, (list, tuple)):
        if len(actual) != len(expected):
            raise AssertionError(f"the lengths differ: {len(actual)} and {len(expected)}")
        pairs = list(zip(actual, expected))
    else:
        pairs = None
    options = {"rtol": rtol, "atol": atol, "equal_nan": equal_nan, "check_device": check_device,
               "check_dtype": check_dtype, "check_stride": check_stride, "msg": msg}
    if pairs is not None:
        for a, e in pairs:
            assert_close(a, e, **options)
        return
    a = actual if isinstance(actual, Tensor) else _core._tensor(actual, None)
    e = expected if isinstance(expected, Tensor) else _core._tensor(expected, None)
    for what, x, y in (("sizes", a.shape, e.shape),
                       ("dtypes", a.dtype, e.dtype) if check_dtype else ("", 0, 0),
                       ("devices", a.device, e.device) if check_device else ("", 0, 0),
                       ("strides", a.stride(), e.stride()) if check_stride else ("", 0, 0)):
        if x != y:
            raise AssertionError(msg or f"the {what} differ: {x} and {y}")
    if a.dtype != e.dtype:
        common = _core.promote_types(a.dtype, e.dtype)
        a, e = a.to(common), e.to(common)
    e = e.to(a.device)
    name = repr(a.dtype).removeprefix("torch.")
    default = _TOLERANCES.get(name, (0, 0))
    rtol, atol = default[0] if rtol is None else rtol, default[1] if atol is None else atol
    close = _core.call("isclose", a, e, rtol, atol, equal_nan)
    if not close.all():
        wrong = close.numel() - int(close.sum())
        worst = (a.detach() - e.detach()).abs().max().item() if a.dtype.is_floating_point else ""
        raise AssertionError(msg or f"{wrong} of {close.numel()} elements are not close "
                             f"(rtol {rtol}, atol {atol}); the largest difference is {worst}")
