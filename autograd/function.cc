#include "switchyard/autograd/function.h"

#include <absl/cleanup/cleanup.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "autograd/node_internal.h"
#include "switchyard/autograd/autograd.h"
#include "switchyard/autograd/levels.h"
#include "switchyard/core/error.h"
#include "switchyard/core/generator.h"
#include "switchyard/ops.h"

namespace sy {
namespace autograd {

// Saved tensors of a function. Results are kept without the node that they lead to.
struct Context {
  std::vector<Tensor> given;  // what is to be saved once forward has ended
  std::vector<Saved> saved;
  std::vector<std::pair<size_t, uint32_t>> results;  // which of them are results, and which
  Node* node = nullptr;
  bool create = false, freed = false;

  static Context& Of(FunctionContext& c) { return *c.kept_; }
  static std::vector<bool>& Needs(FunctionContext& c) { return c.needs_; }
  static bool IsNone(const FunctionContext& c, size_t k) {
    return std::find(c.none_.begin(), c.none_.end(), k) != c.none_.end();
  }
  static bool IsDirty(const FunctionContext& c, size_t k) {
    return std::find(c.dirty_.begin(), c.dirty_.end(), k) != c.dirty_.end();
  }
};

}  // namespace autograd

using autograd::Context;
using autograd::Node;
using autograd::NodeKind;
using autograd::NodeRef;

FunctionContext::FunctionContext() : kept_(std::make_unique<Context>()) {}
FunctionContext::~FunctionContext() = default;

void FunctionContext::SaveForBackward(TensorList tensors) {
  kept_->given.assign(tensors.begin(), tensors.end());
}

std::vector<Tensor> FunctionContext::Saved() const {
  std::vector<Tensor> all;
  const Context& k = *kept_;
  for (size_t i = 0; i < k.saved.size(); ++i) {
    Tensor t = autograd::Unpack(*k.node, k.saved[i], k.create);
    for (const auto& [at, nr] : k.results) {
      if (at != i || !k.create) continue;
      t = autograd::AliasOf(t);
      k.node->refs.Increment();
      autograd::SetEdge(t, {NodeRef(k.node), nr});
    }
    all.push_back(std::move(t));
  }
  return all;
}

namespace {

bool IsSameView(const Tensor& a, const Tensor& b) {
  return a.shares_storage_with(b) && a.data() == b.data() && a.dtype() == b.dtype() &&
         std::ranges::equal(a.sizes(), b.sizes()) && std::ranges::equal(a.strides(), b.strides());
}

// The input was written by what the edge is of, and goes on with it. saved: kept by that.
// Errors: kInvalidArgument for leaves that require a gradient, and views of them.
void Rewrite(const Tensor& input, const autograd::Edge& made, std::vector<autograd::Saved>& saved) {
  const Tensor root = autograd::RootOf(input);
  if (root.is_same(input)) {
    autograd::History& h = autograd::NeedHistory(input);
    if (h.edge && h.edge.node->kind == NodeKind::kLeaf) {
      Fail(ErrorCode::kInvalidArgument, {made.node->Name(), ": a leaf that requires a gradient, ",
                                         Describe(input), ", was written in place"});
    }
    h.edge = made;
    ++h.stamp;  // views are renewed
    return;
  }
  autograd::RequireRecordedView(made.node->Name(), input);
  // Through a view: what it holds now is written into it by a call that is recorded.
  const Tensor value = clone(autograd::AliasOf(input));
  autograd::SetEdge(value, made);
  copy_(input, value);
  for (autograd::Saved& s : saved) {
    if (s.t.defined() && s.t.shares_storage_with(input)) s.writes = version_of(s.t);
  }
}

// What forward has returned as a program may have it: other tensors on the same memory for inputs
// that were not written, for what has history, and with a node, for what others hold, too. What was
// a view of an input, of another result or of anything else is one then. What is to have no
// gradient is detached.
std::vector<Tensor> ResultsOf(std::string_view name, const FunctionContext& c,
                              const std::vector<Tensor>& made, const std::vector<Tensor>& inputs,
                              bool recorded) {
  std::vector<Tensor> results = made;
  std::vector<bool> followed(made.size());
  for (size_t k = 0; k < made.size(); ++k) {
    const Tensor& t = made[k];
    if (!t.defined()) continue;
    const bool given = std::ranges::any_of(inputs, [&](const Tensor& x) { return x.is_same(t); });
    const bool view = !autograd::RootOf(t).is_same(t);
    const bool differentiable =
        recorded && !Context::IsNone(c, k) && autograd::IsDifferentiable(t.dtype());
    const bool dirty = Context::IsDirty(c, k);
    if (dirty && !recorded && is_grad_enabled() && requires_grad(autograd::RootOf(t)))
      autograd::RequireRecordedView(name, t);
    if (dirty && (differentiable || !requires_grad(t))) continue;
    // `made` and `results` hold it.
    const bool held = differentiable && (t.use_count() > 2 || autograd::HistoryOf(t) != nullptr);
    const bool detached = !differentiable && requires_grad(t);
    if (!given && !held && (!detached || view)) continue;
    results[k] = autograd::AliasOf(t);
    followed[k] = !detached && (given || view);
  }
  for (size_t k = 0; k < made.size(); ++k) {
    if (!followed[k]) continue;
    Tensor root = autograd::RootOf(made[k]);
    for (size_t i = 0; i < made.size() && !root.is_same(made[k]); ++i) {
      if (!made[i].is_same(root)) continue;
      root = results[i];
      break;
    }
    autograd::TrackUnrecorded(results[k], root);
    autograd::History* h = autograd::HistoryOf(results[k]);
    if (h != nullptr && recorded && !Context::IsNone(c, k)) h->origin = autograd::Origin::kFunction;
  }
  return results;
}

}  // namespace

std::vector<Tensor> ApplyFunction(const char* name, const ForwardFunction& forward,
                                  BackwardFunction backward, const std::vector<Tensor>& inputs) {
  auto context = std::make_shared<FunctionContext>();
  NodeRef n;
  const autograd::BatchHooks* hooks = autograd::batch_hooks.load(std::memory_order_acquire);
  int depth = 0;
  for (const Tensor& t : inputs) {
    if (hooks != nullptr && t.defined()) depth = std::max(depth, hooks->depth_of(t));
  }
  Context::Needs(*context).assign(inputs.size(), false);
  if (is_grad_enabled()) {
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (!inputs[i].defined()) continue;
      autograd::Edge e = autograd::EdgeOf(inputs[i]);
      if (!e || e.node->depth < depth) continue;
      Context::Needs(*context)[i] = true;
      if (!n) n = NodeRef(new Node(NodeKind::kCustom));
      n->AddInput(i, 0, std::move(e));
    }
  }
  std::vector<Tensor> results;
  if (!n && depth > 0 && hooks->function(name, forward, backward, inputs, results)) return results;
  {
    const autograd::OuterMode outer(autograd::OuterRecords());
    const NoGrad off;
    results = forward(*context, inputs);
  }
  results = ResultsOf(name, *context, results, inputs, static_cast<bool>(n));
  if (!n) return results;
  n->more().name = std::string(name) + "Backward";
  autograd::SetPlace(*n);
  Context& kept = Context::Of(*context);
  kept.node = n.get();
  const std::vector<Tensor> given = std::move(kept.given);
  n->has_saved = !given.empty() || (context->data.has_value() && !context->data_stays);
  for (const Tensor& t : given) kept.saved.push_back(autograd::Save(t));
  n->more().custom = [context, backward = std::move(backward)](TensorList grads, bool create) {
    Context::Of(*context).create = create;
    return backward(*context, {grads.begin(), grads.end()});
  };
  n->more().free_custom = [context] {
    Context::Of(*context).saved.clear();
    if (!context->data_stays) context->data.reset();
  };
  for (size_t k = 0; k < results.size(); ++k) {
    Tensor& t = results[k];
    n->outs.push_back(autograd::ShapeOfTensor(t));
    if (k == 0) autograd::KeepStream(*n);
    if (!t.defined() || !autograd::IsDifferentiable(t.dtype()) || Context::IsNone(*context, k))
      continue;
    const bool dirty = Context::IsDirty(*context, k);
    for (size_t i = 0; i < given.size(); ++i) {
      const autograd::Saved& s = kept.saved[i];
      if (s.t.defined() && (!s.edge || dirty) && IsSameView(given[i], t))
        kept.results.emplace_back(i, static_cast<uint32_t>(k));
    }
    const autograd::Edge made{n, static_cast<uint32_t>(k)};
    if (dirty) {
      Rewrite(t, made, kept.saved);
    } else {
      autograd::SetEdge(t, made);
    }
  }
  return results;
}

