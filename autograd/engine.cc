// Backward: nodes are run by falling number, each once all its gradients have arrived.
#include <algorithm>
#include <functional>
#include <optional>
#include <unordered_map>

#include "autograd/classify_internal.h"
#include "autograd/node_internal.h"
#include "switchyard/autograd/autograd.h"
#include "switchyard/autograd/levels.h"
#include "switchyard/core/accelerator.h"
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
  if (!g.defined()) return;
  const NoGrad off;
  if (!item(any(isnan(g))).To<bool>()) return;
  Fail(ErrorCode::kInvalidArgument, {"backward of ", n.Name(), " gave nan in ", Describe(g)});
}

// --- A node runs on the stream that its call ran on. What comes from another one is waited for, by
// events; the host waits for nothing.

// The device that a node's streams are of.
KeyWord PlaceOfNode(const Node& n) { return n.outs.empty() ? 0 : PlaceOfKey(n.outs[0].key); }
// Null: the device's default one.
StreamImpl* StreamImplOf(const Node& n) { return n.on_stream ? n.extras->stream.impl() : nullptr; }
Stream StreamOf(const Node& n, KeyWord place) {
  return n.on_stream ? n.extras->stream : DefaultStream(DeviceOfKey(place));
}

// While it lives, this thread's work goes where the node's call did.
class OnStreamOf {
 public:
  explicit OnStreamOf(const Node& n) {
    const KeyWord place = PlaceOfNode(n);
    if (RowOfKey(place) <= kHostRow || ChosenStream(place) == StreamImplOf(n)) [[likely]]
      return;
    guard_.emplace(StreamOf(n, place));
  }

 private:
  std::optional<StreamGuard> guard_;
};

struct Capture {
  Node* node;
  uint32_t nr;
  Tensor grad;
};

// Gradients that have arrived at a node, one for each result.
using Arrived = Few<Tensor, 1>;

// Where one waits, to be run by falling number.
struct Place {
  uint64_t seq;
  Waiting* at;
  bool operator<(const Place& o) const { return seq < o.seq; }
};

}  // namespace

// A node that waits. Nodes are alive as long as the task has the nodes that it began with.
struct Waiting : Pooled<Waiting> {
  Node* node;
  Arrived grads;
  Waiting* next_unused;
};

struct Task {
  bool retain = false, create = false;
  bool into_leaves = true;  // all leaves gather; else only captures matter
  uint64_t least = 0;       // nodes before it lead to nothing that is wanted
  // Where only captures matter: nodes that are captured, or lead (true) to one that is.
  std::unordered_map<const Node*, bool> wanted;
  std::vector<Capture> captures;
  std::vector<NodeRef> roots;
  std::vector<Stream> streams;     // on which nodes ran, other than the caller's
  std::vector<Tensor> handed_out;  // gradients of leaves that were made on these
  std::vector<Place> heap;
  Waiting* unused = nullptr;
  // Places of nodes that wait in another backward, too; of others the node knows its own.
  std::unordered_map<Node*, Waiting*> shared;

  Task() = default;
  Task(const Task&) = delete;
  ~Task() {
    for (const Place& p : heap) {
      Leave(*p.at->node);
      delete p.at;
    }
    while (unused != nullptr) delete std::exchange(unused, unused->next_unused);
  }

