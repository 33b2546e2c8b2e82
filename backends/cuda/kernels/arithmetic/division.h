// Quotients and remainders, of integers too.
//
// Owns: nothing. Threads: any. Queued on the thread's current stream.
// Errors: kInvalidValue for integers that are divided by 0: at once where the divisor is a
// number, else at the next synchronising call.
#ifndef SWITCHYARD_BACKENDS_CUDA_KERNELS_ARITHMETIC_DIVISION_H_
#define SWITCHYARD_BACKENDS_CUDA_KERNELS_ARITHMETIC_DIVISION_H_

#include "switchyard/op/kernel.h"
#include "switchyard/registry/formula.h"

namespace sy::cuda {

// out = formula(self, other).
void Divide(const FormulaDef& formula, Call call, const Tensor& out, const Tensor& self,
            const Tensor& other);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_KERNELS_ARITHMETIC_DIVISION_H_
