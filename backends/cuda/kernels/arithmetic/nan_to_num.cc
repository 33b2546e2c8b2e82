#include <optional>

#include "backends/cuda/engine/pointwise.h"
#include "switchyard/backends/common/numbers.h"
#include "switchyard/ops/formulas/classify.h"

namespace sy::cuda {
namespace {

void NanToNum(Call call, const Tensor& out, const Tensor& self, std::optional<double> nan,
              std::optional<double> posinf, std::optional<double> neginf) {
  if (!Contains(kFormula<f::NanToNum>.dtypes(), call.dtype())) return CopyElements(call, out, self);
  const double most = LargestFinite(call.dtype());
  RunFormula(
      call, kFormula<f::NanToNum>, out, {&self},
      {Scalar(nan.value_or(0)), Scalar(posinf.value_or(most)), Scalar(neginf.value_or(-most))});
}

const Kernel nan_to_num{"nan_to_num", "cuda",
                        kBool | kIntegers | kWideUnsigned | kFormula<f::NanToNum>.dtypes(),
                        NanToNum};

}  // namespace
}  // namespace sy::cuda
