// The body of expand_copy.

#include <vector>

#include "ops/view/copying_composite.h"
#include "switchyard/core/shape.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

const Composite expand_copy_body{"expand_copy", Copy<expand, IntSpan, bool>};
std::vector<Tensor> BroadcastTensors(Call call, TensorList tensors) {
  int64_t sizes[kMaxRank];
  IntSpan common;
  for (const Tensor& t : tensors) {
    if (!t.defined()) Fail(ErrorCode::kInvalidArgument, call.op(), {"a tensor is undefined"});
    const std::vector<int64_t> before(common.begin(), common.end());
    common = {sizes, static_cast<size_t>(Broadcast(before, t.sizes(), sizes, call.op()))};
  }
  std::vector<Tensor> all;
  for (const Tensor& t : tensors) all.push_back(expand(t, common));
  return all;
}
const Composite broadcast_tensors_body{"broadcast_tensors", BroadcastTensors};

}  // namespace
}  // namespace sy
