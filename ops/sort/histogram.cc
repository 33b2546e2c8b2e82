// How many elements lie between neighbouring edges, or the sum of their weights. A bin has its
// lower edge, the last one its upper edge too; what lies outside, and NaN, does not count.
//   histc: self: floating; bins of equal width from min to max (both 0: from the least element to
//   the greatest)   →   [bins], dtype of self
//   histogram: self: float32 or float64; bins: how many, of equal width over `range` (by default
//   all that there is), or [k + 1] ascending edges, dtype of self; weight: dtype and sizes of self
//   →   [k], and the [k + 1] edges. density: scaled so that the integral is 1
//   histogramdd: self: [.., d], each row a point; bins and edges for each of d coordinates   →   a
//   d-dimensional histogram, and a list of edges
// Errors: kInvalidArgument when sizes or dtypes do not fit or min is above max; kInvalidValue when
// the range is not finite.
// Example: sy::histc(x, 4)
// Source: ATen histc, histogram, histogramdd.
#include "switchyard/core/checked.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

constexpr DTypeMask kHistogramTypes = Mask(DType::kFloat32, DType::kFloat64);

void HistcShape(ShapeContext& r, const TensorBase& self, int64_t bins, const Scalar& min,
                const Scalar& max) {
  if (bins <= 0) r.Fail({"bins must be above 0, got ", bins});
  if (min.To<double>() > max.To<double>())
    r.Fail({"min is ", min.str(), ", which is above max, ", max.str()});
  RequireDType(r, self, kFloatingTypes);
  r.Output({bins}, self.dtype());
}

void RequireWeight(ShapeContext& r, const TensorBase& self, const TensorBase& weight) {
  if (!weight.defined()) return;
  RequireSameDType(r, self, weight, "self", "weight");
  if (!SameSizes(self.sizes(), weight.sizes()))
    r.Fail({"weight must have self's sizes ", self.sizes(), ", got ", weight.sizes()});
}

void HistogramCountShape(ShapeContext& r, const TensorBase& self, int64_t bins,
                         std::optional<std::span<const double>> range, const TensorBase& weight,
                         bool /*density*/) {
  if (bins <= 0) r.Fail({"bins must be above 0, got ", bins});
  if (range && range->size() != 2) r.Fail({"range must have 2 elements, got ", range->size()});
  RequireDType(r, self, kHistogramTypes);
  RequireWeight(r, self, weight);
  r.Output({bins}, self.dtype());
  r.Output({CheckedSum(r, "the number of edges", bins, 1)}, self.dtype());
}

void HistogramEdgesShape(ShapeContext& r, const TensorBase& self, const TensorBase& bins,
                         const TensorBase& weight, bool /*density*/) {
  if (bins.dim() != 1 || bins.numel() < 2)
    r.Fail({"bins must be 1-d and of two edges at least, got sizes ", bins.sizes()});
  RequireSameDType(r, self, bins, "self", "bins");
  RequireDType(r, self, kHistogramTypes);
  RequireWeight(r, self, weight);
  r.Output({bins.numel() - 1}, self.dtype());
  r.Output({bins.numel()}, self.dtype());
}

}  // namespace

const Operator histc_op{"histc(Tensor self, int bins=100, Scalar min=0, Scalar max=0) -> Tensor",
                        HistcShape, kOut};
const Operator histogram_count_op{
    "histogram.bin_ct(Tensor self, int bins=100, *, float[]? range=None, Tensor? weight=None, bool "
    "density=False) -> (Tensor hist, Tensor bin_edges)",
    Outputs<2>(HistogramCountShape),
    Out("histogram.bin_ct_out(Tensor self, int bins=100, *, float[]? range=None, Tensor? "
        "weight=None, bool density=False, Tensor(a!) hist, Tensor(b!) bin_edges) -> (Tensor(a!) "
        "hist, Tensor(b!) bin_edges)")};
const Operator histogram_edges_op{
    "histogram.bins_tensor(Tensor self, Tensor bins, *, Tensor? weight=None, bool density=False) "
    "-> (Tensor hist, Tensor bin_edges)",
    Outputs<2>(HistogramEdgesShape),
    Out("histogram.bins_tensor_out(Tensor self, Tensor bins, *, Tensor? weight=None, bool "
        "density=False, Tensor(a!) hist, Tensor(b!) bin_edges) -> (Tensor(a!) hist, Tensor(b!) "
        "bin_edges)")};
const Operator histogramdd_op{
    "histogramdd(Tensor self, int[] bins, float[]? range=None, Tensor? weight=None, bool "
    "density=False) -> (Tensor hist, Tensor[] bin_edges)",
    KeyRule::kFirst};
const Operator histogramdd_equal_op{
    "histogramdd.int_bins(Tensor self, int bins, float[]? range=None, Tensor? weight=None, bool "
    "density=False) -> (Tensor hist, Tensor[] bin_edges)",
    KeyRule::kFirst};
const Operator histogramdd_edges_op{
    "histogramdd.TensorList_bins(Tensor self, Tensor[] bins, float[]? range=None, Tensor? "
    "weight=None, bool density=False) -> (Tensor hist, Tensor[] bin_edges)",
    KeyRule::kFirst};

}  // namespace sy
