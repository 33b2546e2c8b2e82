#include <algorithm>

#include "switchyard/backends/common/dtypes.h"
#include "switchyard/backends/cpu/engine/copy.h"
#include "switchyard/backends/cpu/engine/outer_loops.h"
#include "switchyard/backends/cpu/engine/reduce.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace {

void HashTensor(Call, const Tensor& out, const Tensor& self, IntSpan dim, bool, int64_t) {
  FillElements(out, 0);
  if (self.numel() == 0) return;
  // The bits to combine, row-major: those of float64 or int64.
  const DType wide = IsFloating(self.dtype()) ? DType::kFloat64 : DType::kInt64;
  const Tensor bits = Tensor::Empty(self.sizes(), wide);
  CopyElements(bits, self);
  const uint64_t mask = DimMask(dim);
  Outer<2> all;
  for (int64_t d = self.dim() - 1, o = out.dim() - 1; d >= 0; --d) {
    const bool reduced = (mask >> d & 1) != 0, kept = out.dim() == self.dim();
    all.Add(self.sizes()[d], {bits.strides()[d], reduced ? 0 : out.strides()[kept ? d : o]});
    if (!reduced) --o;
  }
  const auto* from = static_cast<const uint64_t*>(bits.data());
  auto* to = out.data<uint64_t>();
  const auto inner = all.TakeInnermost();
  all.ForEach(0, all.count(), [&](const int64_t(&at)[2]) {
    for (int64_t i = 0; i < inner.size; ++i)
      to[at[1] + i * inner.strides[1]] ^= from[at[0] + i * inner.strides[0]];
  });
}

const Kernel kernel{"hash_tensor", "cpu", kRealOrBoolTypes, HashTensor};

}  // namespace
}  // namespace sy::cpu
