// Handle: a typed call of an operator, bound to its name once.
//
//   constinit Handle<Tensor(const Tensor&, const Tensor&, const Scalar&)> add{"add.Tensor"};
//   Tensor c = add(a, b, 1);
//
// Parameter types are those of registry/signature.h; the first call compares them with the schema.
// In-place and out= operators return void here: their result is an argument.
// Threads: any.
// Errors: kNotFound for an unknown name, kInvalidArgument when the types are not the operator's or
// a tensor that is not optional is undefined, kNotImplemented without a kernel, and whatever rule
// and kernel throw.
#ifndef SWITCHYARD_DISPATCHER_HANDLE_H_
#define SWITCHYARD_DISPATCHER_HANDLE_H_

#include <atomic>
#include <new>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "switchyard/dispatcher/key.h"
#include "switchyard/dispatcher/layers.h"
#include "switchyard/registry/forms.h"
#include "switchyard/registry/signature.h"

namespace sy {
namespace internal {

// Finds the entry and checks the types. boxing_kernel: see Registry::SetBoxingKernel.
SY_API SY_COLD const OperatorEntry* BindHandle(const char* full_name, const char* code,
                                               Fn boxing_kernel);

// Refuses undefined tensors, alone and in lists, where the argument takes none.
template <class T>
SY_INLINE void RequireDefined(const OperatorEntry& op, [[maybe_unused]] size_t position,
                              [[maybe_unused]] const T& a) {
  if constexpr (kIsTensor<T>) {
    if (!a.defined() && (op.tags[position] & Bit(Tag::kNone)) == 0) FailUndefined(op, position);
  } else if constexpr (kIsTensorList<T>) {
    RequireListDefined(op, position, a);
  }
}
template <size_t... I, class... A>
SY_INLINE void RequireAllDefined(std::index_sequence<I...>, const OperatorEntry& op,
                                 const A&... a) {
  (RequireDefined(op, I, a), ...);
}

// Results out of their boxes.
template <class R>
struct Unbox {
  static constexpr int kResults = 1;
  static R From(Result* r) {
    if constexpr (std::is_same_v<R, Tensor>) {
      return r->TakeTensor();
    } else if constexpr (std::is_same_v<R, std::vector<Tensor>>) {
      return r->TakeTensors();
    } else if constexpr (std::is_same_v<R, Scalar>) {
      return r->scalar();
    } else {
      return r->scalar().To<R>();
    }
  }
};
template <>
struct Unbox<void> {
  static constexpr int kResults = 0;
  static void From(Result*) {}
};
template <class... T>
struct Unbox<std::tuple<T...>> {
  static constexpr int kResults = sizeof...(T);
  static std::tuple<T...> From(Result* r) { return Go(r, std::index_sequence_for<T...>()); }
  template <size_t... I>
  static std::tuple<T...> Go(Result* r, std::index_sequence<I...>) {
    return {Unbox<T>::From(r + I)...};
  }
};

}  // namespace internal

template <class Signature>
class Handle;

template <class R, class... A>
class Handle<R(A...)> {
 public:
  constexpr explicit Handle(const char* full_name) : name_(full_name) {}
  Handle(const Handle&) = delete;

  SY_INLINE R operator()(A... a) const {
    const OperatorEntry* op = entry_.load(std::memory_order_acquire);
    // Unusual ways are calls in the last place that pass the arguments on as they came, so that the
    // usual one saves no registers for them.
    if (op == nullptr) [[unlikely]]
      return BindAndCall(a..., this);
    const uint32_t layers = internal::LayersOf(a...) | thread_state.layers_on;
    if ((layers & op->layer_mask.load(std::memory_order_relaxed)) != 0) [[unlikely]]
      return Layered(a..., op);
    return Run(*op, a...);
  }

