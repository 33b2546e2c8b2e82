// Numbers, and dtypes to compute in, that kernels make of their arguments.
//
// Threads: any.
#ifndef SWITCHYARD_BACKENDS_COMMON_NUMBERS_H_
#define SWITCHYARD_BACKENDS_COMMON_NUMBERS_H_

#include "switchyard/core/dtype.h"
#include "switchyard/core/scalar.h"
#include "switchyard/core/tensor.h"

namespace sy {

// -s; of integers it wraps around.
Scalar Negative(const Scalar& s);
// A number for a computation in d, a 0-dim tensor on the host: of d itself where that is float32,
// float64 or int64 and the number of its kind, so that nothing is left to convert.
Tensor NumberFor(DType d, const Scalar& s);
// The largest finite number of a floating or complex dtype.
double LargestFinite(DType d);
// What elements of small dtypes are searched as: a wider one that holds all of their values.
DType SearchDType(DType d);
// What a Fourier transform of t over dims is multiplied by. normalization: 0 nothing, 1 the root of
// the number of elements, 2 that number.
double FourierScale(int64_t normalization, const Tensor& t, IntSpan dims);

}  // namespace sy

#endif  // SWITCHYARD_BACKENDS_COMMON_NUMBERS_H_
