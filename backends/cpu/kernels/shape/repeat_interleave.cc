// repeat_interleave of a tensor of counts: each position as often as its count says.
#include <algorithm>
#include <vector>

#include "switchyard/backends/common/checks.h"
#include "switchyard/backends/cpu/engine/copy.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace {

Tensor RepeatInterleave(Call call, const Tensor& repeats, std::optional<int64_t> output_size) {
  RequireRepeats(call, repeats);
  const int64_t n = repeats.numel();
  Tensor counts = Tensor::Empty(repeats.sizes(), DType::kInt64);
  CopyElements(counts, repeats);
  const int64_t* count = counts.data<int64_t>();
  int64_t total = 0;
  for (int64_t i = 0; i < n; ++i) {
    if (count[i] < 0 || __builtin_add_overflow(total, count[i], &total))
      FailRepeats(call.op(), count[i], i);
  }
  RequireOutputSize(call, output_size, total);
  return VisitDType<Mask(DType::kInt32, DType::kInt64)>(repeats.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    Tensor out = Tensor::Empty({total}, repeats.dtype());
    T* to = out.data<T>();
    for (int64_t i = 0; i < n; ++i) to = std::fill_n(to, count[i], static_cast<T>(i));
    return out;
  });
}

const Kernel kernel{"repeat_interleave.Tensor", "cpu", kAnyDType, RepeatInterleave};

}  // namespace
}  // namespace sy::cpu
