#include "switchyard/dispatcher/key.h"

#include "switchyard/registry/key.h"

namespace sy::internal {

void FailUndefined(const OperatorEntry& op, size_t position) {
  const Argument& a = op.schema().arguments[position];
  Fail(ErrorCode::kInvalidArgument, op.name(),
       {"argument '", a.name, "' must be ", a.type.str(), ", got an undefined tensor"});
}

void RequireListDefined(const OperatorEntry& op, size_t position, TensorList list) {
  const Argument& a = op.schema().arguments[position];
  if (a.type.element_optional) return;
  for (size_t i = 0; i < list.size(); ++i) {
    if (list[i].defined()) continue;
    Fail(ErrorCode::kInvalidArgument, op.name(),
         {"argument '", a.name, "' must be ", a.type.str(), ", tensor ", i, " is undefined"});
  }
}

KeyWord KeyFromOptions(Optional<Device> device, Optional<DType> dtype) {
  return PlaceOrDefault(device) | static_cast<KeyWord>(dtype.value_or(DefaultDType()));
}

KeyWord MergeKeys(const OperatorEntry& op, std::span<const TensorBase* const> tensors) {
  CommonPlace common(/*host_numbers_join=*/true);
  const TensorBase* first = nullptr;
  for (const TensorBase* t : tensors) {
    if (!common.Add(*t)) FailPlaces(op.name(), common.of(), *t, tensors);
    if (first == nullptr && t->defined()) first = t;
  }
  if (first == nullptr) return KeyFromOptions(std::nullopt, std::nullopt);
  const DType dtype = op.key_rule == KeyRule::kPromote ? CommonDType(tensors) : first->dtype();
  return common.place() | static_cast<KeyWord>(dtype);
}

}  // namespace sy::internal
