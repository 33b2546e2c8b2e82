// c10d::*: from one rank to another, and between all without a result. ATen's take a ProcessGroup
// object; these take its name, and are done when they return.

#include "collective/transport_internal.h"
#include "switchyard/core/transfer.h"
#include "switchyard/dispatcher/handle.h"
#include "switchyard/op/kernel.h"
#include "switchyard/op/operator.h"

namespace sy::collective {
namespace {

using Text = std::string_view;
constinit Handle<void(const Tensor&, const Tensor&, bool)> copy_{"copy_"};

// Without elements anywhere: nothing can be moved.
bool IsMeta(const Tensor& t) { return !t.is_host() && !HasBytes(t); }

// --- barrier

void Barrier(Call call, Text group_name) {
  SyCollective c = {};
  c.kind = SY_BARRIER;
  GroupFor(call, group_name).Run(c);
}
const Operator barrier_op{"c10d::barrier(str group_name) -> ()"};
const Composite barrier_body{"c10d::barrier", Barrier};

// --- send, recv: of the same dtype and number of elements, whatever their sizes.

int32_t TagOf(const Call& call, int64_t tag) {
  constexpr int64_t kTags = 1 << 20;
  if (tag < 0 || tag >= kTags)
    Fail(ErrorCode::kInvalidArgument, call.op(), {"tag is ", tag, ", expected 0 to ", kTags - 1});
  return static_cast<int32_t>(tag);
}
// Another rank of the group.
int OtherRank(const Call& call, const Group& g, Text argument, int64_t rank) {
  const int r = RankOf(call, g, argument, rank);
  if (r == g.plan.rank)
    Fail(ErrorCode::kInvalidArgument, call.op(), {argument, " is ", rank, ", this rank itself"});
  return r;
}

void Send(Call call, const Tensor& tensor, int64_t dst, int64_t tag, Text group_name) {
  SyCollective c = CallOf(SY_SEND, tensor, tensor.numel());
  c.tag = TagOf(call, tag);
  if (IsMeta(tensor)) return;
  Group& g = GroupFor(call, group_name);
  c.peer = OtherRank(call, g, "dst", dst);
  Tensor dense = tensor;
  if (!tensor.is_host() || !tensor.is_contiguous()) {
    dense = Tensor::Empty(tensor.sizes(), tensor.dtype());
    copy_(dense, tensor, false);
  }
  c.in = dense.data();
  g.Run(c);
}
const Operator send_op{"c10d::send(Tensor tensor, int dst, int tag, str group_name) -> ()"};
const Composite send_body{"c10d::send", Send};

void Receive(Call call, const Tensor& tensor, int64_t src, int64_t tag, Text group_name) {
  SyCollective c = CallOf(SY_RECV, tensor, tensor.numel());
  c.tag = TagOf(call, tag);
  if (IsMeta(tensor)) return;
  Group& g = GroupFor(call, group_name);
  c.peer = OtherRank(call, g, "src", src);
  const bool straight = tensor.is_host() && tensor.is_contiguous();
  const Tensor dense = straight ? tensor : Tensor::Empty(tensor.sizes(), tensor.dtype());
  c.out = dense.data();
  g.Run(c);
  if (!straight) copy_(tensor, dense, false);
}
const Operator recv_in_place_op{
    "c10d::recv_(Tensor(a!) tensor, int src, int tag, str group_name) -> Tensor(a!)"};
const Composite recv_in_place{"c10d::recv_", Receive};

// A new tensor like `tensor`, whose elements nobody looks at.
Tensor ReceiveNew(Call call, const Tensor& tensor, int64_t src, int64_t tag, Text group_name) {
  const Tensor made = Tensor::Empty(tensor.sizes(), tensor.dtype(), tensor.device());
  Receive(call, made, src, tag, group_name);
  return made;
}
const Operator recv_op{"c10d::recv(Tensor tensor, int src, int tag, str group_name) -> Tensor"};
const Composite recv_body{"c10d::recv", ReceiveNew};

// --- scatter, gather: dimension 0 is split, or joined.

IntSpan WithFirst(ShapeContext& r, const TensorBase& input, int64_t first) {
  const IntSpan all = r.Copy(input.sizes());
  const_cast<int64_t*>(all.data())[0] = first;
  return all;
}
void RequireSplit(const ShapeContext& r, const TensorBase& input, int64_t rank,
                  int64_t group_size) {
  if (group_size < 1) r.Fail({"group_size must be positive, got ", group_size});
  if (rank < 0 || rank >= group_size) r.Fail({"rank ", rank, " is not in a group of ", group_size});
  if (input.dim() == 0) r.Fail({"input must have a dimension, got a 0-d tensor"});
}

// Elements of the source's input alone count; others' say the sizes.
void ScatterShape(ShapeContext& r, const TensorBase& input, int64_t src, int64_t group_size, Text) {
  RequireSplit(r, input, src, group_size);
  if (input.size(0) % group_size != 0) {
    r.Fail({"dimension 0 of input, of sizes ", input.sizes(), ", does not split over ", group_size,
            " ranks"});
  }
  r.Output(WithFirst(r, input, input.size(0) / group_size), input.dtype());
}
void Scatter(Call call, const Tensor& out, const Tensor& input, int64_t src, int64_t group_size,
             Text group_name) {
  Group& g = GroupOfSize(call, group_name, group_size);
  SyCollective c = CallOf(SY_SCATTER, input, out.numel());
  c.peer = static_cast<int32_t>(src);
  Transport(g, c, out, input, Copy::kBeside);
}
const Operator scatter_op{
    "c10d::scatter(Tensor input, int src, int group_size, str group_name) -> Tensor", ScatterShape};
const Kernel scatter_kernel{"c10d::scatter", nullptr, kAnyDType, Scatter};

// On ranks other than the destination the result is empty: [0, …]. Without a group, as meta may be,
// it is the destination's.
void GatherShape(ShapeContext& r, const TensorBase& input, int64_t dst, int64_t group_size,
                 Text group_name) {
  RequireSplit(r, input, dst, group_size);
  const Group* g = FindGroup(group_name);
  const bool here = g == nullptr || RankIn(*g) == dst;
  r.Output(WithFirst(r, input, here ? input.size(0) * group_size : 0), input.dtype());
}
void Gather(Call call, const Tensor& out, const Tensor& input, int64_t dst, int64_t group_size,
            Text group_name) {
  Group& g = GroupOfSize(call, group_name, group_size);
  SyCollective c = CallOf(SY_GATHER, input, input.numel());
  c.peer = static_cast<int32_t>(dst);
  Transport(g, c, out, input, Copy::kBeside);
}
const Operator gather_op{
    "c10d::gather(Tensor input, int dst, int group_size, str group_name) -> Tensor", GatherShape};
const Kernel gather_kernel{"c10d::gather", nullptr, kAnyDType, Gather};

}  // namespace
}  // namespace sy::collective
