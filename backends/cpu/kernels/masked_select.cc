// masked_select and masked_scatter: elements where a mask is true, to and from a list of them.
#include "backends/cpu/kernels/masks.h"
#include "backends/cpu/kernels/move.h"
#include "switchyard/backends/cpu/engine/copy.h"
#include "switchyard/core/shape.h"
#include "switchyard/registry/kernel.h"

namespace sy::cpu {
namespace {

// t expanded to `sizes`, in row-major order: t itself where it is that.
Tensor RowMajor(const Tensor& t, IntSpan sizes) {
  if (t.is_contiguous() && SameSizes(t.sizes(), sizes)) return t;
  Tensor copy = Tensor::Empty(sizes, t.dtype());
  CopyElements(copy, t);
  return copy;
}

Tensor MaskedSelect(Call call, const Tensor& self, const Tensor& mask) {
  if (mask.dtype() != DType::kBool)
    Fail(ErrorCode::kInvalidArgument, {call.op(), "(): mask must be bool, got ", mask.dtype()});
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

void MaskedScatter(Call call, const Tensor& out, const Tensor& self, const Tensor& mask,
                   const Tensor& source) {
  const TrueElements elements(mask, out.sizes());
  if (elements.count() > source.numel()) {
    Fail(ErrorCode::kInvalidValue, {call.op(), "(): source has ", source.numel(),
                                    " elements, but mask has ", elements.count(), " true ones"});
  }
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

const Kernel select_kernel{"masked_select", "cpu", kAnyDType, MaskedSelect};
const Kernel scatter_kernel{"masked_scatter", "cpu", kAnyDType, MaskedScatter};

}  // namespace
}  // namespace sy::cpu
