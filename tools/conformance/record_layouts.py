#!/usr/bin/env python3
"""Records what PyTorch answers to calls with sparse and quantised tensors.

  tools/conformance/record_layouts.py tests/conformance/layouts      # needs torch

Tensors of other layouts are recorded by the strided tensors that they are held as
(testing/replay/layouts.h). Every call is made of small tensors that a seed gives.
"""

import json
import os
import random
import sys
import warnings

import torch
from record_numbers import Blob, write

DTYPES = [torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64,
          torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.complex64,
          torch.complex128]
INTEGERS = {torch.quint8: torch.uint8, torch.qint8: torch.int8, torch.qint32: torch.int32}


class Layouts(Blob):
    def value(self, v):
        if isinstance(v, torch.Tensor) and v.is_quantized:
            if v.qscheme() == torch.per_tensor_affine:
                return {"quantized": [self.tensor(v.int_repr()), v.q_scale(), v.q_zero_point()]}
            return {"quantized": [self.tensor(v.int_repr()), self.tensor(v.q_per_channel_scales()),
                                  self.tensor(v.q_per_channel_zero_points()),
                                  v.q_per_channel_axis()]}
        if isinstance(v, torch.Tensor) and v.layout == torch.sparse_coo:
            return {"sparse": ["sparse_coo", list(v.shape), self.tensor(v._indices()), None,
                               self.tensor(v._values()), v.is_coalesced()]}
        if isinstance(v, torch.Tensor) and v.layout != torch.strided:
            rows = v.layout in (torch.sparse_csr, torch.sparse_bsr)
            compressed = v.crow_indices() if rows else v.ccol_indices()
            plain = v.col_indices() if rows else v.row_indices()
            return {"sparse": [str(v.layout)[6:], list(v.shape), self.tensor(compressed),
                               self.tensor(plain), self.tensor(v.values()), False]}
        if isinstance(v, torch.dtype) and v in INTEGERS:
            return {"dtype": str(INTEGERS[v])[6:]}
        if isinstance(v, (list, tuple)):
            return [self.value(x) for x in v]
        return super().value(v)


def numbers(rng, shape, dtype, zeros=0.6):
    n = 1
    for s in shape:
        n *= s
    flat = [0 if rng.random() < zeros else rng.choice([-3, -2, -1, 1, 2, 3, 4]) for _ in range(n)]
    if dtype == torch.uint8:
        flat = [abs(x) for x in flat]
    if dtype.is_complex:
        flat = [complex(x, 0 if x == 0 else rng.choice([0, 1, -2])) for x in flat]
    return torch.tensor(flat, dtype=torch.complex128 if dtype.is_complex else torch.float64
                        ).reshape(shape).to(dtype)


def uncoalesced(rng, shape, dtype, sparse_dim=None):
    """Positions in any order, some of them twice."""
    sparse_dim = len(shape) if sparse_dim is None else sparse_dim
    nnz = 0 if 0 in shape else rng.choice([0, 1, 3, 5])
    indices = torch.tensor([[rng.randrange(shape[d]) for _ in range(nnz)]
                            for d in range(sparse_dim)], dtype=torch.int64).reshape(sparse_dim, nnz)
    values = numbers(rng, [nnz] + list(shape[sparse_dim:]), dtype, zeros=0.1)
    return torch.sparse_coo_tensor(indices, values, shape)


def sparse(rng, shape, dtype, layout):
    if layout == "coo":
        return uncoalesced(rng, shape, dtype)
    if layout == "hybrid":
        return uncoalesced(rng, shape, dtype, len(shape) - 1)
    t = numbers(rng, shape, dtype)
    if layout == "coalesced":
        return t.to_sparse()
    if layout == "csr32":
        c = t.to_sparse_csr()
        return torch.sparse_csr_tensor(c.crow_indices().int(), c.col_indices().int(), c.values(),
                                       shape)
    if layout in ("bsr", "bsc"):
        return getattr(t, "to_sparse_" + layout)((1, 2))
    return getattr(t, "to_sparse_" + layout)()


ALL = ["coo", "coalesced", "hybrid", "csr", "csc", "csr32", "bsr", "bsc"]
COO = ["coo", "coalesced", "hybrid"]
MATRICES = ["coo", "coalesced", "csr", "csr32", "csc"]
FLOATS = [torch.float32, torch.float64, torch.complex64]
NUMBERS = [d for d in DTYPES if d != torch.bool]
UNARY = ["abs", "angle", "asin", "asinh", "atan", "atanh", "ceil", "deg2rad", "erf", "erfinv",
         "expm1", "floor", "frac", "isinf", "isnan", "isneginf", "isposinf", "log1p", "nan_to_num",
         "neg", "positive", "rad2deg", "relu", "round", "sgn", "sign", "signbit", "sin", "sinh",
         "sqrt", "tan", "tanh", "trunc", "conj_physical"]


