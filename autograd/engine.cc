// Backward: nodes are run by falling number, each once all its gradients have arrived.
#include <algorithm>
#include <unordered_map>

#include "autograd/classify_internal.h"
#include "autograd/node_internal.h"
#include "switchyard/autograd/autograd.h"
#include "switchyard/autograd/levels.h"
#include "switchyard/core/error.h"
#include "switchyard/core/shape.h"
#include "switchyard/core/tensor_impl.h"
#include "switchyard/ops.h"

namespace sy {
namespace autograd {
namespace {

// A tensor as the result of a node wants its gradient.
Tensor Fitted(const Node& n, const Shape& shape, Tensor g) {
  const DType want = DTypeOfKey(shape.key);
  if (!SameSizes(shape.sizes, g.sizes())) {
    if (!IsExpandable(shape.sizes, g.sizes())) {
      Fail(ErrorCode::kInvalidArgument,
           {"backward: a gradient that goes to ", n.Name(), " has sizes ", g.sizes(), ", expected ",
            IntSpan(shape.sizes)});
    }
    g = sum_to_size(g, IntSpan(shape.sizes));
  }
  if (IsComplex(g.dtype()) && !IsComplex(want)) g = real(g);
  if (g.dtype() != want) g = to(g, want);
  if (PlaceOfKey(g.key()) != PlaceOfKey(shape.key)) {
    if (g.dim() != 0) {
      Fail(ErrorCode::kInvalidArgument,
           {"backward: a gradient that goes to ", n.Name(), " is on ", g.device().str(),
            ", expected ", DeviceOfKey(shape.key).str()});
    }
    g = to(g, DeviceOfKey(shape.key), want);
  }
  return g;
}

thread_local bool looks_for_nan = false;

// Errors: kInvalidArgument where the gradient that n gave has one.
void RequireNumbers(const Node& n, const Tensor& g) {
  if (!looks_for_nan || !g.defined()) return;
  const NoGrad off;
  if (!item(any(isnan(g))).To<bool>()) return;
  Fail(ErrorCode::kInvalidArgument, {"backward of ", n.Name(), " gave nan in ", Describe(g)});
}

struct Capture {
  Node* node;
  uint32_t nr;
  Tensor grad;
};

bool Sooner(const NodeRef& a, const NodeRef& b) { return a->seq < b->seq; }

}  // namespace

struct Task {
  bool retain = false, create = false;
  bool into_leaves = true;  // all leaves gather; else only captures matter
  uint64_t least = 0;       // nodes before it lead to nothing that is wanted
  std::vector<Capture> captures;
  std::vector<NodeRef> heap;
  std::unordered_map<Node*, std::vector<Tensor>> arrived;

  // Nobody else sees its memory.
  static bool Own(const Tensor& g) {
    return g.use_count() == 1 && g.impl()->storage->refs.count() == 1 && g.is_contiguous();
  }
  // What b stands for can be written into a: not that of many tensors into that of one.
  static bool Fits(const Tensor& a, const Tensor& b) { return OtherLayers(a) == OtherLayers(b); }
  Tensor Sum(Tensor a, Tensor b) const {
    if (!create && Own(a) && a.is_non_overlapping_and_dense() && Fits(a, b)) {
      add_(a, b);
      return a;
    }
    return add(a, b);
  }

  void Deliver(const Edge& e, Tensor g) {
    if (!g.defined() || !e) return;
    Node* n = e.node.get();
    if (n->seq < least) return;
    g = Fitted(*n, n->outs[e.nr], std::move(g));
    std::vector<Tensor>& all = arrived[n];
    if (all.empty()) {
      all.resize(n->outs.size());
      heap.push_back(e.node);
      std::push_heap(heap.begin(), heap.end(), Sooner);
    }
    Tensor& at = all[e.nr];
    at = at.defined() ? Sum(std::move(at), std::move(g)) : std::move(g);
  }

  // The whole gradient of each result has arrived.
  void RunHooks(Node& n, std::vector<Tensor>& grads) {
    std::vector<Hook> hooks;
    {
      std::lock_guard lock(n.mutex);
      if (n.extras == nullptr) return;
      hooks = n.extras->hooks;
    }
    for (const Hook& h : hooks) {
      if (!grads[h.nr].defined()) continue;
      Tensor other = h.run(grads[h.nr]);
      if (other.defined()) grads[h.nr] = Fitted(n, n.outs[h.nr], std::move(other));
    }
    std::lock_guard lock(n.mutex);
    for (auto& [nr, kept] : n.extras->retained) {
      if (grads[nr].defined()) kept = grads[nr];
    }
  }

