// What the emulated cuDNN computes: each operation in double, row by row.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "backends/cuda/emulator/dnn.h"
#include "backends/cuda/emulator/rounding.h"
#include "switchyard/core/half.h"

namespace sy::cuda {
namespace {

using Sizes = std::vector<int64_t>;

int64_t CountOf(const Sizes& sizes) {
  int64_t n = 1;
  for (int64_t s : sizes) n *= s;
  return n;
}
// Calls f(index, position) for each position of a row-major array.
template <class F>
void ForEach(const Sizes& sizes, F f) {
  Sizes at(sizes.size(), 0);
  const int64_t n = CountOf(sizes);
  for (int64_t i = 0; i < n; ++i) {
    f(i, at);
    for (size_t d = sizes.size(); d-- > 0;) {
      if (++at[d] < sizes[d]) break;
      at[d] = 0;
    }
  }
}
template <class F>
void ForEachInMemory(const DnnDescriptor& t, F f) {
  const Sizes strides = t.strides();
  ForEach(t.sizes(), [&](int64_t i, const Sizes& at) {
    int64_t offset = 0;
    for (size_t d = 0; d < at.size(); ++d) offset += at[d] * strides[d];
    f(i, offset);
  });
}
// Where a position lies in an array whose sizes may be 1 instead.
int64_t IndexIn(const Sizes& sizes, const Sizes& at) {
  int64_t index = 0;
  for (size_t d = 0; d < sizes.size(); ++d) index = index * sizes[d] + (sizes[d] == 1 ? 0 : at[d]);
  return index;
}

void Convolve(const DnnDescriptor& op, bool rounds, std::map<int64_t, DnnValues>& values) {
  const bool forward = op.type == CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR,
             of_input = op.type == CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR;
  const auto other = [&](cudnnBackendAttributeName_t a, cudnnBackendAttributeName_t b,
                         cudnnBackendAttributeName_t c) -> const DnnDescriptor& {
    return *op.Other(forward ? a : of_input ? b : c);
  };
  const DnnDescriptor& c = other(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC,
                                 CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC,
                                 CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC);
  const DnnDescriptor& x = other(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X,
                                 CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX,
                                 CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X);
  const DnnDescriptor& w =
      other(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W,
            CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW);
  const DnnDescriptor& y = other(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y,
                                 CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY,
                                 CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY);
  const bool rounded = rounds && x.data_type() == CUDNN_DATA_FLOAT;
  const auto factor = [&](const DnnDescriptor& t) {
    DnnValues v = values.at(t.id());
    if (rounded) std::ranges::transform(v, v.begin(), ToTf32);
    return v;
  };
  const DnnDescriptor& result = forward ? y : of_input ? x : w;
  DnnValues a = forward || !of_input ? factor(x) : DnnValues(CountOf(x.sizes())),
            b = forward || of_input ? factor(w) : DnnValues(CountOf(w.sizes())),
            d = forward ? DnnValues(CountOf(y.sizes())) : factor(y);
  const Sizes xs = x.sizes(), ws = w.sizes(), ys = y.sizes();
  const Sizes step = c.All<int64_t>(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES),
              gap = c.All<int64_t>(CUDNN_ATTR_CONVOLUTION_DILATIONS),
              pad = c.All<int64_t>(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS);
  const int64_t groups = xs[1] / ws[1], each = ws[0] / groups;
  ForEach(ys, [&](int64_t to, const Sizes& at) {
    const int64_t group = at[1] / each;
    Sizes taps = ws;
    taps[0] = 1;
    ForEach(taps, [&](int64_t, const Sizes& tap) {
      Sizes from = {at[0], group * ws[1] + tap[1]}, weight = tap;
      weight[0] = at[1];
      for (size_t k = 2; k < ws.size(); ++k) {
        from.push_back(at[k] * step[k - 2] - pad[k - 2] + tap[k] * gap[k - 2]);
        if (from[k] < 0 || from[k] >= xs[k]) return;
      }
      const auto i = static_cast<size_t>(IndexIn(xs, from)),
                 j = static_cast<size_t>(IndexIn(ws, weight)), o = static_cast<size_t>(to);
      if (forward) {
        d[o] += a[i] * b[j];
      } else if (of_input) {
        a[i] += d[o] * b[j];
      } else {
        b[j] += d[o] * a[i];
      }
    });
  });
  values[result.id()] = forward ? d : of_input ? a : b;
}

double Apply(cudnnPointwiseMode_t mode, double x, double b, double t) {
  switch (mode) {
    case CUDNN_POINTWISE_ADD:
      return x + b;
    case CUDNN_POINTWISE_MUL:
      return x * b;
    case CUDNN_POINTWISE_DIV:
      return x / b;
    case CUDNN_POINTWISE_SUB:
      return x - b;
    case CUDNN_POINTWISE_EXP:
      return std::exp(x);
    case CUDNN_POINTWISE_LOG:
      return std::log(x);
    case CUDNN_POINTWISE_IDENTITY:
      return x;
    case CUDNN_POINTWISE_CMP_GE:
      return x >= b ? 1 : 0;
    case CUDNN_POINTWISE_BINARY_SELECT:
      return t != 0 ? x : b;
    default:
      std::abort();
  }
}

void Pointwise(const DnnDescriptor& op, std::map<int64_t, DnnValues>& values) {
  const DnnDescriptor& how = *op.Other(CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR);
  const auto mode = how.One<cudnnPointwiseMode_t>(CUDNN_ATTR_POINTWISE_MODE);
  const DnnOperands o = OperandsOf(op);
  const Sizes sizes = o.out[0]->sizes();
  DnnValues result(CountOf(sizes));
  ForEach(sizes, [&](int64_t i, const Sizes& at) {
    if (mode == CUDNN_POINTWISE_GEN_INDEX) {
      const auto axis = static_cast<size_t>(how.One<int64_t>(CUDNN_ATTR_POINTWISE_AXIS));
      result[i] = static_cast<double>(at[axis]);
      return;
    }
    double in[3] = {};
    for (size_t k = 0; k < o.in.size(); ++k)
      in[k] = values.at(o.in[k]->id())[IndexIn(o.in[k]->sizes(), at)];
    result[i] = Apply(mode, in[0], in[1], in[2]);
  });
  values[o.out[0]->id()] = std::move(result);
}

void Matmul(const DnnDescriptor& op, std::map<int64_t, DnnValues>& values) {
  const DnnOperands o = OperandsOf(op);
  const Sizes as = o.in[0]->sizes(), bs = o.in[1]->sizes(), cs = o.out[0]->sizes();
  const DnnValues &a = values.at(o.in[0]->id()), &b = values.at(o.in[1]->id());
  const size_t n = cs.size();
  DnnValues c(CountOf(cs));
  ForEach(cs, [&](int64_t i, const Sizes& at) {
    Sizes left = at, right = at;
    // Heads of b that several of a's share.
    for (size_t d = 0; d + 2 < n; ++d) right[d] = at[d] / (cs[d] / bs[d]);
    for (int64_t k = 0; k < as[n - 1]; ++k) {
      left[n - 1] = right[n - 2] = k;
      c[i] += a[IndexIn(as, left)] * b[IndexIn(bs, right)];
    }
  });
  values[o.out[0]->id()] = std::move(c);
}

void Reduce(const DnnDescriptor& op, std::map<int64_t, DnnValues>& values) {
  const DnnOperands o = OperandsOf(op);
  const bool most =
      op.Other(CUDNN_ATTR_OPERATION_REDUCTION_DESC)
          ->One<cudnnReduceTensorOp_t>(CUDNN_ATTR_REDUCTION_OPERATOR) == CUDNN_REDUCE_TENSOR_MAX;
  const Sizes xs = o.in[0]->sizes(), ys = o.out[0]->sizes();
  const DnnValues& x = values.at(o.in[0]->id());
  DnnValues y(CountOf(ys), most ? -std::numeric_limits<double>::infinity() : 0);
  ForEach(xs, [&](int64_t i, const Sizes& at) {
    Sizes group = at;
    for (size_t d = 0; d < xs.size(); ++d) group[d] /= xs[d] / ys[d];
    double& to = y[IndexIn(ys, group)];
    to = most ? std::max(to, x[i]) : to + x[i];
  });
  values[o.out[0]->id()] = std::move(y);
}

// The same memory by other sizes and strides.
void Reshape(const DnnDescriptor& op, std::map<int64_t, DnnValues>& values) {
  const DnnOperands o = OperandsOf(op);
  const DnnValues& x = values.at(o.in[0]->id());
  std::map<int64_t, double> memory;
  ForEachInMemory(*o.in[0], [&](int64_t i, int64_t offset) { memory[offset] = x[i]; });
  DnnValues y(x.size());
  ForEachInMemory(*o.out[0], [&](int64_t i, int64_t offset) { y[i] = memory.at(offset); });
  values[o.out[0]->id()] = std::move(y);
}

// Means and factors of what the scale's sizes are 1 not in: each row's.
void Normalize(const DnnDescriptor& op, std::map<int64_t, DnnValues>& values) {
  const bool centred =
      op.One<cudnnBackendNormMode_t>(CUDNN_ATTR_OPERATION_NORM_FWD_MODE) == CUDNN_LAYER_NORM;
  const DnnDescriptor &x = *op.Other(CUDNN_ATTR_OPERATION_NORM_FWD_XDESC),
                      &scale = *op.Other(CUDNN_ATTR_OPERATION_NORM_FWD_SCALE_DESC),
                      &y = *op.Other(CUDNN_ATTR_OPERATION_NORM_FWD_YDESC);
  const DnnDescriptor *bias = op.Other(CUDNN_ATTR_OPERATION_NORM_FWD_BIAS_DESC),
                      *mean = op.Other(CUDNN_ATTR_OPERATION_NORM_FWD_MEAN_DESC),
                      *factor = op.Other(CUDNN_ATTR_OPERATION_NORM_FWD_INV_VARIANCE_DESC);
  const double epsilon = values.at(op.Other(CUDNN_ATTR_OPERATION_NORM_FWD_EPSILON_DESC)->id())[0];
  const Sizes xs = x.sizes(), ws = scale.sizes();
  Sizes rows = xs;
  for (size_t d = 0; d < xs.size(); ++d) {
    if (ws[d] != 1) rows[d] = 1;
  }
  const double each = static_cast<double>(CountOf(xs) / CountOf(rows));
  const DnnValues& in = values.at(x.id());
  DnnValues means(CountOf(rows)), factors(means.size()), out(in.size());
  if (centred)
    ForEach(xs, [&](int64_t i, const Sizes& at) { means[IndexIn(rows, at)] += in[i] / each; });
  ForEach(xs, [&](int64_t i, const Sizes& at) {
    const double d = in[i] - means[IndexIn(rows, at)];
    factors[IndexIn(rows, at)] += d * d / each;
  });
  for (double& f : factors) f = 1 / std::sqrt(f + epsilon);
  ForEach(xs, [&](int64_t i, const Sizes& at) {
    const int64_t row = IndexIn(rows, at), place = IndexIn(ws, at);
    out[i] = (in[i] - means[row]) * factors[row] * values.at(scale.id())[place] +
             (bias == nullptr ? 0 : values.at(bias->id())[place]);
  });
  values[y.id()] = std::move(out);
  if (mean != nullptr) values[mean->id()] = std::move(means);
  if (factor != nullptr) values[factor->id()] = std::move(factors);
}

// f(T()) with the type of a tensor's elements.
template <class F>
auto WithType(cudnnDataType_t type, F f) {
  switch (type) {
    case CUDNN_DATA_DOUBLE:
      return f(double());
    case CUDNN_DATA_HALF:
      return f(Half());
    case CUDNN_DATA_BFLOAT16:
      return f(BFloat16());
    case CUDNN_DATA_INT32:
      return f(int32_t());
    case CUDNN_DATA_BOOLEAN:
      return f(bool());
    default:
      return f(float());
  }
}
template <class T>
T Rounded(double x) {
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) {
    return T(static_cast<float>(x));
  } else {
    return static_cast<T>(x);
  }
}

}  // namespace

