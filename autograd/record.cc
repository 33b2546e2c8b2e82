// The layer: calls are run below it, and recorded.
#include <algorithm>
#include <cstring>

#include "autograd/classify_internal.h"
#include "autograd/node_internal.h"
#include "switchyard/autograd/autograd.h"
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

bool AnyNeedsGrad(std::span<const Value> args) {
  bool any = false;
  ForEachTensor(args, [&](size_t, size_t, const Tensor& t) { any = any || NeedsGrad(t); });
  return any;
}

// mask: arguments that matter; null: all.
Inputs InputsOf(std::span<const Value> args, const std::vector<bool>* mask) {
  Inputs inputs;
  ForEachTensor(args, [&](size_t p, size_t i, const Tensor& t) {
    if (mask != nullptr && (p >= mask->size() || !(*mask)[p])) return;
    if (Edge e = EdgeOf(t)) inputs.push_back({p, i, std::move(e)});
  });
  return inputs;
}

// A value of the node's own.
Value Copied(Node& n, const Value& v) {
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
  n.owned.push_back(std::make_unique<char[]>(std::max<size_t>(bytes, 1)));
  if (bytes != 0) std::memcpy(n.owned.back().get(), v.p, bytes);
  Value mine = v;
  mine.p = n.owned.back().get();
  return mine;
}

bool Keeps(const Node& n, size_t position, Keep keep) {
  for (const PreparedTerm& t : n.op_class->terms) {
    if (t.term->keeps[position] == keep && Needed(t, n.inputs)) return true;
  }
  return false;
}

// before: stands in for the tensor that is about to be written.
NodeRef NewCall(const OpClass& c, const OperatorEntry& op, std::span<const Value> args,
                Inputs inputs, const Tensor& self = {}, const Tensor& before = {}) {
  NodeRef n(new Node(c.how == How::kZero      ? NodeKind::kZero
                     : c.how == How::kRefused ? NodeKind::kRefuse
                                              : NodeKind::kCall));
  n->op_class = &c;
  n->op = &op;
  n->outs.resize(op.num_results);  // formulas ask for any of them
  n->inputs = std::move(inputs);
  n->seq = NextSeq(n->inputs);
  if (n->kind != NodeKind::kCall) return n;
  n->args.resize(args.size());
  const auto seen = [&](const Tensor& t) -> const Tensor& {
    return before.defined() && t.is_same(self) ? before : t;
  };
  for (size_t p = 0; p < args.size(); ++p) {
    const Value& v = args[p];
    Arg& a = n->args[p];
    a.value = Copied(*n, v);
    if (Keeps(*n, p, Keep::kShape)) {
      if (v.tag == Tag::kTensor) {
        a.more().shape = ShapeOfTensor(v.tensor());
      } else if (!v.is_none()) {
        a.more().shape = ShapeOfTensor(NumberTensor(v.scalar()));
      }
    }
    if (v.tag == Tag::kTensor && Keeps(*n, p, Keep::kTensor)) {
      a.saved = Save(seen(v.tensor()));
      n->has_saved = true;
      a.value = Value();
    }
    if (v.tag == Tag::kTensorList) {
      if (Keeps(*n, p, Keep::kShapes)) {
        for (const Tensor& t : v.list<Tensor>()) a.more().shapes.push_back(ShapeOfTensor(t));
      }
      if (Keeps(*n, p, Keep::kTensors)) {
        n->has_saved = true;
        for (const Tensor& t : v.list<Tensor>()) a.more().saved.push_back(Save(t));
      }
    }
  }
  return n;
}

uint32_t KeptResults(const Node& n) {
  uint32_t bits = 0;
  if (n.kind != NodeKind::kCall) return 0;
  for (const PreparedTerm& t : n.op_class->terms) {
    if (Needed(t, n.inputs)) bits |= t.term->results;
  }
  return bits;
}

