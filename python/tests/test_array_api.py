"""switchyard.array_api beside array-api-strict, over what hypothesis thinks of.

Both compute each function of the same arrays: dtypes and sizes are equal, values nearly.
"""

import math

import pytest
import switchyard as torch
import switchyard.array_api as xp

numpy = pytest.importorskip("numpy")

NAMES = """abs acos acosh add all any arange argmax argmin argsort asarray asin asinh astype atan atan2
atanh bitwise_and bitwise_invert bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor
broadcast_arrays broadcast_to can_cast ceil clip concat conj copysign cos cosh cumulative_sum divide
empty empty_like equal exp expand_dims expm1 eye finfo flip floor floor_divide from_dlpack full
full_like greater greater_equal hypot iinfo imag isdtype isfinite isinf isnan less less_equal
linspace log log10 log1p log2 logaddexp logical_and logical_not logical_or logical_xor matmul
matrix_transpose max maximum mean meshgrid min minimum moveaxis multiply negative nonzero not_equal
ones ones_like permute_dims positive pow prod real remainder repeat reshape result_type roll round
searchsorted sign signbit sin sinh sort sqrt square squeeze stack std subtract sum take tan tanh
tensordot tile tril triu trunc unique_all unique_counts unique_inverse unique_values unstack var
vecdot where zeros zeros_like bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64
complex64 complex128 e inf nan newaxis pi __array_namespace_info__""".split()
LINALG = """cholesky cross det diagonal eigh eigvalsh inv matmul matrix_norm matrix_power matrix_rank
matrix_transpose outer pinv qr slogdet solve svd svdvals tensordot trace vecdot vector_norm""".split()
FFT = """fft fftfreq fftn fftshift hfft ifft ifftn ifftshift ihfft irfft irfftn rfft rfftfreq
rfftn""".split()


def test_every_name_of_the_standard_is_there():
    assert [n for n in NAMES if not hasattr(xp, n)] == []
    assert [n for n in LINALG if not hasattr(xp.linalg, n)] == []
    assert [n for n in FFT if not hasattr(xp.fft, n)] == []
    x = torch.ones(2)
    assert x.__array_namespace__() is xp and x.__array_namespace__(api_version="2023.12") is xp
    with pytest.raises(ValueError):
        x.__array_namespace__(api_version="2019.01")
    assert x.to_device("cpu") is x


def test_promotion_does_not_ask_for_dimensions():
    one, many = xp.asarray(1, dtype=xp.int64), xp.ones(2, dtype=xp.int8)
    assert xp.add(one, many).dtype is xp.int64 and (one + many).dtype is xp.int8
    assert xp.result_type(xp.uint8, xp.int8) is xp.int16
    assert xp.result_type(xp.uint32, xp.int16) is xp.int64
    assert xp.result_type(xp.float64, xp.complex64) is xp.complex128
    for a, b in ((xp.uint64, xp.int8), (xp.int64, xp.float32), (xp.bool, xp.int8)):
        with pytest.raises(TypeError):
            xp.result_type(a, b)


def test_the_namespace_says_what_it_has():
    info = xp.__array_namespace_info__()
    assert info.capabilities() == {"boolean indexing": True, "data-dependent shapes": True}
    assert info.default_device() in info.devices()
    assert info.default_dtypes()["integral"] is xp.int64
    assert info.dtypes(kind="real floating") == {"float32": xp.float32, "float64": xp.float64}
    assert len(info.dtypes()) == 13


def test_buffers_are_of_numbers():
    import array
    assert xp.asarray(array.array("i", [1, 2])).tolist() == [1, 2]
    assert xp.asarray(array.array("i", [1, 2]), dtype=xp.float64).tolist() == [1.0, 2.0]
    assert torch.asarray(array.array("i", [1, 2]), dtype=torch.int16).tolist() == [1, 0, 2, 0]


