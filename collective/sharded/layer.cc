// The layer: what a call with sharded tensors comes to.
#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include "collective/sharded/call_internal.h"
#include "switchyard/autograd/autograd.h"
#include "switchyard/autograd/levels.h"
#include "switchyard/collective/sharded/sharded.h"
#include "switchyard/core/error.h"
#include "switchyard/core/overlap.h"
#include "switchyard/core/printing.h"
#include "switchyard/core/tensor_impl.h"
#include "switchyard/core/thread_state.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/dispatcher/composites.h"
#include "switchyard/ops.h"
#include "switchyard/registry/registry.h"

namespace sy::sharded {
namespace {

constexpr int kOrder = 520;  // behind gradients, before what elements are made of

bool HasHistory(const Plan& plan) {
  return std::any_of(plan.operands.begin(), plan.operands.end(),
                     [](const Operand& o) { return (o.tensor->key() & kGradBit) != 0; });
}

thread_local const internal::RunningBody* running = nullptr;

void RunBody(const OpClass& c, LayerCall& call, const Plan& plan) {
  const internal::RunningScope scope(running, call.op);
  const LayerInclusion again(LayerBit());
  internal::RunBody(*c.body, plan.operands[0].tensor->key() & kPlaceMask, call);
}

void RunViewCopied(const OpClass& c, LayerCall& call) {
  const LayerInclusion again(LayerBit());
  Result made;
  CallBoxed(*c.view, call.args, {&made, 1});
  call.results[0].Set(clone(made.tensor(), MemoryFormat::kContiguous));
}

const Tensor& FirstSharded(const Plan& plan) {
  for (const Operand& o : plan.operands) {
    if (o.sharded != nullptr) return *o.tensor;
  }
  return *plan.operands[0].tensor;
}

// What is gathered lies as the whole does, from the beginning on and without gaps.
void RequireOneMemory(const Plan& plan, const OperatorEntry& op) {
  for (const Operand& o : plan.operands) {
    if (o.sharded == nullptr) continue;
    if (o.tensor->is_non_overlapping_and_dense() && o.tensor->storage_offset() == 0) continue;
    Fail(ErrorCode::kNotImplemented, op.name(),
         {Describe(*o.tensor), " is sharded as ", DescribePlacement(*o.tensor),
          ", and a view with gaps, or an offset: what lies between is no rank's to say; FullTensor "
          "gives a usual tensor"});
  }
}

// Elements that share a place are not there once their tensor is gathered: whether they may be
// written the operator says, on meta, or how many there are in the end.
void RequirePlaces(Plan& plan, bool on_meta) {
  const auto shares = [](const Operand& o) {
    return o.written && o.sharded != nullptr && SelfOverlaps(*o.tensor);
  };
  if (std::none_of(plan.operands.begin(), plan.operands.end(), shares)) return;
  plan.places_wanted = true;
  try {
    if (!on_meta) return;
    OnMeta(plan).Run();
    plan.places_wanted = false;
  } catch (const Error& e) {
    if (e.code() != ErrorCode::kDataDependent) throw;
  }
}

// What the operator states of the whole. False where out= would be resized.
bool AskMeta(Plan& plan) {
  OnMeta whole(plan);
  whole.Run();
  if (!plan.op.returns_written) plan.metas = std::move(whole.results);
  for (const Operand& o : plan.operands) {
    if (o.written && !o.in_list && !(whole.tensor(o.argument).sizes() == o.tensor->sizes()))
      return false;
  }
  return true;
}

// By its rule. False where sizes depend on values.
bool PlanRule(Plan& plan, const OpClass& c) {
  const bool out = std::any_of(plan.operands.begin(), plan.operands.end(),
                               [](const Operand& o) { return o.out; });
  // What has several elements in one place cannot be written, which its parts do not show.
  const bool odd = std::any_of(plan.operands.begin(), plan.operands.end(), [](const Operand& o) {
    return o.written && !o.tensor->is_non_overlapping_and_dense();
  });
  bool fits = true;
  try {
    if (!plan.op.returns_written || out || odd) fits = AskMeta(plan);
  } catch (const Error& e) {
    if (e.code() == ErrorCode::kDataDependent) return false;
    throw;
  }
  plan.placed.assign(plan.op.returns_written ? plan.op.num_results : plan.metas.size(), {});
  if (fits) {
    plan.Choose(c.rule);
  } else {
    plan.GatherAll("out= has other sizes than the result");
  }
  return true;
}

void PlanGather(Plan& plan, const OpClass& c, const char* why) {
  if (!c.dynamic) plan.placed.clear();
  plan.GatherAll(why);
}

void RunRandom(Plan& plan, LayerCall& call) {
  plan.placed.clear();
  plan.GatherAll("random numbers are drawn by one rank");
  plan.as_they_lie = true;
  Execute(plan, call, /*first_only=*/true);
}

class ShardedLayer final : public Layer {
 public:
  void OnCall(LayerCall& call) override {
    const OpClass& c = ClassOf(call.op);
    if (c.how == How::kAbout) return call.GoBelow();
    Told(
        call.op.name(), [&] { return MeshIn(call.args); }, [&] { Make(c, call); });
  }

