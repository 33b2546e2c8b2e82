#include <limits>
#include <optional>

#include "switchyard/backends/cpu/engine/copy.h"
#include "switchyard/backends/cpu/engine/pointwise.h"
#include "switchyard/registry/kernel.h"

namespace sy::cpu {
namespace loops {
extern const LoopSet nan_to_num;
}
namespace {

// The largest finite number of a dtype.
double Largest(DType d) {
  switch (RealType(d)) {
    case DType::kFloat16:
      return 65504;
    case DType::kBFloat16:
      return 0x1.fep127;
    case DType::kFloat32:
      return std::numeric_limits<float>::max();
    default:
      return std::numeric_limits<double>::max();
  }
}

void NanToNum(Call call, const Tensor& out, const Tensor& self, std::optional<double> nan,
              std::optional<double> posinf, std::optional<double> neginf) {
  const DType dtype = call.dtype();
  if (!Contains(loops::nan_to_num.dtypes, dtype)) return CopyElements(out, self);
  const double most = Largest(dtype);
  RunLoopsWith(
      loops::nan_to_num, dtype, out, {&self},
      {Scalar(nan.value_or(0)), Scalar(posinf.value_or(most)), Scalar(neginf.value_or(-most))});
}

constexpr DTypeMask kIntegers = Bit(DType::kBool) | kIntegerTypes | kWideUnsignedTypes;
const Kernel kernel{"nan_to_num", "cpu", kIntegers | loops::nan_to_num.dtypes, NanToNum};

}  // namespace
}  // namespace sy::cpu
