// Gradients of collectives. What is differentiated is the sum of all ranks' losses: a result that
// every rank uses gathers every rank's gradient. The formulas are collectives too, so that all
// ranks run backward through them, in the same order.

#include "switchyard/autograd/gradient.h"
#include "switchyard/collective/group.h"
#include "switchyard/collective/handles.h"
#include "switchyard/core/error.h"
#include "switchyard/ops.h"

namespace sy::collective {
namespace {

using handles::all_gather;
using handles::all_reduce;
using handles::all_to_all;
using handles::reduce_scatter;
using handles::Text;

void RequireLinear(Text op, Text reduce_op) {
  if (reduce_op == "sum" || reduce_op == "avg") return;
  Fail(ErrorCode::kNotImplemented,
       {op, ": reduce_op '", reduce_op, "' has no gradient; sum and avg do"});
}

Tensor AllReduceInput(const Grad& g, Unsaved, Text reduce_op, Text group_name) {
  RequireLinear("all_reduce", reduce_op);
  return all_reduce(g, reduce_op, group_name);
}
const Gradient all_reduce_grad{"_c10d_functional::all_reduce", For("input", AllReduceInput)};

Tensor AllGatherInput(const Grad& g, Unsaved, int64_t group_size, Text group_name) {
  return reduce_scatter(g, "sum", group_size, group_name);
}
const Gradient all_gather_grad{"_c10d_functional::all_gather_into_tensor",
                               For("input", AllGatherInput)};

Tensor ReduceScatterInput(const Grad& g, Unsaved, Text reduce_op, int64_t group_size,
                          Text group_name) {
  RequireLinear("reduce_scatter_tensor", reduce_op);
  const Tensor all = all_gather(g, group_size, group_name);
  return reduce_op == "avg" ? div(all, group_size) : all;
}
const Gradient reduce_scatter_grad{"_c10d_functional::reduce_scatter_tensor",
                                   For("input", ReduceScatterInput)};

Tensor AllToAllInput(const Grad& g, Unsaved, IntSpan output_split_sizes, IntSpan input_split_sizes,
                     Text group_name) {
  return all_to_all(g, input_split_sizes, output_split_sizes, group_name);
}
const Gradient all_to_all_grad{"_c10d_functional::all_to_all_single", For("input", AllToAllInput)};

// Others' inputs do not count.
Tensor BroadcastInput(const Grad& g, Unsaved, int64_t src, Text group_name) {
  const Tensor sum = all_reduce(g, "sum", group_name);
  return RankIn(GroupOf(group_name)) == src ? sum : zeros_like(sum);
}
const Gradient broadcast_grad{"_c10d_functional::broadcast", For("input", BroadcastInput)};

}  // namespace
}  // namespace sy::collective
