#include "switchyard/autograd/levels.h"

#include <algorithm>
#include <unordered_set>
#include <vector>

#include "autograd/node_internal.h"
#include "switchyard/autograd/autograd.h"
#include "switchyard/core/error.h"

namespace sy::autograd {

std::atomic<const BatchHooks*> batch_hooks{nullptr};
std::atomic<void (*)(const Tensor& alias, const Tensor& of)> alias_made{nullptr};

namespace {

struct Outer {
  bool on = true;       // whether values are recorded while recording is on
  bool inside = false;  // `on` holds though recording is off here
};
thread_local Outer outer;
thread_local int depth = 0;

// Calls f with every node that the outputs' histories lead to, from it on only where f says true.
template <class F>
void Walk(TensorList outputs, F f) {
  std::vector<const Node*> waiting;
  std::unordered_set<const Node*> seen;
  const auto add = [&](const Edge& e) {
    if (e && seen.insert(e.node.get()).second) waiting.push_back(e.node.get());
  };
  for (const Tensor& t : outputs) {
    if (t.defined()) add(EdgeOf(t));
  }
  while (!waiting.empty()) {
    const Node* n = waiting.back();
    waiting.pop_back();
    if (!f(*n)) continue;
    for (const Input& in : n->inputs) add(in.edge);
    if (n->extras == nullptr || !n->extras->inner) continue;
    for (const Input& in : n->extras->inner->inputs) add(in.edge);
  }
}

std::vector<const Node*> NodesOf(TensorList inputs) {
  std::vector<const Node*> nodes;
  nodes.reserve(inputs.size());
  for (const Tensor& t : inputs) nodes.push_back(EdgeOf(t).node.get());
  return nodes;
}
bool IsIn(const std::vector<const Node*>& nodes, const Node& n) {
  return std::find(nodes.begin(), nodes.end(), &n) != nodes.end();
}

}  // namespace

int& CurrentDepth() { return depth; }
bool MayBeFollowed() { return depth > 0 || is_grad_enabled(); }

bool OuterRecords() { return outer.on && (outer.inside || is_grad_enabled()); }
bool OuterRecordsHere() { return outer.on; }
OuterMode::OuterMode(bool on, Until until) : on_(outer.on), inside_(outer.inside) {
  outer = {on, until == kInside};
}
OuterMode::~OuterMode() { outer = {on_, inside_}; }

Tensor FreshInput(const Tensor& x) {
  Tensor t = AliasOf(x);
  Edge behind = EdgeOf(x);
  if (!behind) return requires_grad_(t);
  NodeRef n(new Node(NodeKind::kCustom));
  n->more().name = "InputBackward";
  n->AddInput(0, 0, std::move(behind));
  n->outs.push_back(ShapeOfTensor(x));
  n->more().custom = [](TensorList grads, bool) {
    return std::vector<Tensor>(grads.begin(), grads.end());
  };
  SetPlace(*n);
  n->depth = static_cast<uint16_t>(std::max<int>(n->depth, depth));
  SetEdge(t, {std::move(n), 0});
  return t;
}

bool LeadsFurther(TensorList outputs, TensorList inputs) {
  const std::vector<const Node*> ours = NodesOf(inputs);
  bool further = false;
  Walk(outputs, [&](const Node& n) {
    further =
        further || n.further || (IsIn(ours, n) ? !n.inputs.empty() : n.kind == NodeKind::kLeaf);
    return !further && !IsIn(ours, n);
  });
  return further;
}

bool DependsOn(const Tensor& output, TensorList inputs) {
  const std::vector<const Node*> ours = NodesOf(inputs);
  bool found = false;
  Walk({&output, 1}, [&](const Node& n) {
    found = found || IsIn(ours, n);
    return !found;
  });
  return found;
}

Tensor WithoutHistory(const Tensor& t) { return t.defined() ? AliasOf(t) : t; }

}  // namespace sy::autograd
