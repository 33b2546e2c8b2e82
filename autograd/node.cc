#include <algorithm>
#include <cstring>

#include "autograd/classify_internal.h"
#include "autograd/node_internal.h"
#include "switchyard/autograd/autograd.h"
#include "switchyard/core/error.h"
#include "switchyard/core/quantizer.h"
#include "switchyard/core/shape.h"
#include "switchyard/core/sparse.h"
#include "switchyard/core/tensor_impl.h"
#include "switchyard/ops.h"

namespace sy {
namespace autograd {
namespace {

std::atomic<int64_t> live{0};
thread_local uint64_t clock = 0;

// Views are renewed one at a time: a rare thing.
std::mutex& RenewMutex() {
  static std::mutex& m = *new std::mutex;
  return m;
}

struct Releasing {
  bool running = false;
  std::vector<Node*> waiting;
};
thread_local Releasing releasing;

}  // namespace

NodeRef::NodeRef(const NodeRef& o) : n_(o.n_) {
  if (n_ != nullptr) n_->refs.Increment();
}

Node::Node(NodeKind k) : kind(k) { live.fetch_add(1, std::memory_order_relaxed); }
Node::~Node() { live.fetch_sub(1, std::memory_order_relaxed); }
int64_t LiveNodes() { return live.load(); }

// A chain is released one node after the other, not one inside the other.
void ReleaseNode(Node* n) noexcept {
  if (!n->refs.Decrement()) return;
  Releasing& r = releasing;
  if (r.running) return r.waiting.push_back(n);
  r.running = true;
  delete n;
  while (!r.waiting.empty()) {
    Node* next = r.waiting.back();
    r.waiting.pop_back();
    delete next;
  }
  r.running = false;
}

std::string Node::Name() const {
  if (!name.empty() || op == nullptr) return name;
  std::string s;
  bool up = true;
  for (const char c : op->schema().name) {
    if (c == ':') {
      s.clear();
      up = true;
    } else if (c == '_') {
      up = true;
    } else {
      s += up ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
      up = false;
    }
  }
  return s + "Backward0";
}

void Node::FreeSaved() {
  Args gone_args;
  absl::InlinedVector<Saved, 1> gone_results;
  std::function<void()> gone_custom;
  {
    std::lock_guard lock(mutex);
    if (has_saved) freed = true;
    if (kind == NodeKind::kCall) gone_args.swap(args);
    gone_results.swap(results);
    gone_custom.swap(free_custom);
  }
  if (gone_custom) gone_custom();
  if (kind == NodeKind::kCall && !has_saved) {  // may run again: values are still needed
    std::lock_guard lock(mutex);
    args.swap(gone_args);
  }
}

Shape ShapeOfTensor(const Tensor& t) {
  if (!t.defined()) return {};
  return {t.key() & kPlaceMask, ShortSizes(t.sizes())};
}
Geometry GeometryOf(const TensorImpl* t) {
  return {{t->sizes(), t->sizes() + t->ndim}, {t->strides(), t->strides() + t->ndim}, t->offset};
}

Tensor ZerosOf(const Shape& shape) {
  const Like like(shape);
  return zeros(like.sizes(), like.dtype(), std::nullopt, like.device());
}

void FailFreed(const Node& n) {
  Fail(ErrorCode::kInvalidArgument,
       {"backward of ", n.Name(),
        ": what it kept was freed by an earlier backward; ask that one for retain_graph"});
}

uint64_t NextSeq(const Inputs& inputs, uint64_t least) {
  uint64_t seq = std::max(clock, least);
  for (const Input& in : inputs) seq = std::max(seq, in.edge.node->seq);
  return clock = seq + 1;
}

History& NeedHistory(const Tensor& t) {
  History* h = Attached<History>(t);
  if (h == nullptr) {
    auto made = std::make_unique<History>();
    h = made.get();
    Attach(t, std::move(made));
  }
  t.impl()->key |= kGradBit;
  return *h;
}
void SetEdge(const Tensor& t, Edge e) { NeedHistory(t).edge = std::move(e); }

Tensor RootOf(const Tensor& t) {
  const History* h = HistoryOf(t);
  return h != nullptr && h->root.defined() ? h->root : t;
}

bool SeesTheSame(const Tensor& view, const Tensor& root) {
  constexpr KeyWord kSeen = kPlaceMask | kConjBit | kNegBit;
  return ((view.key() ^ root.key()) & kSeen) == 0;
}

namespace {

uint32_t StampOf(const Tensor& root) {
  const History* h = HistoryOf(root);
  return h == nullptr ? 0 : h->stamp;
}

// The view's history is that of its root, where the view lies.
void Renew(const Tensor& t, History& h) {
  std::lock_guard lock(RenewMutex());
  const History* r = HistoryOf(h.root);
  const uint32_t now = r == nullptr ? 0 : r->stamp;
  if ((h.edge && h.root_stamp == now) || r == nullptr || !r->edge) return;
  if (!SeesTheSame(t, h.root)) {
    Fail(ErrorCode::kNotImplemented,
         {Describe(t), ", a view of ", Describe(h.root),
          " as other elements, has no gradient once that was written in place"});
  }
  NodeRef n(new Node(NodeKind::kView));
  n->name = "AsStridedBackward0";
  n->inputs.push_back({0, 0, r->edge});
  n->outs.push_back(ShapeOfTensor(t));
  n->geometry =
      std::make_unique<Node::View>(Node::View{GeometryOf(t.impl()), GeometryOf(h.root.impl())});
  n->seq = NextSeq(n->inputs);
  h.edge = {std::move(n), 0};
  h.root_stamp = now;
}

}  // namespace

Edge EdgeOf(const Tensor& t) {
  History* h = HistoryOf(t);
  if (h == nullptr) return {};
  if (h->root.defined() && (!h->edge || h->root_stamp != StampOf(h->root))) Renew(t, *h);
  return h->edge;
}
bool NeedsGrad(const Tensor& t) {
  const History* h = HistoryOf(t);
  if (h == nullptr) return false;
  if (h->edge) return true;
  if (!h->root.defined()) return false;
  const History* r = HistoryOf(h->root);
  return r != nullptr && r->edge;
}

void TrackView(const Tensor& view, const Tensor& base) {
  if (!IsDifferentiable(view.dtype())) return;
  const Tensor root = RootOf(base);
  if (root.is_same(view)) return;
  History& h = NeedHistory(view);
  h.root = root;
  h.root_stamp = StampOf(root);
}

Tensor AliasOf(const Tensor& t) {
  if (!t.is_strided()) return SparseAlias(t);
  if (const Quantizer* q = FindQuantizer(t)) return MakeQuantized(t, *q);
  const TensorImpl* from = t.impl();
  TensorImpl* a = internal::NewAlias(from, from->ndim);
  std::memcpy(a->dims, from->dims, sizeof(int64_t) * 2 * from->ndim);
  a->numel = from->numel;
  a->flags |= from->flags & (kContiguousFlag | kWrappedNumberFlag);
  a->key &= ~kGradBit;
  return Tensor(a);
}

Saved Save(const Tensor& t) {
  if (!t.defined()) return {};
  Saved s;
  s.writes = t.impl()->storage->writes();
  s.edge = EdgeOf(t);
  s.t = AliasOf(t);
  return s;
}

Tensor Unpack(const Node& n, const Saved& s, bool create) {
  if (!s.t.defined()) return {};
  const uint32_t now = s.t.impl()->storage->writes();
  if (now != s.writes) {
    Fail(ErrorCode::kInvalidArgument,
         {"backward of ", n.Name(), ": a tensor that it needs, ", Describe(s.t),
          ", was written in place since ", n.op != nullptr ? n.op->name() : n.name,
          "() kept it: it had been written ", int64_t{s.writes}, " times, now ", int64_t{now}});
  }
  if (!create || !s.edge) return s.t;
  Tensor a = AliasOf(s.t);
  SetEdge(a, s.edge);
  return a;
}

namespace {

// Whether elements of the geometry share places, other than by strides of 0.
bool MayOverlap(const Geometry& g) {
  std::vector<std::pair<int64_t, int64_t>> dims;  // stride, size
  for (size_t d = 0; d < g.sizes.size(); ++d) {
    if (g.sizes[d] > 1) dims.emplace_back(g.strides[d], g.sizes[d]);
  }
  std::sort(dims.begin(), dims.end());
  int64_t reach = 0;
  for (const auto& [stride, size] : dims) {
    if (stride <= reach) return true;
    reach += stride * (size - 1);
  }
  return false;
}

// How many elements memory holds that the geometry lies in, from its offset on.
int64_t Reach(const Geometry& g) {
  int64_t last = 0;
  for (size_t d = 0; d < g.sizes.size(); ++d) {
    if (g.sizes[d] == 0) return 0;
    last += (g.sizes[d] - 1) * g.strides[d];
  }
  return last + 1;
}

}  // namespace

Tensor NewWhole(const Tensor& like, const Geometry& root) {
  const int64_t reach = Reach(root);
  int64_t count = 1;
  for (const int64_t size : root.sizes) count *= size;
  if (count == reach && !MayOverlap(root)) {
    return new_empty_strided(like, root.sizes, root.strides);
  }
  return as_strided(new_zeros(like, {reach}), root.sizes, root.strides, 0);
}

Tensor Scatter(const Tensor& grad, const Geometry& view, const Geometry& root) {
  Tensor g = grad;
  Geometry v = view;
  std::vector<int64_t> repeated;
  for (size_t d = 0; d < v.sizes.size(); ++d) {
    if (v.strides[d] != 0 || v.sizes[d] == 1) continue;
    repeated.push_back(static_cast<int64_t>(d));
    v.sizes[d] = 1;
  }
  if (!repeated.empty()) g = sum(g, repeated, true);
  const int64_t offset = v.offset - root.offset;
  const bool inside = offset >= 0 && offset + Reach(v) <= Reach(root);
  if (inside && !MayOverlap(v) && !MayOverlap(root)) {
    Tensor whole = NewWhole(g, root);
    zero_(whole);
    copy_(as_strided(whole, v.sizes, v.strides, offset), g);
    return whole;
  }
  const int64_t origin = std::min(v.offset, root.offset);
  const int64_t to_view = v.offset - origin, to_root = root.offset - origin;
  const int64_t reach = std::max({int64_t{1}, to_root + Reach(root), to_view + Reach(v)});
  const Tensor places = arange(reach, DType::kInt64, std::nullopt, g.device());
  const Tensor at = reshape(as_strided(places, v.sizes, v.strides, to_view), {-1});
  const Tensor memory = index_add(new_zeros(g, {reach}), 0, at, reshape(g, {-1}));
  return as_strided(memory, root.sizes, root.strides, to_root);
}

}  // namespace autograd

// --- What formulas see.

int64_t Like::numel() const {
  int64_t n = 1;
  for (const int64_t s : sizes()) n *= s;
  return n;
}
Device Like::device() const { return DeviceOfKey(shape_->key); }
Options Like::options() const { return {.dtype = dtype(), .device = device()}; }

namespace {

const autograd::Arg& ArgOf(const autograd::Node& n, size_t position) {
  if (n.freed || position >= n.args.size()) autograd::FailFreed(n);
  return n.args[position];
}

const std::vector<autograd::Saved>& SavedListOf(const autograd::Arg& a) {
  static const std::vector<autograd::Saved> kNone;
  return a.lists == nullptr ? kNone : a.lists->saved;
}

}  // namespace

Tensor Grad::or_zeros(size_t k) const {
  return grads_[k].defined() ? grads_[k] : autograd::ZerosOf(node_.outs[k]);
}
Like Grad::result(size_t k) const { return Like(node_.outs[k]); }
Tensor Grad::SavedTensor(size_t position) const {
  const autograd::Arg& a = ArgOf(node_, position);
  if (a.value.tag != Tag::kTensor && !a.value.is_none()) return NumberTensor(a.value.scalar());
  return autograd::Unpack(node_, a.saved, create_);
}
std::vector<Tensor> Grad::SavedTensors(size_t position) const {
  std::vector<Tensor> all;
  for (const autograd::Saved& s : SavedListOf(ArgOf(node_, position))) {
    all.push_back(autograd::Unpack(node_, s, create_));
  }
  return all;
}
Tensor Grad::SavedResult(size_t k) const {
  if (node_.freed || k >= node_.results.size()) autograd::FailFreed(node_);
  const Tensor t = autograd::Unpack(node_, node_.results[k], false);
  if (!create_ || !t.defined() || !autograd::IsDifferentiable(t.dtype())) return t;
  Tensor a = autograd::AliasOf(t);
  auto& n = const_cast<autograd::Node&>(node_);
  n.refs.Increment();
  autograd::SetEdge(a, {autograd::NodeRef(&n), static_cast<uint32_t>(k)});
  return a;
}
const autograd::Shape& Grad::ShapeOf(size_t position) const {
  static const autograd::Shape kUndefined = {};
  const autograd::Arg& a = ArgOf(node_, position);
  return a.lists == nullptr ? kUndefined : a.lists->shape;
}
const std::vector<autograd::Shape>& Grad::ShapesOf(size_t position) const {
  static const std::vector<autograd::Shape> kNone;
  const autograd::Arg& a = ArgOf(node_, position);
  return a.lists == nullptr ? kNone : a.lists->shapes;
}
const Value& Grad::ValueOf(size_t position) const { return ArgOf(node_, position).value; }

bool Gradients::needs(size_t position) const {
  return std::any_of(node_.inputs.begin(), node_.inputs.end(),
                     [&](const autograd::Input& in) { return in.position == position; });
}
bool Gradients::needs(size_t position, size_t i) const {
  const auto less = [](const autograd::Input& in, const std::pair<size_t, size_t>& at) {
    return std::pair(in.position, in.i) < at;
  };
  const auto it =
      std::lower_bound(node_.inputs.begin(), node_.inputs.end(), std::pair(position, i), less);
  return it != node_.inputs.end() && it->position == position && it->i == i;
}
void Gradients::Set(size_t position, Tensor g) { Set(position, 0, std::move(g)); }
void Gradients::Set(size_t position, size_t i, Tensor g) {
  if (g.defined()) items_.push_back({position, i, std::move(g)});
}

}  // namespace sy
