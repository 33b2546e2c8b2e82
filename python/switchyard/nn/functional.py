"""torch.nn.functional: operators by the arguments that PyTorch gives these functions in Python.

Names that are not here are operators as they stand: functional.linear, functional.conv2d.
"""

from switchyard import _core, _docs
from switchyard._core import Tensor, call
from switchyard._modes import no_grad

_REDUCTIONS = {"none": 0, "mean": 1, "sum": 2}


def _reduction(name, size_average=None, reduce=None):
    """A reduction's number. The two flags are what stood in its place before, and win."""
    if size_average is not None or reduce is not None:
        name = ("none" if reduce is not None and not reduce else
                "sum" if size_average is not None and not size_average else "mean")
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
    if min_val > max_val:
        raise ValueError("min_val cannot be greater than max_val")
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
dropout2d = _dropout("feature_dropout")


def _dropout_of_channels(n):
    """Whole channels are dropped: of the first dimension where there is no batch before it."""
    def function(input, p=0.5, training=True, inplace=False):
        if not 0 <= p <= 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
        if n == 1 and input.dim() not in (2, 3):
            raise RuntimeError(f"dropout1d: Expected 2D or 3D input, but received a {input.dim()}D "
                               "input")
        if input.dim() == n + 2:
            return dropout2d(input, p, training, inplace)
        result = dropout2d(input.unsqueeze(0), p, training, inplace)
        return input if inplace else result.squeeze(0)
    return function


dropout1d, dropout3d = _dropout_of_channels(1), _dropout_of_channels(3)
for _name, _f in (("dropout", dropout), ("alpha_dropout", alpha_dropout),
                  ("feature_alpha_dropout", feature_alpha_dropout), ("dropout1d", dropout1d),
                  ("dropout2d", dropout2d), ("dropout3d", dropout3d)):
    _f.__name__ = _f.__qualname__ = _name
    _f.__doc__ = "In training: elements that are zero by chance, and others that make up for them."
del _name, _f


# --- Embeddings.

def embedding(input, weight, padding_idx=None, max_norm=None, norm_type=2.0,
              scale_grad_by_freq=False, sparse=False):
    """Rows of weight, by their numbers."""
    if padding_idx is None:
        padding_idx = -1
    elif not -weight.size(0) <= padding_idx < weight.size(0):
        raise AssertionError("Padding_idx must be within num_embeddings")
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
    kinds = {"sum": 0, "mean": 1, "max": 2}
    if mode not in kinds:
        raise ValueError("mode has to be one of sum, mean or max")
    if mode == "max" and (scale_grad_by_freq or sparse):
        raise ValueError("max mode does not support scaling the gradient by the frequency, nor sparse "
                         "weights")
    if per_sample_weights is not None and input.size() != per_sample_weights.size():
        raise ValueError(f"embedding_bag: If per_sample_weights ({tuple(per_sample_weights.shape)}) is "
                         f"not None, then it must have the same shape as the input "
                         f"({tuple(input.shape)})")
    if input.dim() == 2:
        if offsets is not None:
            raise ValueError("if input is 2D, then offsets has to be None")
        offsets = call("arange", 0, input.numel(), input.size(1), dtype=input.dtype,
                       device=input.device)
        input = input.reshape(-1)
        if per_sample_weights is not None:
            per_sample_weights = per_sample_weights.reshape(-1)
    elif input.dim() != 1:
        raise ValueError(f"input has to be 1D or 2D Tensor, but got Tensor of dimension {input.dim()}")
    elif offsets is None or offsets.dim() != 1:
        raise ValueError(f"offsets has to be a 1D Tensor but got "
                         f"{None if offsets is None else f'{offsets.dim()}D'}")
    if per_sample_weights is not None and mode != "sum":
        raise NotImplementedError("embedding_bag: per_sample_weights was not None. per_sample_weights is "
                                  f"only supported for mode='sum' (got mode='{mode}')")
    rows = weight.size(0)
    if padding_idx is not None and not -rows <= padding_idx < rows:
        raise RuntimeError(f"padding_idx must be within the number of embeddings, {-rows} through "
                           f"{rows - 1}, but got {padding_idx}")
    if max_norm is not None:  # which writes weight: after all that is refused
        with no_grad():
            call("embedding_renorm_", weight.detach(), input, max_norm, norm_type)
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


