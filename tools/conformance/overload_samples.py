"""Arguments for overloads without a recorded relative, for record_overloads.py.

A sample is a list of calls: (positional arguments, keywords), without out=.
"""

import torch

# A second name, or the operator whose arguments these are, by position.
RELATIVES = {
    "_unsafe_index": ["index"],
    "_unsafe_index_put": ["index_put"],
    "adjoint": ["mH"],
    "chain_matmul": ["linalg_multi_dot"],
    "concat": ["cat"],
    "det": ["linalg_det"],
    "ger": ["outer", "linalg_outer"],
    "inverse": ["linalg_inv"],
    "linalg_matmul": ["matmul"],
    "linalg_matrix_exp": ["matrix_exp"],
    "matrix_power": ["linalg_matrix_power"],
    "moveaxis": ["movedim"],
    "orgqr": ["linalg_householder_product"],
    "row_stack": ["vstack"],
    "select_copy": ["select"],
    "slice_copy": ["slice"],
    "slogdet": ["linalg_slogdet"],
    "squeeze_copy": ["squeeze"],
    "swapdims": ["transpose", "swapaxes"],
    "unsafe_split_with_sizes": ["split_with_sizes"],
    "_linalg_det": ["linalg_det"],
    "_linalg_slogdet": ["linalg_slogdet"],
}

# Of these PyTorch ends the process, whatever the arguments of their relatives.
CRASHES = set()

FLOATS = [torch.float32, torch.float64]
NUMBERS = FLOATS + [torch.complex64]
F64, I64 = torch.float64, torch.int64


def x(*sizes, dtype=torch.float32):
    """Numbers from -2 to 2, the same ones for the same sizes."""
    g = torch.Generator().manual_seed(sum((i + 1) * s for i, s in enumerate(sizes)))
    t = torch.rand(sizes, generator=g, dtype=F64) * 4 - 2
    if dtype.is_complex:
        t = torch.complex(t, t.flip(0) if t.dim() else t)
    return t.to(dtype)


def spd(n, dtype=torch.float32, batch=()):
    """Hermitian positive definite."""
    a = x(*batch, n, n, dtype=dtype)
    return a @ a.mH + n * torch.eye(n, dtype=dtype)


def of(make, dtypes=tuple(NUMBERS)):
    return lambda: [make(d) for d in dtypes]


def a(*args, **kwargs):
    return args, kwargs


def attention_backward(dtype, causal, mask):
    q, k = x(2, 3, 5, 4, dtype=dtype), x(2, 3, 6, 4, dtype=dtype)
    mask = mask if mask is None else mask.to(dtype)
    out, sums = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu(q, k, k, 0.0, causal, attn_mask=mask)
    return a(q, q, k, k, out, sums, 0.0, causal, attn_mask=mask)


def calls(*made):
    return lambda: list(made)


def images(*sizes):
    return [x(*sizes, dtype=d) for d in FLOATS + [torch.bfloat16]]


def pools(dims):
    whole = [2, 3, 6, 7, 6][:2 + dims]
    kernel, stride, padding, dilation = [3, 2, 2][:dims], [2, 1, 2][:dims], [1, 0, 1][:dims], [1] * dims
    return lambda: [
        a(*args) for t in images(*whole)
        for args in ((t, [2] * dims), (t, kernel, stride, padding, dilation, True))
    ] + [a(x(*whole[1:]), [2] * dims, [1] * dims, [0] * dims, [2] * dims, False)]


def adaptive(dims):
    whole = [2, 3, 6, 7, 5][:2 + dims]
    return lambda: [a(t, [3, 2, 4][:dims]) for t in images(*whole)] + [a(x(*whole[1:]), [1] * dims)]


def norms(*args, **kwargs):
    return lambda: [a(x(3, 4, dtype=d), *args, **kwargs) for d in NUMBERS]


SIZES = [[3], [2, 3], [0, 2], []]
MASK = torch.tensor([True, False, True])
COUNTS = torch.tensor([1, 3, 3, 2, 1, 3])
POINTS = x(5, 2)

