// The forms of an operator, derived from its shape rule: functional, in place, out=, view; typed
// and boxed.
//
// One set of functions per list of rule parameters, shared by all operators with that list.
// Owns: nothing. Threads: any.
// Errors: the rule's and the kernel's; kNotImplemented where no kernel serves the key; kOutOfMemory
// where std::bad_alloc is thrown underneath.
#ifndef SWITCHYARD_REGISTRY_FORMS_H_
#define SWITCHYARD_REGISTRY_FORMS_H_

#include <tuple>
#include <utility>

#include "switchyard/registry/entry.h"
#include "switchyard/registry/kernel.h"
#include "switchyard/registry/rule.h"
#include "switchyard/registry/viewed.h"

namespace sy {

// A rule's parameter as the form takes it: metadata comes as the tensor that has it.
template <class T>
struct PassedAs {
  using type = T;
};
template <>
struct PassedAs<const Meta&> {
  using type = const Tensor&;
};
template <class T>
using Passed = typename PassedAs<T>::type;

// What a form returns: one Tensor travels as a bare owned pointer, so that it comes back in a
// register.
template <class R>
struct FormResult {
  using type = R;
};
template <>
struct FormResult<Tensor> {
  using type = TensorImpl*;
};
template <>
struct FormResult<const Tensor&> {
  using type = void;  // an argument, returned
};

struct FormFunctions {
  Fn form = nullptr;
  FormThunk thunk = nullptr;
};
// What the registry asks of a rule's parameter list.
struct RuleTraits {
  int num_outputs;
  const char* rule_code;    // SignatureCode of the rule's parameters
  const char* kernel_code;  // and of the kernels behind it
  Fn boxing_kernel;         // a typed kernel that boxes its arguments and calls the boxed one
  Fn viewing_kernel;        // one that shows them as views; null where they cannot be
  FormFunctions (*functions)(FormKind);
  FormFunctions (*gone)(FormKind);  // the same, throwing kNotFound: after deregistration
};

namespace internal {

// A new tensor as the rule states it; one that starts as an input is copied.
SY_API SY_NOINLINE TensorImpl* MakeAnyOutput(Rule& r, int i);
SY_INLINE TensorImpl* MakeOutput(Rule& r, int i) {
  const OutputSpec& o = r.output(i);
  if (o.strides != nullptr || o.starts_as >= 0 || !r.has_place()) [[unlikely]]
    return MakeAnyOutput(r, i);
  return NewContiguous(WithDType(r.ComputeKey(), o.dtype), o.size_span());
}
SY_API TensorImpl* MakeView(Rule& r, const Tensor& base);
SY_API void ViewInPlace(Rule& r, const Tensor& self);
[[noreturn]] SY_API SY_COLD void FailMissingKernel(Rule& r, KeyWord key);
[[noreturn]] SY_API SY_COLD void FailMissingKernel(const OperatorEntry& op, KeyWord key,
                                                   std::span<const Meta* const> tensors);
[[noreturn]] SY_API SY_COLD void FailGone(const OperatorEntry& op);

// Throws on, in a handler, what ended a call: a kernel's error in the name of the form that was
// called, since a kernel knows only the operator that it is for; std::bad_alloc as an Error.
[[noreturn]] SY_API SY_COLD void FailCall(const OperatorEntry& op);
// The same, of a functional call, and lets go of `made`, its only output; null where making it is
// what failed, whose error names no operator.
[[noreturn]] SY_API SY_COLD void FailFunctional(const Rule& r, TensorImpl* made);

// Kernel of an in-place or out= form that has neither a rule nor kernels: computes the results of
// the functional operator (KernelDef::data), checks that they can be stored, and copies them.
SY_API void ComputeAndCopy(const BoxedCall& call);

// Stands in for a form of parameters A returning R once its operator is deregistered.
template <class R, class... A>
R Gone(const OperatorEntry& op, A...) {
  FailGone(op);
}
inline void GoneThunk(const OperatorEntry& op, const Value*, Result*) { FailGone(op); }

// Whether a kernel may write straight into `out`: one output, right sizes, dtype and device, dense,
// and no input in its memory but possibly itself.
SY_API bool IsEasyTarget(Rule& r, const Tensor& out);

// Outputs that are given: checks them against the rule, and finds for each a tensor to compute
// into, the given one or one beside it. Nothing that was given changes before Finish. Errors:
// kInvalidArgument as ATen's.
class SY_API Targets {
 public:
  Targets(Rule& r, const Tensor* const* given);
  const Tensor* const* tensors() const { return targets_; }
  void Finish();