 private:
  static const Mesh* MeshIn(std::span<const Value> args) {
    const auto mesh = [](const Tensor& t) {
      const Sharded* s = t.defined() && IsSharded(t) ? Attached<Sharded>(t) : nullptr;
      return s == nullptr ? nullptr : s->mesh.get();
    };
    for (const Value& v : args) {
      if (v.tag == Tag::kTensor && mesh(v.tensor()) != nullptr) return mesh(v.tensor());
      if (v.tag != Tag::kTensorList) continue;
      for (const Tensor& t : v.list<Tensor>()) {
        if (mesh(t) != nullptr) return mesh(t);
      }
    }
    return nullptr;
  }
  static void Make(const OpClass& c, LayerCall& call) {
    Plan plan(call.op, call.args);
    if (plan.mesh == nullptr) return call.Redispatch();
    const bool resized = c.how == How::kResizes && plan.operands[0].sharded != nullptr;
    if (c.how == How::kRefused ||
        (resized && plan.operands[0].tensor->impl()->storage->refs.count() > 1)) {
      Fail(ErrorCode::kNotImplemented, call.op.name(),
           {Describe(FirstSharded(plan)), " is sharded as ", DescribePlacement(FirstSharded(plan)),
            ", and cannot be given other memory, nor, where there are views of it, other sizes; "
            "FullTensor gives a usual tensor"});
    }
    if (c.by_strides) RequireOneMemory(plan, call.op);
    // A body is recorded by what it calls.
    const bool recorded = c.body != nullptr && is_grad_enabled() && HasHistory(plan);
    if ((c.how == How::kBody || recorded) && !(c.kernels && internal::IsRunning(running, call.op)))
      return Body(c, call, plan);
    const bool on_meta = HasMeta(call.args, FirstSharded(plan));
    switch (c.how) {
      case How::kViewCopied:
        return RunViewCopied(c, call);
      case How::kView:
      case How::kReshape:
      case How::kElementView:
      case How::kStrided:
      case How::kGeometry:
        if (on_meta && plan.operands.size() == 1) return RunView(plan, call, c.how);
        break;
      case How::kRandom:
        RequirePlaces(plan, on_meta);
        return RunRandom(plan, call);
      case How::kSizesGiven:
        return Sizes(plan, call);
      case How::kRule:
        if (!on_meta || c.dynamic || !PlanRule(plan, c)) break;
        return Execute(plan, call);
      default:
        break;
    }
    RequirePlaces(plan, on_meta);
    PlanGather(plan, c, "it has no placement rule");
    plan.as_they_lie = c.by_strides;
    Execute(plan, call);
  }

