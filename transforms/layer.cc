// The layer: what an operator with batched tensors comes to.
#include <algorithm>
#include <map>
#include <shared_mutex>

#include "switchyard/autograd/autograd.h"
#include "switchyard/core/error.h"
#include "switchyard/core/generator.h"
#include "switchyard/core/shape.h"
#include "switchyard/core/tensor_impl.h"
#include "switchyard/core/thread_state.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/dispatcher/classes.h"
#include "switchyard/dispatcher/composites.h"
#include "switchyard/dispatcher/layers.h"
#include "switchyard/op/variants.h"
#include "switchyard/ops.h"
#include "switchyard/registry/registry.h"
#include "transforms/level_internal.h"
#include "transforms/rule_table_internal.h"

namespace sy {
namespace transforms {
namespace {

constexpr int kOrder = 510;  // behind gradients, before what elements are made of

// --- What an operator is.

enum class How : uint8_t {
  kRule,        // by a registered rule
  kPointwise,   // by BatchPointwise
  kView,        // by geometry
  kGeometry,    // in place: another geometry of self
  kThenCopied,  // in place, by the functional operator and copy_
  kBody,        // its composite body
  kViewCopied,  // a view's elements
  kAsIs,        // asks for sizes and the like
  kLoop,
  kReads,    // reads values: refused
  kDynamic,  // sizes by values: refused
  kOut,      // refused
  kMoves,    // other memory: refused
};

struct OpClass {
  How how = How::kLoop;
  bool random = false, writes_self = false, writes = false, view = false;
  const BatchRule* rule = nullptr;
  internal::Composite made;                   // a composite's body, and whether it has kernels
  const OperatorEntry* functional = nullptr;  // kThenCopied; of kViewCopied, the view
  int training = -1;  // position of what says that running statistics are written
};

using Rules = RuleTable<BatchRule, OpClass>;

// About the tensor itself, not its elements.
constexpr std::string_view kAbout[] = {"requires_grad_", "retain_grad", "retains_grad", "is_leaf",
                                       "_version",       "output_nr",   "_backward"};
constexpr std::string_view kReads[] = {"item", "_local_scalar_dense", "equal", "is_nonzero",
                                       "allclose"};
// Write running statistics if an argument says so, whatever their schemas say.
constexpr std::string_view kKeepsStatistics[] = {"batch_norm", "native_batch_norm",
                                                 "_native_batch_norm_legit", "instance_norm"};

bool IsViewLike(const OperatorEntry& op) {
  const std::vector<Argument>& returns = op.schema().returns;
  return op.kind == Variant::kView ||
         (!returns.empty() && !returns[0].type.list && !returns[0].type.alias.text.empty() &&
          !returns[0].type.alias.write);
}

// "select_copy.int" → select.int, or null.
const OperatorEntry* ViewOf(const OperatorEntry& op) {
  std::string name(op.name());
  const size_t at = name.find("_copy");
  if (at == name.npos) return nullptr;
  const OperatorEntry* view = op.registry().Find(name.erase(at, 5));
  return view == nullptr || view->schema().returns[0].type.list ||
                 view->schema().arguments.size() != op.schema().arguments.size()
             ? nullptr
             : view;
}

OpClass Classify(const Rules& rules, const OperatorEntry& op) {
  OpClass c;
  const Schema& schema = op.schema();
  bool out = op.kind == Variant::kOut;
  for (size_t i = 0; i < schema.arguments.size(); ++i) {
    const Argument& a = schema.arguments[i];
    if (!a.type.alias.write) continue;
    c.writes = true;
    c.writes_self = c.writes_self || (i == 0 && !a.type.list);
    out = out || a.kwarg_only;
  }
  c.random = op.Has(OperatorTag::kNondeterministicSeeded);
  c.view = IsViewLike(op) && op.schema().name != "detach";  // that leads to nothing
  if (internal::IsOneOf(op.name(), kKeepsStatistics)) {
    c.training = std::max(schema.Find("training"), schema.Find("use_input_stats"));
  }
  c.made = internal::CompositeOf(op);
  if (const BatchRule* r = rules.Find(op.name());
      r != nullptr && (r->code == nullptr || schema.Code() == r->code)) {
    c.how = How::kRule;
    c.rule = r;
    return c;
  }
  if (internal::IsOneOf(op.name(), kReads) || op.Has(OperatorTag::kDataDependentOutput)) {
    c.how = How::kReads;
  } else if (internal::IsOneOf(op.name(), kAbout) ||
             (!internal::ReturnsTensors(schema) && !c.writes)) {
    c.how = How::kAsIs;
  } else if (internal::IsOneOf(schema.name, kMoves)) {
    c.how = How::kMoves;
  } else if (out) {
    c.how = How::kOut;
  } else if (op.Has(OperatorTag::kDynamicOutputShape)) {
    c.how = How::kDynamic;
  } else if (op.kind == Variant::kViewInPlace || op.Has(OperatorTag::kInplaceView)) {
    c.how = How::kGeometry;
  } else if (const OperatorEntry* f = c.writes_self ? internal::FunctionalOf(op) : nullptr;
             f != nullptr && rules.Find(f->name()) != nullptr &&
             rules.Find(f->name())->inside != nullptr) {
    c.how = How::kThenCopied;
    c.functional = f;
  } else if (op.Has(OperatorTag::kPointwise) && !c.random) {
    c.how = How::kPointwise;
  } else if (op.kind == Variant::kView) {
    c.how = How::kView;
  } else if (c.writes_self) {
    c.functional = internal::FunctionalOf(op);
    const BatchRule* r = c.functional == nullptr ? nullptr : rules.Find(c.functional->name());
    if (r != nullptr && r->run == BatchPointwise) {
      c.how = How::kPointwise;
    } else if (c.functional != nullptr && !c.random) {
      c.how = How::kThenCopied;
    } else {
      c.how = c.made.body != nullptr ? How::kBody : How::kLoop;
    }
  } else if (op.Has(OperatorTag::kViewCopy) && (c.functional = ViewOf(op)) != nullptr) {
    c.how = How::kViewCopied;
  } else if (c.made.body != nullptr) {
    c.how = How::kBody;
  } else if (c.view) {
    c.how = How::kView;
  }
  return c;
}

OpClass ClassOf(const OperatorEntry& op) { return Rules::Get().ClassOf(op, Classify); }

// --- Calls.

// The level of the innermost batch among the tensors; null where none has any.
Level* LevelOfCall(const OperatorEntry& op, std::span<const Value> args) {
  Level* level = nullptr;
  internal::ForEachTensor(args, [&](const Tensor& t) {
    const Batched* b = BatchedOf(t);
    if (b != nullptr && (level == nullptr || b->depth > level->depth))
      level = &LevelOf(*b, op.name());
  });
  return level;
}

// Views are followed once gradients are used anywhere: the bit alone does not say that they matter.
bool HasHistory(std::span<const Value> args) {
  bool any = false;
  internal::ForEachTensor(
      args, [&](const Tensor& t) { any = any || ((t.key() & kGradBit) != 0 && requires_grad(t)); });
  return any;
}

// Set when a call is refused for what a composite's body may do, since what it does for one example
// is right: it writes what it has made, or reads a value.
thread_local bool body_refused = false;

// Errors: kInvalidArgument where an argument that is written has no batch, and another has.
void RequireWritable(const BatchCall& c) {
  const std::vector<Argument>& arguments = c.op.schema().arguments;
  for (size_t i = 0; i < c.args.size(); ++i) {
    if (!arguments[i].type.alias.write || c.args[i].is_none()) continue;
    const auto refuse = [&](const Tensor& t) {
      if (!t.defined() || c.batched(t)) return;
      body_refused = true;
      Fail(ErrorCode::kInvalidArgument, c.op.name(),
           {"vmap: ", arguments[i].name,
            " is written, and is one tensor for all examples, while "
            "another argument has a batch: what would be written has more elements than ",
            arguments[i].name, ". Use the functional operator, or make ", arguments[i].name,
            " of a tensor with a batch (zeros_like, new_zeros)"});
    };
    if (c.args[i].tag == Tag::kTensor) refuse(c.args[i].tensor());
    if (c.args[i].tag == Tag::kTensorList) {
      for (const Tensor& t : c.args[i].list<Tensor>()) refuse(t);
    }
  }
}

int DepthOfBatch(const Tensor& t) {
  const Batched* b = BatchedOf(t);
  return b == nullptr ? 0 : b->depth;
}

// Errors: kInvalidArgument where statistics that training moves are shared by examples of input.
void RequireOwnStatistics(const BatchCall& c, int training) {
  if (c.args[static_cast<size_t>(training)].i == 0) return;
  const Schema& schema = c.op.schema();
  const int depth = DepthOfBatch(c.args[static_cast<size_t>(schema.Find("input"))].tensor());
  for (const std::string_view name : {"running_mean", "running_var"}) {
    const Tensor& t = c.args[static_cast<size_t>(schema.Find(name))].tensor();
    if (!t.defined() || DepthOfBatch(t) >= depth) continue;
    Fail(ErrorCode::kInvalidArgument, c.op.name(),
         {"vmap: input has a batch, and ", name, ", which ",
          schema.arguments[static_cast<size_t>(training)].name,
          " moves, is one tensor for all examples. Give each example its own (with a batch), none, "
          "or use the statistics as they are (",
          schema.arguments[static_cast<size_t>(training)].name, "=false)"});
  }
}

// `value` as the batch of what `example` is a view of.
Tensor SameView(const Tensor& value, const Tensor& example) {
  std::vector<int64_t> sizes = {value.size(0)}, strides = {value.stride(0)};
  sizes.insert(sizes.end(), example.sizes().begin(), example.sizes().end());
  strides.insert(strides.end(), example.strides().begin(), example.strides().end());
  return as_strided(value, sizes, strides, example.storage_offset());
}

}  // namespace

// A view of all examples lies, in each, where the view of the first lies in it.
void BatchView(BatchCall& c) {
  std::vector<Value> args(c.args.begin(), c.args.end());
  std::vector<Tensor> plain;
  plain.reserve(args.size());
  for (Value& v : args) {
    if (v.tag == Tag::kTensor && c.batched(v.tensor()))
      v = Value(plain.emplace_back(PlainAlias(v.tensor())));
  }
  Result made[kMaxResults];
  CallBoxed(c.op, args, {made, c.op.num_results});
  const Tensor& example = made[0].tensor();
  const Tensor value = c.value(0);
  if (!c.batched(0)) return c.SetSame(0, example);  // of what is the same for all
  if (example.dtype() != value.dtype() || !example.shares_storage_with(value)) return BatchLoop(c);
  c.Set(0, SameView(value, example));
}

namespace {

void GeometryInPlace(BatchCall& c) {
  const Tensor& self = c.args[0].tensor();
  const Tensor example = PlainAlias(self);
  std::vector<Value> args(c.args.begin(), c.args.end());
  args[0] = Value(example);
  Result made[kMaxResults];
  CallBoxed(c.op, args, {made, c.op.num_results});
  const Tensor value = c.value(0);
  SetValue(self, c.op.schema().name == "detach_" ? detach(value) : SameView(value, example));
}

[[noreturn]] void Refuse(How how, const OperatorEntry& op) {
  switch (how) {
    case How::kReads:
      body_refused = true;
      Fail(ErrorCode::kInvalidArgument, op.name(),
           {"vmap: it reads a value out of a tensor, which has another one in each example; "
            "use operators on tensors instead (where)"});
    case How::kDynamic:
      Fail(ErrorCode::kInvalidArgument, op.name(),
           {"vmap: the sizes of its result depend on values, and would differ between examples"});
    case How::kMoves:
      Fail(ErrorCode::kInvalidArgument, op.name(),
           {"vmap: a tensor with a batch cannot be given other memory or sizes"});
    default:
      Fail(ErrorCode::kInvalidArgument, op.name(),
           {"vmap: out= cannot have a batch, nor be for arguments that have one; use the "
            "functional operator"});
  }
}

thread_local const internal::RunningBody* running = nullptr;

// Past what layers behind this one would do with a tensor that is no batch to them.
void RunBody(const OpClass& c, LayerCall& call) {
  const internal::RunningScope scope(running, call.op);
  const LayerInclusion again(LayerBit());
  internal::RunBody(*c.made.body, internal::PlaceOfTensors(call.args), call);
}

void Body(const OpClass& cls, LayerCall& call, Level& level) {
  body_refused = false;
  try {
    return RunBody(cls, call);
  } catch (const Error&) {
    // What is called for each example is not recorded for the batch.
    const bool recorded = is_grad_enabled() && HasHistory(call.args);
    if (!body_refused || cls.writes || recorded) throw;
    body_refused = false;
  }
  BatchCall c(call.op, call.args, call.results, level);
  const Outside outside(level);
  BatchLoop(c);
}

void ViewCopied(const OpClass& c, LayerCall& call) {
  const LayerInclusion again(LayerBit());
  Result made[kMaxResults];
  CallBoxed(*c.functional, call.args, {made, c.functional->num_results});
  call.results[0].Set(clone(made[0].tensor(), MemoryFormat::kContiguous));
}

void ThenCopied(const OpClass& c, LayerCall& call) {
  const LayerInclusion again(LayerBit());
  const Tensor self = call.args[0].tensor();
  Result made[kMaxResults];
  CallBoxed(*c.functional, call.args, {made, c.functional->num_results});
  copy_(self, made[0].tensor());
  call.results[0].Set(self);
}

// Gradients follow views, of batched tensors too.
void Follow(const LayerCall& call) {
  const auto told = internal::view_made.load(std::memory_order_relaxed);
  if (told == nullptr || call.args[0].tag != Tag::kTensor) return;
  const Tensor &view = call.results[0].tensor(), &base = call.args[0].tensor();
  if (!view.is_same(base) && view.shares_storage_with(base)) told(view.impl(), base);
}

// --- Random numbers.

// Position of the sizes of what is made, or -1.
int SizesOf(const OperatorEntry& op) { return op.schema().Find("size"); }

bool HasTensors(std::span<const Value> args) {
  bool any = false;
  internal::ForEachTensor(args, [&](const Tensor&) { any = true; });
  return any;
}

void Different(const OpClass& cls, BatchCall& c) {
  if (cls.writes_self) {
    if (!c.batched(0)) {
      Fail(ErrorCode::kInvalidArgument, c.op.name(),
           {"vmap: self is one tensor for all examples, and cannot hold different random numbers "
            "for each"});
    }
    BatchPointwise(c);
    return;
  }
  if (cls.rule != nullptr && cls.rule->run != nullptr) return cls.rule->run(c);
  if (const int at = SizesOf(c.op); at >= 0 && !HasTensors(c.args)) {
    std::vector<int64_t> sizes = {c.batch_size()};
    const IntSpan given = c.args[static_cast<size_t>(at)].list<int64_t>();
    sizes.insert(sizes.end(), given.begin(), given.end());
    std::vector<Value> args(c.args.begin(), c.args.end());
    args[static_cast<size_t>(at)] = Value(sizes);
    return c.Call(args);
  }
  Loop(c, false);
}

// Whether the call was done.
bool Random(const OpClass& cls, LayerCall& call) {
  Level* level = Innermost();
  while (level != nullptr && level->dual) level = level->outer;
  if (level == nullptr) return false;
  BatchCall c(call.op, call.args, call.results, *level);
  bool any = false;
  for (size_t i = 0; i < c.args.size(); ++i) any = any || c.batched(i);
  switch (level->randomness) {
    case VmapRandomness::kError:
      Fail(ErrorCode::kInvalidArgument, call.op.name(),
           {"vmap: it draws random numbers, and vmap was not told whether each example gets its "
            "own (randomness: kDifferent, kSame)"});
    case VmapRandomness::kDifferent: {
      const Outside outside(*level);
      Different(cls, c);
      break;
    }
    case VmapRandomness::kSame: {
      if (any) RequireWritable(c);
      const Outside outside(*level);
      if (any) {
        Loop(c, true);
      } else {
        CallBoxed(call.op, call.args, call.results);
      }
      break;
    }
  }
  if (call.op.returns_written) internal::ReturnWritten(call.op, call.args, call.results.data());
  return true;
}

class VmapLayer : public Layer {
  void OnCall(LayerCall& call) override {
    const OpClass cls = ClassOf(call.op);
    if (cls.random && Random(cls, call)) return;
    Level* level = LevelOfCall(call.op, call.args);
    if (level == nullptr) return call.Redispatch();
    BatchCall c(call.op, call.args, call.results, *level);
    switch (cls.how) {
      case How::kReads:
      case How::kDynamic:
      case How::kOut:
      case How::kMoves:
        Refuse(cls.how, call.op);
      case How::kAsIs:
        return call.GoBelow();
      default:
        break;
    }
    if (cls.training >= 0) {
      RequireOwnStatistics(c, cls.training);
    } else if (cls.writes) {
      RequireWritable(c);
    }
    // A body is recorded by what it calls: unless a formula is recorded for the operator.
    const bool recorded = cls.made.body != nullptr && is_grad_enabled() && HasHistory(call.args) &&
                          !(cls.rule != nullptr && cls.rule->inside != nullptr);
    if ((cls.how == How::kBody || recorded) &&
        !(cls.made.kernels && internal::IsRunning(running, call.op)))
      return Body(cls, call, *level);
    if (cls.how == How::kViewCopied) return ViewCopied(cls, call);
    if (cls.how == How::kThenCopied) return ThenCopied(cls, call);
    if (cls.how == How::kRule && cls.rule->inside != nullptr) {
      const LayerInclusion again(LayerBit());
      return cls.rule->inside(cls.rule->function, call.args.data(), call.results.data());
    }
    {
      const Outside outside(*level);
      switch (cls.how) {
        case How::kRule:
          cls.rule->run(c);
          break;
        case How::kPointwise:
          BatchPointwise(c);
          break;
        case How::kView:
          BatchView(c);
          break;
        case How::kGeometry:
          GeometryInPlace(c);
          break;
        default:
          BatchLoop(c);
      }
    }
    if (call.op.returns_written) internal::ReturnWritten(call.op, call.args, call.results.data());
    if (cls.view) Follow(call);
  }
};

}  // namespace

uint32_t LayerBit() {
  static const uint32_t bit = [] {
    RegisterHooks();
    return uint32_t{1} << RegisterLayer("vmap", kOrder, new VmapLayer);
  }();
  return bit;
}

const BatchRule* RuleOf(std::string_view name) {
  Rules& rules = Rules::Get();
  std::shared_lock lock(rules.mutex);
  return rules.Find(name);
}

namespace {

// The generator that the call draws from.
Generator& GeneratorOf(const BatchCall& c) {
  Device device;
  bool found = false;
  for (const Value& v : c.args) {
    if (v.tag == Tag::kGenerator) return *static_cast<Generator*>(const_cast<void*>(v.p));
    if (v.tag == Tag::kDevice) {
      device = v.device;
      found = true;
    }
  }
  internal::ForEachTensor(c.args, [&](const Tensor& t) {
    if (!found) device = t.device();
    found = true;
  });
  return DefaultGenerator(found ? device : Device{kHost});
}

[[noreturn]] void RefuseSizes(const OperatorEntry& op, const Tensor& a, const Tensor& b) {
  Fail(ErrorCode::kInvalidArgument, op.name(),
       {"vmap: the sizes of its result depend on values, and differ between examples: ", a.sizes(),
        " and ", b.sizes()});
}

}  // namespace

void Loop(BatchCall& c, bool same_numbers) {
  const int64_t n = c.batch_size();
  if (n == 0) {
    Fail(ErrorCode::kNotImplemented, c.op.name(),
         {"vmap: it has no batching rule, and the batch has no examples to call it for"});
  }
  const auto of_example = [&](const Tensor& t, int64_t b) {
    return c.batched(t) ? select(c.value(t), 0, b) : t;
  };
  const Tensor state = same_numbers ? GeneratorOf(c).get_state() : Tensor();
  std::vector<std::vector<std::vector<Tensor>>> made(c.results().size());  // by result and element
  std::vector<bool> is_list(made.size());
  for (int64_t b = 0; b < n; ++b) {
    if (same_numbers) GeneratorOf(c).set_state(state);
    std::vector<Value> args(c.args.begin(), c.args.end());
    std::vector<std::vector<Tensor>> held(args.size());
    for (size_t i = 0; i < args.size(); ++i) {
      if (args[i].tag == Tag::kTensor) {
        held[i].push_back(of_example(args[i].tensor(), b));
        args[i] = Value(held[i][0]);
      } else if (args[i].tag == Tag::kTensorList) {
        for (const Tensor& t : args[i].list<Tensor>()) held[i].push_back(of_example(t, b));
        args[i] = Value(held[i]);
      }
    }
    Result results[kMaxResults];
    CallBoxed(c.op, args, {results, c.op.num_results});
    if (c.op.returns_written) continue;
    for (size_t k = 0; k < made.size(); ++k) {
      const Value& v = results[k].value();
      if (v.is_none()) continue;
      is_list[k] = v.tag == Tag::kTensorList;
      const std::vector<Tensor> elements =
          is_list[k] ? results[k].TakeTensors() : std::vector<Tensor>{results[k].TakeTensor()};
      made[k].resize(elements.size());
      for (size_t i = 0; i < elements.size(); ++i) made[k][i].push_back(elements[i]);
    }
  }
  for (size_t k = 0; k < made.size(); ++k) {
    if (made[k].empty()) continue;
    std::vector<Tensor> stacked;
    stacked.reserve(made[k].size());
    for (const std::vector<Tensor>& of_all : made[k]) {
      for (const Tensor& t : of_all) {
        if (!std::ranges::equal(t.sizes(), of_all[0].sizes())) RefuseSizes(c.op, of_all[0], t);
      }
      stacked.push_back(stack(of_all));
    }
    if (is_list[k]) {
      c.Set(k, stacked);
    } else {
      c.Set(k, stacked[0]);
    }
  }
}

}  // namespace transforms

using transforms::Batched;
using transforms::BatchedOf;
using transforms::Rules;

int64_t BatchCall::batch_size() const { return level_.size; }
bool BatchCall::batched(const Tensor& t) const {
  const Batched* b = BatchedOf(t);
  return b != nullptr && b->level == level_.id;
}
bool BatchCall::batched(size_t i) const {
  if (args[i].tag == Tag::kTensor) return batched(args[i].tensor());
  if (args[i].tag != Tag::kTensorList) return false;
  const TensorList list = args[i].list<Tensor>();
  return std::any_of(list.begin(), list.end(), [&](const Tensor& t) { return batched(t); });
}
Tensor BatchCall::value(const Tensor& t) const { return batched(t) ? BatchedOf(t)->value : t; }
Tensor BatchCall::expanded(const Tensor& t) const {
  if (!t.defined() || batched(t)) return value(t);
  std::vector<int64_t> sizes = {level_.size};
  sizes.insert(sizes.end(), t.sizes().begin(), t.sizes().end());
  return expand(unsqueeze(t, 0), sizes);
}

void BatchCall::Set(size_t k, const Tensor& value) {
  if (!value.defined()) return results_[k].Set(Tensor());
  if (value.dim() == 0 || value.size(0) != level_.size) {
    Fail(ErrorCode::kInternal, op.name(),
         {"vmap: a rule gave ", Describe(value), ", expected a first dimension of size ",
          level_.size});
  }
  results_[k].Set(transforms::MakeBatched(value, level_));
}
void BatchCall::Set(size_t k, const std::vector<Tensor>& values) {
  std::vector<Tensor> all;
  all.reserve(values.size());
  for (const Tensor& v : values) {
    all.push_back(v.defined() ? transforms::MakeBatched(v, level_) : v);
  }
  results_[k].Set(std::move(all));
}
void BatchCall::SetSame(size_t k, const Tensor& t) { results_[k].Set(t); }

void BatchCall::Call(const OperatorEntry& other, std::span<const Value> new_args) {
  Result made[kMaxResults];
  CallBoxed(other, new_args, {made, other.num_results});
  if (other.returns_written) return;
  for (size_t k = 0; k < results_.size(); ++k) {
    const Value& v = made[k].value();
    if (v.tag == Tag::kTensorList) Set(k, made[k].TakeTensors());
    if (v.tag != Tag::kTensor) continue;
    const Tensor& t = v.tensor();
    if (t.dim() == 1 && t.numel() == 0 && batch_size() != 0) {
      SetSame(k, t);  // in place of what was not asked for, as vectors of _linalg_svd
    } else {
      Set(k, t);
    }
  }
}
void BatchCall::Call(std::span<const Value> new_args) { Call(op, new_args); }

void BatchLoop(BatchCall& c) {
  Rules::Get().CountFallback(c.op.name());
  transforms::Loop(c, false);
}

std::map<std::string, int64_t> VmapFallbacks() { return Rules::Get().Fallbacks(); }
void ResetVmapFallbacks() { Rules::Get().ResetFallbacks(); }

Batching::Batching(std::initializer_list<const char*> ops, BatchRule rule)
    : ops_(ops), rule_(rule) {
  Rules::Get().Add(ops_, &rule_);
}
Batching::~Batching() { Rules::Get().Remove(ops_, &rule_); }

std::vector<std::string> BatchingProblems() {
  std::vector<std::string> all;
  Rules& rules = Rules::Get();
  std::shared_lock lock(rules.mutex);
  for (const auto& [name, registered] : rules.by_name) {
    if (registered.empty()) continue;
    const OperatorEntry* op = Registry::Global().Find(name);
    if (op == nullptr) {
      all.push_back(Join({"batching rule of ", name, ": there is no such operator"}));
      continue;
    }
    const BatchRule& r = *registered.back();
    if (r.code == nullptr || op->schema().Code() == r.code) continue;
    all.push_back(Join({"batching rule of ", name, ": its types are ", std::string_view(r.code),
                        ", expected ", op->schema().Code()}));
  }
  return all;
}

}  // namespace sy
