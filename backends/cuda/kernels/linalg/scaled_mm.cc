// Products of 8-bit floats: by cuBLASLt with scales and bias; where it does not serve these, of the
// numbers alone; and where it does not serve 8 bits, of the same numbers in bfloat16, which has all
// of them, or in float32.

#include "backends/cuda/driver/cublaslt.h"
#include "backends/cuda/engine/cublaslt.h"
#include "backends/cuda/engine/dense.h"
#include "backends/cuda/engine/engine.h"
#include "backends/cuda/engine/product.h"
#include "switchyard/backends/common/kernels/linalg.h"

namespace sy::cuda {
namespace {

MatrixShape ShapeOf(const Tensor& t) {
  return {t.sizes()[0], t.sizes()[1], t.strides()[0], t.strides()[1]};
}
Tensor Transposed(const Tensor& t) {
  return t.AsStrided({t.sizes()[1], t.sizes()[0]}, {t.strides()[1], t.strides()[0]},
                     t.storage_offset());
}
// t, or a copy, in this dtype, by rows as tensor cores of 8 bits read them: of whole 16 bytes.
Tensor ByRows(Call call, const Tensor& t, DType dtype) {
  const bool aligned = t.strides()[0] % 16 == 0 && reinterpret_cast<uintptr_t>(t.data()) % 16 == 0;
  if (ShapeOf(t).by_rows() && aligned && t.dtype() == dtype) return t;
  const Tensor copy = Tensor::Empty(t.sizes(), dtype, t.device());
  CopyElements(call, copy, t);
  return copy;
}

// What the library does itself beside the product: nothing where they are undefined.
struct With {
  Tensor scale_a, scale_b, bias;
};

// out = a b. False, and nothing done, where the library does not serve.
bool InLibrary(Call call, const Tensor& out, const Tensor& a, const Tensor& b, bool fast_sums,
               const With& with = {}) {
  LibraryProduct p{};
  if (!PlanGemm(ShapeOf(out), ShapeOf(a), ShapeOf(b), &p.plan)) return false;
  const bool swapped = p.plan.swapped;
  const Tensor &left = swapped ? b : a, &right = swapped ? a : b;
  const Tensor &left_scale = swapped ? with.scale_b : with.scale_a,
               &right_scale = swapped ? with.scale_a : with.scale_b;
  p.left_type = left.dtype();
  p.right_type = right.dtype();
  p.result_type = out.dtype();
  p.batch = 1;
  p.left = left.data();
  p.right = right.data();
  p.result = out.data();
  p.alpha = ImmediateOf(1, DType::kFloat32);
  p.beta = ImmediateOf(0, DType::kFloat32);
  if (left_scale.defined()) {
    p.left_scale = left_scale.data();
    p.right_scale = right_scale.data();
    p.scales_are_vectors = left_scale.numel() != 1 || right_scale.numel() != 1;
  }
  if (with.bias.defined()) {
    if (!swapped) return false;  // it is one for each column of out, and the library's for each row
    p.bias = with.bias.data();
    p.bias_type = with.bias.dtype();
  }
  p.fast_sums = fast_sums;
  return RunLibraryProduct(call.op(), StreamOf(call.key), p);
}

// The bias that the library adds to a result of that dtype.
bool AddsBias(const Tensor& bias, DType result) {
  return bias.dtype() == (result == DType::kFloat16 ? DType::kFloat16 : DType::kBFloat16) &&
         reinterpret_cast<uintptr_t>(bias.data()) % 16 == 0;
}

void ScaledMm(Call call, const Tensor& out, const Tensor& self, const Tensor& mat2,
              const Tensor& scale_a, const Tensor& scale_b, const Tensor& bias,
              const Tensor& scale_result, Optional<DType> /*out_dtype*/, bool use_fast_accum) {
  if (out.numel() == 0) return;
  const bool has_library = FindLt() != nullptr && self.sizes()[1] != 0;
  Tensor a, b;
  const auto read_as = [&](DType of_a, DType of_b) {
    a = ByRows(call, self, of_a);
    b = Transposed(ByRows(call, Transposed(mat2), of_b));
  };
  if (has_library) {
    read_as(self.dtype(), mat2.dtype());
    const With all{Dense(call, scale_a, DType::kFloat32), Dense(call, scale_b, DType::kFloat32),
                   bias};
    const bool stores = !Contains(kFloat8Types, out.dtype());
    if (stores && (!bias.defined() || AddsBias(bias, out.dtype())) &&
        InLibrary(call, out, a, b, use_fast_accum, all))
      return;
  }
  const bool direct = out.dtype() == DType::kFloat32;
  const Tensor product = direct ? out : Tensor::Empty(out.sizes(), DType::kFloat32, out.device());
  bool done = has_library && InLibrary(call, product, a, b, use_fast_accum);
  if (has_library && !done) {
    read_as(DType::kBFloat16, DType::kBFloat16);
    done = InLibrary(call, product, a, b, /*fast_sums=*/false);
  }
  if (!done) {
    a = Dense(call, self, DType::kFloat32);
    b = Dense(call, mat2, DType::kFloat32);
    RunProduct(call, product, {1, a.sizes()[0], b.sizes()[1], a.sizes()[1]}, MatricesOf(product),
               MatricesOf(a), MatricesOf(b));
  }
  StoreScaled<Engine>(call, out, product, {scale_a, scale_b, bias, scale_result});
}

const Kernel kernel{"_scaled_mm", "cuda", kFloat8Types, ScaledMm};

}  // namespace
}  // namespace sy::cuda
