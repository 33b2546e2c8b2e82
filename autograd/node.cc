#include <algorithm>
#include <cstring>
#include <new>

#include "autograd/classify_internal.h"
#include "autograd/node_internal.h"
#include "switchyard/autograd/autograd.h"
#include "switchyard/autograd/levels.h"
#include "switchyard/core/error.h"
#include "switchyard/core/quantizer.h"
#include "switchyard/core/shape.h"
#include "switchyard/core/sparse.h"
#include "switchyard/core/tensor_impl.h"
#include "switchyard/core/thread_exit.h"
#include "switchyard/ops.h"

namespace sy {

constinit thread_local bool internal::unrecorded = false;

namespace autograd {
namespace {

struct Tallies {
  std::mutex mutex;
  Tally* first = nullptr;
  std::atomic<int64_t> others{0};  // of threads that have ended, or had no memory
  static Tallies& Get() {
    static Tallies& t = *new Tallies;
    return t;
  }
};

// Views are renewed one at a time: a rare thing.
std::mutex& RenewMutex() {
  static std::mutex& m = *new std::mutex;
  return m;
}

// Of this thread: nodes whose last reference has gone while another was being destroyed.
struct Releasing {
  bool running;
  Node* first;
};
constinit thread_local Releasing releasing = {};

}  // namespace

constinit thread_local Tally* tally = nullptr;
constinit thread_local uint64_t node_clock = 0;

void CountFirst(int64_t by) {
  Tallies& all = Tallies::Get();
  auto* t = new (std::nothrow) Tally;
  if (t == nullptr) {
    all.others.fetch_add(by, std::memory_order_relaxed);
    return;
  }
  t->nodes.store(by, std::memory_order_relaxed);
  t->run = [](ThreadExit* self) {
    auto* gone = static_cast<Tally*>(self);
    Tallies& rest = Tallies::Get();
    std::lock_guard lock(rest.mutex);
    rest.others.fetch_add(gone->nodes.load(std::memory_order_relaxed), std::memory_order_relaxed);
    Tally** at = &rest.first;
    while (*at != gone) at = &(*at)->next;
    *at = gone->next;
    tally = nullptr;
    delete gone;
  };
  {
    std::lock_guard lock(all.mutex);
    t->next = all.first;
    all.first = t;
  }
  tally = t;
  AtThreadExit(*t);
}

int64_t LiveNodes() {
  Tallies& all = Tallies::Get();
  std::lock_guard lock(all.mutex);
  int64_t n = all.others.load();
  for (const Tally* t = all.first; t != nullptr; t = t->next) n += t->nodes.load();
  return n;
}

// A chain is released one node after the other, not one inside the other.
void ReleaseNode(Node* n) noexcept {
  if (!n->refs.Decrement()) return;
  Releasing& r = releasing;
  if (r.running) {
    n->next_gone = r.first;
    r.first = n;
    return;
  }
  r.running = true;
  delete n;
  while (r.first != nullptr) {
    Node* next = r.first;
    r.first = next->next_gone;
    delete next;
  }
  r.running = false;
}

std::string Node::Name() const {
  if (op == nullptr || (extras != nullptr && !extras->name.empty())) {
    return extras == nullptr ? std::string() : extras->name;
  }
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
  if (!has_saved) return;  // it may run again
  Args gone_args;
  Few<Saved, 1> gone_results;
  std::function<void()> gone_custom;
  {
    std::lock_guard lock(mutex);
    freed = true;
    gone_args = std::move(args);
    args.clear();
    kept = 0;
    gone_results = std::move(results);
    results.clear();
    if (extras != nullptr) gone_custom.swap(extras->free_custom);
  }
  if (gone_custom) gone_custom();
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

void KeepChosenStream(Node& n) {
  if (n.outs.empty()) return;
  const KeyWord place = PlaceOfKey(n.outs[0].key);
  StreamImpl* const chosen = ChosenStream(place);
  if (chosen == nullptr) return;
  Extras& more = n.more();
  chosen->Retain();
  more.stream = Stream(DeviceOfKey(place), chosen);
  n.on_stream = true;
}

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

// A view's part of what has the edge `of_base`.
Edge ViewEdge(const Tensor& view, const Tensor& base, Edge of_base) {
  NodeRef n(new Node(NodeKind::kView));
  n->more().name = "AsStridedBackward0";
  n->AddInput(0, 0, std::move(of_base));
  n->outs.push_back(ShapeOfTensor(view));
  n->more().geometry = std::make_unique<ViewGeometry>(
      ViewGeometry{GeometryOf(view.impl()), GeometryOf(base.impl())});
  SetPlace(*n);
  KeepStream(*n);
  return {std::move(n), 0};
}

// How a view of that origin came to be, in an error.
std::string_view MadeBy(Origin o) {
  return o == Origin::kFunction ? "a result of a Function (what it made, or was given)"
                                : "made under NoGrad";
}

// The view's history is that of its root, where the view lies.
void Renew(const Tensor& t, History& h) {
  std::lock_guard lock(RenewMutex());
  const History* r = HistoryOf(h.root);
  const uint32_t now = r == nullptr ? 0 : r->stamp;
  if ((h.edge && h.root_stamp == now) || r == nullptr || !r->edge) return;
  if (IsInvalid(h)) {
    Fail(ErrorCode::kInvalidArgument,
         {Describe(t), " is a view of ", Describe(h.root), ", ", MadeBy(h.origin),
          ", and that was written in place since, while gradients were recorded: it has no "
          "gradient as it is now; make the view again, or detach it"});
  }
  if (!SeesTheSame(t, h.root)) {
    Fail(ErrorCode::kNotImplemented,
         {Describe(t), ", a view of ", Describe(h.root),
          " as other elements, has no gradient once that was written in place"});
  }
  Edge made = ViewEdge(t, h.root, r->edge);
  MakeRoomForRetained(h.edge, *made.node);
  MoveRetained(h.edge, made);
  h.edge = std::move(made);
  h.root_stamp.store(now, std::memory_order_release);
}

}  // namespace

bool IsInvalid(const History& h) {
  return h.origin != Origin::kRecorded && h.root.defined() &&
         h.root_stamp.load(std::memory_order_acquire) != StampOf(h.root);
}

void RequireRecordedView(std::string_view what, const Tensor& self) {
  const History* h = HistoryOf(self);
  if (h == nullptr || !h->root.defined() || h->origin == Origin::kRecorded) return;
  Fail(ErrorCode::kInvalidArgument, what,
       {"self is a view of ", Describe(h->root), ", ", MadeBy(h->origin),
        ", and cannot be written in place while gradients are recorded"});
}

void RenewOld(const Tensor& view, History& h) {
  if (h.root_stamp.load(std::memory_order_acquire) != StampOf(h.root)) Renew(view, h);
}

void Refit(Node& leaf, const Tensor& t) {
  std::lock_guard lock(leaf.mutex);
  leaf.outs[0] = ShapeOfTensor(t);
}

const Tensor& CarrierOf(const Tensor& t) {
  return !t.defined() || t.is_strided() ? t : FindSparse(t)->values;
}
Tensor OfCarrier(const Tensor& t, const Tensor& g) {
  if (t.is_strided() || !g.defined()) return g;
  const SparseState& s = *FindSparse(t);
  const SparseState* given = FindSparse(g);
  const bool same_places = given != nullptr && given->layout == s.layout &&
                           given->indices.is_same(s.indices) &&
                           given->plain_indices.is_same(s.plain_indices);
  if (same_places) return given->values;
  const Tensor masked = sparse_mask(g, t);
  return FindSparse(masked)->values;
}
Tensor FromCarrier(const Tensor& t, const Tensor& g) {
  if (t.is_strided() || !g.defined()) return g;
  const SparseState& s = *FindSparse(t);
  return MakeSparse(t.sizes(),
                    std::make_unique<SparseState>(s.layout, s.sparse_dim, s.dense_dim, s.indices,
                                                  s.plain_indices, g, s.coalesced));
}

bool NeedsGrad(const Tensor& t) {
  if ((t.key() & kGradBit) == 0) return false;
  const History* h = HistoryOf(CarrierOf(t));
  if (h == nullptr) return false;
  if (!h->root.defined()) return static_cast<bool>(h->edge);
  // Of a view whose root has one, another thread may be making the edge.
  const History* r = HistoryOf(h->root);
  if (h->root_stamp.load(std::memory_order_acquire) == StampOf(h->root))
    return static_cast<bool>(h->edge);
  return (r != nullptr && r->edge) || h->edge;
}
void SetEdge(const Tensor& t, Edge e) {
  History& h = NeedHistory(t);
  h.edge = std::move(e);
  if (h.root.defined()) h.root_stamp.store(StampOf(h.root), std::memory_order_release);
}

bool Retains(const Edge& e) {
  if (!e || !e.node->watched.load(std::memory_order_acquire)) return false;
  std::lock_guard lock(e.node->mutex);
  const auto& retained = e.node->extras->retained;
  return std::any_of(retained.begin(), retained.end(),
                     [&](const auto& r) { return r.first == e.nr; });
}
void MakeRoomForRetained(const Edge& from, Node& to) {
  if (Retains(from)) to.more().retained.reserve(to.more().retained.size() + 1);
}
void MoveRetained(const Edge& from, const Edge& to) noexcept {
  if (!from || !from.node->watched.load(std::memory_order_acquire)) return;
  Tensor kept;
  {
    std::lock_guard lock(from.node->mutex);
    auto& retained = from.node->extras->retained;
    const auto it = std::find_if(retained.begin(), retained.end(),
                                 [&](const auto& r) { return r.first == from.nr; });
    if (it == retained.end()) return;
    kept = std::move(it->second);
    retained.erase(it);
  }
  std::lock_guard lock(to.node->mutex);
  to.node->more().retained.emplace_back(to.nr, std::move(kept));
  to.node->watched.store(true, std::memory_order_release);
}

void TrackView(const Tensor& view, History& h, const Tensor& base) {
  const History* of = HistoryOf(base);
  if (of != nullptr && of->root.defined()) {
    if (of->root.is_same(view)) return;
    h.root = of->root;
    h.origin = of->origin;
    h.root_stamp.store(StampOf(h.root), std::memory_order_relaxed);
    return;
  }
  if (base.is_same(view)) return;
  h.root = base;
  h.origin = Origin::kRecorded;
  h.root_stamp.store(of == nullptr ? 0 : of->stamp, std::memory_order_relaxed);
}

namespace {

// Without a count of the root: most views are made and let go.
bool IsRootOf(const Tensor& view, const Tensor& base) {
  const History* of = HistoryOf(base);
  return (of != nullptr && of->root.defined() ? of->root : base).is_same(view);
}

}  // namespace

void TrackView(const Tensor& view, const Tensor& base) {
  if (!IsDifferentiable(view.dtype()) || IsRootOf(view, base)) return;
  History& h = NeedHistory(view);
  TrackView(view, h, base);
  if (!h.root.defined() || h.edge) return;
  const bool of_root = h.root.is_same(base);
  if (h.origin == Origin::kUnrecorded || !NeedsGrad(base)) {
    // Constant as its base is, until the root is written: also where that becomes a leaf.
    if (!of_root) h.root_stamp.store(HistoryOf(base)->root_stamp.load(), std::memory_order_relaxed);
    return;
  }
  h.root_stamp.store(History::kNoEdge, std::memory_order_relaxed);
  // The view of a root gets its edge when it is used. That of another view leads there: a hook may
  // wait for its gradient, and it may be asked for, or show conjugates, which the root does not.
  if (of_root || !SeesTheSame(view, base)) return;
  if (Edge of_base = EdgeOf(base)) SetEdge(view, ViewEdge(view, base, std::move(of_base)));
}

void TrackUnrecorded(const Tensor& view, const Tensor& base) {
  if (!IsDifferentiable(view.dtype()) || IsRootOf(view, base)) return;
  History& h = NeedHistory(view);
  TrackView(view, h, base);
  h.origin = Origin::kUnrecorded;
}

void Moved(const Tensor& view) {
  History* h = HistoryOf(view);
  if (h == nullptr || !h->root.defined() || h->origin != Origin::kRecorded || !h->edge) return;
  const Edge before = std::exchange(h->edge, {});
  h->root_stamp.store(History::kNoEdge, std::memory_order_release);
  if (Retains(before)) MoveRetained(before, EdgeOf(view));
}

Tensor AliasOf(const Tensor& t) {
  if (!t.is_strided()) return SparseAlias(t);
  if (const Quantizer* q = FindQuantizer(t)) return MakeQuantized(t, *q);
  const TensorImpl* from = t.impl();
  TensorImpl* a = internal::NewAlias(from, from->ndim);
  std::copy_n(from->dims, size_t{2} * from->ndim, a->dims);
  a->numel = from->numel;
  a->flags |= from->flags & (kContiguousFlag | kWrappedNumberFlag);
  a->key &= ~kGradBit;
  Tensor alias(a);
  if (OtherLayers(t) == 0) return alias;
  if (const BatchHooks* hooks = batch_hooks.load(); hooks != nullptr) hooks->aliased(alias, t);
  if (const auto made = alias_made.load(); made != nullptr) made(alias, t);
  return alias;
}

Saved Save(const Tensor& t) {
  if (!t.defined()) return {};
  Saved s;
  s.edge = EdgeOf(t);
  s.t = Keep(t);
  s.writes = s.t.impl()->storage->writes();
  return s;
}

Tensor Unpack(const Node& n, const Saved& s, bool create) {
  if (!s.t.defined()) return {};
  const uint32_t now = s.t.impl()->storage->writes();
  if (now != s.writes) {
    Fail(ErrorCode::kInvalidArgument,
         {"backward of ", n.Name(), ": a tensor that it needs, ", Describe(s.t),
          ", was written in place since ", n.op != nullptr ? std::string(n.op->name()) : n.Name(),
          "() kept it: it had been written ", int64_t{s.writes}, " times, now ", int64_t{now}});
  }
  const Tensor kept = Kept(n, s.t);
  if (!create || !s.edge) return kept;
  Tensor a = AliasOf(kept);
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
  const auto at = [&](const Geometry& of, int64_t start) {
    return reshape(as_strided(places, of.sizes, of.strides, start), {-1});
  };
  Tensor memory = index_add(new_zeros(g, {reach}), 0, at(v, to_view), reshape(g, {-1}));
  if (MayOverlap(root)) {
    // Elements of the root that share a place share what arrived there.
    const Tensor where = at(root, to_root);
    const Tensor shared = index_add(new_zeros(g, {reach}), 0, where, new_ones(g, where.sizes()));
    memory = div(memory, masked_fill(shared, eq(shared, 0), 1));
  }
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

// What is kept of an argument: nothing of those that are absent.
const autograd::Arg& ArgOf(const autograd::Node& n, size_t position) {
  static const autograd::Arg kNothing;
  if (n.freed) autograd::FailFreed(n);
  const autograd::Arg* a = n.FindArg(position);
  return a == nullptr ? kNothing : *a;
}

const std::vector<autograd::Saved>& SavedListOf(const autograd::Arg& a) {
  static const std::vector<autograd::Saved> kNone;
  return a.rest == nullptr ? kNone : a.rest->saved;
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
  if (k < 32 && (node_.op_class->constant >> k & 1) != 0) return t;
  Tensor a = autograd::AliasOf(t);
  auto& n = const_cast<autograd::Node&>(node_);
  n.refs.Increment();
  autograd::SetEdge(a, {autograd::NodeRef(&n), static_cast<uint32_t>(k)});
  return a;
}
const autograd::Shape& Grad::ShapeOf(size_t position) const {
  static const autograd::Shape kUndefined = {};
  const autograd::Arg& a = ArgOf(node_, position);
  if (a.rest != nullptr) return a.rest->shape;
  for (const autograd::Input& in : node_.inputs) {  // known to what made it
    if (in.position == position) return in.edge.node->outs[in.edge.nr];
  }
  return kUndefined;
}
const std::vector<autograd::Shape>& Grad::ShapesOf(size_t position) const {
  static const std::vector<autograd::Shape> kNone;
  const autograd::Arg& a = ArgOf(node_, position);
  return a.rest == nullptr ? kNone : a.rest->shapes;
}
const Value& Grad::ValueOf(size_t position) const { return ArgOf(node_, position).value; }

bool Gradients::needs(size_t position) const { return (node_.needs >> position & 1) != 0; }
bool Gradients::needs(size_t position, size_t i) const {
  const auto less = [](const autograd::Input& in, const std::pair<size_t, size_t>& at) {
    return std::pair<size_t, size_t>(in.position, in.i) < at;
  };
  const auto it =
      std::lower_bound(node_.inputs.begin(), node_.inputs.end(), std::pair(position, i), less);
  return it != node_.inputs.end() && it->position == position && it->i == i;
}
void Gradients::Set(size_t position, Tensor g) { Set(position, 0, std::move(g)); }
void Gradients::Set(size_t position, size_t i, Tensor g) {
  if (g.defined()) to_.Take(position, i, std::move(g));
}

}  // namespace sy
