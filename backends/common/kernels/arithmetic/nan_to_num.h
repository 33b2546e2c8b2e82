// nan_to_num: other numbers for NaN and infinities; what has none is copied.
//
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_COMMON_KERNELS_ARITHMETIC_NAN_TO_NUM_H_
#define SWITCHYARD_BACKENDS_COMMON_KERNELS_ARITHMETIC_NAN_TO_NUM_H_

#include <optional>

#include "switchyard/backends/common/formula_kernel.h"
#include "switchyard/backends/common/numbers.h"
#include "switchyard/ops/formulas/classify.h"

namespace sy {

template <class E>
struct NanToNumKernels {
  static void NanToNum(Call call, const Tensor& out, const Tensor& self, std::optional<double> nan,
                       std::optional<double> posinf, std::optional<double> neginf) {
    if (!Contains(kFormula<f::NanToNum>.dtypes(), call.dtype())) return E::Copy(call, out, self);
    const double most = LargestFinite(call.dtype());
    ComputeWith<E, f::NanToNum>(
        call, out, {&self},
        {Scalar(nan.value_or(0)), Scalar(posinf.value_or(most)), Scalar(neginf.value_or(-most))});
  }

  Kernel kernel{"nan_to_num", E::kDevice,
                f::kBool | f::kIntegers | f::kWideUnsigned | kFormula<f::NanToNum>.dtypes(),
                NanToNum};
};

}  // namespace sy

#endif  // SWITCHYARD_BACKENDS_COMMON_KERNELS_ARITHMETIC_NAN_TO_NUM_H_
