#include <algorithm>

#include "collective/transport_internal.h"
#include "switchyard/core/transfer.h"
#include "switchyard/dispatcher/handle.h"

namespace sy::collective {
namespace {

constinit Handle<void(const Tensor&, const Tensor&, bool)> copy_{"copy_"};

// t itself where its elements lie one after the other.
Tensor Dense(const Tensor& t) {
  if (t.is_contiguous()) return t;
  const Tensor dense = Tensor::Empty(t.sizes(), t.dtype(), t.device());
  copy_(dense, t, false);
  return dense;
}

}  // namespace

SyCollective CallOf(SyCollectiveKind kind, const Tensor& t, int64_t count) {
  SyCollective c = {};
  c.kind = kind;
  c.dtype = static_cast<int32_t>(t.dtype());
  c.item_size = static_cast<int32_t>(t.itemsize());
  c.count = count;
  return c;
}

Group& GroupFor(const Call& call, std::string_view name) {
  if (Group* g = FindGroup(name); g != nullptr) return *g;
  try {
    return GroupOf(name);
  } catch (const Error& e) {
    Fail(e.code(), call.op(), {e.reason()});
  }
}

Group& GroupOfSize(const Call& call, std::string_view name, int64_t group_size) {
  Group& g = GroupFor(call, name);
  if (group_size != g.size()) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"group_size is ", group_size, ", but group '", name, "' has ", g.size(), " ranks"});
  }
  return g;
}

int RankOf(const Call& call, const Group& g, std::string_view argument, int64_t rank) {
  if (rank < 0 || rank >= g.size()) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {argument, " is ", rank, ", but group '", g.name, "' has ranks 0 to ", g.size() - 1});
  }
  return static_cast<int>(rank);
}

void Transport(Group& g, SyCollective c, const Tensor& out, const Tensor& input, Copy copy) {
  if (!out.is_host()) {
    const Tensor in = Dense(input), result = Dense(out);
    c.in = in.data();
    c.out = result.data();
    if (g.RunOnDevice(out.device(), c)) {
      if (!result.is_same(out)) copy_(out, result, false);
      return;
    }
    const Tensor host_out = Tensor::Empty(out.sizes(), out.dtype());
    const Tensor host_in = Dense(ToHost(input));
    c.in = host_in.data();
    c.out = host_out.data();
    if (c.kind == SY_BROADCAST && g.plan.rank == c.peer) {
      copy_(host_out, host_in, false);
      c.in = c.out;
    }
    g.Run(c);
    return CopyBack(out, host_out);
  }
  const int64_t bytes = std::max(InBytes(c, g.size()), OutBytes(c, g.size()));
  const bool at_once = g.RunsInline(bytes);
  c.out = out.data();
  // A root's input is its result.
  const bool in_out = copy == Copy::kToOut && (!at_once || c.kind == SY_BROADCAST);
  Tensor kept = out;
  if (in_out) {
    if (c.kind != SY_BROADCAST || g.plan.rank == c.peer) copy_(out, input, false);
    c.in = c.out;
  } else if (!at_once && copy == Copy::kToPart) {
    const int64_t n = input.numel();
    const Tensor part = out.AsStrided({n}, {1}, out.storage_offset() + n * g.plan.rank);
    const Tensor dense = Dense(input);
    copy_(part, dense.AsStrided({n}, {1}, dense.storage_offset()), false);
    c.in = part.data();
  } else {
    kept = Dense(input);
    if (!at_once && kept.impl() == input.impl()) {
      kept = Tensor::Empty(input.sizes(), input.dtype());
      copy_(kept, input, false);
    }
    c.in = kept.data();
  }
  if (at_once) return g.Run(c);
  std::vector<Storage> keeps;
  keeps.push_back(out.storage());
  keeps.push_back(kept.storage());
  SetPending(out, g.Start(c, std::move(keeps)));
}

}  // namespace sy::collective
