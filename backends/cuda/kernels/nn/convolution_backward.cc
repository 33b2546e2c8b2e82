// The input's gradient is the convolution of grad_output the other way round. The weight's is
// cuDNN's, or one product for each group: of grad_output, samples side by side, with the input's
// columns; of as many samples at a time as there is room for, the products added up.
#include "switchyard/backends/common/kernels/nn/convolution_backward.h"

#include <algorithm>

#include "backends/cuda/engine/dense.h"
#include "backends/cuda/engine/engine.h"
#include "backends/cuda/engine/product.h"
#include "backends/cuda/kernels/nn/columns.h"
#include "backends/cuda/kernels/nn/convolution.h"
#include "backends/cuda/kernels/nn/dnn_convolution.h"
#include "backends/cuda/kernels/nn/windows.h"
#include "switchyard/backends/common/dtypes.h"
#include "switchyard/ops/nn/window.h"

namespace sy::cuda {
namespace {

// image: what windows slide over, windows: a number for each of them; to: like the weights.
void OfWeight(Call call, const Tensor& image, const Tensor& windows, const Tensor& to,
              const ConvolutionParameters& c) {
  if (DnnConvolveWeight(call, image, windows, to, c)) return;
  const Window w = Window::OfConvolution(image, windows, to, c.stride, c.padding, c.dilation);
  const int64_t samples = image.sizes()[0], outputs = w.output_count(), in = image.sizes()[1],
                out = windows.sizes()[1],
                rows = in * w.kernel[0] * w.kernel[1] * w.kernel[2];  // of all groups
  const DType given = image.dtype();
  const int64_t each = rows * outputs * static_cast<int64_t>(ItemSize(given));
  const int64_t most = std::clamp<int64_t>(kColumnBytes / each, 1, samples);
  // Sums of products of parts are rounded once.
  const bool widens = most < samples && Contains(kHalfTypes, given);
  const DType d = widens ? DType::kFloat32 : given;
  const Tensor x = Dense(call, image, d), y = Dense(call, windows, d),
               columns = Tensor::Empty({rows * most * outputs}, d, to.device()),
               grads = Tensor::Empty({out * most * outputs}, d, to.device());
  const int64_t m = out / c.groups, n = rows / c.groups;
  IntoDense(call, to, d, [&](const Tensor& result) {
    const Tensor matrices =
        result.AsStrided({c.groups, m, n}, {m * n, n, 1}, result.storage_offset());
    for (int64_t first = 0; first < samples; first += most) {
      const int64_t count = std::min(most, samples - first), k = count * outputs;
      const auto* from = static_cast<const char*>(x.data()) +
                         first * in * w.input_count() * static_cast<int64_t>(x.itemsize());
      ToBatchColumns(call, d, {WindowsOf(w), count, in, from, columns.data(), {}});
      CopyElements(call, grads.AsStrided({out, count, outputs}, {k, outputs, 1}, 0),
                   y.AsStrided({out, count, outputs}, {outputs, out * outputs, 1},
                               y.storage_offset() + first * out * outputs));
      const Addend sum{matrices, MatricesOf(matrices), 1};
      RunProduct(call, matrices, {c.groups, m, n, k}, {result.data(), {m * n, n, 1}},
                 {grads.data(), {m * k, k, 1}}, {columns.data(), {n * k, 1, k}},
                 first == 0 ? nullptr : &sum);
    }
  });
}

std::tuple<Tensor, Tensor, Tensor> Backward(Call call, const Tensor& grad_output,
                                            const Tensor& input, const Tensor& weight,
                                            std::optional<IntSpan>, IntSpan stride, IntSpan padding,
                                            IntSpan dilation, bool transposed,
                                            IntSpan output_padding, int64_t groups,
                                            std::span<const bool> mask) {
  const ConvolutionParameters c{stride, padding, dilation, output_padding, transposed, groups};
  const auto of_input = [&](const Tensor& to) {
    ConvolutionParameters back = c;
    back.transposed = !transposed;
    ConvolveReal(call, to, grad_output, weight, Tensor(), back, /*rounds=*/false);
  };
  const auto of_weight = [&](const Tensor& to) {
    OfWeight(call, transposed ? grad_output : input, transposed ? input : grad_output, to, c);
  };
  return ConvolutionBackward<Engine>(call, grad_output, input, weight, c, mask, of_input,
                                     of_weight);
}

const Kernel kernel{"convolution_backward", "cuda", kFloatingTypes, Backward};

}  // namespace
}  // namespace sy::cuda
