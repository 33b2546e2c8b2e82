// Norms: of magnitudes, by the sums and extremes of their powers.
#include <cmath>
#include <optional>

#include "switchyard/backends/cpu/engine/pointwise.h"
#include "switchyard/backends/cpu/engine/reduce.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops/formulas/arithmetic.h"
#include "switchyard/ops/formulas/exponential.h"

namespace sy::cpu {
namespace loops {
extern const ReduceSet max, min, sum, sum_of_magnitudes, sum_of_squares;
}  // namespace loops
namespace {

// The ord-th root of sums.
template <class F>
void ForEach(void* s, DType dtype, int64_t n, F f) {
  VisitDType<Mask(DType::kFloat32, DType::kFloat64)>(dtype, [&](auto tag) {
    auto* x = static_cast<typename decltype(tag)::type*>(s);
    for (int64_t i = 0; i < n; ++i) x[i] = f(x[i]);
  });
}
void SquareRoot(void* const* s, const DType* dtypes, int64_t n, int64_t, double) {
  ForEach(s[0], dtypes[0], n, [](auto x) { return std::sqrt(x); });
}
void Root(void* const* s, const DType* dtypes, int64_t n, int64_t, double p) {
  ForEach(s[0], dtypes[0], n, [p](auto x) { return std::pow(x, static_cast<decltype(x)>(1 / p)); });
}

void Norm(Call call, const Tensor& out, const Tensor& self, const Scalar& ord,
          std::optional<IntSpan> dim, bool, Optional<DType>) {
  const uint64_t mask = DimMask(dim);
  const double p = ord.To<double>();
  DType dtype = call.dtype();
  if (p == 0) return Reduce(loops::sum, DType::kBool, self, mask, {{&out, 0}});
  Tensor x = self;
  const bool powers = p != 1 && p != 2;
  if (IsComplex(dtype) || powers) {
    const DType real = dtype == DType::kComplex32 || Contains(kHalfTypes, dtype) ? DType::kFloat32
                                                                                 : RealType(dtype);
    x = Tensor::Empty(self.sizes(), real);
    RunLoops(kLoops<f::Abs>, IsComplex(dtype) ? ComplexType(real) : real, x, self);
    dtype = real;
  }
  if (p == 1) return Reduce(loops::sum_of_magnitudes, dtype, x, mask, {{&out, 0}});
  if (p == 2) return Reduce(loops::sum_of_squares, dtype, x, mask, {{&out, 0}}, {SquareRoot});
  if (std::isinf(p)) return Reduce(p > 0 ? loops::max : loops::min, dtype, x, mask, {{&out, 0}});
  RunLoops(kLoops<f::Pow>, dtype, x, x, NumberTensor(ord));
  Reduce(loops::sum, dtype, x, mask, {{&out, 0}}, {Root, p});
}

const Kernel kernel{"linalg_vector_norm", "cpu",
                    kFloatingTypes | kComplexTypes | Bit(DType::kComplex32), Norm};

}  // namespace
}  // namespace sy::cpu
