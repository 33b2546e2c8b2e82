#include <vector>

#include "backends/cuda/engine/pointwise.h"
#include "switchyard/core/error.h"

namespace sy::cuda {
namespace {

// Every dimension of out is one of repeats, along which self does not move, and self's.
void Repeat(Call call, const Tensor& out, const Tensor& self, IntSpan repeats) {
  if (out.numel() == 0) return;
  const size_t added = repeats.size() - self.sizes().size();
  std::vector<int64_t> sizes, to, from;
  const auto add = [&](int64_t size, int64_t to_stride, int64_t from_stride) {
    if (size == 1) return;
    sizes.push_back(size);
    to.push_back(to_stride);
    from.push_back(from_stride);
  };
  for (size_t d = 0; d < repeats.size(); ++d) {
    const int64_t own = d < added ? 1 : self.sizes()[d - added], stride = out.strides()[d];
    add(repeats[d], own * stride, 0);
    add(own, stride, d < added ? 0 : self.strides()[d - added]);
  }
  if (sizes.size() > static_cast<size_t>(kMaxRank)) {
    Fail(ErrorCode::kNotImplemented, call.op(),
         {"more than ", kMaxRank, " dimensions and repeats that are not 1"});
  }
  CopyElements(call, out.AsStrided(sizes, to, out.storage_offset()),
               self.AsStrided(sizes, from, self.storage_offset()));
}
const Kernel repeat{"repeat", "cuda", kAnyDType, Repeat};

}  // namespace
}  // namespace sy::cuda
