"""Arguments for overloads of lists of tensors, optimizers, windows, quantization and factories."""

import torch
from overload_samples import COUNTS, F64, I64, MASK, SIZES, a, calls, x

F32, F16, BF16 = torch.float32, torch.float16, torch.bfloat16
C64 = torch.complex64


def tensors(dtype=F32):
    return [x(3, dtype=dtype), x(2, 5, dtype=dtype), x(0, dtype=dtype)]


def positive(*sizes, dtype=F32):
    return x(*sizes, dtype=dtype).abs() + 0.25


def lasting(*sizes, dtype=F32):
    """Unlike x, so that gradients and parameters differ."""
    return x(*sizes, 2, dtype=dtype)[..., 1] * 0.5 + 0.125


OPTIMIZED = [  # dtype, maximize, grad_scale, found_inf
    (F32, False, None, None), (F16, True, torch.tensor(4.0), torch.tensor(0.0)),
    (BF16, False, None, None), (F64, True, torch.tensor(2.0), torch.tensor(1.0)),
]


def lists(dtype, *makers):
    return [[make(3, dtype=dtype), make(2, 5, dtype=dtype)] for make in makers]


def steps(n=3.0):
    return [torch.tensor(n), torch.tensor(n + 4)]


def rate(lr, as_tensor):
    return torch.tensor(lr, dtype=F64) if as_tensor else lr


def adam(as_tensor):
    def made():
        for n, (dtype, maximize, scale, inf) in enumerate(OPTIMIZED):
            amsgrad = n < 2
            p, g, m, v, most = lists(dtype, x, lasting, lasting, positive, positive)
            yield a(p, g, m, v, most if amsgrad else [], steps(), lr=rate(0.1, as_tensor), beta1=0.9, beta2=0.99,
                    weight_decay=[0.0, 0.1, 0.01][n % 3], eps=1e-6, amsgrad=amsgrad, maximize=maximize,
                    grad_scale=scale, found_inf=inf)
    return lambda: list(made())


def adagrad(as_tensor):
    def made():
        for n, (dtype, maximize, scale, inf) in enumerate(OPTIMIZED):
            p, g, sums = lists(dtype, x, lasting, positive)
            yield a(p, g, sums, steps(), lr=rate(0.1, as_tensor), lr_decay=[0.0, 0.1][n % 2],
                    weight_decay=[0.0, 0.1, 0.01][n % 3], eps=1e-6, maximize=maximize, grad_scale=scale,
                    found_inf=inf)
    return lambda: list(made())


def sgd(as_tensor):
    def made():
        for n, (dtype, maximize, scale, inf) in enumerate(OPTIMIZED):
            momentum = [0.9, 0.5, 0.0][n % 3]
            p, g, m = lists(dtype, x, lasting, lasting)
            yield a(p, g, m if momentum else [], weight_decay=[0.0, 0.1, 0.01][n % 3], momentum=momentum,
                    lr=rate(0.1, as_tensor), dampening=0.0 if n % 2 else 0.25 * bool(momentum),
                    nesterov=momentum > 0 and n % 2 == 1, maximize=maximize, is_first_step=n == 1,
                    grad_scale=scale, found_inf=inf)
    return lambda: list(made())


def fused():
    samples = {}
    for base, make in (("adam", adam), ("adamw", adam), ("adagrad", adagrad), ("sgd", sgd)):
        for ov, as_tensor in (("", False), (".tensor_lr", True)):
            samples[f"_fused_{base}{ov}"] = samples[f"_fused_{base}_{ov}"] = make(as_tensor)
    return samples


def unscaled():
    bad = torch.tensor([1.0, float("inf"), 2.0])
    return [a(tensors(), torch.tensor(0.0), torch.tensor(0.25)),
            a([x(2, 3), bad], torch.tensor([0.0]), torch.tensor([0.5])),
            a([x(3, 2, dtype=F16).t(), x(4, dtype=F16)], torch.tensor([0.0]), torch.tensor([2.0])),
            a([x(3), bad * float("nan")], torch.tensor(1.0), torch.tensor(1.0))]


def grown():
    return [a(torch.tensor([s]), torch.tensor([n], dtype=torch.int32), torch.tensor([inf]), 2.0, 0.5, 3)
            for s, n, inf in ((8.0, 1, 0.0), (8.0, 2, 0.0), (8.0, 2, 1.0), (3e38, 2, 0.0))]


