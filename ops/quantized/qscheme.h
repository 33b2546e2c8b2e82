// How integers of a quantised tensor stand for numbers, as qscheme() says it, and ATen's names of
// quantised dtypes.
//
//   qscheme(quantize_per_tensor(x, 0.1, 10, kQUInt8)) == kPerTensorAffine
//
// Numbers and names are those of c10/core/QScheme.h; symmetric ones are told by observers of
// PyTorch's, no tensor has them. Schemas call the type QScheme; its values are ints, as for
// PyTorch's JIT. FindQuantizer(t)->scheme() gives the name.
// Owns: nothing. Threads: any. Errors: none.
#ifndef SWITCHYARD_OPS_QUANTIZED_QSCHEME_H_
#define SWITCHYARD_OPS_QUANTIZED_QSCHEME_H_

#include <cstdint>

#include "switchyard/core/dtype_enum.h"

namespace sy {

// Not a class: what an operator returns is compared with it.
enum QScheme : int64_t {
  kPerTensorAffine,
  kPerChannelAffine,
  kPerTensorSymmetric,
  kPerChannelSymmetric,
  kPerChannelAffineFloatQParams,
};

// The dtypes that quantised tensors have here: their integers'.
inline constexpr DType kQUInt8 = DType::kUInt8;
inline constexpr DType kQInt8 = DType::kInt8;
inline constexpr DType kQInt32 = DType::kInt32;

}  // namespace sy

#endif  // SWITCHYARD_OPS_QUANTIZED_QSCHEME_H_
