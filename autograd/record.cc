// The layer: calls are run below it, and recorded.
#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <optional>

#include "autograd/classify_internal.h"
#include "autograd/node_internal.h"
#include "switchyard/autograd/autograd.h"
#include "switchyard/autograd/levels.h"
#include "switchyard/core/error.h"
#include "switchyard/core/printing.h"
#include "switchyard/core/tensor_impl.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/dispatcher/composites.h"
#include "switchyard/dispatcher/layers.h"
#include "switchyard/op/variants.h"
#include "switchyard/ops.h"

namespace sy::autograd {
namespace {

// Behind what watches calls, before what elements are made of.
constexpr int kOrder = 500;

template <class F>
void ForEachTensor(std::span<const Value> args, F f) {
  for (size_t p = 0; p < args.size(); ++p) {
    const Value& v = args[p];
    if (v.tag == Tag::kTensor) {
      f(p, size_t{0}, v.tensor());
    } else if (v.tag == Tag::kTensorList) {
      const TensorList list = v.list<Tensor>();
      for (size_t i = 0; i < list.size(); ++i) {
        if (list[i].defined()) f(p, i, list[i]);
      }
    }
  }
}

// How deep the call's tensors are batched: histories of leaves further out are recorded there.
int DepthOf(std::span<const Value> args) {
  const BatchHooks* hooks = batch_hooks.load(std::memory_order_acquire);
  int depth = 0;
  if (hooks == nullptr) return depth;
  ForEachTensor(args, [&](size_t, size_t, const Tensor& t) {
    if (OtherLayers(t) != 0) depth = std::max(depth, hooks->depth_of(t));
  });
  return depth;
}

bool AnyNeedsGrad(std::span<const Value> args) {
  bool any = false;
  const int depth = DepthOf(args);
  ForEachTensor(args, [&](size_t, size_t, const Tensor& t) {
    any = any || (NeedsGrad(t) && (depth == 0 || EdgeOf(CarrierOf(t)).node->depth >= depth));
  });
  return any;
}

bool AnyHasHistory(std::span<const Value> args) {
  bool any = false;
  ForEachTensor(args, [&](size_t, size_t, const Tensor& t) { any = any || NeedsGrad(t); });
  return any;
}

// NewNode where tensors may be batched.
SY_COLD NodeRef NewNodeAtDepth(NodeKind kind, uint64_t differentiable,
                               std::span<const Value> args) {
  NodeRef n;
  const int depth = DepthOf(args);
  bool further = false;
  ForEachTensor(args, [&](size_t p, size_t i, const Tensor& t) {
    if (p >= 64 || (differentiable >> p & 1) == 0) return;
    Edge e = EdgeOf(t);
    if (!e) return;
    if (e.node->depth < depth) {
      further = true;
      return;
    }
    if (!n) n = NodeRef(new Node(kind));
    n->AddInput(p, i, std::move(e));
  });
  if (n) n->further = further;
  return n;
}

SY_INLINE void AddInput(NodeRef& n, NodeKind kind, size_t p, size_t i, const Tensor& t) {
  History* const h = HistoryOf(t);
  if (h == nullptr) return;
  const Edge& e = CurrentEdge(t, *h);
  if (!e) return;
  if (!n) n = NodeRef(new Node(kind));
  n->AddInput(p, i, e);
}

// A node with the call's inputs that require a gradient; none where there are none. Histories that
// are recorded of values alone are no inputs.
// differentiable: bits of the arguments that matter.
SY_INLINE NodeRef NewNode(NodeKind kind, uint64_t differentiable, std::span<const Value> args) {
  if (batch_hooks.load(std::memory_order_acquire) != nullptr) [[unlikely]]
    return NewNodeAtDepth(kind, differentiable, args);
  NodeRef n;
  const size_t count = std::min<size_t>(args.size(), 64);
  for (size_t p = 0; p < count; ++p, differentiable >>= 1) {
    const Value& v = args[p];
    if ((differentiable & 1) == 0) continue;
    if (v.tag == Tag::kTensor) {
      AddInput(n, kind, p, 0, v.tensor());
    } else if (v.tag == Tag::kTensorList) [[unlikely]] {
      const TensorList list = v.list<Tensor>();
      for (size_t i = 0; i < list.size(); ++i) AddInput(n, kind, p, i, list[i]);
    }
  }
  return n;
}

// A value of the argument's own.
Value Copied(Arg& a, const Value& v) {
  size_t item;
  switch (v.tag) {
    case Tag::kComplex:
      item = sizeof(double);
      break;
    case Tag::kString:
      item = 1;
      break;
    case Tag::kIntList:
    case Tag::kDoubleList:
      item = 8;
      break;
    case Tag::kBoolList:
      item = 1;
      break;
    case Tag::kScalarList:
      item = sizeof(Scalar);
      break;
    case Tag::kTensor:
    case Tag::kTensorList:
      return Value();
    default:
      return v;
  }
  const size_t bytes = item * (v.tag == Tag::kComplex ? 2 : v.len);
  ArgMore& more = a.more();
  if (bytes > sizeof(more.few)) more.many = std::make_unique<char[]>(bytes);
  char* to = more.many != nullptr ? more.many.get() : more.few;
  if (bytes != 0) std::memcpy(to, v.p, bytes);
  Value mine = v;
  mine.p = to;
  return mine;
}

NodeKind KindOf(const OpClass& c) {
  return c.how == How::kZero      ? NodeKind::kZero
         : c.how == How::kRefused ? NodeKind::kRefuse
                                  : NodeKind::kCall;
}

// What formulas want of the arguments at these positions. before: see SetCall.
void KeepArguments(Node& n, std::span<const Value> args, const Wants& wants, uint64_t left,
                   const Tensor& before) {
  if (args.size() < 64) left &= (uint64_t{1} << args.size()) - 1;
  n.kept = left;
  n.args.resize(static_cast<size_t>(std::popcount(left)));
  for (Arg* at = n.args.data(); left != 0; left &= left - 1, ++at) {
    const int p = std::countr_zero(left);
    const Value& v = args[static_cast<size_t>(p)];
    Arg& a = *at;
    const uint64_t bit = uint64_t{1} << p;
    if (((wants.tensor_lists | wants.shape_lists) & bit) != 0) [[unlikely]] {
      if (v.tag != Tag::kTensorList) continue;
      ArgMore& more = a.more();
      const TensorList list = v.list<Tensor>();
      if ((wants.shape_lists & bit) != 0) {
        more.shapes.reserve(list.size());
        for (const Tensor& t : list) more.shapes.push_back(ShapeOfTensor(t));
      }
      if ((wants.tensor_lists & bit) != 0) {
        n.has_saved = true;
        more.saved.reserve(list.size());
        for (const Tensor& t : list) more.saved.push_back(Save(t));
      }
      continue;
    }
    if ((wants.shapes & ~n.needs & bit) != 0 && !v.is_none()) {
      a.more().shape = ShapeOfTensor(v.tag == Tag::kTensor ? v.tensor() : NumberTensor(v.scalar()));
    }
    if (v.tag != Tag::kTensor) {
      a.value = Copied(a, v);
    } else if ((wants.tensors & bit) != 0) {
      a.saved =
          Save(before.defined() && v.tensor().is_same(args[0].tensor()) ? before : v.tensor());
      n.has_saved = true;
    }
  }
}

// Completes a node that has its inputs. wants: by its formulas. before: stands in for the
// tensor that is about to be written.
SY_INLINE void SetCall(Node& n, const OpClass& c, const OperatorEntry& op,
                       std::span<const Value> args, const Wants& wants,
                       const Tensor& before = Value::UndefinedTensor()) {
  n.op_class = &c;
  n.op = &op;
  n.wanted_results = wants.results;
  if (op.num_results != 1) n.outs.resize(op.num_results);  // formulas ask for any of them
  SetPlace(n);
  if (n.kind != NodeKind::kCall) return;
  // Shapes of inputs are kept by what made these.
  const uint64_t left = wants.values | wants.tensors | wants.tensor_lists | wants.shape_lists |
                        (wants.shapes & ~n.needs);
  if (left != 0) KeepArguments(n, args, wants, left, before);
}

SY_INLINE void KeepResult(Node& n, size_t k, const Tensor& t) {
  if (n.outs.size() <= k) n.outs.resize(k + 1);
  if (!t.defined()) return;
  n.outs[k].key = t.key() & kPlaceMask;
  n.outs[k].sizes.Assign(t.sizes());
  if (k == 0) KeepStream(n);
  if (k >= 32 || (n.wanted_results >> k & 1) == 0) return;
  if (n.results.size() <= k) n.results.resize(k + 1);
  n.results[k].t = Keep(t);
  n.results[k].writes = n.results[k].t.impl()->storage->writes();
  n.has_saved = true;
}

const Value& ValueOf(const Value& v) { return v; }
const Value& ValueOf(const Result& r) { return r.value(); }

// results: values, or what owns them.
template <class R, class F>
void ForEachResult(const R& results, F f) {
  size_t k = 0;
  for (const auto& r : results) {
    const Value& v = ValueOf(r);
    if (v.tag == Tag::kTensor) {
      f(k++, v.tensor());
    } else if (v.tag == Tag::kTensorList) {
      for (const Tensor& t : v.list<Tensor>()) f(k++, t);
    } else {
      ++k;
    }
  }
}

bool IsArgument(std::span<const Value> args, const Tensor& t) {
  for (const Value& v : args) {
    if (v.tag == Tag::kTensor) {
      if (v.t == t.impl()) return true;
    } else if (v.tag == Tag::kTensorList) [[unlikely]] {
      for (const Tensor& a : v.list<Tensor>()) {
        if (a.is_same(t)) return true;
      }
    }
  }
  return false;
}

// What the operator itself wrote is kept as it wrote it.
void KeepAsWritten(Node& n, const OpClass& c) {
  if (!c.writes_more) return;
  for (Arg& a : n.args) {
    if (a.saved.t.defined()) a.saved.writes = a.saved.t.impl()->storage->writes();
  }
}

[[noreturn]] SY_COLD void FailSparse(const OperatorEntry& op) {
  Fail(ErrorCode::kNotImplemented, op.name(),
       {"a sparse result cannot have a gradient, and an argument requires one: detach it, or "
        "compute with NoGrad"});
}

// The node made its result k. The reference is taken if it is given away.
template <class Ref>
SY_INLINE void FinishResult(Ref&& n, size_t k, const OperatorEntry& op, std::span<const Value> args,
                            const Tensor& t) {
  const OpClass& c = *n->op_class;
  KeepResult(*n, k, t);
  // Variants make their results.
  if (!t.defined() || !IsDifferentiable(t.dtype()) ||
      (op.kind == Variant::kDirect && IsArgument(args, t)))
    return;
  if (k < 32 && (c.constant >> k & 1) != 0) return;
  if (!t.is_strided()) FailSparse(op);
  History& h = NeedHistory(t);
  if (c.view && !args.empty() && args[0].tag == Tag::kTensor &&
      t.shares_storage_with(args[0].tensor())) {
    TrackView(t, h, args[0].tensor());
  }
  h.edge = {std::forward<Ref>(n), static_cast<uint32_t>(k)};
}

// The node made the results.
template <class R>
void Finish(NodeRef n, const OperatorEntry& op, std::span<const Value> args, const R& results) {
  KeepAsWritten(*n, *n->op_class);
  if (results.size() == 1 && ValueOf(results[0]).tag == Tag::kTensor)
    return FinishResult(std::move(n), 0, op, args, ValueOf(results[0]).tensor());
  ForEachResult(results, [&](size_t k, const Tensor& t) { FinishResult(n, k, op, args, t); });
}

// --- Writes.

void RequireWritable(const OperatorEntry& op, const Tensor& self) {
  const Tensor root = RootOf(self);
  const History* h = HistoryOf(root);
  if (h == nullptr || !h->edge || h->edge.node->kind != NodeKind::kLeaf) return;
  Fail(ErrorCode::kInvalidArgument, op.name(),
       {root.is_same(self) ? "self is a leaf that requires a gradient"
                           : "self is a view of a leaf that requires a gradient",
        ", and cannot be written in place while gradients are recorded (NoGrad)"});
}

// The history that a write gives, made before it: nothing can fail once it has happened.
class Write {
 public:
  // n: of the call that writes self.
  Write(const Tensor& self, const NodeRef& n) : node_(n) {
    const Tensor root = RootOf(self);
    history_ = &NeedHistory(root);
    root_ = root.impl();
    if (root.is_same(self)) {
      MakeRoomForRetained(history_->edge, *node_);
      return;
    }
    NodeRef w(new Node(NodeKind::kWrite));
    w->more().name = "CopySlices";
    w->more().geometry = std::make_unique<ViewGeometry>(
        ViewGeometry{GeometryOf(self.impl()), GeometryOf(root.impl())});
    if (Edge before = EdgeOf(root)) w->AddInput(0, 0, std::move(before));
    SetPlace(*w, n.get());
    w->more().inner = n;
    w->further = n->further;
    w->outs.push_back(ShapeOfTensor(root));
    KeepStream(*w);
    MakeRoomForRetained(history_->edge, *w);
    node_ = std::move(w);
  }
  // Views, self among them where it is one, are renewed when next used.
  void Happened() noexcept {
    const Edge before = std::exchange(history_->edge, {std::move(node_), 0});
    MoveRetained(before, history_->edge);
    ++history_->stamp;
    root_->key |= kGradBit;  // which a layer below has taken away where the write made it its own
  }

