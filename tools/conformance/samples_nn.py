"""Arguments for overloads of layers, losses, resizing, padding and gradients; see overload_samples.py."""

import torch
from overload_samples import F64, FLOATS, I64, a, calls, x

BF16, F16 = torch.bfloat16, torch.float16
WIDE = [torch.float32, BF16, F64]
aten = torch.ops.aten


def i(*values):
    return torch.tensor(values)


def last(t):
    """Channels last."""
    return t.to(memory_format=torch.channels_last if t.dim() == 4 else torch.channels_last_3d)


def flipped(t):
    """The same numbers in memory whose dimensions lie in reverse."""
    order = list(reversed(range(t.dim())))
    return t.permute(order).contiguous().permute(order)


def dense(make):
    """Without inputs that lie otherwise: a resized out= is row-major where PyTorch generates the overload."""
    return lambda: [c for c in make() if c[0][0].is_contiguous()]


# --- Batch norm: input, weight, bias, running mean and variance.

def batch(dtype=torch.float32, sizes=(4, 3, 2), params=None):
    p = params or dtype
    c = sizes[1]
    return x(*sizes, dtype=dtype), x(c, dtype=p), x(c, dtype=p).flip(0), x(c, dtype=p) / 2, x(c, dtype=p).abs() + 0.5


def batches(*args):
    def made():
        t, *rest = batch(sizes=(2, 3, 2, 3))
        bare = batch(F64, (5, 2))
        return [a(*batch(), *args), a(*batch(BF16, params=torch.float32), *args), a(last(t), *rest, *args),
                a(bare[0], None, None, *bare[3:], *args)]
    return made


def instance_norm():
    """No running statistics that move: the schema does not say so, and nothing is recorded of them."""
    t, w, b, mean, var = batch(sizes=(2, 3, 4))
    return [a(t, w, b, None, None, True, 0.1, 1e-5, False),
            a(t, w, b, mean, var, False, 0.1, 1e-3, False),
            a(last(x(2, 3, 2, 3)), w, None, None, None, True, 0.1, 1e-5, False)]


# --- CTC: 5 steps, 2 sequences, 4 letters.

def ctc(lengths, dtype=torch.float32, steps=(5, 4), chars=(2, 2), flat=False):
    p = x(max(steps), 2, 4, dtype=dtype).log_softmax(2)
    targets = i(1, 3, 2, 2) if flat else i([1, 3, 0], [2, 2, 1])
    return p, targets, lengths(steps), lengths(chars)


def ctc_calls(lengths):
    """Of equal lengths: what is behind shorter ones PyTorch leaves uninitialised."""
    return lambda: [a(*ctc(lengths, steps=(5, 5))), a(*ctc(lengths, F64, steps=(5, 5), flat=True)),
                    a(*ctc(lengths, steps=(2, 2)), 0, True), a(*ctc(lengths, steps=(2, 2)), 0, False)]


def ctc_losses(lengths):
    return lambda: [a(*ctc(lengths)), a(*ctc(lengths, F64, flat=True), 0, 2),
                    a(*ctc(lengths, steps=(5, 2)), 0, 0, True),
                    a(*ctc(lengths, steps=(5, 2)), 0, 0, False)]


def ctc_backward(lengths):
    def made():
        found = []
        for args, zero in ((ctc(lengths), False), (ctc(lengths, F64, flat=True), False),
                           (ctc(lengths, steps=(5, 2)), True)):
            loss, alpha = aten._ctc_loss(args[0], args[1], list(map(int, args[2])), list(map(int, args[3])), 0, zero)
            for alphas, steps in zip(alpha, args[2]):
                alphas[steps:] = -float("inf")  # uninitialised
            found.append(a(torch.tensor([1.5, -0.5], dtype=loss.dtype), *args, loss, alpha, 0, zero))
        return found
    return made


# --- Bags of embeddings.

