#include <algorithm>
#include <deque>
#include <mutex>
#include <string>
#include <unordered_map>

#include "collective/sharded/classify_internal.h"
#include "switchyard/dispatcher/classes.h"
#include "switchyard/dispatcher/composites.h"
#include "switchyard/registry/registry.h"

namespace sy::sharded {
namespace {

using Text = std::string_view;
using internal::IsOneOf;

constexpr Text kAbout[] = {"requires_grad_", "retain_grad", "retains_grad", "is_leaf",
                           "_version",       "output_nr",   "_backward",    "is_set_to"};
constexpr Text kReads[] = {"item",     "_local_scalar_dense", "equal", "is_nonzero",
                           "allclose", "_linalg_check_errors"};
// Composites that go by memory, where sharded tensors have none (cov looks at its weights only
// where they have bytes), or write through views.
constexpr Text kByMemory[] = {"stft", "stft.center", "instance_norm", "cov"};
constexpr Text kMoves[] = {"set_", "set_data", "as_strided_", "resize_as_sparse_"};
constexpr Text kResizes[] = {"resize_", "resize_as_"};
constexpr Text kSizesGiven[] = {"new_empty", "new_empty_strided", "new_full", "new_ones",
                                "new_zeros"};
constexpr Text kElementViews[] = {"_conj",        "_neg_view",       "real",      "imag",
                                  "view_as_real", "view_as_complex", "view.dtype"};
constexpr Text kReshapes[] = {"view", "_unsafe_view"};
constexpr Text kStridedViews[] = {"as_strided", "_reshape_alias"};
constexpr Text kStridedCopies[] = {"as_strided_copy", "as_strided_scatter", "_reshape_alias_copy"};
// Tagged pointwise, but they divide by the number of elements, or look at one dimension.
constexpr Text kNotPointwise[] = {"mse_loss_backward",
                                  "smooth_l1_loss_backward",
                                  "huber_loss_backward",
                                  "soft_margin_loss_backward",
                                  "binary_cross_entropy_backward",
                                  "mse_loss",
                                  "smooth_l1_loss",
                                  "huber_loss",
                                  "soft_margin_loss",
                                  "binary_cross_entropy"};

// Bodies write out= and lists without operators.
bool WritesOut(const Schema& s) {
  return std::any_of(s.arguments.begin(), s.arguments.end(), [](const Argument& a) {
    return a.type.alias.write && (a.kwarg_only || a.type.list);
  });
}

// "select_copy.int" → select.int, or null.
const OperatorEntry* ViewOf(const OperatorEntry& op) {
  std::string name(op.name());
  const size_t at = name.find("_copy");
  if (at == name.npos || op.returns_written) return nullptr;
  const OperatorEntry* view = op.registry().Find(name.erase(at, 5));
  return view == nullptr || view->kind != Variant::kView || IsOneOf(view->name(), kStridedViews) ||
                 view->schema().returns[0].type.list
             ? nullptr
             : view;
}

OpClass Classify(const OperatorEntry& op) {
  OpClass c{.op = &op};
  const Schema& schema = op.schema();
  const bool writes = std::any_of(schema.arguments.begin(), schema.arguments.end(),
                                  [](const Argument& a) { return a.type.alias.write; });
  c.dynamic = op.Has(OperatorTag::kDynamicOutputShape);
  const bool reads = IsOneOf(op.name(), kReads) || IsOneOf(op.name(), kByMemory) ||
                     op.Has(OperatorTag::kDataDependentOutput);
  c.by_strides = IsOneOf(schema.name, kStridedCopies);
  const internal::Composite made = internal::CompositeOf(op);
  c.body = made.body;
  c.kernels = made.kernels;
  if (IsOneOf(op.name(), kAbout) || (!internal::ReturnsTensors(schema) && !writes && !reads)) {
    c.how = How::kAbout;
  } else if (reads) {
    c.how = How::kGather;
  } else if (IsOneOf(op.name(), kStridedViews)) {
    c.how = How::kStrided;
  } else if (IsOneOf(schema.name, kMoves)) {
    c.how = How::kRefused;
  } else if (IsOneOf(op.name(), kResizes)) {
    c.how = How::kResizes;
  } else if (IsOneOf(schema.name, kSizesGiven) && !writes) {
    c.how = How::kSizesGiven;
  } else if (op.kind == Variant::kViewInPlace || op.Has(OperatorTag::kInplaceView)) {
    c.how = How::kGeometry;
  } else if (IsOneOf(op.name(), kElementViews)) {
    c.how = How::kElementView;
  } else if (IsOneOf(op.name(), kReshapes)) {
    c.how = How::kReshape;
  } else if (op.kind == Variant::kView) {
    c.how = How::kView;
  } else if (op.Has(OperatorTag::kNondeterministicSeeded)) {
    c.how = How::kRandom;  // a body may draw for tensors of its own
  } else if ((c.rule = FindRule(schema.name)) != nullptr) {
    c.how = How::kRule;
  } else if (op.Has(OperatorTag::kPointwise) && !IsOneOf(schema.name, kNotPointwise)) {
    c.how = How::kRule;
    c.rule = Pointwise;
  } else if (op.Has(OperatorTag::kViewCopy) && (c.view = ViewOf(op)) != nullptr) {
    c.how = How::kViewCopied;
  } else if (c.body != nullptr && !writes) {
    c.how = How::kBody;
  }
  if (c.how != How::kBody && WritesOut(schema)) c.body = nullptr;
  return c;
}

constinit internal::RecentClasses<OpClass> recent;

}  // namespace

const OpClass& ClassOf(const OperatorEntry& op) {
  if (const OpClass* c = recent.Find(op)) return *c;
  struct Table {
    std::mutex mutex;
    std::unordered_map<const OperatorEntry*, const OpClass*> classes;
    std::deque<OpClass> kept;
  };
  static Table& table = *new Table;
  std::lock_guard lock(table.mutex);
  const OpClass*& known = table.classes[&op];
  if (known == nullptr) known = &table.kept.emplace_back(Classify(op));
  recent.Put(*known);
  return *known;
}

}  // namespace sy::sharded