  // As operator(), a little faster for operators that have a shape rule.
  SY_INLINE R CallForm(A... a) const {
    const OperatorEntry* op = entry_.load(std::memory_order_acquire);
    if (op == nullptr) [[unlikely]]
      return BindAndCall(a..., this);
    const uint32_t layers = internal::LayersOf(a...) | thread_state.layers_on;
    if ((layers & op->layer_mask.load(std::memory_order_relaxed)) != 0) [[unlikely]]
      return Layered(a..., op);
    const Fn form = op->form.load(std::memory_order_acquire);
    if (form == nullptr) [[unlikely]]
      return CallDirect(a..., op);
    using Form = typename FormResult<R>::type (*)(const OperatorEntry&, A...);
    return R(reinterpret_cast<Form>(form)(*op, a...));
  }

  const OperatorEntry& entry() const {
    const OperatorEntry* op = entry_.load(std::memory_order_acquire);
    return op == nullptr ? Bind() : *op;
  }

 private:
  SY_COLD const OperatorEntry& Bind() const {
    const OperatorEntry* op = internal::BindHandle(name_, SignatureCode<R(A...)>::kText,
                                                   reinterpret_cast<Fn>(&BoxingKernel));
    entry_.store(op, std::memory_order_release);
    return *op;
  }
  SY_COLD static R BindAndCall(A... a, const Handle* handle) {
    handle->Bind();
    return (*handle)(a...);
  }
  SY_INLINE static R Run(const OperatorEntry& op, A... a) {
    if (const Fn form = op.form.load(std::memory_order_acquire); form != nullptr) {
      using Form = typename FormResult<R>::type (*)(const OperatorEntry&, A...);
      return R(reinterpret_cast<Form>(form)(op, a...));
    }
    try {
      const KeyWord key = internal::DirectKey(op, a...);
      const KernelDef* k = op.kernels->Find(key);
      if (k == nullptr) [[unlikely]]
        FailMissing(op, key, a...);
      return reinterpret_cast<R (*)(Call, A...)>(k->fn)(Call{k, key}, a...);
    } catch (const std::bad_alloc&) {  // errors go by untouched: to throw one again takes 2 us
      internal::FailCall(op);
    } catch (const std::length_error&) {
      internal::FailCall(op);
    }
  }

  SY_COLD static R CallDirect(A... a, const OperatorEntry* op) { return Run(*op, a...); }

  SY_COLD static R Layered(A... a, const OperatorEntry* entry) {
    const OperatorEntry& op = *entry;
    const uint32_t bits = internal::LayersOf(a...);
    if ((bits & kUndefinedBit) != 0)
      internal::RequireAllDefined(std::index_sequence_for<A...>(), op, a...);
    const uint32_t active = internal::ActiveLayers(op, bits & ~kUndefinedBit);
    if (active == 0) return Run(op, a...);
    const Value args[] = {Value(a)..., Value()};
    Result results[kMaxResults];
    internal::CallLayers(op, active, {args, sizeof...(A)}, {results, op.num_results});
    return internal::Unbox<R>::From(results);
  }

  [[noreturn]] SY_COLD static void FailMissing(const OperatorEntry& op, KeyWord key, A... a) {
    constexpr size_t kShown = 64;
    const Meta* tensors[kShown];
    size_t n = 0;
    internal::ForEachTensor([&](const Meta& t) { n < kShown ? tensors[n++] = &t : nullptr; }, a...);
    internal::FailMissingKernel(op, key, {tensors, n});
  }

  static R BoxingKernel(Call call, A... a) {
    const Value args[] = {Value(a)..., Value()};
    Result results[kMaxResults];
    call.kernel->boxed({call.kernel, call.key, {}, {args, sizeof...(A)}, results});
    return internal::Unbox<R>::From(results);
  }

  const char* name_;
  mutable std::atomic<const OperatorEntry*> entry_{nullptr};
};

}  // namespace sy

#endif  // SWITCHYARD_DISPATCHER_HANDLE_H_
