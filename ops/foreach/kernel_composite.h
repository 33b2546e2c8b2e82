// The kernel of an operator of single tensors, which bodies for lists call straight: a shape
// function and a dispatch for each tensor would cost as much as what small tensors compute.
//
//   constinit const KernelOf<Tensor(const Tensor&, const Tensor&)> mul{"mul.Tensor"};
//   KernelFinder find(mul);
//   if (const KernelDef* k = find.For(self)) mul.Run(k, self.key(), out, self, other);
//
// Owns: nothing; names are literals. Threads: any.
// Errors: those of the kernel.
#ifndef SWITCHYARD_OPS_FOREACH_KERNEL_COMPOSITE_H_
#define SWITCHYARD_OPS_FOREACH_KERNEL_COMPOSITE_H_

#include <cmath>
#include <tuple>
#include <utility>

#include "switchyard/core/constant.h"
#include "switchyard/core/shape.h"
#include "switchyard/core/thread_state.h"
#include "switchyard/dispatcher/handle.h"

namespace sy::lists {

// Operators whose kernels are not called straight.
struct NoKernel {};
inline constexpr NoKernel kNoKernel;

template <class Signature>
class KernelOf;
template <class... A>
class KernelOf<Tensor(A...)> {
 public:
  constexpr explicit KernelOf(const char* name) : handle_(name) {}

  // Null where a layer may want to see each call, and where nothing serves the key.
  const KernelDef* Find(KeyWord key) const {
    const OperatorEntry& op = handle_.entry();
    if (LayersOfKey(key) != 0 || op.variant.load(std::memory_order_acquire) == nullptr ||
        (thread_state.layers_on & op.layer_mask.load(std::memory_order_relaxed)) != 0)
      return nullptr;
    return op.kernels->Find(key & kPlaceMask);
  }
  // a: behind self. Numbers where the operator takes tensors become such; what is left out is 1.
  template <class... B>
  void Run(const KernelDef* k, KeyWord key, const Tensor& out, const Tensor& self,
           const B&... a) const {
    if (k->fn == nullptr) return;  // a device that computes nothing
    if constexpr (sizeof...(A) == 1 + sizeof...(B)) {
      using Fn = void (*)(Call, const Tensor&, A...);
      Convert(std::make_index_sequence<sizeof...(B)>(), std::tie(a...), [&](const auto&... b) {
        reinterpret_cast<Fn>(k->fn)(Call{k, key & kPlaceMask}, out, self, b...);
      });
    } else {
      Run(k, key, out, self, a..., Scalar(1));
    }
  }

 private:
  template <size_t kAt>
  using Parameter = std::tuple_element_t<kAt, std::tuple<A...>>;
  template <class To, class B>
  static decltype(auto) As(const B& b) {
    if constexpr (std::is_same_v<To, const Tensor&> && std::is_same_v<B, Scalar>) {
      return NumberTensor(b);
    } else {
      return (b);
    }
  }
  template <size_t... I, class B, class F>
  static void Convert(std::index_sequence<I...>, const B& b, F f) {
    f(As<Parameter<1 + I>>(std::get<I>(b))...);
  }

  Handle<Tensor(A...)> handle_;
};

// One look-up for all tensors in a row that have the same key.
template <class K>
class KernelFinder {
 public:
  explicit KernelFinder(const K& of) : of_(of) {}
  // Null where the operator itself is to be called: for other tensors than floating ones without
  // gaps, whose results are not always of their dtype.
  const KernelDef* For(const Tensor& self) {
    const TensorImpl* t = self.impl();
    if (t->key != key_) {
      key_ = t->key;
      found_ = Contains(kFloatingTypes, t->dtype()) ? of_.Find(key_) : nullptr;
    }
    return (t->flags & kContiguousFlag) != 0 ? found_ : nullptr;
  }

 private:
  const K& of_;
  KeyWord key_ = 0;
  const KernelDef* found_ = nullptr;
};

// --- Arguments that need no shape function to be understood: with them the result has self's sizes
// and dtype, and the operator has nothing to refuse. out: self, where it is written.
inline bool IsApart(const Tensor& t, const Tensor* out) {
  return out == nullptr || t.is_same(*out) || t.impl()->storage != out->impl()->storage;
}
// Of a list.
inline bool Fits(const Tensor& t, const Tensor& self, const Tensor* out) {
  return t.is_same(self) ||
         (t.key() == self.key() && SameSizes(t.sizes(), self.sizes()) && IsApart(t, out));
}
// One for all tensors, 0-dim: it does not take part in promotion.
inline bool FitsAll(const Tensor& t, const Tensor& self, const Tensor* out) {
  return LayersOfKey(t.key()) == 0 && !IsComplex(t.dtype()) &&
         (t.is_host() || PlaceOfKey(t.key()) == PlaceOfKey(self.key())) && IsApart(t, out);
}
// Numbers that every floating dtype holds.
inline bool Fits(const Scalar& s) {
  constexpr double kLargest = 65504;  // float16's
  return (s.kind() == Scalar::kInt || s.kind() == Scalar::kDouble) &&
         std::abs(s.To<double>()) <= kLargest;
}
inline bool Fits(bool /*flag*/) { return true; }

}  // namespace sy::lists

#endif  // SWITCHYARD_OPS_FOREACH_KERNEL_COMPOSITE_H_
