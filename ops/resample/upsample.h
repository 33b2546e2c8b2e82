// What the operators check that give images other sizes, and their gradients; they are one template
// each, whose list of types, a Factor for each dimension, says how many dimensions there are.
//
//   const Operator upsample_nearest2d_op{"…", NearestShape<Factor, Factor>, kOut};
//
// Owns: nothing. Threads: any.
// Errors: kInvalidArgument, kNotImplemented for a dtype, with the operator's name in front.
#ifndef SWITCHYARD_OPS_RESAMPLE_UPSAMPLE_H_
#define SWITCHYARD_OPS_RESAMPLE_UPSAMPLE_H_

#include "switchyard/ops/shape_functions.h"

namespace sy {

#pragma GCC visibility push(default)

// Outputs to inputs along a dimension; that of the sizes where there is none.
using Factor = Optional<double>;

// What nearest and weighted outputs are made of; filters that widen have no 16-bit floats.
inline constexpr DTypeMask kByteOrFloatingTypes = Bit(DType::kUInt8) | kFloatingTypes;
inline constexpr DTypeMask kAreaGradTypes = Bit(DType::kFloat32) | Bit(DType::kFloat64);
inline constexpr DTypeMask kAreaTypes = Bit(DType::kUInt8) | kAreaGradTypes;

// self: [n, channels, dims dimensions]   →   output_size in their place, in self's format.
// types: of self. Errors: kInvalidArgument for sizes that are not positive.
void UpsampleShape(ShapeContext& r, const TensorBase& self, IntSpan output_size, int dims,
                   DTypeMask types);
// grad_output: output_size behind input_size's first two   →   input_size.
// keeps_format: the gradient lies as grad_output, else row-major.
void UpsampleBackwardShape(ShapeContext& r, const TensorBase& grad_output, IntSpan output_size,
                           IntSpan input_size, int dims, DTypeMask types, bool keeps_format);

// The rules of each family, as operators name them.
template <class... Factors>
void NearestShape(ShapeContext& r, const TensorBase& self, IntSpan output_size, Factors...) {
  UpsampleShape(r, self, output_size, sizeof...(Factors), kByteOrFloatingTypes);
}
template <class... Factors>
void NearestBackwardShape(ShapeContext& r, const TensorBase& grad_output, IntSpan output_size,
                          IntSpan input_size, Factors...) {
  constexpr int kDims = sizeof...(Factors);
  UpsampleBackwardShape(r, grad_output, output_size, input_size, kDims, kFloatingTypes, kDims < 3);
}
template <DTypeMask kTypes, class... Factors>
void WeightedShape(ShapeContext& r, const TensorBase& self, IntSpan output_size,
                   bool /*align_corners*/, Factors...) {
  UpsampleShape(r, self, output_size, sizeof...(Factors), kTypes);
}
template <DTypeMask kTypes, bool kKeepsFormat, class... Factors>
void WeightedBackwardShape(ShapeContext& r, const TensorBase& grad_output, IntSpan output_size,
                           IntSpan input_size, bool /*align_corners*/, Factors...) {
  UpsampleBackwardShape(r, grad_output, output_size, input_size, sizeof...(Factors), kTypes,
                        kKeepsFormat);
}

#pragma GCC visibility pop

}  // namespace sy

#endif  // SWITCHYARD_OPS_RESAMPLE_UPSAMPLE_H_