 private:
  NodeRef node_;
  History* history_;
  TensorImpl* root_;  // self, or what its history holds
};

// A call that writes self, from before it to after it.
class InPlace : public Pooled<InPlace> {
 public:
  // Errors: kInvalidArgument for leaves, kNotImplemented for views as other elements.
  InPlace(const OpClass& c, const OperatorEntry& op, std::span<const Value> args) {
    if (args.empty() || args[0].tag != Tag::kTensor) return;
    self_ = args[0].tensor();
    RequireWritable(op, self_);
    if (!IsDifferentiable(self_.dtype())) return;
    n_ = NewNode(KindOf(c), c.differentiable, args);
    const Tensor root = RootOf(self_);
    if (n_ || NeedsGrad(root)) RequireRecordedView(op.name(), self_);
    if (!n_) return;
    if (!SeesTheSame(self_, root)) {
      Fail(ErrorCode::kNotImplemented, op.name(),
           {"self is a view of ", Describe(root),
            " as other elements, and cannot be written in place while gradients are recorded"});
    }
    const Wants wants = c.WantsOf(n_->needs);
    Tensor before;
    bool keeps_self = false;
    for (size_t p = 0; p < args.size() && p < 64; ++p) {
      keeps_self = keeps_self || ((wants.tensors >> p & 1) != 0 && args[p].tag == Tag::kTensor &&
                                  args[p].tensor().is_same(self_));
    }
    if (keeps_self) {
      before = clone(AliasOf(self_));
      if (Edge e = EdgeOf(self_)) SetEdge(before, std::move(e));
    }
    SetCall(*n_, c, op, args, wants, before);
    n_->outs.resize(std::max<size_t>(n_->outs.size(), 1));
    n_->outs[0] = ShapeOfTensor(self_);
    KeepStream(*n_);
    keeps_result_ = n_->kind == NodeKind::kCall && (wants.results & 1) != 0;
    if (keeps_result_) {
      n_->has_saved = true;
      n_->results.resize(1);
      if (!PacksSaved()) n_->results[0].t = AliasOf(self_);
    }
    write_.emplace(self_, n_);
  }
  bool recorded() const { return write_.has_value(); }
  void Happened() {
    if (!recorded()) return;
    write_->Happened();
    KeepAsWritten(*n_, *n_->op_class);
    // addbmm_ and its like give self other sizes.
    const bool resized = !SameSizes(n_->outs[0].sizes, self_.sizes());
    if (resized) n_->outs[0] = ShapeOfTensor(self_);
    if (!keeps_result_) return;
    Saved& result = n_->results[0];
    if (resized) result.t = Tensor();
    if (!result.t.defined())
      result.t = Keep(self_);  // what packs it may throw, and then it is missing
    result.writes = result.t.impl()->storage->writes();
  }

