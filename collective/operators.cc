// The functional collectives, _c10d_functional::*, with ATen's schemas.
//
// Those that return a new tensor have a shape function; what computes them is for every device. An
// input is done with when the operator returns, also where the result is not there yet: it is
// copied before. What writes an argument is done when it returns, since views of it know of nothing
// to wait for.

#include <algorithm>
#include <vector>

#include "collective/transport_internal.h"
#include "switchyard/collective/handles.h"
#include "switchyard/core/shape.h"
#include "switchyard/op/kernel.h"
#include "switchyard/op/operator.h"

namespace sy::collective {
namespace {

using handles::all_gather;
using handles::all_reduce;
using handles::all_to_all;
using handles::broadcast;
using handles::reduce_scatter;
using handles::Text;
constinit Handle<void(const Tensor&, const Tensor&, bool)> copy_{"copy_"};

// --- What is asked of arguments.

SyReduceOp ReduceOpOf(const ShapeContext& r, const TensorBase& input, Text reduce_op) {
  if (reduce_op == "sum") [[likely]]  // which everything has
    return SY_SUM;
  const std::optional<SyReduceOp> op = ParseReduceOp(reduce_op);
  if (!op) {
    r.Fail({"reduce_op is '", reduce_op,
            "', expected sum, product, min, max, band, bor, bxor or avg"});
  }
  if (!Contains(ReducibleTypes(*op), input.dtype()))
    r.Fail(ErrorCode::kNotImplemented, {"reduce_op '", reduce_op, "' of ", input.dtype()});
  return *op;
}
void RequireGroupSize(const ShapeContext& r, int64_t group_size) {
  if (group_size < 1) r.Fail({"group_size must be positive, got ", group_size});
}
// Of what was asked before.
SY_INLINE SyReduceOp ReduceOpOf(Text reduce_op) {
  return reduce_op == "sum" ? SY_SUM : *ParseReduceOp(reduce_op);
}

// --- Functional forms.

void AllReduceShape(ShapeContext& r, const TensorBase& input, Text reduce_op, Text) {
  ReduceOpOf(r, input, reduce_op);
  ResultOf(r, input, input.sizes());
}
void AllReduce(Call call, const Tensor& out, const Tensor& input, Text reduce_op, Text group_name) {
  SyCollective c = CallOf(SY_ALL_REDUCE, input, input.numel());
  c.op = ReduceOpOf(reduce_op);
  Group& g = GroupFor(call, group_name);
  // What Transport does of a small one, without a call and a question for each kind.
  if (out.is_host() && input.is_contiguous() && g.RunsInline(c.count * c.item_size)) [[likely]] {
    c.in = input.data();
    c.out = out.data();
    return g.Run(c);
  }
  Transport(g, c, out, input, Copy::kToOut);
}
const CollectiveOperator all_reduce_op{
    "_c10d_functional::all_reduce(Tensor input, str reduce_op, str group_name) -> Tensor",
    AllReduceShape};
const Kernel all_reduce_kernel{"_c10d_functional::all_reduce", nullptr, kAnyDType, AllReduce};

void AllGatherShape(ShapeContext& r, const TensorBase& input, int64_t group_size, Text) {
  RequireGroupSize(r, group_size);
  ResultOf(r, input, WithFirst(r, input, group_size, 1));
}
void AllGather(Call call, const Tensor& out, const Tensor& input, int64_t group_size,
               Text group_name) {
  Group& g = GroupOfSize(call, group_name, group_size);
  Transport(g, CallOf(SY_ALL_GATHER, input, input.numel()), out, input, Copy::kToPart);
}
const CollectiveOperator all_gather_op{
    "_c10d_functional::all_gather_into_tensor(Tensor input, int group_size, str group_name) -> "
    "Tensor",
    AllGatherShape};
const Kernel all_gather_kernel{"_c10d_functional::all_gather_into_tensor", nullptr, kAnyDType,
                               AllGather};

void ReduceScatterShape(ShapeContext& r, const TensorBase& input, Text reduce_op,
                        int64_t group_size, Text) {
  RequireGroupSize(r, group_size);
  ReduceOpOf(r, input, reduce_op);
  ResultOf(r, input, WithFirst(r, input, 1, group_size));
}
void ReduceScatter(Call call, const Tensor& out, const Tensor& input, Text reduce_op,
                   int64_t group_size, Text group_name) {
  Group& g = GroupOfSize(call, group_name, group_size);
  SyCollective c = CallOf(SY_REDUCE_SCATTER, input, out.numel());
  c.op = ReduceOpOf(reduce_op);
  Transport(g, c, out, input, Copy::kBeside);
}
const CollectiveOperator reduce_scatter_op{
    "_c10d_functional::reduce_scatter_tensor(Tensor input, str reduce_op, int group_size, str "
    "group_name) -> Tensor",
    ReduceScatterShape};
const Kernel reduce_scatter_kernel{"_c10d_functional::reduce_scatter_tensor", nullptr, kAnyDType,
                                   ReduceScatter};

int64_t SumOf(const ShapeContext& r, Text name, IntSpan sizes) {
  int64_t sum = 0;
  for (const int64_t n : sizes) {
    if (n < 0) r.Fail({name, " must not be negative, got ", sizes});
    sum += n;
  }
  return sum;
}
void AllToAllShape(ShapeContext& r, const TensorBase& input, IntSpan output_split_sizes,
                   IntSpan input_split_sizes, Text) {
  if (input.dim() == 0) r.Fail({"input must have a dimension, got a 0-d tensor"});
  if (output_split_sizes.size() != input_split_sizes.size()) {
    r.Fail({"output_split_sizes has ", output_split_sizes.size(), " numbers and input_split_sizes ",
            input_split_sizes.size(), ", expected one a rank"});
  }
  if (const int64_t sum = SumOf(r, "input_split_sizes", input_split_sizes); sum != input.size(0)) {
    r.Fail({"input_split_sizes ", input_split_sizes, " add up to ", sum,
            ", expected dimension 0 of input, ", input.size(0)});
  }
  const IntSpan all = r.Copy(input.sizes());
  const_cast<int64_t*>(all.data())[0] = SumOf(r, "output_split_sizes", output_split_sizes);
  ResultOf(r, input, all);
}
void AllToAll(Call call, const Tensor& out, const Tensor& input, IntSpan output_split_sizes,
              IntSpan input_split_sizes, Text group_name) {
  Group& g = GroupOfSize(call, group_name, static_cast<int64_t>(input_split_sizes.size()));
  int64_t row = 1;
  for (const int64_t n : input.sizes().subspan(1)) row *= n;
  std::vector<int64_t> in(input_split_sizes.begin(), input_split_sizes.end());
  std::vector<int64_t> taken(output_split_sizes.begin(), output_split_sizes.end());
  for (int64_t& n : in) n *= row;
  for (int64_t& n : taken) n *= row;
  SyCollective c = CallOf(SY_ALL_TO_ALL, input, 0);
  c.in_counts = in.data();
  c.out_counts = taken.data();
  Transport(g, c, out, input, Copy::kBeside);
}
const CollectiveOperator all_to_all_op{
    "_c10d_functional::all_to_all_single(Tensor input, SymInt[] output_split_sizes, SymInt[] "
    "input_split_sizes, str group_name) -> Tensor",
    AllToAllShape};
const Kernel all_to_all_kernel{"_c10d_functional::all_to_all_single", nullptr, kAnyDType, AllToAll};

void BroadcastShape(ShapeContext& r, const TensorBase& input, int64_t src, Text) {
  if (src < 0) r.Fail({"src must not be negative, got ", src});
  ResultOf(r, input, input.sizes());
}
void Broadcast(Call call, const Tensor& out, const Tensor& input, int64_t src, Text group_name) {
  Group& g = GroupFor(call, group_name);
  SyCollective c = CallOf(SY_BROADCAST, input, input.numel());
  c.peer = RankOf(call, g, "src", src);
  Transport(g, c, out, input, Copy::kToOut);
}
const CollectiveOperator broadcast_op{
    "_c10d_functional::broadcast(Tensor input, int src, str group_name) -> Tensor", BroadcastShape};
const Kernel broadcast_kernel{"_c10d_functional::broadcast", nullptr, kAnyDType, Broadcast};

// --- What waits: the layer has done it before the kernel is reached.

Tensor WaitTensor(Call, const Tensor& tensor) { return tensor; }
const Operator wait_op{"_c10d_functional::wait_tensor(Tensor tensor) -> Tensor", KeyRule::kFirst,
                       Tags(OperatorTag::kMaybeAliasingOrMutating)};
const Composite wait_body{"_c10d_functional::wait_tensor", WaitTensor};

// --- In place, and into a given tensor. Recorded for gradients where these are wanted; else no
// second tensor is made where the argument has no gaps.

void RequireReducible(const Call& call, const Tensor& input, Text reduce_op) {
  if (reduce_op == "sum") [[likely]]  // of everything
    return;
  const std::optional<SyReduceOp> op = ParseReduceOp(reduce_op);
  if (op && Contains(ReducibleTypes(*op), input.dtype())) return;
  Fail(ErrorCode::kInvalidArgument, call.op(),
       {"reduce_op is '", reduce_op, "', which does not reduce ", input.dtype()});
}

void AllReduceInPlace(Call call, const Tensor& input, Text reduce_op, Text group_name) {
  RequireReducible(call, input, reduce_op);
  if (!IsPlain(input)) {
    const PartOfCall part;
    return copy_(input, all_reduce(input, reduce_op, group_name), false);
  }
  SyCollective c = CallOf(SY_ALL_REDUCE, input, input.numel());
  c.op = ReduceOpOf(reduce_op);
  c.in = c.out = input.data();
  GroupFor(call, group_name).Run(c);
}
const Operator all_reduce_in_place_op{
    "_c10d_functional::all_reduce_(Tensor(a!) input, str reduce_op, str group_name) -> Tensor(a!)"};
const Composite all_reduce_in_place{"_c10d_functional::all_reduce_",
                                    OfGroup<AllReduceInPlace>::Run};

void BroadcastInPlace(Call call, const Tensor& input, int64_t src, Text group_name) {
  if (!IsPlain(input)) {
    const PartOfCall part;
    return copy_(input, broadcast(input, src, group_name), false);
  }
  Group& g = GroupFor(call, group_name);
  SyCollective c = CallOf(SY_BROADCAST, input, input.numel());
  c.peer = RankOf(call, g, "src", src);
  c.in = c.out = input.data();
  g.Run(c);
}
const Operator broadcast_in_place_op{
    "_c10d_functional::broadcast_(Tensor(a!) input, int src, str group_name) -> Tensor(a!)"};
const Composite broadcast_in_place{"_c10d_functional::broadcast_", OfGroup<BroadcastInPlace>::Run};

void Into(const Call& call, const Tensor& out, const Tensor& result) {
  if (!SameSizes(out.sizes(), result.sizes())) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"out has sizes ", out.sizes(), ", expected ", result.sizes()});
  }
  if (out.dtype() != result.dtype()) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"out is ", out.dtype(), ", expected ", result.dtype(), ", the input's"});
  }
  copy_(out, result, false);
}
// Whether a call may write to `out`, whose dimension 0 has `first` elements and which is like input
// elsewhere. What is not so is made beside it, and copied or refused.
bool TakesStraight(const Tensor& out, const Tensor& input, int64_t first) {
  if (!IsPlain(out) || !IsPlain(input) || out.dtype() != input.dtype() || input.dim() == 0 ||
      out.dim() != input.dim() || out.size(0) != first ||
      !std::ranges::equal(out.sizes().subspan(1), input.sizes().subspan(1)))
    return false;
  return !Overlap(out, input);
}
void AllGatherOut(Call call, const Tensor& input, int64_t group_size, Text group_name,
                  const Tensor& out) {
  if (input.dim() == 0 || !TakesStraight(out, input, input.size(0) * group_size)) {
    const PartOfCall part;
    return Into(call, out, all_gather(input, group_size, group_name));
  }
  SyCollective c = CallOf(SY_ALL_GATHER, input, input.numel());
  c.in = input.data();
  c.out = out.data();
  GroupOfSize(call, group_name, group_size).Run(c);
}
const Operator all_gather_out_op{
    "_c10d_functional::all_gather_into_tensor_out(Tensor input, int group_size, str group_name, *, "
    "Tensor(a!) out) -> Tensor(a!)"};
