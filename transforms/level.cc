#include <algorithm>
#include <atomic>
#include <cstring>

#include "switchyard/core/error.h"
#include "switchyard/core/tensor_impl.h"
#include "switchyard/core/thread_state.h"
#include "switchyard/transforms/function.h"
#include "transforms/level_internal.h"

namespace sy {

void transforms::RequireCount(size_t takes, size_t given) {
  if (takes == given) return;
  Fail(ErrorCode::kInvalidArgument,
       {"a function of ", int64_t(takes), " tensors was called with ", int64_t(given)});
}

bool is_batched(const Tensor& t) { return transforms::BatchedOf(t) != nullptr; }

namespace transforms {
namespace {

thread_local Level* innermost = nullptr;

int DepthOf(const Tensor& t) {
  if (const int dual = DualDepthOf(t); dual != 0) return dual;
  const Batched* b = BatchedOf(t);
  return b == nullptr ? 0 : b->depth;
}

void AttachValue(const Tensor& t, const Tensor& value, uint64_t level, int depth) {
  auto b = std::make_unique<Batched>();
  b->value = value;
  b->level = level;
  b->depth = depth;
  Attach(t, std::move(b));
}

void Aliased(const Tensor& alias, const Tensor& of) {
  AliasDual(alias, of);
  const Batched* b = BatchedOf(of);
  if (b != nullptr) AttachValue(alias, b->value, b->level, b->depth);
}

constexpr autograd::BatchHooks kHooks = {DepthOf, Aliased};

// Sizes and strides of one example of value.
void ShowExample(TensorImpl* t, const TensorImpl* value) {
  const int n = value->ndim - 1;
  std::copy_n(value->sizes() + 1, n, t->sizes());
  std::copy_n(value->strides() + 1, n, t->strides());
  t->numel = 1;
  for (int i = 0; i < n; ++i) t->numel *= t->sizes()[i];
  internal::UpdateContiguity(t);
}

}  // namespace

// Defined beside the layer.
void RegisterHooks() { autograd::batch_hooks.store(&kHooks, std::memory_order_release); }

const Batched* BatchedOf(const Tensor& t) {
  if (!t.defined() || (LayersOfKey(t.key()) & LayerBit()) == 0) return nullptr;
  const Batched* b = Attached<Batched>(t);
  if (b == nullptr) {
    Fail(ErrorCode::kInternal,
         {"vmap: ", Describe(t), " was made of one with a batch beneath operators"});
  }
  return b;
}

Level& LevelOf(const Batched& b, std::string_view op) {
  for (Level* l = innermost; l != nullptr; l = l->outer) {
    if (l->id == b.level) return *l;
  }
  Fail(ErrorCode::kInvalidArgument, op,
       {"a tensor that was an example in a vmap is used after that has ended"});
}

Tensor MakeBatched(const Tensor& value, const Level& level) {
  const TensorImpl* v = value.impl();
  TensorImpl* a = internal::NewAlias(v, v->ndim - 1);
  const Tensor t(a);
  ShowExample(a, v);
  a->key = (a->key & ~kGradBit) | KeyWord{LayerBit()} << kLayerShift;
  AttachValue(t, value, level.id, level.depth);
  return t;
}

Tensor PlainAlias(const Tensor& t) {
  if (!t.defined()) return t;
  const TensorImpl* from = t.impl();
  TensorImpl* a = internal::NewAlias(from, from->ndim);
  const Tensor plain(a);
  std::copy_n(from->dims, size_t{2} * from->ndim, a->dims);
  a->numel = from->numel;
  a->flags = static_cast<uint8_t>(a->flags | (from->flags & kContiguousFlag));
  a->key &= ~(kGradBit | KeyWord{LayerBit()} << kLayerShift);
  return plain;
}

void SetValue(const Tensor& batched, const Tensor& value) {
  const TensorImpl* v = value.impl();
  const auto n = static_cast<size_t>(v->ndim - 1);
  internal::SetGeometry(batched.impl(), {v->sizes() + 1, n}, {v->strides() + 1, n}, v->offset);
  Attached<Batched>(batched)->value = value;
}

Level* Innermost() { return innermost; }

Within::Within(Level* level)
    : saved_(innermost),
      on_(thread_state.layers_on),
      excluded_(thread_state.layers_excluded),
      depth_(autograd::CurrentDepth()) {
  innermost = level;
  autograd::CurrentDepth() = level == nullptr ? 0 : level->depth;
  const uint32_t bit = LayerBit();
  bool batches = false;
  for (const Level* l = level; l != nullptr; l = l->outer) batches = batches || !l->dual;
  thread_state.layers_on = batches ? on_ | bit : on_ & ~bit;
  thread_state.layers_excluded = excluded_ & ~(bit | DualBitInUse());
}
Within::~Within() {
  innermost = saved_;
  autograd::CurrentDepth() = depth_;
  thread_state.layers_on = on_;
  thread_state.layers_excluded = excluded_;
}

Outside::Outside(const Level& level)
    : mode_(autograd::OuterRecords(), autograd::OuterMode::kProgram), within_(level.outer) {
  const uint32_t bit = uint32_t{1} << kGradLayer;
  thread_state.layers_excluded = autograd::OuterRecordsHere() ? thread_state.layers_excluded & ~bit
                                                              : thread_state.layers_excluded | bit;
}
Outside::~Outside() = default;

}  // namespace transforms
}  // namespace sy