 private:
  Tensor self_;
  NodeRef n_;
  std::optional<Write> write_;
  bool keeps_result_ = false;
};

// squeeze_ and its like: another geometry of the same memory.
void GeometryInPlace(LayerCall& call) {
  const Tensor self = call.args[0].tensor();
  RequireWritable(call.op, self);
  if (NeedsGrad(RootOf(self))) RequireRecordedView(call.op.name(), self);
  Edge before = EdgeOf(self);
  if (!before) return call.GoBelow();
  // What is known only afterwards has its room before.
  NodeRef n(new Node(NodeKind::kView));
  n->op = &call.op;
  n->AddInput(0, 0, std::move(before));
  n->more().geometry = std::make_unique<ViewGeometry>(ViewGeometry{{}, GeometryOf(self.impl())});
  Geometry& view = n->extras->geometry->view;
  view.sizes.reserve(kMaxRank);
  view.strides.reserve(kMaxRank);
  n->outs.resize(1);
  SetPlace(*n);
  History& h = NeedHistory(self);
  call.GoBelow();
  const TensorImpl* t = self.impl();
  view.sizes.assign(t->sizes(), t->sizes() + t->ndim);
  view.strides.assign(t->strides(), t->strides() + t->ndim);
  view.offset = t->offset;
  n->outs[0] = ShapeOfTensor(self);
  KeepStream(*n);
  h.edge = {std::move(n), 0};
  if (!h.root.defined()) ++h.stamp;
}

// --- The layer.

// A body beneath operators would lose the gradient in silence.
template <class R>
void RequireHistory(const OpClass& c, const OperatorEntry& op, std::span<const Value> args,
                    const R& results) {
  NodeRef n;
  ForEachResult(results, [&](size_t k, const Tensor& t) {
    if (!t.defined() || !IsDifferentiable(t.dtype()) || NeedsGrad(t)) return;
    if (!t.shares_storage_with(args[0].tensor()) || IsArgument(args, t)) return;
    if (!n) {
      n = NewNode(NodeKind::kRefuse, ~uint64_t{0}, args);
      SetCall(*n, c, op, args, {});
    }
    KeepResult(*n, k, t);
    SetEdge(t, {n, static_cast<uint32_t>(k)});
  });
}

void Body(const OpClass& c, LayerCall& call) {
  const bool any = c.view && AnyNeedsGrad(call.args);
  if (c.body == nullptr) {
    call.Redispatch();
  } else {
    const EnableGrad on;
    internal::RunBody(*c.body, internal::PlaceOfTensors(call.args), call);
  }
  if (any) RequireHistory(c, call.op, call.args, call.results);
}

void ThenCopied(const OpClass& c, LayerCall& call) {
  const Tensor self = call.args[0].tensor();
  if (!AnyNeedsGrad(call.args)) return call.GoBelow();
  RequireWritable(call.op, self);
  const EnableGrad on;
  // What is recorded is of self as it was.
  const Tensor before = clone(AliasOf(self));
  if (Edge e = EdgeOf(self)) SetEdge(before, std::move(e));
  std::vector<Value> args(call.args.begin(), call.args.end());
  args[0] = Value(before);
  Result made[kMaxResults];
  CallBoxed(*c.functional, args, {made, c.functional->num_results});
  copy_(self, made[0].tensor());
  call.results[0].Set(Tensor(self));
}

void Decomposed(const OpClass& c, LayerCall& call) {
  try {
    const EnableGrad on;
    c.registration->thunk(c.registration->fn, call.args.data(), call.results.data());
  } catch (const Error&) {
    call.GoBelow();  // what is wrong with the arguments the operator itself says
    throw;
  }
}

// Products of a sparse and a strided tensor whose formulas give the strided one's gradient.
bool IsProduct(const OperatorEntry& op) {
  static constexpr std::string_view kNames[] = {"addmm", "addmv", "bmm", "mm", "mv"};
  return std::ranges::find(kNames, op.name()) != std::end(kNames);
}

// A sparse tensor's history is that of its values: what its kernels are made of is recorded in
// place of the call. False where the call is to be recorded as others are.
bool Sparse(const OpClass& c, LayerCall& call) {
  bool any = false, held = false;
  ForEachTensor(call.args, [&](size_t, size_t, const Tensor& t) {
    if (t.is_strided()) return;
    any = true;
    held = held || NeedsGrad(t);
  });
  if (!any) return false;
  const bool as_others = c.writes == Writes::kOut || c.writes == Writes::kLists ||
                         c.how == How::kCutsOff || c.how == How::kMoves ||
                         (!held && (c.how == How::kBody || IsProduct(call.op)));
  if (as_others) return false;
  if (!AnyNeedsGrad(call.args)) {
    call.GoBelow();
    return true;
  }
  if (c.writes == Writes::kSelf && c.how != How::kBody)
    RequireWritable(call.op, CarrierOf(call.args[0].tensor()));
  call.Redispatch();
  return true;
}

class GradLayer : public Layer {
  void OnCall(LayerCall& call) override {
    const OuterMode outer(OuterRecordsHere());
    const OpClass& c = ClassOf(call.op);
    if (Sparse(c, call)) return;
    switch (c.writes) {
      case Writes::kOut:
      case Writes::kLists:
        if (c.how == How::kNone) return call.GoBelow();
        if (c.how == How::kBody && c.writes == Writes::kLists) return Body(c, call);
        if (AnyNeedsGrad(call.args)) {
          Fail(ErrorCode::kInvalidArgument, call.op.name(),
               {c.writes == Writes::kOut ? "out= cannot be differentiated"
                                         : "a list that is written cannot be differentiated",
                ", and an argument requires a gradient; use NoGrad, or detach it"});
        }
        return call.GoBelow();
      case Writes::kGeometry:
        return GeometryInPlace(call);
      case Writes::kSelf:
        if (c.how == How::kThenCopied) return ThenCopied(c, call);
        if (c.how != How::kBody && c.how != How::kDecomposed) {
          InPlace in_place(c, call.op, call.args);
          call.GoBelow();
          return in_place.Happened();
        }
        break;
      case Writes::kNothing:
        break;
    }
    switch (c.how) {
      case How::kNone:
        return call.GoBelow();
      case How::kMoves:
        if (NeedsGrad(call.args[0].tensor())) {
          Fail(ErrorCode::kInvalidArgument, call.op.name(),
               {"self requires a gradient, and cannot be given other memory or sizes"});
        }
        return call.GoBelow();
      case How::kCutsOff:
        CutOff(call.args[0].tensor());
        return call.GoBelow();
      case How::kBody:
        return Body(c, call);
      case How::kDecomposed:
        if (AnyNeedsGrad(call.args)) return Decomposed(c, call);
        // What a shared argument goes through, further out, is recorded as it is called.
        return AnyHasHistory(call.args) ? call.Redispatch() : call.GoBelow();
      case How::kView:
        return View(call);
      default:
        break;
    }
    NodeRef n = NewNode(KindOf(c), c.differentiable, call.args);
    if (!n) {
      call.GoBelow();
      if (c.view) Follow(call);
      return;
    }
    SetCall(*n, c, call.op, call.args, c.WantsOf(n->needs));
    call.GoBelow();
    Finish(n, call.op, call.args, call.results);
  }