# With scale_grad_by_freq PyTorch takes another row's frequency behind one that occurs twice: the last.
BAG, STARTS, OF = i(1, 4, 0, 2, 4, 3), i(0, 2, 2, 5), i(0, 0, 2, 2, 2, 3)


def bag_calls(*, padding=False):
    def made():
        w = x(5, 3)
        return [a(*args) for args in (
            (w, BAG, STARTS, False, 0, False, x(6), False, *[2] * padding),
            (w.to(BF16), BAG, STARTS, False, 1, False, None, False, *[-1] * padding),
            (flipped(w), BAG.to(torch.int32), i(0, 2, 2, 6).to(torch.int32), False, 2, False, None, True,
             *[-1] * padding),
            (w.to(F64), BAG, STARTS, True, 0, False, None, False, *[4] * padding))]
    return made


def renorm():
    return [a(x(5, 3), i(1, 4, 1), 1.0, 2.0), a(x(5, 3, dtype=F64), i([1, 4], [0, 2]), 0.5, 1.0),
            a(flipped(x(5, 3)), i(3, 0), 0.7, float("inf"))]


def bag_backward():
    found = []
    for mode, weights, by_freq, dtype in ((0, x(6), False, torch.float32), (1, None, True, F64),
                                          (2, None, False, torch.float32), (0, None, True, torch.float32)):
        _, _, size, most = aten.embedding_bag(x(5, 3, dtype=dtype), BAG, STARTS, False, mode, False, weights)
        found.append(a(x(4, 3, dtype=dtype), BAG, OF, size, most, 5, by_freq, mode, weights, -1))
    return found


# --- Resizing: sizes, scales where the operator takes them.

IMAGE = {1: (2, 2, 5), 2: (1, 2, 4, 5), 3: (1, 2, 2, 3, 4)}
LARGER = {1: [8], 2: [6, 7], 3: [3, 4, 5]}
SMALLER = {1: [3], 2: [3, 2], 3: [1, 2, 3]}


def image(dims, dtype=torch.float32):
    return x(*IMAGE[dims], dtype=dtype)


def channels_last(dims, t):
    return last(t) if dims > 1 else flipped(t)


def resizes(dims, corners=None):
    """Without align_corners where that is None."""
    c = [] if corners is None else [False]
    d = [] if corners is None else [True]
    return lambda: [a(image(dims), LARGER[dims], *c, *[1.7] * dims),
                    a(image(dims, BF16), SMALLER[dims], *d),
                    a(channels_last(dims, image(dims)), LARGER[dims], *d),
                    a(image(dims, F64), SMALLER[dims], *c)]


def scaled(dims, corners=None):
    """The .vec forms: a size or factors."""
    c = [] if corners is None else [False]
    d = [] if corners is None else [True]
    return lambda: [a(image(dims), None, *c, [1.7, 0.6, 1.5][:dims]),
                    a(image(dims, BF16), SMALLER[dims], *d, None),
                    a(channels_last(dims, image(dims)), LARGER[dims], *c, None),
                    a(image(dims, F64), None, *d, [0.5, 2.0, 1.2][:dims])]


def resize_backward(dims, corners=None):
    c = [] if corners is None else [False]
    d = [] if corners is None else [True]

    def grad(sizes, dtype=torch.float32):
        return x(*IMAGE[dims][:2], *sizes, dtype=dtype)
    return lambda: [
        a(grad(LARGER[dims]), LARGER[dims], list(IMAGE[dims]), *c, *[1.7] * dims),
        a(grad(SMALLER[dims], F64), SMALLER[dims], list(IMAGE[dims]), *d),
        a(channels_last(dims, grad(LARGER[dims])), LARGER[dims], list(IMAGE[dims]), *d),
        a(grad(SMALLER[dims], BF16), SMALLER[dims], list(IMAGE[dims]), *c)]


def wide(make):
    """Without 16-bit floats."""
    return lambda: [c for c in make() if c[0][0].dtype != BF16]


# --- Padding.

