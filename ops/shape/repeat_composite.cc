// tile by repeat.

#include <vector>

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor Tile(Call, const Tensor& self, IntSpan dims) {
  if (dims.size() >= self.sizes().size()) return repeat(self, dims);
  std::vector<int64_t> repeats(self.sizes().size() - dims.size(), 1);
  repeats.insert(repeats.end(), dims.begin(), dims.end());
  return repeat(self, repeats);
}
const Composite tile_body{"tile", Tile};

}  // namespace
}  // namespace sy
