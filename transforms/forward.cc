// Dual tensors, and the layer that computes with them.
#include "switchyard/transforms/forward.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <optional>
#include <shared_mutex>

#include "switchyard/autograd/autograd.h"
#include "switchyard/autograd/levels.h"
#include "switchyard/core/error.h"
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
#include "switchyard/transforms/func.h"
#include "transforms/level_internal.h"
#include "transforms/rule_table_internal.h"

namespace sy {
namespace transforms {
namespace {

constexpr int kOrder = 505;  // behind gradients, before vmap
constexpr uint64_t kFirstId = uint64_t{1} << 63;
std::atomic<uint64_t> last_id{kFirstId};

struct DualPart : Attachment {
  static constexpr AttachmentKind kKind{"dual"};
  Tensor primal, tangent;
  uint64_t level = 0;
  int depth = 0;
};

uint32_t DualBit();

std::atomic<bool> in_use{false};  // no tensor is dual before

const DualPart* DualOf(const Tensor& t) {
  if (!in_use.load(std::memory_order_acquire) || !t.defined() ||
      (LayersOfKey(t.key()) & DualBit()) == 0)
    return nullptr;
  return Attached<DualPart>(t);  // a batch of dual tensors has the bit alone
}

Level& LevelOf(const DualPart& d, std::string_view op) {
  for (Level* l = Innermost(); l != nullptr; l = l->outer) {
    if (l->id == d.level) return *l;
  }
  Fail(ErrorCode::kInvalidArgument, op, {"a dual tensor is used after its level has ended"});
}

void Put(const Tensor& t, Tensor primal, Tensor tangent, uint64_t level, int depth) {
  auto part = std::make_unique<DualPart>();
  part->primal = std::move(primal);
  part->tangent = std::move(tangent);
  part->level = level;
  part->depth = depth;
  Attach(t, std::move(part));
  t.impl()->key |= KeyWord{DualBit()} << kLayerShift;
}

bool HasStrides(const Tensor& t, const Tensor& like) {
  for (int64_t d = 0; d < t.dim(); ++d) {
    if (t.size(d) != 1 && t.stride(d) != like.stride(d)) return false;
  }
  return true;
}

// Views and writes go to the tangent as they go to the primal. Outside of the level.
Tensor LaidLike(const Tensor& tangent, const Tensor& primal) {
  const Tensor t = tangent.dtype() == primal.dtype() ? tangent : to(tangent, primal.dtype());
  if (!primal.is_non_overlapping_and_dense() || HasStrides(t, primal)) return t;
  Tensor laid = new_empty_strided(t, primal.sizes(), primal.strides());
  copy_(laid, t);
  return laid;
}

Tensor MakeDual(const Tensor& primal, const Tensor& tangent, const Level& level) {
  const Tensor t = PlainAlias(primal);
  Put(t, primal, LaidLike(tangent, primal), level.id, level.depth);
  return t;
}

bool IsDifferentiable(const Tensor& t) {
  return t.defined() && (IsFloating(t.dtype()) || IsComplex(t.dtype()));
}

// --- What an operator is.

enum class How : uint8_t {
  kRule,      // by a registered rule
  kView,      // the same view of the tangent
  kStrided,   // the same where that lies as the primal does, else kTwice
  kGeometry,  // in place: another geometry of self
  kWrite,     // in place, by the functional operator
  kCopy,      // copy_
  kForget,    // in place: what is written has no tangent
  kCutOff,    // in place: detach_
  kBody,      // its composite body
  kLike,      // a tensor to be written, like another
  kNever,     // results have no tangents
  kTwice,     // recorded, and differentiated twice
  kOut,       // refused
  kMoves,     // refused
  kUnknown,   // a write: refused
};

struct OpClass {
  How how = How::kTwice;
  const Tangent* rule = nullptr;
  const OperatorEntry* functional = nullptr;
  const KernelDef* body = nullptr;  // of kRule: of an operator whose gradient is its body's
};

using Rules = RuleTable<Tangent, OpClass>;

constexpr std::string_view kLike[] = {"zeros_like", "ones_like",  "empty_like",       "full_like",
                                      "new_zeros",  "new_ones",   "new_empty",        "new_full",
                                      "rand_like",  "randn_like", "new_empty_strided"};

OpClass Classify(const Rules& rules, const OperatorEntry& op) {
  OpClass c;
  const Schema& schema = op.schema();
  bool out = op.kind == Variant::kOut, writes_self = false;
  for (size_t i = 0; i < schema.arguments.size(); ++i) {
    const Argument& a = schema.arguments[i];
    if (!a.type.alias.write) continue;
    writes_self = writes_self || (i == 0 && !a.type.list);
    out = out || a.kwarg_only || a.type.list;
  }
  const bool random = op.Has(OperatorTag::kNondeterministicSeeded);
  const bool view = op.kind == Variant::kView ||
                    (!schema.returns.empty() && !schema.returns[0].type.alias.text.empty() &&
                     !schema.returns[0].type.alias.write);
  if (c.rule = rules.Find(op.name()); c.rule != nullptr) {
    c.how = How::kRule;
    if (autograd::DifferentiationOf(op) == autograd::Differentiation::kOthers) {
      c.body = internal::CompositeOf(op).body;
    }
  } else if (internal::IsOneOf(schema.name, kMoves)) {
    c.how = How::kMoves;
  } else if (out) {
    c.how = How::kOut;
  } else if (schema.name == "detach_") {
    c.how = How::kCutOff;
  } else if (op.kind == Variant::kViewInPlace || op.Has(OperatorTag::kInplaceView)) {
    c.functional = internal::FunctionalOf(op);
    c.how = c.functional == nullptr ? How::kUnknown : How::kGeometry;
  } else if (writes_self) {
    c.functional = internal::FunctionalOf(op);
    if (schema.name == "copy_") {
      c.how = How::kCopy;
    } else if (random || schema.name == "zero_" || op.name() == "fill_.Scalar") {
      c.how = How::kForget;
    } else {
      c.how = c.functional == nullptr ? How::kUnknown : How::kWrite;
    }
  } else if (internal::IsOneOf(schema.name, kLike)) {
    c.how = How::kLike;
  } else if (schema.name == "detach") {
    c.how = How::kNever;
  } else if (view) {
    c.how = schema.name == "as_strided" ? How::kStrided : How::kView;
  } else if (!internal::ReturnsTensors(schema)) {
    c.how = How::kNever;
  } else {
    const internal::Composite made = internal::CompositeOf(op);
    c.body = made.body;
    switch (autograd::DifferentiationOf(op)) {
      case autograd::Differentiation::kNever:
        c.how = How::kNever;
        break;
      case autograd::Differentiation::kFormulas:
        break;
      case autograd::Differentiation::kOthers:
        if (c.body != nullptr && !made.kernels) c.how = How::kBody;
    }
  }
  return c;
}

OpClass ClassOf(const OperatorEntry& op) { return Rules::Get().ClassOf(op, Classify); }

// --- Calls.

// The level that the call is of: null where no tensor is dual, or a batch lies further in.
Level* LevelOfCall(const OperatorEntry& op, std::span<const Value> args) {
  const DualPart* deepest = nullptr;
  int batched = 0;
  internal::ForEachTensor(args, [&](const Tensor& t) {
    if (const DualPart* d = DualOf(t); d != nullptr) {
      if (deepest == nullptr || d->depth > deepest->depth) deepest = d;
    } else if (const Batched* b = BatchedOf(t); b != nullptr) {
      batched = std::max(batched, b->depth);
    }
  });
  if (deepest == nullptr || batched > deepest->depth) return nullptr;
  return &LevelOf(*deepest, op.name());
}

const DualPart* PartAt(const Tensor& t, const Level& level) {
  const DualPart* d = DualOf(t);
  return d != nullptr && d->level == level.id ? d : nullptr;
}

// The arguments' primals and tangents.
struct Parts {
  std::vector<Value> args;
  std::vector<std::vector<Tensor>> primals;  // of lists
  TangentCall::Tensors tangents;

