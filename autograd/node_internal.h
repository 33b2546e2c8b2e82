// Histories: nodes, one for each recorded call, and what ties tensors to them.
#ifndef AUTOGRAD_NODE_INTERNAL_H_
#define AUTOGRAD_NODE_INTERNAL_H_

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "autograd/few_internal.h"
#include "switchyard/autograd/autograd.h"
#include "switchyard/autograd/gradient.h"
#include "switchyard/core/attachment.h"
#include "switchyard/core/pool.h"
#include "switchyard/core/shape.h"
#include "switchyard/core/stream.h"
#include "switchyard/core/tensor.h"
#include "switchyard/core/tensor_impl.h"
#include "switchyard/core/thread_exit.h"
#include "switchyard/core/thread_state.h"
#include "switchyard/core/value.h"
#include "switchyard/registry/entry.h"

namespace sy::autograd {

struct OpClass;
struct Task;
struct Waiting;

// Objects that come and go with every recorded call, from the pool of blocks.
template <class T>
struct Pooled {
  static void* operator new(size_t) { return PoolAllocate(PoolClass(sizeof(T))); }
  static void operator delete(void* p) noexcept { PoolFree(p, PoolClass(sizeof(T))); }
};

void ReleaseNode(Node* n) noexcept;

// A counted reference on a node.
class NodeRef {
 public:
  NodeRef() = default;
  explicit NodeRef(Node* owned) : n_(owned) {}
  inline NodeRef(const NodeRef& o);
  NodeRef(NodeRef&& o) noexcept : n_(std::exchange(o.n_, nullptr)) {}
  NodeRef& operator=(NodeRef o) noexcept {
    std::swap(n_, o.n_);
    return *this;
  }
  ~NodeRef() {
    if (n_ != nullptr) ReleaseNode(n_);
  }
  Node* get() const { return n_; }
  // The reference is the caller's.
  Node* release() { return std::exchange(n_, nullptr); }
  Node* operator->() const { return n_; }
  Node& operator*() const { return *n_; }
  explicit operator bool() const { return n_ != nullptr; }

 private:
  Node* n_ = nullptr;
};

// One result of a node.
struct Edge {
  NodeRef node;
  uint32_t nr = 0;
  explicit operator bool() const { return static_cast<bool>(node); }
};

// Where a view comes from. Writes through others than those of kRecorded cannot be recorded, and
// what it is a view of cannot be written and recorded without making it invalid.
enum class Origin : uint8_t {
  kRecorded,
  kUnrecorded,  // made under NoGrad: it has no part in the history of what it is a view of
  kFunction,    // a result of a Function, whose derivative would be passed over
};

// What is attached to a tensor that may matter to gradients.
struct History : Attachment, Pooled<History> {
  static constexpr AttachmentKind kKind{"gradient"};
  static constexpr uint32_t kNoEdge = ~uint32_t{0};
  Edge edge;           // what made it as it is; none: it needs no gradient
  Tensor root;         // of views: the tensor at the end of the chain
  NodeRef idle;        // of a leaf that no longer requires a gradient: what it was, with its own
  uint32_t stamp = 0;  // recorded writes
  // Of views: the root's stamp when `edge` was made. Written behind `edge`, which others may read
  // once it is that of the root. kNoEdge: there is none yet.
  std::atomic<uint32_t> root_stamp{0};
  Origin origin = Origin::kRecorded;  // of views
};

// A tensor kept for a formula: an alias without history, whose history is beside it.
struct Saved {
  Tensor t;
  uint32_t writes = 0;
  Edge edge;
};

// What few arguments have.
struct ArgMore : Pooled<ArgMore> {
  alignas(8) char few[64];       // what the value points to
  std::unique_ptr<char[]> many;  // where it is more
  Shape shape;
  std::vector<Shape> shapes;
  std::vector<Saved> saved;
};
// One argument of a recorded call.
struct Arg {
  Value value;
  Saved saved;
  std::unique_ptr<ArgMore> rest;
  ArgMore& more() {
    if (rest == nullptr) rest = std::make_unique<ArgMore>();
    return *rest;
  }
};

// An input that requires a gradient: an element of the argument at a position.
struct Input {
  uint32_t position, i;
  Edge edge;
};

using Inputs = Few<Input, 2>;
using Args = Few<Arg, 2>;

// Where a view lies, in elements of its storage.
struct Geometry {
  std::vector<int64_t> sizes, strides;
  int64_t offset = 0;
};

struct Hook {
  uint64_t id;
  uint32_t nr;
  std::function<Tensor(const Tensor&)> run;
};

// A view, and what it is a view of.
struct ViewGeometry {
  Geometry view, root;
};

// What few nodes have.
struct Extras {
  std::string name;                        // of those that no operator made
  std::unique_ptr<ViewGeometry> geometry;  // of kView and kWrite
  NodeRef inner;                           // of kWrite: what was written
  // Of kCustom: gradients of the results in, of the inputs out, in their order.
  std::function<std::vector<Tensor>(TensorList, bool create)> custom;
  std::function<void()> free_custom;
  Stream stream;  // what the call ran on; without impl: its device's default one