def test_refusals():
    for wrong in (lambda: xp.arange(0, 1, 0), lambda: xp.squeeze(xp.ones((2, 1)), 0),
                  lambda: xp.take(xp.ones((2, 2)), xp.asarray([0])),
                  lambda: xp.reshape(xp.ones((2, 2)).T, (4,), copy=False),
                  lambda: xp.nonzero(xp.asarray(1)), lambda: xp.cumulative_sum(xp.ones((2, 2))),
                  lambda: xp.isdtype(xp.int8, "whole"), lambda: xp.result_type(),
                  lambda: xp.linalg.cross(xp.ones(2), xp.ones(2))):
        with pytest.raises(ValueError):
            wrong()
    for wrong in (lambda: xp.astype(xp.ones(1, dtype=xp.complex64), xp.float32),
                  lambda: xp.zeros(xp.asarray([1]))):
        with pytest.raises(TypeError):
            wrong()


# --- Beside the oracle.

hypothesis = pytest.importorskip("hypothesis", reason="properties are hypothesis's")
strict = pytest.importorskip("array_api_strict", reason="the oracle is array-api-strict")
from hypothesis import given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402
from hypothesis.extra import numpy as np_st  # noqa: E402

strict.set_array_api_strict_flags(api_version="2023.12")
# uint64 is in UINT64's functions alone.
INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32"]
REALS = ["float32", "float64"]
COMPLEXES = ["complex64", "complex128"]
NUMBERS = INTEGERS + REALS + COMPLEXES
ALL = ["bool"] + NUMBERS
SIZES = np_st.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4)


def elements(dtype):
    if dtype == "bool":
        return st.booleans()
    if dtype.startswith("complex"):
        part = st.floats(-8, 8, width=32, allow_subnormal=False)
        return st.builds(complex, part, part)
    if dtype.startswith("float"):
        return st.floats(-8, 8, width=32, allow_subnormal=False) | st.sampled_from(
            [math.inf, -math.inf, math.nan, 0.0, -0.0])
    info = numpy.iinfo(dtype)
    return st.integers(max(-20, info.min), 20)


def arrays(dtypes, sizes=SIZES, of=elements):
    return st.sampled_from(dtypes).flatmap(lambda d: np_st.arrays(d, sizes, elements=of(d)))


def both(name, *args, module=None, **keywords):
    """What each says, as arrays of NumPy: arrays in the arguments are made each's own."""
    found = []
    for space in (strict, xp):
        def own(a, space=space):
            if isinstance(a, numpy.ndarray):
                return space.asarray(a)
            return type(a)(map(own, a)) if type(a) in (tuple, list) else a
        of = getattr(space if module is None else getattr(space, module), name)
        with numpy.errstate(all="ignore"):
            found.append(of(*map(own, args), **{k: own(v) for k, v in keywords.items()}))
    return found


def same(expected, got, tolerance=1e-4):
    if isinstance(expected, (tuple, list)):
        assert len(expected) == len(got)
        for e, g in zip(expected, got):
            same(e, g, tolerance)
        return
    e, g = numpy.asarray(expected._array), numpy.asarray(got)
    assert (str(e.dtype), e.shape) == (str(g.dtype), g.shape)
    if e.dtype.kind in "biu":
        numpy.testing.assert_array_equal(e, g)
    else:
        numpy.testing.assert_allclose(e, g, rtol=tolerance, atol=tolerance)


def examples(n=25):
    return settings(max_examples=n, deadline=None, derandomize=True, database=None)


UNARY = {name: dtypes for names, dtypes in [
    ("abs square negative positive sign", NUMBERS), ("ceil floor trunc", INTEGERS + REALS),
    ("round", INTEGERS + REALS), ("isfinite isinf isnan", NUMBERS), ("signbit", REALS),
    ("logical_not", ["bool"]), ("bitwise_invert", ["bool"] + INTEGERS), ("conj real imag", COMPLEXES),
    ("acos acosh asin asinh atan atanh cos cosh exp expm1 log log1p log2 log10 sin sinh sqrt tan "
     "tanh", REALS + COMPLEXES)] for name in names.split()}


@pytest.mark.parametrize("name", UNARY)
@examples()
@given(st.data())
def test_functions_of_one_array(name, data):
    x = data.draw(arrays([d for d in UNARY[name] if not (name in ("negative",) and d[0] == "u")]))
    if name == "sign" and x.dtype.kind == "c":
        x[x == 0] = 1
    same(*both(name, x))


