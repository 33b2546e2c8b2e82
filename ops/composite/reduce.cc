// Reductions of everything, or of one dimension, by those of several.

#include "switchyard/ops.h"
#include "switchyard/registry/kernel.h"

namespace sy {
namespace {

Tensor Mean(Call, const Tensor& self, Optional<DType> dtype) {
  return mean(self, std::nullopt, false, dtype);
}
void MeanOut(Call, const Tensor& self, Optional<DType> dtype, const Tensor& out) {
  mean_out(out, self, std::nullopt, false, dtype);
}
const Composite mean_all_body{"mean", Mean};
const Composite mean_all_out_body{"mean.dtype_out", MeanOut};

Tensor Std(Call, const Tensor& self, bool unbiased) {
  return std(self, std::nullopt, Scalar(unbiased ? 1 : 0));
}
Tensor StdDim(Call, const Tensor& self, ::std::optional<IntSpan> dim, bool unbiased, bool keepdim) {
  return dim ? std(self, *dim, Scalar(unbiased ? 1 : 0), keepdim)
             : std(self, ::std::nullopt, Scalar(unbiased ? 1 : 0), keepdim);
}
void StdOut(Call, const Tensor& self, ::std::optional<IntSpan> dim, bool unbiased, bool keepdim,
            const Tensor& out) {
  const Scalar correction(unbiased ? 1 : 0);
  if (dim) {
    std_out(out, self, *dim, correction, keepdim);
  } else {
    std_out(out, self, ::std::nullopt, correction, keepdim);
  }
}
const Composite std_all_body{"std", Std};
const Composite std_dim_body{"std.dim", StdDim};
const Composite std_out_body{"std.out", StdOut};

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