const Composite all_gather_out{"_c10d_functional::all_gather_into_tensor_out",
                               OfGroup<AllGatherOut>::Run};

void ReduceScatterOut(Call call, const Tensor& input, Text reduce_op, int64_t group_size,
                      Text group_name, const Tensor& out) {
  RequireReducible(call, input, reduce_op);
  const bool splits = group_size > 0 && input.dim() > 0 && input.size(0) % group_size == 0;
  if (!splits || !TakesStraight(out, input, input.size(0) / group_size)) {
    const PartOfCall part;
    return Into(call, out, reduce_scatter(input, reduce_op, group_size, group_name));
  }
  SyCollective c = CallOf(SY_REDUCE_SCATTER, input, out.numel());
  c.op = ReduceOpOf(reduce_op);
  c.in = input.data();
  c.out = out.data();
  GroupOfSize(call, group_name, group_size).Run(c);
}
const Operator reduce_scatter_out_op{
    "_c10d_functional::reduce_scatter_tensor_out(Tensor input, str reduce_op, int group_size, str "
    "group_name, *, Tensor(a!) out) -> Tensor(a!)"};
const Composite reduce_scatter_out{"_c10d_functional::reduce_scatter_tensor_out",
                                   OfGroup<ReduceScatterOut>::Run};