BINARY = {name: dtypes for names, dtypes in [
    ("add multiply subtract equal not_equal", NUMBERS), ("atan2 copysign hypot logaddexp", REALS),
    ("divide", REALS), ("maximum minimum", INTEGERS + REALS),
    ("greater greater_equal less less_equal", INTEGERS + REALS),
    ("logical_and logical_or logical_xor", ["bool"]),
    ("bitwise_and bitwise_or bitwise_xor", ["bool"] + INTEGERS),
    ("bitwise_left_shift bitwise_right_shift", INTEGERS),
    ("floor_divide remainder", INTEGERS + REALS), ("pow", INTEGERS + REALS)] for name in names.split()}


def few(name):
    def of(dtype):
        if dtype[0] in "ui":
            return st.integers(1, 3) if name in ("floor_divide", "remainder") else st.integers(0, 3)
        if name in ("pow", "floor_divide", "remainder", "copysign", "atan2"):
            return st.floats(0.5, 3, width=32)
        return elements(dtype)
    return of


@pytest.mark.parametrize("name", BINARY)
@examples()
@given(st.data())
def test_functions_of_two_arrays(name, data):
    kinds = {"b": "bool", "i": "integer", "u": "integer", "f": "real", "c": "complex"}
    a, b = data.draw(np_st.mutually_broadcastable_shapes(num_shapes=2, max_dims=3, max_side=4)).input_shapes
    pair = st.tuples(st.sampled_from(BINARY[name]), st.sampled_from(BINARY[name])).filter(
        lambda p: (kinds[numpy.dtype(p[0]).kind] == kinds[numpy.dtype(p[1]).kind]) and not (
            "uint64" in p and "i" in (numpy.dtype(p[0]).kind + numpy.dtype(p[1]).kind)))
    of_a, of_b = data.draw(pair)
    base = few(name) if name == "pow" or "divide" in name or name == "remainder" else elements
    x = data.draw(np_st.arrays(of_a, a, elements=base(of_a)))
    y = data.draw(np_st.arrays(of_b, b, elements=few(name)(of_b)))
    same(*both(name, x, y))


REDUCTIONS = {"sum": NUMBERS, "prod": NUMBERS, "mean": REALS, "max": INTEGERS + REALS,
              "min": INTEGERS + REALS, "all": ALL, "any": ALL, "std": REALS, "var": REALS}


@pytest.mark.parametrize("name", REDUCTIONS)
@examples(40)
@given(st.data())
def test_reductions(name, data):
    finite = (lambda d: st.floats(-4, 4, width=32) if d[0] == "f" else elements(d))
    least = 1 if name in ("max", "min", "mean", "std", "var") else 0
    x = data.draw(arrays(REDUCTIONS[name], np_st.array_shapes(
        min_dims=0, max_dims=3, min_side=least, max_side=4), finite))
    axes = st.none() | st.just(())
    if x.ndim:
        axes |= st.integers(-x.ndim, x.ndim - 1) | np_st.valid_tuple_axes(x.ndim)
    keywords = {"axis": data.draw(axes), "keepdims": data.draw(st.booleans())}
    same(*both(name, x, **keywords), tolerance=1e-3)


@pytest.mark.parametrize("name", ["argmax", "argmin"])
@examples()
@given(st.data())
def test_positions_of_extremes(name, data):
    x = data.draw(arrays(INTEGERS + REALS, np_st.array_shapes(min_dims=1, max_dims=3, max_side=4)))
    axis = data.draw(st.none() | st.integers(-x.ndim, x.ndim - 1))
    same(*both(name, x, axis=axis, keepdims=data.draw(st.booleans())))


@examples(40)
@given(st.data())
def test_order(data):
    x = data.draw(arrays(INTEGERS + REALS, np_st.array_shapes(min_dims=1, max_dims=3, max_side=5)))
    keywords = {"axis": data.draw(st.integers(-x.ndim, x.ndim - 1)),
                "descending": data.draw(st.booleans())}
    if x.dtype.kind == "f":
        x = numpy.nan_to_num(x) + 0.0  # the standard leaves NaNs' and zeros' order open
    same(*both("sort", x, **keywords))
    same(*both("argsort", x, **keywords))


