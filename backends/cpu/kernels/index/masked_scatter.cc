// masked_scatter: elements of a list, where a mask is true.
#include "backends/cpu/kernels/index/true_elements.h"
#include "switchyard/backends/common/checks.h"
#include "switchyard/backends/cpu/engine/copy.h"
#include "switchyard/backends/cpu/engine/copy_items.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace {

void MaskedScatter(Call call, const Tensor& out, const Tensor& self, const Tensor& mask,
                   const Tensor& source) {
  const TrueElements elements(mask, out.sizes());
  if (elements.count() > source.numel())
    FailShortSource(call.op(), source.numel(), elements.count());
  if (out.data() != self.data()) CopyElements(out, self);
  if (elements.count() == 0) return;
  const Tensor list = RowMajor(source, source.sizes()), target = RowMajor(out, out.sizes());
  VisitItem(out.itemsize(), [&](auto item) {
    using U = decltype(item);
    U* to = static_cast<U*>(target.data());
    const U* from = static_cast<const U*>(list.data());
    elements.ForEachBlock([&](const TrueElements::Block& block) {
      // Both are read, so that the choice takes no branch.
      elements.ForEach(block, [&](int64_t i, int64_t k) {
        const U taken = from[k], kept = to[i];
        to[i] = elements.IsTrue(i) ? taken : kept;
      });
    });
  });
  if (!target.is_same(out)) CopyElements(out, target);
}

const Kernel kernel{"masked_scatter", "cpu", kAnyDType, MaskedScatter};

}  // namespace
}  // namespace sy::cpu
