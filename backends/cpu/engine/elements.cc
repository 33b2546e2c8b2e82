#include "switchyard/backends/cpu/engine/elements.h"

#include "switchyard/backends/cpu/engine/pointwise.h"

namespace sy::cpu {

void CopyElements(Iteration& it) {
  const DType to = it.operands[0].dtype;
  LoopCall call{.loop = ActiveHelpers().copy[SizeIndex(ItemSize(to))], .common = {}, .in_loop = {}};
  for (int k = 0; k < 2; ++k) call.common[k] = call.in_loop[k] = to;
  RunLoop(call, it);
}

}  // namespace sy::cpu
