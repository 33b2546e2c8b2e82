// How exact products of float32 matrices have to be.
//
//   sy::set_float32_matmul_precision("high");   // cuda: factors of 10 bits, on tensor cores
//
//   "highest"   float32 throughout; so it is until set
//   "high"      cuda may round factors to TF32, 10 bits of mantissa, and sums in float32
//   "medium"    as "high": no backend here rounds factors to bfloat16
//
// cpu computes in float32 whatever is set. cuda::SetAllowTf32 (backends/cuda/products.h) sets the
// same: "high", or "highest".
// Owns: one setting of the process.
// Threads: any; products that begin later see it.
// Errors: kInvalidArgument for another word.
#ifndef SWITCHYARD_CORE_MATMUL_PRECISION_H_
#define SWITCHYARD_CORE_MATMUL_PRECISION_H_

#include <string_view>

#include "switchyard/core/macros.h"

namespace sy {

// torch.set_float32_matmul_precision.
SY_API void set_float32_matmul_precision(std::string_view precision);
SY_API std::string_view get_float32_matmul_precision();

namespace internal {
// Less than "highest" is asked for. Once for every product.
SY_API bool MayRoundFactors();
}  // namespace internal

}  // namespace sy

#endif  // SWITCHYARD_CORE_MATMUL_PRECISION_H_
