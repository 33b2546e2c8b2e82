// The key of a call of an operator without a shape rule: device and dtype from its arguments.
//
// Operators with a rule need none: their rule says what is computed where. Tensors of one device
// and dtype, the usual case, cost a compare each; everything else goes through MergeKeys.
// Threads: any.
#ifndef SWITCHYARD_DISPATCHER_KEY_H_
#define SWITCHYARD_DISPATCHER_KEY_H_

#include <array>
#include <span>
#include <type_traits>
#include <vector>

#include "switchyard/core/device_backend.h"
#include "switchyard/core/optional.h"
#include "switchyard/core/tensor.h"
#include "switchyard/registry/entry.h"

namespace sy::internal {

// Of tensors that differ in dtype or device, or are undefined. 0-dim host tensors may accompany
// tensors of another device. Errors: kInvalidArgument when devices differ.
SY_API SY_COLD KeyWord MergeKeys(const OperatorEntry& op, std::span<const Meta* const> tensors);
// Where no argument is a tensor: from the device and dtype arguments, else the defaults.
SY_API KeyWord KeyFromOptions(Optional<Device> device, Optional<DType> dtype);

template <class T>
inline constexpr bool kIsTensor = std::is_same_v<std::remove_cvref_t<T>, Tensor>;
template <class T>
inline constexpr bool kIsTensorList = std::is_same_v<std::remove_cvref_t<T>, TensorList>;

// Layer bits of all tensors among the arguments, in the upper half of the word.
template <class T>
SY_INLINE KeyWord BitsOf(const T& a) {
  if constexpr (kIsTensor<T>) {
    return a.key();
  } else if constexpr (kIsTensorList<T>) {
    KeyWord bits = 0;
    for (const Tensor& t : a) bits |= t.key();
    return bits;
  } else {
    return 0;
  }
}
template <class... A>
SY_INLINE uint32_t LayersOf(const A&... a) {
  return LayersOfKey((KeyWord{0} | ... | BitsOf(a)));
}

// Every tensor among the arguments, lists included.
template <class F, class... A>
void ForEachTensor(F f, const A&... a) {
  const auto each = [&](const auto& x) {
    if constexpr (kIsTensor<decltype(x)>) {
      f(x);
    } else if constexpr (kIsTensorList<decltype(x)>) {
      for (const Tensor& t : x) f(t);
    }
  };
  (each(a), ...);
}

[[noreturn]] SY_API SY_COLD void FailUndefined(const OperatorEntry& op, size_t position);
// Errors: kInvalidArgument when a tensor of the list is undefined and the schema's elements are not
// optional.
SY_API void RequireListDefined(const OperatorEntry& op, size_t position, TensorList list);

template <class T>
void CollectOption(const T& a, Optional<Device>& device, Optional<DType>& dtype) {
  if constexpr (std::is_same_v<T, Device> || std::is_same_v<T, Optional<Device>>) device = a;
  if constexpr (std::is_same_v<T, DType> || std::is_same_v<T, Optional<DType>>) dtype = a;
}

template <class... A>
SY_COLD KeyWord SlowKey(const OperatorEntry& op, const A&... a) {
  std::vector<const Meta*> tensors;
  ForEachTensor([&](const Meta& t) { tensors.push_back(&t); }, a...);
  return MergeKeys(op, tensors);
}

template <class... A>
SY_INLINE KeyWord DirectKey(const OperatorEntry& op, const A&... a) {
  constexpr int kTensors = (0 + ... + static_cast<int>(kIsTensor<A>));
  constexpr bool kLists = (false || ... || kIsTensorList<A>);
  if constexpr (kLists) {
    return SlowKey(op, a...);
  } else if constexpr (kTensors == 0) {
    Optional<Device> device;
    Optional<DType> dtype;
    (CollectOption(a, device, dtype), ...);
    return KeyFromOptions(device, dtype);
  } else {
    KeyWord first = 0, difference = 0;
    bool any = false;
    const auto add = [&](const auto& x) {
      if constexpr (kIsTensor<decltype(x)>) {
        if (any) {
          difference |= x.key() ^ first;
        } else {
          first = x.key();
          any = true;
        }
      }
    };
    (add(a), ...);
    // An undefined first tensor has row 0: its slot is below the first row's.
    if ((difference & kPlaceMask) != 0 || (first & kSlotMask) < kMaxDTypes) [[unlikely]]
      return SlowKey(op, a...);
    return first & kPlaceMask;
  }
}

}  // namespace sy::internal

#endif  // SWITCHYARD_DISPATCHER_KEY_H_