@examples(40)
@given(arrays(ALL, np_st.array_shapes(min_dims=1, max_dims=2, min_side=0, max_side=6)))
def test_elements_once(x):
    x = x + 0 if x.dtype.kind in "fc" else x
    expected, got = both("unique_all", x)
    if x.dtype.kind not in "fc" or not numpy.isnan(x).any():
        same(tuple(expected), tuple(got))
        same(*map(tuple, both("unique_counts", x)))
        same(*map(tuple, both("unique_inverse", x)))
        same(*both("unique_values", x))
    else:
        assert got.values.shape == expected.values.shape


@examples(40)
@given(st.data())
def test_sizes_and_places(data):
    x = data.draw(arrays(ALL, np_st.array_shapes(min_dims=1, max_dims=3, min_side=1, max_side=4)))
    axis = data.draw(st.integers(-x.ndim, x.ndim - 1))
    draw = data.draw
    same(*both("flip", x, axis=draw(st.none() | st.just(axis))))
    same(*both("roll", x, draw(st.integers(-5, 5)), axis=draw(st.none() | st.just(axis))))
    same(*both("expand_dims", x, axis=axis))
    same(*both("concat", (x, x), axis=draw(st.none() | st.just(axis))))
    same(*both("stack", [x, x], axis=axis))
    same(*both("unstack", x, axis=axis))
    same(*both("moveaxis", x, axis, 0))
    same(*both("permute_dims", x, tuple(draw(st.permutations(range(x.ndim))))))
    same(*both("repeat", x, draw(st.integers(0, 3)), axis=draw(st.none() | st.just(axis))))
    same(*both("tile", x, tuple(draw(st.lists(st.integers(0, 2), max_size=4)))))
    same(*both("reshape", x, (-1,)))
    same(*both("broadcast_to", x, (2, *x.shape)))
    same(*both("take", x, numpy.array(draw(st.lists(st.integers(0, x.shape[axis] - 1)))).astype("i8"),
               axis=axis))
    if x.ndim > 1:
        k = draw(st.integers(-4, 4))
        same(*both("tril", x, k=k))
        same(*both("triu", x, k=k))
        same(*both("matrix_transpose", x))
        same(*both("diagonal", x, offset=max(-x.shape[-2] + 1, min(k, x.shape[-1] - 1)),
                   module="linalg"))
    same(*both("nonzero", x))
    same(*both("where", x.astype(bool), x, x[:1]))


@examples(30)
@given(st.data())
def test_sums_up_to_each_element(data):
    x = data.draw(arrays(INTEGERS, np_st.array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=4)))
    axis = data.draw(st.integers(-x.ndim, x.ndim - 1))
    same(*both("cumulative_sum", x, axis=axis, include_initial=data.draw(st.booleans())))


@examples(30)
@given(st.data())
def test_bounds(data):
    x = data.draw(arrays(REALS, of=lambda d: st.floats(-9, 9, width=32)))
    low, high = sorted((data.draw(st.integers(-5, 5)), data.draw(st.integers(-5, 5))))
    same(*both("clip", x, low, high))
    same(*both("clip", x, numpy.asarray(low, x.dtype), None))
    same(*both("clip", x, None, numpy.asarray(high, x.dtype)))


@examples(30)
@given(st.data())
def test_places_in_order(data):
    x = numpy.sort(data.draw(arrays(INTEGERS, st.tuples(st.integers(0, 6)))))
    y = data.draw(np_st.arrays(x.dtype, st.tuples(st.integers(0, 5)), elements=elements(str(x.dtype))))
    side = data.draw(st.sampled_from(["left", "right"]))
    same(*both("searchsorted", x, y, side=side))
    order = numpy.arange(len(x))[::-1].copy()
    same(*both("searchsorted", x[::-1].copy(), y, side=side, sorter=order))


