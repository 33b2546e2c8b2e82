#include <optional>

#include "switchyard/backends/common/numbers.h"
#include "switchyard/backends/cpu/engine/copy.h"
#include "switchyard/backends/cpu/engine/pointwise.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops/formulas/classify.h"

namespace sy::cpu {
namespace {

void NanToNum(Call call, const Tensor& out, const Tensor& self, std::optional<double> nan,
              std::optional<double> posinf, std::optional<double> neginf) {
  const DType dtype = call.dtype();
  if (!Contains(kFormula<f::NanToNum>.dtypes(), dtype)) return CopyElements(out, self);
  const double most = LargestFinite(dtype);
  RunLoopsWith(
      kLoops<f::NanToNum>, dtype, out, {&self},
      {Scalar(nan.value_or(0)), Scalar(posinf.value_or(most)), Scalar(neginf.value_or(-most))});
}

constexpr DTypeMask kIntegers = Bit(DType::kBool) | kIntegerTypes | kWideUnsignedTypes;
const Kernel kernel{"nan_to_num", "cpu", kIntegers | kFormula<f::NanToNum>.dtypes(), NanToNum};

}  // namespace
}  // namespace sy::cpu
