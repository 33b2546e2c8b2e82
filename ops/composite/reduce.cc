// Reductions of everything, or of one dimension, by those of several.

#include <vector>

#include "ops/composite/checks.h"
#include "switchyard/core/promotion.h"
#include "switchyard/core/shape.h"
#include "switchyard/ops.h"
#include "switchyard/registry/kernel.h"

namespace sy {
namespace {

Tensor Mean(Call, const Tensor& self, Optional<DType> dtype) {
  return mean(self, std::nullopt, false, dtype);
}
void MeanOut(Call call, const Tensor& self, Optional<DType> dtype, const Tensor& out) {
  const DType result = dtype.value_or(self.dtype());
  if (!CanCast(result, out.dtype())) {
    Fail(ErrorCode::kInvalidArgument, {call.op(), "(): the result is ", result,
                                       ", which cannot be stored in out, which is ", out.dtype()});
  }
  mean_out(out, self, std::nullopt, false, dtype);
}
const Composite mean_all_body{"mean", Mean};
const Composite mean_all_out_body{"mean.dtype_out", MeanOut};

// Overloads of std, var, std_mean and var_mean with `unbiased` instead of `correction`.
using Dims = ::std::optional<IntSpan>;
using Two = ::std::tuple<Tensor, Tensor>;
Scalar CorrectionOf(bool unbiased) { return Scalar(unbiased ? 1 : 0); }

Tensor StdDim(Call, const Tensor& self, Dims dim, bool unbiased, bool keepdim) {
  return std(self, dim, CorrectionOf(unbiased), keepdim);
}
void StdOut(Call, const Tensor& self, Dims dim, bool unbiased, bool keepdim, const Tensor& out) {
  std_out(out, self, dim, CorrectionOf(unbiased), keepdim);
}
Tensor VarDim(Call, const Tensor& self, Dims dim, bool unbiased, bool keepdim) {
  return var(self, dim, CorrectionOf(unbiased), keepdim);
}
void VarOut(Call, const Tensor& self, Dims dim, bool unbiased, bool keepdim, const Tensor& out) {
  var_out(out, self, dim, CorrectionOf(unbiased), keepdim);
}
Two StdMeanDim(Call, const Tensor& self, Dims dim, bool unbiased, bool keepdim) {
  return std_mean(self, dim, CorrectionOf(unbiased), keepdim);
}
Two VarMeanDim(Call, const Tensor& self, Dims dim, bool unbiased, bool keepdim) {
  return var_mean(self, dim, CorrectionOf(unbiased), keepdim);
}
template <class R, R (*kDim)(Call, const Tensor&, Dims, bool, bool)>
R OfAll(Call call, const Tensor& self, bool unbiased) {
  return kDim(call, self, ::std::nullopt, unbiased, false);
}
const Composite std_all_body{"std", OfAll<Tensor, StdDim>};
const Composite std_dim_body{"std.dim", StdDim};
const Composite std_out_body{"std.out", StdOut};
const Composite var_all_body{"var", OfAll<Tensor, VarDim>};
const Composite var_dim_body{"var.dim", VarDim};
const Composite var_out_body{"var.out", VarOut};
const Composite std_mean_body{"std_mean", OfAll<Two, StdMeanDim>};
const Composite std_mean_dim_body{"std_mean.dim", StdMeanDim};
const Composite var_mean_body{"var_mean", OfAll<Two, VarMeanDim>};
const Composite var_mean_dim_body{"var_mean.dim", VarMeanDim};

Tensor SumToSize(Call call, const Tensor& self, IntSpan size) {
  if (!IsExpandable(size, self.sizes())) {
    Fail(ErrorCode::kInvalidArgument,
         {call.op(), "(): size ", size, " does not expand to self's sizes ", self.sizes()});
  }
  if (size.empty()) return sum(self);
  const size_t leading = self.sizes().size() - size.size();
  ::std::vector<int64_t> dims;
  for (size_t d = 0; d < self.sizes().size(); ++d) {
    if (d < leading || (size[d - leading] == 1 && self.sizes()[d] != 1))
      dims.push_back(static_cast<int64_t>(d));
  }
  if (dims.empty()) return self;
  const Tensor t = sum(self, dims, true);
  return leading == 0 ? t : view(t, size);
}
const Composite sum_to_size_body{"sum_to_size", SumToSize};

Tensor Nanmean(Call call, const Tensor& self, ::std::optional<IntSpan> dim, bool keepdim,
               Optional<DType> dtype) {
  if (!IsFloating(self.dtype())) {
    Fail(ErrorCode::kInvalidArgument, {call.op(), "(): self must be floating, got ", self.dtype()});
  }
  const Tensor count = sum(logical_not(isnan(self)), dim, keepdim);
  return div(nansum(self, dim, keepdim, dtype), count);
}
const Composite nanmean_body{"nanmean", Nanmean};

// Relative to the largest element (real part), or to 0 where that is infinite.
Tensor Logsumexp(Call, const Tensor& self, IntSpan dim, bool keepdim) {
  const Tensor x = IsIntegral(self.dtype(), true) ? to(self, DefaultDType()) : self;
  if (x.numel() == 0) return log(sum(exp(x), dim, keepdim));
  const Tensor most = amax(to(x, RealType(x.dtype())), dim, true);
  const Tensor shift = masked_fill(most, isinf(most), 0);
  const Tensor logs = log_(sum(exp(sub(x, shift)), dim, true));
  const Tensor result = add(logs, shift);
  return keepdim ? result : dim.empty() ? reshape(result, IntSpan()) : squeeze(result, dim);
}
const Composite logsumexp_body{"logsumexp", Logsumexp};

Tensor NormAll(Call, const Tensor& self, const Scalar& p) { return linalg_vector_norm(self, p); }
Scalar OrTwo(const ::std::optional<Scalar>& p) { return p ? *p : Scalar(2); }
Tensor NormDim(Call, const Tensor& self, const ::std::optional<Scalar>& p, IntSpan dim,
               bool keepdim) {
  return linalg_vector_norm(self, OrTwo(p), dim, keepdim);
}
Tensor NormDType(Call, const Tensor& self, const ::std::optional<Scalar>& p, DType dtype) {
  return linalg_vector_norm(self, OrTwo(p), ::std::nullopt, false, dtype);
}
Tensor NormDimDType(Call, const Tensor& self, const ::std::optional<Scalar>& p, IntSpan dim,
                    bool keepdim, DType dtype) {
  return linalg_vector_norm(self, OrTwo(p), dim, keepdim, dtype);
}
Tensor Dist(Call, const Tensor& self, const Tensor& other, const Scalar& p) {
  return linalg_vector_norm(sub(self, other), p);
}
const Composite norm_all_body{"norm.Scalar", NormAll};
const Composite norm_dim_body{"norm.ScalarOpt_dim", NormDim};
const Composite norm_dtype_body{"norm.ScalarOpt_dtype", NormDType};
const Composite norm_dim_dtype_body{"norm.ScalarOpt_dim_dtype", NormDimDType};
const Composite dist_body{"dist", Dist};

// Norms of float32 are computed in float64, of 16-bit floats in float32.
// Source: renorm, ATen/native/Normalization.cpp.
Tensor Renorm(Call call, const Tensor& self, const Scalar& p, int64_t dim, const Scalar& maxnorm) {
  const auto fail = [&](std::initializer_list<Piece> pieces) {
    Fail(ErrorCode::kInvalidArgument, {call.op(), "(): ", Join(pieces)});
  };
  if (p.is_complex() || !(p.To<double>() > 0)) fail({"p must be above 0, got ", p.str()});
  if (maxnorm.is_complex() || maxnorm.To<double>() < 0)
    fail({"maxnorm must not be negative, got ", maxnorm.str()});
  if (self.dim() < 2) fail({"self must have 2 dimensions or more, got sizes ", self.sizes()});
  RequireFloatingOrComplex(call, self);
  dim = WrapDim(dim, self.dim());
  ::std::vector<int64_t> others;
  for (int64_t d = 0; d < self.dim(); ++d) {
    if (d != dim) others.push_back(d);
  }
  const bool half = Contains(kHalfTypes, self.dtype());
  const DType wide = IsComplex(self.dtype()) ? DType::kComplex128
                     : half                  ? DType::kFloat32
                                             : DType::kFloat64;
  const Tensor norm = linalg_vector_norm(self, p, others, true, wide);
  const Tensor scale = mul(reciprocal(add(norm, 1e-7)), maxnorm);
  const Tensor factor = masked_fill(scale, logical_not(gt(norm, maxnorm)), 1);
  return mul(self, to(factor, RealType(self.dtype())));
}
const Composite renorm_body{"renorm", Renorm};

bool Equal(Call, const Tensor& self, const Tensor& other) {
  return SameSizes(self.sizes(), other.sizes()) && item(all(eq(self, other))).To<bool>();
}
bool Allclose(Call, const Tensor& self, const Tensor& other, double rtol, double atol,
              bool equal_nan) {
  return item(all(isclose(self, other, rtol, atol, equal_nan))).To<bool>();
}
const Composite equal_body{"equal", Equal};
const Composite allclose_body{"allclose", Allclose};

Tensor Any(Call, const Tensor& self) { return any(self, std::nullopt, false); }
void AnyOut(Call, const Tensor& self, const Tensor& out) {
  any_out(out, self, std::nullopt, false);
}
Tensor AnyDim(Call, const Tensor& self, int64_t dim, bool keepdim) {
  return any(self, IntSpan(&dim, 1), keepdim);
}
void AnyDimOut(Call, const Tensor& self, int64_t dim, bool keepdim, const Tensor& out) {
  any_out(out, self, IntSpan(&dim, 1), keepdim);
}
const Composite any_all_body{"any", Any};
const Composite any_all_out_body{"any.all_out", AnyOut};
const Composite any_dim_body{"any.dim", AnyDim};
const Composite any_dim_out_body{"any.out", AnyDimOut};

Tensor All(Call, const Tensor& self) { return all(self, std::nullopt, false); }
void AllOut(Call, const Tensor& self, const Tensor& out) {
  all_out(out, self, std::nullopt, false);
}
Tensor AllDim(Call, const Tensor& self, int64_t dim, bool keepdim) {
  return all(self, IntSpan(&dim, 1), keepdim);
}
void AllDimOut(Call, const Tensor& self, int64_t dim, bool keepdim, const Tensor& out) {
  all_out(out, self, IntSpan(&dim, 1), keepdim);
}
const Composite all_all_body{"all", All};
const Composite all_all_out_body{"all.all_out", AllOut};
const Composite all_dim_body{"all.dim", AllDim};
const Composite all_dim_out_body{"all.out", AllDimOut};

}  // namespace
}  // namespace sy
