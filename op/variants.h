// The variants of an operator, derived from its shape function: functional, in place, out=, view;
// typed and boxed.
//
//   // What a shape function void(ShapeContext&, const TensorBase&, int64_t&) of one output has:
//   VariantsOf<1, const TensorBase&, int64_t&>::Traits()
//
// One set of functions per list of shape function parameters, shared by all operators with that
// list. Programs do not call them: handles do (dispatcher/handle.h), through
// OperatorEntry::variant, and calls by name, through OperatorEntry::thunk. What each does:
//
//   functional  shape function → allocate the outputs → kernel → the outputs
//   in place    shape function → check self → kernel, into self or beside it → copy back if beside
//   out=        shape function → check the outs → kernel, into them or beside them → resize, copy
//   view        shape function → another block on the same storage; no kernel
//
// Writing "beside" is for outputs that must be resized or converted, or that overlap an input other
// than exactly; usual calls write straight. A call that throws before the kernel runs has changed
// nothing. The same as the functions that torchgen writes for structured kernels, by templates.
// Cost: for one output of the usual kind a shape function, an allocation and an indirect call: no
// memory but the result's, no lock.
//
// How y = add(a, b, 1) goes, from the handle down (op: the entry of add.Tensor):
//
//   variant(op, a, b, alpha)                    OperatorEntry::variant: Outs::Functional
//     ShapeContext r(op, kFunctional)           on the stack
//     ApplyShapeFunction(r, op, a, b, alpha)    AddShape: sizes, dtype, place of the result
//     MakeOutput(r, 0)                          NewContiguous, in the usual case
//     Compute(r, outs, given, a, b, alpha)      KernelTable::Find, then the kernel
//     return the tensor's bare pointer          which the handle makes a Tensor of
//
// and add_(a, b, 1), whose entry is another:
//
//     ShapeContext r(op, kInPlace)
//     ApplyShapeFunction(r, op, a, b, alpha)    the same
//     IsEasyTarget(r, a)                        same sizes, dtype, place; no gaps, no overlap
//     Compute(r, &a, given, a, b, alpha)        straight into a
//     or Targets: check, Compute, Finish        beside a, then copied
// Owns: nothing. Threads: any.
// Errors: the shape function's and the kernel's; kNotImplemented where no kernel serves the key;
// kOutOfMemory where std::bad_alloc is thrown underneath. The operator's name stands in front, of
// the variant that was called: "add_.Tensor(): …".
#ifndef SWITCHYARD_OP_VARIANTS_H_
#define SWITCHYARD_OP_VARIANTS_H_

#include <atomic>
#include <tuple>
#include <utility>

#include "switchyard/op/kernel.h"
#include "switchyard/op/shape_context.h"
#include "switchyard/op/viewed.h"
#include "switchyard/registry/entry.h"

