// Backward: nodes are run by falling number, each once all its gradients have arrived.
#include <algorithm>
#include <functional>
#include <unordered_map>

#include "autograd/classify_internal.h"
#include "autograd/node_internal.h"
#include "switchyard/autograd/autograd.h"
#include "switchyard/autograd/levels.h"
#include "switchyard/core/error.h"
#include "switchyard/core/shape.h"
#include "switchyard/core/tensor_impl.h"
#include "switchyard/dispatcher/call.h"
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

// Gradients that have arrived at a node, one for each result.
using Arrived = absl::InlinedVector<Tensor, 1>;
struct Waiting {
  NodeRef node;
  Arrived grads;
};
// Where one waits, to be run by falling number.
struct Place {
  uint64_t seq;
  uint32_t at;
  bool operator<(const Place& o) const { return seq < o.seq; }
};

}  // namespace

struct Task {
  bool retain = false, create = false;
  bool into_leaves = true;  // all leaves gather; else only captures matter
  uint64_t least = 0;       // nodes before it lead to nothing that is wanted
  std::vector<Capture> captures;
  std::vector<Place> heap;
  std::vector<Waiting> waiting;
  std::vector<uint32_t> unused;  // places of `waiting`
  // Places of nodes that wait in another backward, too; of others the node knows its own.
  std::unordered_map<Node*, uint32_t> shared;

  Task() = default;
  Task(const Task&) = delete;
  ~Task() {
    for (const Place& p : heap) Leave(*waiting[p.at].node);
  }

