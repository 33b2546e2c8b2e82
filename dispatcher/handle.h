// Handle: a typed call of an operator, bound to its name once.
//
//   constinit Handle<Tensor(const Tensor&, const Tensor&, const Scalar&)> add{"add.Tensor"};
//   Tensor c = add(a, b, 1);
//
// Parameter types are those of op/signature.h; the first call compares them with the schema.
// In-place and out= operators return void here: their result is an argument. Arguments are all
// given: defaults are the typed API's (switchyard/ops.h), which is made of handles.
//
// What a call does: the entry is loaded; the layers of thread and tensors are tested; the
// operator's typed form runs, which applies the shape function, allocates and calls the kernel. An
// operator without a shape function has its key computed here and its kernel called. The twin in
// ATen is TypedOperatorHandle::call, found by findSchemaOrThrow.
// Cost: a few nanoseconds above the variant itself; the first call takes a look-up by name.
// Owns: nothing: entries live as long as the registry. The name must outlive the handle.
// Threads: any, the first call too.
// Errors: kNotFound for an unknown name, kInvalidArgument when the types are not the operator's or
// a tensor that is not optional is undefined, kNotImplemented without a kernel, and whatever shape
// function and kernel throw; std::bad_alloc of theirs leaves as kOutOfMemory.
#ifndef SWITCHYARD_DISPATCHER_HANDLE_H_
#define SWITCHYARD_DISPATCHER_HANDLE_H_

#include <atomic>
#include <tuple>
#include <utility>

#include "switchyard/dispatcher/key.h"
#include "switchyard/dispatcher/layers.h"
#include "switchyard/op/signature.h"
#include "switchyard/op/variants.h"

namespace sy {
namespace internal {

// Finds the entry and checks the types. full_name: "add.Tensor"; code: letters of the types
// (SignatureCode). boxing_kernel: see Registry::SetBoxingKernel. Errors: kNotFound with the nearest
// name, kInvalidArgument for other types, kOutOfMemory.
SY_API SY_COLD const OperatorEntry* BindHandle(const char* full_name, const char* code,
                                               Fn boxing_kernel);

// Refuses undefined tensors, alone and in lists, where the argument takes none. position: in the
// schema. Errors: kInvalidArgument naming the argument.
template <class T>
SY_INLINE void RequireDefined(const OperatorEntry& op, [[maybe_unused]] size_t position,
                              [[maybe_unused]] const T& a) {
  if constexpr (kIsTensor<T>) {
    if (!a.defined() && (op.argument_tags[position] & Bit(Tag::kNone)) == 0)
      FailUndefined(op, position);
  } else if constexpr (kIsTensorList<T>) {
    RequireListDefined(op, position, a);
  }
}
template <size_t... I, class... A>
SY_INLINE void RequireAllDefined(std::index_sequence<I...>, const OperatorEntry& op,
                                 const A&... a) {
  (RequireDefined(op, I, a), ...);
}

// Results and their boxes, for calls that go through layers, which see values. From takes them out;
// kResults: how many there are. Record runs a call and shows its results to who records it;
// kRecorded: whether there are tensors among them.
template <class R>
struct Unbox {
  static constexpr int kResults = 1;
  static constexpr bool kRecorded =
      std::is_same_v<R, Tensor> || std::is_same_v<R, std::vector<Tensor>>;
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
  template <class F>
  SY_INLINE static R Record(RecordedCall& call, F run) {
    R r = run();
    const Value made(r);
    call.End({&made, 1});
    return r;
  }
};
// Nothing comes back: what was written is the caller's already.
template <>
struct Unbox<void> {
  static constexpr int kResults = 0;
  static constexpr bool kRecorded = true;
  static void From(Result*) {}
  template <class F>
  SY_INLINE static void Record(RecordedCall& call, F run) {
    run();
    call.End({});
  }
};
// Results in the order of the schema.
template <class... T>
struct Unbox<std::tuple<T...>> {
  static constexpr int kResults = sizeof...(T);
  static constexpr bool kRecorded = (true && ... && std::is_same_v<T, Tensor>);
  static std::tuple<T...> From(Result* r) { return Go(r, std::index_sequence_for<T...>()); }
  template <size_t... I>
  static std::tuple<T...> Go(Result* r, std::index_sequence<I...>) {
    return {Unbox<T>::From(r + I)...};
  }
  template <class F>
  SY_INLINE static std::tuple<T...> Record(RecordedCall& call, F run) {
    std::tuple<T...> r = run();
    std::apply(
        [&](const T&... t) {
          const Value made[] = {Value(t)...};
          call.End(made);
        },
        r);
    return r;
  }
};

// Calls with arguments in boxes, once for each type of results: through the layers in active, and a
// boxed kernel.
template <class R>
SY_COLD R RunLayers(std::span<const Value> args, uint32_t active, const OperatorEntry& op) {
  Result results[kMaxResults];
  CallLayers(op, active, args, {results, op.num_results});
  return Unbox<R>::From(results);
}
template <class R>
SY_NOINLINE R RunBoxed(sy::Call call, std::span<const Value> args) {
  Result results[kMaxResults];
  call.kernel->boxed({call.kernel, call.key, {}, args, results});
  return Unbox<R>::From(results);
}

}  // namespace internal

// Signature: the function type of the call, R(A...).
template <class Signature>
class Handle;

// Constant but for the entry, which the first call sets: one handle serves all threads.
template <class R, class... A>
class Handle<R(A...)> {
 public:
  // full_name: with its overload, "add.Tensor"; kept as a pointer. Nothing is looked up yet, so
  // that handles are constants of a program and cost nothing at its start.
  constexpr explicit Handle(const char* full_name) : name_(full_name) {}
  // Its address is where the entry is kept.
  Handle(const Handle&) = delete;