namespace sy {

// A shape function's parameter as the variant takes it: metadata comes as the tensor that has it,
// what the shape function normalises as a value. const TensorBase& → const Tensor&, int64_t& →
// int64_t, others as they are.
template <class T>
struct PassedAs {
  using type = T;
};
template <class T>
requires(!std::is_const_v<T>) struct PassedAs<T&> {
  using type = T;
};
template <>
struct PassedAs<const TensorBase&> {
  using type = const Tensor&;
};
// Parameter types of typed variants and of kernels.
template <class T>
using Passed = typename PassedAs<T>::type;

// What a variant returns: one Tensor travels as a bare owned pointer, so that it comes back in a
// register. The caller makes a Tensor of it, or leaks it.
template <class R>
struct VariantResult {
  using type = R;
};
// Its reference is the caller's.
template <>
struct VariantResult<Tensor> {
  using type = TensorImpl*;
};
template <>
struct VariantResult<const Tensor&> {
  using type = void;  // an argument, returned
};

namespace internal {

// A new tensor as the shape function states it; one that starts as an input is copied. Its one
// reference is the caller's. Errors: kOutOfMemory, kInvalidArgument for too large ones, in the
// operator's name.
SY_API SY_NOINLINE TensorImpl* MakeAnyOutput(ShapeContext& r, int i);
// In line for the usual output: row-major, uninitialised, at a place that the shape function has
// found.
SY_INLINE TensorImpl* MakeOutput(ShapeContext& r, int i) {
  const OutputSpec& o = r.output(i);
  if (o.strides != nullptr || o.starts_as >= 0 || !r.has_place()) [[unlikely]]
    return MakeAnyOutput(r, i);
  return NewContiguous(WithDType(r.ComputeKey(), o.dtype), o.size_span());
}
// A view of base by the shape function's first output, which carries base's layers unless it drops
// them.
SY_API TensorImpl* MakeView(ShapeContext& r, const Tensor& base);
// Told of every view that MakeView has made and that keeps its base's layers; null: nobody asks.
// Gradients follow views by it, of tensors too that carry no layer.
extern SY_API std::atomic<void (*)(TensorImpl* view, const Tensor& base)> view_made;
// The same geometry for self itself.
SY_API void ViewInPlace(ShapeContext& r, const Tensor& self);
// kNotImplemented: names the key, every tensor and every kernel that there is.
[[noreturn]] SY_API SY_COLD void FailMissingKernel(ShapeContext& r, KeyWord key);
// The same, of tensors that are given.
[[noreturn]] SY_API SY_COLD void FailMissingKernel(const OperatorEntry& op, KeyWord key,
                                                   std::span<const TensorBase* const> tensors);

// Throws on, in a handler, what ended a call: a kernel's error in the name of the variant that was
// called, since a kernel knows only the operator that it is for; std::bad_alloc as an Error.
[[noreturn]] SY_API SY_COLD void FailCall(const OperatorEntry& op);
// The same, of an operator without a shape function. What another operator says, of which this one
// is made, is said in the name of the one that was called: "matmul(): mm(): …".
[[noreturn]] SY_API SY_COLD void FailDirect(const OperatorEntry& op);
// The same, of a functional call, and lets go of `made`, its only output; null where making it is
// what failed, whose error names no operator.
[[noreturn]] SY_API SY_COLD void FailFunctional(const ShapeContext& r, TensorImpl* made);

// Kernel of an in-place or out= variant that has neither a shape function nor kernels: computes the
// results of the functional operator (KernelDef::data), checks that they can be stored, and copies
// them.
SY_API void ComputeAndCopy(const BoxedCall& call);
// Puts results, as many as outs, where they are wanted: all outs are checked before one is resized
// or written. in_place: they keep their sizes. Errors: kInvalidArgument.
SY_API void StoreResults(const OperatorEntry& op, bool in_place,
                         std::span<const Tensor* const> results,
                         std::span<const Tensor* const> outs);

// Stands in for a variant of parameters A returning R once its operator is deregistered.
template <class R, class... A>
R Gone(const OperatorEntry& op, A...) {
  FailGone(op);
}
// For boxed calls.
inline void GoneThunk(const OperatorEntry& op, const Value*, Result*) { FailGone(op); }

// Whether a kernel may write straight into `out`: one output, right sizes, dtype and device, dense,
// and no input in its memory but possibly itself. What is not easy may still be written straight:
// Targets looks closer.
SY_API bool IsEasyTarget(ShapeContext& r, const Tensor& out);

// Outputs that are given: checks them against the shape function, and finds for each a tensor to
// compute into, the given one or one beside it: where it must be resized, converted, or overlaps an
// input. Nothing that was given changes before Finish, which copies. Errors: kInvalidArgument as
// ATen's.
class SY_API Targets {
 public:
  Targets(ShapeContext& r, const Tensor* const* given);
  // What the kernel writes, one for each output.
  const Tensor* const* tensors() const { return targets_; }
  // Copies what was computed beside to where it is wanted, resized first where sizes differ; a
  // tensor nobody else shows takes the storage over. A resized tensor that had elements is warned
  // of in the log.
  void Finish();

 private:
  // Errors: kInvalidArgument for undefined ones, another device, a dtype that the result cannot be
  // stored in, wrong sizes in place, lent storage that is too small, and elements that share a
  // place.
  void Check(int i, const Tensor& given);
  // Whether the output shares memory with an input in a way that computing in place would spoil.
  // Errors: kInvalidArgument where the operator forbids it (OverlapPolicy::kForbid).
  bool Overlaps(int i, const Tensor& given) const;

