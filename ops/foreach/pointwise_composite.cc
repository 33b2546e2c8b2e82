// _foreach_addcmul and its like: the operator of the same name, tensor by tensor.

#include "ops/checks.h"
#include "ops/foreach/foreach_composite.h"

namespace sy {
namespace {

using lists::List;
using lists::Numbers;

using Pair = Tensor(const Tensor&, const Tensor&, const Tensor&, const Scalar&);
using Three = Tensor(const Tensor&, const Tensor&, const Tensor&);
constinit const lists::KernelOf<Pair> addcdiv_of{"addcdiv"}, addcmul_of{"addcmul"};
constinit const lists::KernelOf<Three> lerp_of{"lerp.Tensor"};

#define SY_PAIR(name)                                                                              \
  SY_FOREACH_BODIES(name##_scalar, "_foreach_" #name, ".Scalar", ".Scalar_out", name, name##_,     \
                    name##_of, TensorList, TensorList, const Scalar&)                              \
  SY_FOREACH_BODIES(name##_scalar_list, "_foreach_" #name, ".ScalarList", ".ScalarList_out", name, \
                    name##_, name##_of, TensorList, TensorList, Numbers)
SY_PAIR(addcdiv)
SY_PAIR(addcmul)
#undef SY_PAIR

#define SY_LERP(id, overload, type)                                                             \
  SY_FOREACH_BODIES(lerp_##id, "_foreach_lerp", "." overload, "." overload "_out", lerp, lerp_, \
                    lerp_of, TensorList, type)
SY_LERP(list, "List", TensorList)
SY_LERP(scalar, "Scalar", const Scalar&)
SY_LERP(scalar_list, "ScalarList", Numbers)
#undef SY_LERP

// A 1-d tensor's elements, one for each tensor: fetched at once, wherever they lie.
std::vector<Scalar> NumbersOf(const Call& call, TensorList self, const Tensor& scalars) {
  if (scalars.dim() != 1 || scalars.numel() != static_cast<int64_t>(self.size())) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"expected a 1-d tensor of ", self.size(), " numbers, got sizes ", scalars.sizes()});
  }
  // Nothing is computed there, whatever the numbers are.
  if (!HasData(scalars)) return std::vector<Scalar>(self.size(), Scalar(1));
  const Tensor host = scalars.is_host() ? scalars : to(scalars, Device("cpu"));
  std::vector<Scalar> numbers;
  numbers.reserve(self.size());
  for (int64_t i = 0; i < host.numel(); ++i) numbers.push_back(item(select(host, 0, i)));
  return numbers;
}
// Each: of the overload with a list of numbers.
template <class Each>
struct OfTensor {
  static List Make(Call call, TensorList self, TensorList tensor1, TensorList tensor2,
                   const Tensor& scalars) {
    return Each::Make(call, self, tensor1, tensor2, NumbersOf(call, self, scalars));
  }
  static void InPlace(Call call, TensorList self, TensorList tensor1, TensorList tensor2,
                      const Tensor& scalars) {
    Each::InPlace(call, self, tensor1, tensor2, NumbersOf(call, self, scalars));
  }
  static void Out(Call call, TensorList self, TensorList tensor1, TensorList tensor2,
                  const Tensor& scalars, TensorList out) {
    Each::Out(call, self, tensor1, tensor2, NumbersOf(call, self, scalars), out);
  }
};
#define SY_TENSOR(name)                                                                    \
  const Composite name##_tensor_body{"_foreach_" #name ".Tensor",                          \
                                     OfTensor<name##_scalar_list_each>::Make};             \
  const Composite name##_tensor_in_place_body{"_foreach_" #name "_.Tensor",                \
                                              OfTensor<name##_scalar_list_each>::InPlace}; \
  const Composite name##_tensor_out_body{"_foreach_" #name ".Tensor_out",                  \
                                         OfTensor<name##_scalar_list_each>::Out};
SY_TENSOR(addcdiv)
SY_TENSOR(addcmul)
#undef SY_TENSOR

}  // namespace
}  // namespace sy