  void Accumulate(const NodeRef& n, Tensor g) {
    std::vector<std::function<void()>> after;
    {
      std::lock_guard lock(n->mutex);
      if (!n->grad.defined()) {
        if (create) {
          n->grad = std::move(g);
        } else {
          n->grad = Own(g) ? std::move(g) : clone(g);
        }
      } else if (create || !Fits(n->grad, g)) {
        n->grad = add(n->grad, g);
      } else {
        add_(n->grad, g);
      }
      if (n->extras != nullptr) {
        for (const auto& [id, f] : n->extras->after) after.push_back(f);
      }
    }
    for (const auto& f : after) f();
  }

  // Runs the formulas of a call; give(input, gradient) gets what they find.
  template <class F>
  void RunCall(Node& n, const std::vector<Tensor>& grads, F give) {
    if (n.freed) FailFreed(n);
    if (n.kind == NodeKind::kZero) {
      for (const Input& in : n.inputs) {
        give(in, ZerosOf(in.edge.node->outs[in.edge.nr]));
      }
      return;
    }
    if (n.kind == NodeKind::kRefuse) {
      const std::string& problem = n.op_class->problem;
      Fail(ErrorCode::kNotImplemented, n.op->name(),
           {"has no gradient", problem.empty() ? "" : ": ", problem});
    }
    const Grad g(n, grads, create);
    for (const PreparedTerm& t : n.op_class->terms) {
      if (!Needed(t, n.inputs)) continue;
      Gradients out(n);
      t.term->thunk(t.term->fn, g, t.positions[0], out);
      for (Gradients::Item& item : out.items()) {
        for (const Input& in : n.inputs) {
          if (in.position == item.position && in.i == item.i) give(in, std::move(item.g));
        }
      }
    }
  }

  // The part that was written goes through what was written; the rest to what was there.
  void RunWrite(Node& n, const Tensor& g) {
    Tensor whole = NewWhole(g, n.geometry->root);
    copy_(whole, g);
    const int64_t offset = n.geometry->view.offset - n.geometry->root.offset;
    const auto part_of_whole = [&] {
      return as_strided(whole, n.geometry->view.sizes, n.geometry->view.strides, offset);
    };
    Tensor part = part_of_whole();
    const std::vector<Tensor> grads = {clone(part)};
    Tensor self;
    RunCall(*n.inner, grads, [&](const Input& in, Tensor gi) {
      if (in.position != 0) return Deliver(in.edge, std::move(gi));
      self = Fitted(*n.inner, n.inner->outs[0], std::move(gi));
    });
    if (self.defined() && !Fits(whole, self)) {
      const Tensor wide = NewWhole(self, n.geometry->root);
      copy_(wide, whole);
      whole = wide;
      part = part_of_whole();
    }
    if (self.defined()) {
      copy_(part, self);
    } else {
      zero_(part);
    }
    for (const Input& in : n.inputs) Deliver(in.edge, whole);
    if (!retain) n.inner->FreeSaved();
  }

  void RunNode(const NodeRef& ref, std::vector<Tensor> grads) {
    Node& n = *ref;
    RunHooks(n, grads);
    for (Capture& c : captures) {
      if (c.node == &n) c.grad = grads[c.nr];
    }
    switch (n.kind) {
      case NodeKind::kLeaf:
        if (into_leaves && grads[0].defined()) Accumulate(ref, std::move(grads[0]));
        return;
      case NodeKind::kView:
        if (grads[0].defined()) {
          Deliver(n.inputs[0].edge, Scatter(grads[0], n.geometry->view, n.geometry->root));
        }
        return;
      case NodeKind::kWrite:
        if (grads[0].defined()) RunWrite(n, grads[0]);
        return;
      case NodeKind::kCustom: {
        if (n.freed) FailFreed(n);
        std::vector<Tensor> given = n.custom(grads, create);
        for (const Input& in : n.inputs) {
          if (in.position < given.size()) Deliver(in.edge, given[in.position]);
        }
        break;
      }
      default:
        RunCall(n, grads, [&](const Input& in, Tensor g) {
          RequireNumbers(n, g);
          Deliver(in.edge, std::move(g));
        });
    }
    if (!retain) n.FreeSaved();
  }

  void Run() {
    while (!heap.empty()) {
      std::pop_heap(heap.begin(), heap.end(), Sooner);
      const NodeRef n = std::move(heap.back());
      heap.pop_back();
      const auto it = arrived.find(n.get());
      std::vector<Tensor> grads = std::move(it->second);
      arrived.erase(it);
      RunNode(n, std::move(grads));
    }
  }