  Parts(std::span<const Value> given, const Level& level)
      : args(given.begin(), given.end()), primals(given.size()), tangents(given.size()) {
    for (size_t i = 0; i < args.size(); ++i) {
      if (args[i].tag == Tag::kTensor) {
        const DualPart* d = PartAt(args[i].tensor(), level);
        tangents[i].push_back(d == nullptr ? Tensor() : d->tangent);
        if (d != nullptr) args[i] = Value(primals[i].emplace_back(d->primal));
      } else if (args[i].tag == Tag::kTensorList) {
        for (const Tensor& t : args[i].list<Tensor>()) {
          const DualPart* d = PartAt(t, level);
          tangents[i].push_back(d == nullptr ? Tensor() : d->tangent);
          primals[i].push_back(d == nullptr ? t : d->primal);
        }
        args[i] = Value(primals[i]);
      }
    }
  }
};

// Tensors of results, by result and element; lists said apart by `call`'s own results.
TangentCall::Tensors TensorsOf(std::span<const Result> results) {
  TangentCall::Tensors all;
  for (const Result& r : results) {
    std::vector<Tensor>& of = all.emplace_back();
    const Value& v = r.value();
    if (v.tag == Tag::kTensor) of.push_back(v.tensor());
    if (v.tag != Tag::kTensorList) continue;
    const TensorList list = v.list<Tensor>();
    of.assign(list.begin(), list.end());
  }
  return all;
}

// Gives the results their tangents.
void Give(std::span<Result> results, const Level& level, const TangentCall::Tensors& made,
          const TangentCall::Tensors& tangents) {
  for (size_t k = 0; k < results.size(); ++k) {
    if (k >= tangents.size()) continue;
    std::vector<Tensor> all = made[k];
    bool any = false;
    for (size_t i = 0; i < all.size() && i < tangents[k].size(); ++i) {
      if (!tangents[k][i].defined() || !IsDifferentiable(all[i])) continue;
      all[i] = MakeDual(all[i], tangents[k][i], level);
      any = true;
    }
    if (!any) continue;
    if (results[k].value().tag == Tag::kTensorList) {
      results[k].Set(std::move(all));
    } else {
      results[k].Set(std::move(all[0]));
    }
  }
}

// Recorded by itself, and differentiated twice.
void Twice(LayerCall& call, const Level& level, const Parts& parts) {
  Rules::Get().CountFallback(call.op.name());
  std::vector<Tensor> primals, directions;
  std::vector<std::pair<size_t, size_t>> at;
  for (size_t i = 0; i < parts.args.size(); ++i) {
    for (size_t j = 0; j < parts.tangents[i].size(); ++j) {
      if (!parts.tangents[i][j].defined()) continue;
      at.emplace_back(i, j);
      directions.push_back(parts.tangents[i][j]);
      primals.push_back(parts.args[i].tag == Tag::kTensor ? parts.args[i].tensor()
                                                          : parts.primals[i][j]);
    }
  }
  std::vector<std::pair<size_t, size_t>> of;  // results that have tangents
  const TensorFunction f = [&](TensorList x) {
    std::vector<Value> args = parts.args;
    std::vector<std::vector<Tensor>> lists = parts.primals;
    for (size_t n = 0; n < at.size(); ++n) {
      const auto [i, j] = at[n];
      if (args[i].tag == Tag::kTensorList) {
        lists[i][j] = x[n];
        args[i] = Value(lists[i]);
      } else {
        args[i] = Value(x[n]);
      }
    }
    CallBoxed(call.op, args, call.results);
    std::vector<Tensor> differentiable;
    const TangentCall::Tensors made = TensorsOf(call.results);
    for (size_t k = 0; k < made.size(); ++k) {
      for (size_t i = 0; i < made[k].size(); ++i) {
        if (!IsDifferentiable(made[k][i]) || !requires_grad(made[k][i])) continue;
        of.emplace_back(k, i);
        differentiable.push_back(made[k][i]);
      }
    }
    return differentiable;
  };
  const func::Linearized l = func::linearize(f, TensorList(primals));
  const std::vector<Tensor> pushed = l.push(TensorList(directions));
  TangentCall::Tensors made = TensorsOf(call.results), tangents(made.size());
  for (size_t k = 0; k < made.size(); ++k) tangents[k].resize(made[k].size());
  for (size_t n = 0; n < of.size(); ++n) {
    const auto [k, i] = of[n];
    made[k][i] = l.outputs[n];
    tangents[k][i] = pushed[n];
  }
  Give(call.results, level, made, tangents);
}

// Self as a dual tensor of the level. Errors: kInvalidArgument where others see its memory, and
// would miss the tangent.
DualPart& NeedPart(const OperatorEntry& op, const Tensor& self, const Level& level) {
  if (PartAt(self, level) == nullptr) {
    if (self.impl()->storage->refs.count() > 1 || DualOf(self) != nullptr) {
      Fail(ErrorCode::kInvalidArgument, op.name(),
           {"self has no tangent, another argument has one, and other tensors show self's memory; "
            "make self of a dual tensor (zeros_like, new_zeros)"});
    }
    const Outside outside(level);
    const Tensor primal =
        requires_grad(self) ? autograd::FreshInput(self) : autograd::WithoutHistory(self);
    const Tensor plain = autograd::WithoutHistory(self);
    Put(self, primal, LaidLike(zeros_like(plain), plain), level.id, level.depth);
    self.impl()->key &= ~kGradBit;  // its history is the primal's
  }
  return *const_cast<DualPart*>(PartAt(self, level));
}

void Write(const OpClass& c, LayerCall& call, const Level& level) {
  const Tensor self = call.args[0].tensor();
  DualPart& part = NeedPart(call.op, self, level);
  if (c.how == How::kCopy) {
    const Parts parts(call.args, level);
    const Outside outside(level);
    Result made[kMaxResults];
    CallBoxed(call.op, parts.args, {made, call.op.num_results});
    if (const Tensor& t = parts.tangents[1][0]; t.defined()) {
      copy_(part.tangent, t);
    } else {
      zero_(part.tangent);
    }
  } else if (c.how == How::kForget) {
    const Parts parts(call.args, level);
    const Outside outside(level);
    Result made[kMaxResults];
    CallBoxed(call.op, parts.args, {made, call.op.num_results});
    zero_(part.tangent);
  } else {
    Result made[kMaxResults];
    std::vector<Value> args(call.args.begin(), call.args.end());
    Tensor before;
    {
      // What is recorded further out may keep what self was.
      const Outside outside(level);
      if (is_grad_enabled()) before = MakeDual(clone(part.primal), clone(part.tangent), level);
    }
    if (before.defined()) args[0] = Value(before);
    {
      const LayerInclusion again(DualBit());
      CallBoxed(*c.functional, args, {made, c.functional->num_results});
    }
    const Tensor& whole = made[0].tensor();
    const DualPart* d = PartAt(whole, level);
    const Outside outside(level);
    copy_(part.primal, d == nullptr ? whole : d->primal);
    if (d != nullptr) {
      copy_(part.tangent, d->tangent);
    } else {
      zero_(part.tangent);
    }
  }
  internal::ReturnWritten(call.op, call.args, call.results.data());
}

// Not into the tangent that there was, which others may show.
void CutOff(LayerCall& call, const Level& level) {
  const Tensor self = call.args[0].tensor();
  auto* part = const_cast<DualPart*>(PartAt(self, level));
  if (part == nullptr) return call.GoBelow();
  {
    const Outside outside(level);
    detach_(part->primal);
    part->tangent = zeros_like(autograd::WithoutHistory(part->tangent));
  }
  internal::ReturnWritten(call.op, call.args, call.results.data());
}

void Geometry(const OpClass& c, LayerCall& call, const Level& level) {
  const Tensor self = call.args[0].tensor();
  auto* part = const_cast<DualPart*>(PartAt(self, level));
  if (part == nullptr) return call.GoBelow();
  Parts parts(call.args, level);
  const Outside outside(level);
  Result primal[kMaxResults], tangent[kMaxResults];
  CallBoxed(*c.functional, parts.args, {primal, c.functional->num_results});
  parts.args[0] = Value(part->tangent);
  CallBoxed(*c.functional, parts.args, {tangent, c.functional->num_results});
  const TensorImpl* p = primal[0].tensor().impl();
  internal::SetGeometry(self.impl(), {p->sizes(), p->ndim}, {p->strides(), p->ndim}, p->offset);
  part->primal = primal[0].TakeTensor();
  part->tangent = tangent[0].TakeTensor();
  internal::ReturnWritten(call.op, call.args, call.results.data());
}

// Where as_strided() of a tangent begins, to show what that of the primal shows; nullopt: the two
// need not lie alike there.
std::optional<int64_t> StridedOffset(const LayerCall& call, const Parts& parts) {
  const Tensor &primal = parts.args[0].tensor(), &tangent = parts.tangents[0][0];
  if (!tangent.defined() || !primal.is_non_overlapping_and_dense() || !HasStrides(tangent, primal))
    return std::nullopt;
  const IntSpan sizes = call.args[1].list<int64_t>(), strides = call.args[2].list<int64_t>();
  if (sizes.size() != strides.size()) return std::nullopt;
  const int64_t begin = primal.storage_offset();
  const int64_t at = call.args[3].is_none() ? begin : call.args[3].i;
  int64_t last = at;
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (sizes[d] <= 0 || strides[d] < 0) return std::nullopt;
    last += (sizes[d] - 1) * strides[d];
  }
  if (at < begin || last >= begin + primal.numel()) return std::nullopt;
  return at - begin + tangent.storage_offset();
}

void View(LayerCall& call, const Level& level, std::optional<int64_t> offset = std::nullopt) {
  Parts parts(call.args, level);
  {
    const Outside outside(level);
    CallBoxed(call.op, parts.args, call.results);
    if (!parts.tangents.empty() && !parts.tangents[0].empty() && parts.tangents[0][0].defined()) {
      const TangentCall::Tensors made = TensorsOf(call.results);
      parts.args[0] = Value(parts.tangents[0][0]);
      if (offset) parts.args[3] = Value(*offset);
      Result views[kMaxResults];
      CallBoxed(call.op, parts.args, {views, call.op.num_results});
      Give(call.results, level, made, TensorsOf({views, call.op.num_results}));
    }
  }
  // Gradients follow views, of dual tensors too.
  const auto told = internal::view_made.load(std::memory_order_relaxed);
  if (told == nullptr || call.args[0].tag != Tag::kTensor) return;
  const Tensor& base = call.args[0].tensor();
  for (const std::vector<Tensor>& all : TensorsOf(call.results)) {
    for (const Tensor& view : all) {
      if (!view.is_same(base) && view.shares_storage_with(base)) told(view.impl(), base);
    }
  }
}

void Like(LayerCall& call, const Level& level) {
  const Parts parts(call.args, level);
  const Outside outside(level);
  CallBoxed(call.op, parts.args, call.results);
  const TangentCall::Tensors made = TensorsOf(call.results);
  if (IsDifferentiable(made[0][0])) Give(call.results, level, made, {{zeros_like(made[0][0])}});
}

bool IsRecorded(std::span<const Value> args) {
  bool any = false;
  internal::ForEachTensor(args, [&](const Tensor& t) { any = any || requires_grad(t); });
  return any;
}

// Past what layers behind this one would do: to them a dual tensor is like any other.
void Body(const OpClass& c, LayerCall& call) {
  const LayerInclusion again(DualBit());
  internal::RunBody(*c.body, internal::PlaceOfTensors(call.args), call);
}

[[noreturn]] void Refuse(How how, const OperatorEntry& op) {
  if (how == How::kUnknown) {
    Fail(ErrorCode::kNotImplemented, op.name(),
         {"forward mode: it writes in place, and there is no functional form to differentiate"});
  }
  Fail(ErrorCode::kInvalidArgument, op.name(),
       {"forward mode: ", how == How::kMoves
                              ? "a dual tensor cannot be given other memory or sizes"
                              : "what is written into out= or a list has no tangent; use the "
                                "functional operator"});
}

class ForwardLayer : public Layer {
  void OnCall(LayerCall& call) override {
    Level* level = LevelOfCall(call.op, call.args);
    if (level == nullptr) return call.Redispatch();
    const OpClass c = ClassOf(call.op);
    switch (c.how) {
      case How::kOut:
      case How::kMoves:
      case How::kUnknown:
        Refuse(c.how, call.op);
      case How::kBody:
        return Body(c, call);
      case How::kRule:
        // Recorded of dual tensors, which the rule, further out, would not be.
        if (c.body != nullptr && IsRecorded(call.args)) return Body(c, call);
        break;
      case How::kWrite:
      case How::kCopy:
      case How::kForget:
        return Write(c, call, *level);
      case How::kCutOff:
        return CutOff(call, *level);
      case How::kGeometry:
        return Geometry(c, call, *level);
      case How::kView:
        return View(call, *level);
      case How::kLike:
        return Like(call, *level);
      default:
        break;
    }
    const Parts parts(call.args, *level);
    if (c.how == How::kStrided) {
      if (const std::optional<int64_t> at = StridedOffset(call, parts); at) {
        return View(call, *level, at);
      }
    }
    const Outside outside(*level);
    if (c.how == How::kTwice || c.how == How::kStrided) return Twice(call, *level, parts);
    CallBoxed(call.op, parts.args, call.results);
    if (c.how == How::kNever) return;
    TangentCall t(call.op, parts.args, parts.tangents);
    t.results() = TensorsOf(call.results);
    t.result_tangents().resize(t.results().size());
    c.rule->Run(t);
    Give(call.results, *level, t.results(), t.result_tangents());
  }
};

uint32_t DualBit() {
  static const uint32_t bit = [] {
    LayerBit();  // what gradients know of batches they know of dual tensors
    const uint32_t b = uint32_t{1} << RegisterLayer("forward", kOrder, new ForwardLayer);
    in_use.store(true, std::memory_order_release);
    return b;
  }();
  return bit;
}

Level* NeedLevel(std::string_view what) {
  Level* level = Innermost();
  if (level != nullptr && level->dual) return level;
  Fail(ErrorCode::kInvalidArgument,
       {what, "(): there is no DualLevel that is the innermost level of this thread"});
}

}  // namespace

std::vector<Tensor> DualFunction(const TensorFunction& f, TensorList x, const Level& level) {
  std::vector<Tensor> args(x.begin(), x.end()), primals, directions, results;
  std::vector<size_t> at, of;
  for (size_t i = 0; i < args.size(); ++i) {
    const DualPart* d = PartAt(args[i], level);
    if (d == nullptr) continue;
    at.push_back(i);
    primals.push_back(args[i] = d->primal);
    directions.push_back(d->tangent);
  }
  const Outside outside(level);
  const TensorFunction moving = [&](TensorList moved) {
    for (size_t n = 0; n < at.size(); ++n) args[at[n]] = moved[n];
    results = f(args);
    std::vector<Tensor> differentiable;
    for (size_t k = 0; k < results.size(); ++k) {
      if (!IsDifferentiable(results[k]) || !requires_grad(results[k])) continue;
      of.push_back(k);
      differentiable.push_back(results[k]);
    }
    return differentiable;
  };
  const func::Linearized l = func::linearize(moving, TensorList(primals));
  const std::vector<Tensor> pushed = l.push(TensorList(directions));
  for (size_t n = 0; n < of.size(); ++n) {
    results[of[n]] = MakeDual(l.outputs[n], pushed[n], level);
  }
  return results;
}

uint32_t DualBitInUse() { return in_use.load(std::memory_order_acquire) ? DualBit() : 0; }
int DualDepthOf(const Tensor& t) {
  const DualPart* d = DualOf(t);
  return d == nullptr ? 0 : d->depth;
}
void AliasDual(const Tensor& alias, const Tensor& of) {
  const DualPart* d = DualOf(of);
  if (d != nullptr) Put(alias, d->primal, d->tangent, d->level, d->depth);
}

}  // namespace transforms