  // Where the node waits; from now on, if it did not.
  Waiting& PlaceOf(Node& n) {
    Task* in = n.task.load(std::memory_order_acquire);
    if (in == this) return *n.place;
    // Also where the other backward has left it by now.
    if (!shared.empty()) [[unlikely]] {
      if (const auto it = shared.find(&n); it != shared.end()) return *it->second;
    }
    if (unused == nullptr) {
      unused = new Waiting;
      unused->next_unused = nullptr;
    }
    Waiting& w = *unused;
    w.node = &n;
    w.grads.resize(n.outs.size());
    if (heap.size() == heap.capacity()) heap.reserve(std::max<size_t>(16, 2 * heap.size()));
    if (in == nullptr && n.task.compare_exchange_strong(in, this, std::memory_order_acq_rel)) {
      n.place = &w;
    } else {
      shared[&n] = &w;
    }
    unused = w.next_unused;
    heap.push_back({n.seq, &w});
    std::push_heap(heap.begin(), heap.end());
    return w;
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

  // What g is, is computed on this thread's current stream; the node goes on when it is there.
  SY_COLD void Order(const Node& n, const Tensor& g) {
    const KeyWord place = PlaceOfKey(g.key());
    if (place != PlaceOfNode(n) || ChosenStream(place) == StreamImplOf(n)) return;
    const Stream to = StreamOf(n, place);
    to.WaitStream(CurrentStream(to.device()));
    RecordStream(g, to);
    if (std::find(streams.begin(), streams.end(), to) == streams.end()) streams.push_back(to);
  }
  // What the caller's streams are given from here on sees what was computed.
  void Join() {
    for (const Stream& s : streams) CurrentStream(s.device()).WaitStream(s);
    const auto hand = [](const Tensor& g) {
      if (g.defined()) RecordStream(g, CurrentStream(g.device()));
    };
    if (streams.empty()) return;
    for (const Capture& c : captures) hand(c.grad);
    for (const Tensor& g : handed_out) hand(g);
  }

  void Deliver(const Edge& e, Tensor g) {
    if (!g.defined() || !e) return;
    if (e.node->seq < least) return;
    if (!into_leaves && !wanted.contains(e.node.get())) return;
    if (RowOfKey(g.key()) != kHostRow) [[unlikely]]
      return DeliverThere(e, std::move(g));
    Put(e, std::move(g));
  }
  SY_COLD void DeliverThere(const Edge& e, Tensor g) {
    Order(*e.node, g);
    const OnStreamOf on(*e.node);
    Put(e, std::move(g));
  }
  SY_INLINE void Put(const Edge& e, Tensor g) {
    Node& n = *e.node;
    if (!IsLike(n.outs[e.nr], g)) [[unlikely]]
      g = Fitted(n, n.outs[e.nr], std::move(g));
    Tensor& at = PlaceOf(n).grads[e.nr];
    if (!at.defined()) [[likely]]
      return at.swap(g);
    at = Sum(std::move(at), std::move(g));
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
      if (grads[nr].defined()) kept = kept.defined() ? add(kept, grads[nr]) : grads[nr];
    }
  }

  void Accumulate(Node& n, Tensor g) {
    std::vector<std::function<void()>> after;
    {
      std::lock_guard lock(n.mutex);
      Extras& x = n.more();
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
      if (!streams.empty()) [[unlikely]]
        handed_out.push_back(x.grad);
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

  void RunNode(Node& n, Arrived& grads) {
    RunHooks(n, grads);
    for (Capture& c : captures) {
      if (c.node == &n) c.grad = grads[c.nr];
    }
    if (!into_leaves && !wanted.find(&n)->second) return;
    switch (n.kind) {
      case NodeKind::kLeaf:
        if (into_leaves && grads[0].defined()) Accumulate(n, std::move(grads[0]));
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
          if (looks_for_nan) [[unlikely]]
            RequireNumbers(n, g);
          Deliver(in.edge, std::move(g));
        });
    }
    if (!retain) n.FreeSaved();
  }

  void Run() {
    while (!heap.empty()) {
      std::pop_heap(heap.begin(), heap.end());
      Waiting& w = *heap.back().at;
      heap.pop_back();
      Leave(*w.node);
      struct Done {
        Task& task;
        Waiting& w;
        ~Done() {
          w.grads.clear();
          w.next_unused = std::exchange(task.unused, &w);
        }
      } done{*this, w};
      const OnStreamOf on(*w.node);
      RunNode(*w.node, w.grads);
    }
    Join();
  }

  // The gradient of what has the edge is asked for.
  void AskFor(const Edge& e) {
    if (captures.empty()) least = ~uint64_t{0};
    into_leaves = false;
    captures.push_back({e.node.get(), e.nr, {}});
    least = std::min(least, e.node->seq);
  }