  ShapeContext& r_;
  const Tensor* const* given_;
  const Tensor* targets_[ShapeContext::kMaxOutputs];
  Tensor beside_[ShapeContext::kMaxOutputs];
  bool resize_[ShapeContext::kMaxOutputs];
};

// The first tensor among the arguments, which in-place variants write and views show.
template <class First, class... Rest>
SY_INLINE const Tensor& FirstTensor(const First& first, const Rest&... rest) {
  if constexpr (std::is_same_v<First, Tensor>) {
    return first;
  } else if constexpr (sizeof...(Rest) > 0) {
    return FirstTensor(rest...);
  } else {
    return Value::UndefinedTensor();
  }
}

// One for each output, by a pack of indices.
template <size_t>
using OutTensor = const Tensor&;

// An argument as the caller gave it, kept where the shape function may change it.
template <class A>
struct Given {
  // Takes no room for arguments that the shape function cannot change.
  SY_INLINE explicit Given(const Passed<A>&) {}
  SY_INLINE const Passed<A>& Or(const Passed<A>& a) const { return a; }
};
// A copy: what boxed kernels and plugins are shown, while `a` is what the shape function made of
// it.
template <class T>
requires(!std::is_const_v<T>) struct Given<T&> {
  T value;
  SY_INLINE explicit Given(const T& a) : value(a) {}
  SY_INLINE const T& Or(const T&) const { return value; }
};
// Whether the shape function takes an argument by reference, so that what was given differs from
// what kernels get.
template <class... A>
inline constexpr bool kNormalises = (false || ... || !std::is_empty_v<Given<A>>);

// A: the shape function's parameters. Arguments that it takes by reference are normalised
// afterwards: `a` are the caller's own copies. The shape function is read from the entry, which may
// be replaced meanwhile: one of the same types.
template <class... A>
SY_INLINE void ApplyShapeFunction(ShapeContext& r, Fn shape_function, const OperatorEntry& op,
                                  Passed<A>&... a) {
  r.SetArguments(a...);
  try {
    reinterpret_cast<void (*)(ShapeContext&, A...)>(shape_function)(r, a...);
  } catch (...) {
    FailCall(op);
  }
}

}  // namespace internal

// Calls f with boxed arguments of a kernel of op's, as op's shape function leaves them. Whoever has
// them as they were given, and runs a typed kernel by its thunk, passes these on. f(span) gets args
// themselves where the shape function changes none; they live for that call.
template <class F>
void WithNormalised(const OperatorEntry& op, std::span<const Value> args, F f) {
  const NormaliseFn normalise = op.kernels->normalise;
  if (normalise == nullptr) return f(args);
  auto show = [&](const Value* v) { f(std::span(v, args.size())); };
  normalise(
      op.kernels->entry(), args.data(),
      [](void* c, const Value* v) { (*static_cast<decltype(show)*>(c))(v); }, &show);
}

// kN: outputs of the shape function. A: its parameters behind the ShapeContext&.
template <int kN, class... A>
struct VariantsOf {
  static_assert(kN <= ShapeContext::kMaxOutputs, "too many outputs for a shape function");
  // 0 … kN - 1, and 0 … parameters - 1.
  using OutIndices = std::make_index_sequence<kN>;
  using ArgIndices = std::index_sequence_for<A...>;
  using Arguments = std::tuple<internal::Given<A>...>;

  // For index sequences of the outputs.
  template <class Seq>
  struct WithOuts;
  template <size_t... I>
  struct WithOuts<std::index_sequence<I...>> {
    // A tuple of as many Tensors as there are outputs.
    using Results = std::tuple<std::conditional_t<I == I, Tensor, void>...>;
    // The type of a typed kernel: the call, the outputs, the arguments.
    using KernelFn = void (*)(Call, internal::OutTensor<I>..., Passed<A>...);
    // By whose letters kernels are compared (SignatureCode).
    using KernelType = void(internal::OutTensor<I>..., Passed<A>...);

