#include "switchyard/dispatcher/key.h"

#include "switchyard/core/promotion.h"

namespace sy::internal {

void FailUndefined(const OperatorEntry& op, size_t position) {
  const Argument& a = op.schema().arguments[position];
  Fail(ErrorCode::kInvalidArgument, {op.name(), "(): argument '", a.name, "' must be ",
                                     a.type.str(), ", got an undefined tensor"});
}

void RequireListDefined(const OperatorEntry& op, size_t position, TensorList list) {
  const Argument& a = op.schema().arguments[position];
  if (a.type.element_optional) return;
  for (size_t i = 0; i < list.size(); ++i) {
    if (list[i].defined()) continue;
    Fail(ErrorCode::kInvalidArgument, {op.name(), "(): argument '", a.name, "' must be ",
                                       a.type.str(), ", tensor ", i, " is undefined"});
  }
}

KeyWord KeyFromOptions(Optional<Device> device, Optional<DType> dtype) {
  const KeyWord place = device ? PlaceOf(*device) : default_place.load(std::memory_order_relaxed);
  return place | static_cast<KeyWord>(dtype.value_or(DefaultDType()));
}

KeyWord MergeKeys(const OperatorEntry& op, std::span<const Meta* const> tensors) {
  const Meta* first = nullptr;
  const Meta* place_of = nullptr;
  TypePromotion types;
  for (const Meta* t : tensors) {
    if (!t->defined()) continue;
    if (first == nullptr) first = t;
    if (op.key_rule == KeyRule::kPromote) types.Add(*t);
    const bool guest = t->is_host() && t->dim() == 0;
    if (place_of == nullptr || (place_of->is_host() && place_of->dim() == 0)) {
      place_of = t;
    } else if (!guest && PlaceOfKey(t->key()) != PlaceOfKey(place_of->key())) {
      Fail(ErrorCode::kInvalidArgument, {op.name(), "(): tensors are on different devices: ",
                                         Describe(*place_of), " and ", Describe(*t)});
    }
  }
  if (first == nullptr) return KeyFromOptions(std::nullopt, std::nullopt);
  const DType dtype = op.key_rule == KeyRule::kPromote ? types.Result() : first->dtype();
  return PlaceOfKey(place_of->key()) | static_cast<KeyWord>(dtype);
}

}  // namespace sy::internal