  // A body that reads memory, or makes views, not by an operator, has none of what is sharded.
  static void Body(const OpClass& c, LayerCall& call, Plan& plan) {
    try {
      RunBody(c, call, plan);
      if (AreWhole(call.results)) return;
    } catch (const Error& e) {
      if (e.code() != ErrorCode::kDataDependent && e.code() != ErrorCode::kInternal) throw;
    }
    PlanGather(plan, c, "it goes by memory, not by operators");
    Execute(plan, call);
  }
  static bool AreWhole(std::span<const Result> results) {
    return std::all_of(results.begin(), results.end(), [](const Result& r) {
      const Tensor& t = r.value().tensor();
      return !IsSharded(t) || Attached<Sharded>(t) != nullptr;
    });
  }
  // Parts say as much of dtype and device as the whole.
  static void Sizes(const Plan& plan, LayerCall& call) {
    std::vector<Value> args(call.args.begin(), call.args.end());
    for (const Operand& o : plan.operands) {
      if (o.sharded != nullptr) args[o.argument] = Value(o.sharded->local);
    }
    call.Redispatch(args);
  }
};

// An alias that gradients have made of a sharded tensor stands for the same.
void Aliased(const Tensor& alias, const Tensor& of) {
  if ((LayersOfKey(of.key()) & LayerBit()) == 0) return;
  const Sharded* s = ShardedOf(of);
  auto mine = std::make_unique<Sharded>();
  mine->mesh = s->mesh;
  mine->placed = s->placed;
  mine->local = s->local;
  mine->moved_view = s->moved_view;
  mine->writes = s->writes;
  Attach(alias, std::move(mine));
}

std::atomic<std::string (*)(const Tensor&)> other_text{nullptr};
std::string Printed(const Tensor& t) {
  const auto other = other_text.load();
  std::string s = other == nullptr ? "" : other(t);
  if (!IsSharded(t)) return s;
  return "placements=" + DescribePlacement(t) + (s.empty() ? "" : ", ") + s;
}

struct Counts {
  std::mutex mutex;
  std::map<std::pair<std::string, std::string>, std::pair<int64_t, int64_t>> all;
  static Counts& Get() {
    static Counts& c = *new Counts;
    return c;
  }
};

}  // namespace

uint32_t LayerBit() {
  static const uint32_t bit = [] {
    const LayerId id = RegisterLayer("sharded", kOrder, new ShardedLayer);
    autograd::alias_made.store(Aliased, std::memory_order_release);
    other_text.store(internal::more_to_print.exchange(Printed));
    return uint32_t{1} << id;
  }();
  return bit;
}

const Sharded* ShardedOf(const Tensor& t) {
  if (!t.defined() || (LayersOfKey(t.key()) & LayerBit()) == 0) return nullptr;
  const Sharded* s = Attached<Sharded>(t);
  if (s == nullptr) {
    Fail(ErrorCode::kInternal,
         {"sharded: ", Describe(t), " was made of a sharded tensor beneath operators"});
  }
  return s;
}

void CountGathered(std::string_view op, std::string_view reason, int64_t bytes) {
  Counts& c = Counts::Get();
  std::lock_guard lock(c.mutex);
  auto& [calls, all] = c.all[{std::string(op), std::string(reason)}];
  ++calls;
  all += bytes;
}

std::vector<Gathered> GatheredCalls() {
  Counts& c = Counts::Get();
  std::lock_guard lock(c.mutex);
  std::vector<Gathered> all;
  for (const auto& [what, n] : c.all) all.push_back({what.first, what.second, n.first, n.second});
  return all;
}
void ResetGatheredCalls() {
  Counts& c = Counts::Get();
  std::lock_guard lock(c.mutex);
  c.all.clear();
}

std::string ExplainSharding(std::string_view name, std::initializer_list<Value> given) {
  const OperatorEntry& op = FindOverload(name, {given.begin(), given.size()});
  std::vector<Value> args(given);
  for (size_t i = args.size(); i < op.num_arguments; ++i) args.push_back(op.defaults()[i]);
  Plan plan(op, args);
  if (plan.mesh == nullptr) return plan.str();
  const OpClass& c = ClassOf(op);
  std::string how;
  switch (c.how) {
    case How::kRule:
      if (!PlanRule(plan, c)) PlanGather(plan, c, "its sizes depend on values");
      return plan.str();
    case How::kAbout:
      return std::string(op.name()) + ": of the whole, without its elements\n";
    case How::kBody:
      return std::string(op.name()) + ": by the operators that it is composed of\n";
    case How::kView:
    case How::kReshape:
    case How::kElementView:
    case How::kStrided:
    case How::kGeometry:
      return std::string(op.name()) +
             ": a view of each part; gathered where a dimension that it cuts, joins or leaves out "
             "is sharded\n";
    case How::kRefused:
      return std::string(op.name()) + ": refused\n";
    case How::kRandom:
      plan.GatherAll("random numbers are drawn by one rank");
      return plan.str();
    default:
      PlanGather(plan, c, "it has no placement rule");
      return plan.str();
  }
}

}  // namespace sy::sharded
