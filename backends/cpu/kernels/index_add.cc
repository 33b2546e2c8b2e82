// Source of the roundings: index_add_cpu_out, ATen/native/TensorAdvancedIndexing.cpp: slices are
// added with one rounding each, elements of vectors have their product with alpha rounded first.
#include <vector>

#include "backends/cpu/kernels/combine.h"
#include "backends/cpu/kernels/positions.h"
#include "backends/cpu/kernels/wrapped_positions.h"
#include "switchyard/backends/cpu/engine/copy.h"
#include "switchyard/core/shape.h"
#include "switchyard/core/transfer.h"

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

// A dimension of one element where there is none.
Tensor AtLeast1d(const Tensor& t) {
  constexpr int64_t kOne[] = {1};
  return t.dim() == 0 ? t.AsStrided(kOne, kOne, t.storage_offset()) : t;
}

void IndexAdd(Call call, const Tensor& out, const Tensor&, int64_t dim, const Tensor& index,
              const Tensor& source, const Scalar& alpha) {
  dim = WrapDim(dim, out.dim());
  const Tensor to = AtLeast1d(out), from = AtLeast1d(source);
  RequirePositions(call, index, dim, to.sizes()[dim]);
  if (from.numel() == 0) return;
  const Tensor at = IndexOfSlices(index, from, dim);
  const bool scale_first = to.dim() == 1 && !alpha.is_one() && Contains(kHalfTypes, out.dtype());
  if (scale_first) {
    CombineElements(Combine::kAdd, to, dim, at, Scaled(from, alpha), {.round_each = true});
  } else {
    CombineElements(Combine::kAdd, to, dim, at, from, {.alpha = alpha, .round_each = true});
  }
}

void IndexReduce(Call call, const Tensor& out, const Tensor&, int64_t dim, const Tensor& index,
                 const Tensor& source, std::string_view reduce, bool include_self) {
  dim = WrapDim(dim, out.dim());
  const Tensor to = AtLeast1d(out), from = AtLeast1d(source);
  RequirePositions(call, index, dim, to.sizes()[dim]);
  if (from.numel() == 0) return;
  ReduceElements(reduce, to, dim, IndexOfSlices(index, from, dim), from, include_self,
                 /*round_each=*/true);
}

void IndexFill(Call call, const Tensor& out, const Tensor&, int64_t dim, const Tensor& index,
               const Tensor& value) {
  dim = WrapDim(dim, out.dim());
  const Tensor to = AtLeast1d(out);
  const Tensor positions = WrappedPositions(call, index, dim, to.sizes()[dim]);
  if (value.dtype() != out.dtype() && !ReadNumber(value).Fits(out.dtype())) {
    Fail(ErrorCode::kInvalidValue,
         {call.op(), "(): value ", ReadNumber(value).str(), " does not fit self's ", out.dtype()});
  }
  if (out.numel() == 0 || index.numel() == 0) return;
  const Tensor number = Tensor::Empty(IntSpan(), out.dtype());
  CopyElements(number, value);
  const std::vector<int64_t> still(static_cast<size_t>(to.dim()), 0);
  const Tensor at = IndexOfSlices(positions, to, dim);
  CombineElements(Combine::kCopy, to, dim, at, number.AsStrided(at.sizes(), still, 0));
}

const Kernel add_kernel{"index_add", "cpu", kCombineTypes, IndexAdd};
const Kernel reduce_kernel{"index_reduce", "cpu", kCombineTypes, IndexReduce};
const Kernel fill_kernel{"index_fill.int_Tensor", "cpu", kAnyDType, IndexFill};

}  // namespace
}  // namespace sy::cpu
