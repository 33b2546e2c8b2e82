#include "switchyard/ops/sort/histogram_points.h"

#include "switchyard/core/checked.h"
#include "switchyard/core/error.h"
#include "switchyard/core/shape.h"

namespace sy {
namespace {

void RequirePoints(Call call, const Tensor& self, size_t coordinates, const Tensor& weight) {
  if (self.dtype() != DType::kFloat32 && self.dtype() != DType::kFloat64) {
    Fail(ErrorCode::kNotImplemented, call.op(),
         {"self must be float32 or float64, got ", self.dtype()});
  }
  if (self.dim() < 2 || self.sizes().back() < 1 || self.sizes().back() > kMaxRank) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"self must be rows of 1 to ", kMaxRank, " coordinates, got sizes ", self.sizes()});
  }
  if (self.sizes().back() != static_cast<int64_t>(coordinates)) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"bins must be given for each of self's last dimension, got ", coordinates, " for sizes ",
          self.sizes()});
  }
  if (weight.defined() &&
      (weight.dtype() != self.dtype() ||
       !SameSizes(weight.sizes(), self.sizes().first(self.sizes().size() - 1)))) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"weight must be ", self.dtype(), " of self's sizes without the last, got ",
          Describe(weight), " for ", self.sizes()});
  }
}

}  // namespace

void RequireHistogramBins(Call call, const Tensor& self, IntSpan bins,
                          std::optional<std::span<const double>> range, const Tensor& weight) {
  RequirePoints(call, self, bins.size(), weight);
  if (range && range->size() != 2 * bins.size()) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"range must have ", 2 * bins.size(), " elements, got ", range->size()});
  }
  for (size_t d = 0; d < bins.size(); ++d) {
    if (bins[d] > 0) continue;
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"bins must be above 0, got ", bins[d], " for coordinate ", d});
  }
  for (int64_t n : bins) CheckedSum(call, "the number of edges", n, 1);
  CheckedProduct(call, "the product of bins", bins);
}

void RequireHistogramEdges(Call call, const Tensor& self, TensorList edges, const Tensor& weight) {
  RequirePoints(call, self, edges.size(), weight);
  for (const Tensor& t : edges) {
    if (t.dim() == 1 && t.numel() >= 2 && t.dtype() == self.dtype()) continue;
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"edges must be 1-d, two at least, and ", self.dtype(), ", got ", Describe(t)});
  }
  int64_t bins = 1;
  for (const Tensor& t : edges)
    bins = CheckedProduct(call, "the product of bins", bins, t.numel() - 1);
}

}  // namespace sy
