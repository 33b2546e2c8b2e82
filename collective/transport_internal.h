// From tensors to a call of an engine: what the kernels of collectives have in common.
#ifndef SWITCHYARD_COLLECTIVE_TRANSPORT_INTERNAL_H_
#define SWITCHYARD_COLLECTIVE_TRANSPORT_INTERNAL_H_

#include <exception>
#include <string_view>
#include <type_traits>
#include <utility>

#include "collective/work_internal.h"
#include "switchyard/collective/reduce.h"
#include "switchyard/core/transfer.h"
#include "switchyard/op/operator.h"
#include "switchyard/op/shape_context.h"
#include "switchyard/op/variants.h"

namespace sy::collective {

// How the input of a queued call is kept apart from later writes.
enum class Copy : uint8_t {
  kToOut,   // copied to the result, in which the call works
  kToPart,  // copied to the rank's part of the result
  kBeside,  // copied
};

// A call of elements of t's dtype, the rest zero.
inline SyCollective CallOf(SyCollectiveKind kind, const Tensor& t, int64_t count) {
  SyCollective c = {};
  c.kind = kind;
  c.dtype = static_cast<int32_t>(t.dtype());
  c.item_size = static_cast<int32_t>(t.itemsize());
  c.count = count;
  return c;
}
// out and input: dense host tensors after this; tensors elsewhere are brought to the host and back.
// The result may be pending. Errors: as Group::Run's.
void Transport(Group& g, SyCollective call, const Tensor& out, const Tensor& input, Copy copy);
// Whether a call may read or write t where it lies: on the host, without gaps, and not recorded for
// gradients.
bool IsPlain(const Tensor& t);
// Whether two such tensors have an element in common.
bool Overlap(const Tensor& a, const Tensor& b);
// What follows fails in the name of the operator that is called.
// The group. Errors: kNotFound.
[[noreturn]] void FailNoGroup(const Call& call, std::string_view name);
inline Group& GroupFor(const Call& call, std::string_view name) {
  if (Group* g = FindGroup(name); g != nullptr) [[likely]]
    return *g;
  FailNoGroup(call, name);
}
// The same, which has this many ranks. Errors also: kInvalidArgument.
Group& GroupOfSize(const Call& call, std::string_view name, int64_t group_size);
// Without elements anywhere: nothing can be moved.
inline bool IsMeta(const TensorBase& t) { return !t.is_host() && !HasBytes(t); }

// What ends a call of a collective, whatever it is, is told to its group: the others come to the
// call, or wait in it. The group's name is the last text among a collective's arguments.
//
// Throws on, in a handler of a std::exception, once it is told; where memory is what was missing,
// in the name of the rank. op: the operator that was called. group: its name, "" of calls on meta,
// which move nothing.
[[noreturn]] void FailTold(std::string_view op, std::string_view group);
// While one lives, a call of a collective is part of another's, which tells.
class PartOfCall {
 public:
  PartOfCall();
  ~PartOfCall();
  PartOfCall(const PartOfCall&) = delete;
};

template <class... A>
std::string_view GroupAmong(const A&... a) {
  std::string_view group;
  bool meta = false;
  const auto look = [&](const auto& x) {
    using X = std::remove_cvref_t<decltype(x)>;
    if constexpr (std::is_same_v<X, std::string_view>) {
      group = x;
    } else if constexpr (std::is_base_of_v<TensorBase, X>) {
      meta = meta || IsMeta(x);
    } else if constexpr (std::is_same_v<X, TensorList>) {
      for (const Tensor& t : x) meta = meta || IsMeta(t);
    }
  };
  (look(a), ...);
  return meta ? "" : group;
}

// A composite's body that does so.
template <auto kFunction>
struct OfGroup;
template <class R, class... A, R (*kFunction)(Call, A...)>
struct OfGroup<kFunction> {
  static R Run(Call call, A... a) {
    try {
      return kFunction(call, a...);
    } catch (const std::exception&) {
      FailTold(call.op(), GroupAmong(a...));
    }
  }
};

// An operator with a shape function of one output that does so: Operator's functional variant,
// whose memory for the result may be what is missing.
class CollectiveOperator : public OperatorDef {
 public:
  template <class... A>
  CollectiveOperator(SchemaText text, void (*function)(ShapeContext&, A...),
                     const char* in_file = __builtin_FILE(), int at_line = __builtin_LINE())
      : OperatorDef{.schema = text,
                    .shape_function = reinterpret_cast<Fn>(function),
                    .traits = &Told<A...>::Traits,
                    .file = in_file,
                    .line = at_line} {
    sy::internal::LinkOperator(this);
  }

 private:
  template <class... A>
  struct Told {
    // One frame, where it would be two.
    [[gnu::flatten]] static TensorImpl* Functional(const OperatorEntry& op, Passed<A>... a) {
      try {
        return VariantsOf<1, A...>::Outs::Functional(op, a...);
      } catch (const std::exception&) {
        FailTold(op.name(), GroupAmong(a...));
      }
    }
    template <size_t... I>
    static void Unbox(const OperatorEntry& op, const Value* v, Result* results,
                      std::index_sequence<I...>) {
      results[0].Set(Tensor(Functional(op, Param<Passed<A>>::From(v[I])...)));
    }
    static void Thunk(const OperatorEntry& op, const Value* v, Result* results) {
      Unbox(op, v, results, std::index_sequence_for<A...>());
    }
    static VariantFunctions Functions(Variant kind) {
      if (kind != Variant::kFunctional) return {};
      return {reinterpret_cast<Fn>(&Functional), &Thunk};
    }
    static ShapeTraits Traits() {
      ShapeTraits t = VariantsOf<1, A...>::Traits();
      t.functions = &Functions;
      return t;
    }
  };
};

// States the result of a shape function: as the input is, but for its sizes, and where it is, which
// then has not to be found out.
inline void ResultOf(ShapeContext& r, const TensorBase& input, IntSpan sizes) {
  r.Output(sizes, input.dtype());
  r.SetPlaceOf(input);
}
// The sizes with dimension 0 in so many parts and as many times. Errors: where there is none, or it
// does not split.
IntSpan WithFirst(ShapeContext& r, const TensorBase& input, int64_t times, int64_t parts);
// rank, which the group has. Errors: kInvalidArgument naming the argument.
int RankOf(const Call& call, const Group& g, std::string_view argument, int64_t rank);

}  // namespace sy::collective

#endif  // SWITCHYARD_COLLECTIVE_TRANSPORT_INTERNAL_H_
