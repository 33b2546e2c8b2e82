// _foreach_norm, _foreach_max: linalg_vector_norm and max, tensor by tensor.

#include "ops/foreach/foreach_composite.h"

namespace sy {
namespace {

Tensor Norm(const Tensor& self, const Scalar& ord, Optional<DType> dtype) {
  return linalg_vector_norm(self, ord, std::nullopt, false, dtype);
}
using NormEach = foreach::Each<SY_FUNCTION(Norm), nullptr, const Scalar&, Optional<DType>>;
const Composite norm_body{"_foreach_norm.Scalar", NormEach::Make};
const Composite norm_out_body{"_foreach_norm.Scalar_out", NormEach::Out};

using MaxEach = foreach::Each<SY_FUNCTION(max), nullptr>;
const Composite max_body{"_foreach_max", MaxEach::Make};
const Composite max_out_body{"_foreach_max.out", MaxEach::Out};

}  // namespace
}  // namespace sy
