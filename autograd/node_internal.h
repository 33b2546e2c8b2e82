// Histories: nodes, one for each recorded call, and what ties tensors to them.
#ifndef AUTOGRAD_NODE_INTERNAL_H_
#define AUTOGRAD_NODE_INTERNAL_H_

#include <absl/container/inlined_vector.h>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "switchyard/autograd/gradient.h"
#include "switchyard/core/attachment.h"
#include "switchyard/core/tensor.h"
#include "switchyard/core/value.h"
#include "switchyard/registry/entry.h"

namespace sy::autograd {

struct OpClass;

void ReleaseNode(Node* n) noexcept;

// A counted reference on a node.
class NodeRef {
 public:
  NodeRef() = default;
  explicit NodeRef(Node* owned) : n_(owned) {}
  NodeRef(const NodeRef& o);
  NodeRef(NodeRef&& o) noexcept : n_(std::exchange(o.n_, nullptr)) {}
  NodeRef& operator=(NodeRef o) noexcept {
    std::swap(n_, o.n_);
    return *this;
  }
  ~NodeRef() {
    if (n_ != nullptr) ReleaseNode(n_);
  }
  Node* get() const { return n_; }
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

// What is attached to a tensor that may matter to gradients.
struct History : Attachment {
  static constexpr AttachmentKind kKind{"gradient"};
  Edge edge;                // what made it as it is; none: it needs no gradient
  Tensor root;              // of views: the tensor at the end of the chain
  uint32_t stamp = 0;       // recorded writes
  uint32_t root_stamp = 0;  // of views: the root's when `edge` was made
};

// A tensor kept for a formula: an alias without history, whose history is beside it.
struct Saved {
  Tensor t;
  uint32_t writes = 0;
  Edge edge;
};

// What few arguments have.
struct ArgLists {
  Shape shape;
  std::vector<Shape> shapes;
  std::vector<Saved> saved;
};
// One argument of a recorded call.
struct Arg {
  Value value;
  Saved saved;
  std::unique_ptr<ArgLists> lists;
  ArgLists& more() {
    if (lists == nullptr) lists = std::make_unique<ArgLists>();
    return *lists;
  }
};

// An input that requires a gradient: an element of the argument at a position.
struct Input {
  size_t position, i;
  Edge edge;
};

using Inputs = absl::InlinedVector<Input, 2>;
using Args = absl::InlinedVector<Arg, 3>;

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

// What few nodes have.
struct Extras {
  std::vector<Hook> hooks;
  std::vector<std::pair<uint64_t, std::function<void()>>> after;
  std::vector<std::pair<uint32_t, Tensor>> retained;  // by result
  uint64_t last_id = 0;
};

enum class NodeKind : uint8_t { kLeaf, kCall, kZero, kView, kWrite, kRefuse, kCustom };

struct Node {
  RefCount refs{1};
  NodeKind kind;
  bool freed = false, has_saved = false;
  bool further = false;  // an argument has a history that is recorded of values (levels.h)
  uint16_t depth = 0;    // of its deepest leaf
  uint64_t seq = 0;      // exceeds that of all inputs
  const OpClass* op_class = nullptr;
  const OperatorEntry* op = nullptr;
  std::string name;                            // of those that no operator made
  Inputs inputs;                               // by position and element
  absl::InlinedVector<Shape, 1> outs;          // of what it made
  Args args;                                   // of kCall
  absl::InlinedVector<Saved, 1> results;       // kept ones; others are undefined
  std::vector<std::unique_ptr<char[]>> owned;  // what values point to
  struct View {
    Geometry view, root;
  };
  std::unique_ptr<View> geometry;  // of kView and kWrite
  NodeRef inner;                   // of kWrite: what was written
  // Of kCustom: gradients of the results in, of the inputs out, in their order.
  std::function<std::vector<Tensor>(const std::vector<Tensor>&, bool create)> custom;
  std::function<void()> free_custom;

  std::mutex mutex;  // guards what follows, and `freed` with what is saved
  Tensor grad;       // of leaves
  std::unique_ptr<Extras> extras;

  explicit Node(NodeKind k);
  ~Node();
  Extras& more() {
    if (extras == nullptr) extras = std::make_unique<Extras>();
    return *extras;
  }
  // "MulBackward0".
  std::string Name() const;
  // Lets go of what was kept for formulas.
  void FreeSaved();
};

SY_API int64_t LiveNodes();

inline bool IsDifferentiable(DType d) { return IsFloating(d) || IsComplex(d); }
Shape ShapeOfTensor(const Tensor& t);
Tensor ZerosOf(const Shape& shape);
Geometry GeometryOf(const TensorImpl* t);
// A second backward over what the first did not retain: kInvalidArgument.
[[noreturn]] void FailFreed(const Node& n);

// Gives the node the next number of this thread's clock that exceeds those of its inputs, and their
// depth. inner: of what is written by kWrite.
void SetPlace(Node& n, const Node* inner = nullptr);

inline History* HistoryOf(const Tensor& t) {
  return (t.key() & kGradBit) == 0 || !t.defined() ? nullptr : Attached<History>(t);
}
// Makes one where there is none.
History& NeedHistory(const Tensor& t);
// What made the tensor as it is now; a view whose root was written since gets a new node.
Edge EdgeOf(const Tensor& t);
bool NeedsGrad(const Tensor& t);
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
// Sets what made t.
void SetEdge(const Tensor& t, Edge e);

// Another tensor on t's storage, without history.
Tensor AliasOf(const Tensor& t);
Saved Save(const Tensor& t);
// The tensor back. create: with its history. Errors: kInvalidArgument where it was written.
Tensor Unpack(const Node& n, const Saved& s, bool create);

// A gradient of that geometry, without values; memory between its elements holds zeros.
Tensor NewWhole(const Tensor& like, const Geometry& root);
// Where the view lies in a gradient of its root's geometry: zero elsewhere.
Tensor Scatter(const Tensor& g, const Geometry& view, const Geometry& root);

// Makes the layer known; tensors that require a gradient come after.
void Start();

}  // namespace sy::autograd

#endif  // AUTOGRAD_NODE_INTERNAL_H_
