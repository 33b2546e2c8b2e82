// meshgrid by views; cartesian_prod by a grid, combinations by positions.

#include <string_view>
#include <utility>
#include <vector>

#include "ops/join/checks_composite.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

using List = std::vector<Tensor>;

List Grid(Call call, TensorList tensors, bool swapped) {
  RequireTensors(call, tensors);
  List list(tensors.begin(), tensors.end());
  if (list.size() < 2) swapped = false;
  if (swapped) std::swap(list[0], list[1]);
  std::vector<int64_t> sizes;
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i].dim() > 1 || tensors[i].dtype() != tensors[0].dtype()) {
      Fail(ErrorCode::kInvalidArgument, call.op(),
           {"tensors must be at most 1-d and of one dtype, got ", Describe(tensors[i]),
            " for tensor ", i});
    }
    sizes.push_back(list[i].numel());
  }
  for (size_t i = 0; i < list.size(); ++i) {
    std::vector<int64_t> own(list.size(), 1);
    own[i] = sizes[i];
    list[i] = expand(view(list[i], own), sizes);
  }
  if (swapped) std::swap(list[0], list[1]);
  return list;
}
List Meshgrid(Call call, TensorList tensors) { return Grid(call, tensors, false); }
List MeshgridIndexing(Call call, TensorList tensors, std::string_view indexing) {
  if (indexing != "ij" && indexing != "xy") {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"indexing must be \"ij\" or \"xy\", got \"", indexing, "\""});
  }
  return Grid(call, tensors, indexing == "xy");
}
const Composite meshgrid_body{"meshgrid", Meshgrid};
const Composite meshgrid_indexing_body{"meshgrid.indexing", MeshgridIndexing};

Tensor CartesianProd(Call call, TensorList tensors) {
  RequireTensors(call, tensors);
  for (const Tensor& t : tensors) {
    if (t.dim() == 1) continue;
    Fail(ErrorCode::kInvalidArgument, call.op(), {"tensors must be 1-d, got sizes ", t.sizes()});
  }
  if (tensors.size() == 1) return tensors[0];
  List grid = Grid(call, tensors, false);
  for (Tensor& t : grid) t = flatten(t);
  return stack(grid, 1);
}
const Composite cartesian_prod_body{"cartesian_prod", CartesianProd};

// Positions, in lexical order, of all tuples of r of n elements that ascend, strictly or not.
std::vector<int64_t> Tuples(int64_t n, int64_t r, bool strictly) {
  std::vector<int64_t> all;
  const int64_t step = strictly ? 1 : 0;
  if (n == 0 || (strictly && r > n)) return all;
  const Tensor room = Tensor::Empty({r}, DType::kInt64);
  int64_t* const tuple = room.data<int64_t>();
  for (int64_t i = 0; i < r; ++i) tuple[i] = i * step;
  while (true) {
    all.insert(all.end(), tuple, tuple + r);
    // The last position that can move on; those behind it follow.
    int64_t i = r - 1;
    while (i >= 0 && tuple[i] == n - 1 - (r - 1 - i) * step) --i;
    if (i < 0) return all;
    int64_t next = tuple[i] + 1;
    for (; i < r; ++i, next += step) tuple[i] = next;
  }
}
Tensor Combinations(Call call, const Tensor& self, int64_t r, bool with_replacement) {
  if (self.dim() != 1)
    Fail(ErrorCode::kInvalidArgument, call.op(), {"self must be 1-d, got ", self.sizes()});
  if (r < 0) Fail(ErrorCode::kInvalidArgument, call.op(), {"r must not be negative, got ", r});
  if (r == 0) return new_empty(self, {0});
  std::vector<int64_t> at = Tuples(self.numel(), r, !with_replacement);
  const auto count = static_cast<int64_t>(at.size());
  const Tensor index = Tensor::FromBlob(at.data(), IntSpan(&count, 1), DType::kInt64);
  // What is recorded keeps the index: of memory of its own.
  const Tensor there = self.is_host() ? clone(index) : to(index, self.device(), DType::kInt64);
  return view(index_select(self, 0, there), {count / r, r});
}
const Composite combinations_body{"combinations", Combinations};

}  // namespace
}  // namespace sy
