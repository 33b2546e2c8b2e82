// _foreach_norm, _foreach_powsum, _foreach_max: linalg_vector_norm, the same without the root, and
// max, tensor by tensor.

#include "ops/foreach/foreach_composite.h"

namespace sy {
namespace {

using lists::kNoKernel;
using lists::List;

void RequireRealOrder(const Call& call, const Scalar& ord) {
  if (ord.is_complex() || ord.kind() == Scalar::kBool) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"ord must be an int or float, got ", ord.is_complex() ? "a complex number" : "a bool"});
  }
}

Tensor Norm(const Tensor& self, const Scalar& ord, Optional<DType> dtype) {
  return linalg_vector_norm(self, ord, std::nullopt, false, dtype);
}
// The sum of |x|^ord, 16-bit floats in float; those that are not 0 for ord 0.
Tensor PowerSum(const Tensor& self, const Scalar& ord, Optional<DType> dtype) {
  const DType given = dtype.value_or(self.dtype());
  const DType real = IsComplex(given) ? RealType(given) : given;
  const DType wide = Contains(kHalfTypes, real) ? DType::kFloat32 : real;
  const Tensor a = to(abs(to(self, given)), wide);
  const double p = ord.To<double>();
  const Tensor powers = p == 0 ? to(ne(a, 0), wide) : p == 1 ? a : p == 2 ? mul(a, a) : pow(a, ord);
  return to(sum(powers, wide), real);
}

// Each: of Norm or PowerSum.
template <class Each>
struct Checked {
  static List Make(Call call, TensorList self, const Scalar& ord, Optional<DType> dtype) {
    RequireRealOrder(call, ord);
    return Each::Make(call, self, ord, dtype);
  }
  static void Out(Call call, TensorList self, const Scalar& ord, Optional<DType> dtype,
                  TensorList out) {
    lists::StoreAll(call, Make(call, self, ord, dtype), out);
  }
};
using NormEach = lists::Each<SY_FUNCTION(Norm), nullptr, kNoKernel, const Scalar&, Optional<DType>>;
const Composite norm_body{"_foreach_norm.Scalar", Checked<NormEach>::Make};
const Composite norm_out_body{"_foreach_norm.Scalar_out", Checked<NormEach>::Out};

struct PowerSums
    : lists::Each<SY_FUNCTION(PowerSum), nullptr, kNoKernel, const Scalar&, Optional<DType>> {
  static List Make(Call call, TensorList self, const Scalar& ord, Optional<DType> dtype) {
    for (const Tensor& t : self) {
      if (IsFloating(t.dtype()) || IsComplex(t.dtype())) continue;
      Fail(ErrorCode::kNotImplemented, call.op(),
           {"expected floating or complex tensors, got ", t.dtype()});
    }
    if (dtype && !IsFloating(*dtype) && !IsComplex(*dtype)) {
      Fail(ErrorCode::kInvalidArgument, call.op(),
           {"dtype must be floating or complex, got ", *dtype});
    }
    return Each::Make(call, self, ord, dtype);
  }
};
const Composite powsum_body{"_foreach_powsum.Scalar", Checked<PowerSums>::Make};
const Composite powsum_out_body{"_foreach_powsum.Scalar_out", Checked<PowerSums>::Out};

using MaxEach = lists::Each<SY_FUNCTION(max), nullptr, kNoKernel>;
const Composite max_body{"_foreach_max", MaxEach::Make};
const Composite max_out_body{"_foreach_max.out", MaxEach::Out};

}  // namespace
}  // namespace sy