def sobol(dimension):
    state = torch.zeros(dimension, 30, dtype=I64)
    return torch.ops.aten._sobol_engine_initialize_state_(state, dimension)


def lower(dimension):
    g = torch.Generator().manual_seed(0)
    return torch.randint(2, (dimension, 30, 30), generator=g).tril() | torch.eye(30, dtype=I64)


def windows(*rest):
    return lambda: [a(n, *rest) for n in (6, 5, 1, 0)]


def periodic(*rest):
    return lambda: [a(6, False, *rest), a(5, True, *rest), a(1, False, *rest), a(2, True, *rest)]


def quantized(*more):
    return lambda: [a(x(2, 5), *more), a(x(5, 2, dtype=F64).t(), *more), a(x(3, 4, dtype=BF16), *more),
                    a(torch.tensor([float("nan"), float("inf"), -1e9, 0.5, 1.5]), *more)]


def channels():
    per = torch.tensor([0.25, 0.5, 0.1])
    zeros = torch.tensor([0, 3, -2], dtype=torch.int32)
    return [a(x(2, 3, 4), per, zeros, 1, -8, 7), a(x(3, 4).t(), per, zeros, 1, -128, 127),
            a(x(3, 5), per, zeros.to(F32), 0, -8, 7), a(x(3, 5, dtype=F16), per, zeros, 0, -8, 7)]


def masks():
    return [a(x(2, 3), torch.tensor([[True, False, True], [False, True, True]])),
            a(x(3, dtype=F64), MASK), a(x(3, 2).t(), MASK.expand(2, 3))]


def losses():
    """With a grad_input= that is not empty: an empty one PyTorch leaves empty."""
    for d, sizes, reduction in ((F32, [3], 1), (F64, [2, 3], 0), (F32, [2, 3], 2)):
        p, target = positive(*sizes, dtype=d) / 3, (x(*sizes) > 0).to(d)
        grad = x(*sizes, dtype=d) if reduction == 0 else torch.tensor(0.5, dtype=d)
        yield a(grad, p, target, None, reduction, grad_input=torch.zeros(sizes, dtype=d))


def square(*sizes):
    return [x(*sizes), x(*sizes, dtype=F16), x(*sizes).to(I64), x(*sizes, dtype=C64)]


def generated(*made):
    """With the default generator."""
    return lambda: [(args, {**kwargs, "generator": None}) for args, kwargs in made]


LIKE = [x(2, 3), x(3, 2, dtype=F64).t(), x(4, dtype=F16)]
TEN = torch.tensor(10)
POLYGAMMA = [(n, positive(2, 3, dtype=d)) for n, d in ((1, F32), (2, F64), (0, F32), (3, F32))]
PAIRS = [(torch.int64, torch.float16), (torch.float16, torch.bfloat16), (torch.uint8, torch.int8),
         (torch.bool, torch.complex64)]