    // Finds the kernel for the shape function's key and calls it. Typed kernels get arguments as
    // the shape function leaves them; kernels that take them boxed or as views (plugins') as they
    // were given. A kernel without a function computes nothing (meta). outs: allocated, one for
    // each output.
    SY_INLINE static void Compute(ShapeContext& r, const Tensor* const* outs,
                                  [[maybe_unused]] const Arguments& given, Passed<A>... a) {
      const KeyWord key = r.ComputeKey();
      const KernelDef* k = r.kernel();
      if (k == nullptr) [[likely]]
        k = r.entry().kernels->Find(key);
      if (k == nullptr) [[unlikely]]
        internal::FailMissingKernel(r, key);
      const auto fn = reinterpret_cast<KernelFn>(k->fn);
      if constexpr (internal::kNormalises<A...>) {
        if (k->boxed != nullptr) [[unlikely]] {
          return std::apply(
              [&](const internal::Given<A>&... g) {
                fn(Call{k, key}, *outs[I]..., g.Or(a)...);
              },
              given);
        }
      }
      if (fn != nullptr) [[likely]]
        fn(Call{k, key}, *outs[I]..., a...);
    }
    // A typed kernel in place of a boxed one: boxes its arguments on the stack.
    static void BoxingKernel(Call call, internal::OutTensor<I>... out, Passed<A>... a) {
      // Everything lies on this stack; the kernel borrows it.
      const Tensor* outs[] = {&out...};
      const Value args[] = {Value(a)...};
      call.kernel->boxed({call.kernel, call.key, outs, args, nullptr});
    }
    // The same for one that takes views.
    static void ViewingKernel(Call call, internal::OutTensor<I>... out, Passed<A>... a) {
      const ViewedKernel& k = *call.kernel->viewed;
      // Outputs first, then the tensors among the arguments, as far as there are any.
      SyTensor views[kN + sizeof...(A)];
      const SyTensor* outs[] = {&views[I]...};
      internal::Shown shown;
      (internal::ShowHost(views[I], out, shown), ...);
      [[maybe_unused]] SyTensor* next = views + kN;
      SyValue args[] = {internal::ShowArgument<std::remove_cvref_t<Passed<A>>>(a, next, shown)...};
      if (shown.others()) [[unlikely]]
        internal::ShowOthers({views, next}, args, k.own.load(std::memory_order_relaxed));
      // Counts of arguments and, in the upper half, of outputs.
      k.fn(*call.kernel, call.key, outs, args, sizeof...(A) | uint64_t{kN} << 32);
    }
    // Null where lists of tensors or numbers need room of unknown size.
    static Fn ViewingFn() {
      if constexpr (kCanBeShown<Passed<A>...>) return reinterpret_cast<Fn>(&ViewingKernel);
      return nullptr;
    }
    // Writes given tensors, straight where nothing is in the way.
    // Nothing is returned: boxed callers get the outs again.
    static void Out(const OperatorEntry& op, Passed<A>... a, internal::OutTensor<I>... out) {
      // Over 2 kB of the stack, of which only what is written is touched.
      ShapeContext r(op, Variant::kOut);
      const Tensor* given[] = {&out...};
      r.SetGivenOuts(given);
      const Arguments arguments{internal::Given<A>(a)...};
      internal::ApplyShapeFunction<A...>(r, op.shape_function.load(std::memory_order_relaxed), op,
                                         a...);
      try {
        if (internal::IsEasyTarget(r, *given[0])) [[likely]]
          return Compute(r, given, arguments, a...);
        // Unusual outputs: checked first, all of them, and written at the end.
        internal::Targets targets(r, given);
        Compute(r, targets.tensors(), arguments, a...);
        targets.Finish();
      } catch (...) {
        internal::FailCall(op);
      }
    }
    // v: the arguments, then the outs, as the schema has them.
    template <size_t... J>
    static void OutThunk(const OperatorEntry& op, const Value* v, Result* results,
                         std::index_sequence<J...>) {
      Out(op, Param<Passed<A>>::From(v[J])..., v[sizeof...(A) + I].tensor()...);
      (results[I].Set(Tensor(v[sizeof...(A) + I].tensor())), ...);
    }
    // What handles go on calling once the operator is gone.
    static void GoneOut(const OperatorEntry& op, Passed<A>..., internal::OutTensor<I>...) {
      internal::FailGone(op);
    }
    // One tensor by its bare pointer, several in a tuple.
    using FunctionalResult = std::conditional_t<kN == 1, TensorImpl*, Results>;
    // Makes the outputs.
    static FunctionalResult Functional(const OperatorEntry& op, Passed<A>... a) {
      // The outputs are made after the shape function has accepted the arguments.
      ShapeContext r(op, Variant::kFunctional);
      const Arguments arguments{internal::Given<A>(a)...};
      internal::ApplyShapeFunction<A...>(r, op.shape_function.load(std::memory_order_relaxed), op,
                                         a...);
      if constexpr (kN == 1) {
        TensorImpl* made = nullptr;
        try {
          made = internal::MakeOutput(r, 0);
          // The caller's where nothing is thrown: not destroyed here.
          union Output {
            Tensor tensor;
            explicit Output(TensorImpl* owned) : tensor(owned) {}
            ~Output() {}
          } out(made);
          // A kernel sees a Tensor that it neither owns nor counts.
          const Tensor* pointer = &out.tensor;
          Compute(r, &pointer, arguments, a...);
          return made;
        } catch (...) {
          internal::FailFunctional(r, made);
        }
      } else {
        try {
          Tensor outs[] = {Tensor(internal::MakeAnyOutput(r, I))...};
          const Tensor* pointers[] = {&outs[I]...};
          Compute(r, pointers, arguments, a...);
          return {std::move(outs[I])...};
        } catch (...) {
          internal::FailCall(op);
        }
      }
    }
    // results: room for each output.
    template <size_t... J>
    static void FunctionalThunk(const OperatorEntry& op, const Value* v, Result* results,
                                std::index_sequence<J...>) {
      if constexpr (kN == 1) {
        results[0].Set(Tensor(Functional(op, Param<Passed<A>>::From(v[J])...)));
      } else {
        Return<Results>::Box(Functional(op, Param<Passed<A>>::From(v[J])...), results);
      }
    }
  };
  using Outs = WithOuts<OutIndices>;