@examples(30)
@given(st.data())
def test_making(data):
    draw = data.draw
    dtype = draw(st.sampled_from(NUMBERS))
    sizes = draw(SIZES)
    for name in ("zeros", "ones"):
        a, b = getattr(strict, name), getattr(xp, name)
        same(a(sizes, dtype=getattr(strict, dtype)), b(sizes, dtype=getattr(xp, dtype)))
    same(strict.full(sizes, 3, dtype=getattr(strict, dtype)), xp.full(sizes, 3, dtype=getattr(xp, dtype)))
    n, m, k = draw(st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(-5, 5)))
    same(strict.eye(n, m, k=k, dtype=getattr(strict, dtype)), xp.eye(n, m, k=k, dtype=getattr(xp, dtype)))
    start, stop = draw(st.integers(-9, 9)), draw(st.integers(-9, 9))
    step = draw(st.integers(-3, 3).filter(bool))
    same(strict.arange(start, stop, step), xp.arange(start, stop, step))
    num, end = draw(st.integers(0, 7)), draw(st.booleans())
    same(strict.linspace(start, stop, num, endpoint=end, dtype=strict.float64),
         xp.linspace(start, stop, num, endpoint=end, dtype=xp.float64))
    rows, columns = numpy.arange(n), numpy.arange(m)
    for indexing in ("xy", "ij"):
        same(*both("meshgrid", rows, columns, indexing=indexing))


@pytest.mark.parametrize("dtype", REALS + COMPLEXES)
@examples(15)
@given(st.data())
def test_linear_algebra(dtype, data):
    n = data.draw(st.integers(1, 4))
    batch = data.draw(np_st.array_shapes(min_dims=0, max_dims=1, min_side=1, max_side=2))
    base = data.draw(np_st.arrays(dtype, (*batch, n, n), elements=elements(dtype).filter(
        lambda x: numpy.isfinite(x))))
    x = base + 40 * numpy.eye(n, dtype=dtype)  # far from singular
    hermitian = x + numpy.conj(numpy.swapaxes(x, -1, -2))
    b = data.draw(np_st.arrays(dtype, (*batch, n, 2), elements=st.just(1) | st.just(-2)))
    for name in ("det", "inv", "svdvals", "matrix_norm", "pinv", "matrix_rank", "trace", "vector_norm"):
        same(*both(name, x, module="linalg"), tolerance=2e-2 if name == "det" else 1e-3)
    for name in ("cholesky", "eigvalsh"):
        same(*both(name, hermitian, module="linalg"), tolerance=1e-3)
    same(*both("solve", x, b, module="linalg"), tolerance=1e-3)
    same(*both("matmul", x, b), tolerance=1e-3)
    same(*both("vecdot", x, x, module="linalg"), tolerance=1e-3)
    same(*both("tensordot", x, b, axes=((-1,), (-2,))), tolerance=1e-3)
    same(*both("matrix_power", x / 40, 3, module="linalg"), tolerance=1e-3)
    same(*both("outer", x[(0,) * (x.ndim - 1)], b[(0,) * (b.ndim - 1)], module="linalg"))
    same(tuple(both("slogdet", x, module="linalg")[0]), tuple(both("slogdet", x, module="linalg")[1]), 1e-3)
    q, r = xp.linalg.qr(xp.asarray(x))
    numpy.testing.assert_allclose(numpy.asarray(q @ r), x, rtol=1e-3, atol=1e-3)
    u, s, vh = xp.linalg.svd(xp.asarray(x))
    numpy.testing.assert_allclose(numpy.asarray((u * s[..., None, :].to(u.dtype)) @ vh), x, rtol=1e-3,
                                  atol=1e-3)


@pytest.mark.parametrize("name", ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft", "fftn", "ifftn",
                                  "rfftn", "irfftn"])
@examples(30)
@given(st.data())
def test_transforms(name, data):
    real = name in ("rfft", "ihfft", "rfftn")
    x = data.draw(arrays(REALS if real else COMPLEXES, np_st.array_shapes(
        min_dims=1, max_dims=2, min_side=2, max_side=6),
        lambda d: st.floats(-4, 4, width=32) if d[0] == "f" else elements(d)))
    norm = data.draw(st.sampled_from(["backward", "ortho", "forward"]))
    keywords = {"norm": norm}
    if name[-1] == "n":
        keywords["axes"] = tuple(range(x.ndim))
    else:
        keywords["axis"] = data.draw(st.integers(-x.ndim, x.ndim - 1))
        keywords["n"] = data.draw(st.none() | st.integers(2, 8))
    same(*both(name, x, module="fft", **keywords), tolerance=1e-3)
    for shift in ("fftshift", "ifftshift"):
        same(*both(shift, x, module="fft"))
