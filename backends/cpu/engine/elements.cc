#include "switchyard/backends/cpu/engine/elements.h"

#include "switchyard/backends/cpu/engine/pointwise.h"

namespace sy::cpu {

void CopyElements(Iteration& it) {
  const DType to = it.operands[0].dtype;
  LoopCall call{.loop = ActiveHelpers().copy[SizeIndex(ItemSize(to))], .common = {}, .in_loop = {}};
  for (int k = 0; k < 2; ++k) call.common[k] = call.in_loop[k] = to;
  RunLoop(call, it);
}

void CopyElements(const Tensor& out, const Tensor& source) {
  if (out.numel() == 0) return;
  Iteration it(out.sizes());
  it.Add(out);
  it.Add(source);
  CopyElements(it);
}

}  // namespace sy::cpu
