#include <cmath>
#include <optional>

#include "backends/cuda/engine/pointwise.h"
#include "backends/cuda/engine/reduce.h"
#include "switchyard/ops/formulas/arithmetic.h"
#include "switchyard/ops/formulas/exponential.h"

namespace sy::cuda {
namespace {

void Norm(Call call, const Tensor& out, const Tensor& self, const Scalar& ord,
          std::optional<IntSpan> dim, bool, Optional<DType>) {
  constexpr Reduction kMagnitudes{"SumOfMagnitudes"}, kLength{"SumOfSquares", "SquareRoot"};
  const uint64_t mask = DimMask(dim);
  const double p = ord.To<double>();
  DType dtype = call.dtype();
  if (p == 0) return Reduce(call, kSum, DType::kBool, self, mask, &out);
  Tensor x = self;
  if (IsComplex(dtype) || (p != 1 && p != 2)) {
    const bool narrow = dtype == DType::kComplex32 || Contains(kHalfTypes, dtype);
    const DType real = narrow ? DType::kFloat32 : RealType(dtype);
    x = Tensor::Empty(self.sizes(), real, self.device());
    const DType in = IsComplex(dtype) ? ComplexType(real) : real;
    RunFormula({call.kernel, WithDType(call.key, in)}, kFormula<f::Abs>, x, {&self});
    dtype = real;
  }
  if (p == 1) return Reduce(call, kMagnitudes, dtype, x, mask, &out);
  if (p == 2) return Reduce(call, kLength, dtype, x, mask, &out);
  if (std::isinf(p)) return Reduce(call, p > 0 ? kMax : kMin, dtype, x, mask, &out);
  const Tensor power = NumberTensor(ord);
  RunFormula({call.kernel, WithDType(call.key, dtype)}, kFormula<f::Pow>, x, {&x, &power});
  Reduction root{"Sum", "Root"};
  root.parameter = p;
  Reduce(call, root, dtype, x, mask, &out);
}
const Kernel norm{"linalg_vector_norm", "cuda",
                  kFloatingTypes | kComplexTypes | Bit(DType::kComplex32), Norm};

}  // namespace
}  // namespace sy::cuda