def pads(pad, dims, most):
    sizes = [1, 2, 3, 4, 3][:2 + dims]
    return lambda: [a(x(*sizes), pad), a(channels_last(dims, x(*sizes, dtype=BF16)), most),
                    a(x(*sizes[1:], dtype=F64), most), a(flipped(x(*sizes)), pad)]


def pads_backward(pad, dims, most):
    sizes = [1, 2, 3, 4, 3][:2 + dims]

    def padded(sizes, pad):
        return [s + (sum(pad[2 * (len(sizes) - 1 - d):][:2])) for d, s in enumerate(sizes)]

    def grad(sizes, pad, dtype=torch.float32):
        return x(*padded(sizes, pad), dtype=dtype)
    return lambda: [a(grad(sizes, pad), x(*sizes), pad), a(grad(sizes[1:], most, F64), x(*sizes[1:], dtype=F64), most),
                    a(channels_last(dims, grad(sizes, most)), channels_last(dims, x(*sizes)), most),
                    a(flipped(grad(sizes, pad)), x(*sizes), pad)]


# --- Losses.

CLASSES = i(2, 0, 3)


def nll(*sizes, target=None):
    """sizes: batch, 4 classes, places."""
    places = [sizes[0], *sizes[2:]] if len(sizes) > 1 else []
    if target is None:
        target = torch.arange(torch.Size(places).numel()).reshape(places) % sizes[1 if len(sizes) > 1 else 0]
    return lambda: [
        a(x(*sizes).log_softmax(1 if len(sizes) > 1 else 0), target),
        a(x(*sizes, dtype=BF16), target, x(4, dtype=BF16).abs(), 1, 2),
        a(flipped(x(*sizes)), target, x(4).abs(), 0, 3), a(x(*sizes, dtype=F64), target, None, 2, 1)]


def cross_entropy():
    return [a(x(3, 4), CLASSES, x(4).abs(), 1, -100, 0.2), a(x(3, 4), x(3, 4).softmax(1), None, 1, -100, 0.1),
            a(flipped(x(2, 4, 3)), i([2, 0, 3], [1, 1, 0]), x(4).abs(), 0, 1),
            a(x(3, 4, dtype=BF16), CLASSES, None, 2)]


def binary(t):
    return t.abs() / 4


# --- Recurrent layers: input size 3, hidden size 2.

def parameters(gates, layers=1, bidirectional=False, biases=True, dtype=torch.float32, inputs=3, hidden=2, proj=0):
    found = []
    out = proj or hidden
    for n in range(layers):
        for way in range(1 + bidirectional):
            wide = inputs if n == 0 else out * (1 + bidirectional)
            w = [x(gates * hidden, wide, dtype=dtype), x(gates * hidden, out, dtype=dtype)]
            b = [x(gates * hidden, dtype=dtype), x(gates * hidden, dtype=dtype).flip(0)] if biases else []
            p = [x(out, hidden, dtype=dtype)] if proj else []
            found += [t / (1 + way) for t in w + b + p]
    return found


def states(cells, layers, sequences, dtype=torch.float32):
    h = x(layers, sequences, 2, dtype=dtype)
    return [h, h.flip(0) / 2] if cells else h


def recurrent(gates, cells=False):
    def made():
        found = [
            a(x(4, 2, 3), states(cells, 1, 2), parameters(gates), True, 1, 0.0, False, False, False),
            a(x(2, 4, 3, dtype=F64), states(cells, 4, 2, F64), parameters(gates, 2, True, dtype=F64), True, 2, 0.0,
              True, True, True),
            a(flipped(x(3, 2, 3)), states(cells, 2, 2), parameters(gates, 2, biases=False), False, 2, 0.0, False, False,
              False)]
        if cells:  # with projections
            found.append(a(x(3, 2, 3), [x(1, 2, 1), x(1, 2, 2)], parameters(gates, proj=1), True, 1, 0.0, False, False,
                           False))
        else:
            found.append(a(x(3, 2, 3), states(cells, 2, 2), parameters(gates, 2), True, 2, 0.5, True, False, False))
        return found
    return made