  // Guarded by the node's mutex.
  Tensor grad;  // of leaves
  std::vector<Hook> hooks;
  std::vector<std::pair<uint64_t, std::function<void()>>> after;
  std::vector<std::pair<uint32_t, Tensor>> retained;  // by result
  uint64_t last_id = 0;
};

enum class NodeKind : uint8_t { kLeaf, kCall, kZero, kView, kWrite, kRefuse, kCustom };

// Guards what few calls touch: a word, of which nothing is to be made or destroyed.
class SmallMutex {
 public:
  void lock() {
    uint32_t is = kFree;
    if (word_.compare_exchange_strong(is, kHeld, std::memory_order_acquire)) return;
    while (word_.exchange(kAwaited, std::memory_order_acquire) != kFree) word_.wait(kAwaited);
  }
  void unlock() {
    if (word_.exchange(kFree, std::memory_order_release) == kAwaited) word_.notify_one();
  }

 private:
  enum : uint32_t { kFree, kHeld, kAwaited };
  std::atomic<uint32_t> word_{kFree};
};

// Nodes that a thread has made, less those that it has released; so that no node pays for a locked
// instruction to be counted.
struct Tally : ThreadExit {
  std::atomic<int64_t> nodes{0};
  Tally* next = nullptr;
};
extern constinit thread_local Tally* tally;
SY_COLD void CountFirst(int64_t by);
inline void Count(int64_t by) {
  Tally* t = tally;
  if (t == nullptr) [[unlikely]]
    return CountFirst(by);
  t->nodes.store(t->nodes.load(std::memory_order_relaxed) + by, std::memory_order_relaxed);
}

// What a call writes lies together: memory is what recording costs.
struct Node : Pooled<Node> {
  RefCount refs{1};
  NodeKind kind;
  bool freed = false, has_saved = false;
  bool on_stream = false;  // there is a stream in `extras`
  bool further = false;    // an argument has a history that is recorded of values (levels.h)
  std::atomic<bool> watched{false};  // there are hooks, or gradients are retained
  uint16_t depth = 0;                // of its deepest leaf
  uint64_t seq = 0;                  // exceeds that of all inputs (SetPlace)
  const OpClass* op_class = nullptr;
  const OperatorEntry* op = nullptr;
  uint64_t needs = 0;                // positions of inputs
  std::atomic<Task*> task{nullptr};  // the backward that it waits in
  Waiting* place = nullptr;          // and where, there
  std::unique_ptr<Extras> extras;
  Inputs inputs;  // by position and element
  uint32_t wanted_results = 0;
  SmallMutex mutex;           // guards `freed` with what is saved
  Few<Shape, 1> outs;         // of what it made
  uint64_t kept = 0;          // positions of `args`
  Args args;                  // of kCall: those that formulas want
  Few<Saved, 1> results;      // kept ones; others are undefined
  Node* next_gone = nullptr;  // of those that wait to be destroyed

