// unbind: a list of views.

#include <vector>

#include "ops/checks.h"
#include "ops/view/pieces_composite.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

using List = std::vector<Tensor>;

List Unbind(Call call, const Tensor& self, int64_t dim) {
  const int64_t n = SizeAt(call, self, dim);
  List all;
  Reserve(call, all, n);
  for (int64_t i = 0; i < n; ++i) all.push_back(select(self, dim, i));
  return all;
}
List UnbindCopy(Call call, const Tensor& self, int64_t dim) {
  return Copies(Unbind(call, self, dim));
}
const Composite unbind_body{"unbind.int", Unbind};
const Composite unbind_copy_body{"unbind_copy.int", UnbindCopy};

void UnbindCopyOut(Call call, const Tensor& self, int64_t dim, TensorList out) {
  StorePieces(call, Unbind(call, self, dim), out);
}
const Composite unbind_copy_out_body{"unbind_copy.int_out", UnbindCopyOut};

}  // namespace
}  // namespace sy
