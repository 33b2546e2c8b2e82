// What users ask of tensors: leaves, gradients, hooks.
#include <algorithm>

#include "autograd/node_internal.h"
#include "switchyard/autograd/autograd.h"
#include "switchyard/autograd/levels.h"
#include "switchyard/core/error.h"
#include "switchyard/core/shape.h"
#include "switchyard/core/sparse.h"
#include "switchyard/core/tensor_impl.h"
#include "switchyard/op/operator.h"
#include "switchyard/ops.h"

namespace sy {

using autograd::Edge;
using autograd::History;
using autograd::Node;
using autograd::NodeKind;
using autograd::NodeRef;

namespace {

void RequireDefined(std::string_view what, const Tensor& t) {
  if (!t.defined()) Fail(ErrorCode::kInvalidArgument, {what, "(): the tensor is undefined"});
}

// A sparse leaf is one by its values: its own, on the memory of those that it was made of.
void RequireGradOfValues(const Tensor& t, bool on) {
  if (autograd::NeedsGrad(t) == on) return;
  const Tensor held = on ? autograd::AliasOf(autograd::CarrierOf(t)) : autograd::CarrierOf(t);
  requires_grad_(held, on);
  BecomeSparse(t, autograd::FromCarrier(t, held));
}

NodeRef NewLeaf(const Tensor& t) {
  NodeRef n(new Node(NodeKind::kLeaf));
  n->more().name = "AccumulateGrad";
  n->depth = static_cast<uint16_t>(autograd::CurrentDepth());
  n->outs.push_back(autograd::ShapeOfTensor(t));
  autograd::KeepStream(*n);
  return n;
}
bool StandsFor(const Node& leaf, const Tensor& t) {
  return leaf.depth == autograd::CurrentDepth() && autograd::IsLike(leaf.outs[0], t);
}

// A leaf that requires no gradient any longer keeps the one it has.
void Rest(const Tensor& t) {
  History& h = *autograd::HistoryOf(t);
  h.idle = std::move(h.edge.node);
  h.edge = {};
  t.impl()->key &= ~kGradBit;
}
// The leaf node of a tensor that requires no gradient; null: it has none.
NodeRef IdleOf(const Tensor& t) {
  if ((t.impl()->flags & kAttachedFlag) == 0) return {};
  const History* h = Attached<History>(t);
  return h == nullptr || h->edge ? NodeRef() : h->idle;
}
NodeRef MakeIdle(const Tensor& t) {
  const KeyWord known = t.key() & kGradBit;
  History& h = autograd::NeedHistory(t);
  if (known == 0) t.impl()->key &= ~kGradBit;
  return h.idle = NewLeaf(t);
}

}  // namespace

const Tensor& requires_grad_(const Tensor& t, bool on) {
  RequireDefined("requires_grad_", t);
  if (on) {
    if (!autograd::IsDifferentiable(t.dtype())) {
      Fail(ErrorCode::kInvalidArgument, {"requires_grad_(): expected a floating or complex tensor, "
                                         "got ",
                                         Describe(t)});
    }
  }
  if (!t.is_strided()) {
    RequireGradOfValues(t, on);
    return t;
  }
  const Edge e = autograd::EdgeOf(t);
  if (on) {
    if (e) return t;
    follow_views();
    History& h = autograd::NeedHistory(t);
    NodeRef n = std::move(h.idle);
    h.edge = {n && StandsFor(*n, t) ? std::move(n) : NewLeaf(t), 0};
    h.root = Tensor();  // a leaf stands for itself
    return t;
  }
  if (!e) return t;
  if (e.node->kind != NodeKind::kLeaf) {
    Fail(ErrorCode::kInvalidArgument,
         {"requires_grad_(): ", Describe(t), " was made by ", e.node->Name(),
          "; only leaves can stop requiring a "
          "gradient: use detach"});
  }
  Rest(t);
  return t;
}

bool requires_grad(const Tensor& t) { return t.defined() && autograd::NeedsGrad(t); }

bool is_leaf(const Tensor& t) {
  if (!requires_grad(t)) return true;
  const Edge e = autograd::EdgeOf(autograd::CarrierOf(t));
  return !e || e.node->kind == NodeKind::kLeaf;
}

std::string grad_fn_name(const Tensor& t) {
  if (!requires_grad(t)) return "";
  return autograd::EdgeOf(autograd::CarrierOf(t)).node->Name();
}

uint32_t version_of(const Tensor& t) { return t.defined() ? t.impl()->storage->writes() : 0; }

Tensor grad_of(const Tensor& t) {
  if (!requires_grad(t)) {
    const NodeRef idle = t.defined() ? IdleOf(t) : NodeRef();
    if (!idle) return {};
    std::lock_guard lock(idle->mutex);
    return idle->extras->grad;
  }
  if (!t.is_strided()) return autograd::FromCarrier(t, grad_of(autograd::CarrierOf(t)));
  const Edge e = autograd::EdgeOf(t);
  std::lock_guard lock(e.node->mutex);
  if (e.node->kind == NodeKind::kLeaf) return e.node->extras->grad;
  if (e.node->extras == nullptr) return {};
  for (const auto& [nr, g] : e.node->extras->retained) {
    if (nr == e.nr) return g;
  }
  return {};
}

void set_grad(const Tensor& t, const Tensor& grad) {
  RequireDefined("set_grad", t);
  if (!t.is_strided()) return set_grad(autograd::CarrierOf(t), autograd::OfCarrier(t, grad));
  Edge e = autograd::EdgeOf(t);
  if (!e) e = {IdleOf(t), 0};
  if (!e && grad.defined() && autograd::IsDifferentiable(t.dtype())) e = {MakeIdle(t), 0};
  if (!e) {
    Fail(ErrorCode::kInvalidArgument, {"set_grad(): ", Describe(t), " requires no gradient"});
  }
  if (grad.defined() && (!SameSizes(grad.sizes(), t.sizes()) || grad.dtype() != t.dtype() ||
                         PlaceOfKey(grad.key()) != PlaceOfKey(t.key()))) {
    Fail(ErrorCode::kInvalidArgument, {"set_grad(): the gradient of ", Describe(t), " is ",
                                       Describe(grad), ", expected one like it"});
  }
  Tensor gone = grad;
  std::lock_guard lock(e.node->mutex);
  if (e.node->kind == NodeKind::kLeaf) return e.node->extras->grad.swap(gone);
  for (auto& [nr, g] : e.node->more().retained) {
    if (nr == e.nr) return g.swap(gone);
  }
  e.node->extras->retained.emplace_back(e.nr, std::move(gone));
  e.node->watched.store(true, std::memory_order_release);
}

void zero_grad(const Tensor& t) {
  if (requires_grad(t) || (t.defined() && IdleOf(t))) set_grad(t, Tensor());
}

void retain_grad(const Tensor& t) {
  RequireDefined("retain_grad", t);
  const Edge e = autograd::EdgeOf(autograd::CarrierOf(t));
  if (!e) {
    Fail(ErrorCode::kInvalidArgument, {"retain_grad(): ", Describe(t), " requires no gradient"});
  }
  if (e.node->kind == NodeKind::kLeaf) return;
  std::lock_guard lock(e.node->mutex);
  auto& retained = e.node->more().retained;
  const bool has =
      std::any_of(retained.begin(), retained.end(), [&](const auto& r) { return r.first == e.nr; });
  if (!has) retained.emplace_back(e.nr, Tensor());
  e.node->watched.store(true, std::memory_order_release);
}

void autograd::CutOff(const Tensor& t) {
  if (!t.is_strided()) return BecomeSparse(t, FromCarrier(t, AliasOf(CarrierOf(t))));
  const History* h = HistoryOf(t);
  if (h == nullptr) return;
  if (h->root.defined()) {
    Fail(ErrorCode::kInvalidArgument,
         {"detach_(): ", Describe(t), " is a view, and cannot be detached in place: use detach"});
  }
  if (h->edge && h->edge.node->kind == NodeKind::kLeaf) return Rest(t);
  Detach<History>(t);
  t.impl()->key &= ~kGradBit;
}

namespace {

Edge EdgeForHook(std::string_view what, const Tensor& t) {
  RequireDefined(what, t);
  if (!t.is_strided()) {
    Fail(ErrorCode::kNotImplemented,
         {what, "(): hooks see gradients of strided tensors, got ", Describe(t)});
  }
  Edge e = autograd::EdgeOf(t);
  if (!e) Fail(ErrorCode::kInvalidArgument, {what, "(): ", Describe(t), " requires no gradient"});
  return e;
}

}  // namespace

HookHandle register_hook(const Tensor& t, std::function<Tensor(const Tensor&)> hook) {
  const Edge e = EdgeForHook("register_hook", t);
  std::lock_guard lock(e.node->mutex);
  autograd::Extras& x = e.node->more();
  const uint64_t id = ++x.last_id;
  x.hooks.push_back({id, e.nr, std::move(hook)});
  e.node->watched.store(true, std::memory_order_release);
  return HookHandle([node = e.node, id] {
    std::lock_guard again(node->mutex);
    std::erase_if(node->extras->hooks, [&](const autograd::Hook& h) { return h.id == id; });
  });
}

HookHandle register_post_accumulate_hook(const Tensor& leaf,
                                         std::function<void(const Tensor&)> hook) {
  const Edge e = EdgeForHook("register_post_accumulate_hook", leaf);
  if (e.node->kind != NodeKind::kLeaf) {
    Fail(ErrorCode::kInvalidArgument,
         {"register_post_accumulate_hook(): ", Describe(leaf), " is no leaf"});
  }
  std::lock_guard lock(e.node->mutex);
  autograd::Extras& x = e.node->more();
  const uint64_t id = ++x.last_id;
  // The node owns the hook: it must not own the node. What the hook sees is another handle of the
  // leaf's memory, whose gradient is the leaf's.
  x.after.emplace_back(
      id, [memory = autograd::AliasOf(leaf), node = e.node.get(), hook = std::move(hook)] {
        const Tensor seen = autograd::AliasOf(memory);
        node->refs.Increment();
        autograd::SetEdge(seen, {NodeRef(node), 0});
        const NoGrad off;
        hook(seen);
      });
  return HookHandle([node = e.node, id] {
    std::lock_guard again(node->mutex);
    std::erase_if(node->extras->after, [&](const auto& a) { return a.first == id; });
  });
}

}  // namespace sy