 private:
  void Check(int i, const Tensor& given);
  bool Overlaps(int i, const Tensor& given) const;

  Rule& r_;
  const Tensor* const* given_;
  const Tensor* targets_[Rule::kMaxOutputs];
  Tensor beside_[Rule::kMaxOutputs];
  bool resize_[Rule::kMaxOutputs];
};

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

template <size_t>
using OutTensor = const Tensor&;

// A: the rule's parameters.
template <class... A>
SY_INLINE void ApplyRule(Rule& r, const OperatorEntry& op, Passed<A>... a) {
  r.SetArguments(a...);
  try {
    reinterpret_cast<void (*)(Rule&, A...)>(op.rule.load(std::memory_order_relaxed))(r, a...);
  } catch (...) {
    FailCall(op);
  }
}

}  // namespace internal

template <int kN, class... A>
struct FormsOf {
  static_assert(kN <= Rule::kMaxOutputs, "too many outputs for a shape rule");
  using OutIndices = std::make_index_sequence<kN>;
  using ArgIndices = std::index_sequence_for<A...>;

  template <class Seq>
  struct WithOuts;
  template <size_t... I>
  struct WithOuts<std::index_sequence<I...>> {
    using Results = std::tuple<std::conditional_t<I == I, Tensor, void>...>;
    using KernelFn = void (*)(Call, internal::OutTensor<I>..., Passed<A>...);
    using KernelType = void(internal::OutTensor<I>..., Passed<A>...);

    SY_INLINE static void Compute(Rule& r, const Tensor* const* outs, Passed<A>... a) {
      const KeyWord key = r.ComputeKey();
      const KernelDef* k = r.kernel();
      if (k == nullptr) [[likely]]
        k = r.entry().kernels->Find(key);
      if (k == nullptr) [[unlikely]]
        internal::FailMissingKernel(r, key);
      if (k->fn != nullptr) [[likely]]
        reinterpret_cast<KernelFn>(k->fn)(Call{k, key}, *outs[I]..., a...);
    }
    static void BoxingKernel(Call call, internal::OutTensor<I>... out, Passed<A>... a) {
      const Tensor* outs[] = {&out...};
      const Value args[] = {Value(a)...};
      call.kernel->boxed({call.kernel, call.key, outs, args, nullptr});
    }
    static void ViewingKernel(Call call, internal::OutTensor<I>... out, Passed<A>... a) {
      const ViewedKernel& k = *call.kernel->viewed;
      TensorView views[kN + sizeof...(A)];
      const TensorView* outs[] = {&views[I]...};
      internal::Shown shown;
      (internal::ShowHost(views[I], out, shown), ...);
      [[maybe_unused]] TensorView* next = views + kN;
      Value args[] = {internal::ShowArgument<std::remove_cvref_t<Passed<A>>>(a, next, shown)...};
      if (shown.others()) [[unlikely]]
        internal::ShowOthers({views, next}, args, k.own.load(std::memory_order_relaxed));
      k.fn(*call.kernel, call.key, outs, args, sizeof...(A) | uint64_t{kN} << 32);
    }
    static Fn ViewingFn() {
      if constexpr (kCanBeShown<Passed<A>...>) return reinterpret_cast<Fn>(&ViewingKernel);
      return nullptr;
    }
    static void Out(const OperatorEntry& op, Passed<A>... a, internal::OutTensor<I>... out) {
      Rule r(op, FormKind::kOut);
      const Tensor* given[] = {&out...};
      r.SetGivenOuts(given);
      internal::ApplyRule<A...>(r, op, a...);
      try {
        if (internal::IsEasyTarget(r, *given[0])) [[likely]]
          return Compute(r, given, a...);
        internal::Targets targets(r, given);
        Compute(r, targets.tensors(), a...);
        targets.Finish();
      } catch (...) {
        internal::FailCall(op);
      }
    }
    template <size_t... J>
    static void OutThunk(const OperatorEntry& op, const Value* v, Result* results,
                         std::index_sequence<J...>) {
      Out(op, Param<Passed<A>>::From(v[J])..., v[sizeof...(A) + I].tensor()...);
      (results[I].Set(Tensor(v[sizeof...(A) + I].tensor())), ...);
    }
    static void GoneOut(const OperatorEntry& op, Passed<A>..., internal::OutTensor<I>...) {
      internal::FailGone(op);
    }
    using FunctionalResult = std::conditional_t<kN == 1, TensorImpl*, Results>;
    static FunctionalResult Functional(const OperatorEntry& op, Passed<A>... a) {
      Rule r(op, FormKind::kFunctional);
      internal::ApplyRule<A...>(r, op, a...);
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
          const Tensor* pointer = &out.tensor;
          Compute(r, &pointer, a...);
          return made;
        } catch (...) {
          internal::FailFunctional(r, made);
        }
      } else {
        try {
          Tensor outs[] = {Tensor(internal::MakeAnyOutput(r, I))...};
          const Tensor* pointers[] = {&outs[I]...};
          Compute(r, pointers, a...);
          return {std::move(outs[I])...};
        } catch (...) {
          internal::FailCall(op);
        }
      }
    }
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

