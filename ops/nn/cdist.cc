// Distances (sum of |x - y|^p)^(1/p) between rows: of all pairs of x1's and x2's (cdist), of all
// pairs of self's (pdist). p = 0 counts elements that differ, p = inf takes the largest |x - y|.
//   x1: [.., m, d], x2: [.., n, d], batches that broadcast, float32 or float64   →   [.., m, n]
//   self: [m, d]   →   [m (m - 1) / 2], pairs 01, 02, …, 12, …
// Errors: kInvalidArgument for too few dimensions, widths or dtypes that differ, other dtypes, a
// negative p, and a compute_mode but 0, 1 and 2.
// Example: sy::cdist(x, y)
// Source: ATen cdist, pdist, _cdist_forward, _pdist_forward.
#include <algorithm>

#include "switchyard/core/checked.h"
#include "switchyard/core/shape.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

constexpr DTypeMask kDistanceTypes = Mask(DType::kFloat32, DType::kFloat64);

void CdistShape(ShapeContext& r, const TensorBase& x1, const TensorBase& x2, double p,
                Optional<int64_t> compute_mode) {
  if (x1.dim() < 2 || x2.dim() < 2)
    r.Fail({"both must have at least 2 dimensions, got ", x1.sizes(), " and ", x2.sizes()});
  if (x1.size(-1) != x2.size(-1))
    r.Fail({"rows must be equally long, got sizes ", x1.sizes(), " and ", x2.sizes()});
  if (!(p >= 0)) r.Fail({"p must not be negative, got ", p});
  const int64_t mode = compute_mode.value_or(0);
  if (mode < 0 || mode > 2) r.Fail({"compute_mode must be 0, 1 or 2, got ", mode});
  int64_t* sizes = r.Ints(std::max(x1.dim(), x2.dim()));
  const int batch = Broadcast(x1.sizes().first(x1.sizes().size() - 2),
                              x2.sizes().first(x2.sizes().size() - 2), sizes, r.op());
  sizes[batch] = x1.size(-2);
  sizes[batch + 1] = x2.size(-2);
  const IntSpan result(sizes, static_cast<size_t>(batch) + 2);
  const bool none = NumElements(result) == 0;  // then 16-bit floats will do
  const DTypeMask allowed = none ? kFloatingTypes : kDistanceTypes;
  if (!Contains(allowed, x1.dtype()) || x1.dtype() != x2.dtype())
    r.Fail({"x1 and x2 must both be float32 or float64, got ", x1.dtype(), " and ", x2.dtype()});
  r.Output(result, x1.dtype());
  if (none) r.ComputeNothing();
}

void PdistShape(ShapeContext& r, const TensorBase& self, double p) {
  if (self.dim() != 2) r.Fail({"self must be a matrix, got sizes ", self.sizes()});
  RequireDType(r, self, kDistanceTypes);
  if (!(p >= 0)) r.Fail({"p must not be negative, got ", p});
  const int64_t n = self.sizes()[0];
  // One of n and n - 1 is even.
  const int64_t even = n % 2 == 0 ? n / 2 : (n - 1) / 2, odd = n % 2 == 0 ? n - 1 : n;
  r.Output({n <= 1 ? 0 : CheckedProduct(r, "the number of pairs", even, odd)}, self.dtype());
}

}  // namespace

const Operator cdist_op{"cdist(Tensor x1, Tensor x2, float p=2., int? compute_mode=None) -> Tensor",
                        CdistShape};
const Operator pdist_op{"pdist(Tensor self, float p=2.) -> Tensor", PdistShape};
const Operator cdist_forward_op{
    "_cdist_forward(Tensor x1, Tensor x2, float p, int? compute_mode) -> Tensor",
    SameKernels("cdist", CdistShape), kOut};
const Operator pdist_forward_op{"_pdist_forward(Tensor self, float p=2.) -> Tensor",
                                SameKernels("pdist", PdistShape), kOut};

}  // namespace sy