def packed(gates, cells=False):
    sizes = i(3, 2, 2, 1)
    return lambda: [
        a(x(8, 3), sizes, states(cells, 1, 3), parameters(gates), True, 1, 0.0, False, False),
        a(x(8, 3, dtype=F64), sizes, states(cells, 4, 3, F64), parameters(gates, 2, True, dtype=F64), True, 2, 0.0,
          True, True),
        a(x(8, 3), sizes, states(cells, 2, 3), parameters(gates, 2, biases=False), False, 2, 0.0, False, False)]


def cell(gates, cells=False):
    def hidden(dtype=torch.float32):
        h = x(2, 2, dtype=dtype)
        return [h, h.flip(0)] if cells else h
    return lambda: [a(x(2, 3, dtype=d), hidden(d), *parameters(gates, dtype=d)) for d in WIDE] + [
        a(flipped(x(2, 3)), hidden(), *parameters(gates, biases=False))]


def drops(*sizes):
    return calls(a(x(*sizes), 0.4, True), a(x(*sizes), 0.4, False), a(x(*sizes), 0.0, True), a(x(*sizes), 1.0, True))


def rrelu():
    return [a(x(2, 3), torch.ones(2, 3), 0.1, 0.4, True), a(x(2, 3, dtype=F64), torch.ones(2, 3, dtype=F64)),
            a(x(2, 3), torch.zeros(2, 3), 0.2, 0.3, False)]


THETA = x(2, 2, 3)

