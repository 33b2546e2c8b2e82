// masked_select: elements where a mask is true, as a list.
#include "backends/cpu/kernels/index/true_elements.h"
#include "switchyard/backends/common/checks.h"
#include "switchyard/backends/cpu/engine/copy_items.h"
#include "switchyard/core/shape.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace {

Tensor MaskedSelect(Call call, const Tensor& self, const Tensor& mask) {
  RequireMask(call, mask);
  int64_t common[kMaxRank];
  const int rank = Broadcast(self.sizes(), mask.sizes(), common, call.op());
  const IntSpan sizes(common, static_cast<size_t>(rank));
  const TrueElements elements(mask, sizes);
  Tensor out = Tensor::Empty({elements.count()}, self.dtype());
  if (elements.count() == 0) return out;
  const Tensor all = RowMajor(self, sizes);
  VisitItem(out.itemsize(), [&](auto item) {
    using U = decltype(item);
    U* to = static_cast<U*>(out.data());
    const U* from = static_cast<const U*>(all.data());
    elements.ForEachBlock([&](const TrueElements::Block& block) {
      elements.ForEach(block, [&](int64_t i, int64_t k) { to[k] = from[i]; });
    });
  });
  return out;
}

const Kernel kernel{"masked_select", "cpu", kAnyDType, MaskedSelect};

}  // namespace
}  // namespace sy::cpu