def sparse_calls(rng):
    """(operator, arguments, keywords)."""
    make = lambda layout, dtype=torch.float32, shape=(4, 6): sparse(rng, shape, dtype, layout)
    dense = lambda dtype=torch.float32, shape=(4, 6): numbers(rng, shape, dtype)
    for dtype in DTYPES:
        for layout in ALL:
            yield "to_dense", [make(layout, dtype)], {}
            yield "clone", [make(layout, dtype)], {}
            yield "sum", [make(layout, dtype)], {}
            yield "any", [make(layout, dtype)], {}
        for layout in COO:
            yield "coalesce", [make(layout, dtype)], {}
            yield "sum.dim_IntList", [make(layout, dtype), [0]], {}
            yield "sum.dim_IntList", [make(layout, dtype), [-1], True], {}
            yield "transpose.int", [make("coo", dtype), 0, 1], {}
        for f in ["to_sparse", "to_sparse_csr", "to_sparse_csc"]:
            yield f, [dense(dtype)], {}
            yield f, [dense(dtype, (3, 0))], {}
            yield f, [make("coo", dtype)], {}
        yield "to_sparse.sparse_dim", [dense(dtype), 1], {}
        yield "to_sparse_bsr", [dense(dtype), [2, 3]], {}
        yield "to_sparse_bsc", [dense(dtype), [2, 2]], {}
        yield "add.Tensor", [make("coo", dtype), make("coalesced", dtype)], {}
        yield "add.Tensor", [dense(dtype), make("coo", dtype)], {"alpha": 1}
        yield "mul.Tensor", [make("coalesced", dtype), make("coalesced", dtype)], {}
        yield "mul.Tensor", [make("coo", dtype), dense(dtype)], {}
        yield "mul.Scalar", [make("coo", dtype), 2], {}
        yield "_to_copy", [make("coo", dtype)], {"dtype": torch.float64}
    for dtype in NUMBERS:
        for layout in MATRICES:
            yield "mm", [make(layout, dtype), dense(dtype, (6, 3))], {}
            yield "_sparse_mm", [make(layout, dtype), dense(dtype, (6, 3))], {}
            yield "mm", [make(layout, dtype), sparse(rng, (6, 3), dtype, layout)], {}
            yield "addmm", [dense(dtype, (4, 3)), make(layout, dtype), dense(dtype, (6, 3))], {
                "beta": 2, "alpha": 3}
            yield "mv", [make(layout, dtype), dense(dtype, (6,))], {}
        yield "add.Tensor", [make("csr", dtype), make("csr", dtype)], {"alpha": 2}
        yield "mul.Tensor", [make("csr", dtype), dense(dtype)], {}
        yield "sub.Tensor", [make("coo", dtype), make("coalesced", dtype)], {}
    for name in UNARY:
        for dtype in [torch.int32, torch.float32, torch.float64, torch.complex64]:
            for layout in ["coo", "hybrid", "csr"]:
                yield name, [make(layout, dtype)], {}
    for dtype in FLOATS:
        for layout in ["csr", "csc", "csr32"]:  # csc is refused
            yield "sparse_sampled_addmm", [make(layout, dtype), dense(dtype, (4, 5)),
                                           dense(dtype, (5, 6))], {"beta": 0.5, "alpha": 2.0}
        yield "smm", [make("coo", dtype), dense(dtype, (6, 2))], {}
        yield "hspmm", [make("coo", dtype), dense(dtype, (6, 2))], {}
        yield "sspaddmm", [make("coo", dtype, (4, 2)), make("coo", dtype), dense(dtype, (6, 2))], {}
        yield "_sparse_addmm", [dense(dtype, (4, 2)), make("coo", dtype), dense(dtype, (6, 2))], {}
        yield "bmm", [make("coalesced", dtype, (2, 4, 6)), dense(dtype, (2, 6, 3))], {}
        yield "addmv", [dense(dtype, (4,)), make("csr", dtype), dense(dtype, (6,))], {}
        yield "matmul", [make("coo", dtype), dense(dtype, (6,))], {}
        yield "norm.Scalar", [make("coo", dtype)], {}
        yield "pow.Tensor_Scalar", [make("coo", dtype), 2], {}
        yield "div.Scalar", [make("coo", dtype), 2], {}
        yield "div.Tensor", [make("coo", dtype), torch.tensor(4, dtype=dtype)], {}
        yield "mul.Tensor", [make("hybrid", dtype), torch.tensor(4)], {}
        yield "mul.Tensor", [make("coo", dtype), dense(dtype, (6,))], {}
        yield "mul.Tensor", [make("coo", dtype), dense(dtype, (4, 1))], {}
        yield "sparse_mask", [dense(dtype), make("coalesced")], {}
        yield "sparse_mask", [dense(dtype), make("csr")], {}
        yield "sparse_mask", [make("coo", dtype), make("coalesced")], {}
        yield "_sparse_sum", [make("coo", dtype)], {}
        yield "_sparse_sum.dim", [make("coo", dtype), [0]], {}
        yield "_sparse_sum.dim", [make("hybrid", dtype), [0]], {}
        yield "_sparse_sum.dtype", [make("coo", dtype)], {"dtype": torch.complex128}
        yield "_sparse_sum.dim_dtype", [make("coo", dtype), [1]], {"dtype": torch.complex128}
        yield "sum.dim_IntList", [make("csr", dtype), [1], True], {}
        yield "floor_divide", [make("coo", torch.float32), torch.tensor(2.0)], {}
    for layout in ALL:
        for name in ["_nnz", "sparse_dim", "dense_dim", "zeros_like", "detach", "t"]:
            yield name, [make(layout)], {}
    for layout in COO:
        for name in ["_indices", "_values", "_dimI", "_dimV", "is_coalesced", "_coalesce"]:
            yield name, [make(layout)], {}
        yield "_coalesced_", [make(layout), True], {}
        yield "unsqueeze", [make(layout), 1], {}
        yield "unsqueeze", [make(layout), -1], {}
        yield "select.int", [make(layout), 0, 1], {}
        yield "select.int", [make(layout), 1, -1], {}
        yield "index_select", [make(layout), 0, torch.tensor([3, 0, 3])], {}
        yield "index_select", [make(layout), 1, torch.tensor([5, 5])], {}
        yield "narrow_copy", [make(layout), 0, 1, 2], {}
        yield "narrow_copy", [make(layout), 1, 2, 3], {}
        yield "cat", [[make(layout), make(layout)]], {}
        yield "cat", [[make(layout), make(layout)], 1], {}
        yield "stack", [[make(layout), make(layout)]], {}
        yield "zero_", [make(layout)], {}
        yield "neg_", [make(layout)], {}
        yield "mul_.Scalar", [make(layout), 3], {}
        yield "add_.Tensor", [make(layout), make(layout)], {}
        yield "copy_", [make(layout), make(layout)], {}
        yield "copy_sparse_to_sparse_", [make(layout), make(layout, shape=(2, 3))], {}
    yield "sum.dim_IntList", [make("coo", shape=(2, 3, 4)), [0, 2]], {}
    yield "permute", [make("coo", shape=(2, 3, 4)), [2, 0, 1]], {}
    yield "permute", [make("hybrid", shape=(2, 3, 4)), [1, 0, 2]], {}
    for values_name in ["indices", "values"]:
        yield values_name, [make("coalesced")], {}
        yield values_name, [make("coo")], {}
    for layout in ["csr", "bsr", "csr32", "coo"]:
        yield "crow_indices", [make(layout)], {}
        yield "col_indices", [make(layout)], {}
    for layout in ["csc", "bsc", "csr"]:
        yield "ccol_indices", [make(layout)], {}
        yield "row_indices", [make(layout)], {}
    yield "sparse_resize_", [make("coo"), [5, 6], 2, 0], {}
    yield "sparse_resize_", [make("coalesced"), [1, 1], 2, 0], {}
    yield "sparse_resize_and_clear_", [make("coo"), [2, 3, 4], 2, 1], {}
    yield "resize_as_sparse_", [make("coo", shape=(2, 3)), make("coo")], {}
    i, v = torch.tensor([[0, 1, 1], [2, 0, 2]]), torch.tensor([3., 4., 5.])
    yield "sparse_coo_tensor.size", [[2, 3]], {}
    yield "sparse_coo_tensor.indices", [i, v], {}
    yield "sparse_coo_tensor.indices_size", [i, v, [2, 3]], {}
    yield "sparse_coo_tensor.indices_size", [i, v, [2]], {}
    yield "sparse_coo_tensor.indices_size", [i, v[:2], [2, 3]], {}
    yield "_sparse_coo_tensor_unsafe", [i, v, [2, 3]], {}
    crow, col, two = torch.tensor([0, 1, 2]), torch.tensor([0, 1]), torch.tensor([1., 2.])
    for name, first in [("csr", "crow_col"), ("csc", "ccol_row")]:
        yield f"sparse_{name}_tensor.{first}_value", [crow, col, two], {}
        yield f"sparse_{name}_tensor.{first}_value_size", [crow, col, two, [2, 2]], {}
    blocks = torch.arange(8.).reshape(2, 2, 2)
    for name, first in [("bsr", "crow_col"), ("bsc", "ccol_row")]:
        yield f"sparse_{name}_tensor.{first}_value", [crow, col, blocks], {}
        yield f"sparse_{name}_tensor.{first}_value_size", [crow, col, blocks, [4, 4]], {}
    for layout in [torch.sparse_csr, torch.sparse_csc]:
        yield "sparse_compressed_tensor.comp_plain_value", [crow, col, two], {"layout": layout}
        yield "sparse_compressed_tensor.comp_plain_value_size", [crow, col, two, [2, 2]], {
            "layout": layout}
    yield "to_sparse", [dense()], {"layout": torch.sparse_csr}
    yield "to_sparse", [dense()], {"layout": torch.sparse_bsr, "blocksize": [2, 2]}
    yield "to_sparse_csr", [dense(shape=(2, 3, 4)), 1], {}
    yield "to_sparse_csr", [torch.ones(2, 3, 4)], {}


