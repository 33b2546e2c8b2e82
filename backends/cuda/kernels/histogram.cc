// bincount, histc, histogram, histogramdd. Counts are whole numbers, so that the order in which
// they grow does not matter; weights are added in order.

#include <cmath>
#include <tuple>
#include <utility>
#include <vector>

#include "backends/cuda/device/order_args.h"
#include "backends/cuda/kernels/index.h"
#include "backends/cuda/kernels/reduce.h"
#include "backends/cuda/kernels/rows.h"
#include "backends/cuda/kernels/specialised.h"
#include "switchyard/core/error.h"
#include "switchyard/core/shape.h"
#include "switchyard/core/transfer.h"
#include "switchyard/ops/sort/histogram_points.h"

namespace sy::cuda {
namespace {

constexpr int64_t kCountItems = 16;  // as device/histogram.h's
constexpr DTypeMask kHistogramTypes = kFloats;
constexpr Reduction kLeast{"Min"}, kMost{"Max"};

Specialised HistogramKernel(const char* function, DType d) {
  return Specialised("histogram", "HistogramArgs", function).Element(d);
}
Tensor Zeros(Call call, int64_t n, DType d, Device device) {
  Tensor t = Tensor::Empty({n}, d, device);
  FillElements(call, t, Scalar(0));
  return t;
}
// int64 counts of n numbers, x.
Tensor Counted(Call call, const char* function, DType d, HistogramArgs& args, Device device) {
  Tensor counts = Zeros(call, args.bins, DType::kInt64, device);
  args.counts = static_cast<unsigned long long*>(counts.data());
  Launch(call, HistogramKernel(function, d), BlocksFor((args.n + kCountItems - 1) / kCountItems),
         args);
  return counts;
}
// The least and the greatest of t, which has elements. Waits for the device.
std::pair<Scalar, Scalar> ExtremesOf(Call call, const Tensor& t) {
  const Tensor least = Tensor::Empty(IntSpan(), t.dtype(), t.device()),
               most = Tensor::Empty(IntSpan(), t.dtype(), t.device());
  Reduce(call, kLeast, t.dtype(), t, kAllDims, &least);
  Reduce(call, kMost, t.dtype(), t, kAllDims, &most);
  return {ReadNumber(least), ReadNumber(most)};
}

Tensor Bincount(Call call, const Tensor& self, const Tensor& weights, int64_t minlength) {
  if (minlength < 0) {
    Fail(ErrorCode::kInvalidArgument,
         {call.op(), "(): minlength must not be negative, got ", minlength});
  }
  if (self.dim() != 1)
    Fail(ErrorCode::kInvalidArgument, {call.op(), "(): self must be 1-d, got ", self.sizes()});
  if (weights.defined() && (weights.dim() != 1 || weights.numel() != self.numel())) {
    Fail(ErrorCode::kInvalidArgument, {call.op(), "(): weights must have self's sizes ",
                                       self.sizes(), ", got ", weights.sizes()});
  }
  const Device device = self.device();
  if (self.numel() == 0) return Zeros(call, minlength, DType::kInt64, device);
  const auto [least, most] = ExtremesOf(call, self);
  if (least.To<int64_t>() < 0) {
    Fail(ErrorCode::kInvalidValue,
         {call.op(), "(): numbers must not be negative, got ", least.To<int64_t>()});
  }
  if (most.To<int64_t>() == INT64_MAX) {
    Fail(ErrorCode::kInvalidValue,
         {call.op(), "(): numbers must be below 2^63 - 1, got ", INT64_MAX});
  }
  const int64_t length = std::max(minlength, most.To<int64_t>() + 1);
  if (weights.defined()) {
    const DType d = weights.dtype() == DType::kFloat32 ? DType::kFloat32 : DType::kFloat64;
    Tensor out = Zeros(call, length, d, device);
    PutElements(call, Combine::kAdd, out, 0, Dense(call, self, DType::kInt64),
                Dense(call, weights, d));
    return out;
  }
  const Tensor numbers = Dense(call, self, self.dtype());
  HistogramArgs args{};
  args.n = numbers.numel();
  args.bins = length;
  args.x = numbers.data();
  return Counted(call, "CountNumbers", numbers.dtype(), args, device);
}
const Kernel bincount{"bincount", "cuda", kIntegers, Bincount};

// --- Bins between edges

double Rounded(DType dtype, double x) {
  return VisitDType<kFloatingTypes>(dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    return static_cast<double>(
        T(static_cast<std::conditional_t<std::is_same_v<T, double>, double, float>>(x)));
  });
}

// bins + 1 edges from low to high, as float64. Source: linspace, from both ends.
Tensor Edges(DType dtype, double low, double high, int64_t bins, Device device) {
  const auto round = [&](double x) { return Rounded(dtype, x); };
  low = round(low);
  high = round(high);
  const double step = round(round(high - low) / static_cast<double>(bins));
  const Tensor edges = Tensor::Empty({bins + 1}, DType::kFloat64);
  for (int64_t i = 0; i <= bins; ++i) {
    edges.data<double>()[i] = i < (bins + 1) / 2
                                  ? round(low + round(step * static_cast<double>(i)))
                                  : round(high - round(step * static_cast<double>(bins - i)));
  }
  return FromHost(edges, device);
}

// Where bins begin and end: as given, or by what there is. beside: added on both sides of a range
// of one number.
std::pair<double, double> RangeOf(Call call, const Tensor& x, double low, double high, bool given,
                                  double beside) {
  if (!given && x.numel() != 0) {
    const auto [least, most] = ExtremesOf(call, x);
    low = least.To<double>();
    high = most.To<double>();
  } else if (!given) {
    low = 0;
    high = beside == 1 ? 0 : 1;
  }
  if (!std::isfinite(low) || !std::isfinite(high)) {
    Fail(ErrorCode::kInvalidValue,
         {call.op(), "(): the range from ", low, " to ", high, " is not finite"});
  }
  if (low > high) {
    Fail(ErrorCode::kInvalidArgument,
         {call.op(), "(): the range goes from ", low, " to ", high, ", expected it ascending"});
  }
  return low == high ? std::pair(low - beside, high + beside) : std::pair(low, high);
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
    Places places{Tensor::Empty({args.n}, DType::kUInt32, device), args.bins, false};
    args.keys = places.keys.data();
    args.stride = 1;
    args.end = places.end;
    args.first = true;
    Launch(call, HistogramKernel("KeysOfBins", x.dtype()), BlocksFor(args.n), args);
    histogram = Zeros(call, args.bins, DType::kFloat64, device);
    PutPlaces(call, Combine::kAdd, histogram, 0, places,
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
  const auto [first, last] = RangeOf(call, self, low, high, low != high || self.numel() == 0, 1);
  Count(call, out, self, Edges(self.dtype(), first, last, bins, out.device()), Tensor(), false,
        BinSearch::kLinear);
}
void HistogramCount(Call call, const Tensor& hist, const Tensor& bin_edges, const Tensor& self,
                    int64_t bins, std::optional<std::span<const double>> range,
                    const Tensor& weight, bool density) {
  const auto [low, high] =
      RangeOf(call, self, range ? (*range)[0] : 0, range ? (*range)[1] : 0, range.has_value(), 0.5);
  const Tensor edges = Edges(self.dtype(), low, high, bins, hist.device());
  Count(call, hist, self, edges, weight, density, BinSearch::kNear);
  CopyElements(call, bin_edges, edges);
}
void HistogramEdges(Call call, const Tensor& hist, const Tensor& bin_edges, const Tensor& self,
                    const Tensor& bins, const Tensor& weight, bool density) {
  Count(call, hist, self, Dense(call, bins, DType::kFloat64), weight, density, BinSearch::kBinary);
  CopyElements(call, bin_edges, bins);
}

const Kernel histc{"histc", "cuda", kFloatingTypes, Histc};
const Kernel histogram_count{"histogram.bin_ct", "cuda", kHistogramTypes, HistogramCount};
const Kernel histogram_edges{"histogram.bins_tensor", "cuda", kHistogramTypes, HistogramEdges};

// --- Several coordinates

using HistAndEdges = std::tuple<Tensor, std::vector<Tensor>>;

// The numbers of coordinate d, of points that lie densely.
Tensor CoordinateOf(const Tensor& points, int64_t d) {
  const int64_t dims = points.size(-1), sizes[] = {points.numel() / dims}, strides[] = {dims};
  return points.AsStrided(sizes, strides, points.storage_offset() + d);
}

// Makes the integral 1: histogram / sum, then by the widths of each coordinate's bins.
void MakeDensity(Call call, const Tensor& histogram, const std::vector<Tensor>& edges) {
  const FormulaDef& divide = *Formula("div");
  const Tensor sum = Tensor::Empty(IntSpan(), histogram.dtype(), histogram.device());
  constexpr Reduction kSum{"Sum"};
  Reduce(call, kSum, histogram.dtype(), histogram, kAllDims, &sum);
  RunFormula(call, divide, histogram, {&histogram, &sum});
  for (size_t d = edges.size(); d-- > 0;) {
    const int64_t n[] = {edges[d].numel() - 1}, one[] = {1};
    const Tensor low = edges[d].AsStrided(n, one, 0), high = edges[d].AsStrided(n, one, 1);
    const Tensor widths = Tensor::Empty(n, edges[d].dtype(), edges[d].device());
    RunFormula(call, *Formula("sub"), widths, {&high, &low});
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
      Fail(ErrorCode::kInvalidArgument,
           {call.op(), "(): there must be fewer than 2^32 bins, got ", IntSpan(sizes)});
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
  const Places places{Tensor::Empty({args.n}, DType::kUInt32, device), all, false};
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
    PutPlaces(call, Combine::kAdd, histogram, 0, places,
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
    const auto [low, high] =
        RangeOf(call, CoordinateOf(points, static_cast<int64_t>(d)), range ? (*range)[2 * d] : 0,
                range ? (*range)[2 * d + 1] : 0, range.has_value(), 0.5);
    edges.push_back(Edges(self.dtype(), low, high, bins[d], self.device()));
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

const Kernel histogramdd{"histogramdd", "cuda", kHistogramTypes, Histogramdd};
const Kernel histogramdd_edges{"histogramdd.TensorList_bins", "cuda", kHistogramTypes,
                               HistogramddEdges};

}  // namespace
}  // namespace sy::cuda
