// A step of an optimiser over lists of tensors, as backends get it: every tensor dense, numbers
// sorted out.
//
// Owns: the tensors. Threads: any.
#ifndef SWITCHYARD_BACKENDS_COMMON_KERNELS_FOREACH_STEP_H_
#define SWITCHYARD_BACKENDS_COMMON_KERNELS_FOREACH_STEP_H_

#include <array>
#include <vector>

#include "switchyard/core/shape.h"
#include "switchyard/core/tensor.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops/formulas/optimizer.h"

namespace sy {

// Tensors of one parameter: they lie alike, so that elements at one place in memory belong
// together. Undefined where the optimiser keeps none.
struct StepItem {
  std::array<Tensor, f::kStepTensors> tensors;
  Tensor step;  // one element; undefined for Sgd
  void* data(int k) const {
    const Tensor& t = tensors[static_cast<size_t>(k)];
    return t.defined() ? t.data() : nullptr;
  }
  int64_t numel() const { return tensors[0].numel(); }
  DType dtype() const { return tensors[0].dtype(); }
};

struct StepCall {
  f::StepNumbers numbers{};
  Tensor lr;                     // in place of numbers.lr, where defined
  Tensor grad_scale, found_inf;  // undefined, or one float32
  std::vector<StepItem> items;
};

namespace internal {
inline bool LieAlike(const StepItem& item) {
  const Tensor& first = item.tensors[0];
  const bool dense = first.is_non_overlapping_and_dense();
  for (const Tensor& t : item.tensors) {
    if (!t.defined() || (first.is_contiguous() && t.is_contiguous())) continue;
    if (!dense || !SameSizes(t.strides(), first.strides())) return false;
  }
  return true;
}
}  // namespace internal

// Calls run(step) with tensors that lie alike: copies where they do not, which are copied back. E:
// a backend's Engine.
template <class E, class F>
void WithDenseItems(const Call& call, StepCall& step, F run) {
  std::vector<std::pair<Tensor, Tensor>> copies;  // a tensor, and its copy
  for (StepItem& item : step.items) {
    if (internal::LieAlike(item)) continue;
    for (Tensor& t : item.tensors) {
      if (!t.defined()) continue;
      Tensor copy = Tensor::Empty(t.sizes(), t.dtype(), t.device());
      if (t.numel() != 0) E::Copy(call, copy, t);
      copies.emplace_back(t, copy);
      t = copy;
    }
  }
  run(step);
  for (const auto& [t, copy] : copies) {
    if (t.numel() != 0) E::Copy(call, t, copy);
  }
}

}  // namespace sy

#endif  // SWITCHYARD_BACKENDS_COMMON_KERNELS_FOREACH_STEP_H_
