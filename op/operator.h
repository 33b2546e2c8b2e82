// The object that registers an operator: its schema, its shape function, and the variants it has.
//
//   const Operator op{"index_copy(Tensor self, int dim, Tensor index, Tensor source) -> Tensor",
//                     IndexCopyShape, kInPlace | kOut};
//
// registers index_copy, index_copy_ and index_copy.out. Without a shape function, kernels (or a
// composite) return the results. One that a formula computes names it, and backends bring the
// kernels:
//
//   const Operator op{"sin(Tensor self) -> Tensor", UnaryFloatShape, kInPlace | kOut,
//                     kFormula<f::Sin>};
//
// Registration links a node before main: no allocation, no parsing, nothing thrown. What is wrong,
// a schema that cannot be read, a shape function of other types, is said when the name is first
// looked up (kRegistration), and by Registry::Problems. ATen's twin is TORCH_LIBRARY's m.def.
//
// What may be registered:
//
//   {"…", shape, kInPlace | kOut}                  one output; variants beside the functional one
//   {"…", shape, variants, kFormula<f::Sin>}       the same, computed by a formula
//   {"…", Outputs<2>(shape), kOut}                 several outputs
//   {"…", View(shape), kInPlace}                   a view, and itself changed into it
//   {"…", WithNumber<1>("add.Tensor", shape)}      another's kernels, a number in a tensor's place
//   {"…", SameKernels("div.Tensor", shape)}        another's kernels
//   {"…", KeyRule::kFirst, kOut}                  no shape: kernels return the results
//
// What its variants are called:
//
//   "sin(…)", kInPlace | kOut                     sin, sin_, sin.out
//   "add.Tensor(…)", kInPlace | kOut              add.Tensor, add_.Tensor, add.Tensor_out
//   "add.Tensor(…)", Out("out")                   add.Tensor, add.out
// Owns: nothing; the object must live as long as its registration: a shared object with operators
// stays in memory, closed or not (core/keep_object.h). What is to be unloaded is a plugin.
// Threads: any.
// Errors: none here.
#ifndef SWITCHYARD_OP_OPERATOR_H_
#define SWITCHYARD_OP_OPERATOR_H_

#include "switchyard/op/variants.h"
#include "switchyard/registry/formula.h"
#include "switchyard/registry/operator_def.h"

