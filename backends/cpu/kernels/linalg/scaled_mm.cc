// Products of 8-bit floats: of their numbers in float32.
#include "switchyard/backends/common/kernels/linalg.h"
#include "switchyard/backends/cpu/blas/product.h"
#include "switchyard/backends/cpu/engine/engine.h"

namespace sy::cpu {
namespace {

// In float32, by columns where t lies so.
Tensor Wide(const Tensor& t) {
  const Matrix from = Matrix::Of(t);
  const int64_t rows[] = {from.columns, 1}, columns[] = {1, from.rows};
  const Tensor wide =
      Tensor::EmptyStrided(t.sizes(), from.by_columns() ? columns : rows, DType::kFloat32);
  CopyMatrix(Matrix::Of(wide), from);
  return wide;
}

void ScaledMm(Call call, const Tensor& out, const Tensor& self, const Tensor& mat2,
              const Tensor& scale_a, const Tensor& scale_b, const Tensor& bias,
              const Tensor& scale_result, Optional<DType> /*out_dtype*/, bool /*use_fast_accum*/) {
  if (out.numel() == 0) return;
  const Tensor a = Wide(self), b = Wide(mat2);
  const Tensor product =
      out.dtype() == DType::kFloat32 ? out : Tensor::Empty(out.sizes(), DType::kFloat32);
  Product(call.op(), Matrix::Of(product), Matrix::Of(a), Matrix::Of(b));
  StoreScaled<Engine>(call, out, product, {scale_a, scale_b, bias, scale_result});
}

const Kernel kernel{"_scaled_mm", "cpu", kFloat8Types, ScaledMm};

}  // namespace
}  // namespace sy::cpu