namespace {

// Where the default generators of some devices are.
class GeneratorStates {
 public:
  explicit GeneratorStates(TensorList near) {
    Add(Device{kHost});
    for (const Tensor& t : near) {
      if (t.defined()) Add(t.device());
    }
  }
  void Set() const {
    for (const auto& [device, state] : states_) set_rng_state(state, device);
  }
  // Those of the same devices now.
  GeneratorStates Now() const {
    GeneratorStates now;
    for (const auto& [device, state] : states_) now.Add(device);
    return now;
  }

 private:
  GeneratorStates() = default;
  void Add(Device d) {
    for (const auto& [device, state] : states_) {
      if (device == d) return;
    }
    // Meta tensors draw nothing.
    if (d.type.name() == "meta") return;
    states_.emplace_back(d, get_rng_state(d));
  }
  std::vector<std::pair<Device, Tensor>> states_;
};

}  // namespace

std::vector<Tensor> checkpoint(std::function<std::vector<Tensor>(TensorList)> f,
                               const std::vector<Tensor>& inputs) {
  return ApplyFunction(
      "Checkpoint",
      [f](FunctionContext& c, TensorList x) {
        c.SaveForBackward(x);
        c.data = GeneratorStates(x);
        return f(x);
      },
      [f](FunctionContext& c, TensorList grads) {
        const EnableGrad on;
        const std::vector<Tensor> saved = c.Saved();
        std::vector<Tensor> again, leaves;
        for (size_t i = 0; i < saved.size(); ++i) {
          const Tensor x = saved[i].defined() ? detach(saved[i]) : Tensor();
          again.push_back(x);
          if (c.NeedsInputGrad(i)) leaves.push_back(requires_grad_(x));
        }
        std::vector<Tensor> outputs, arrived;
        const auto& then = std::any_cast<const GeneratorStates&>(c.data);
        const GeneratorStates now = then.Now();
        then.Set();
        std::vector<Tensor> results;
        {
          const absl::Cleanup back = [&now] { now.Set(); };
          results = f(again);
        }
        for (size_t k = 0; k < results.size() && k < grads.size(); ++k) {
          if (!grads[k].defined() || !requires_grad(results[k])) continue;
          outputs.push_back(results[k]);
          arrived.push_back(grads[k]);
        }
        std::vector<Tensor> all(saved.size());
        if (outputs.empty()) return all;
        // Weights that f holds itself gather theirs, as in any backward.
        backward(outputs, arrived);
        for (size_t i = 0; i < saved.size(); ++i) {
          if (c.NeedsInputGrad(i)) all[i] = grad_of(again[i]);
        }
        return all;
      },
      inputs);
}

}  // namespace sy
