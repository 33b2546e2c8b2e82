// What the key of a call is made of: the place where its tensors lie, and the dtype they meet in.
// Shape functions and calls of operators without one (dispatcher/key.h) find it here alike.
//
//   CommonPlace common(/*host_numbers_join=*/true);
//   for (const TensorBase* t : tensors) {
//     if (!common.Add(*t)) FailPlaces(op, common.of(), *t, tensors);
//   }
//   common.place();
//
// Of tensors on cuda:0 and a 0-dim one on the host the place is cuda:0 if host_numbers_join, and
// else there is none.
// Owns: nothing. Threads: any.
// Errors: kInvalidArgument, in the operator's name.
#ifndef SWITCHYARD_REGISTRY_KEY_H_
#define SWITCHYARD_REGISTRY_KEY_H_

#include <span>
#include <string_view>

#include "switchyard/core/device_backend.h"
#include "switchyard/core/optional.h"
#include "switchyard/core/tensor.h"

namespace sy {

// Of a call without tensors: that of its device argument, else the default.
inline KeyWord PlaceOrDefault(Optional<Device> device) {
  return device ? PlaceOf(*device) : default_place.load(std::memory_order_relaxed);
}

// The one place of tensors that are added one by one. It borrows them.
class CommonPlace {
 public:
  // host_numbers_join: 0-dim tensors of the host may stand beside tensors of another device, whose
  // place it is.
  explicit CommonPlace(bool host_numbers_join) : join_(host_numbers_join) {}
  // False, and nothing changed, where t lies elsewhere than those before. Undefined ones do not
  // count.
  bool Add(const TensorBase& t) {
    if (!t.defined()) return true;
    if (of_ == nullptr || (IsGuest(*of_) && !IsGuest(t))) {
      of_ = &t;
      return true;
    }
    return PlaceOfKey(t.key()) == PlaceOfKey(of_->key()) || IsGuest(t);
  }
  // The first of the tensors that lie there; there is one.
  const TensorBase& of() const { return *of_; }
  // Row and index, dtype bits 0; 0 while no defined tensor was added.
  KeyWord place() const { return of_ == nullptr ? 0 : PlaceOfKey(of_->key()); }

 private:
  bool IsGuest(const TensorBase& t) const { return join_ && t.is_host() && t.dim() == 0; }

  const TensorBase* of_ = nullptr;
  const bool join_;
};

// kInvalidArgument: names the operator, both devices and all tensors.
[[noreturn]] SY_API SY_COLD void FailPlaces(std::string_view op, const TensorBase& a,
                                            const TensorBase& b,
                                            std::span<const TensorBase* const> tensors);

// What the dtypes of tensors promote to; there is one that is defined. Undefined ones do not count.
// Cost: a compare each where all are alike. Errors: kInvalidArgument for dtypes without a common
// one.
SY_API DType CommonDType(std::span<const TensorBase* const> tensors);

}  // namespace sy

#endif  // SWITCHYARD_REGISTRY_KEY_H_