  void Begin(TensorList outputs, TensorList gradients) {
    if (!gradients.empty() && gradients.size() != outputs.size()) {
      Fail(ErrorCode::kInvalidArgument,
           {"backward: there are ", int64_t(outputs.size()), " outputs, and ",
            int64_t(gradients.size()), " gradients"});
    }
    for (size_t i = 0; i < outputs.size(); ++i) {
      const Tensor& out = outputs[i];
      const Edge e = out.defined() ? EdgeOf(out) : Edge();
      if (!e) {
        Fail(ErrorCode::kInvalidArgument,
             {"backward: output ", int64_t(i), ", ", Describe(out),
              ", requires no gradient and was made by nothing that was recorded"});
      }
      Tensor g = gradients.empty() ? Tensor() : gradients[i];
      if (!g.defined()) {
        if (out.numel() != 1) {
          Fail(ErrorCode::kInvalidArgument, {"backward: a gradient is needed for ", Describe(out),
                                             ", which has more than one element"});
        }
        g = ones(out.sizes(), out.dtype(), std::nullopt, out.device());
      } else if (!SameSizes(g.sizes(), out.sizes())) {
        Fail(ErrorCode::kInvalidArgument, {"backward: the gradient of ", Describe(out), " is ",
                                           Describe(g), ", expected the same sizes"});
      }
      Deliver(e, std::move(g));
    }
  }
};

}  // namespace autograd

using autograd::Edge;
using autograd::Task;

Anomaly::Anomaly() : saved_(std::exchange(autograd::looks_for_nan, true)) {}
Anomaly::~Anomaly() { autograd::looks_for_nan = saved_; }

void backward(TensorList outputs, TensorList gradients, const BackwardOptions& options) {
  Task task;
  task.create = options.create_graph;
  task.retain = options.retain_graph || options.create_graph;
  const autograd::OuterMode outer(autograd::OuterRecords());
  const SetGrad mode(task.create);
  for (const Tensor& t : options.inputs) {
    const Edge e = autograd::EdgeOf(t);
    if (!e) {
      Fail(ErrorCode::kInvalidArgument,
           {"backward: an input, ", Describe(t), ", requires no gradient"});
    }
    task.captures.push_back({e.node.get(), e.nr, {}});
    task.into_leaves = false;
  }
  task.Begin(outputs, gradients);
  task.Run();
  for (size_t i = 0; i < options.inputs.size(); ++i) {
    Tensor& g = task.captures[i].grad;
    if (!g.defined()) continue;
    const Edge e = autograd::EdgeOf(options.inputs[i]);
    if (e.node->kind == autograd::NodeKind::kLeaf) {
      task.Accumulate(e.node, std::move(g));
    } else {
      retain_grad(options.inputs[i]);
      set_grad(options.inputs[i], g);
    }
  }
}

void backward(const Tensor& loss, const Tensor& gradient, const BackwardOptions& options) {
  if (!gradient.defined()) return backward({&loss, 1}, TensorList(), options);
  backward({&loss, 1}, {&gradient, 1}, options);
}

std::vector<Tensor> grad(TensorList outputs, TensorList inputs, TensorList grad_outputs,
                         const BackwardOptions& options) {
  Task task;
  task.create = options.create_graph;
  task.retain = options.retain_graph || options.create_graph;
  task.into_leaves = false;
  const autograd::OuterMode outer(autograd::OuterRecords());
  const SetGrad mode(task.create);
  task.least = ~uint64_t{0};
  for (const Tensor& t : inputs) {
    const Edge e = t.defined() ? autograd::EdgeOf(t) : Edge();
    if (!e) {
      Fail(ErrorCode::kInvalidArgument,
           {"grad: an input, ", Describe(t), ", requires no gradient"});
    }
    task.captures.push_back({e.node.get(), e.nr, {}});
    task.least = std::min(task.least, e.node->seq);
  }
  task.Begin(outputs, grad_outputs);
  task.Run();
  std::vector<Tensor> all;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!task.captures[i].grad.defined() && !options.allow_unused) {
      Fail(ErrorCode::kInvalidArgument,
           {"grad: input ", int64_t(i), ", ", Describe(inputs[i]),
            ", had no part in the outputs; with allow_unused its gradient is undefined"});
    }
    all.push_back(std::move(task.captures[i].grad));
  }
  return all;
}

}  // namespace sy
