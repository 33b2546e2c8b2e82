#include <algorithm>
#include <optional>

#include "backends/cuda/engine/pointwise.h"
#include "backends/cuda/engine/reduce.h"
#include "backends/cuda/engine/scan.h"
#include "switchyard/backends/common/checks.h"
#include "switchyard/core/transfer.h"

namespace sy::cuda {
namespace {

// Each position as often as its count says. Waits for the device.
Tensor RepeatInterleave(Call call, const Tensor& repeats, std::optional<int64_t> output_size) {
  RequireRepeats(call, repeats);
  const int64_t n = repeats.numel(), one[] = {1};
  const Device device = repeats.device();
  const Tensor begins = Tensor::Empty({n + 1}, DType::kInt64, device);
  int64_t total = 0;
  if (n != 0) {
    const Tensor least = Tensor::Empty(IntSpan(), DType::kInt64, device);
    Reduce(call, kReduction<f::Min>, DType::kInt64, repeats, kAllDims, &least);
    CopyElements(call, begins.AsStrided(repeats.sizes(), one, 0), repeats);
    ScanCounts(call, begins, n);
    total = ReadNumber(begins.AsStrided(IntSpan(), IntSpan(), n)).To<int64_t>();
    const int64_t fewest = std::min(total, ReadNumber(least).To<int64_t>());
    if (fewest < 0) FailRepeats(call.op(), fewest);
  }
  RequireOutputSize(call, output_size, total);
  Tensor out = Tensor::Empty({total}, DType::kInt64, device);
  SearchArgs args{};
  args.n = total;
  args.length = n;
  args.sequence = begins.data();
  args.out = out.data();
  Launch(call, Specialised("search", "SearchArgs", "PartOfPosition").Element(DType::kInt64),
         BlocksFor(total), args);
  if (repeats.dtype() == DType::kInt64) return out;
  Tensor narrow = Tensor::Empty({total}, repeats.dtype(), device);
  CopyElements(call, narrow, out);
  return narrow;
}
const Kernel repeat_interleave{"repeat_interleave.Tensor", "cuda", kAnyDType, RepeatInterleave};

}  // namespace
}  // namespace sy::cuda