  // Where the node waits; from now on, if it did not.
  uint32_t PlaceOf(const NodeRef& ref) {
    Node& n = *ref;
    Task* in = n.task.load(std::memory_order_acquire);
    if (in == this) return n.place;
    if (in != nullptr && !shared.empty()) {
      if (const auto it = shared.find(&n); it != shared.end()) return it->second;
    }
    uint32_t at;
    if (unused.empty()) {
      at = static_cast<uint32_t>(waiting.size());
      waiting.emplace_back();
      unused.reserve(waiting.capacity());  // so that giving places back cannot fail
    } else {
      at = unused.back();
      unused.pop_back();
    }
    waiting[at].node = ref;
    waiting[at].grads.resize(n.outs.size());
    if (in == nullptr && n.task.compare_exchange_strong(in, this, std::memory_order_acq_rel)) {
      n.place = at;
    } else {
      shared[&n] = at;
    }
    heap.push_back({n.seq, at});
    std::push_heap(heap.begin(), heap.end());
    return at;
  }
  void Leave(Node& n) {
    if (n.task.load(std::memory_order_relaxed) == this) {
      n.task.store(nullptr, std::memory_order_release);
    } else {
      shared.erase(&n);
    }
  }

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
    Tensor& at = waiting[PlaceOf(e.node)].grads[e.nr];
    at = at.defined() ? Sum(std::move(at), std::move(g)) : std::move(g);
  }

  // The whole gradient of each result has arrived.
  void RunHooks(Node& n, Arrived& grads) {
    if (!n.watched.load(std::memory_order_acquire)) return;
    std::vector<Hook> hooks;
    {
      std::lock_guard lock(n.mutex);
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
      Extras& x = n->more();
      if (!x.grad.defined()) {
        if (create) {
          x.grad = std::move(g);
        } else {
          x.grad = Own(g) ? std::move(g) : clone(g);
        }
      } else if (create || !Fits(x.grad, g)) {
        x.grad = add(x.grad, g);
      } else {
        add_(x.grad, g);
      }
      after.reserve(x.after.size());
      for (const auto& [id, f] : x.after) after.push_back(f);
    }
    for (const auto& f : after) f();
  }

  // By the operator that is named for it (registry/derivative.h).
  static void RunDerivative(const Node& n, const Grad& g, Gradients& out) {
    using From = DerivativeMatch::From;
    const OpClass& c = *n.op_class;
    const Schema& schema = c.by->schema();
    std::vector<Tensor> held;  // what values are of
    std::vector<std::vector<Tensor>> lists;
    std::vector<Value> args;
    args.reserve(c.match.arguments.size());
    const auto take = [&](Tensor t) { args.emplace_back(held.emplace_back(std::move(t))); };
    for (size_t i = 0; i < c.match.arguments.size(); ++i) {
      const auto [from, at] = c.match.arguments[i];
      const Type& type = schema.arguments[i].type;
      if (from == From::kDefault) {
        args.push_back(c.by->defaults()[i]);
      } else if (from == From::kGradient) {
        take(type.optional && !g.defined(at) ? Tensor() : g.or_zeros(at));
      } else if (from == From::kResult) {
        take(g.SavedResult(at));
      } else if (type.is_tensor()) {
        take(g.SavedTensor(at));
      } else if (type.is_tensor_list()) {
        args.emplace_back(TensorList(lists.emplace_back(g.SavedTensors(at))));
      } else {
        args.push_back(g.ValueOf(at));
      }
    }
    Results results;
    CallBoxed(*c.by, args, results.Reset(c.by->num_results));
    for (size_t i = 0; i < c.match.inputs.size(); ++i) {
      if (out.needs(c.match.inputs[i])) out.Set(c.match.inputs[i], results[i].tensor());
    }
  }

  // Runs the formulas of a call; give(input, gradient) gets what they find.
  template <class F>
  void RunCall(Node& n, TensorList grads, F give) {
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
    struct Giver final : Gradients::Taker {
      const Node& n;
      F& give;
      Giver(const Node& node, F& f) : n(node), give(f) {}
      void Take(size_t position, size_t i, Tensor got) override {
        for (const Input& in : n.inputs) {
          if (in.position == position && in.i == i) return give(in, std::move(got));
        }
      }
    };
    Giver giver(n, give);
    Gradients out(n, giver);
    const Grad g(n, grads, create);
    for (const PreparedTerm& t : n.op_class->terms) {
      if ((t.positions & n.needs) == 0) continue;
      if (t.term == nullptr) {
        RunDerivative(n, g, out);
      } else {
        t.term->thunk(t.term->fn, g, t.first, out);
      }
    }
  }

  // The part that was written goes through what was written; the rest to what was there.
  void RunWrite(Node& n, const Tensor& g) {
    const auto& [view, root] = *n.extras->geometry;
    Node& inner = *n.extras->inner;
    Tensor whole = NewWhole(g, root);
    copy_(whole, g);
    const auto part_of_whole = [&, &v = view, &r = root] {
      return as_strided(whole, v.sizes, v.strides, v.offset - r.offset);
    };
    Tensor part = part_of_whole();
    const Tensor of_part = clone(part);
    Tensor self;
    RunCall(inner, {&of_part, 1}, [&](const Input& in, Tensor gi) {
      if (in.position != 0) return Deliver(in.edge, std::move(gi));
      self = Fitted(inner, inner.outs[0], std::move(gi));
    });
    if (self.defined() && !Fits(whole, self)) {
      const Tensor wide = NewWhole(self, root);
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
    if (!retain) inner.FreeSaved();
  }

  void RunNode(const NodeRef& ref, Arrived grads) {
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
          Deliver(n.inputs[0].edge,
                  Scatter(grads[0], n.extras->geometry->view, n.extras->geometry->root));
        }
        return;
      case NodeKind::kWrite:
        if (grads[0].defined()) RunWrite(n, grads[0]);
        return;
      case NodeKind::kCustom: {
        if (n.freed) FailFreed(n);
        std::vector<Tensor> given = n.extras->custom(grads, create);
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
      std::pop_heap(heap.begin(), heap.end());
      const uint32_t at = heap.back().at;
      heap.pop_back();
      const NodeRef n = std::move(waiting[at].node);
      Arrived grads = std::move(waiting[at].grads);
      waiting[at].grads.clear();
      unused.push_back(at);
      Leave(*n);
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
