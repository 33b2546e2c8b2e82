#include <algorithm>
#include <atomic>
#include <cstring>

#include "switchyard/autograd/autograd.h"
#include "switchyard/autograd/function.h"
#include "switchyard/core/error.h"
#include "switchyard/core/tensor_impl.h"
#include "switchyard/core/thread_state.h"
#include "switchyard/ops.h"
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

// Whether something further out than a level asks how t, a value there, has come to be.
bool IsFollowed(const Tensor& t) {
  return t.defined() && (DepthOf(t) != 0 || (autograd::OuterRecords() && requires_grad(t)));
}

// A function of a program's own, for each example.
bool BatchFunction(const Level& level, const TensorFunction& f, const std::vector<Tensor>& inputs,
                   std::vector<Tensor>& results) {
  std::vector<Tensor> values = inputs;
  std::vector<bool> batched(inputs.size());
  bool followed = false;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Batched* b = BatchedOf(inputs[i]);
    batched[i] = b != nullptr && b->level == level.id;
    if (batched[i]) values[i] = b->value;
    followed = followed || IsFollowed(values[i]);
  }
  if (!followed || level.size == 0) return false;
  {
    const Outside outside(level);
    std::vector<std::vector<Tensor>> made;  // of each result, by example
    for (int64_t b = 0; b < level.size; ++b) {
      std::vector<Tensor> example = values;
      for (size_t i = 0; i < values.size(); ++i) {
        if (batched[i]) example[i] = select(values[i], 0, b);
      }
      const std::vector<Tensor> one = f(example);
      made.resize(one.size());
      for (size_t k = 0; k < one.size(); ++k) made[k].push_back(one[k]);
    }
    for (const std::vector<Tensor>& of_all : made) {
      results.push_back(of_all[0].defined() ? stack(of_all) : Tensor());
    }
  }
  for (Tensor& t : results) {
    if (t.defined()) t = MakeBatched(t, level);
  }
  return true;
}

bool OuterFunction(const char* name, const ForwardFunction& forward,
                   const BackwardFunction& backward, const std::vector<Tensor>& inputs,
                   std::vector<Tensor>& results) {
  const TensorFunction again = [&](TensorList x) {
    return ApplyFunction(name, forward, backward, {x.begin(), x.end()});
  };
  int deepest = 0;
  for (const Tensor& t : inputs) deepest = std::max(deepest, t.defined() ? DepthOf(t) : 0);
  const Level* level = innermost;
  while (level != nullptr && level->depth != deepest) level = level->outer;
  if (level == nullptr) return false;
  if (!level->dual) return BatchFunction(*level, again, inputs, results);
  results = DualFunction(again, inputs, *level);
  return true;
}

constexpr autograd::BatchHooks kHooks = {DepthOf, Aliased, OuterFunction};

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
