// Bodies of operators that do something to each tensor of a list: what the operator of single
// tensors does, once for each. Beside self each argument is a list, whose elements go with those of
// self, or one for all.
//
//   SY_FOREACH_BODIES(mul_list, "_foreach_mul", ".List", ".List_out", mul, mul_, kMul, TensorList)
//
// id: of the objects; make, write: functions of single tensors; kernel: kNoKernel, or a KernelOf
// which is called straight where tensors are plain; last the types of the arguments behind self.
// Errors: kInvalidArgument for no tensors and lists of other lengths. Where one tensor fails none
// is changed: those that come before it get back what they held.
#ifndef SWITCHYARD_OPS_FOREACH_FOREACH_COMPOSITE_H_
#define SWITCHYARD_OPS_FOREACH_FOREACH_COMPOSITE_H_

#include <span>
#include <type_traits>
#include <vector>

#include "ops/foreach/kernel_composite.h"
#include "switchyard/core/constant.h"
#include "switchyard/core/overlap.h"
#include "switchyard/op/kernel.h"
#include "switchyard/op/variants.h"
#include "switchyard/ops.h"
#include "switchyard/registry/registry.h"

namespace sy::lists {

using List = std::vector<Tensor>;
using Numbers = std::span<const Scalar>;

template <class T>
inline constexpr bool kIsList = std::is_same_v<T, TensorList> || std::is_same_v<T, Numbers>;

template <class T>
decltype(auto) Element(const T& a, size_t i) {
  if constexpr (kIsList<T>) {
    return (a[i]);
  } else {
    return (a);
  }
}
// Whether the operator of single tensors has nothing to refuse about this argument of its.
template <class T>
bool FitsAt(const T& a, size_t i, const Tensor& self, const Tensor* out) {
  if constexpr (std::is_same_v<T, TensorList>) {
    return Fits(a[i], self, out);
  } else if constexpr (std::is_same_v<T, Tensor>) {
    return FitsAll(a, self, out);
  } else {
    return Fits(Element(a, i));
  }
}
template <class T>
bool IsContiguousAt(const T& a, size_t i) {
  if constexpr (std::is_same_v<T, TensorList>) {
    return a[i].is_contiguous();
  } else {
    return true;
  }
}
// Nor about t, where it is written. What it cannot tell it denies.
inline bool MayBeWritten(const Tensor& t) {
  return Contains(kFloatingTypes, t.dtype()) && LayersOfKey(t.key()) == 0 && !is_frozen(t) &&
         (t.is_contiguous() || !SelfOverlaps(t));
}

inline void RequireTensors(const Call& call, TensorList self) {
  if (self.empty())
    Fail(ErrorCode::kInvalidArgument, call.op(), {"expected at least one tensor, got none"});
}
template <class T>
void RequireSameLength(const Call& call, TensorList self, const T& a) {
  if constexpr (kIsList<T>) {
    if (a.size() == self.size()) return;
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"expected lists of the same length, got ", self.size(), " and ", a.size()});
  } else if constexpr (std::is_same_v<T, Tensor>) {
    if (a.dim() == 0) return;
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"expected a 0-dim tensor for all tensors, got sizes ", a.sizes()});
  }
}

// out: as many as results, of their dtypes, resized to their sizes.
inline void StoreAll(const Call& call, const List& results, TensorList out) {
  RequireSameLength(call, results, out);
  for (size_t i = 0; i < results.size(); ++i) {
    if (results[i].dtype() == out[i].dtype()) continue;
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"expected out tensor ", i, " of dtype ", results[i].dtype(), ", got ", out[i].dtype()});
  }
  std::vector<const Tensor*> from, to;
  for (size_t i = 0; i < results.size(); ++i) {
    from.push_back(&results[i]);
    to.push_back(&out[i]);
  }
  internal::StoreResults(*Registry::Global().Find(call.op()), false, from, to);
}

// kMake: what gives a new tensor; kWrite: what writes its first argument; kKernel: see above.
template <auto kMake, auto kWrite, const auto& kKernel, class... A>
struct Each {
  static constexpr bool kStraight =
      !std::is_same_v<std::remove_cvref_t<decltype(kKernel)>, NoKernel>;

  static void Check(const Call& call, TensorList self, const A&... a) {
    RequireTensors(call, self);
    (RequireSameLength(call, self, a), ...);
  }
  static List Make(Call call, TensorList self, A... a) {
    Check(call, self, a...);
    List results;
    results.reserve(self.size());
    if constexpr (kStraight) {
      KernelFinder find(kKernel);
      for (size_t i = 0; i < self.size(); ++i) {
        const Tensor& t = self[i];
        const KernelDef* k = find.For(t);
        if (k != nullptr && (FitsAt(a, i, t, nullptr) && ...) && (IsContiguousAt(a, i) && ...))
            [[likely]] {
          results.push_back(Tensor(internal::NewContiguous(t.key(), t.sizes())));
          kKernel.Run(k, t.key(), results.back(), t, Element(a, i)...);
        } else {
          results.push_back(kMake(t, Element(a, i)...));
        }
      }
    } else {
      for (size_t i = 0; i < self.size(); ++i) results.push_back(kMake(self[i], Element(a, i)...));
    }
    return results;
  }
  static void InPlace(Call call, TensorList self, A... a) {
    Check(call, self, a...);
    for (size_t i = 0; i < self.size(); ++i) {
      const Tensor& t = self[i];
      if (!MayBeWritten(t) || !(FitsAt(a, i, t, &t) && ...)) [[unlikely]]
        return WriteOrUndo(self, a...);
    }
    KernelFinder find(kKernel);
    for (size_t i = 0; i < self.size(); ++i) {
      const Tensor& t = self[i];
      if constexpr (kStraight) {
        const KernelDef* k = find.For(t);
        if (k != nullptr && (IsContiguousAt(a, i) && ...)) [[likely]] {
          kKernel.Run(k, t.key(), t, t, Element(a, i)...);
          continue;
        }
      }
      kWrite(t, Element(a, i)...);
    }
  }
  static void Out(Call call, TensorList self, A... a, TensorList out) {
    StoreAll(call, Make(call, self, a...), out);
  }

 private:
  // By the operator alone, which may refuse each.
  SY_COLD static void WriteOrUndo(TensorList self, const A&... a) {
    List before;  // of each tensor that is written, but for the last
    before.reserve(self.size());
    size_t written = 0;
    try {
      for (; written < self.size(); ++written) {
        if (written + 1 < self.size()) before.push_back(clone(self[written]));
        kWrite(self[written], Element(a, written)...);
      }
    } catch (...) {
      while (written-- > 0) copy_(self[written], before[written]);
      throw;
    }
  }
};

}  // namespace sy::lists

// A function as a value, whichever of its overloads is meant.
#define SY_FUNCTION(f) [](const auto&... a) { return f(a...); }

#define SY_FOREACH_BODIES(id, name, overload, out_overload, make, write, kernel, ...)        \
  using id##_each =                                                                          \
      lists::Each<SY_FUNCTION(make), SY_FUNCTION(write), kernel __VA_OPT__(, ) __VA_ARGS__>; \
  const Composite id##_body{name overload, id##_each::Make};                                 \
  const Composite id##_in_place_body{name "_" overload, id##_each::InPlace};                 \
  const Composite id##_out_body{name out_overload, id##_each::Out};

#endif  // SWITCHYARD_OPS_FOREACH_FOREACH_COMPOSITE_H_
