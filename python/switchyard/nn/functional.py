"""torch.nn.functional: operators by the arguments that PyTorch gives these functions in Python.

Names that are not here are operators as they stand: functional.linear, functional.conv2d.
"""

from switchyard import _docs
from switchyard._core import Tensor, call
from switchyard._modes import no_grad

_REDUCTIONS = {"none": 0, "mean": 1, "sum": 2}


def _reduction(name):
    if name not in _REDUCTIONS:
        raise ValueError(f"{name} is not a valid value for reduction: none, mean or sum")
    return _REDUCTIONS[name]


# --- Activations.

def _in_place(name, doc):
    """An activation that can write its input."""
    def function(input, inplace=False):
        return call(name + "_" if inplace else name, input)
    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    return function


relu = _in_place("relu", "max(0, x).")
relu6 = _in_place("relu6", "min(max(0, x), 6).")
selu = _in_place("selu", "The scaled exponential linear unit.")
silu = _in_place("silu", "x * sigmoid(x).")
mish = _in_place("mish", "x * tanh(softplus(x)).")
hardswish = _in_place("hardswish", "x * relu6(x + 3) / 6.")
hardsigmoid = _in_place("hardsigmoid", "relu6(x + 3) / 6.")


def relu_(input):
    """relu, in place."""
    return call("relu_", input)


def elu(input, alpha=1.0, inplace=False):
    """x above 0, else alpha * (exp(x) - 1)."""
    return call("elu_" if inplace else "elu", input, alpha)


def celu(input, alpha=1.0, inplace=False):
    """max(0, x) + min(0, alpha * (exp(x / alpha) - 1))."""
    return call("celu_" if inplace else "celu", input, alpha)


def leaky_relu(input, negative_slope=0.01, inplace=False):
    """x above 0, else negative_slope * x."""
    return call("leaky_relu_" if inplace else "leaky_relu", input, negative_slope)


def hardtanh(input, min_val=-1.0, max_val=1.0, inplace=False):
    """x, cut to a range."""
    return call("hardtanh_" if inplace else "hardtanh", input, min_val, max_val)


def threshold(input, threshold, value, inplace=False):
    """x above the threshold, else value."""
    return call("threshold_" if inplace else "threshold", input, threshold, value)


def rrelu(input, lower=1.0 / 8, upper=1.0 / 3, training=False, inplace=False):
    """leaky_relu, in training with random slopes."""
    return call("rrelu_" if inplace else "rrelu", input, lower, upper, training)


def softplus(input, beta=1, threshold=20):
    """log(1 + exp(beta * x)) / beta; x itself beyond the threshold."""
    return call("softplus", input, beta, threshold)


def logsigmoid(input):
    """log(sigmoid(x))."""
    return call("log_sigmoid", input)


def tanhshrink(input):
    """x - tanh(x)."""
    return input - input.tanh()


def softsign(input):
    """x / (1 + abs(x))."""
    return input / (input.abs() + 1)


def sigmoid(input):
    """1 / (1 + exp(-x))."""
    return call("sigmoid", input)


def tanh(input):
    """The hyperbolic tangent."""
    return call("tanh", input)


def _softmax_dim(dim, ndim):
    return dim if dim is not None else (0 if ndim in (0, 1, 3) else 1)


def softmax(input, dim=None, _stacklevel=3, dtype=None):
    """exp(x) over its sum along a dimension."""
    return call("softmax", input, _softmax_dim(dim, input.dim()), dtype)


def softmin(input, dim=None, _stacklevel=3, dtype=None):
    """softmax of -x."""
    return call("softmax", -input, _softmax_dim(dim, input.dim()), dtype)


def log_softmax(input, dim=None, _stacklevel=3, dtype=None):
    """log(softmax(x))."""
    return call("log_softmax", input, _softmax_dim(dim, input.dim()), dtype)


def gumbel_softmax(logits, tau=1, hard=False, eps=1e-10, dim=-1):
    """A sample of the Gumbel-softmax distribution; hard: one-hot, with the soft one's gradient."""
    gumbels = -call("exponential_", call("empty_like", logits)).log()
    soft = ((logits + gumbels) / tau).softmax(dim)
    if not hard:
        return soft
    index = soft.argmax(dim, keepdim=True)
    return call("zeros_like", logits).scatter_(dim, index, 1.0) - soft.detach() + soft