  // A view without a formula is followed; it gets a node when it is used.
  static void View(LayerCall& call) {
    call.GoBelow();
    Follow(call);
  }
  static void Follow(LayerCall& call) {
    if (call.args.empty() || call.args[0].tag != Tag::kTensor) return;
    const Tensor& base = call.args[0].tensor();
    ForEachResult(call.results, [&](size_t, const Tensor& t) {
      if (t.defined() && !IsArgument(call.args, t) && t.shares_storage_with(base) &&
          t.dtype() == base.dtype())
        TrackView(t, base);
    });
    // Where the base's own history is all there is of it, the view's node leads there.
    ForEachResult(call.results, [&](size_t, const Tensor& t) {
      if (t.defined() && t.shares_storage_with(base) && !NeedsGrad(t) && NeedsGrad(base) &&
          IsDifferentiable(t.dtype()) && !IsArgument(call.args, t))
        FailView(call.op);
    });
  }
  [[noreturn]] static void FailView(const OperatorEntry& op) {
    Fail(ErrorCode::kNotImplemented, op.name(), {"a view of another dtype has no gradient"});
  }
};

// What most calls are: of nothing batched, and recorded by formulas, in place or not, or a body
// that is a view of other views. They never come to the layer.
class GradRecorder final : public internal::Recorder {
  // Until the call has ended, which puts back what was excluded.
  static void* Excluded(void* begun) {
    thread_state.layers_excluded |= uint32_t{1} << kGradLayer;
    return begun;
  }