  static void InPlace(const OperatorEntry& op, Passed<A>... a) {
    Rule r(op, FormKind::kInPlace);
    internal::ApplyRule<A...>(r, op, a...);
    const Tensor* self = &internal::FirstTensor(a...);
    try {
      if (internal::IsEasyTarget(r, *self)) [[likely]]
        return Outs::Compute(r, &self, a...);
      internal::Targets targets(r, &self);
      Outs::Compute(r, targets.tensors(), a...);
      targets.Finish();
    } catch (...) {
      internal::FailCall(op);
    }
  }
  template <FormKind kKind>
  static void Thunk(const OperatorEntry& op, const Value* v, Result* results) {
    Go<kKind>(op, v, results, ArgIndices());
  }
  template <FormKind kKind, size_t... J>
  static void Go(const OperatorEntry& op, const Value* v, Result* results,
                 std::index_sequence<J...> indices) {
    if constexpr (kKind == FormKind::kFunctional) {
      Outs::FunctionalThunk(op, v, results, indices);
    } else if constexpr (kKind == FormKind::kOut) {
      Outs::OutThunk(op, v, results, indices);
    } else {
      InPlace(op, Param<Passed<A>>::From(v[J])...);
      results[0].Set(Tensor(v[0].tensor()));
    }
  }

  static FormFunctions Functions(FormKind kind) {
    switch (kind) {
      case FormKind::kFunctional:
        return {reinterpret_cast<Fn>(&Outs::Functional), &Thunk<FormKind::kFunctional>};
      case FormKind::kInPlace:
        if constexpr (kN == 1) return {reinterpret_cast<Fn>(&InPlace), &Thunk<FormKind::kInPlace>};
        break;
      case FormKind::kOut:
        return {reinterpret_cast<Fn>(&Outs::Out), &Thunk<FormKind::kOut>};
      default:
        break;
    }
    return {};
  }
  static FormFunctions GoneFunctions(FormKind kind) {
    switch (kind) {
      case FormKind::kFunctional:
        return {
            reinterpret_cast<Fn>(&internal::Gone<typename Outs::FunctionalResult, Passed<A>...>),
            &internal::GoneThunk};
      case FormKind::kInPlace:
        return {reinterpret_cast<Fn>(&internal::Gone<void, Passed<A>...>), &internal::GoneThunk};
      default:
        return {reinterpret_cast<Fn>(&Outs::GoneOut), &internal::GoneThunk};
    }
  }
  static RuleTraits Traits() {
    return {kN,
            SignatureCode<void(Passed<A>...)>::kText,
            SignatureCode<typename Outs::KernelType>::kText,
            reinterpret_cast<Fn>(&Outs::BoxingKernel),
            Outs::ViewingFn(),
            &Functions,
            &GoneFunctions};
  }
};

