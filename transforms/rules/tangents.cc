// Tangents of the frequent operators; the others are differentiated twice. Of complex functions,
// these are those that have a complex derivative.
#include <limits>

#include "switchyard/ops.h"
#include "switchyard/transforms/forward.h"

namespace sy {
namespace {

// --- Linear in all arguments at once, or in one after the other.

const Tangent sums{{"add.Tensor", "sub.Tensor", "rsub.Tensor"}, {"tt"}};
const Tangent linear{{"neg",
                      "sum",
                      "sum.dim_IntList",
                      "mean",
                      "mean.dim",
                      "cumsum",
                      "clone",
                      "_to_copy",
                      "flip",
                      "roll",
                      "repeat",
                      "tril",
                      "triu",
                      "trace",
                      "cat",
                      "stack",
                      "conj_physical",
                      "index_select",
                      "index.Tensor",
                      "gather",
                      "masked_select",
                      "take",
                      "_fft_c2c",
                      "_fft_r2c",
                      "_fft_c2r",
                      "im2col",
                      "col2im",
                      "avg_pool2d",
                      "avg_pool3d",
                      "_adaptive_avg_pool2d",
                      "_adaptive_avg_pool3d",
                      "upsample_nearest1d",
                      "upsample_nearest2d",
                      "upsample_nearest3d",
                      "upsample_linear1d",
                      "upsample_bilinear2d",
                      "upsample_trilinear3d",
                      "mul.Scalar",
                      "div.Scalar",
                      "nansum",
                      "embedding"},
                     {"t"}};
const Tangent products{{"mul.Tensor", "mm", "bmm", "mv", "dot", "linalg_cross", "outer"},
                       {"tp", "pt"}};
const Tangent sum_and_product{{"addmm", "baddbmm", "addmv", "addbmm", "addr"}, {"ttp", "0pt"}};
const Tangent convolutions{{"convolution"}, {"tpt", "pt0"}};
const Tangent choices{{"where.self"}, {"ptt"}};
const Tangent fills{{"masked_fill.Tensor"}, {"tpt"}};
void FillNumber(TangentCall& c) { c.Set(0, masked_fill(c.tangent(0), c.primal(1), 0)); }
const Tangent fill_numbers{{"masked_fill.Scalar"}, FillNumber};

// A number that is added has no tangent.
void AddNumber(TangentCall& c) { c.Set(0, c.tangent(0)); }
const Tangent add_numbers{{"add.Scalar", "sub.Scalar"}, AddNumber};

void Pad(TangentCall& c) { c.Set(0, constant_pad_nd(c.tangent(0), c.args[1].list<int64_t>(), 0)); }
const Tangent pad_rule{{"constant_pad_nd"}, Pad};

// --- Element by element.

void Div(TangentCall& c) {
  const Tensor &x = c.tangent(0), &y = c.tangent(1);
  Tensor t = y.defined() ? neg(mul(y, c.result())) : Tensor();
  if (x.defined()) t = t.defined() ? add(x, t) : x;
  c.Set(0, div(t, c.primal(1)));
}
const Tangent div_rule{{"div.Tensor"}, Div};
void Reciprocal(TangentCall& c) { c.Set(0, neg(mul(c.tangent(0), mul(c.result(), c.result())))); }
const Tangent reciprocal_rule{{"reciprocal"}, Reciprocal};
void Exp(TangentCall& c) { c.Set(0, mul(c.tangent(0), c.result())); }
const Tangent exp_rule{{"exp"}, Exp};
void Log(TangentCall& c) { c.Set(0, div(c.tangent(0), c.primal(0))); }
const Tangent log_rule{{"log"}, Log};
void Sin(TangentCall& c) { c.Set(0, mul(c.tangent(0), cos(c.primal(0)))); }
const Tangent sin_rule{{"sin"}, Sin};
void Cos(TangentCall& c) { c.Set(0, neg(mul(c.tangent(0), sin(c.primal(0))))); }
const Tangent cos_rule{{"cos"}, Cos};
void Tanh(TangentCall& c) {
  c.Set(0, sub(c.tangent(0), mul(c.tangent(0), mul(c.result(), c.result()))));
}
const Tangent tanh_rule{{"tanh"}, Tanh};
void Sigmoid(TangentCall& c) {
  c.Set(0, mul(c.tangent(0), sub(c.result(), mul(c.result(), c.result()))));
}
const Tangent sigmoid_rule{{"sigmoid"}, Sigmoid};
void Sqrt(TangentCall& c) { c.Set(0, div(c.tangent(0), mul(c.result(), 2))); }
const Tangent sqrt_rule{{"sqrt"}, Sqrt};
void Relu(TangentCall& c) { c.Set(0, where(gt(c.result(), 0), c.tangent(0), 0)); }
const Tangent relu_rule{{"relu"}, Relu};
void Gelu(TangentCall& c) { c.Set(0, gelu_backward(c.tangent(0), c.primal(0), c.args[1].text())); }
const Tangent gelu_rule{{"gelu"}, Gelu};
// silu_backward is of real numbers.
void Silu(TangentCall& c) {
  const Tensor s = sigmoid(c.primal(0));
  c.Set(0, mul(c.tangent(0), add(s, mul(c.result(), rsub(s, 1)))));
}
const Tangent silu_rule{{"silu"}, Silu};

// --- Along a dimension.

void Softmax(TangentCall& c) {
  const int64_t dim = c.args[1].i;
  const Tensor weighted = mul(c.result(), c.tangent(0));
  c.Set(0, sub(weighted, mul(c.result(), sum(weighted, {dim}, true))));
}
const Tangent softmax_rule{{"_softmax", "softmax.int"}, Softmax};
void LogSoftmax(TangentCall& c) {
  const int64_t dim = c.args[1].i;
  const Tensor t = c.tangent(0);
  c.Set(0, sub(t, sum(mul(exp(c.result()), t), {dim}, true)));
}
const Tangent log_softmax_rule{{"_log_softmax", "log_softmax.int"}, LogSoftmax};

// The share of each element in the sums behind it. Of real numbers in logarithms, positive and
// negative tangents apart, so that what is far below a later element counts in the sums before
// that; of complex numbers all are by the largest real part.
void Logcumsumexp(TangentCall& c) {
  const Tensor &x = c.primal(0), &t = c.tangent(0);
  const int64_t dim = c.args[1].i;
  if (x.dim() == 0 || x.numel() == 0) return c.Set(0, t);
  if (IsComplex(x.dtype())) {
    const Tensor largest = amax(real(x), IntSpan(&dim, 1), true);
    const Tensor e = exp(sub(x, masked_fill(largest, isinf(largest), 0)));
    return c.Set(0, div(cumsum(mul(t, e), dim), cumsum(e, dim)));
  }
  constexpr double kLogOfNone = std::numeric_limits<float>::lowest();
  const Tensor y = c.result(), sums = masked_fill(y, isneginf(y), 0);
  const auto share = [&](const Tensor& size, const Tensor& counts) {
    const Tensor logs = where(counts, log(where(counts, size, 1)), kLogOfNone);
    return exp(sub(logcumsumexp(add(logs, x), dim), sums));
  };
  c.Set(0, sub(share(t, gt(t, 0)), share(neg(t), lt(t, 0))));
}
const Tangent logcumsumexp_rule{{"logcumsumexp"}, Logcumsumexp};

}  // namespace
}  // namespace sy