SAMPLES = {
    **fused(),
    "_amp_foreach_non_finite_check_and_unscale": unscaled,
    "_amp_foreach_non_finite_check_and_unscale_": unscaled,
    "_amp_update_scale": grown, "_amp_update_scale_": grown,
    "_foreach_lerp.ScalarList": lambda: [
        a(tensors(d), [t.flip(0) for t in tensors(d)], [0.25, 0.75, 1]) for d in (F32, F16, F64, C64)],
    "_foreach_pow.ScalarAndTensor": lambda: [
        a(2, tensors()), a(1.5, tensors(F16)), a(3, [COUNTS, torch.tensor(2)]), a(2.5, [COUNTS, x(3, 2).t()])],
    "_foreach_powsum.Scalar": lambda: [
        a(tensors()), a(tensors(BF16), 1), a([x(4, 3).t(), x(3)], 3, F64), a(tensors(F64), 2.5)],
    "_conj_copy": lambda: [a(t) for t in (x(2, 3, dtype=C64), x(3, 2, dtype=C64).t())],
    "_neg_view_copy": lambda: [a(t) for t in square(2, 3)[1:] + [x(3, 2).t()]],
    "_reshape_copy": lambda: [a(x(2, 6), [3, 4]), a(x(3, 4, dtype=F16).t(), [2, -1]), a(x(2, 0), [0, 5])],
    "_reshape_alias_copy": lambda: [a(x(2, 6), [3, 4], [4, 1]), a(x(3, 4, dtype=F16).t(), [4, 3], [1, 4])],
    "lift_fresh_copy": lambda: [a(t) for t in (x(2, 3), x(3, 2, dtype=F16).t(), x(2, 4)[:, ::2])],
    "view_as_complex_copy": lambda: [a(x(3, 2)), a(x(2, 3, 2, dtype=F64).transpose(0, 1)), a(x(2, dtype=F16))],
    "view_as_real_copy": lambda: [a(x(3, dtype=C64)), a(x(2, 3, dtype=torch.complex128).t())],
    "split_copy.Tensor": lambda: [a(x(5, 2), 2), a(x(2, 5, dtype=F16), 3, -1), a(x(3, 4).t(), 2)],
    "slice_inverse": lambda: [a(x(2, 3), x(2, 3)), a(x(4, 3), x(2, 3), 0, 0, 2), a(x(3, 4).t(), x(6, 2).t(), 1, 1, 2)],
    "_sobol_engine_initialize_state_": lambda: [a(torch.zeros(d, 30, dtype=I64), d) for d in (3, 1)],
    "_sobol_engine_scramble_": lambda: [a(sobol(1), lower(1), 1)],
    "_sobol_engine_ff_": lambda: [a(torch.zeros(3, dtype=I64), n, sobol(3), 3, g)
                                  for n, g in ((5, 0), (3, 4), (0, 2))],
    "_sobol_engine_draw": lambda: [a(torch.zeros(3, dtype=I64), n, sobol(3), 3, g, d)
                                   for n, g, d in ((4, 0, F32), (5, 2, F64), (2, 1, None))],
    "binomial": lambda: [
        a(torch.tensor([0., 1, 5, 9, 40, 100, 3]), torch.tensor([0.5, 0.3, 0.9, 0.1, 0.5, 0.2, 1.0])),
        a(torch.full((2, 3), 50.0, dtype=F64), torch.tensor([0.25, 0.5, 0.75], dtype=F64).expand(2, 3)),
        a(torch.full((3, 2), 20.0).t(), x(2, 3).abs() / 2)],
    **{f"{name}_window.out": windows() for name in ("bartlett", "blackman", "hamming", "hann", "kaiser")},
    **{f"{name}_window.periodic_out": periodic()
       for name in ("bartlett", "blackman", "hamming", "hann", "kaiser")},
    "hamming_window.periodic_alpha_out": periodic(0.4), "hamming_window.periodic_alpha_beta_out": periodic(0.4, 0.7),
    "kaiser_window.beta_out": periodic(5.5),
    "can_cast": lambda: [a(F32, I64), a(C64, F32), a(BF16, F16), a(torch.uint8, torch.int8)],
    "promote_types": lambda: [a(s, t) for s, t in PAIRS],
    "result_type.Scalar_Scalar": calls(a(1, 2), a(1, 2.5), a(True, 2), a(1j, 2)),
    "result_type.Scalar_Tensor": calls(a(2.5, COUNTS), a(2, x(3, dtype=F16)), a(1j, x(3)), a(2.5, torch.tensor(1))),
    "empty_strided.out": calls(a([2, 3], [1, 2]), a([2, 3], [3, 1]), a([0], [1])),
    "fake_quantize_per_tensor_affine_cachemask": quantized(0.25, 1, -8, 7),
    "fake_quantize_per_tensor_affine.tensor_qparams": quantized(
        torch.tensor([0.25]), torch.tensor([1], dtype=torch.int32), -8, 7),
    "fake_quantize_per_channel_affine_cachemask": channels,
    # Of a non-contiguous self, ours lies in an empty out= as the functional variant's results do.
    "fake_quantize_per_tensor_affine_cachemask.out": lambda: [
        call for call in quantized(0.25, 1, -8, 7)() if call[0][0].is_contiguous()],
    "fake_quantize_per_channel_affine_cachemask.out": lambda: [
        call for call in channels() if call[0][0].is_contiguous()],
    "fake_quantize_per_tensor_affine_cachemask_backward": masks,
    "fake_quantize_per_channel_affine_cachemask_backward": masks,
    "binary_cross_entropy_backward.grad_input": losses,
    "fill_diagonal_": lambda: [a(x(3, 4), 2.5), a(x(7, 3, dtype=F16), 2, True), a(x(3, 4).t(), -1),
                               a(x(3, 3, 3).to(I64), 7)],
    "is_same_size": calls(a(x(2, 3), x(2, 3)), a(x(2, 3), x(3, 2)), a(x(2, 3), x(3, 2).t()), a(x(3), torch.tensor(1.))),
    "is_signed": lambda: [a(t) for t in (x(3), COUNTS, MASK, COUNTS.to(torch.uint8))],
    "matrix_H": lambda: [a(t) for t in (x(2, 3), x(2, 3, dtype=F16), x(2, 3).to(I64))],
    "nonzero_numpy": calls(a(COUNTS.reshape(2, 3) - 1), a(MASK), a(torch.tensor(2.0)), a(torch.zeros(2, 3, dtype=F16))),
    "norm_except_dim": calls(a(x(3, 4)), a(x(3, 4, dtype=F64), 1, 1), a(x(2, 3, 4), 2, 1), a(x(3, 4), 2, -1)),
    "pad_sequence": calls(a([x(3), x(5), x(1)]), a([x(2, 3), x(4, 3)], True, -1.5),
                          a([x(2, dtype=F16), x(4, dtype=F16)], False, 2.0, "left"), a([COUNTS, COUNTS[:2]], True)),
    "polygamma_": lambda: [a(t, n) for n, t in POLYGAMMA],
    "special_polygamma": lambda: [a(n, t) for n, t in POLYGAMMA],
    "normal.out": lambda: [a(x(*s, dtype=d), m, t, out=torch.empty(0, dtype=d))
                           for s, d, m, t in (([5], F32, 0.0, 1.0), ([2, 3], F64, 2.0, 0.5), ([20], F32, -1.0, 2.0))],
    "type_as": calls(a(x(2, 3), COUNTS), a(COUNTS, x(1, dtype=F16)), a(x(3, 2).t(), x(1)), a(x(3, 2).t(), x(1, dtype=F64))),
    "range": calls(a(0, 4), a(0.5, 3), a(2, 2), a(1, 6, dtype=I64)),
    "range.out": calls(a(0, 4), a(0.5, 3, 0.5), a(5, 0, -2)), "range.out_": calls(a(0, 4), a(0.5, 3)),
    **{f"{name}_indices.out": calls(a(3, 4), a(4, 3, 1), a(3, 3, -1), a(0, 2)) for name in ("tril", "triu")},
    "rand.generator_out": generated(*(a(s) for s in SIZES)),
    "randn.generator_out": generated(*(a(s) for s in ([3], [20], [0]))),
    "randint.generator_out": generated(a(10, [5]), a(3, [2, 3])),
    "randint.low_generator_out": generated(a(-5, 10, [5])),
    "randperm.generator_out": generated(a(7), a(1)),
    "rand_like.generator": generated(*(a(t) for t in LIKE), a(COUNTS, dtype=F64)),
    "randn_like.generator": generated(*(a(t) for t in LIKE), a(COUNTS, dtype=F64)),
    "randint_like.generator": generated(*(a(t, 9) for t in LIKE), a(COUNTS, 5)),
    "randint_like.low_generator_dtype": generated(*(a(t, -3, 9) for t in LIKE), a(COUNTS, -3, 5)),
    **{f"{name}_like.generator_out": generated(*(a(t) for t in LIKE)) for name in ("rand", "randn")},
    "randint_like.generator_out": generated(*(a(t, 9) for t in LIKE)),
    "randint_like.low_generator_dtype_out": generated(*(a(t, -3, 9) for t in LIKE)),
    "randint_like.Tensor_out": lambda: [a(t, TEN) for t in LIKE],
    "randint_like.Tensor_generator_out": generated(*(a(t, TEN) for t in LIKE)),
    "randint_like.Tensor": lambda: [a(t, TEN) for t in LIKE] + [a(COUNTS, torch.tensor(3))],
    "randint_like.Tensor_generator": generated(*(a(t, TEN) for t in LIKE), a(COUNTS, TEN)),
}
