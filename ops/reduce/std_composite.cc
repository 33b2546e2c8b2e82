// Overloads of std, var, std_mean and var_mean with `unbiased` instead of `correction`.

#include <optional>
#include <tuple>

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

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

}  // namespace
}  // namespace sy