using transforms::Level;
using transforms::Rules;

struct DualLevel::State {
  Level level;
  transforms::Within within;
  explicit State(Level* outer)
      : level{++transforms::last_id,
              0,
              VmapRandomness::kError,
              outer == nullptr ? 1 : outer->depth + 1,
              outer,
              /*dual=*/true},
        within(&level) {}
};
DualLevel::DualLevel() {
  transforms::DualBit();
  state_ = std::make_unique<State>(transforms::Innermost());
}
DualLevel::~DualLevel() = default;

Tensor make_dual(const Tensor& primal, const Tensor& tangent) {
  const Level* level = transforms::NeedLevel("make_dual");
  if (!transforms::IsDifferentiable(primal)) {
    Fail(ErrorCode::kInvalidArgument,
         {"make_dual(): the primal must be floating or complex, got ",
          primal.defined() ? Describe(primal) : std::string("an undefined tensor")});
  }
  if (!tangent.defined() || !SameSizes(tangent.sizes(), primal.sizes()) ||
      tangent.dtype() != primal.dtype()) {
    Fail(ErrorCode::kInvalidArgument,
         {"make_dual(): the tangent is ",
          tangent.defined() ? Describe(tangent) : std::string("undefined"),
          ", expected the sizes and dtype of ", Describe(primal)});
  }
  const transforms::Outside outside(*level);
  return transforms::MakeDual(primal, tangent, *level);
}