namespace sy {

// What follows for an operator from the type of its shape function, a ShapeContext or a
// PointwiseContext. None for a ShapeContext; pointwise for a PointwiseContext.
template <class R>
inline constexpr OperatorTags kTagsOfContext = std::is_same_v<R, PointwiseContext>
                                                   ? SetOf(OperatorTag::kPointwise)
                                                   : OperatorTags{};
// ShapeContext, or PointwiseContext.
template <class R>
concept AnyShapeContext = std::is_base_of_v<ShapeContext, R>;

// A shape function that states kN outputs; 0: a view. kN: up to ShapeContext::kMaxOutputs.
template <int kN, class R, class... A>
struct ShapeWithOutputs {
  void (*shape_function)(R&, A...);
  OperatorTags tags = kTagsOfContext<R>;
};
// Outputs<2>(MaxDimShape): the shape function calls Output twice.
template <int kN, AnyShapeContext R, class... A>
constexpr ShapeWithOutputs<kN, R, A...> Outputs(void (*shape_function)(R&, A...)) {
  return {shape_function};
}
// View(shape function): the result shows the first tensor argument; there are no kernels.
template <class... A>
constexpr ShapeWithOutputs<0, ShapeContext, A...> View(void (*shape_function)(ShapeContext&,
                                                                              A...)) {
  return {shape_function};
}

// The shape function and the kernels of another operator, some of whose tensors are given as
// numbers here, at these positions. kernels_of: its full name; it may be registered later, and its
// kernels are those of this operator too.
template <class Numbers, class R, class... A>
struct ShapeWithNumbers {
  const char* kernels_of;
  void (*shape_function)(R&, A...);
};
// WithNumber<1>("add.Tensor", AddShape): the argument at position 1 is a Scalar here.
template <size_t... kNumbers, AnyShapeContext R, class... A>
constexpr ShapeWithNumbers<std::index_sequence<kNumbers...>, R, A...> WithNumber(
    const char* kernels_of, void (*shape_function)(R&, A...)) {
  return {kernels_of, shape_function};
}
// The kernels of another operator: a second name for it.
template <AnyShapeContext R, class... A>
constexpr ShapeWithNumbers<std::index_sequence<>, R, A...> SameKernels(
    const char* kernels_of, void (*shape_function)(R&, A...)) {
  return {kernels_of, shape_function};
}

// One of these at the bottom of an operator's file. Parameters of the shape function, behind the
// ShapeContext&, are the schema's arguments: const TensorBase& for tensors, T& for what the shape
// function normalises, else as op/signature.h has them.
class Operator : public OperatorDef {
 public:
  // One output.
  template <AnyShapeContext R, class... A>
  Operator(SchemaText text, void (*function)(R&, A...), Variants has_variants = {},
           const char* in_file = __builtin_FILE(), int at_line = __builtin_LINE())
      // Operator neg{"neg(Tensor self) -> Tensor", NegShape, kInPlace | kOut};
      : Operator(text, Outputs<1>(function), has_variants, in_file, at_line) {}
  // Of the formula's tensors and numbers, in its order.
  template <AnyShapeContext R, class... A>
  Operator(SchemaText text, void (*function)(R&, A...), Variants has_variants,
           const FormulaDef& computed_by, const char* in_file = __builtin_FILE(),
           int at_line = __builtin_LINE())
      : OperatorDef{.schema = text,
                    .shape_function = reinterpret_cast<Fn>(function),
                    .traits = &VariantsOf<1, A...>::Traits,
                    .variants = has_variants | Variants{.tags = kTagsOfContext<R>},
                    .file = in_file,
                    .line = at_line,
                    .formula = &computed_by} {
    internal::LinkOperator(this);
  }
  // Outputs<2>(shape function), View(shape function).
  template <int kN, class R, class... A>
  Operator(SchemaText text, ShapeWithOutputs<kN, R, A...> function, Variants has_variants = {},
           const char* in_file = __builtin_FILE(), int at_line = __builtin_LINE())
      : OperatorDef{text,
                    reinterpret_cast<Fn>(function.shape_function),
                    &VariantsOf<kN, A...>::Traits,
                    has_variants | Variants{.tags = function.tags},
                    KeyRule::kPromote,
                    in_file,
                    at_line} {
    internal::LinkOperator(this);
  }
  // WithNumber<1>("add.Tensor", shape function).
  template <class Numbers, class R, class... A>
  Operator(SchemaText text, ShapeWithNumbers<Numbers, R, A...> function, Variants has_variants = {},
           const char* in_file = __builtin_FILE(), int at_line = __builtin_LINE())
      : OperatorDef{text,
                    reinterpret_cast<Fn>(function.shape_function),
                    &NumberVariantsOf<Numbers, A...>::Traits,
                    has_variants | Variants{.tags = kTagsOfContext<R>},
                    KeyRule::kPromote,
                    in_file,
                    at_line,
                    function.kernels_of} {
    internal::LinkOperator(this);
  }
  // Without a shape function. In-place and out= variants without kernels of their own compute the
  // result and copy it. rule_of_key: from which tensors the dtype is taken by which a kernel is
  // found.
  explicit Operator(SchemaText text, KeyRule rule_of_key = KeyRule::kPromote,
                    Variants has_variants = {}, const char* in_file = __builtin_FILE(),
                    int at_line = __builtin_LINE())
      : OperatorDef{.schema = text,
                    .variants = has_variants,
                    .key_rule = rule_of_key,
                    .file = in_file,
                    .line = at_line,
                    .copies_results = internal::ComputeAndCopy} {
    internal::LinkOperator(this);
  }
  explicit Operator(SchemaText text, Variants has_variants, const char* in_file = __builtin_FILE(),
                    int at_line = __builtin_LINE())
      : Operator(text, KeyRule::kPromote, has_variants, in_file, at_line) {}
};

}  // namespace sy

#endif  // SWITCHYARD_OP_OPERATOR_H_