  void* Begin(const OperatorEntry& op, std::span<const Value> args) override {
    if (batch_hooks.load(std::memory_order_acquire) != nullptr &&
        (CurrentDepth() != 0 || DepthOf(args) != 0))
      return nullptr;
    const OpClass& c = ClassOf(op);
    const bool recorded = c.how == How::kFormulas || c.how == How::kZero || c.how == How::kRefused;
    if (c.writes == Writes::kNothing && recorded) {
      NodeRef n = NewNode(KindOf(c), c.differentiable, args);
      if (!n) return c.view ? nullptr : Excluded(Marked(nullptr, kUnrecorded));
      const Wants* only = c.OnlyWants(n->needs);
      SetCall(*n, c, op, args, only != nullptr ? *only : c.WantsOf(n->needs));
      return Excluded(n.release());
    }
    if (c.writes == Writes::kSelf && recorded) {
      auto write = std::make_unique<InPlace>(c, op, args);
      return Excluded(write->recorded() ? Marked(write.release(), kWrite)
                                        : Marked(nullptr, kUnrecorded));
    }
    if (c.writes == Writes::kNothing && c.how == How::kBody && c.view && c.body == nullptr &&
        AnyNeedsGrad(args)) {
      return Marked(const_cast<OpClass*>(&c), kBody);  // its calls are recorded
    }
    return nullptr;
  }
  void End(void* begun, const OperatorEntry& op, std::span<const Value> args,
           std::span<const Value> results) override {
    switch (MarkOf(begun)) {
      case kNode:
        return Finish(NodeRef(Unmarked<Node>(begun)), op, args, results);
      case kWrite:
        return std::unique_ptr<InPlace>(Unmarked<InPlace>(begun))->Happened();
      case kBody:
        return RequireHistory(*Unmarked<OpClass>(begun), op, args, results);
      case kUnrecorded:
        return;
    }
  }
  void Failed(void* begun) noexcept override {
    if (MarkOf(begun) == kNode) NodeRef(Unmarked<Node>(begun));
    if (MarkOf(begun) == kWrite) std::unique_ptr<InPlace>(Unmarked<InPlace>(begun));
  }