  // Writes the first tensor among the arguments.
  static void InPlace(const OperatorEntry& op, Passed<A>... a) {
    // The shape function sees self as an argument, and what it states is compared with self.
    ShapeContext r(op, Variant::kInPlace);
    const Arguments arguments{internal::Given<A>(a)...};
    internal::ApplyShapeFunction<A...>(r, op.shape_function.load(std::memory_order_relaxed), op,
                                       a...);
    const Tensor* self = &internal::FirstTensor(a...);
    try {
      if (internal::IsEasyTarget(r, *self)) [[likely]]
        return Outs::Compute(r, &self, arguments, a...);
      internal::Targets targets(r, &self);
      Outs::Compute(r, targets.tensors(), arguments, a...);
      targets.Finish();
    } catch (...) {
      internal::FailCall(op);
    }
  }
  // Each variant for boxed arguments, which fit.
  template <Variant kKind>
  static void Thunk(const OperatorEntry& op, const Value* v, Result* results) {
    Go<kKind>(op, v, results, ArgIndices());
  }
  // Unboxes by the shape function's parameter types, which the registry has compared with the
  // schema.
  template <Variant kKind, size_t... J>
  static void Go(const OperatorEntry& op, const Value* v, Result* results,
                 std::index_sequence<J...> indices) {
    if constexpr (kKind == Variant::kFunctional) {
      Outs::FunctionalThunk(op, v, results, indices);
    } else if constexpr (kKind == Variant::kOut) {
      Outs::OutThunk(op, v, results, indices);
    } else {
      InPlace(op, Param<Passed<A>>::From(v[J])...);
      results[0].Set(Tensor(v[0].tensor()));
    }
  }

  // Applies the shape function for its effect on the arguments alone.
  static void NormaliseTyped(const OperatorEntry& op, ShowFn show, void* context, Passed<A>... a) {
    // Its outputs are not looked at.
    ShapeContext r(op, Variant::kFunctional);
    // Not the entry's: its name may not have been looked up, only that of another variant.
    internal::ApplyShapeFunction<A...>(r, op.kernels->shape_function, op, a...);
    const Value args[] = {Value(a)...};
    show(context, args);
  }
  // For boxed arguments.
  template <size_t... J>
  static void Normalise(const OperatorEntry& op, const Value* v, ShowFn show, void* context,
                        std::index_sequence<J...>) {
    NormaliseTyped(op, show, context, Param<Passed<A>>::From(v[J])...);
  }
  // Null where the shape function leaves all arguments as they are.
  static NormaliseFn Normaliser() {
    if constexpr (internal::kNormalises<A...>) {
      return [](const OperatorEntry& op, const Value* v, ShowFn show, void* context) {
        Normalise(op, v, show, context, ArgIndices());
      };
    }
    return nullptr;
  }

