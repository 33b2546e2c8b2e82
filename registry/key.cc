#include "switchyard/registry/key.h"

#include <string>

#include "switchyard/core/error.h"
#include "switchyard/core/promotion.h"

namespace sy {

void FailPlaces(std::string_view op, const TensorBase& a, const TensorBase& b,
                std::span<const TensorBase* const> tensors) {
  std::string list;
  for (const TensorBase* t : tensors) {
    if (t->defined()) list += (list.empty() ? "" : ", ") + Describe(*t);
  }
  Fail(ErrorCode::kInvalidArgument, op,
       {"tensors are on different devices, ", a.device().str(), " and ", b.device().str(), ": ",
        list});
}

DType CommonDType(std::span<const TensorBase* const> tensors) {
  const TensorBase* first = nullptr;
  bool same = true;
  for (const TensorBase* t : tensors) {
    if (!t->defined()) continue;
    if (first == nullptr) first = t;
    same &= t->dtype() == first->dtype() && !t->is_wrapped_number();
  }
  if (same) return first->dtype();
  TypePromotion types;
  for (const TensorBase* t : tensors) types.Add(*t);
  return types.Result();
}

}  // namespace sy