  // What Begin gave, told apart by the lowest bits of its address. kUnrecorded: there is nothing to
  // record, as of views of tensors that require no gradient.
  enum Mark : uintptr_t { kNode, kWrite, kBody, kUnrecorded };
  static void* Marked(void* p, Mark m) {
    return reinterpret_cast<void*>(reinterpret_cast<uintptr_t>(p) | m);
  }
  static Mark MarkOf(void* p) { return static_cast<Mark>(reinterpret_cast<uintptr_t>(p) & 3); }
  template <class T>
  static T* Unmarked(void* p) {
    return reinterpret_cast<T*>(reinterpret_cast<uintptr_t>(p) & ~uintptr_t{3});
  }
};

// Views that are made of tensors without the layer: what is written into them may require a
// gradient.
void ViewMade(TensorImpl* view, const Tensor& base) {
  const bool recorded = is_grad_enabled();
  if (!recorded && !internal::unrecorded) return;  // a step inside of an operator
  if (view == base.impl()) return Moved(base);
  // Seen, and not counted: the caller's.
  const Tensor& t = reinterpret_cast<const Tensor&>(view);
  recorded ? TrackView(t, base) : TrackUnrecorded(t, base);
}

// Of a layer that said it before.
std::atomic<std::string (*)(const Tensor&)> other_suffix{nullptr};

std::string Suffix(const Tensor& t) {
  const auto other = other_suffix.load();
  std::string s = other == nullptr ? "" : other(t);
  if (!NeedsGrad(t)) return s;
  if (!s.empty()) s += ", ";
  if (IsInvalid(*HistoryOf(CarrierOf(t)))) return s + "grad_fn=<Invalid>";
  const Edge e = EdgeOf(CarrierOf(t));
  if (!e || e.node->kind == NodeKind::kLeaf) return s + "requires_grad=True";
  return s + "grad_fn=<" + e.node->Name() + ">";
}

const bool started = [] {
  internal::RegisterLayerAt(kGradLayer, "gradients", kOrder, new GradLayer);
  internal::recorder.store(new GradRecorder, std::memory_order_release);
  other_suffix.store(internal::more_to_print.exchange(&Suffix));
  return true;
}();

}  // namespace

}  // namespace sy::autograd

void sy::follow_views() { internal::view_made.store(&autograd::ViewMade); }
