// Shape rules that many operators share, and checks that rules are made of.
//
//   const Operator op{"sin(Tensor self) -> Tensor", UnaryFloatRule, kInPlace | kOut};
//
// A pointwise operator's file is one such line: sizes broadcast, dtypes promote, the output lies as
// its inputs do.
// Threads: any.
// Errors: of code kInvalidArgument, or kNotImplemented for a dtype that is not served, with the
// operator's name in front.
#ifndef SWITCHYARD_OPS_RULES_H_
#define SWITCHYARD_OPS_RULES_H_

#include <string_view>

#include "switchyard/registry/operator.h"
#include "switchyard/registry/rule.h"

namespace sy {

#pragma GCC visibility push(default)  // rules of other projects are made of these too

// --- Pointwise: Tensor self [, Tensor other]
void UnaryRule(Rule& r, const Meta& self);       // result, and out=: self's dtype
void UnaryFloatRule(Rule& r, const Meta& self);  // integers and bool compute in the default dtype
void BinaryRule(Rule& r, const Meta& self, const Meta& other);
void BinaryFloatRule(Rule& r, const Meta& self, const Meta& other);
void CompareRule(Rule& r, const Meta& self, const Meta& other);  // result: bool
void CompareOrderedRule(Rule& r, const Meta& self,
                        const Meta& other);  // also: complex numbers have no order
void BinaryOrderedRule(Rule& r, const Meta& self,
                       const Meta& other);     // result: common dtype, not complex
void RoundingRule(Rule& r, const Meta& self);  // real, not bool
// The factor of add and sub must fit the result, and not be of a higher category.
SY_COLD void RequireFittingAlpha(const Rule& r, const Scalar& alpha);
inline void RequireAlpha(const Rule& r, const Scalar& alpha) {
  if (alpha.kind() != Scalar::kInt || !alpha.is_one()) [[unlikely]]
    RequireFittingAlpha(r, alpha);
}
// Integers and bool only.
void BitwiseRule(Rule& r, const Meta& self, const Meta& other);

// The dtype of `t` must be in `allowed`. Errors: kNotImplemented naming the operator.
void RequireDType(const Rule& r, const Meta& t, DTypeMask allowed, std::string_view name = "self");
// The same of the dtype in which a pointwise operator computes, which its operands promote to.
void RequireComputeDType(const Rule& r, DTypeMask allowed);

// --- Pointwise rules of operators that take only some dtypes: UnaryOf<kFloatingTypes>.
inline constexpr DTypeMask kRealNumbers =
    Bit(DType::kBool) | kIntegerTypes | kWideUnsignedTypes | kFloatingTypes;
inline constexpr DTypeMask kNumbers = kRealNumbers | kComplexTypes;
template <DTypeMask kAllowed>
void UnaryOf(Rule& r, const Meta& self) {
  RequireDType(r, self, kAllowed);
  UnaryRule(r, self);
}
template <DTypeMask kAllowed>
void UnaryFloatOf(Rule& r, const Meta& self) {
  RequireDType(r, self, kAllowed);
  UnaryFloatRule(r, self);
}
template <DTypeMask kAllowed>
void BinaryOf(Rule& r, const Meta& self, const Meta& other) {
  BinaryRule(r, self, other);
  RequireComputeDType(r, kAllowed);
}
template <DTypeMask kAllowed>
void BinaryFloatOf(Rule& r, const Meta& self, const Meta& other) {
  BinaryFloatRule(r, self, other);
  RequireComputeDType(r, kAllowed);
}
template <DTypeMask kAllowed>
void CompareOf(Rule& r, const Meta& self, const Meta& other) {
  CompareRule(r, self, other);
  RequireComputeDType(r, kAllowed);
}
// Questions about one number. Result, and out=: bool.
void TestSameRule(Rule& r, const Meta& self);
template <DTypeMask kAllowed>
void TestOf(Rule& r, const Meta& self) {
  RequireDType(r, self, kAllowed);
  TestSameRule(r, self);
}

// --- Reductions: sizes of the result of reducing `dims` (all when absent or empty) of self.
// mask: the dimensions that are reduced.
struct Reduced {
  IntSpan sizes;
  uint64_t mask;
};
Reduced ReduceSizes(Rule& r, const Meta& self, std::optional<IntSpan> dims, bool keepdim);
// For operators without identity: a reduced dimension must not be empty. Errors: kOutOfRange.
void RequireNonEmptyReduction(const Rule& r, const Meta& self, uint64_t mask);

// What sums and products are returned in: `dtype` if given, else what out= has, else int64 for
// integers and bool.
DType AccumulatedDType(const Rule& r, const Meta& self, Optional<DType> dtype);
// max and min, of everything and along one dimension (values and positions). Errors: nothing to
// reduce; complex numbers.
void ExtremeRule(Rule& r, const Meta& self);
void ExtremeDimRule(Rule& r, const Meta& self, int64_t dim, bool keepdim);
// any and all along several dimensions; none: of everything, an empty list: each element by itself.
void TruthRule(Rule& r, const Meta& self, std::optional<IntSpan> dim, bool keepdim);
// What any and all are returned in: bool, uint8 for uint8; out= must be one of these.
DType TruthDType(const Rule& r, const Meta& self);

void RequireSameDType(const Rule& r, const Meta& a, const Meta& b, std::string_view name_a,
                      std::string_view name_b);

// --- Indices
// int64 or int32.
void RequireIndexDType(const Rule& r, const Meta& index);
// index has as many dimensions as t (0-d counts as 1-d) and no size above t's, except at dim (-1:
// nowhere).
void RequireIndexFits(const Rule& r, const Meta& t, const Meta& index, std::string_view name,
                      int64_t dim);

// --- Creation
// Where and how the outputs lie: on `device` or the default one, or in pinned host memory. A device
// without bytes (meta) pins nothing and says nothing.
// Errors: kInvalidArgument for sparse layouts, and for pinned memory on another device than the
// host; kNotImplemented where nothing offers pinned memory.
SY_COLD void CreateUnusual(Rule& r, Optional<Layout> layout, Optional<Device> device);  // pinned
inline void Create(Rule& r, Optional<Layout> layout, Optional<Device> device,
                   Optional<bool> pin_memory) {
  if (layout.value_or(Layout::kStrided) != Layout::kStrided || pin_memory.value_or(false))
      [[unlikely]]
    return CreateUnusual(r, layout, device);
  r.SetDevice(device);
}
// Output of `size` in a memory format.
void UseFormat(Rule& r, OutputSpec& o, MemoryFormat format);
inline OutputSpec& OutputInFormat(Rule& r, IntSpan size, DType dtype, MemoryFormat format) {
  OutputSpec& o = r.Output(size, dtype);
  if (format != MemoryFormat::kContiguous) [[unlikely]]
    UseFormat(r, o, format);
  return o;
}
// Output shaped as self: kPreserve keeps its order of dimensions.
OutputSpec& OutputAs(Rule& r, const Meta& self, DType dtype, MemoryFormat format);

#pragma GCC visibility pop

}  // namespace sy

#endif  // SWITCHYARD_OPS_RULES_H_