// Forms that take numbers where the rule, and the kernels, take 0-dim tensors: add.Scalar runs
// add.Tensor's.
template <class Numbers, class... A>
struct NumberFormsOf;
template <size_t... kNumbers, class... A>
struct NumberFormsOf<std::index_sequence<kNumbers...>, A...> {
  using Inner = FormsOf<1, A...>;
  using Indices = std::index_sequence_for<A...>;
  static constexpr bool IsNumber(size_t i) { return (false || ... || (i == kNumbers)); }
  template <size_t I>
  static decltype(auto) Lift(const auto& a) {
    if constexpr (IsNumber(I)) {
      return NumberTensor(a);
    } else {
      return (a);
    }
  }

  template <class Seq>
  struct WithParameters;
  template <size_t... I>
  struct WithParameters<std::index_sequence<I...>> {
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
    static FormFunctions Functions(FormKind kind) {
      switch (kind) {
        case FormKind::kFunctional:
          return {reinterpret_cast<Fn>(&Functional), &FunctionalThunk};
        case FormKind::kInPlace:
          if constexpr (!IsNumber(0)) return {reinterpret_cast<Fn>(&InPlace), &InPlaceThunk};
          break;
        case FormKind::kOut:
          return {reinterpret_cast<Fn>(&Out), &OutThunk};
        default:
          break;
      }
      return {};
    }
    static FormFunctions GoneFunctions(FormKind kind) {
      switch (kind) {
        case FormKind::kFunctional:
          return {reinterpret_cast<Fn>(&internal::Gone<TensorImpl*, P<I>...>),
                  &internal::GoneThunk};
        case FormKind::kInPlace:
          return {reinterpret_cast<Fn>(&internal::Gone<void, P<I>...>), &internal::GoneThunk};
        default:
          return {reinterpret_cast<Fn>(&internal::Gone<void, P<I>..., const Tensor&>),
                  &internal::GoneThunk};
      }
    }
    static RuleTraits Traits() {
      RuleTraits t = Inner::Traits();
      t.rule_code = SignatureCode<void(P<I>...)>::kText;
      t.functions = &Functions;
      t.gone = &GoneFunctions;
      return t;
    }
  };
  static RuleTraits Traits() { return WithParameters<Indices>::Traits(); }
};

// Rules that state a view: no kernel at all.
template <class... A>
struct FormsOf<0, A...> {
  using ArgIndices = std::index_sequence_for<A...>;

  static TensorImpl* View(const OperatorEntry& op, Passed<A>... a) {
    Rule r(op, FormKind::kView);
    internal::ApplyRule<A...>(r, op, a...);
    return internal::MakeView(r, internal::FirstTensor(a...));
  }
  static void InPlace(const OperatorEntry& op, Passed<A>... a) {
    Rule r(op, FormKind::kViewInPlace);
    internal::ApplyRule<A...>(r, op, a...);
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
  static FormFunctions Functions(FormKind kind) {
    if (kind == FormKind::kView) return {reinterpret_cast<Fn>(&View), &Thunk<false>};
    if (kind == FormKind::kViewInPlace) return {reinterpret_cast<Fn>(&InPlace), &Thunk<true>};
    return {};
  }
  static FormFunctions GoneFunctions(FormKind kind) {
    if (kind == FormKind::kView) {
      return {reinterpret_cast<Fn>(&internal::Gone<TensorImpl*, Passed<A>...>),
              &internal::GoneThunk};
    }
    return {reinterpret_cast<Fn>(&internal::Gone<void, Passed<A>...>), &internal::GoneThunk};
  }
  static RuleTraits Traits() {
    RuleTraits t = {};
    t.rule_code = SignatureCode<void(Passed<A>...)>::kText;
    t.functions = &Functions;
    t.gone = &GoneFunctions;
    return t;
  }
};

}  // namespace sy

#endif  // SWITCHYARD_REGISTRY_FORMS_H_
