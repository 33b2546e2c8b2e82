// _foreach_add and its like: the operator of the same name, tensor by tensor.

#include "ops/foreach/foreach_composite.h"

namespace sy {
namespace {

using lists::kNoKernel;
using lists::List;
using lists::Numbers;

const Tensor& maximum_(const Tensor& self, const Tensor& other) {
  return maximum_out(self, self, other);
}
const Tensor& minimum_(const Tensor& self, const Tensor& other) {
  return minimum_out(self, self, other);
}

using Scaled = Tensor(const Tensor&, const Tensor&, const Scalar&);
using Binary = Tensor(const Tensor&, const Tensor&);
constinit const lists::KernelOf<Scaled> add_of{"add.Tensor"}, sub_of{"sub.Tensor"};
constinit const lists::KernelOf<Binary> mul_of{"mul.Tensor"}, div_of{"div.Tensor"},
    maximum_of{"maximum"}, minimum_of{"minimum"};

#define SY_LIST(name, kernel, ...)                                                               \
  SY_FOREACH_BODIES(name##_list, "_foreach_" #name, ".List", ".List_out", name, name##_, kernel, \
                    TensorList __VA_OPT__(, ) __VA_ARGS__)
#define SY_TENSOR(name, ...)                                                                   \
  SY_FOREACH_BODIES(name##_tensor, "_foreach_" #name, ".Tensor", ".Tensor_out", name, name##_, \
                    name##_of, const Tensor& __VA_OPT__(, ) __VA_ARGS__)
// of: the operator that takes numbers.
#define SY_NUMBERS(name, of, kernel)                                                               \
  SY_FOREACH_BODIES(name##_scalar, "_foreach_" #name, ".Scalar", ".Scalar_out", of, of##_, kernel, \
                    const Scalar&)                                                                 \
  SY_FOREACH_BODIES(name##_scalar_list, "_foreach_" #name, ".ScalarList", ".ScalarList_out", of,   \
                    of##_, kernel, Numbers)

SY_LIST(add, add_of, const Scalar&)
SY_NUMBERS(add, add, add_of)
SY_TENSOR(add, const Scalar&)
SY_LIST(sub, sub_of, const Scalar&)
SY_NUMBERS(sub, sub, sub_of)
SY_LIST(mul, mul_of)
SY_NUMBERS(mul, mul, mul_of)
SY_TENSOR(mul)
SY_LIST(div, div_of)
SY_NUMBERS(div, div, div_of)
SY_TENSOR(div)
SY_LIST(clamp_max, kNoKernel)
SY_NUMBERS(clamp_max, clamp_max, kNoKernel)
SY_LIST(clamp_min, kNoKernel)
SY_NUMBERS(clamp_min, clamp_min, kNoKernel)
SY_LIST(maximum, maximum_of)
SY_NUMBERS(maximum, clamp_min, kNoKernel)
SY_LIST(minimum, minimum_of)
SY_NUMBERS(minimum, clamp_max, kNoKernel)
SY_LIST(pow, kNoKernel)
SY_NUMBERS(pow, pow, kNoKernel)
#undef SY_LIST
#undef SY_TENSOR
#undef SY_NUMBERS

List PowOfNumber(Call call, const Scalar& self, TensorList exponent) {
  lists::RequireTensors(call, exponent);
  List results;
  for (const Tensor& t : exponent) results.push_back(pow(self, t));
  return results;
}
const Composite pow_scalar_and_tensor_body{"_foreach_pow.ScalarAndTensor", PowOfNumber};

}  // namespace
}  // namespace sy
