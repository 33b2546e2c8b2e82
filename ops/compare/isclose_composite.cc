// isclose: whether the distance is what the tolerances allow.

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

// |x| of integers is that of floats, where the tolerance is one.
Tensor Isclose(Call call, const Tensor& self, const Tensor& other, double rtol, double atol,
               bool equal_nan) {
  if (self.dtype() != other.dtype()) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"self and other must have the same dtype, got ", self.dtype(), " and ", other.dtype()});
  }
  if (!(rtol >= 0 && atol >= 0)) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"rtol and atol must not be negative, got ", rtol, " and ", atol});
  }
  Tensor close = eq(self, other);
  if (equal_nan && !IsIntegral(self.dtype(), true))
    close = logical_or(close, logical_and(isnan(self), isnan(other)));
  if (rtol == 0 && atol == 0) return close;
  const DType dtype = IsIntegral(self.dtype(), true) ? DefaultDType() : self.dtype();
  const Tensor reference = to(other, dtype);
  const Tensor allowed = add(abs(mul(reference, rtol)), atol);
  const Tensor actual = abs(sub(to(self, dtype), reference));
  return logical_or(close, logical_and(isfinite(actual), le(actual, allowed)));
}
const Composite isclose_body{"isclose", Isclose};

}  // namespace
}  // namespace sy