def _require_several(sizes, of, shown):
    """That what is normalised has more than one element: one is its own mean, and 0 comes of it."""
    n = 1
    for size in sizes:
        n *= size
    if n == 1:
        raise ValueError(f"Expected more than 1 {of} when training, got input size {list(shown)}")


def group_norm(input, num_groups, weight=None, bias=None, eps=1e-5):
    """Zero mean and unit variance over groups of channels."""
    sizes = input.size()
    if len(sizes) > 1 and num_groups > 0:  # the operator says the rest
        _require_several((sizes[0] * sizes[1] // num_groups, *sizes[2:]), "value per channel", sizes)
    return call("group_norm", input, num_groups, weight, bias, eps, False)


def batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False,
               momentum=0.1, eps=1e-5):
    """Zero mean and unit variance over the batch; in training the running ones are updated."""
    sizes = input.size()
    if training and sizes:
        _require_several((sizes[0], *sizes[2:]), "value per channel", sizes)
    if eps <= 0:
        raise ValueError(f"batch_norm eps must be positive, but got {eps}")
    return call("batch_norm", input, weight, bias, running_mean, running_var, training,
                0.0 if momentum is None else momentum, eps, False)


def instance_norm(input, running_mean=None, running_var=None, weight=None, bias=None,
                  use_input_stats=True, momentum=0.1, eps=1e-5):
    """Zero mean and unit variance over each channel of each sample."""
    if use_input_stats:
        _require_several(input.size()[2:], "spatial element", input.size())
    return call("instance_norm", input, weight, bias, running_mean, running_var, use_input_stats,
                momentum, eps, False)


def local_response_norm(input, size, alpha=1e-4, beta=0.75, k=1.0):
    """x over a power of the mean square of neighbouring channels."""
    if input.dim() < 3:
        raise ValueError(f"Expected 3D or higher dimensionality input (got {input.dim()} dimensions)")
    if input.numel() == 0:
        return input
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


def lp_pool3d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    """Norms of windows."""
    size = _each(kernel_size, 3)
    mean = avg_pool3d(input.pow(norm_type), size, stride, 0, ceil_mode)
    return (mean.sign() * relu(mean.abs())).mul(size[0] * size[1] * size[2]).pow(1.0 / norm_type)


def _each(value, n):
    """n numbers, of one or as many."""
    return [value] * n if isinstance(value, int) else list(value)


def _max_unpool(n):
    def function(input, indices, kernel_size, stride=None, padding=0, output_size=None):
        kernel, padding = _each(kernel_size, n), _each(padding, n)
        stride = kernel if stride is None else _each(stride, n)
        size = [(input.size(d - n) - 1) * stride[d] + kernel[d] - 2 * padding[d] for d in range(n)]
        if output_size is not None:
            given = list(output_size)[2 if len(output_size) == n + 2 else 0:]
            if len(given) != n:
                raise ValueError(f"max_unpool{n}d: output_size should have {n} or {n + 2} numbers, "
                                 f"got {list(output_size)}")
            for wanted, usual, step in zip(given, size, stride):
                if not usual - step < wanted < usual + step:
                    raise ValueError(f"max_unpool{n}d: output_size {given} is too far from {size}: "
                                     f"strides are {stride}")
            size = given
        if n == 1:
            return call("max_unpool2d", input.unsqueeze(-1), indices.unsqueeze(-1),
                        size + [1]).squeeze(-1)
        if n == 2:
            return call("max_unpool2d", input, indices, size)
        return call("max_unpool3d", input, indices, size, stride, padding)
    function.__name__ = function.__qualname__ = f"max_unpool{n}d"
    function.__doc__ = "Maxima back where max_pool found them, 0 elsewhere."
    return function


max_unpool1d, max_unpool2d, max_unpool3d = _max_unpool(1), _max_unpool(2), _max_unpool(3)


def _fractional_max_pool(n):
    def function(input, kernel_size, output_size=None, output_ratio=None, return_indices=False,
                 _random_samples=None):
        if output_size is None:
            if output_ratio is None:
                raise ValueError(f"fractional_max_pool{n}d requires specifying either an "
                                 "output_size or an output_ratio")
            ratios = [output_ratio] * n if isinstance(output_ratio, (int, float)) else output_ratio
            output_size = [int(input.size(d - n) * r) for d, r in enumerate(ratios)]
        if _random_samples is None:
            batch = 1 if input.dim() == n + 1 else input.size(0)
            _random_samples = call("rand", (batch, input.size(-n - 1), n), dtype=input.dtype,
                                   device=input.device)
        both = call(f"fractional_max_pool{n}d", input, kernel_size, output_size, _random_samples)
        return tuple(both) if return_indices else both[0]
    function.__name__ = function.__qualname__ = f"fractional_max_pool{n}d"
    function.__doc__ = "Maxima of windows whose places are drawn."
    return function


fractional_max_pool2d, fractional_max_pool3d = _fractional_max_pool(2), _fractional_max_pool(3)


# --- Losses.

def _weighted(losses, input, weight):
    if weight.size() != input.size():
        raise ValueError("Weights and input must have the same size.")
    return losses * weight


def _weighted_mean(losses, input, weight, kind):
    """Reduced; a mean is one of what the weights make of it."""
    weighted = _weighted(losses, input, weight)
    return weighted.sum() / weight.sum() if kind == 1 else _reduced(weighted, kind)


def mse_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    """Squares of differences."""
    if weight is not None:
        return _weighted_mean(call("mse_loss", input, target, 0), input, weight,
                              _reduction(reduction, size_average, reduce))
    return call("mse_loss", input, target, _reduction(reduction, size_average, reduce))


def l1_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    """Absolute differences."""
    if weight is not None:
        return _weighted_mean(call("l1_loss", input, target, 0), input, weight,
                              _reduction(reduction, size_average, reduce))
    return call("l1_loss", input, target, _reduction(reduction, size_average, reduce))


def smooth_l1_loss(input, target, size_average=None, reduce=None, reduction="mean", beta=1.0):
    """Squares of small differences, absolute values of large ones."""
    return call("smooth_l1_loss", input, target, _reduction(reduction, size_average, reduce), beta)


def huber_loss(input, target, reduction="mean", delta=1.0, weight=None):
    """Squares of small differences, absolute values of large ones."""
    if weight is not None:
        return _reduced(_weighted(call("huber_loss", input, target, 0, delta), input, weight),
                        _reduction(reduction))
    return call("huber_loss", input, target, _reduction(reduction), delta)


def nll_loss(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None,
             reduction="mean"):
    """The negative log likelihood of the targets."""
    if input.dim() > 1 and target.dim() > 0 and input.size(0) != target.size(0):
        raise ValueError(f"Expected input batch_size ({input.size(0)}) to match target batch_size "
                         f"({target.size(0)}).")
    return call("nll_loss_nd", input, target, weight,
                _reduction(reduction, size_average, reduce), ignore_index)


def cross_entropy(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None,
                  reduction="mean", label_smoothing=0.0):
    """nll_loss of log_softmax; targets are classes, or their probabilities."""
    return call("cross_entropy_loss", input, target, weight,
                _reduction(reduction, size_average, reduce), ignore_index,
                float(label_smoothing))


def _require_same_size(input, target):
    if input.shape != target.shape:
        raise ValueError(f"Target size ({target.shape}) must be the same as input size ({input.shape})")


def binary_cross_entropy(input, target, weight=None, size_average=None, reduce=None,
                         reduction="mean"):
    """Of probabilities."""
    _require_same_size(input, target)
    return call("binary_cross_entropy", input, target, weight,
                _reduction(reduction, size_average, reduce))


def binary_cross_entropy_with_logits(input, target, weight=None, size_average=None, reduce=None,
                                     reduction="mean", pos_weight=None):
    """Of what sigmoid makes probabilities."""
    _require_same_size(input, target)
    return call("binary_cross_entropy_with_logits", input, target, weight, pos_weight,
                _reduction(reduction, size_average, reduce))


def kl_div(input, target, size_average=None, reduce=None, reduction="mean", log_target=False):
    """The Kullback-Leibler divergence; "batchmean": the sum over the batch's size."""
    flags = size_average is not None or reduce is not None
    kind = 2 if reduction == "batchmean" and not flags else _reduction(reduction, size_average, reduce)
    loss = call("kl_div", input, target, kind, log_target=log_target)
    return loss / input.size(0) if reduction == "batchmean" and input.dim() else loss


def poisson_nll_loss(input, target, log_input=True, full=False, size_average=None, eps=1e-8,
                     reduce=None, reduction="mean"):
    """The negative log likelihood of Poisson distributions."""
    return call("poisson_nll_loss", input, target, log_input, full, eps,
                _reduction(reduction, size_average, reduce))


def soft_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    """log(1 + exp(-target * x))."""
    return call("soft_margin_loss", input, target, _reduction(reduction, size_average, reduce))


def hinge_embedding_loss(input, target, margin=1.0, size_average=None, reduce=None,
                         reduction="mean"):
    """x where the target is 1, max(0, margin - x) where it is -1."""
    return call("hinge_embedding_loss", input, target, margin,
                _reduction(reduction, size_average, reduce))


def margin_ranking_loss(input1, input2, target, margin=0, size_average=None, reduce=None,
                        reduction="mean"):
    """max(0, -target * (x1 - x2) + margin)."""
    if not input1.dim() == input2.dim() == target.dim():
        raise RuntimeError("margin_ranking_loss : All input tensors should have same dimension but got "
                           f"sizes: input1: {tuple(input1.shape)}, input2: {tuple(input2.shape)}, "
                           f"target: {tuple(target.shape)}")
    return call("margin_ranking_loss", input1, input2, target, margin,
                _reduction(reduction, size_average, reduce))


def cosine_embedding_loss(input1, input2, target, margin=0, size_average=None, reduce=None,
                          reduction="mean"):
    """1 - cos where the target is 1, max(0, cos - margin) where it is -1."""
    return call("cosine_embedding_loss", input1, input2, target, margin,
                _reduction(reduction, size_average, reduce))


def triplet_margin_loss(anchor, positive, negative, margin=1.0, p=2, eps=1e-6, swap=False,
                        size_average=None, reduce=None, reduction="mean"):
    """max(0, distance to positive - distance to negative + margin)."""
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    return call("triplet_margin_loss", anchor, positive, negative, margin, p, eps, swap,
                _reduction(reduction, size_average, reduce))


def multi_margin_loss(input, target, p=1, margin=1.0, weight=None, size_average=None, reduce=None,
                      reduction="mean"):
    """Hinge losses of the other classes."""
    return call("multi_margin_loss", input, target, p, margin, weight,
                _reduction(reduction, size_average, reduce))


def multilabel_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    """Hinge losses of several classes."""
    return call("multilabel_margin_loss", input, target,
                _reduction(reduction, size_average, reduce))


def _reduced(loss, kind):
    return loss.mean() if kind == 1 else loss.sum() if kind == 2 else loss


def multilabel_soft_margin_loss(input, target, weight=None, size_average=None, reduce=None,
                                reduction="mean"):
    """The mean over classes of their binary cross entropies."""
    loss = -(target * logsigmoid(input) + (1 - target) * logsigmoid(-input))
    if weight is not None:
        loss = loss * weight
    return _reduced(loss.sum(-1) / input.size(-1), _reduction(reduction, size_average, reduce))


def triplet_margin_with_distance_loss(anchor, positive, negative, *, distance_function=None,
                                      margin=1.0, swap=False, reduction="mean"):
    """triplet_margin_loss, by a distance of one's own."""
    kind = _reduction(reduction)
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    if not anchor.dim() == positive.dim() == negative.dim():
        raise RuntimeError("The anchor, positive, and negative tensors are expected to have the same "
                           f"number of dimensions, but got: anchor {anchor.dim()}D, positive "
                           f"{positive.dim()}D, and negative {negative.dim()}D inputs")
    distance = distance_function or pairwise_distance
    other = distance(anchor, negative)
    if swap:
        other = call("minimum", other, distance(positive, negative))
    return _reduced((margin + distance(anchor, positive) - other).clamp_min(0), kind)


def gaussian_nll_loss(input, target, var, full=False, eps=1e-6, reduction="mean"):
    """The negative log likelihood of normal distributions."""
    if not isinstance(var, Tensor):
        var = call("full_like", input, var)
    if var.shape != input.shape and var.shape == input.shape[:-1]:
        var = var.unsqueeze(-1)  # one for each row
    if (var < 0).any():
        raise ValueError("var has negative entry/entries")
    sizes = input.size()
    if var.size() != sizes:
        if var.size() == sizes[:-1]:
            var = var.unsqueeze(-1)
        elif var.dim() != input.dim() or sum(n for m, n in zip(sizes, var.size()) if m != n) != 1:
            raise ValueError("var is of incorrect size")
    var = call("clamp", var.detach(), eps) + (var - var.detach())
    kind = _reduction(reduction)
    loss = 0.5 * (var.log() + (input - target) ** 2 / var)
    if full:
        from math import log, pi
        loss = loss + 0.5 * log(2 * pi)
    return _reduced(loss, kind)


def ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, reduction="mean",
             zero_infinity=False):
    """Connectionist temporal classification."""
    return call("ctc_loss", log_probs, targets, input_lengths, target_lengths, blank,
                _reduction(reduction), zero_infinity)


