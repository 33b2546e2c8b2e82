// histogramdd with as many bins for each coordinate; and where there is no kernel of the device:
// the host counts; without data there are sizes alone.

#include <algorithm>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "ops/checks.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"
#include "switchyard/ops/sort/histogram_points.h"

namespace sy {
namespace {

using HistAndEdges = std::tuple<Tensor, std::vector<Tensor>>;
using Range = std::optional<std::span<const double>>;

Tensor OnHost(const Tensor& t) { return t.defined() ? to(t, Device{kHost}, t.dtype()) : t; }
HistAndEdges Back(HistAndEdges results, const Tensor& self) {
  auto& [hist, edges] = results;
  hist = to(hist, self.device(), self.dtype());
  for (Tensor& t : edges) t = to(t, self.device(), self.dtype());
  return results;
}

HistAndEdges SizesOf(const Tensor& self, IntSpan bins) {
  HistAndEdges out{Tensor::Empty(bins, self.dtype(), self.device()), {}};
  for (int64_t n : bins)
    std::get<1>(out).push_back(Tensor::Empty({n + 1}, self.dtype(), self.device()));
  return out;
}

HistAndEdges Histogramdd(Call call, const Tensor& self, IntSpan bins, Range range,
                         const Tensor& weight, bool density) {
  RequireHistogramBins(call, self, bins, range, weight);
  if (!HasData(self)) return SizesOf(self, bins);
  return Back(histogramdd(OnHost(self), bins, range, OnHost(weight), density), self);
}
HistAndEdges HistogramddEqual(Call, const Tensor& self, int64_t bins, Range range,
                              const Tensor& weight, bool density) {
  // More coordinates than a histogram can have dimensions are refused by their number.
  const int64_t n = self.dim() == 0 ? 0 : std::min<int64_t>(self.sizes().back(), kMaxRank + 1);
  const std::vector<int64_t> each(static_cast<size_t>(n), bins);
  return histogramdd(self, each, range, weight, density);
}
HistAndEdges HistogramddEdges(Call call, const Tensor& self, TensorList bins, Range range,
                              const Tensor& weight, bool density) {
  RequireHistogramEdges(call, self, bins, weight);
  std::vector<int64_t> sizes;
  std::vector<Tensor> edges;
  for (const Tensor& t : bins) {
    sizes.push_back(t.numel() - 1);
    edges.push_back(HasData(self) ? OnHost(t) : t);
  }
  if (!HasData(self)) return SizesOf(self, sizes);
  return Back(histogramdd(OnHost(self), edges, range, OnHost(weight), density), self);
}
const Composite dd_body{"histogramdd", Histogramdd};
const Composite dd_equal_body{"histogramdd.int_bins", HistogramddEqual};
const Composite dd_edges_body{"histogramdd.TensorList_bins", HistogramddEdges};

}  // namespace
}  // namespace sy
