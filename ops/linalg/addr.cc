// beta self + alpha times the outer product of vec1 and vec2.
//   self: sizes that expand to [m, n]; vec1: [m], vec2: [n]; dtypes that promote   →   [m, n]
// With beta 0 self is not read: NaN in it does not count. Each step is rounded to the common dtype.
// Errors: kInvalidArgument when they are no vectors, sizes do not fit, or alpha or beta is not of
// the category of the result.
// Example: sy::addr(a, x, y)
// Source: ATen addr.
#include "switchyard/ops/number.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void AddrShape(ShapeContext& r, const TensorBase& self, const TensorBase& vec1,
               const TensorBase& vec2, const Scalar& beta, const Scalar& alpha) {
  if (vec1.dim() != 1 || vec2.dim() != 1) {
    r.Fail({"vec1 and vec2 must be vectors, got sizes ", vec1.sizes(), " and ", vec2.sizes()});
  }
  TypePromotion types;
  for (const TensorBase* t : {&self, &vec1, &vec2}) types.Add(*t);
  const int64_t sizes[] = {vec1.sizes()[0], vec2.sizes()[0]};
  // It lies as self does, which the vectors do not gainsay.
  OutputSpec& o = SameSizes(self.sizes(), sizes) ? r.OutputLike(self, types.Result())
                                                 : r.Output({sizes[0], sizes[1]}, types.Result());
  o.cast = CastPolicy::kCan;
  RequireDType(r, self, kNumbers);
  const auto fits = [&](const Scalar& s) {
    const bool real = !s.is_complex() || s.complex_data()[1] == 0;
    return s.is_complex()    ? IsComplex(o.dtype) || (real && !IsIntegral(o.dtype, true))
           : s.is_floating() ? !IsIntegral(o.dtype, true)
                             : s.is_integral(false) || o.dtype == DType::kBool;
  };
  if (!fits(beta)) r.Fail({"beta is ", beta.str(), ", which does not fit ", o.dtype});
  if (!fits(alpha)) r.Fail({"alpha is ", alpha.str(), ", which does not fit ", o.dtype});
  RequireStorable(r, beta, o.dtype, "beta");  // 16-bit floats too are multiplied in their own dtype
  RequireStorable(r, alpha, o.dtype, "alpha");
  if (!IsExpandable(self.sizes(), o.size_span()))
    r.Fail({"self of sizes ", self.sizes(), " does not expand to ", o.size_span()});
}

}  // namespace

const Operator addr_op{
    "addr(Tensor self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
    AddrShape, kInPlace | kOut};

}  // namespace sy