  // By kind; empty for a variant that such a shape function cannot have.
  static VariantFunctions Functions(Variant kind) {
    switch (kind) {
      case Variant::kFunctional:
        return {reinterpret_cast<Fn>(&Outs::Functional), &Thunk<Variant::kFunctional>};
      case Variant::kInPlace:
        if constexpr (kN == 1) return {reinterpret_cast<Fn>(&InPlace), &Thunk<Variant::kInPlace>};
        break;
      case Variant::kOut:
        return {reinterpret_cast<Fn>(&Outs::Out), &Thunk<Variant::kOut>};
      default:
        break;
    }
    return {};
  }
  // The same variants, throwing kNotFound, so that a handle that holds one need not ask.
  static VariantFunctions GoneFunctions(Variant kind) {
    switch (kind) {
      case Variant::kFunctional:
        return {
            reinterpret_cast<Fn>(&internal::Gone<typename Outs::FunctionalResult, Passed<A>...>),
            &internal::GoneThunk};
      case Variant::kInPlace:
        return {reinterpret_cast<Fn>(&internal::Gone<void, Passed<A>...>), &internal::GoneThunk};
      default:
        return {reinterpret_cast<Fn>(&Outs::GoneOut), &internal::GoneThunk};
    }
  }
  // Everything above, as the registry keeps it.
  static ShapeTraits Traits() {
    return {kN,
            SignatureCode<void(Passed<A>...)>::kText,
            SignatureCode<typename Outs::KernelType>::kText,
            reinterpret_cast<Fn>(&Outs::BoxingKernel),
            Outs::ViewingFn(),
            Normaliser(),
            &Functions,
            &GoneFunctions};
  }
};

// Variants that take numbers where the shape function, and the kernels, take 0-dim tensors:
// add.Scalar runs add.Tensor's. Numbers: positions among the shape function's parameters. One
// output alone, and no view.
template <class Numbers, class... A>
struct NumberVariantsOf;
template <size_t... kNumbers, class... A>
struct NumberVariantsOf<std::index_sequence<kNumbers...>, A...> {
  // Those of the operator whose kernels serve.
  using Inner = VariantsOf<1, A...>;
  using Indices = std::index_sequence_for<A...>;
  // Whether the variant takes a number for the shape function's parameter i.
  static constexpr bool IsNumber(size_t i) { return (false || ... || (i == kNumbers)); }
  // A number becomes a 0-dim tensor, weak in promotion; all else is passed on.
  template <size_t I>
  static decltype(auto) Lift(const auto& a) {
    if constexpr (IsNumber(I)) {
      return NumberTensor(a);
    } else {
      return (a);
    }
  }

  // For index sequences of the parameters.
  template <class Seq>
  struct WithParameters;
  template <size_t... I>
  struct WithParameters<std::index_sequence<I...>> {
    // Parameter J of the variant.
    template <size_t J>
    using P = std::conditional_t<IsNumber(J), const Scalar&,
                                 Passed<std::tuple_element_t<J, std::tuple<A...>>>>;