  explicit Node(NodeKind k) : kind(k) { Count(1); }
  ~Node() { Count(-1); }
  Extras& more() {
    if (extras == nullptr) extras = std::make_unique<Extras>();
    return *extras;
  }
  // Positions are below 64 (Classify).
  void AddInput(size_t position, size_t i, Edge e) {
    needs |= uint64_t{1} << (position & 63);
    seq = std::max(seq, e.node->seq);
    depth = std::max(depth, e.node->depth);
    inputs.push_back({static_cast<uint32_t>(position), static_cast<uint32_t>(i), std::move(e)});
  }
  // Null where nothing of the argument is kept.
  const Arg* FindArg(size_t position) const {
    if (position >= 64 || (kept >> position & 1) == 0) return nullptr;
    const Arg* at = args.data();
    for (uint64_t before = kept & ((uint64_t{1} << position) - 1); before != 0; ++at) {
      before &= before - 1;  // few: counted without an instruction that not every processor has
    }
    return at;
  }
  // "MulBackward0".
  std::string Name() const;
  // Lets go of what was kept for formulas.
  void FreeSaved();
};
static_assert(sizeof(Node) <= kPoolBlockBytes[1]);

inline NodeRef::NodeRef(const NodeRef& o) : n_(o.n_) {
  if (n_ != nullptr) n_->refs.Increment();
}

SY_API int64_t LiveNodes();

inline bool IsDifferentiable(DType d) { return IsFloating(d) || IsComplex(d); }
inline Shape ShapeOfTensor(const Tensor& t) {
  if (!t.defined()) [[unlikely]]
    return {};
  return {t.key() & kPlaceMask, ShortSizes(t.sizes())};
}
Tensor ZerosOf(const Shape& shape);
Geometry GeometryOf(const TensorImpl* t);
// A second backward over what the first did not retain: kInvalidArgument.
[[noreturn]] void FailFreed(const Node& n);

// How far this thread has counted.
extern constinit thread_local uint64_t node_clock;
// Gives the node, which has all its inputs, the next number of this thread's clock that exceeds
// theirs. inner: of what is written by kWrite.
inline void SetPlace(Node& n, const Node* inner = nullptr) {
  if (inner != nullptr) [[unlikely]] {
    n.seq = std::max(n.seq, inner->seq);
    n.depth = std::max(n.depth, inner->depth);
  }
  n.seq = node_clock = std::max(n.seq, node_clock) + 1;
}

SY_COLD void KeepChosenStream(Node& n);
// The node, whose results are known, remembers the stream that its call runs on (Extras::stream).
inline void KeepStream(Node& n) {
  if (thread_state.places != nullptr) [[unlikely]]
    KeepChosenStream(n);
}

// Undefined tensors have no bit.
inline History* HistoryOf(const Tensor& t) {
  return (t.key() & kGradBit) == 0 ? nullptr : Attached<History>(t);
}
// Makes one where there is none.
inline History& NeedHistory(const Tensor& t) {
  TensorImpl* const impl = t.impl();
  History* h = (impl->flags & kAttachedFlag) == 0 ? nullptr : Attached<History>(t);
  if (h == nullptr) {
    auto made = std::make_unique<History>();
    h = made.get();
    Attach(t, std::move(made));
  }
  impl->key |= kGradBit;
  return *h;
}
// A view whose root was written since gets a new node.
void RenewOld(const Tensor& view, History& h);
// The leaf was given other sizes, or another dtype, while nothing was recorded.
SY_COLD void Refit(Node& leaf, const Tensor& t);
inline bool IsLike(const Shape& shape, const Tensor& t) {
  return SameSizes(shape.sizes, t.sizes()) && ((shape.key ^ t.key()) & kPlaceMask) == 0;
}
// The edge of t's history, which was found, as t is now.
inline const Edge& CurrentEdge(const Tensor& t, History& h) {
  if (h.root.defined()) [[unlikely]]
    RenewOld(t, h);
  if (h.edge && h.edge.node->kind == NodeKind::kLeaf && !IsLike(h.edge.node->outs[0], t))
      [[unlikely]]
    Refit(*h.edge.node, t);
  return h.edge;
}
// What made the tensor as it is now.
inline Edge EdgeOf(const Tensor& t) {
  History* h = HistoryOf(t);
  return h == nullptr ? Edge() : CurrentEdge(t, *h);
}
bool NeedsGrad(const Tensor& t);
// What carries t's history: the values of a sparse tensor; else t itself.
const Tensor& CarrierOf(const Tensor& t);
// A gradient of t as one of what carries its history: of a sparse t its elements where t holds
// some. And back: of a sparse t a sparse one, held as t is. g: may be undefined.
Tensor OfCarrier(const Tensor& t, const Tensor& g);
Tensor FromCarrier(const Tensor& t, const Tensor& g);
// Layers that a tensor carries, but for this one.
inline uint32_t OtherLayers(const Tensor& t) { return LayersOfKey(t.key() & ~kGradBit); }
// What t is a view of; t itself if it is none.
Tensor RootOf(const Tensor& t);
// Whether the view has the root's dtype, and its elements as they are.
bool SeesTheSame(const Tensor& view, const Tensor& root);
// From now on `view` is followed as a view of what base is a view of.
void TrackView(const Tensor& view, const Tensor& base);
// detach_: the tensor itself has no history any longer. Errors: kInvalidArgument for views.
void CutOff(const Tensor& t);
// The same of a view whose history is known.
void TrackView(const Tensor& view, History& h, const Tensor& base);
// The same of a view that was made while nothing was recorded.
void TrackUnrecorded(const Tensor& view, const Tensor& base);
// The view was given another geometry while nothing was recorded.
void Moved(const Tensor& view);
// Errors: kInvalidArgument, in what's name, where self is a view that cannot be written in place
// and recorded.
void RequireRecordedView(std::string_view what, const Tensor& self);
// Whether what the view is of was written and recorded since it was made, but not the view: it is
// not to be used.
bool IsInvalid(const History& h);
// Sets what made t.
void SetEdge(const Tensor& t, Edge e);

// Whether the gradient of what has the edge is retained.
bool Retains(const Edge& e);
// From what a tensor was made by before to what it is made by now, both gradients of its own size:
// what is retained there is retained here. `to` has room for it.
void MakeRoomForRetained(const Edge& from, Node& to);
void MoveRetained(const Edge& from, const Edge& to) noexcept;

// While it lives, this layer's own work is recorded if `on` says so; its views are not followed.
class OwnWork {
 public:
  explicit OwnWork(bool on) : mode_(on) { internal::unrecorded = false; }

 private:
  SetGrad mode_;
};

// Another tensor on t's storage, without history.
Tensor AliasOf(const Tensor& t);
// An alias, or what stands for a packed tensor (saved_tensors.h); and back.
Tensor Keep(const Tensor& t);
bool PacksSaved();
Tensor Kept(const Node& n, const Tensor& t);
Saved Save(const Tensor& t);
// The tensor back. create: with its history. Errors: kInvalidArgument where it was written.
Tensor Unpack(const Node& n, const Saved& s, bool create);

// A gradient of that geometry, without values; memory between its elements holds zeros.
Tensor NewWhole(const Tensor& like, const Geometry& root);
// Where the view lies in a gradient of its root's geometry: zero elsewhere.
Tensor Scatter(const Tensor& g, const Geometry& view, const Geometry& root);

}  // namespace sy::autograd

#endif  // AUTOGRAD_NODE_INTERNAL_H_