def quantized_calls(rng):
    reals = lambda *shape: torch.tensor(
        [round(rng.gauss(0, 3), 2) for _ in range(torch.Size(shape).numel())]).reshape(shape)
    q = lambda dtype=torch.quint8, shape=(4, 6), scale=0.1, zero=None: torch.quantize_per_tensor(
        reals(*shape), scale, (10 if dtype == torch.quint8 else 3) if zero is None else zero, dtype)
    channels = lambda axis=0, shape=(4, 6): torch.quantize_per_channel(
        reals(*shape), torch.tensor([0.1 * (i + 1) for i in range(shape[axis])]),
        torch.tensor([i % 3 for i in range(shape[axis])]), axis, torch.qint8)
    kinds = [torch.quint8, torch.qint8, torch.qint32]
    for dtype in kinds:
        yield "quantize_per_tensor", [reals(3, 5), 0.25, 3, dtype], {}
        yield "quantize_per_tensor", [torch.tensor(
            [float("nan"), float("inf"), -float("inf"), 1e20, 0.5, 2.5, -1.5]), 1.0, 3, dtype], {}
        yield "quantize_per_tensor", [torch.zeros(0), 1.0, 3, dtype], {}
        yield "quantize_per_tensor", [reals(3).double(), 1.0, 3, dtype], {}
        yield "quantize_per_tensor", [reals(3), 1.0, 2**40, dtype], {}
        yield "quantize_per_tensor.tensor_qparams", [reals(3), torch.tensor(0.5), torch.tensor(2),
                                                     dtype], {}
        yield "quantize_per_tensor.tensors", [[reals(3), reals(2)], torch.tensor([0.5, 0.25]),
                                              torch.tensor([2, 3]), dtype], {}
        yield "quantize_per_channel", [reals(3, 5), torch.tensor([0.1, 0.2, 0.3]),
                                       torch.tensor([0, 1, 2]), 0, dtype], {}
        yield "quantize_per_channel", [reals(3, 2), torch.tensor([0.1, 0.2]).double(),
                                       torch.tensor([0, 1]), 1, dtype], {}
        yield "dequantize.tensors", [[q(dtype), q(dtype)]], {}
        for name in ["dequantize.self", "int_repr", "q_scale", "q_zero_point", "t", "relu", "clone",
                     "detach", "max", "min", "sigmoid", "tanh", "relu_", "contiguous"]:
            # Where float32 is less exact than the integers, functions differ in its last bit.
            if dtype != torch.qint32 or name not in ("sigmoid", "tanh"):
                yield name, [q(dtype)], {}
        yield "cat", [[q(dtype), q(dtype)]], {}
        yield "cat", [[q(dtype), q(dtype, scale=0.2)], 1], {}
        yield "clamp", [q(dtype), -1.0, 1.5], {}
        yield "eq.Tensor", [q(dtype), q(dtype)], {}
        yield "gt.Scalar", [q(dtype), 0.5], {}
        yield "equal", [q(dtype), q(dtype)], {}
        yield "copy_", [q(dtype), q(dtype, scale=0.3)], {}
        yield "copy_", [q(dtype), reals(4, 6)], {}
    for dtype in kinds[:2]:
        yield "quantize_per_tensor_dynamic", [reals(3, 5), dtype, False], {}
        yield "quantize_per_tensor_dynamic", [reals(3, 5), dtype, True], {}
        yield "quantize_per_tensor_dynamic", [reals(7).abs(), dtype, False], {}
        yield "quantize_per_tensor_dynamic", [torch.zeros(3), dtype, False], {}
        yield "quantize_per_tensor_dynamic", [reals(4) * 1e-7, dtype, False], {}
    yield "quantize_per_channel", [reals(3, 2), torch.tensor([0.1, 0.2]), torch.tensor([0.5, 0.25]),
                                   1, torch.quint8], {}
    for name in ["dequantize.self", "int_repr", "q_per_channel_scales", "q_per_channel_zero_points",
                 "q_per_channel_axis", "q_scale", "clone", "detach"]:
        yield name, [channels()], {}
    yield "select.int", [channels(), 0, 2], {}
    yield "slice.Tensor", [channels(), 1, 1, 5], {}
    yield "view", [channels(), [4, 2, 3]], {}
    yield "select.int", [q(), 1, 2], {}
    yield "slice.Tensor", [q(), 0, 1, 4, 2], {}
    yield "view", [q(), [3, 8]], {}
    yield "reshape", [q(), [-1]], {}
    yield "transpose.int", [q(), 0, 1], {}
    yield "permute", [q(), [1, 0]], {}
    yield "unsqueeze", [q(), 1], {}
    yield "squeeze", [q(shape=(2, 1, 3))], {}
    yield "expand", [q(shape=(1, 6)), [4, 6]], {}
    yield "flatten.using_ints", [q()], {}
    yield "stack", [[q(), q()]], {}
    yield "index_select", [q(), 0, torch.tensor([1, 1, 0])], {}
    yield "split.Tensor", [q(), 2], {}
    yield "unbind.int", [q()], {}
    yield "max_pool2d", [q(shape=(1, 2, 6, 6)), [2, 2]], {}
    yield "quantized_max_pool2d", [q(shape=(1, 2, 6, 6)), [3, 3], [2, 2], [1, 1]], {}
    yield "quantized_max_pool1d", [q(shape=(2, 6)), [2]], {}
    yield "quantized_batch_norm", [q(shape=(2, 3, 2, 2)), reals(3), reals(3), reals(3),
                                   reals(3).abs() + 0.5, 1e-5, 0.1, 20], {}
    yield "_make_per_tensor_quantized_tensor", [torch.tensor([1, 200, 3], dtype=torch.uint8), 0.5,
                                                7], {}
    yield "_make_per_channel_quantized_tensor", [
        torch.tensor([[1, -2], [3, 4]], dtype=torch.int8), torch.tensor([0.5, 0.25]),
        torch.tensor([0, 1]), 1], {}