def scaled_products():
    """Of 8-bit floats; scales that are powers of 2, so that results of 8 bits do not depend on the order of sums."""
    e4, e5, half, two, f32 = torch.float8_e4m3fn, torch.float8_e5m2, torch.tensor(0.5), torch.tensor([2.0]), torch.float32
    left, right = x(16, 32), x(16, 32).flip(1).t()
    return [a(left.to(e4), right.to(e4), half, two, None, None, f32),
            a(left.to(e5), right.to(e4), torch.tensor(0.3), two, x(16, dtype=torch.bfloat16), None, torch.bfloat16, True),
            a(left.to(e4), right.to(e4), half, half, x(16, dtype=torch.float16), torch.tensor([[4.0]]), e5),
            a(x(3, 5).to(e4), x(5, 7).to(e5), half, torch.tensor(0.7), x(7), None, torch.float16)]


SAMPLES = {
    "_addmm_activation": calls(
        a(x(3, 2), x(3, 4), x(4, 2)), a(x(2, dtype=F64), x(3, 4, dtype=F64), x(2, 4, dtype=F64).t(), beta=0.5, alpha=2, use_gelu=True),
        a(x(1, 2, dtype=torch.bfloat16), x(3, 4, dtype=torch.bfloat16), x(4, 2, dtype=torch.bfloat16), use_gelu=True),
        a(x(3, 2).to(I64), x(3, 4).to(I64), x(4, 2).to(I64), alpha=-3)),
    "_scaled_mm": scaled_products,
    "_fft_c2c": calls(a(x(4, 6, dtype=torch.complex64), [1], 0, True),
                      a(x(4, 6, dtype=torch.complex128), [0, 1], 2, False),
                      a(x(3, 5, dtype=torch.complex64), [0], 1, True)),
    "_fft_r2c": calls(a(x(4, 6), [1], 0, True), a(x(4, 6, dtype=F64), [0, 1], 2, True),
                      a(x(3, 5), [1], 1, False), a(x(3, 4, 5), [0], 0, True)),
    "_fft_c2r": calls(a(x(4, 4, dtype=torch.complex64), [1], 0, 6),
                      a(x(4, 3, dtype=torch.complex128), [0, 1], 2, 5),
                      a(x(3, 4, 5, dtype=torch.complex64), [1], 0, 4)),
    "_linalg_eigh": of(lambda d: a(spd(3, d)), NUMBERS) ,
    "_linalg_eigh.eigenvalues": of(lambda d: a(spd(3, d), "U"), NUMBERS),
    "_linalg_svd": lambda: [a(x(4, 3, dtype=d)) for d in NUMBERS] + [a(x(3, 4), True),
                                                                    a(x(3, 3), False, False)],
    "_linalg_svd.U": of(lambda d: a(x(3, 4, dtype=d), True)),
    "_linalg_solve_ex": lambda: [a(spd(3, d), x(3, 2, dtype=d)) for d in NUMBERS] + [
        a(spd(3, batch=(2,)), x(2, 3)), a(spd(3), x(2, 3), left=False)],
    "_local_scalar_dense": calls(a(torch.tensor(2.5)), a(torch.tensor(7)), a(torch.tensor(True)),
                                 a(torch.tensor([1 + 2j]))),
    "_softmax": lambda: [a(x(3, 4, dtype=d), 1, False) for d in FLOATS] + [a(x(3, 4), 0, False)],
    "_log_softmax": lambda: [a(x(3, 4, dtype=d), 1, False) for d in FLOATS] + [a(x(2, 3, 4), -2, False)],
    "_prelu_kernel": of(lambda d: a(x(2, 3, 4, dtype=d), x(1, 3, 1, dtype=d)), FLOATS),
    "_scaled_dot_product_flash_attention_for_cpu": lambda: [
        a(*(x(2, 3, n, 8, dtype=d) for n in (5, 7, 7))) for d in FLOATS] + [
        a(*(x(1, 2, 4, 8) for _ in range(3)), 0.0, True),
        a(*(x(1, 2, 4, 8) for _ in range(3)), attn_mask=x(4, 4), scale=0.5)],
    "_unique": calls(a(COUNTS), a(COUNTS.to(torch.float32), True, True), a(torch.tensor([], dtype=I64))),
    "_unique2": calls(a(COUNTS), a(COUNTS.reshape(2, 3), True, True, True), a(MASK, True, False, True)),
    "unique_dim": calls(a(COUNTS.reshape(3, 2), 0), a(COUNTS.reshape(3, 2), 1, True, True, True),
                        a(torch.tensor([[1., 2.], [1., 2.], [0., 5.]]), 0, True, True, True)),
    "unique_dim.out": calls(a(COUNTS.reshape(3, 2), 0), a(COUNTS.reshape(2, 3), 0, True, True, True)),
    "adaptive_max_pool1d": adaptive(1), "adaptive_max_pool2d": adaptive(2),
    "adaptive_max_pool3d": adaptive(3),
    "max_pool1d": pools(1), "max_pool2d": pools(2), "max_pool3d": pools(3),
    "max_pool1d_with_indices": pools(1), "max_pool2d_with_indices": pools(2),
    "max_pool3d_with_indices": pools(3),
    "alias": of(lambda d: a(x(2, 3, dtype=d))),
    "detach": of(lambda d: a(x(2, 3, dtype=d).t())), "detach_": of(lambda d: a(x(2, 3, dtype=d))),
    "detach_copy": of(lambda d: a(x(2, 3, dtype=d).t())),
    "copy": calls(a(x(2, 3), x(3, dtype=F64)), a(x(2, 3).to(I64), x(2, 3)), a(x(2, 3).t(), x(3, 2))),
    "zero": lambda: [a(x(2, 3, dtype=d)) for d in NUMBERS] + [a(COUNTS), a(MASK), a(x(2, 3).t())],
    "arange.out": calls(a(5), a(2.5)), "arange.start_out": calls(a(1, 7, 2), a(0.5, 2, 0.25), a(5, 0, -2)),
    "empty.out": lambda: [a(s) for s in SIZES],
    "empty_permuted": calls(a([2, 3, 4], [0, 2, 1]), a([2, 3], [1, 0], dtype=F64), a([], [])),
    "eye.out": calls(a(3), a(0)), "eye.m_out": calls(a(3, 2), a(2, 4)),
    "full.out": lambda: [a(s, 2.5) for s in SIZES] , "ones.out": lambda: [a(s) for s in SIZES],
    "zeros.out": lambda: [a(s) for s in SIZES],
    "linspace.out": calls(a(0, 1, 5), a(-2.5, 3, 4), a(3, 0, 1), a(1, 1, 0)),
    "logspace.out": calls(a(0, 1, 5), a(-1, 2, 4, 2.0)),
    "fft_fftfreq": calls(a(5), a(6, 0.5), a(4, 2.0, dtype=F64), a(1)),
    "fft_fftfreq.out": calls(a(5), a(6, 0.5), a(1)), "fft_rfftfreq.out": calls(a(5), a(6, 0.5), a(1)),
    "is_pinned": calls(a(x(3)), a(COUNTS)),
    "fft_rfftfreq": calls(a(5), a(6, 0.5), a(4, 2.0, dtype=F64), a(1)),
    # Of an input with gaps PyTorch writes what memory held.
    "native_batch_norm.out": lambda: [
        a(x(4, 3, dtype=d), x(3, dtype=d), x(3, dtype=d), x(3, dtype=d), x(3, dtype=d).abs(), t, 0.1, 1e-5)
        for d in FLOATS for t in (True, False)],
    "_native_batch_norm_legit.no_stats_out": lambda: [
        a(x(4, 3, 2, dtype=d), x(3, dtype=d), None, True, 0.1, 1e-5) for d in FLOATS],
    "batch_norm": lambda: [
        a(x(4, 3, dtype=d), x(3, dtype=d), None, x(3, dtype=d), x(3, dtype=d).abs(), False, 0.1, 1e-5,
          False) for d in FLOATS] + [a(x(4, 3, 2), None, x(3), None, None, True, 0.1, 1e-5, False)],
    "bernoulli.p": calls(a(x(5), 0.5), a(x(2, 3, dtype=F64), 0.2), a(COUNTS, 0.75)),
    "bernoulli_.Tensor": calls(a(x(5), torch.full((5,), 0.5)), a(COUNTS, torch.tensor(0.5))),
    "dropout_": calls(a(x(5), 0.5, True), a(x(5), 0.5, False), a(x(2, 3), 1.0, True)),
    "cartesian_prod": calls(a([COUNTS[:2], COUNTS[1:4]]), a([x(2), x(3), x(1)]), a([x(3)])),
    "meshgrid": calls(a([x(2), x(3)]), a([x(2), torch.tensor(1.5), x(4)]), a([COUNTS])),
    "conv2d.padding": lambda: [
        a(t, x(4, 3, 3, 2, dtype=t.dtype), x(4, dtype=t.dtype), [1, 1], p)
        for t, p in zip(images(2, 3, 5, 6)[:2], ("same", "valid"))] + [
        a(x(1, 4, 5, 5), x(4, 2, 3, 3), None, [1, 1], "same", [2, 1], 2)],
    "convolution": calls(
        a(x(2, 3, 7), x(4, 3, 3), x(4), [2], [1], [1], False, [0], 1),
        a(x(2, 4, 5, 6, dtype=F64), x(6, 2, 3, 3, dtype=F64), None, [1, 1], [1, 0], [1, 2], False, [0, 0], 2),
        a(x(2, 3, 4, 5), x(3, 2, 3, 3), x(2), [2, 1], [1, 1], [1, 1], True, [1, 0], 1)),
    "cosine_embedding_loss": calls(
        a(x(4, 3), x(4, 5)[:, :3], torch.tensor([1, -1, 1, -1])),
        a(x(4, 3), x(4, 5)[:, :3], torch.tensor([1, -1, -1, -1]), 0.2, 0),
        a(x(4, 3, dtype=F64), x(4, 5, dtype=F64)[:, :3], torch.tensor([1, 1, -1, -1]), 0.0, 2)),
    "margin_ranking_loss": calls(
        a(x(4), x(5)[:4], torch.tensor([1., -1, 1, -1])),
        a(x(4), x(5)[:4], torch.tensor([1., -1, 1, 1]), 0.3, 0), a(x(3), x(3), torch.ones(3), 1.0, 2)),
    "huber_loss": lambda: [a(x(3, 4, dtype=d), x(4, dtype=d), r, 0.7) for d in FLOATS for r in (0, 1)] ,
    "frobenius_norm.dim": norms([0]), "frobenius_norm.out": norms([0, 1], True),
    "nuclear_norm": norms(), "nuclear_norm.dim": norms([0, 1], True),
    "norm.ScalarOpt_dtype": calls(a(x(3, 4), 2, dtype=F64), a(x(3, 4), None, dtype=torch.float32)),
    "norm.ScalarOpt_dim_dtype": calls(a(x(3, 4), 1, [0], False, dtype=F64),
                                      a(x(3, 4), float("inf"), [0, 1], True, dtype=torch.float32)),
    "linalg_cond.p_str": lambda: [a(spd(3, d), p) for d, p in zip(NUMBERS, ("fro", "nuc", "fro"))],
    "linalg_matrix_rank": calls(a(spd(3), 1e-3), a(x(3, 3, dtype=F64), 0.5), a(torch.ones(2, 3, 3), 1e-3)),
    "linalg_matrix_rank.tol_tensor": calls(a(spd(3), torch.tensor(1e-3)),
                                           a(torch.ones(2, 3, 3), torch.tensor([1e-3, 10.0]))),
    "linalg_matrix_rank.out_tol_tensor": calls(a(spd(3), torch.tensor(1e-3)),
                                               a(torch.ones(2, 3, 3), torch.tensor([1e-3, 10.0]))),
    "linalg_pinv": of(lambda d: a(x(4, 3, dtype=d), 1e-6)),
    "gradient.array": calls(a(x(4, 5), dim=[0, 1]), a(x(5, dtype=F64), dim=[0], edge_order=2)),
    "gradient.scalararray": calls(a(x(4, 5), spacing=0.5, dim=[0, 1]), a(x(5, dtype=F64), spacing=2, dim=[0], edge_order=2)),
    "gradient.tensorarrayint": calls(a(x(5), spacing=[torch.tensor([0., 1, 3, 4, 6])], dim=0)),
    "histogramdd.int_bins": calls(a(POINTS, 3), a(POINTS, 2, range=[-2.0, 2.0, -1.0, 1.0]),
                                  a(POINTS.to(F64), 2, weight=x(5, dtype=F64).abs(), density=True)),
    "isin.Scalar_Tensor": calls(a(3, COUNTS), a(4, COUNTS), a(3, COUNTS, invert=True)),
    "isin.Tensor_Scalar": calls(a(COUNTS, 3), a(COUNTS.reshape(2, 3), 1, assume_unique=True, invert=True)),
    "narrow.Tensor": calls(a(x(4, 3), 0, torch.tensor(1), 2), a(x(4, 3), 1, torch.tensor(-2), 1)),
    "repeat_interleave.Tensor": calls(a(COUNTS), a(COUNTS.to(torch.int32)), a(COUNTS, output_size=13)),
    "tensor_split.tensor_indices_or_sections": calls(
        a(x(6, 2), torch.tensor(4)), a(x(6, 2), torch.tensor([1, 3])), a(x(2, 5), torch.tensor(2), 1)),
    "to.dtype_layout": calls(a(x(2, 3), dtype=F64), a(COUNTS, dtype=torch.float16), a(x(2, 3), copy=True)),
    "to.other": calls(a(x(2, 3), COUNTS), a(COUNTS, x(1, dtype=F64)), a(x(2, 3), x(1), copy=True)),
    "normal.float_float_out": calls(a(0.0, 1.0, [5]), a(2.0, 0.5, [2, 3])),
    "rand.generator": lambda: [a(s, generator=None) for s in SIZES],
    "rand.out": lambda: [a(s) for s in SIZES],
    "randn.generator": lambda: [a(s, generator=None) for s in ([3], [20], [0])],
    "randn.out": lambda: [a(s) for s in ([3], [20], [0])],
    "randint.generator": calls(a(10, [5], generator=None), a(3, [2, 3], generator=None, dtype=torch.int32)),
    "randint.low_generator": calls(a(-5, 10, [5], generator=None)),
    "randint.out": calls(a(10, [5]), a(3, [2, 3])), "randint.low_out": calls(a(-5, 10, [5])),
    "randperm.generator": calls(a(7, generator=None), a(0, generator=None)),
    "randperm.out": calls(a(7), a(1)),
    "random": calls(a(x(5)), a(COUNTS)), "random.from": calls(a(x(5), -3, 9), a(COUNTS, 0, 2)),
    "random.to": calls(a(x(5), 9), a(COUNTS, 100)), "random_.to": calls(a(x(5), 9), a(COUNTS, 100)),
    "convolution_backward.out": lambda: [
        a(x(2, 4, 3, 3, dtype=d), x(2, 2, 5, 5, dtype=d), x(4, 2, 3, 3, dtype=d), [4], [1, 1], [0, 0], [1, 1],
          False, [0, 0], 1, [True, True, True]) for d in FLOATS],
    **{name: calls(a(x(2, 3, 6, 5), x(4, 3, 3, 2), [3, 2], x(4), [2, 1], [1, 0]),
                   a(x(1, 2, 4, 4, dtype=F64), x(3, 2, 2, 2, dtype=F64), [2, 2], None, [1, 1], [0, 0]))
       for name in ("thnn_conv2d", "_slow_conv2d_forward")},
    **{name: calls(a(x(2, 3, 4, 5, 6), x(4, 3, 2, 3, 2), [2, 3, 2], x(4), [1, 2, 1], [0, 1, 0]),
                   a(x(1, 2, 3, 3, 3, dtype=F64), x(3, 2, 2, 2, 2, dtype=F64), [2, 2, 2], None, [1] * 3, [0] * 3))
       for name in ("slow_conv3d", "slow_conv3d_forward")},
    "slow_conv_dilated2d": calls(a(x(2, 3, 7, 6), x(4, 3, 3, 2), [3, 2], x(4), [2, 1], [1, 0], [2, 1]),
                                 a(x(2, 4, 4, dtype=F64), x(3, 2, 2, 2, dtype=F64), [2, 2])),
    "slow_conv_dilated3d": calls(
        a(x(2, 3, 5, 5, 4), x(4, 3, 2, 3, 2), [2, 3, 2], x(4), [1, 2, 1], [0, 1, 0], [2, 1, 1]),
        a(x(2, 3, 3, 3, dtype=F64), x(3, 2, 2, 2, 2, dtype=F64), [2, 2, 2])),
    "slow_conv_transpose2d": calls(
        a(x(2, 3, 4, 3), x(3, 4, 3, 2), [3, 2], x(4), [2, 1], [1, 0], [1, 0], [1, 2]),
        a(x(2, 4, 4, dtype=F64), x(2, 3, 2, 2, dtype=F64), [2, 2])),
    "slow_conv_transpose3d": calls(
        a(x(2, 3, 3, 2, 3), x(3, 4, 2, 3, 2), [2, 3, 2], x(4), [1, 2, 1], [0, 1, 0], [0, 1, 0], [2, 1, 1]),
        a(x(2, 3, 3, 3, dtype=F64), x(2, 3, 2, 2, 2, dtype=F64), [2, 2, 2])),
    "_slow_conv2d_backward.output_mask": calls(
        a(x(2, 4, 3, 3), x(2, 3, 5, 5), x(4, 3, 3, 3), [3, 3], [1, 1], [0, 0], [True, True, True]),
        a(x(1, 3, 2, 3, dtype=F64), x(1, 2, 5, 4, dtype=F64), x(3, 2, 2, 2, dtype=F64), [2, 2], [3, 2], [0, 1],
          [True, False, True])),
    "_slow_conv2d_backward.output_mask_out": calls(
        a(x(2, 4, 3, 3), x(2, 3, 5, 5), x(4, 3, 3, 3), [3, 3], [1, 1], [0, 0], [True, True, True])),
    "conv_tbc": lambda: [a(x(5, 2, 3, dtype=d), x(3, 3, 4, dtype=d), x(4, dtype=d), p)
                         for d in NUMBERS for p in (0, 2)],
    "conv_tbc_backward": lambda: [
        a(x(5, 2, 4, dtype=d), x(5, 2, 3, dtype=d), x(3, 3, 4, dtype=d), x(4, dtype=d), 1) for d in NUMBERS],
    "_scaled_dot_product_flash_attention_for_cpu_backward": lambda: [
        attention_backward(d, c, mask) for d in FLOATS for c, mask in ((False, None), (True, None), (False, x(5, 6)))],
    "size.int": calls(a(x(2, 3), -1), a(x(4), 0)),
    "stride.int": calls(a(x(2, 3), 0), a(x(2, 3).t(), -1)),
    "is_set_to": lambda: [a(x(2, 3), x(2, 3))],
    "_to_copy.out": calls(a(x(2, 3)), a(x(2, 3).t())),
    "split_copy.Tensor_out": calls(a(x(4, 3), 2, out=[x(2, 3), x(2, 3)])),
    "split_with_sizes_copy.out": calls(a(x(5, 3), [2, 3])),
    "unbind_copy.int_out": calls(a(x(2, 3), 1)),
    "unique_dim_consecutive": lambda: [
        a(x(2, 3, dtype=d).repeat_interleave(2, 0), 0, r, r) for d in FLOATS for r in (False, True)],
    "native_channel_shuffle": lambda: [a(t, 2) for t in images(2, 4, 3, 3) + [x(1, 6, 2)]],
    "flatten_dense_tensors": lambda: [a([x(2, 3, dtype=d), x(4, dtype=d), x(dtype=d)]) for d in NUMBERS],
    "unflatten_dense_tensors": lambda: [a(x(11, dtype=d), [x(2, 3), x(4), x(0)]) for d in NUMBERS],
    "glu_jvp": lambda: [a(x(3, 2, dtype=d), x(3, 4, dtype=d), x(3, 4, dtype=d).flip(0), -1) for d in FLOATS],
    "glu_backward_jvp": lambda: [
        a(x(3, 4, dtype=d), x(3, 2, dtype=d), x(3, 4, dtype=d).flip(1), x(3, 2, dtype=d), x(3, 4, dtype=d), 1)
        for d in FLOATS],
    "infinitely_differentiable_gelu_backward": lambda: [a(x(3, 4, dtype=d), x(3, 4, dtype=d)) for d in FLOATS],
    "matrix_exp_backward": lambda: [
        a(x(2, 3, 3, dtype=d), x(2, 3, 3, dtype=d).flip(-1)) for d in (F64, torch.complex128)],
    "cummaxmin_backward": lambda: [
        a(x(3, 4, dtype=d), x(3, 4, dtype=d), torch.cummax(x(3, 4, dtype=d), 1)[1], 1) for d in FLOATS],
}
