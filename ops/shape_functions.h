// Shape functions that many operators share, and checks that shape functions are made of.
//
//   const Operator op{"sin(Tensor self) -> Tensor", UnaryFloatShape, kInPlace | kOut};
//
// A pointwise operator's file is one such line: sizes broadcast, dtypes promote, the output lies as
// its inputs do.
// Threads: any.
// Errors: of code kInvalidArgument, or kNotImplemented for a dtype that is not served, with the
// operator's name in front.
#ifndef SWITCHYARD_OPS_SHAPE_FUNCTIONS_H_
#define SWITCHYARD_OPS_SHAPE_FUNCTIONS_H_

#include <string_view>

#include "switchyard/op/operator.h"
#include "switchyard/op/shape_context.h"

namespace sy {

#pragma GCC visibility push(default)  // shape functions of other projects are made of these too

// --- Pointwise: Tensor self [, Tensor other]
void UnaryShape(PointwiseContext& r, const TensorBase& self);  // result, and out=: self's dtype
void UnaryFloatShape(PointwiseContext& r,
                     const TensorBase& self);  // integers and bool compute in the default dtype
void BinaryShape(PointwiseContext& r, const TensorBase& self, const TensorBase& other);
void BinaryFloatShape(PointwiseContext& r, const TensorBase& self, const TensorBase& other);
void CompareShape(PointwiseContext& r, const TensorBase& self,
                  const TensorBase& other);  // result: bool
void CompareOrderedShape(PointwiseContext& r, const TensorBase& self,
                         const TensorBase& other);  // also: complex numbers have no order
void BinaryOrderedShape(PointwiseContext& r, const TensorBase& self,
                        const TensorBase& other);  // result: common dtype, not complex
void RoundingShape(PointwiseContext& r, const TensorBase& self);  // real, not bool
// The factor of add and sub must fit the result, and not be of a higher category.
SY_COLD void RequireFittingAlpha(const ShapeContext& r, const Scalar& alpha);
inline void RequireAlpha(const ShapeContext& r, const Scalar& alpha) {
  if (alpha.kind() != Scalar::kInt || !alpha.is_one()) [[unlikely]]
    RequireFittingAlpha(r, alpha);
}
// Integers and bool only.
void BitwiseShape(PointwiseContext& r, const TensorBase& self, const TensorBase& other);

// The dtype of `t` must be in `allowed`. Errors: kNotImplemented naming the operator.
void RequireDType(const ShapeContext& r, const TensorBase& t, DTypeMask allowed,
                  std::string_view name = "self");
// The same of the dtype in which a pointwise operator computes, which its operands promote to.
void RequireComputeDType(const ShapeContext& r, DTypeMask allowed);

// --- Shape functions of pointwise operators that take only some dtypes: UnaryOf<kFloatingTypes>.
inline constexpr DTypeMask kRealNumbers =
    Bit(DType::kBool) | kIntegerTypes | kWideUnsignedTypes | kFloatingTypes;
inline constexpr DTypeMask kNumbers = kRealNumbers | kComplexTypes;
template <DTypeMask kAllowed>
void UnaryOf(PointwiseContext& r, const TensorBase& self) {
  RequireDType(r, self, kAllowed);
  UnaryShape(r, self);
}
template <DTypeMask kAllowed>
void UnaryFloatOf(PointwiseContext& r, const TensorBase& self) {
  RequireDType(r, self, kAllowed);
  UnaryFloatShape(r, self);
}
template <DTypeMask kAllowed>
void BinaryOf(PointwiseContext& r, const TensorBase& self, const TensorBase& other) {
  BinaryShape(r, self, other);
  RequireComputeDType(r, kAllowed);
}
template <DTypeMask kAllowed>
void BinaryFloatOf(PointwiseContext& r, const TensorBase& self, const TensorBase& other) {
  BinaryFloatShape(r, self, other);
  RequireComputeDType(r, kAllowed);
}
template <DTypeMask kAllowed>
void CompareOf(PointwiseContext& r, const TensorBase& self, const TensorBase& other) {
  CompareShape(r, self, other);
  RequireComputeDType(r, kAllowed);
}
// Questions about one number. Result, and out=: bool.
void TestSameShape(PointwiseContext& r, const TensorBase& self);
template <DTypeMask kAllowed>
void TestOf(PointwiseContext& r, const TensorBase& self) {
  RequireDType(r, self, kAllowed);
  TestSameShape(r, self);
}

// Wraps the dimensions of self that a list names. Returns a bit for each. Errors: kOutOfRange;
// kInvalidArgument for one named twice.
uint64_t WrapDims(ShapeContext& r, IntSpan& dims, const TensorBase& self);

// --- Reductions: sizes of the result of reducing `dims` (all when absent or empty) of self, which
// are wrapped. mask: the dimensions that are reduced.
struct Reduced {
  IntSpan sizes;
  uint64_t mask;
};
Reduced ReduceSizes(ShapeContext& r, const TensorBase& self, IntSpan& dims, bool keepdim);
Reduced ReduceSizes(ShapeContext& r, const TensorBase& self, int64_t& dim, bool keepdim);
// Absent dims stay so.
Reduced ReduceSizes(ShapeContext& r, const TensorBase& self, std::optional<IntSpan>& dims,
                    bool keepdim);
Reduced ReduceSizes(ShapeContext& r, const TensorBase& self, std::optional<int64_t>& dim,
                    bool keepdim);
// For operators without identity: a reduced dimension must not be empty. Errors: kOutOfRange.
void RequireNonEmptyReduction(const ShapeContext& r, const TensorBase& self, uint64_t mask);

// What sums and products are returned in: `dtype` if given, else what out= has, else int64 for
// integers and bool.
DType AccumulatedDType(const ShapeContext& r, const TensorBase& self, Optional<DType> dtype);
// max and min, of everything and along one dimension (values and positions). Errors: nothing to
// reduce; complex numbers.
void ExtremeShape(ShapeContext& r, const TensorBase& self);
void ExtremeDimShape(ShapeContext& r, const TensorBase& self, int64_t& dim, bool keepdim);
// any and all along several dimensions; none: of everything, an empty list: each element by itself.
void TruthShape(ShapeContext& r, const TensorBase& self, std::optional<IntSpan>& dim, bool keepdim);
// What any and all are returned in: bool, uint8 for uint8; out= must be one of these.
DType TruthDType(const ShapeContext& r, const TensorBase& self);

void RequireSameDType(const ShapeContext& r, const TensorBase& a, const TensorBase& b,
                      std::string_view name_a, std::string_view name_b);

// --- Indices
// int64 or int32.
void RequireIndexDType(const ShapeContext& r, const TensorBase& index);
// index has as many dimensions as t (0-d counts as 1-d) and no size above t's, except at dim (-1:
// nowhere).
void RequireIndexFits(const ShapeContext& r, const TensorBase& t, const TensorBase& index,
                      std::string_view name, int64_t dim);

// --- Creation
// Where and how the outputs lie: on `device` or the default one, or in pinned host memory. A device
// without bytes (meta) pins nothing and says nothing.
// Errors: kInvalidArgument for sparse layouts, and for pinned memory on another device than the
// host; kNotImplemented where nothing offers pinned memory.
SY_COLD void CreateUnusual(ShapeContext& r, Optional<Layout> layout,
                           Optional<Device> device);  // pinned
inline void Create(ShapeContext& r, Optional<Layout> layout, Optional<Device> device,
                   Optional<bool> pin_memory) {
  if (layout.value_or(Layout::kStrided) != Layout::kStrided || pin_memory.value_or(false))
      [[unlikely]]
    return CreateUnusual(r, layout, device);
  r.SetDevice(device);
}
// Output of `size` in a memory format.
void UseFormat(ShapeContext& r, OutputSpec& o, MemoryFormat format);
inline OutputSpec& OutputInFormat(ShapeContext& r, IntSpan size, DType dtype, MemoryFormat format) {
  OutputSpec& o = r.Output(size, dtype);
  if (format != MemoryFormat::kContiguous) [[unlikely]]
    UseFormat(r, o, format);
  return o;
}
// Output shaped as self: kPreserve keeps its order of dimensions.
OutputSpec& OutputAs(ShapeContext& r, const TensorBase& self, DType dtype, MemoryFormat format);

#pragma GCC visibility pop

}  // namespace sy

#endif  // SWITCHYARD_OPS_SHAPE_FUNCTIONS_H_