# --- Padding, resampling, patches.

def pad(input, pad, mode="constant", value=None):
    """Elements put around: pairs of counts, the last dimension's first."""
    if mode not in ("constant", "reflect", "replicate", "circular"):
        raise NotImplementedError(f"Unrecognised padding mode {mode}")
    return call("pad", input, pad, mode, None if value is None else float(value))


def _interpolated(input, size, scale_factor):
    n = input.dim() - 2
    if (size is None) == (scale_factor is None):
        raise ValueError("only one of size or scale_factor should be defined")
    if size is not None:
        if not isinstance(size, int) and len(size) != n:
            raise ValueError("Input and output must have the same number of spatial dimensions, "
                             f"but got {n} of them and the size {tuple(size)}")
        return ([size] * n if isinstance(size, int) else list(size)), None
    scales = [float(scale_factor)] * n if isinstance(scale_factor, (int, float)) else \
        [float(s) for s in scale_factor]
    if len(scales) != n:
        raise ValueError("Input and scale_factor must have the same number of spatial dimensions, "
                         f"but got {n} of them and the factors {tuple(scales)}")
    return None, scales


def interpolate(input, size=None, scale_factor=None, mode="nearest", align_corners=None,
                recompute_scale_factor=None, antialias=False):
    """Other sizes of the last dimensions: nearest, nearest-exact, linear, bilinear, bicubic,
    trilinear, area."""
    n = input.dim() - 2
    if n not in (1, 2, 3):
        raise NotImplementedError(f"Input Error: Only 3D, 4D and 5D input Tensors supported (got "
                                  f"{input.dim()}D)")
    if antialias and not (mode in ("bilinear", "bicubic") and n == 2):
        raise ValueError("Anti-alias option is restricted to bilinear and bicubic modes and requires a "
                         "4-D tensor as input")
    if recompute_scale_factor and size is not None:
        raise ValueError("recompute_scale_factor is not meaningful with an explicit size.")
    size, scales = _interpolated(input, size, scale_factor)
    if recompute_scale_factor:
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
        name = f"_{name}_aa"
    return call(name, input, size, bool(align_corners), scales)


