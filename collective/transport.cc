#include <algorithm>
#include <atomic>
#include <cstdio>
#include <functional>

#include "collective/transport_internal.h"
#include "switchyard/core/key_word.h"
#include "switchyard/core/thread_state.h"
#include "switchyard/core/transfer.h"
#include "switchyard/dispatcher/handle.h"

namespace sy {
namespace internal {
extern SY_API std::atomic<void (*)(std::string_view op)> no_memory_to_call;  // op/variants.cc
}

namespace collective {
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

bool IsPlain(const Tensor& t) {
  const bool recorded =
      (t.key() & kGradBit) != 0 && (thread_state.layers_excluded >> kGradLayer & 1) == 0;
  return t.is_host() && t.is_contiguous() && !recorded && !t.is_conj() && !t.is_neg();
}

bool Overlap(const Tensor& a, const Tensor& b) {
  const auto* x = static_cast<const char*>(a.data());
  const auto* y = static_cast<const char*>(b.data());
  const std::less<> before;
  return before(x, y + b.nbytes()) && before(y, x + a.nbytes());
}

void FailNoGroup(const Call& call, std::string_view name) {
  try {
    GroupOf(name);
    Fail(ErrorCode::kBusy, {"group '", name, "' is made just now"});
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

namespace {
thread_local constinit int parts_of_calls = 0;
}
PartOfCall::PartOfCall() { ++parts_of_calls; }
PartOfCall::~PartOfCall() { --parts_of_calls; }

namespace {
// Messages may be sent again, and what waits is no call of all ranks.
bool IsOfAllRanks(std::string_view op) {
  const size_t at = op.find("::");
  if (at == op.npos) return false;
  const std::string_view space = op.substr(0, at), name = op.substr(at + 2);
  if (space == "c10d") return name != "send" && !name.starts_with("recv");
  return space.starts_with("_c10d_functional") && name != "wait_tensor";
}
// In a handler, where the call's group is not known.
void TellNoMemory(std::string_view op) {
  if (parts_of_calls != 0 || !IsOfAllRanks(op)) return;
  char text[kText];
  const int n =
      std::snprintf(text, kText, "%.*s(): out of memory", static_cast<int>(op.size()), op.data());
  ReportToAllGroups({text, std::min(static_cast<size_t>(n), kText - 1)});
}
}  // namespace

void WatchCallsWithoutMemory() {
  sy::internal::no_memory_to_call.store(TellNoMemory, std::memory_order_release);
}

void FailTold(std::string_view op, std::string_view group) {
  Group* const g = parts_of_calls == 0 ? FindGroup(group) : nullptr;
  const Error e = CurrentError();
  if (g == nullptr) {
    // Not as std::bad_alloc: nobody is to be told of what others tell, or need not know.
    if (e.code() == ErrorCode::kOutOfMemory && e.op().empty()) Fail(e.code(), op, {e.reason()});
    throw;
  }
  if (e.code() != ErrorCode::kOutOfMemory) {
    ReportFailure(*g, e.what());
    throw;
  }
  char text[kText];
  std::snprintf(text, kText, "%.*s(): %s", static_cast<int>(op.size()), op.data(),
                std::string_view(e.reason()).data());
  ReportFailure(*g, text);
  if (e.reason().starts_with("rank ")) throw;  // said by the group already
  Fail(ErrorCode::kOutOfMemory, op,
       {"rank ", g->plan.world_rank(), ", group '", g->name, "': ", e.reason()});
}

IntSpan WithFirst(ShapeContext& r, const TensorBase& input, int64_t times, int64_t parts) {
  if (input.dim() == 0) r.Fail({"input must have a dimension, got a 0-d tensor"});
  if (input.size(0) % parts != 0) {
    r.Fail({"dimension 0 of input, of sizes ", input.sizes(), ", does not split over ", parts,
            " ranks"});
  }
  const IntSpan all = r.Copy(input.sizes());
  const_cast<int64_t*>(all.data())[0] = input.size(0) / parts * times;
  return all;
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
  if (at_once && c.kind != SY_BROADCAST && input.is_contiguous()) [[likely]] {
    c.in = input.data();  // whoever calls keeps both
    return g.Run(c);
  }
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
  std::shared_ptr<Work> work = g.Prepare(c, std::move(keeps));
  SetPending(out, work);
  g.Queue(std::move(work));
}

}  // namespace collective
}  // namespace sy