// --- Lists: one call each, queued behind each other.

template <class F>
std::vector<Tensor> OfEach(TensorList inputs, F f) {
  const PartOfCall part;
  std::vector<Tensor> all;
  all.reserve(inputs.size());
  for (const Tensor& t : inputs) all.push_back(f(t));
  return all;
}
std::vector<Tensor> AllReduceCoalesced(Call, TensorList inputs, Text reduce_op, Text group_name) {
  return OfEach(inputs, [&](const Tensor& t) { return all_reduce(t, reduce_op, group_name); });
}
const Operator all_reduce_coalesced_op{
    "_c10d_functional::all_reduce_coalesced(Tensor[] inputs, str reduce_op, str group_name) -> "
    "Tensor[]"};
const Composite all_reduce_coalesced{"_c10d_functional::all_reduce_coalesced",
                                     OfGroup<AllReduceCoalesced>::Run};

std::vector<Tensor> AllReduceCoalescedInPlace(Call, TensorList inputs, Text reduce_op,
                                              Text group_name) {
  const std::vector<Tensor> all =
      OfEach(inputs, [&](const Tensor& t) { return all_reduce(t, reduce_op, group_name); });
  for (size_t i = 0; i < all.size(); ++i) copy_(inputs[i], all[i], false);
  return {inputs.begin(), inputs.end()};
}
const Operator all_reduce_coalesced_in_place_op{
    "_c10d_functional::all_reduce_coalesced_(Tensor(a!)[] inputs, str reduce_op, str group_name) "
    "-> Tensor[]"};
