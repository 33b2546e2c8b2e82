// Product of matrices of 8-bit floats: scale_a scale_b (self mat2) + bias, summed and scaled in
// float32, rounded once.
//   self: [m, k], mat2: [k, n], of 8-bit floats, of one kind or two; scale_a, scale_b: float32, one
//   number each, or [m, 1] and [1, n], one for each row of self and column of mat2; bias: [n] or
//   [1, n], 16-bit floats or float32; scale_result: float32, one number; out_dtype: 8- or 16-bit
//   floats or float32, self's where it is absent   →   [m, n]
// A result of 8 bits is divided by scale_result before it is rounded; others do not read it.
// use_fast_accum: cuda may sum with fewer bits.
// Every device takes any sizes and strides, both kinds of 8 bits and both kinds of scales. ATen's
// cpu has one scale for a matrix; its cuda has k and n of multiples of 16 and mat2 by columns,
// which here are the products that tensor cores of 8 bits do, and multiplies by scale_result.
// Errors: kInvalidArgument when self or mat2 is no matrix, sizes, dtypes or scales do not fit.
// Example: sy::_scaled_mm(to(a, DType::kFloat8E4M3FN), to(b, DType::kFloat8E5M2), x, y)
// Source: ATen _scaled_mm.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

constexpr DTypeMask kResults = kFloat8Types | kHalfTypes | Bit(DType::kFloat32);

void RequireFactor(const ShapeContext& r, const TensorBase& t, std::string_view name) {
  if (t.dim() != 2) r.Fail({name, " must be a matrix, got sizes ", t.sizes()});
  if (!Contains(kFloat8Types, t.dtype()))
    r.Fail({name, " must be float8_e4m3fn or float8_e5m2, got ", t.dtype()});
}
void RequireFloat32(const ShapeContext& r, const TensorBase& t, std::string_view name) {
  if (t.dtype() != DType::kFloat32) r.Fail({name, " must be float32, got ", t.dtype()});
}

void RequireScales(const ShapeContext& r, const TensorBase& a, const TensorBase& b, int64_t m,
                   int64_t n) {
  RequireFloat32(r, a, "scale_a");
  RequireFloat32(r, b, "scale_b");
  if (a.numel() == 1 && b.numel() == 1) return;
  const int64_t rows[] = {m, 1}, columns[] = {1, n};
  if (SameSizes(a.sizes(), rows) && SameSizes(b.sizes(), columns)) return;
  r.Fail({"scale_a and scale_b must have one element each, or the sizes ", IntSpan(rows), " and ",
          IntSpan(columns), ", got ", a.sizes(), " and ", b.sizes()});
}

void RequireBias(const ShapeContext& r, const TensorBase& bias, int64_t n) {
  if (!Contains(kHalfTypes | Bit(DType::kFloat32), bias.dtype()))
    r.Fail({"bias must be float16, bfloat16 or float32, got ", bias.dtype()});
  const bool is_row = bias.dim() == 1 || (bias.dim() == 2 && bias.size(0) == 1);
  if (!is_row || bias.size(-1) != n)
    r.Fail({"bias must have the sizes [", n, "] or [1, ", n, "], got ", bias.sizes()});
}

void ScaledMmShape(ShapeContext& r, const TensorBase& self, const TensorBase& mat2,
                   const TensorBase& scale_a, const TensorBase& scale_b, const TensorBase& bias,
                   const TensorBase& scale_result, Optional<DType> out_dtype,
                   bool /*use_fast_accum*/) {
  RequireFactor(r, self, "self");
  RequireFactor(r, mat2, "mat2");
  if (self.sizes()[1] != mat2.sizes()[0]) {
    r.Fail({"inner dimensions differ: self is ", self.sizes(), ", mat2 is ", mat2.sizes()});
  }
  const int64_t m = self.sizes()[0], n = mat2.sizes()[1];
  RequireScales(r, scale_a, scale_b, m, n);
  if (bias.defined()) RequireBias(r, bias, n);
  if (scale_result.defined()) {
    RequireFloat32(r, scale_result, "scale_result");
    if (scale_result.numel() != 1)
      r.Fail({"scale_result must have one element, got sizes ", scale_result.sizes()});
  }
  const TensorBase* out = r.given_out(0);
  const DType d = out_dtype.value_or(out != nullptr ? out->dtype() : self.dtype());
  if (!Contains(kResults, d)) {
    r.Fail(
        {"the result must be float8_e4m3fn, float8_e5m2, float16, bfloat16 or float32, got ", d});
  }
  r.Output({m, n}, d);
  r.SetComputeDType(self.dtype());
}

}  // namespace

const Operator scaled_mm_op{
    "_scaled_mm(Tensor self, Tensor mat2, Tensor scale_a, Tensor scale_b, Tensor? bias=None, "
    "Tensor? scale_result=None, ScalarType? out_dtype=None, bool use_fast_accum=False) -> Tensor",
    ScaledMmShape, kOut};

}  // namespace sy
