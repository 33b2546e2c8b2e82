#include <string>

#include "backends/cuda/engine/lines.h"
#include "backends/cuda/plan/types.h"
#include "third_party/fmt/format.h"

namespace sy::cuda {
namespace {

template <bool kLog>
void SoftmaxBackward(Call call, const Tensor& out, const Tensor& grad_output, const Tensor& output,
                     int64_t dim, DType) {
  static constexpr char kKind = 0;
  const DType d = output.dtype();
  const std::string body = fmt::format("{}SoftmaxBackward<{}, {}", kLog ? "Log" : "",
                                       ElementName(out.dtype()), ElementName(d));
  RunLines(call, {body, {&kKind, {PairWord(out.dtype(), d), kLog, 0}}}, dim, grad_output, out,
           &output);
}

const Kernel softmax_backward{"_softmax_backward_data", "cuda", kFloatingTypes,
                              SoftmaxBackward<false>};
const Kernel log_softmax_backward{"_log_softmax_backward_data", "cuda", kFloatingTypes,
                                  SoftmaxBackward<true>};

}  // namespace
}  // namespace sy::cuda