  // Calls the operator.
  // The usual way: one load, one test of a word, one indirect call.
  SY_INLINE R operator()(A... a) const {
    const OperatorEntry* op = entry_.load(std::memory_order_acquire);
    // Unusual ways are calls in the last place that pass the arguments on as they came, so that the
    // usual one saves no registers for them.
    if (op == nullptr) [[unlikely]]
      return BindAndCall(a..., this);
    // Bits of the tensors, of this thread, and of undefined tensors: one word for all that is
    // unusual.
    const uint32_t layers = internal::LayersOf(a...) | thread_state.layers_on;
    if ((layers & op->layer_mask.load(std::memory_order_relaxed)) != 0) [[unlikely]]
      return Layered(a..., op);
    return Run(*op, a...);
  }

  // As operator(), a little faster for operators that have a shape function: no code for those
  // without is in line. For operators without a shape function it does the same, a little slower.
  SY_INLINE R CallVariant(A... a) const {
    const OperatorEntry* op = entry_.load(std::memory_order_acquire);
    if (op == nullptr) [[unlikely]]
      return BindAndCall(a..., this);
    const uint32_t layers = internal::LayersOf(a...) | thread_state.layers_on;
    if ((layers & op->layer_mask.load(std::memory_order_relaxed)) != 0) [[unlikely]]
      return Layered(a..., op);
    const Fn variant = op->variant.load(std::memory_order_acquire);
    if (variant == nullptr) [[unlikely]]
      return Below(a..., op);
    // The type that BindHandle has compared with the schema's.
    using TypedFn = typename VariantResult<R>::type (*)(const OperatorEntry&, A...);
    return R(reinterpret_cast<TypedFn>(variant)(*op, a...));
  }

  // What the handle is bound to, bound now if it was not. Errors: as the first call's.
  const OperatorEntry& entry() const {
    const OperatorEntry* op = entry_.load(std::memory_order_acquire);
    return op == nullptr ? Bind() : *op;
  }

 private:
  // Several threads may bind at once: all find the same.
  SY_COLD const OperatorEntry& Bind() const {
    const OperatorEntry* op = internal::BindHandle(name_, SignatureCode<R(A...)>::kText,
                                                   reinterpret_cast<Fn>(&BoxingKernel));
    entry_.store(op, std::memory_order_release);
    return *op;
  }
  SY_COLD static R BindAndCall(A... a, const Handle* handle) {
    return Layered(a..., &handle->Bind());
  }
  // Below all layers.
  SY_INLINE static R Run(const OperatorEntry& op, A... a) {
    if (const Fn variant = op.variant.load(std::memory_order_acquire); variant != nullptr) {
      using TypedFn = typename VariantResult<R>::type (*)(const OperatorEntry&, A...);
      return R(reinterpret_cast<TypedFn>(variant)(op, a...));
    }
    KeyWord key;
    const KernelDef* k;
    try {
      key = internal::DirectKey(op, a...);
      k = op.kernels->Find(key);
    } catch (...) {
      internal::FailDirect(op);
    }
    if (k == nullptr) [[unlikely]]
      FailMissing(op, key, a...);  // goes by untouched: to throw it again takes 2 us
    try {
      return reinterpret_cast<R (*)(Call, A...)>(k->fn)(Call{k, key}, a...);
    } catch (...) {
      internal::FailDirect(op);
    }
  }

  // Out of line, for those that seldom come here.
  SY_NOINLINE static R Below(A... a, const OperatorEntry* op) { return Run(*op, a...); }

  // For the layers that are active; without any the usual way after all. It is taken for undefined
  // tensors too, which have a layer bit of their own.
  SY_NOINLINE static R Layered(A... a, const OperatorEntry* entry) {
    const OperatorEntry& op = *entry;
    const uint32_t bits = internal::LayersOf(a...);
    if ((bits & kUndefinedBit) != 0) [[unlikely]]
      internal::RequireAllDefined(std::index_sequence_for<A...>(), op, a...);
    const uint32_t active = internal::ActiveLayers(op, bits & ~kUndefinedBit);
    if (active == 0) return Below(a..., entry);
    // One more, since an array has at least one element.
    const Value args[] = {Value(a)..., Value()};
    if constexpr (internal::Unbox<R>::kRecorded) {
      if (active == uint32_t{1} << kGradLayer) {
        if (internal::Recorder* r = internal::recorder.load(std::memory_order_acquire);
            r != nullptr) [[likely]] {
          internal::RecordedCall call(*r, op, {args, sizeof...(A)});
          if (call.begun()) [[likely]]
            return internal::Unbox<R>::Record(call, [&]() -> R { return Below(a..., entry); });
        }
      }
    }
    return internal::RunLayers<R>({args, sizeof...(A)}, active, op);
  }

  // kNotImplemented, showing the tensors of the call, of lists too, 64 at most.
  [[noreturn]] SY_COLD static void FailMissing(const OperatorEntry& op, KeyWord key, A... a) {
    // Of a list of thousands the first ones do.
    constexpr size_t kShown = 64;
    const TensorBase* tensors[kShown];
    size_t n = 0;
    internal::ForEachTensor([&](const TensorBase& t) { n < kShown ? tensors[n++] = &t : nullptr; },
                            a...);
    internal::FailMissingKernel(op, key, {tensors, n});
  }

  // A kernel in typed form that boxes its arguments for a boxed one.
  static R BoxingKernel(Call call, A... a) {
    const Value args[] = {Value(a)..., Value()};
    return internal::RunBoxed<R>(call, {args, sizeof...(A)});
  }

  // Static text.
  const char* name_;
  mutable std::atomic<const OperatorEntry*> entry_{nullptr};
};

}  // namespace sy

#endif  // SWITCHYARD_DISPATCHER_HANDLE_H_