void KeepResult(Node& n, size_t k, const Tensor& t, uint32_t kept) {
  if (n.outs.size() <= k) n.outs.resize(k + 1);
  n.outs[k] = ShapeOfTensor(t);
  if (k >= 32 || (kept >> k & 1) == 0 || !t.defined()) return;
  if (n.results.size() <= k) n.results.resize(k + 1);
  n.results[k].t = AliasOf(t);
  n.results[k].writes = t.impl()->storage->writes();
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

// The node made the results.
void Finish(const NodeRef& n, const OpClass& c, LayerCall& call) {
  const uint32_t kept = KeptResults(*n);
  ForEachResult(call.results, [&](size_t k, const Tensor& t) {
    KeepResult(*n, k, t, kept);
    if (!t.defined() || !IsDifferentiable(t.dtype()) || IsArgument(call.args, t)) return;
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

// What was written has the node as its history now.
void Wrote(const Tensor& self, NodeRef n) {
  const Tensor root = RootOf(self);
  if (root.is_same(self)) {
    History& h = NeedHistory(self);
    h.edge = {std::move(n), 0};
    ++h.stamp;
    return;
  }
  NodeRef w(new Node(NodeKind::kWrite));
  w->name = "CopySlices";
  w->geometry =
      std::make_unique<Node::View>(Node::View{GeometryOf(self.impl()), GeometryOf(root.impl())});
  if (Edge before = EdgeOf(root)) w->inputs.push_back({0, 0, std::move(before)});
  w->seq = NextSeq(w->inputs, n->seq);
  w->inner = n;
  w->outs.push_back(ShapeOfTensor(root));
  History& h = NeedHistory(root);
  h.edge = {std::move(w), 0};
  ++h.stamp;  // views, self among them, are renewed when next used
}

void InPlace(const OpClass& c, LayerCall& call) {
  if (call.args.empty() || call.args[0].tag != Tag::kTensor) return call.GoBelow();
  const Tensor self = call.args[0].tensor();
  RequireWritable(call.op, self);
  if (!IsDifferentiable(self.dtype())) return call.GoBelow();
  Inputs inputs = InputsOf(call.args, c.how == How::kRefused ? nullptr : &c.differentiable);
  if (inputs.empty()) {
    return call.GoBelow();
  }
  if (const Tensor root = RootOf(self); !SeesTheSame(self, root)) {
    Fail(ErrorCode::kNotImplemented, call.op.name(),
         {"self is a view of ", Describe(root),
          " as other elements, and cannot be written in place while gradients are recorded"});
  }
  Tensor before;
  const bool keeps_self = std::any_of(c.terms.begin(), c.terms.end(), [&](const PreparedTerm& t) {
    if (!Needed(t, inputs)) return false;
    for (size_t p = 0; p < call.args.size(); ++p) {
      if (t.term->keeps[p] == Keep::kTensor && call.args[p].tag == Tag::kTensor &&
          call.args[p].tensor().is_same(self))
        return true;
    }
    return false;
  });
  if (keeps_self) {
    before = clone(AliasOf(self));
    if (Edge e = EdgeOf(self)) SetEdge(before, std::move(e));
  }
  NodeRef n = NewCall(c, call.op, call.args, std::move(inputs), self, before);
  call.GoBelow();
  KeepResult(*n, 0, self, KeptResults(*n));
  Wrote(self, std::move(n));
}

// squeeze_ and its like: another geometry of the same memory.
void GeometryInPlace(LayerCall& call) {
  const Tensor self = call.args[0].tensor();
  RequireWritable(call.op, self);
  const Edge before = EdgeOf(self);
  const Geometry was = GeometryOf(self.impl());
  call.GoBelow();
  if (!before) return;
  NodeRef n(new Node(NodeKind::kView));
  n->op = &call.op;
  n->inputs.push_back({0, 0, before});
  n->outs.push_back(ShapeOfTensor(self));
  n->geometry = std::make_unique<Node::View>(Node::View{GeometryOf(self.impl()), was});
  n->seq = NextSeq(n->inputs);
  History& h = NeedHistory(self);
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
      n = NodeRef(new Node(NodeKind::kRefuse));
      n->op = &call.op;
      n->op_class = &c;
      n->inputs = InputsOf(call.args, nullptr);
      n->seq = NextSeq(n->inputs);
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
  Result made[kMaxResults];
  CallBoxed(*c.functional, call.args, {made, c.functional->num_results});
  copy_(self, made[0].tensor());
  call.results[0].Set(Tensor(self));
}

class GradLayer : public Layer {
  void OnCall(LayerCall& call) override {
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
        {
          const EnableGrad on;
          return c.registration->thunk(c.registration->fn, call.args.data(), call.results.data());
        }
      case How::kView:
        return View(call);
      default:
        break;
    }
    Inputs inputs = InputsOf(call.args, c.how == How::kRefused ? nullptr : &c.differentiable);
    if (inputs.empty()) {
      call.GoBelow();
      if (c.view) Follow(call);
      return;
    }
    NodeRef n = NewCall(c, call.op, call.args, std::move(inputs));
    call.GoBelow();
    Finish(n, c, call);
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