def normalize(input, p=2.0, dim=1, eps=1e-12, out=None):
    """x over its norm along a dimension."""
    norm = call("linalg_vector_norm", input, p, (dim,) if isinstance(dim, int) else dim, True)
    denominator = norm.clamp_min(eps).expand_as(input)
    return input / denominator if out is None else call("div", input, denominator, out=out)


# --- Dropout.

def _dropout(name):
    def function(input, p=0.5, training=True, inplace=False):
        if not 0 <= p <= 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
        return call(name + "_" if inplace else name, input, p, training)
    return function


dropout = _dropout("dropout")
alpha_dropout = _dropout("alpha_dropout")
feature_alpha_dropout = _dropout("feature_alpha_dropout")
dropout1d = dropout2d = dropout3d = _dropout("feature_dropout")
for _name, _f in (("dropout", dropout), ("alpha_dropout", alpha_dropout),
                  ("feature_alpha_dropout", feature_alpha_dropout), ("dropout2d", dropout2d)):
    _f.__name__ = _f.__qualname__ = _name
    _f.__doc__ = "In training: elements that are zero by chance, and others that make up for them."
del _name, _f


# --- Embeddings.

def embedding(input, weight, padding_idx=None, max_norm=None, norm_type=2.0,
              scale_grad_by_freq=False, sparse=False):
    """Rows of weight, by their numbers."""
    if padding_idx is None:
        padding_idx = -1
    elif padding_idx < 0:
        padding_idx += weight.size(0)
    if max_norm is not None:
        with no_grad():
            call("embedding_renorm_", weight.detach(), input, max_norm, norm_type)
    return call("embedding", weight, input, padding_idx, scale_grad_by_freq, sparse)


def embedding_bag(input, weight, offsets=None, max_norm=None, norm_type=2, scale_grad_by_freq=False,
                  mode="mean", sparse=False, per_sample_weights=None, include_last_offset=False,
                  padding_idx=None):
    """Sums, means or maxima of rows of weight, bag by bag."""
    if input.dim() == 2:
        if offsets is not None:
            raise ValueError("if input is 2D, then offsets has to be None")
        offsets = call("arange", 0, input.numel(), input.size(1), dtype=input.dtype,
                       device=input.device)
        input = input.reshape(-1)
        if per_sample_weights is not None:
            per_sample_weights = per_sample_weights.reshape(-1)
    if max_norm is not None:
        with no_grad():
            call("embedding_renorm_", weight.detach(), input, max_norm, norm_type)
    kinds = {"sum": 0, "mean": 1, "max": 2}
    if mode not in kinds:
        raise ValueError("mode has to be one of sum, mean or max")
    return call("embedding_bag", weight, input, offsets, scale_grad_by_freq, kinds[mode], sparse,
                per_sample_weights, include_last_offset, padding_idx)[0]


def one_hot(tensor, num_classes=-1):
    """A row for each number: 1 at it, 0 elsewhere."""
    return call("one_hot", tensor, num_classes)


# --- Normalisation.

def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-5):
    """Zero mean and unit variance over the last dimensions."""
    return call("layer_norm", input, normalized_shape, weight, bias, eps, False)


def rms_norm(input, normalized_shape, weight=None, eps=None):
    """Unit mean square over the last dimensions."""
    return call("rms_norm", input, normalized_shape, weight, eps)


def group_norm(input, num_groups, weight=None, bias=None, eps=1e-5):
    """Zero mean and unit variance over groups of channels."""
    return call("group_norm", input, num_groups, weight, bias, eps, False)


def batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False,
               momentum=0.1, eps=1e-5):
    """Zero mean and unit variance over the batch; in training the running ones are updated."""
    return call("batch_norm", input, weight, bias, running_mean, running_var, training,
                0.0 if momentum is None else momentum, eps, False)


def instance_norm(input, running_mean=None, running_var=None, weight=None, bias=None,
                  use_input_stats=True, momentum=0.1, eps=1e-5):
    """Zero mean and unit variance over each channel of each sample."""
    return call("instance_norm", input, weight, bias, running_mean, running_var, use_input_stats,
                momentum, eps, False)


