// What normalisations ask of their parameters.
#ifndef SWITCHYARD_OPS_NN_CHANNELS_H_
#define SWITCHYARD_OPS_NN_CHANNELS_H_

#include "switchyard/ops/shape_functions.h"

namespace sy {

// The dtype of input, or float32 where that is a 16-bit float.
inline void RequireParameterDType(const ShapeContext& r, const TensorBase& input,
                                  const TensorBase& t, std::string_view name) {
  const bool mixed = Contains(kHalfTypes, input.dtype()) && t.dtype() == DType::kFloat32;
  if (t.dtype() != input.dtype() && !mixed)
    r.Fail({name, " must be ", input.dtype(), " as input is, got ", t.dtype()});
}

// input: [n, c, ..]; t: [c], or undefined.
inline void RequireOnePerChannel(const ShapeContext& r, const TensorBase& input,
                                 const TensorBase& t, std::string_view name) {
  if (!t.defined()) return;
  const int64_t channels = input.sizes()[1];
  if (t.dim() != 1 || t.numel() != channels)
    r.Fail({name, " must be a vector of ", channels, " elements, got sizes ", t.sizes()});
  RequireParameterDType(r, input, t, name);
}

}  // namespace sy

#endif  // SWITCHYARD_OPS_NN_CHANNELS_H_