def upsample(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    """interpolate."""
    return interpolate(input, size, scale_factor, mode, align_corners)


def upsample_nearest(input, size=None, scale_factor=None):
    """interpolate by the nearest element."""
    return interpolate(input, size, scale_factor, "nearest")


def upsample_bilinear(input, size=None, scale_factor=None):
    """interpolate by the four elements around, corners on corners."""
    return interpolate(input, size, scale_factor, "bilinear", True)


def grid_sample(input, grid, mode="bilinear", padding_mode="zeros", align_corners=None):
    """Elements at the places that a grid names."""
    modes, paddings = ("bilinear", "nearest", "bicubic"), ("zeros", "border", "reflection")
    if mode not in modes or padding_mode not in paddings:
        raise ValueError(f"grid_sample(): mode is one of {modes}, padding_mode one of {paddings}")
    return call("grid_sampler", input, grid, modes.index(mode), paddings.index(padding_mode),
                bool(align_corners))


def affine_grid(theta, size, align_corners=None):
    """The grid of an affine map."""
    if not theta.is_floating_point():
        raise ValueError(f"Expected theta to have floating point type, but got {theta.dtype}")
    if len(size) not in (4, 5):
        raise NotImplementedError("affine_grid only supports 4D and 5D sizes, for 2D and 3D affine "
                                  f"transforms, respectively. Got size {tuple(size)}.")
    n = len(size) - 2
    if theta.dim() != 3 or theta.size(1) != n or theta.size(2) != n + 1:
        raise ValueError(f"Expected a batch of {n}D affine matrices of shape Nx{n}x{n + 1} for size "
                         f"{tuple(size)}. Got {tuple(theta.shape)}.")
    if min(size) <= 0:
        raise ValueError(f"Expected non-zero, positive output size. Got {tuple(size)}")
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


def _added_mask(mask, dtype):
    """A mask as numbers to be added: a bool one is true where nothing is looked at."""
    if mask is None or mask.is_floating_point():
        return mask
    if mask.dtype != getattr(_core, "bool"):
        raise AssertionError("only bool and floating types of masks are supported")
    return call("zeros_like", mask, dtype=dtype).masked_fill_(mask, float("-inf"))


def multi_head_attention_forward(
        query, key, value, embed_dim_to_check, num_heads, in_proj_weight, in_proj_bias, bias_k, bias_v,
        add_zero_attn, dropout_p, out_proj_weight, out_proj_bias, training=True, key_padding_mask=None,
        need_weights=True, attn_mask=None, use_separate_proj_weight=False, q_proj_weight=None,
        k_proj_weight=None, v_proj_weight=None, static_k=None, static_v=None,
        average_attn_weights=True, is_causal=False):
    """Attention of heads side by side: (output, weights or None). The batch is the second dimension,
    or there is none."""
    batched = query.dim() == 3
    if not batched:
        query, key, value = query.unsqueeze(1), key.unsqueeze(1), value.unsqueeze(1)
        if key_padding_mask is not None:
            key_padding_mask = key_padding_mask.unsqueeze(0)
    length, batch, width = query.shape
    if width != embed_dim_to_check:
        raise AssertionError(f"was expecting embedding dimension of {embed_dim_to_check}, "
                             f"but got {width}")
    head = width // num_heads
    if head * num_heads != width:
        raise AssertionError(f"embed_dim {width} not divisible by num_heads {num_heads}")
    if is_causal and attn_mask is None:
        raise RuntimeError("Need attn_mask if specifying the is_causal hint.")
    padding = _added_mask(key_padding_mask, query.dtype)
    if is_causal and padding is None and not need_weights:
        attn_mask = None  # what the mask says is known
    else:
        attn_mask, is_causal = _added_mask(attn_mask, query.dtype), False
    if attn_mask is not None and attn_mask.dim() == 2:
        attn_mask = attn_mask.unsqueeze(0)

    weights = ((q_proj_weight, k_proj_weight, v_proj_weight) if use_separate_proj_weight
               else in_proj_weight.chunk(3))
    biases = (None,) * 3 if in_proj_bias is None else in_proj_bias.chunk(3)
    q, k, v = (call("linear", t, w, b) for t, w, b in zip((query, key, value), weights, biases))

    def longer(mask):
        return None if mask is None else pad(mask, (0, 1))
    if bias_k is not None and bias_v is not None:
        k = call("cat", [k, bias_k.repeat(1, batch, 1)])
        v = call("cat", [v, bias_v.repeat(1, batch, 1)])
        attn_mask, padding = longer(attn_mask), longer(padding)

    def by_head(t):
        return t.contiguous().view(t.size(0), batch * num_heads, head).transpose(0, 1)
    q = by_head(q)
    k = by_head(k) if static_k is None else static_k
    v = by_head(v) if static_v is None else static_v
    if add_zero_attn:
        zeros = call("zeros", (batch * num_heads, 1, head), dtype=k.dtype, device=k.device)
        k, v = call("cat", [k, zeros], 1), call("cat", [v, zeros], 1)
        attn_mask, padding = longer(attn_mask), longer(padding)
    keys = k.size(1)
    if padding is not None:
        padding = padding.view(batch, 1, 1, keys).expand(-1, num_heads, -1, -1).reshape(
            batch * num_heads, 1, keys)
        attn_mask = padding if attn_mask is None else attn_mask + padding
    dropout_p = dropout_p if training else 0.0
    found = None
    if need_weights:
        scores = call("bmm", q * (1.0 / head) ** 0.5, k.transpose(1, 2))
        found = call("softmax", scores if attn_mask is None else scores + attn_mask, -1)
        found = dropout(found, dropout_p) if dropout_p > 0 else found
        out = call("bmm", found, v).transpose(0, 1)
        found = found.view(batch, num_heads, length, keys)
        found = found.mean(1) if average_attn_weights else found
    else:
        if attn_mask is not None:
            attn_mask = (attn_mask.unsqueeze(0) if attn_mask.size(0) == 1
                         else attn_mask.view(batch, num_heads, -1, keys))
        q, k, v = (t.reshape(batch, num_heads, -1, head) for t in (q, k, v))
        out = scaled_dot_product_attention(q, k, v, attn_mask, dropout_p, is_causal).permute(2, 0, 1, 3)
    out = call("linear", out.reshape(length, batch, width), out_proj_weight, out_proj_bias)
    if not batched:
        out, found = out.squeeze(1), None if found is None else found.squeeze(0)
    return out, found


def __getattr__(name):
    found = None if name.startswith("__") else _docs.function(name)
    if found is None:
        raise AttributeError(f"module 'switchyard.nn.functional' has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__():
    return sorted(globals())