DualTensor unpack_dual(const Tensor& t) {
  const Level* level = transforms::NeedLevel("unpack_dual");
  const transforms::DualPart* d = transforms::PartAt(t, *level);
  if (d == nullptr) return {t, {}};
  return {d->primal, d->tangent};
}

std::map<std::string, int64_t> DualFallbacks() { return Rules::Get().Fallbacks(); }
void ResetDualFallbacks() { Rules::Get().ResetFallbacks(); }

const Tensor& TangentCall::tangent(size_t i) const {
  return tangents_[i].empty() ? Value::UndefinedTensor() : tangents_[i][0];
}
void TangentCall::Set(size_t k, Tensor tangent) {
  if (k >= result_tangents_.size()) {
    Fail(ErrorCode::kInternal, op.name(), {"forward mode: a rule sets result ", int64_t(k)});
  }
  result_tangents_[k] = {std::move(tangent)};
}

Tangent::Tangent(std::initializer_list<const char*> ops, void (*rule)(TangentCall& c))
    : ops_(ops), rule_(rule) {
  Enter();
}
Tangent::Tangent(std::initializer_list<const char*> ops,
                 std::initializer_list<const char*> products)
    : ops_(ops), products_(products) {
  Enter();
}
void Tangent::Enter() { Rules::Get().Add(ops_, this); }
Tangent::~Tangent() { Rules::Get().Remove(ops_, this); }

