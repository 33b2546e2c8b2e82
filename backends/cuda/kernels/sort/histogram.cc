// histc, histogram, histogramdd. Counts are whole numbers, so that the order in which they grow
// does not matter; weights are added in order.

#include "switchyard/backends/common/histogram.h"

#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "backends/cuda/device/order_args.h"
#include "backends/cuda/engine/dense.h"
#include "backends/cuda/engine/index.h"
#include "backends/cuda/engine/reduce.h"
#include "backends/cuda/kernels/sort/counts.h"
#include "switchyard/backends/common/views.h"
#include "switchyard/core/error.h"
#include "switchyard/core/shape.h"
#include "switchyard/core/transfer.h"
#include "switchyard/ops/formulas/arithmetic.h"
#include "switchyard/ops/sort/histogram_points.h"

namespace sy::cuda {
namespace {

// As float64.
Tensor Edges(DType dtype, Ends ends, int64_t bins, Device device) {
  std::vector<double> edges = EdgesOfBins(dtype, ends, bins);
  const int64_t n[] = {bins + 1};
  return FromHost(Tensor::FromBlob(edges.data(), n, DType::kFloat64), device);
}

// Where bins begin and end: as given, or by what there is.
Ends RangeOf(Call call, const Tensor& x, std::optional<Ends> given, double beside) {
  if (!given && x.numel() != 0) {
    const auto [least, most] = ExtremesOf(call, x);
    given = {least.To<double>(), most.To<double>()};
  }
  return EndsOfBins(call, given, beside);
}

// edges: float64 on the device, row-major.
void Count(Call call, const Tensor& out, const Tensor& self, const Tensor& edges,
           const Tensor& weight, bool density, BinSearch search) {
  if (out.numel() == 0) return;
  const Device device = out.device();
  const Tensor x = Dense(call, self, self.dtype());
  HistogramArgs args{};
  args.n = x.numel();
  args.bins = out.numel();
  args.x = x.data();
  args.edges = edges.data<double>();
  args.search = search;
  Tensor histogram;
  if (weight.defined()) {
    LinearIndices places{Tensor::Empty({args.n}, DType::kUInt32, device), args.bins, false};
    args.keys = places.keys.data();
    args.stride = 1;
    args.end = places.end;
    args.first = true;
    Launch(call, HistogramKernel("KeysOfBins", x.dtype()), BlocksFor(args.n), args);
    histogram = Zeros(call, args.bins, DType::kFloat64, device);
    PutAtLinearIndices(call, Combine::kAdd, histogram, 0, places,
                       Flat(Dense(call, weight, DType::kFloat64)));
  } else {
    histogram = Counted(call, "CountBins", x.dtype(), args, device);
  }
  if (density) {
    histogram = Dense(call, histogram, DType::kFloat64);
    DensityArgs scaled{args.bins, histogram.data<double>(), args.edges};
    Launch(call, Specialised("histogram", "DensityArgs", "ToDensity").Element(DType::kFloat64),
           {1, kOrderThreads}, scaled);
  }
  CopyElements(call, out, histogram);
}

void Histc(Call call, const Tensor& out, const Tensor& self, int64_t bins, const Scalar& min,
           const Scalar& max) {
  const double low = min.To<double>(), high = max.To<double>();
  std::optional<Ends> given;
  if (low != high || self.numel() == 0) given = {low, high};
  const Ends ends = RangeOf(call, self, given, 1);
  Count(call, out, self, Edges(self.dtype(), ends, bins, out.device()), Tensor(), false,
        BinSearch::kLinear);
}
void HistogramCount(Call call, const Tensor& hist, const Tensor& bin_edges, const Tensor& self,
                    int64_t bins, std::optional<std::span<const double>> range,
                    const Tensor& weight, bool density) {
  const Ends ends = RangeOf(call, self, EndsIn(range), 0.5);
  const Tensor edges = Edges(self.dtype(), ends, bins, hist.device());
  Count(call, hist, self, edges, weight, density, BinSearch::kNear);
  CopyElements(call, bin_edges, edges);
}
void HistogramEdges(Call call, const Tensor& hist, const Tensor& bin_edges, const Tensor& self,
                    const Tensor& bins, const Tensor& weight, bool density) {
  Count(call, hist, self, Dense(call, bins, DType::kFloat64), weight, density, BinSearch::kBinary);
  CopyElements(call, bin_edges, bins);
}

const Kernel histc{"histc", "cuda", kFloatingTypes, Histc};
const Kernel histogram_count{"histogram.bin_ct", "cuda", kFloats, HistogramCount};
const Kernel histogram_edges{"histogram.bins_tensor", "cuda", kFloats, HistogramEdges};

// --- Several coordinates

using HistAndEdges = std::tuple<Tensor, std::vector<Tensor>>;

// The numbers of coordinate d, of points that lie densely.
Tensor CoordinateOf(const Tensor& points, int64_t d) {
  const int64_t dims = points.size(-1), sizes[] = {points.numel() / dims}, strides[] = {dims};
  return points.AsStrided(sizes, strides, points.storage_offset() + d);
}

// Makes the integral 1: histogram / sum, then by the widths of each coordinate's bins.
void MakeDensity(Call call, const Tensor& histogram, const std::vector<Tensor>& edges) {
  const FormulaDef& divide = kFormula<f::Div>;
  const Tensor sum = Tensor::Empty(IntSpan(), histogram.dtype(), histogram.device());
  Reduce(call, kReduction<f::Sum>, histogram.dtype(), histogram, kAllDims, &sum);
  RunFormula(call, divide, histogram, {&histogram, &sum});
  for (size_t d = edges.size(); d-- > 0;) {
    const int64_t n[] = {edges[d].numel() - 1}, one[] = {1};
    const Tensor low = edges[d].AsStrided(n, one, 0), high = edges[d].AsStrided(n, one, 1);
    const Tensor widths = Tensor::Empty(n, edges[d].dtype(), edges[d].device());
    RunFormula(call, kFormula<f::Sub>, widths, {&high, &low});
    std::vector<int64_t> sizes(edges.size() - d, 1), strides(edges.size() - d, 0);
    sizes[0] = n[0];
    strides[0] = 1;
    const Tensor along = widths.AsStrided(sizes, strides, 0);
    RunFormula(call, divide, histogram, {&histogram, &along});
  }
}

// edges: float64 on the device, of each coordinate.
HistAndEdges CountPoints(Call call, const Tensor& self, const std::vector<Tensor>& edges,
                         const Tensor& weight, bool density, BinSearch search) {
  constexpr int64_t kMostBins = UINT32_MAX;
  const Device device = self.device();
  const Tensor points = Dense(call, self, self.dtype());
  std::vector<int64_t> sizes;
  int64_t all = 1;
  for (const Tensor& e : edges) {
    sizes.push_back(e.numel() - 1);
    if (sizes.back() != 0 && all > kMostBins / sizes.back()) {
      Fail(ErrorCode::kInvalidArgument, call.op(),
           {"there must be fewer than 2^32 bins, got ", IntSpan(sizes)});
    }
    all *= sizes.back();
  }
  HistAndEdges out{Tensor::Empty(sizes, self.dtype(), device), {}};
  for (const Tensor& e : edges) {
    std::get<1>(out).push_back(Tensor::Empty(e.sizes(), self.dtype(), device));
    CopyElements(call, std::get<1>(out).back(), e);
  }
  if (all == 0) return out;
  HistogramArgs args{};
  args.n = points.numel() / points.size(-1);
  const LinearIndices places{Tensor::Empty({args.n}, DType::kUInt32, device), all, false};
  args.keys = places.keys.data();
  args.stride = points.size(-1);
  args.end = all;
  args.search = search;
  for (size_t d = 0; d < edges.size(); ++d) {
    args.x = CoordinateOf(points, static_cast<int64_t>(d)).data();
    args.edges = edges[d].data<double>();
    args.bins = sizes[d];
    args.first = d == 0;
    Launch(call, HistogramKernel("KeysOfBins", self.dtype()), BlocksFor(args.n), args);
  }
  Tensor histogram;
  if (weight.defined()) {
    histogram = Zeros(call, all, DType::kFloat64, device);
    PutAtLinearIndices(call, Combine::kAdd, histogram, 0, places,
                       Flat(Dense(call, weight, DType::kFloat64)));
  } else {
    args.bins = all;
    args.x = places.keys.data();
    histogram = Counted(call, "CountNumbers", DType::kUInt32, args, device);
  }
  histogram = Dense(call, histogram, DType::kFloat64);
  std::vector<int64_t> strides(sizes.size());
  ContiguousStrides(sizes, strides.data());
  const Tensor shaped = histogram.AsStrided(sizes, strides, 0);
  if (density) MakeDensity(call, shaped, edges);
  CopyElements(call, std::get<0>(out), shaped);
  return out;
}

HistAndEdges Histogramdd(Call call, const Tensor& self, IntSpan bins,
                         std::optional<std::span<const double>> range, const Tensor& weight,
                         bool density) {
  RequireHistogramBins(call, self, bins, range, weight);
  const Tensor points = Dense(call, self, self.dtype());
  std::vector<Tensor> edges;
  for (size_t d = 0; d < bins.size(); ++d) {
    const Tensor line = CoordinateOf(points, static_cast<int64_t>(d));
    edges.push_back(
        Edges(self.dtype(), RangeOf(call, line, EndsIn(range, d), 0.5), bins[d], self.device()));
  }
  return CountPoints(call, points, edges, weight, density, BinSearch::kNear);
}

HistAndEdges HistogramddEdges(Call call, const Tensor& self, TensorList bins,
                              std::optional<std::span<const double>>, const Tensor& weight,
                              bool density) {
  RequireHistogramEdges(call, self, bins, weight);
  std::vector<Tensor> edges;
  for (const Tensor& t : bins) edges.push_back(Dense(call, t, DType::kFloat64));
  return CountPoints(call, self, edges, weight, density, BinSearch::kBinary);
}

const Kernel histogramdd{"histogramdd", "cuda", kFloats, Histogramdd};
const Kernel histogramdd_edges{"histogramdd.TensorList_bins", "cuda", kFloats, HistogramddEdges};

}  // namespace
}  // namespace sy::cuda
