#include "switchyard/backends/common/roll.h"

#include "switchyard/backends/common/views.h"
#include "switchyard/backends/cpu/engine/copy.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace {

void CopyMoved(const Tensor& out, const Tensor& self, IntSpan shifts, IntSpan dims) {
  const auto item = static_cast<int64_t>(self.itemsize());
  ForEachRollPart(out, self, shifts, dims, [&](const RollPart& part) {
    IndexSpace space(part.sizes);
    space.Add(out);  // strides; sizes are the part's
    space.Add(self);
    space.operands[0].data += part.to * item;
    space.operands[1].data += part.from * item;
    CopyElements(space);
  });
}

void Roll(Call, const Tensor& out, const Tensor& self, IntSpan shifts, IntSpan dims) {
  if (out.numel() == 0) return;
  if (dims.empty()) {
    constexpr int64_t kFirst[] = {0};
    const auto row_major = [](const Tensor& t) {
      return t.is_contiguous() ? t : Tensor::Empty(t.sizes(), t.dtype());
    };
    const Tensor from = row_major(self), to = row_major(out);
    if (!from.is_same(self)) CopyElements(from, self);
    CopyMoved(Flat(to), Flat(from), shifts, kFirst);
    if (!to.is_same(out)) CopyElements(out, to);
    return;
  }
  CopyMoved(out, self, shifts, dims);
}

const Kernel kernel{"roll", "cpu", kAnyDType, Roll};

}  // namespace
}  // namespace sy::cpu