void Tangent::Run(TangentCall& c) const {
  if (rule_ != nullptr) return rule_(c);
  for (const char* product : products_) {
    const size_t n = std::strlen(product);
    std::vector<Value> args(c.args.begin(), c.args.end());
    TangentCall::Tensors held(n);
    bool any = false;
    for (size_t i = 0; i < n && i < args.size(); ++i) {
      if ((product[i] != 't' && product[i] != '0') || args[i].is_none()) continue;
      const bool list = args[i].tag == Tag::kTensorList;
      if (!list && args[i].tag != Tag::kTensor) continue;
      const TensorList primals = list ? args[i].list<Tensor>() : TensorList(&args[i].tensor(), 1);
      held[i].reserve(primals.size());
      for (size_t j = 0; j < primals.size(); ++j) {
        const Tensor& t = c.tangents()[i][j];
        const bool moves = product[i] == 't' && t.defined();
        any = any || moves;
        held[i].push_back(moves ? t : primals[j].defined() ? zeros_like(primals[j]) : primals[j]);
      }
      args[i] = list ? Value(held[i]) : Value(held[i][0]);
    }
    if (!any) continue;
    Result made[kMaxResults];
    CallBoxed(c.op, args, {made, c.op.num_results});
    const TangentCall::Tensors part = transforms::TensorsOf({made, c.op.num_results});
    for (size_t k = 0; k < part.size(); ++k) {
      std::vector<Tensor>& sum = c.result_tangents()[k];
      sum.resize(part[k].size());
      for (size_t i = 0; i < part[k].size(); ++i) {
        sum[i] = sum[i].defined() ? add(sum[i], part[k][i]) : part[k][i];
      }
    }
  }
}

std::vector<std::string> TangentProblems() {
  std::vector<std::string> all;
  Rules& rules = Rules::Get();
  std::shared_lock lock(rules.mutex);
  for (const auto& [name, registered] : rules.by_name) {
    if (registered.empty()) continue;
    const OperatorEntry* op = Registry::Global().Find(name);
    if (op == nullptr) {
      all.push_back(Join({"tangents of ", name, ": there is no such operator"}));
      continue;
    }
    for (const char* product : registered.back()->products()) {
      if (std::strlen(product) > op->num_arguments) {
        all.push_back(Join({"tangents of ", name, ": ", std::string_view(product),
                            " is longer than its arguments"}));
      }
    }
  }
  return all;
}

}  // namespace sy