def local_response_norm(input, size, alpha=1e-4, beta=0.75, k=1.0):
    """x over a power of the mean square of neighbouring channels."""
    square = input.mul(input).unsqueeze(1)
    if input.dim() == 3:
        square = avg_pool2d(pad(square, (0, 0, size // 2, (size - 1) // 2)), (size, 1),
                            stride=1).squeeze(1)
    else:
        sizes = input.size()
        square = square.reshape(sizes[0], 1, sizes[1], sizes[2], -1)
        square = pad(square, (0, 0, 0, 0, size // 2, (size - 1) // 2))
        square = avg_pool3d(square, (size, 1, 1), stride=1).squeeze(1).reshape(sizes)
    return input / (square * alpha + k).pow(beta)


# --- Pooling.

def _max_pool(n):
    def function(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False,
                 return_indices=False):
        name = f"max_pool{n}d_with_indices" if return_indices else f"max_pool{n}d"
        return call(name, input, kernel_size, kernel_size if stride is None else stride, padding,
                    dilation, ceil_mode)
    function.__name__ = function.__qualname__ = f"max_pool{n}d"
    function.__doc__ = "Maxima of windows; with the position of each."
    return function


max_pool1d, max_pool2d, max_pool3d = _max_pool(1), _max_pool(2), _max_pool(3)


def avg_pool1d(input, kernel_size, stride=None, padding=0, ceil_mode=False,
               count_include_pad=True):
    """Means of windows."""
    return call("avg_pool1d", input, kernel_size, kernel_size if stride is None else stride,
                padding, ceil_mode, count_include_pad)


def _avg_pool(n):
    def function(input, kernel_size, stride=None, padding=0, ceil_mode=False,
                 count_include_pad=True, divisor_override=None):
        return call(f"avg_pool{n}d", input, kernel_size,
                    kernel_size if stride is None else stride, padding, ceil_mode,
                    count_include_pad, divisor_override)
    function.__name__ = function.__qualname__ = f"avg_pool{n}d"
    function.__doc__ = "Means of windows."
    return function


avg_pool2d, avg_pool3d = _avg_pool(2), _avg_pool(3)


def _adaptive_size(input, output_size, n):
    if isinstance(output_size, int):
        return (output_size,) * n
    return tuple(size if size is not None else input.size(i - n)
                 for i, size in enumerate(output_size))


def _adaptive_max_pool(n):
    def function(input, output_size, return_indices=False):
        both = call(f"adaptive_max_pool{n}d", input, _adaptive_size(input, output_size, n))
        return tuple(both) if return_indices else both[0]
    function.__name__ = function.__qualname__ = f"adaptive_max_pool{n}d"
    function.__doc__ = "Maxima of as many windows as the output has elements."
    return function


adaptive_max_pool1d, adaptive_max_pool2d, adaptive_max_pool3d = (
    _adaptive_max_pool(1), _adaptive_max_pool(2), _adaptive_max_pool(3))


def _adaptive_avg_pool(n):
    def function(input, output_size):
        return call(f"adaptive_avg_pool{n}d", input, _adaptive_size(input, output_size, n))
    function.__name__ = function.__qualname__ = f"adaptive_avg_pool{n}d"
    function.__doc__ = "Means of as many windows as the output has elements."
    return function


adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d = (
    _adaptive_avg_pool(1), _adaptive_avg_pool(2), _adaptive_avg_pool(3))


def lp_pool2d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    """Norms of windows."""
    width = (kernel_size,) * 2 if isinstance(kernel_size, int) else tuple(kernel_size)
    mean = avg_pool2d(input.pow(norm_type), kernel_size, stride, 0, ceil_mode)
    return (mean.sign() * relu(mean.abs()) * (width[0] * width[1])).pow(1.0 / norm_type)


def lp_pool1d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    """Norms of windows."""
    mean = avg_pool1d(input.pow(norm_type), kernel_size, stride, 0, ceil_mode)
    return (mean.sign() * relu(mean.abs()) * kernel_size).pow(1.0 / norm_type)


# --- Losses.

def mse_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    """Squares of differences."""
    return call("mse_loss", input, target, _reduction(reduction))


def l1_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    """Absolute differences."""
    return call("l1_loss", input, target, _reduction(reduction))


def smooth_l1_loss(input, target, size_average=None, reduce=None, reduction="mean", beta=1.0):
    """Squares of small differences, absolute values of large ones."""
    return call("smooth_l1_loss", input, target, _reduction(reduction), beta)


def huber_loss(input, target, reduction="mean", delta=1.0):
    """Squares of small differences, absolute values of large ones."""
    return call("huber_loss", input, target, _reduction(reduction), delta)


def nll_loss(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None,
             reduction="mean"):
    """The negative log likelihood of the targets."""
    return call("nll_loss_nd", input, target, weight, _reduction(reduction), ignore_index)


def cross_entropy(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None,
                  reduction="mean", label_smoothing=0.0):
    """nll_loss of log_softmax; targets are classes, or their probabilities."""
    return call("cross_entropy_loss", input, target, weight, _reduction(reduction), ignore_index,
                float(label_smoothing))


def binary_cross_entropy(input, target, weight=None, size_average=None, reduce=None,
                         reduction="mean"):
    """Of probabilities."""
    return call("binary_cross_entropy", input, target, weight, _reduction(reduction))


def binary_cross_entropy_with_logits(input, target, weight=None, size_average=None, reduce=None,
                                     reduction="mean", pos_weight=None):
    """Of what sigmoid makes probabilities."""
    return call("binary_cross_entropy_with_logits", input, target, weight, pos_weight,
                _reduction(reduction))


def kl_div(input, target, size_average=None, reduce=None, reduction="mean", log_target=False):
    """The Kullback-Leibler divergence; "batchmean": the sum over the batch's size."""
    if reduction == "batchmean":
        total = call("kl_div", input, target, 2, log_target=log_target)
        return total / input.size(0) if input.dim() else total
    return call("kl_div", input, target, _reduction(reduction), log_target=log_target)


def poisson_nll_loss(input, target, log_input=True, full=False, size_average=None, eps=1e-8,
                     reduce=None, reduction="mean"):
    """The negative log likelihood of Poisson distributions."""
    return call("poisson_nll_loss", input, target, log_input, full, eps, _reduction(reduction))


def soft_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    """log(1 + exp(-target * x))."""
    return call("soft_margin_loss", input, target, _reduction(reduction))


def hinge_embedding_loss(input, target, margin=1.0, size_average=None, reduce=None,
                         reduction="mean"):
    """x where the target is 1, max(0, margin - x) where it is -1."""
    return call("hinge_embedding_loss", input, target, margin, _reduction(reduction))


def margin_ranking_loss(input1, input2, target, margin=0, size_average=None, reduce=None,
                        reduction="mean"):
    """max(0, -target * (x1 - x2) + margin)."""
    return call("margin_ranking_loss", input1, input2, target, margin, _reduction(reduction))


def cosine_embedding_loss(input1, input2, target, margin=0, size_average=None, reduce=None,
                          reduction="mean"):
    """1 - cos where the target is 1, max(0, cos - margin) where it is -1."""
    return call("cosine_embedding_loss", input1, input2, target, margin, _reduction(reduction))


def triplet_margin_loss(anchor, positive, negative, margin=1.0, p=2, eps=1e-6, swap=False,
                        size_average=None, reduce=None, reduction="mean"):
    """max(0, distance to positive - distance to negative + margin)."""
    return call("triplet_margin_loss", anchor, positive, negative, margin, p, eps, swap,
                _reduction(reduction))


def multi_margin_loss(input, target, p=1, margin=1.0, weight=None, size_average=None, reduce=None,
                      reduction="mean"):
    """Hinge losses of the other classes."""
    return call("multi_margin_loss", input, target, p, margin, weight, _reduction(reduction))


def multilabel_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    """Hinge losses of several classes."""
    return call("multilabel_margin_loss", input, target, _reduction(reduction))


def gaussian_nll_loss(input, target, var, full=False, eps=1e-6, reduction="mean"):
    """The negative log likelihood of normal distributions."""
    if not isinstance(var, Tensor):
        var = call("full_like", input, var)
    if (var < 0).any():
        raise ValueError("var has negative entry/entries")
    var = call("clamp", var.detach(), eps) + (var - var.detach())
    loss = 0.5 * (var.log() + (input - target) ** 2 / var)
    if full:
        from math import log, pi
        loss = loss + 0.5 * log(2 * pi)
    return loss.mean() if reduction == "mean" else loss.sum() if reduction == "sum" else loss


def ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, reduction="mean",
             zero_infinity=False):
    """Connectionist temporal classification."""
    return call("ctc_loss", log_probs, targets, input_lengths, target_lengths, blank,
                _reduction(reduction), zero_infinity)


# --- Padding, resampling, patches.

def pad(input, pad, mode="constant", value=None):
    """Elements put around: pairs of counts, the last dimension's first."""
    return call("pad", input, pad, mode, None if value is None else float(value))


def _interpolated(input, size, scale_factor):
    n = input.dim() - 2
    if (size is None) == (scale_factor is None):
        raise ValueError("only one of size or scale_factor should be defined")
    if size is not None:
        return ([size] * n if isinstance(size, int) else list(size)), None
    scales = [float(scale_factor)] * n if isinstance(scale_factor, (int, float)) else \
        [float(s) for s in scale_factor]
    return None, scales


def interpolate(input, size=None, scale_factor=None, mode="nearest", align_corners=None,
                recompute_scale_factor=None, antialias=False):
    """Other sizes of the last dimensions: nearest, nearest-exact, linear, bilinear, bicubic,
    trilinear, area."""
    n = input.dim() - 2
    size, scales = _interpolated(input, size, scale_factor)
    if recompute_scale_factor and scales is not None:
        size, scales = [int(input.size(i + 2) * s) for i, s in enumerate(scales)], None
    if mode in ("nearest", "nearest-exact", "area"):
        if align_corners is not None:
            raise ValueError("align_corners option can only be set with the interpolating modes: "
                             "linear | bilinear | bicubic | trilinear")
        if mode == "area":
            size = size or [int(input.size(i + 2) * s) for i, s in enumerate(scales)]
            return (adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d)[n - 1](input, size)
        name = "upsample_nearest" if mode == "nearest" else "_upsample_nearest_exact"
        return call(f"{name}{n}d", input, size, scales)
    kinds = {("linear", 1): "upsample_linear1d", ("bilinear", 2): "upsample_bilinear2d",
             ("bicubic", 2): "upsample_bicubic2d", ("trilinear", 3): "upsample_trilinear3d"}
    if (mode, n) not in kinds:
        raise NotImplementedError(f"got {input.dim()}D input, but {mode} mode")
    name = kinds[mode, n]
    if antialias:
        if n != 2:
            raise ValueError("anti-alias option is restricted to bilinear and bicubic modes")
        name = f"_{name}_aa"
    return call(name, input, size, bool(align_corners), scales)


def upsample(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    """interpolate."""
    return interpolate(input, size, scale_factor, mode, align_corners)


def grid_sample(input, grid, mode="bilinear", padding_mode="zeros", align_corners=None):
    """Elements at the places that a grid names."""
    modes, paddings = ("bilinear", "nearest", "bicubic"), ("zeros", "border", "reflection")
    if mode not in modes or padding_mode not in paddings:
        raise ValueError(f"grid_sample(): mode is one of {modes}, padding_mode one of {paddings}")
    return call("grid_sampler", input, grid, modes.index(mode), paddings.index(padding_mode),
                bool(align_corners))


def affine_grid(theta, size, align_corners=None):
    """The grid of an affine map."""
    return call("affine_grid_generator", theta, list(size), bool(align_corners))


def unfold(input, kernel_size, dilation=1, padding=0, stride=1):
    """Patches as columns."""
    return call("im2col", input, kernel_size, dilation, padding, stride)


def fold(input, output_size, kernel_size, dilation=1, padding=0, stride=1):
    """Sums of patches that are columns."""
    return call("col2im", input, output_size, kernel_size, dilation, padding, stride)


# --- Distances and attention.

def cosine_similarity(x1, x2, dim=1, eps=1e-8):
    """The cosine of the angle between vectors."""
    return call("cosine_similarity", x1, x2, dim, eps)


def pairwise_distance(x1, x2, p=2.0, eps=1e-6, keepdim=False):
    """Norms of differences."""
    return call("pairwise_distance", x1, x2, p, eps, keepdim)


def scaled_dot_product_attention(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False,
                                 scale=None, enable_gqa=False):
    """softmax(query @ key.T * scale) @ value."""
    return call("scaled_dot_product_attention", query, key, value, attn_mask, dropout_p, is_causal,
                scale=scale, enable_gqa=enable_gqa)


def __getattr__(name):
    found = None if name.startswith("__") else _docs.function(name)
    if found is None:
        raise AttributeError(f"module 'switchyard.nn.functional' has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__():
    return sorted(globals())
