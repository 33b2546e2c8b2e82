// The layer: calls are run below it, and recorded.
#include <algorithm>
#include <bit>
#include <cstring>

#include "autograd/classify_internal.h"
#include "autograd/node_internal.h"
#include "switchyard/autograd/autograd.h"
#include "switchyard/autograd/levels.h"
#include "switchyard/core/error.h"
#include "switchyard/core/printing.h"
#include "switchyard/core/tensor_impl.h"
#include "switchyard/dispatcher/call.h"
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
    any = any || (NeedsGrad(t) && (depth == 0 || EdgeOf(t).node->depth >= depth));
  });
  return any;
}

// A node with the call's inputs that require a gradient; none where there are none. Histories that
// are recorded of values alone are no inputs.
// differentiable: bits of the arguments that matter.
NodeRef NewNode(NodeKind kind, uint64_t differentiable, std::span<const Value> args) {
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

// Completes a node that has its inputs. wants: by its formulas. before: stands in for the
// tensor that is about to be written.
void SetCall(Node& n, const OpClass& c, const LayerCall& call, const Wants& wants,
             const Tensor& before = {}) {
  n.op_class = &c;
  n.op = &call.op;
  n.outs.resize(call.op.num_results);  // formulas ask for any of them
  SetPlace(n);
  if (n.kind != NodeKind::kCall) return;
  n.args.resize(call.args.size());
  if (uint64_t left = wants.values | wants.tensors | wants.shapes; left != 0) {
    for (; left != 0; left &= left - 1) {
      const int p = std::countr_zero(left);
      const Value& v = call.args[static_cast<size_t>(p)];
      Arg& a = n.args[static_cast<size_t>(p)];
      if ((wants.shapes >> p & 1) != 0 && !v.is_none()) {
        a.more().shape =
            ShapeOfTensor(v.tag == Tag::kTensor ? v.tensor() : NumberTensor(v.scalar()));
      }
      if (v.tag != Tag::kTensor) {
        a.value = Copied(a, v);
      } else if ((wants.tensors >> p & 1) != 0) {
        a.saved = Save(before.defined() && v.tensor().is_same(call.args[0].tensor()) ? before
                                                                                     : v.tensor());
        n.has_saved = true;
      }
    }
  }
  if (uint64_t left = wants.tensor_lists | wants.shape_lists; left != 0) [[unlikely]] {
    for (; left != 0; left &= left - 1) {
      const int p = std::countr_zero(left);
      const Value& v = call.args[static_cast<size_t>(p)];
      if (v.tag != Tag::kTensorList) continue;
      ArgMore& more = n.args[static_cast<size_t>(p)].more();
      const TensorList list = v.list<Tensor>();
      if ((wants.shape_lists >> p & 1) != 0) {
        more.shapes.reserve(list.size());
        for (const Tensor& t : list) more.shapes.push_back(ShapeOfTensor(t));
      }
      if ((wants.tensor_lists >> p & 1) != 0) {
        n.has_saved = true;
        more.saved.reserve(list.size());
        for (const Tensor& t : list) more.saved.push_back(Save(t));
      }
    }
  }
}

void KeepResult(Node& n, size_t k, const Tensor& t, uint32_t kept) {
  if (n.outs.size() <= k) n.outs.resize(k + 1);
  n.outs[k] = ShapeOfTensor(t);
  if (k >= 32 || (kept >> k & 1) == 0 || !t.defined()) return;
  if (n.results.size() <= k) n.results.resize(k + 1);
  n.results[k].t = Keep(t);
  n.results[k].writes = n.results[k].t.impl()->storage->writes();
  n.has_saved = true;
}

template <class F>
void ForEachResult(std::span<Result> results, F f) {
  size_t k = 0;
  for (const Result& r : results) {
    const Value& v = r.value();
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
  bool is = false;
  ForEachTensor(args, [&](size_t, size_t, const Tensor& a) { is = is || a.is_same(t); });
  return is;
}

// What the operator itself wrote is kept as it wrote it.
void KeepAsWritten(Node& n, const OpClass& c) {
  if (!c.writes_more) return;
  for (Arg& a : n.args) {
    if (a.saved.t.defined()) a.saved.writes = a.saved.t.impl()->storage->writes();
  }
}

// The node made the results.
void Finish(const NodeRef& n, const OpClass& c, LayerCall& call, uint32_t kept) {
  ForEachResult(call.results, [&](size_t k, const Tensor& t) {
    KeepResult(*n, k, t, kept);
    if (!t.defined() || !IsDifferentiable(t.dtype()) || IsArgument(call.args, t)) return;
    if (k < 32 && (c.constant >> k & 1) != 0) return;
    if (c.view && !call.args.empty() && call.args[0].tag == Tag::kTensor &&
        t.shares_storage_with(call.args[0].tensor())) {
      TrackView(t, call.args[0].tensor());
    }
    if (!t.is_strided()) {
      Fail(ErrorCode::kNotImplemented, call.op.name(),
           {"a sparse result cannot have a gradient, and an argument requires one: detach it, or "
            "compute with NoGrad"});
    }
    SetEdge(t, {n, static_cast<uint32_t>(k)});
  });
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
    if (root.is_same(self)) return;
    NodeRef w(new Node(NodeKind::kWrite));
    w->more().name = "CopySlices";
    w->more().geometry = std::make_unique<ViewGeometry>(
        ViewGeometry{GeometryOf(self.impl()), GeometryOf(root.impl())});
    if (Edge before = EdgeOf(root)) w->AddInput(0, 0, std::move(before));
    SetPlace(*w, n.get());
    w->more().inner = n;
    w->further = n->further;
    w->outs.push_back(ShapeOfTensor(root));
    node_ = std::move(w);
  }
  // Views, self among them where it is one, are renewed when next used.
  void Happened() noexcept {
    history_->edge = {std::move(node_), 0};
    ++history_->stamp;
  }

 private:
  NodeRef node_;
  History* history_;
};

void InPlace(const OpClass& c, LayerCall& call) {
  if (call.args.empty() || call.args[0].tag != Tag::kTensor) return call.GoBelow();
  const Tensor self = call.args[0].tensor();
  RequireWritable(call.op, self);
  if (!IsDifferentiable(self.dtype())) return call.GoBelow();
  NodeRef n = NewNode(KindOf(c), c.differentiable, call.args);
  if (!n) return call.GoBelow();
  if (const Tensor root = RootOf(self); !SeesTheSame(self, root)) {
    Fail(ErrorCode::kNotImplemented, call.op.name(),
         {"self is a view of ", Describe(root),
          " as other elements, and cannot be written in place while gradients are recorded"});
  }
  const Wants wants = c.WantsOf(n->needs);
  Tensor before;
  bool keeps_self = false;
  for (size_t p = 0; p < call.args.size() && p < 64; ++p) {
    keeps_self = keeps_self || ((wants.tensors >> p & 1) != 0 && call.args[p].tag == Tag::kTensor &&
                                call.args[p].tensor().is_same(self));
  }
  if (keeps_self) {
    before = clone(AliasOf(self));
    if (Edge e = EdgeOf(self)) SetEdge(before, std::move(e));
  }
  SetCall(*n, c, call, wants, before);
  n->outs.resize(std::max<size_t>(n->outs.size(), 1));
  n->outs[0] = ShapeOfTensor(self);
  const bool keeps_result = n->kind == NodeKind::kCall && (wants.results & 1) != 0;
  if (keeps_result) {
    n->has_saved = true;
    n->results.resize(1);
    if (!PacksSaved()) n->results[0].t = AliasOf(self);
  }
  Write write(self, n);
  call.GoBelow();
  write.Happened();
  KeepAsWritten(*n, c);
  // addbmm_ and its like give self other sizes.
  const bool resized = !SameSizes(n->outs[0].sizes, self.sizes());
  if (resized) n->outs[0] = ShapeOfTensor(self);
  if (!keeps_result) return;
  Saved& result = n->results[0];
  if (resized) result.t = Tensor();
  if (!result.t.defined())
    result.t = Keep(self);  // what packs it may throw, and then it is missing
  result.writes = result.t.impl()->storage->writes();
}

// squeeze_ and its like: another geometry of the same memory.
void GeometryInPlace(LayerCall& call) {
  const Tensor self = call.args[0].tensor();
  RequireWritable(call.op, self);
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
  h.edge = {std::move(n), 0};
  if (!h.root.defined()) ++h.stamp;
}

// --- The layer.

void Body(const OpClass& c, LayerCall& call) {
  const bool any = c.view && AnyNeedsGrad(call.args);
  if (c.body == nullptr) {
    call.Redispatch();
  } else {
    const EnableGrad on;
    KeyWord key = 0;
    ForEachTensor(call.args, [&](size_t, size_t, const Tensor& t) {
      if (key == 0) key = t.key() & kPlaceMask;
    });
    c.body->thunk(*c.body, key, call.args.data(), call.results.data());
    if (call.op.returns_written) internal::ReturnWritten(call.op, call.args, call.results.data());
  }
  if (!any) return;
  // A body beneath operators would lose the gradient in silence.
  NodeRef n;
  ForEachResult(call.results, [&](size_t k, const Tensor& t) {
    if (!t.defined() || !IsDifferentiable(t.dtype()) || NeedsGrad(t)) return;
    if (!t.shares_storage_with(call.args[0].tensor()) || IsArgument(call.args, t)) return;
    if (!n) {
      n = NewNode(NodeKind::kRefuse, ~uint64_t{0}, call.args);
      SetCall(*n, c, call, {});
    }
    KeepResult(*n, k, t, 0);
    SetEdge(t, {n, static_cast<uint32_t>(k)});
  });
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

class GradLayer : public Layer {
  void OnCall(LayerCall& call) override {
    const OuterMode outer(OuterRecordsHere());
    const OpClass& c = ClassOf(call.op);
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
        if (c.how != How::kBody && c.how != How::kDecomposed) return InPlace(c, call);
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
        if (!AnyNeedsGrad(call.args)) return call.GoBelow();
        return Decomposed(c, call);
      case How::kView:
        return View(call);
      default:
        break;
    }
    const NodeRef n = NewNode(KindOf(c), c.differentiable, call.args);
    if (!n) {
      call.GoBelow();
      if (c.view) Follow(call);
      return;
    }
    const Wants wants = c.WantsOf(n->needs);
    SetCall(*n, c, call, wants);
    call.GoBelow();
    KeepAsWritten(*n, c);
    Finish(n, c, call, wants.results);
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

// Views that are made of tensors without the layer: what is written into them may require a
// gradient.
void ViewMade(TensorImpl* view, const Tensor& base) {
  if (!is_grad_enabled()) return;
  view->refs.Increment();
  const Tensor t(view);
  TrackView(t, base);
}

std::string Suffix(const Tensor& t) {
  if (!NeedsGrad(t)) return "";
  const Edge e = EdgeOf(t);
  if (!e || e.node->kind == NodeKind::kLeaf) return "requires_grad=True";
  return "grad_fn=<" + e.node->Name() + ">";
}

}  // namespace

void Start() {
  static const bool started = [] {
    internal::RegisterLayerAt(kGradLayer, "gradients", kOrder, new GradLayer);
    internal::more_to_print.store(&Suffix);
    internal::view_made.store(&ViewMade);
    return true;
  }();
  static_cast<void>(started);
}

}  // namespace sy::autograd
