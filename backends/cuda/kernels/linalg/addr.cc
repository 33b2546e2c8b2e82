#include "backends/cuda/engine/pointwise.h"
#include "switchyard/backends/common/dtypes.h"
#include "switchyard/ops/formulas/arithmetic.h"

namespace sy::cuda {
namespace {

// Each step is rounded to the dtype. Source: ATen/native/cpu/LinearAlgebraKernel.cpp.
void Addr(Call call, const Tensor& out, const Tensor& self, const Tensor& vec1, const Tensor& vec2,
          const Scalar& beta, const Scalar& alpha) {
  if (out.numel() == 0) return;
  const DType d = out.dtype();
  const auto rounded = [d](const Scalar& x) {
    if (!Contains(kHalves, d)) return x;
    return VisitDType<kHalfTypes>(d, [&](auto tag) {
      return Scalar(static_cast<double>(static_cast<float>(x.To<typename decltype(tag)::type>())));
    });
  };
  const int64_t column[] = {vec1.sizes()[0], 1}, down[] = {vec1.strides()[0], 1};
  const Tensor left = vec1.AsStrided(column, down, vec1.storage_offset());
  if (beta.is_zero())
    return RunFormula(call, kFormula<f::Outer>, out, {&left, &vec2}, {rounded(alpha)});
  RunFormula(call, kFormula<f::AddOuter>, out, {&self, &left, &vec2},
             {rounded(beta), rounded(alpha)});
}

const Kernel addr{"addr", "cuda", kNumberOrBoolTypes, Addr};

}  // namespace
}  // namespace sy::cuda
