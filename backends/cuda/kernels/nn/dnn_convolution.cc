// The three operations of cuDNN's graphs: forward; of the input, which is a transposed one; of the
// weight. Tensors are given as they lie where channels come first or last; others are copied. The
// bias is added afterwards. One dimension is two of which one has size 1.

#include "backends/cuda/kernels/nn/dnn_convolution.h"

#include <algorithm>
#include <array>

#include "backends/cuda/engine/dnn_graph.h"
#include "backends/cuda/engine/pointwise.h"
#include "switchyard/core/memory_format.h"
#include "switchyard/core/shape.h"
#include "switchyard/ops/formulas/arithmetic.h"
#include "switchyard/ops/nn/window.h"

namespace sy::cuda {
namespace {

constexpr DTypeMask kServed = kFloatingTypes;

// [n, c, space…] as the library is told of it, with at least two dimensions of space.
struct Packed {
  std::array<int64_t, 5> sizes, strides;
  int rank;
};
Packed PackedOf(const Tensor& t, bool channels_last) {
  Packed p{};
  const int dims = static_cast<int>(t.dim());
  p.rank = std::max(dims, 4);
  for (int d = 0; d < 2; ++d) p.sizes[d] = t.sizes()[d];
  for (int d = 2; d < p.rank; ++d)
    p.sizes[d] = d < 2 + p.rank - dims ? 1 : t.sizes()[d - p.rank + dims];
  int64_t step = channels_last ? p.sizes[1] : 1;
  for (int d = p.rank - 1; d >= 2; --d) {
    p.strides[d] = step;
    step *= p.sizes[d];
  }
  p.strides[1] = channels_last ? 1 : step;
  p.strides[0] = channels_last ? step : step * p.sizes[1];
  return p;
}

MemoryFormat LastFormat(const Tensor& t) {
  return t.dim() == 5 ? MemoryFormat::kChannelsLast3d : MemoryFormat::kChannelsLast;
}
bool LiesSo(const Tensor& t, bool channels_last) {
  return channels_last ? t.is_contiguous(LastFormat(t)) : t.is_contiguous();
}
Tensor EmptyLike(const Tensor& t, bool channels_last) {
  if (!channels_last) return Tensor::Empty(t.sizes(), t.dtype(), t.device());
  int64_t strides[kMaxRank];
  FormatStrides(t.sizes(), LastFormat(t), strides);
  return Tensor::EmptyStrided(t.sizes(), {strides, static_cast<size_t>(t.dim())}, t.dtype(),
                              t.device());
}
// t where it lies so at an address that the library takes, else a copy.
bool IsTaken(const Tensor& t, bool channels_last) {
  return LiesSo(t, channels_last) && reinterpret_cast<uintptr_t>(t.data()) % 16 == 0;
}
Tensor Lying(Call call, const Tensor& t, bool channels_last) {
  if (IsTaken(t, channels_last)) return t;
  Tensor copy = EmptyLike(t, channels_last);
  CopyElements(call, copy, t);
  return copy;
}

// An operation's descriptor and the names of its attributes.
struct Names {
  cudnnBackendDescriptorType_t type;
  cudnnBackendAttributeName_t alpha, beta, convolution, image, weight, windows;
};
constexpr Names kForward = {CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR,
                            CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA,
                            CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA,
                            CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC,
                            CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X,
                            CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W,
                            CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y};
constexpr Names kOfInput = {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR,
                            CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA,
                            CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA,
                            CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC,
                            CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX,
                            CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W,
                            CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY};
constexpr Names kOfWeight = {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR,
                             CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA,
                             CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA,
                             CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC,
                             CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X,
                             CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW,
                             CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY};

// One of the operations; tensors are dense, all in one format.
bool Run(Call call, DnnKind kind, const Names& names, const Tensor& image, const Tensor& weight,
         const Tensor& windows, const ConvolutionParameters& c, bool channels_last) {
  const Window w = Window::OfConvolution(image, windows, weight, c.stride, c.padding, c.dilation);
  const Packed x = PackedOf(image, channels_last), k = PackedOf(weight, channels_last),
               y = PackedOf(windows, channels_last);
  const int dims = x.rank - 2, first = 3 - dims;
  const auto numbers = [&](const int64_t(&all)[3]) {
    return DnnGraph::Sizes(all + first, all + 3);
  };
  const DnnGraph::Sizes stride = numbers(w.stride), padding = numbers(w.padding),
                        dilation = numbers(w.dilation);
  DnnKey key = {kind, channels_last, x.rank};
  for (const Packed* p : {&x, &k, &y}) key.insert(key.end(), p->sizes.begin(), p->sizes.end());
  for (const auto* n : {&stride, &padding, &dilation}) key.insert(key.end(), n->begin(), n->end());
  const cudnnDataType_t type = DnnTypeOf(image.dtype());
  const auto build = [&](DnnGraph& g) {
    const auto tensor = [&](int64_t number, const Packed& p) {
      return g.Tensor(number, type, {p.sizes.begin(), p.sizes.begin() + p.rank},
                      {p.strides.begin(), p.strides.begin() + p.rank});
    };
    const auto a = tensor(1, x), b = tensor(2, k), d = tensor(3, y);
    const auto convolution = g.Make(CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR);
    g.Set(convolution, CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, int64_t{dims});
    g.Set(convolution, CUDNN_ATTR_CONVOLUTION_COMP_TYPE, DnnSumsOf(type));
    g.Set(convolution, CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_CROSS_CORRELATION);
    g.Set(convolution, CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, stride);
    g.Set(convolution, CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, padding);
    g.Set(convolution, CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, padding);
    g.Set(convolution, CUDNN_ATTR_CONVOLUTION_DILATIONS, dilation);
    g.Finalize(convolution);
    const auto operation = g.Make(names.type);
    g.Set(operation, names.convolution, convolution);
    g.Set(operation, names.image, a);
    g.Set(operation, names.weight, b);
    g.Set(operation, names.windows, d);
    if (type == CUDNN_DATA_DOUBLE) {
      g.Set(operation, names.alpha, 1.0);
      g.Set(operation, names.beta, 0.0);
    } else {
      g.Set(operation, names.alpha, 1.0f);
      g.Set(operation, names.beta, 0.0f);
    }
    g.AddOperation(operation);
  };
  const void* const data[] = {image.data(), weight.data(), windows.data()};
  return RunDnn(call.op(), StreamOf(call.key), std::move(key), type, build, data);
}

bool Serves(const Tensor& a, const Tensor& b, const Tensor& c) {
  return FindDnn() != nullptr && Contains(kServed, a.dtype()) && a.numel() != 0 && b.numel() != 0 &&
         c.numel() != 0;
}
// Whether the numbers that are convolved have their channels last and nothing else.
bool HasChannelsLast(const Tensor& t) {
  return t.dim() >= 4 && !t.is_contiguous() && t.is_contiguous(LastFormat(t));
}

// write(to): as EmptyLike, or `to` itself; copied where it is another. False where write is.
template <class F>
bool IntoLying(Call call, const Tensor& to, bool channels_last, F write) {
  if (IsTaken(to, channels_last)) return write(to);
  const Tensor beside = EmptyLike(to, channels_last);
  if (!write(beside)) return false;
  CopyElements(call, to, beside);
  return true;
}

}  // namespace

bool DnnConvolve(Call call, const Tensor& out, const Tensor& input, const Tensor& weight,
                 const Tensor& bias, const ConvolutionParameters& p) {
  if (!Serves(out, input, weight)) return false;
  const bool last = HasChannelsLast(input) || HasChannelsLast(weight);
  const Tensor x = Lying(call, input, last), w = Lying(call, weight, last);
  const bool done = IntoLying(call, out, last, [&](const Tensor& y) {
    return p.transposed ? Run(call, kDnnConvolutionOfInput, kOfInput, y, w, x, p, last)
                        : Run(call, kDnnConvolution, kForward, x, w, y, p, last);
  });
  if (!done || !bias.defined()) return done;
  int64_t sizes[kMaxRank], strides[kMaxRank];
  for (int64_t d = 0; d < out.dim(); ++d) {
    sizes[d] = out.sizes()[static_cast<size_t>(d)];
    strides[d] = d == 1 ? bias.strides()[0] : 0;
  }
  const auto rank = static_cast<size_t>(out.dim());
  const Tensor added =
      bias.AsStrided(IntSpan(sizes, rank), IntSpan(strides, rank), bias.storage_offset());
  RunFormula(call, kFormula<f::Add>, out, {&out, &added});
  return true;
}

bool DnnConvolveWeight(Call call, const Tensor& image, const Tensor& windows, const Tensor& to,
                       const ConvolutionParameters& p) {
  if (!Serves(to, image, windows)) return false;
  const bool last = HasChannelsLast(image) || HasChannelsLast(windows);
  const Tensor x = Lying(call, image, last), y = Lying(call, windows, last);
  return IntoLying(call, to, last, [&](const Tensor& w) {
    return Run(call, kDnnConvolutionOfWeight, kOfWeight, x, w, y, p, last);
  });
}

}  // namespace sy::cuda