  template <class F>
  static void ForEachInput(const Node& n, F f) {
    for (const Input& in : n.inputs) f(*in.edge.node);
    if (n.kind != NodeKind::kWrite) return;
    for (const Input& in : n.extras->inner->inputs) f(*in.edge.node);
  }
  // Finds what is wanted: the rest is not computed, and its hooks are not called.
  void FindWanted(const std::vector<Edge>& from) {
    std::vector<Node*> reached;
    for (const Edge& e : from) {
      if (e.node->seq >= least && wanted.emplace(e.node.get(), false).second)
        reached.push_back(e.node.get());
    }
    for (size_t i = 0; i < reached.size(); ++i) {
      ForEachInput(*reached[i], [&](Node& in) {
        if (in.seq >= least && wanted.emplace(&in, false).second) reached.push_back(&in);
      });
    }
    std::sort(reached.begin(), reached.end(),
              [](const Node* a, const Node* b) { return a->seq < b->seq; });
    wanted.clear();
    for (const autograd::Capture& c : captures) wanted.emplace(c.node, false);
    for (Node* n : reached) {
      bool leads = false;
      ForEachInput(*n, [&](const Node& in) { leads = leads || wanted.contains(&in); });
      if (leads) wanted[n] = true;
    }
  }

  void Begin(TensorList outputs, TensorList gradients) {
    if (!gradients.empty() && gradients.size() != outputs.size()) {
      Fail(ErrorCode::kInvalidArgument,
           {"backward: there are ", int64_t(outputs.size()), " outputs, and ",
            int64_t(gradients.size()), " gradients"});
    }
    std::vector<Edge> edges;
    for (size_t i = 0; i < outputs.size(); ++i) {
      const Tensor& out = outputs[i];
      Edge e = out.defined() ? EdgeOf(CarrierOf(out)) : Edge();
      if (!e) {
        Fail(ErrorCode::kInvalidArgument,
             {"backward: output ", int64_t(i), ", ", Describe(out),
              ", requires no gradient and was made by nothing that was recorded"});
      }
      roots.push_back(e.node);
      edges.push_back(std::move(e));
    }
    if (!into_leaves) FindWanted(edges);
    for (size_t i = 0; i < outputs.size(); ++i) {
      const Tensor& out = outputs[i];
      Tensor g = gradients.empty() ? Tensor() : gradients[i];
      if (!g.defined()) {
        if (out.numel() != 1 || IsComplex(out.dtype())) {
          Fail(ErrorCode::kInvalidArgument,
               {"backward: a gradient is needed for ", Describe(out),
                out.numel() != 1 ? ", which has more than one element" : ", which is complex"});
        }
        g = ones(out.sizes(), out.dtype(), std::nullopt, out.device());
      } else if (!SameSizes(g.sizes(), out.sizes())) {
        Fail(ErrorCode::kInvalidArgument, {"backward: the gradient of ", Describe(out), " is ",
                                           Describe(g), ", expected the same sizes"});
      }
      Deliver(edges[i], OfCarrier(out, g));
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
  const autograd::OwnWork mode(task.create);
  std::vector<Tensor> inputs;  // each once
  for (const Tensor& t : options.inputs) {
    const Tensor& input = autograd::CarrierOf(t);
    const Edge e = input.defined() ? autograd::EdgeOf(input) : Edge();
    if (!e) {
      Fail(ErrorCode::kInvalidArgument,
           {"backward: an input, ", Describe(t), ", requires no gradient"});
    }
    const bool known = std::any_of(
        task.captures.begin(), task.captures.end(),
        [&](const autograd::Capture& c) { return c.node == e.node.get() && c.nr == e.nr; });
    if (known) continue;
    task.AskFor(e);
    inputs.push_back(input);
  }
  task.Begin(outputs, gradients);
  task.Run();
  for (size_t i = 0; i < inputs.size(); ++i) {
    Tensor& g = task.captures[i].grad;
    if (!g.defined()) continue;
    const Edge e = autograd::EdgeOf(inputs[i]);
    if (e.node->kind == autograd::NodeKind::kLeaf) {
      task.Accumulate(*e.node, std::move(g));
    } else if (!autograd::Retains(e)) {  // else it was added when it arrived
      retain_grad(inputs[i]);
      set_grad(inputs[i], g);
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
  const autograd::OwnWork mode(task.create);
  for (const Tensor& t : inputs) {
    const Edge e = t.defined() ? autograd::EdgeOf(autograd::CarrierOf(t)) : Edge();
    if (!e) {
      Fail(ErrorCode::kInvalidArgument,
           {"grad: an input, ", Describe(t), ", requires no gradient"});
    }
    task.AskFor(e);
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
    all.push_back(autograd::FromCarrier(inputs[i], task.captures[i].grad));
  }
  return all;
}

}  // namespace sy
