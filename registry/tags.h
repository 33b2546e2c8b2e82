// Tags: what is true of an operator, said where it is registered, and asked by whoever needs to
// know instead of keeping a list of names.
//
//   const Operator op{"nonzero(Tensor self) -> Tensor", KeyRule::kFirst,
//                     kOut | Tags(OperatorTag::kDynamicOutputShape)};
//   if (op.Has(OperatorTag::kNondeterministicSeeded)) …
//
// Names and meanings are those of ATen's tags. What the registration shows by itself is not said
// again: a shape function that takes a PointwiseContext makes its operator pointwise, an argument
// of type Generator makes it random, a view's in-place variant is an inplace_view, CopyOf makes a
// view_copy, a variant that has no registration of its own is generated. All variants of an
// operator carry what is said of it.
// Owns: nothing.
// Threads: any.
// Errors: none.
#ifndef SWITCHYARD_REGISTRY_TAGS_H_
#define SWITCHYARD_REGISTRY_TAGS_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "switchyard/core/macros.h"

namespace sy {

// The order is that of Name's table and of nothing else.
enum class OperatorTag : uint8_t {
  // Element i of the results depends on elements i of the arguments alone, which broadcast.
  kPointwise,
  // Dimensions are folded into one value each.
  kReduction,
  // The sizes of the results depend on values: a device without values (meta) cannot state them.
  kDynamicOutputShape,
  // The result is a number or truth value read out of a tensor; the same holds.
  kDataDependentOutput,
  // Draws from a generator: the same seed gives the same numbers.
  kNondeterministicSeeded,
  // A view's sibling that returns elements of its own.
  kViewCopy,
  // Changes sizes, strides or offset of its argument, not its elements.
  kInplaceView,
  // May return an argument itself, or write one, though its schema says neither.
  kMaybeAliasingOrMutating,
  // A variant derived from another registration: no line of its own in the tree.
  kGenerated,
  // The results' elements are whatever the memory held: only sizes, strides and dtype mean
  // something. ATen has no tag for it.
  kUninitializedOutput,
  // Which of several equal elements a position points at is the kernel's choice. ATen has no tag
  // for it: it promises the first one of max, min, cummax and sort, and says nothing of these.
  kOpenTies,
  // out= that is resized is laid row-major, however the functional result lies: so are those that
  // ATen generates from functional operators. ATen has no tag for it.
  kRowMajorOut,
  // out= must have the result's dtype, though the operator could convert as it stores: so must
  // those that ATen generates. ATen has no tag for it.
  kSameDTypeOut,
};
inline constexpr int kNumOperatorTags = 13;

// ATen's spelling: "dynamic_output_shape".
SY_API std::string_view Name(OperatorTag tag);

// A set of them.
struct OperatorTags {
  uint32_t bits = 0;

  // As OperatorEntry::Has, of a set.
  constexpr bool Has(OperatorTag tag) const { return (bits >> static_cast<int>(tag) & 1) != 0; }
  constexpr bool empty() const { return bits == 0; }
  constexpr OperatorTags operator|(OperatorTags o) const { return {bits | o.bits}; }
  constexpr OperatorTags operator&(OperatorTags o) const { return {bits & o.bits}; }
  constexpr bool operator==(const OperatorTags&) const = default;
};
constexpr OperatorTags SetOf(OperatorTag tag) { return {uint32_t{1} << static_cast<int>(tag)}; }
constexpr OperatorTags operator|(OperatorTag a, OperatorTag b) { return SetOf(a) | SetOf(b); }

// In the order of the enumeration.
SY_API std::vector<std::string_view> NamesOf(OperatorTags tags);

}  // namespace sy

#endif  // SWITCHYARD_REGISTRY_TAGS_H_
