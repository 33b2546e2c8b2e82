// _foreach_add and its like: the operator of the same name, tensor by tensor.

#include "ops/foreach/foreach_composite.h"

namespace sy {
namespace {

using foreach::List;
using Numbers = std::span<const Scalar>;

const Tensor& maximum_(const Tensor& self, const Tensor& other) {
  return maximum_out(self, self, other);
}
const Tensor& minimum_(const Tensor& self, const Tensor& other) {
  return minimum_out(self, self, other);
}

#define SY_LIST(name, ...)                                                               \
  SY_FOREACH_BODIES(name##_list, "_foreach_" #name, ".List", ".List_out", name, name##_, \
                    TensorList __VA_OPT__(, ) __VA_ARGS__)
#define SY_TENSOR(name, ...)                                                                   \
  SY_FOREACH_BODIES(name##_tensor, "_foreach_" #name, ".Tensor", ".Tensor_out", name, name##_, \
                    const Tensor& __VA_OPT__(, ) __VA_ARGS__)
// of: the operator that takes numbers.
#define SY_NUMBERS(name, of)                                                                     \
  SY_FOREACH_BODIES(name##_scalar, "_foreach_" #name, ".Scalar", ".Scalar_out", of, of##_,       \
                    const Scalar&)                                                               \
  SY_FOREACH_BODIES(name##_scalar_list, "_foreach_" #name, ".ScalarList", ".ScalarList_out", of, \
                    of##_, Numbers)

SY_LIST(add, const Scalar&)
SY_NUMBERS(add, add)
SY_TENSOR(add, const Scalar&)
SY_LIST(sub, const Scalar&)
SY_NUMBERS(sub, sub)
SY_LIST(mul)
SY_NUMBERS(mul, mul)
SY_TENSOR(mul)
SY_LIST(div)
SY_NUMBERS(div, div)
SY_TENSOR(div)
SY_LIST(clamp_max)
SY_NUMBERS(clamp_max, clamp_max)
SY_LIST(clamp_min)
SY_NUMBERS(clamp_min, clamp_min)
SY_LIST(maximum)
SY_NUMBERS(maximum, clamp_min)
SY_LIST(minimum)
SY_NUMBERS(minimum, clamp_max)
SY_LIST(pow)
SY_NUMBERS(pow, pow)
#undef SY_LIST
#undef SY_TENSOR
#undef SY_NUMBERS

List PowOfNumber(Call call, const Scalar& self, TensorList exponent) {
  foreach
    ::RequireTensors(call, exponent);
  List results;
  for (const Tensor& t : exponent) results.push_back(pow(self, t));
  return results;
}
const Composite pow_scalar_and_tensor_body{"_foreach_pow.ScalarAndTensor", PowOfNumber};

}  // namespace
}  // namespace sy