def overload(name):
    base, _, which = name.partition(".")
    return getattr(getattr(torch.ops.aten, base), which or "default")


def record(name, args, kwargs, blob):
    op, start = overload(name), len(blob.bytes)
    case = {"op": "aten::" + name, "args": [blob.value(a) for a in args],
            "kwargs": {k: blob.value(v) for k, v in kwargs.items()}}
    try:
        out = op(*args, **kwargs)
    except (RuntimeError, IndexError, TypeError, ValueError) as e:
        # What PyTorch merely lacks we may have.
        lacks = isinstance(e, NotImplementedError) or any(
            s in str(e) for s in ("not implemented", "not supported", "INTERNAL ASSERT",
                                  "unsupported tensor layout", "do not have"))
        if lacks:
            del blob.bytes[start:]
            return None
        case["error"] = str(e).split("\n")[0]
        case["error_type"] = type(e).__name__
        return case
    outs = out if isinstance(out, (tuple, list)) else (out,)
    case["out"] = [blob.value(o) for o in outs]
    case["mutated"] = {}
    case["schema"] = str(op._schema)
    return case


def main():
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    rng, blob, lines, names = random.Random(0), Layouts(), [], set()
    for calls in (sparse_calls, quantized_calls):
        for name, args, kwargs in calls(rng):
            case = record(name, args, kwargs, blob)
            if case is None:
                continue
            lines.append(json.dumps(case))
            names.add(name)
    os.makedirs(sys.argv[1], exist_ok=True)
    write(sys.argv[1], lines, blob.bytes)
    print(f"{len(lines)} calls of {len(names)} overloads", file=sys.stderr)


if __name__ == "__main__":
    main()
