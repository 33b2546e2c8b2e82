#include "backends/cuda/kernels/linalg/matrices.h"

#include <algorithm>
#include <climits>

#include "backends/cuda/engine/dense.h"
#include "backends/cuda/engine/reduce.h"
#include "switchyard/backends/common/checks.h"
#include "switchyard/core/transfer.h"
#include "switchyard/ops/formulas/classify.h"
#include "switchyard/ops/formulas/trigonometric.h"

namespace sy::cuda {

cudaDataType_t LibraryType(DType d) {
  return d == DType::kFloat32     ? CUDA_R_32F
         : d == DType::kFloat64   ? CUDA_R_64F
         : d == DType::kComplex64 ? CUDA_C_32F
                                  : CUDA_C_64F;
}

int LibrarySize(Call call, int64_t n) {
  if (n <= INT_MAX) return static_cast<int>(n);
  FailMatrixSize(call, "cuSOLVER", n);
}

Tensor Room(const Tensor& like, int64_t batch, int64_t rows, int64_t columns, bool by_rows) {
  const int64_t sizes[] = {batch, rows, columns};
  const int64_t strides[] = {rows * columns, by_rows ? columns : 1, by_rows ? 1 : rows};
  return Tensor::EmptyStrided(sizes, strides, like.dtype(), like.device());
}
Tensor Batched(Call call, const Tensor& t, size_t own) {
  const Tensor dense = Dense(call, t, t.dtype());
  const IntSpan last = t.sizes().last(own);
  int64_t sizes[3] = {1}, strides[3], step = 1;
  std::copy(last.begin(), last.end(), sizes + 1);
  for (size_t d = own; d > 0; --d) {
    strides[d] = step;
    step *= sizes[d];
  }
  strides[0] = step;
  sizes[0] = step == 0 ? 0 : t.numel() / step;
  return dense.AsStrided({sizes, own + 1}, {strides, own + 1}, dense.storage_offset());
}
void Store(Call call, const Tensor& out, const Tensor& t, bool conjugates) {
  std::vector<int64_t> sizes(out.sizes().begin(), out.sizes().end()), strides(sizes.size());
  const size_t rank = sizes.size(), own = t.sizes().size() - 1;
  for (size_t d = 0; d < own; ++d) strides[rank - 1 - d] = t.strides()[own - d];
  int64_t step = t.strides()[0];
  for (size_t d = rank - own; d > 0; --d) {
    strides[d - 1] = step;
    step *= sizes[d - 1];
  }
  const Tensor from = t.AsStrided(sizes, strides, t.storage_offset());
  if (conjugates) return RunFormula(call, kFormula<f::Conj>, out, {&from});
  CopyElements(call, out, from);
}
Tensor BatchedExpanded(Call call, const Tensor& t, IntSpan sizes, size_t own) {
  const size_t rank = sizes.size(), added = rank - t.sizes().size();
  std::vector<int64_t> strides(rank);
  for (size_t d = added; d < rank; ++d) {
    if (t.sizes()[d - added] == sizes[d]) strides[d] = t.strides()[d - added];
  }
  return Batched(call, t.AsStrided(sizes, strides, t.storage_offset()), own);
}
Tensor CopyByColumns(Call call, const Tensor& t) {
  const Tensor a = Batched(call, t, 2);
  const Tensor copy = Room(a, a.sizes()[0], a.sizes()[1], a.sizes()[2], /*by_rows=*/false);
  Store(call, copy, a);
  return copy;
}
Tensor NoDefects(Call call, const Tensor& batched) {
  const Tensor info = Tensor::Empty({batched.sizes()[0]}, DType::kInt32, batched.device());
  FillElements(call, info, Scalar(0));
  return info;
}

void SetIdentity(Call call, const Tensor& t) {
  FillElements(call, t, Scalar(0));
  const size_t rank = t.sizes().size();
  std::vector<int64_t> sizes(t.sizes().begin(), t.sizes().end() - 1),
      strides(t.strides().begin(), t.strides().end() - 1);
  sizes.back() = std::min(t.sizes()[rank - 2], t.sizes()[rank - 1]);
  strides.back() += t.strides()[rank - 1];
  FillElements(call, t.AsStrided(sizes, strides, t.storage_offset()), Scalar(1));
}

int64_t FirstSet(const Tensor& flags) {
  const Tensor host = ToHost(flags);
  for (int64_t i = 0; i < host.numel(); ++i) {
    const bool set = host.dtype() == DType::kBool ? host.data<bool>()[i] : host.data<int>()[i] != 0;
    if (set) return i;
  }
  return -1;
}

void RequireNumbers(Call call, const Tensor& a) {
  const Tensor nan = Tensor::Empty(a.sizes(), DType::kBool, a.device());
  const Tensor any = Tensor::Empty({a.sizes()[0]}, DType::kBool, a.device());
  RunFormula(call, kFormula<f::IsNan>, nan, {&a});
  Reduce(call, kReduction<f::Any>, DType::kBool, nan, 6, &any);
  if (const int64_t i = FirstSet(any); i >= 0) FailConvergence(call.op(), "A", i, "it holds NaN");
}

}  // namespace sy::cuda
