// The key of a call of an operator without a shape function: device and dtype from its arguments.
//
//   const KeyWord key = DirectKey(op, a, b, alpha);   // where a and b lie, in their dtype
//
// Operators with a shape function need none: their shape function says what is computed where.
// Tensors of one device and dtype, the usual case, cost a compare each; everything else goes
// through MergeKeys: lists, undefined tensors, operands to be promoted. For the dispatcher's own
// calls.
//
// For instance: of a float32 tensor on cuda:1 and a 0-dim host tensor of float64 the key is cuda:1,
// float32; of an int64 and a float16 tensor float16, or int64 where KeyRule::kFirst says so.
// Owns: nothing.
// Threads: any.
// Errors: kInvalidArgument for tensors of several devices, and where dtypes have no common one.
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
// tensors of another device. The dtype is the promoted one, or that of the first defined tensor
// (KeyRule::kFirst); without any tensor the defaults. Layers are not in the result.
// Errors: kInvalidArgument when devices differ, or dtypes do not promote.
SY_API SY_COLD KeyWord MergeKeys(const OperatorEntry& op,
                                 std::span<const TensorBase* const> tensors);
// Where no argument is a tensor: from the device and dtype arguments, else the defaults. Errors: as
// PlaceOf's, kUnavailable where there is no such device.
SY_API KeyWord KeyFromOptions(Optional<Device> device, Optional<DType> dtype);

// Whether an argument type is a Tensor, or a list of them.
template <class T>
inline constexpr bool kIsTensor = std::is_same_v<std::remove_cvref_t<T>, Tensor>;
template <class T>
inline constexpr bool kIsTensorList = std::is_same_v<std::remove_cvref_t<T>, TensorList>;

// Layer bits of all tensors among the arguments, in the upper half of the word; the lower half is
// rubbish where there are several.
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
// With kUndefinedBit where one is undefined.
template <class... A>
SY_INLINE uint32_t LayersOf(const A&... a) {
  return LayersOfKey((KeyWord{0} | ... | BitsOf(a)));
}

// f(tensor) for every tensor among the arguments, lists included, undefined ones too.
template <class F, class... A>
void ForEachTensor(F f, const A&... a) {
  // In the order of the arguments.
  const auto each = [&](const auto& x) {
    if constexpr (kIsTensor<decltype(x)>) {
      f(x);
    } else if constexpr (kIsTensorList<decltype(x)>) {
      for (const Tensor& t : x) f(t);
    }
  };
  (each(a), ...);
}

// kInvalidArgument, naming operator and argument.
[[noreturn]] SY_API SY_COLD void FailUndefined(const OperatorEntry& op, size_t position);
// Errors: kInvalidArgument when a tensor of the list is undefined and the schema's elements are not
// optional.
SY_API void RequireListDefined(const OperatorEntry& op, size_t position, TensorList list);

// Device and dtype among the arguments, optional or not. Of several the last.
template <class T>
void CollectOption(const T& a, Optional<Device>& device, Optional<DType>& dtype) {
  if constexpr (std::is_same_v<T, Device> || std::is_same_v<T, Optional<Device>>) device = a;
  if constexpr (std::is_same_v<T, DType> || std::is_same_v<T, Optional<DType>>) dtype = a;
}

// Takes memory for the list.
template <class... A>
SY_COLD KeyWord SlowKey(const OperatorEntry& op, const A&... a) {
  std::vector<const TensorBase*> tensors;
  ForEachTensor([&](const TensorBase& t) { tensors.push_back(&t); }, a...);
  return MergeKeys(op, tensors);
}

// Place and dtype of the computation, layers masked off.
template <class... A>
SY_INLINE KeyWord DirectKey(const OperatorEntry& op, const A&... a) {
  // Decided by the compiler: lists, none, or some tensors.
  constexpr int kTensors = (0 + ... + static_cast<int>(kIsTensor<A>));
  constexpr bool kLists = (false || ... || kIsTensorList<A>);
  // A list has any number of tensors.
  if constexpr (kLists) {
    return SlowKey(op, a...);
  } else if constexpr (kTensors == 0) {
    Optional<Device> device;
    Optional<DType> dtype;
    (CollectOption(a, device, dtype), ...);
    return KeyFromOptions(device, dtype);
  } else {
    // Bits in which any key differs from the first one's; dtypes and places in one go.
    KeyWord first = 0, difference = 0;
    bool any = false;
    // One tensor after the other, without a branch on what it is.
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
