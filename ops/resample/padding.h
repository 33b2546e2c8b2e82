// What the operators that pad with elements of the tensor itself check, and its gradients.
//
//   const Operator reflection_pad1d_op{"…", PadShape<1, true>, kOut};
//
// Owns: nothing. Threads: any.
// Errors: kInvalidArgument, kNotImplemented for a dtype, with the operator's name in front.
#ifndef SWITCHYARD_OPS_RESAMPLE_PADDING_H_
#define SWITCHYARD_OPS_RESAMPLE_PADDING_H_

#include <algorithm>

#include "switchyard/ops/shape_functions.h"

namespace sy {

#pragma GCC visibility push(default)

// The sizes of self with its border: the last `dims` dimensions, one or two stand before them.
// padding: a width before and one behind, the last dimension's first; below 0 it takes away.
// mirrored: the border is narrower than the dimension. The sizes live as long as r's call.
IntSpan PaddedSizes(ShapeContext& r, const TensorBase& self, IntSpan padding, int dims,
                    bool mirrored);

// What is padded, and what has gradients.
inline constexpr DTypeMask kPaddedTypes = kIntegerTypes | kFloatingTypes | kComplexTypes;
inline constexpr DTypeMask kPaddedGradTypes = kFloatingTypes | kComplexTypes;

// self: [.., kDims dimensions]   →   with the border, in self's format
template <int kDims, bool kMirrored>
void PadShape(ShapeContext& r, const TensorBase& self, IntSpan padding) {
  const IntSpan sizes = PaddedSizes(r, self, padding, kDims, kMirrored);
  RequireDType(r, self, kPaddedTypes);
  OutputInFormat(r, sizes, self.dtype(), self.suggest_memory_format());
}
// grad_output: as PadShape gives   →   like self
template <int kDims, bool kMirrored>
void PadBackwardShape(ShapeContext& r, const TensorBase& grad_output, const TensorBase& self,
                      IntSpan padding) {
  const IntSpan sizes = PaddedSizes(r, self, padding, kDims, kMirrored);
  RequireDType(r, self, kPaddedGradTypes);
  RequireSameDType(r, grad_output, self, "grad_output", "self");
  if (!std::ranges::equal(grad_output.sizes(), sizes))
    r.Fail({"grad_output must have sizes ", sizes, ", got ", grad_output.sizes()});
  OutputInFormat(r, self.sizes(), self.dtype(), self.suggest_memory_format());
}

#pragma GCC visibility pop

}  // namespace sy

#endif  // SWITCHYARD_OPS_RESAMPLE_PADDING_H_