    static TensorImpl* Functional(const OperatorEntry& op, P<I>... a) {
      return Inner::Outs::Functional(op, Lift<I>(a)...);
    }
    static void InPlace(const OperatorEntry& op, P<I>... a) { Inner::InPlace(op, Lift<I>(a)...); }
    static void Out(const OperatorEntry& op, P<I>... a, const Tensor& out) {
      Inner::Outs::Out(op, Lift<I>(a)..., out);
    }
    // Thunks as above; the only output is one tensor.
    static void FunctionalThunk(const OperatorEntry& op, const Value* v, Result* results) {
      results[0].Set(Tensor(Functional(op, Param<P<I>>::From(v[I])...)));
    }
    static void InPlaceThunk(const OperatorEntry& op, const Value* v, Result* results) {
      InPlace(op, Param<P<I>>::From(v[I])...);
      results[0].Set(Tensor(v[0].tensor()));
    }
    static void OutThunk(const OperatorEntry& op, const Value* v, Result* results) {
      const Tensor& out = v[sizeof...(A)].tensor();
      Out(op, Param<P<I>>::From(v[I])..., out);
      results[0].Set(Tensor(out));
    }
    static VariantFunctions Functions(Variant kind) {
      switch (kind) {
        case Variant::kFunctional:
          return {reinterpret_cast<Fn>(&Functional), &FunctionalThunk};
        case Variant::kInPlace:
          // A number is not written to.
          if constexpr (!IsNumber(0)) return {reinterpret_cast<Fn>(&InPlace), &InPlaceThunk};
          break;
        case Variant::kOut:
          return {reinterpret_cast<Fn>(&Out), &OutThunk};
        default:
          break;
      }
      return {};
    }
    static VariantFunctions GoneFunctions(Variant kind) {
      switch (kind) {
        case Variant::kFunctional:
          return {reinterpret_cast<Fn>(&internal::Gone<TensorImpl*, P<I>...>),
                  &internal::GoneThunk};
        case Variant::kInPlace:
          return {reinterpret_cast<Fn>(&internal::Gone<void, P<I>...>), &internal::GoneThunk};
        default:
          return {reinterpret_cast<Fn>(&internal::Gone<void, P<I>..., const Tensor&>),
                  &internal::GoneThunk};
      }
    }
    static ShapeTraits Traits() {
      // Kernels, boxing and normalising are the other operator's.
      ShapeTraits t = Inner::Traits();
      t.shape_code = SignatureCode<void(P<I>...)>::kText;
      t.functions = &Functions;
      t.gone = &GoneFunctions;
      return t;
    }
  };
  static ShapeTraits Traits() { return WithParameters<Indices>::Traits(); }
};

// Shape functions that state a view: no kernel at all. In place the first tensor itself is given
// the geometry, for all who hold it.
template <class... A>
struct VariantsOf<0, A...> {
  using ArgIndices = std::index_sequence_for<A...>;

  // A view of the first tensor among the arguments.
  static TensorImpl* View(const OperatorEntry& op, Passed<A>... a) {
    // Shape functions of views state one output, by ShapeContext::View.
    ShapeContext r(op, Variant::kView);
    internal::ApplyShapeFunction<A...>(r, op.shape_function.load(std::memory_order_relaxed), op,
                                       a...);
    return internal::MakeView(r, internal::FirstTensor(a...));
  }
  static void InPlace(const OperatorEntry& op, Passed<A>... a) {
    // squeeze_, transpose_ and the like: the tensor's block is changed.
    ShapeContext r(op, Variant::kViewInPlace);
    internal::ApplyShapeFunction<A...>(r, op.shape_function.load(std::memory_order_relaxed), op,
                                       a...);
    internal::ViewInPlace(r, internal::FirstTensor(a...));
  }
  template <bool kInPlace>
  static void Thunk(const OperatorEntry& op, const Value* v, Result* results) {
    Go<kInPlace>(op, v, results, ArgIndices());
  }
  template <bool kInPlace, size_t... J>
  static void Go(const OperatorEntry& op, const Value* v, Result* results,
                 std::index_sequence<J...>) {
    if constexpr (kInPlace) {
      InPlace(op, Param<Passed<A>>::From(v[J])...);
      results[0].Set(Tensor(v[0].tensor()));
    } else {
      results[0].Set(Tensor(View(op, Param<Passed<A>>::From(v[J])...)));
    }
  }
  static VariantFunctions Functions(Variant kind) {
    if (kind == Variant::kView) return {reinterpret_cast<Fn>(&View), &Thunk<false>};
    if (kind == Variant::kViewInPlace) return {reinterpret_cast<Fn>(&InPlace), &Thunk<true>};
    return {};
  }
  static VariantFunctions GoneFunctions(Variant kind) {
    if (kind == Variant::kView) {
      return {reinterpret_cast<Fn>(&internal::Gone<TensorImpl*, Passed<A>...>),
              &internal::GoneThunk};
    }
    return {reinterpret_cast<Fn>(&internal::Gone<void, Passed<A>...>), &internal::GoneThunk};
  }
  static ShapeTraits Traits() {
    ShapeTraits t = {};
    t.shape_code = SignatureCode<void(Passed<A>...)>::kText;
    t.functions = &Functions;
    t.gone = &GoneFunctions;
    return t;
  }
};

}  // namespace sy

#endif  // SWITCHYARD_OP_VARIANTS_H_
