// repeat_interleave of a tensor of counts: each position as often as its count says.
#include <algorithm>
#include <vector>

#include "switchyard/backends/cpu/engine/copy.h"
#include "switchyard/registry/kernel.h"

namespace sy::cpu {
namespace {

Tensor RepeatInterleave(Call call, const Tensor& repeats, std::optional<int64_t> output_size) {
  if (repeats.dim() != 1 ||
      (repeats.dtype() != DType::kInt64 && repeats.dtype() != DType::kInt32)) {
    Fail(ErrorCode::kInvalidArgument,
         {call.op(), "(): repeats must be 1-d and int64 or int32, got ", Describe(repeats)});
  }
  const int64_t n = repeats.numel();
  Tensor counts = Tensor::Empty(repeats.sizes(), DType::kInt64);
  CopyElements(counts, repeats);
  const int64_t* count = counts.data<int64_t>();
  int64_t total = 0;
  for (int64_t i = 0; i < n; ++i) {
    if (count[i] < 0 || __builtin_add_overflow(total, count[i], &total)) {
      Fail(ErrorCode::kInvalidValue, {call.op(),
                                      "(): repeats must not be negative, nor their sum "
                                      "too large; got ",
                                      count[i], " at position ", i});
    }
  }
  if (output_size && *output_size != total) {
    Fail(ErrorCode::kInvalidValue,
         {call.op(), "(): output_size is ", *output_size, ", but repeats add up to ", total});
  }
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
