// Source of the roundings: index_add_cpu_out, ATen/native/TensorAdvancedIndexing.cpp: slices are
// added with one rounding each, elements of vectors have their product with alpha rounded first.
#include "backends/cpu/kernels/index/combine_elements.h"
#include "switchyard/backends/common/views.h"
#include "switchyard/backends/cpu/engine/copy.h"
#include "switchyard/backends/cpu/engine/positions.h"

namespace sy::cpu {
namespace {

// alpha * t, rounded to its dtype, of 16-bit floats.
Tensor Scaled(const Tensor& t, const Scalar& alpha) {
  const Tensor wide = Tensor::Empty(t.sizes(), DType::kFloat32);
  CopyElements(wide, t);
  float* x = wide.data<float>();
  for (int64_t i = 0; i < wide.numel(); ++i) x[i] *= alpha.To<float>();
  const Tensor narrow = Tensor::Empty(t.sizes(), t.dtype());
  CopyElements(narrow, wide);
  return narrow;
}

void IndexAdd(Call call, const Tensor& out, const Tensor&, int64_t dim, const Tensor& index,
              const Tensor& source, const Scalar& alpha) {
  const Tensor to = AtLeast1d(out), from = AtLeast1d(source);
  RequirePositions(call, index, dim, to.sizes()[dim]);
  if (from.numel() == 0) return;
  const Tensor at = IndexOfSlices(index, from.sizes(), dim);
  const bool scale_first = to.dim() == 1 && !alpha.is_one() && Contains(kHalfTypes, out.dtype());
  if (scale_first) {
    CombineElements(Combine::kAdd, to, dim, at, Scaled(from, alpha), {.round_each = true});
  } else {
    CombineElements(Combine::kAdd, to, dim, at, from, {.alpha = alpha, .round_each = true});
  }
}

const Kernel kernel{"index_add", "cpu", kCombineTypes, IndexAdd};

}  // namespace
}  // namespace sy::cpu