SAMPLES = {
    "_batch_norm_no_update": batches(0.2, 1e-3),
    "_batch_norm_no_update.out": dense(batches(0.2, 1e-3)),
    "_batch_norm_with_update_functional": batches(0.2, 1e-3),
    "_native_batch_norm_legit_functional": lambda: batches(True, 0.2, 1e-3)()[:3] + batches(False, 0.2, 1e-3)()[1:2],
    "_native_batch_norm_legit_no_training": batches(0.2, 1e-3),
    "_native_batch_norm_legit_no_training.out": dense(batches(0.2, 1e-3)),
    "instance_norm": instance_norm,
    "_ctc_loss": ctc_calls(list), "_ctc_loss.Tensor": ctc_calls(torch.tensor),
    "_ctc_loss_backward": ctc_backward(list), "_ctc_loss_backward.Tensor": ctc_backward(torch.tensor),
    "ctc_loss.IntList": ctc_losses(list), "ctc_loss.Tensor": ctc_losses(torch.tensor),
    "embedding_bag": bag_calls(), "embedding_bag.padding_idx": bag_calls(padding=True),
    "_embedding_bag_forward_only": bag_calls(padding=True),
    "_embedding_bag_dense_backward": bag_backward,
    "embedding_backward": calls(
        a(x(2, 3, 2), i([1, 4, 0], [4, 4, 2]), 5, 2, True, False),
        a(x(3, 2, dtype=BF16), i(1, 1, 3), 5, -1, False, False),
        a(flipped(x(3, 2)), i(1, 1, 3).to(torch.int32), 5, -1, False, False)),
    "embedding_renorm": renorm,
    "embedding_renorm.out": dense(renorm),
    "_upsample_bicubic2d_aa": wide(resizes(2, True)), "_upsample_bilinear2d_aa": wide(resizes(2, True)),
    "_upsample_bicubic2d_aa.vec": wide(scaled(2, True)), "_upsample_bilinear2d_aa.vec": wide(scaled(2, True)),
    "_upsample_bicubic2d_aa_backward": wide(resize_backward(2, True)),
    "_upsample_nearest_exact1d.vec": scaled(1), "_upsample_nearest_exact2d.vec": scaled(2),
    "_upsample_nearest_exact3d.vec": scaled(3),
    "_upsample_nearest_exact2d": resizes(2), "_upsample_nearest_exact3d": resizes(3),
    "_upsample_nearest_exact2d_backward": resize_backward(2),
    "_upsample_nearest_exact3d_backward": resize_backward(3),
    "upsample_nearest3d": resizes(3), "upsample_nearest3d_backward": resize_backward(3),
    "upsample_nearest1d.vec": scaled(1), "upsample_nearest2d.vec": scaled(2), "upsample_nearest3d.vec": scaled(3),
    "upsample_nearest2d.vec_out": dense(scaled(2)), "upsample_bilinear2d.vec_out": dense(scaled(2, True)),
    "upsample_linear1d.vec": scaled(1, True), "upsample_bilinear2d.vec": scaled(2, True),
    "upsample_bicubic2d.vec": scaled(2, True), "upsample_trilinear3d.vec": scaled(3, True),
    "reflection_pad2d": pads([1, 2, 0, 1], 2, [2, 3, 2, 2]),
    "reflection_pad2d_backward": pads_backward([1, 2, 0, 1], 2, [2, 3, 2, 2]),
    "reflection_pad3d": pads([1, 2, 0, 1, 1, 0], 3, [2, 0, 1, 2, 1, 1]),
    "reflection_pad3d_backward": pads_backward([1, 2, 0, 1, 1, 0], 3, [2, 0, 1, 2, 1, 1]),
    "replication_pad3d": pads([1, 2, 0, 1, 1, 0], 3, [2, 0, -1, 2, 1, 1]),
    "replication_pad3d_backward": pads_backward([1, 2, 0, 1, 1, 0], 3, [2, 0, 3, 2, 1, 1]),
    "_pad_circular": calls(a(x(1, 2, 4), [2, 3]), a(last(x(1, 2, 3, 4)), [1, -1, 2, 0]),
                           a(x(1, 1, 2, 3, 2, dtype=BF16), [1, 1, 0, 2, 1, 0])),
    "_pad_enum": calls(a(x(2, 3), [1, 2], 3, 0.5), a(x(1, 2, 4), [2, 1], 0), a(last(x(1, 2, 3, 4)), [1, 2, 0, 1], 1),
                       a(x(1, 2, 4, dtype=BF16), [1, 3], 2)),
    "affine_grid_generator": calls(a(THETA, [2, 3, 3, 4], False), a(THETA.to(F64), [2, 1, 2, 1], True),
                                   a(x(1, 3, 4), [1, 2, 2, 3, 2], True), a(x(1, 3, 4), [1, 2, 2, 3, 2], False)),
    "affine_grid_generator_backward": calls(
        a(x(2, 3, 4, 2), [2, 3, 3, 4], False), a(x(2, 2, 1, 2, dtype=F64), [2, 1, 2, 1], True),
        a(x(1, 2, 3, 2, 3), [1, 2, 2, 3, 2], True)),
    "grid_sampler": lambda: [
        a(x(1, 2, 3, 4), x(1, 2, 3, 2) / 1.5, mode, pad, corners)
        for mode, pad, corners in ((0, 0, False), (1, 1, True), (2, 2, False))] + [
        a(x(1, 2, 2, 3, 2), x(1, 2, 2, 1, 3) / 1.5, 0, 2, True)],
    "cross_entropy_loss": cross_entropy,
    "nll_loss": nll(3, 4, target=CLASSES), "nll_loss2d": nll(2, 4, 2, 3),
    "nll_loss_nd": lambda: nll(2, 4, 3)()[:2] + nll(1, 4, 2, 2)()[2:3] + nll(4, target=torch.tensor(1))()[3:],
    "kl_div": calls(a(x(3, 4), binary(x(3, 4))), a(x(3, 4), x(4, dtype=torch.float32), 0, log_target=True),
                    a(x(2, 3, dtype=F64), torch.zeros(2, 3, dtype=F64), 2),
                    a(x(3, 4, dtype=BF16), binary(x(3, 4, dtype=BF16)), 1)),
    "poisson_nll_loss": calls(a(x(3, 4), x(3, 4).abs(), True, False, 1e-8, 1),
                              a(x(3, 4).abs(), x(3, 4).abs() * 2, False, True, 1e-3, 0),
                              a(x(3, 4, dtype=F64), x(3, 4, dtype=F64).abs() * 2, True, True, 1e-8, 2),
                              a(x(3, 4, dtype=BF16), x(3, 4, dtype=BF16).abs(), True, False, 1e-8, 0)),
    "lstm.input": recurrent(4, True), "lstm.data": packed(4, True), "lstm_cell": cell(4, True),
    "gru.input": recurrent(3), "gru.data": packed(3), "gru_cell": cell(3),
    "rnn_tanh.input": recurrent(1), "rnn_tanh.data": packed(1), "rnn_tanh_cell": cell(1),
    "rnn_relu.input": recurrent(1), "rnn_relu.data": packed(1), "rnn_relu_cell": cell(1),
    "native_dropout": calls(a(x(2, 3), 0.4, True), a(x(2, 3), 0.4, False), a(x(2, 3), 1.0, True),
                            a(x(2, 3, dtype=BF16), 0.2, None)),
    "alpha_dropout": drops(2, 3), "alpha_dropout_": drops(2, 3),
    "feature_dropout": drops(3, 4, 2), "feature_dropout_": drops(3, 4, 2),
    "feature_alpha_dropout": drops(3, 4, 2), "feature_alpha_dropout_": drops(3, 4, 2),
    "rrelu_with_noise_functional": rrelu,
    # In training it ends the process unless out= has the result's size.
    "rrelu_with_noise.out": lambda: [c for c in rrelu() if len(c[0]) < 5 or not c[0][4]],
    "cumprod_backward": lambda: [
        a(x(*t.shape, dtype=t.dtype), t, dim, t.cumprod(dim))
        for t, dim in ((x(3, 4), 1), (torch.tensor([[1.0, 0, 2], [3, -1, 0]]), 1), (x(4, dtype=F64), 0),
                       (torch.tensor([[1.0, 0, 2], [0, 0, 3]]).t(), 0))],
    "gather_backward": calls(a(x(2, 3), x(2, 4), 1, i([0, 3, 3], [1, 1, 2]), False),
                             a(x(2, 3, dtype=F64), x(4, 3, dtype=F64), 0, i([0, 3, 3], [0, 1, 2]), False),
                             a(x(2, 3, dtype=BF16), x(2, 4, dtype=BF16).t().contiguous().t(), 1,
                               i([0, 3, 0], [1, 1, 2]), False)),
    "index_select_backward": calls(a(x(2, 3), [2, 5], 1, i(4, 0, 4)), a(x(3, 2, dtype=BF16), [4, 2], 0, i(3, 3, 1)),
                                   a(flipped(x(2, 2)), [2, 3], -1, i(2, 1).to(torch.int32))),
    "masked_select_backward": calls(a(x(3), x(2, 3), torch.tensor([[True, False, True], [False, True, False]])),
                                    a(x(4, dtype=F64), x(2, 3, dtype=F64), torch.tensor([True, False, True])),
                                    a(x(2, dtype=BF16), x(2, 1, dtype=BF16),
                                      torch.tensor([[True, False, True], [False] * 3]))),
    "value_selecting_reduction_backward": calls(
        a(x(3), 1, i(0, 3, 1), [3, 4], False), a(x(1, 4, dtype=F64), 0, i([2, 0, 1, 1]), [3, 4], True),
        a(torch.tensor(2.5), 0, i(2).reshape(()), [4], False), a(x(3, dtype=BF16), -1, i(0, 3, 1), [3, 4], False)),
    # Of taller matrices PyTorch goes on behind the diagonal.
    "trace_backward": calls(a(torch.tensor(2.5), [3, 4]), a(torch.tensor(-1.5, dtype=F64), [3, 2]),
                            a(torch.tensor(0.75, dtype=BF16), [2, 2])),
}
