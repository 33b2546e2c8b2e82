// hstack, vstack, dstack and column_stack by cat: what is joined, and where.

#include <utility>
#include <vector>

#include "ops/join/checks_composite.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

using List = std::vector<Tensor>;

struct Join {
  List tensors;
  int64_t dim;
};
Join SideBySide(List list) {
  const int64_t dim = list[0].dim() == 1 ? 0 : 1;
  return {std::move(list), dim};
}
Join Horizontal(TensorList tensors) { return SideBySide(atleast_1d(tensors)); }
Join Vertical(TensorList tensors) { return {atleast_2d(tensors), 0}; }
Join Deep(TensorList tensors) { return {atleast_3d(tensors), 2}; }
Join Columns(TensorList tensors) {
  List list;
  for (const Tensor& t : tensors) list.push_back(t.dim() <= 1 ? reshape(t, {t.numel(), 1}) : t);
  return SideBySide(std::move(list));
}
template <Join (*kHow)(TensorList)>
Tensor StackAs(Call call, TensorList tensors) {
  RequireTensors(call, tensors);
  const Join join = kHow(tensors);
  return cat(join.tensors, join.dim);
}
template <Join (*kHow)(TensorList)>
void StackAsOut(Call call, TensorList tensors, const Tensor& out) {
  RequireTensors(call, tensors);
  const Join join = kHow(tensors);
  cat_out(out, join.tensors, join.dim);
}
const Composite hstack_body{"hstack", StackAs<Horizontal>};
const Composite hstack_out_body{"hstack.out", StackAsOut<Horizontal>};
const Composite vstack_body{"vstack", StackAs<Vertical>};
const Composite vstack_out_body{"vstack.out", StackAsOut<Vertical>};
const Composite row_stack_body{"row_stack", StackAs<Vertical>};
const Composite row_stack_out_body{"row_stack.out", StackAsOut<Vertical>};
const Composite dstack_body{"dstack", StackAs<Deep>};
const Composite dstack_out_body{"dstack.out", StackAsOut<Deep>};
const Composite column_stack_body{"column_stack", StackAs<Columns>};
const Composite column_stack_out_body{"column_stack.out", StackAsOut<Columns>};

}  // namespace
}  // namespace sy