const Composite all_reduce_coalesced_in_place{"_c10d_functional::all_reduce_coalesced_",
                                              OfGroup<AllReduceCoalescedInPlace>::Run};

std::vector<Tensor> AllGatherCoalesced(Call, TensorList inputs, int64_t group_size,
                                       Text group_name) {
  return OfEach(inputs, [&](const Tensor& t) { return all_gather(t, group_size, group_name); });
}
const Operator all_gather_coalesced_op{
    "_c10d_functional::all_gather_into_tensor_coalesced(Tensor[] inputs, int group_size, str "
    "group_name) -> Tensor[]"};
const Composite all_gather_coalesced{"_c10d_functional::all_gather_into_tensor_coalesced",
                                     OfGroup<AllGatherCoalesced>::Run};

std::vector<Tensor> ReduceScatterCoalesced(Call, TensorList inputs, Text reduce_op,
                                           int64_t group_size, Text group_name) {
  return OfEach(inputs, [&](const Tensor& t) {
    return reduce_scatter(t, reduce_op, group_size, group_name);
  });
}
const Operator reduce_scatter_coalesced_op{
    "_c10d_functional::reduce_scatter_tensor_coalesced(Tensor[] inputs, str reduce_op, int "
    "group_size, str group_name) -> Tensor[]"};
const Composite reduce_scatter_coalesced{"_c10d_functional::reduce_scatter_tensor_coalesced",
                                         OfGroup<ReduceScatterCoalesced>::Run};

// --- The names by which torch differentiates; here the others have gradients too.

Tensor AllGatherAutograd(Call, const Tensor& input, int64_t group_size, Text group_name) {
  return all_gather(input, group_size, group_name);
}
const Operator all_gather_autograd_op{
    "_c10d_functional_autograd::all_gather_into_tensor(Tensor input, int group_size, str "
    "group_name) -> Tensor"};
const Composite all_gather_autograd{"_c10d_functional_autograd::all_gather_into_tensor",
                                    AllGatherAutograd};

Tensor ReduceScatterAutograd(Call, const Tensor& input, Text reduce_op, int64_t group_size,
                             Text group_name) {
  return reduce_scatter(input, reduce_op, group_size, group_name);
}
const Operator reduce_scatter_autograd_op{
    "_c10d_functional_autograd::reduce_scatter_tensor(Tensor input, str reduce_op, int group_size, "
    "str group_name) -> Tensor"};
const Composite reduce_scatter_autograd{"_c10d_functional_autograd::reduce_scatter_tensor",
                                        ReduceScatterAutograd};

Tensor AllToAllAutograd(Call, const Tensor& input, IntSpan output_split_sizes,
                        IntSpan input_split_sizes, Text group_name) {
  return all_to_all(input, output_split_sizes, input_split_sizes, group_name);
}
const Operator all_to_all_autograd_op{
    "_c10d_functional_autograd::all_to_all_single(Tensor input, SymInt[] output_split_sizes, "
    "SymInt[] input_split_sizes, str group_name) -> Tensor"};
const Composite all_to_all_autograd{"_c10d_functional_autograd::all_to_all_single",
                                    AllToAllAutograd};

}  // namespace
}  // namespace sy::collective