size_t DnnItemSize(cudnnDataType_t type) {
  return WithType(type, [](auto zero) { return sizeof zero; });
}

void ComputeDnn(const DnnDescriptor& op, bool rounds, std::map<int64_t, DnnValues>& values) {
  switch (op.type) {
    case CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR:
      return Pointwise(op, values);
    case CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR:
      return Matmul(op, values);
    case CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR:
      return Reduce(op, values);
    case CUDNN_BACKEND_OPERATION_RESHAPE_DESCRIPTOR:
      return Reshape(op, values);
    case CUDNN_BACKEND_OPERATION_NORM_FORWARD_DESCRIPTOR:
      return Normalize(op, values);
    default:
      return Convolve(op, rounds, values);
  }
}

DnnValues ReadDnn(const DnnDescriptor& t, const void* data) {
  DnnValues values(CountOf(t.sizes()));
  WithType(t.data_type(), [&](auto zero) {
    const auto* p = static_cast<const decltype(zero)*>(data);
    ForEachInMemory(t,
                    [&](int64_t i, int64_t offset) { values[i] = static_cast<double>(p[offset]); });
  });
  return values;
}

void WriteDnn(const DnnDescriptor& t, const DnnValues& values, void* data) {
  WithType(t.data_type(), [&](auto zero) {
    using T = decltype(zero);
    auto* p = static_cast<T*>(data);
    ForEachInMemory(t, [&](int64_t i, int64_t offset) { p[offset] = Rounded<T>(values[i]); });
  });
}

void RoundDnn(const DnnDescriptor& t, DnnValues& values) {
  WithType(t.data_type(), [&](auto zero) {
    for (double& v : values) v = static_cast<double>(Rounded<decltype(zero)>(v));
  });
}

}  // namespace sy::cuda
