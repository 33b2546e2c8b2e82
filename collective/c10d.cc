// c10d::*: from one rank to another, and between all without a result. ATen's take a ProcessGroup
// object; these take its name, and are done when they return.

#include <vector>

#include "collective/transport_internal.h"
#include "switchyard/core/transfer.h"
#include "switchyard/dispatcher/handle.h"
#include "switchyard/op/kernel.h"
#include "switchyard/op/operator.h"

namespace sy::collective {
namespace {

using Text = std::string_view;
constinit Handle<void(const Tensor&, const Tensor&, bool)> copy_{"copy_"};

// --- barrier

void Barrier(Call call, Text group_name) {
  SyCollective c = {};
  c.kind = SY_BARRIER;
  GroupFor(call, group_name).Run(c);
}
const Operator barrier_op{"c10d::barrier(str group_name) -> ()"};
const Composite barrier_body{"c10d::barrier", OfGroup<Barrier>::Run};

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
  Tensor dense = ToHost(tensor);  // refuses what has its elements elsewhere
  if (!dense.is_contiguous()) {
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

// --- alltoall_base_: all_to_all_single into a tensor that is there. Splits are rows of dimension
// 0, one a rank; none: equal parts.

std::vector<int64_t> Counts(const Call& call, const Group& g, Text argument, IntSpan splits,
                            const Tensor& t) {
  const int64_t k = g.size(), rows = t.dim() == 0 ? 0 : t.size(0);
  const auto refuse = [&](std::string_view expected) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {argument, " is ", splits, " for ", k, " ranks and a tensor of sizes ", t.sizes(),
          ", expected ", expected});
  };
  if (t.dim() == 0) refuse("a dimension to split");
  std::vector<int64_t> counts(splits.begin(), splits.end());
  if (splits.empty()) {
    if (rows % k != 0) refuse("rows that split over the ranks");
    counts.assign(static_cast<size_t>(k), rows / k);
  }
  int64_t sum = 0;
  for (const int64_t n : counts) {
    if (n < 0) refuse("none that is negative");
    sum += n;
  }
  if (static_cast<int64_t>(counts.size()) != k || sum != rows)
    refuse("a number a rank that add up to dimension 0");
  const int64_t row = rows == 0 ? 0 : t.numel() / rows;
  for (int64_t& n : counts) n *= row;
  return counts;
}
void AllToAllBase(Call call, const Tensor& output, const Tensor& input, IntSpan output_split_sizes,
                  IntSpan input_split_sizes, Text group_name) {
  if (output.dtype() != input.dtype()) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"output is ", output.dtype(), ", expected ", input.dtype(), ", the input's"});
  }
  if (IsMeta(input) || IsMeta(output)) return;
  Group& g = GroupFor(call, group_name);
  const std::vector<int64_t> taken =
      Counts(call, g, "output_split_sizes", output_split_sizes, output);
  const std::vector<int64_t> sent = Counts(call, g, "input_split_sizes", input_split_sizes, input);
  const bool straight = IsPlain(output) && IsPlain(input) && !Overlap(output, input);
  Tensor from = input, to = output;
  if (!straight) {
    from = Tensor::Empty(input.sizes(), input.dtype());
    to = Tensor::Empty(output.sizes(), output.dtype());
    copy_(from, input, false);
  }
  SyCollective c = CallOf(SY_ALL_TO_ALL, input, 0);
  c.in_counts = sent.data();
  c.out_counts = taken.data();
  c.in = from.data();
  c.out = to.data();
  g.Run(c);
  if (!straight) copy_(output, to, false);
}
const Operator all_to_all_base_op{
    "c10d::alltoall_base_(Tensor(a!) output, Tensor input, SymInt[] output_split_sizes, SymInt[] "
    "input_split_sizes, str group_name) -> Tensor(a!)"};
const Composite all_to_all_base{"c10d::alltoall_base_", OfGroup<AllToAllBase>::Run};

// --- scatter, gather: dimension 0 is split by one rank for all, or joined on one.

void RequireRoot(const ShapeContext& r, int64_t root, int64_t group_size) {
  if (group_size < 1) r.Fail({"group_size must be positive, got ", group_size});
  if (root < 0 || root >= group_size) r.Fail({"rank ", root, " is not in a group of ", group_size});
}
// Elements of the source's input alone count; others' say the sizes.
void ScatterShape(ShapeContext& r, const TensorBase& input, int64_t src, int64_t group_size, Text) {
  RequireRoot(r, src, group_size);
  ResultOf(r, input, WithFirst(r, input, 1, group_size));
}
// On ranks other than the destination the result is empty: [0, …]. Without a group, as meta may be,
// it is the destination's.
void GatherShape(ShapeContext& r, const TensorBase& input, int64_t dst, int64_t group_size,
                 Text group_name) {
  RequireRoot(r, dst, group_size);
  const Group* g = FindGroup(group_name);
  const bool here = g == nullptr || RankIn(*g) == dst;
  ResultOf(r, input, WithFirst(r, input, here ? group_size : 0, 1));
}
template <SyCollectiveKind kKind>
void ByRoot(Call call, const Tensor& out, const Tensor& input, int64_t root, int64_t group_size,
            Text group_name) {
  Group& g = GroupOfSize(call, group_name, group_size);
  SyCollective c = CallOf(kKind, input, (kKind == SY_SCATTER ? out : input).numel());
  c.peer = static_cast<int32_t>(root);
  Transport(g, c, out, input, Copy::kBeside);
}
const CollectiveOperator scatter_op{
    "c10d::scatter(Tensor input, int src, int group_size, str group_name) -> Tensor", ScatterShape};
const CollectiveOperator gather_op{
    "c10d::gather(Tensor input, int dst, int group_size, str group_name) -> Tensor", GatherShape};
const Kernel scatter_kernel{"c10d::scatter", nullptr, kAnyDType, ByRoot<SY_SCATTER>};
const Kernel gather_kernel{"c10d::gather", nullptr, kAnyDType, ByRoot<SY_GATHER>};

}  // namespace
}  // namespace sy::collective
