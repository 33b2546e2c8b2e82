// histc, histogram and histogramdd. Numbers are read as float64, which holds every dtype's; where
// the bin is computed, each step is rounded to the dtype, as ATen's are.
// Source: ATen/native/cpu/HistogramKernel.cpp, ATen/native/Histogram.cpp.
#include "switchyard/backends/common/histogram.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <tuple>
#include <utility>
#include <vector>

#include "switchyard/backends/cpu/engine/copy.h"
#include "switchyard/core/parallel.h"
#include "switchyard/core/shape.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops/formulas/facts.h"
#include "switchyard/ops/sort/histogram_points.h"

namespace sy::cpu {
namespace {

constexpr int64_t kGrain = 1 << 15;  // elements worth a thread

using Doubles = std::vector<double>;

Doubles Numbers(const Tensor& t) {
  Doubles x(static_cast<size_t>(t.numel()));
  if (!x.empty()) CopyElements(Tensor::FromBlob(x.data(), t.sizes(), DType::kFloat64), t);
  return x;
}

enum class Search {
  kLinear,  // by the width of bins alone
  kNear,    // and then among the edges around
  kBinary,
};

// The bin of x, which lies between the first edge and the last. T: the dtype to compute it in.
template <class T>
int64_t BinOf(const Doubles& edges, Search search, double x) {
  const int64_t bins = static_cast<int64_t>(edges.size()) - 1;
  int64_t first = 0, last = bins + 1;
  if (search != Search::kBinary) {
    const T low(edges[0]), width = static_cast<T>(T(edges.back()) - low), count(bins);
    const T scaled = static_cast<T>(static_cast<T>(T(x) - low) * count);
    const auto position = static_cast<double>(static_cast<T>(scaled / width));
    if (std::isfinite(position)) {  // T may not hold what it takes: then the edges alone count
      const auto guess = static_cast<int64_t>(position);
      if (search == Search::kLinear) return std::min(guess, bins - 1);
      first = std::max<int64_t>(0, guess - 1);
      last = std::min(guess + 2, bins + 1);
    }
  }
  const int64_t at =
      std::upper_bound(edges.begin() + first, edges.begin() + last, x) - edges.begin() - 1;
  return std::min(at, bins - 1);
}

// x: points of as many coordinates as there are lists of edges. Counts are whole, so that the order
// in which threads add theirs does not matter; weights are added in order.
Doubles Histogram(DType dtype, const Doubles& x, const Doubles* weights,
                  const std::vector<Doubles>& edges, Search search) {
  const size_t dims = edges.size();
  size_t bins = 1;
  for (const Doubles& e : edges) bins *= e.size() - 1;
  Doubles hist(bins);
  if (bins == 0) return hist;
  using BinFn = int64_t (*)(const Doubles&, Search, double);
  const auto bin_of = VisitDType<kFloatingTypes>(
      dtype, [](auto tag) -> BinFn { return BinOf<typename decltype(tag)::type>; });
  const auto add = [&](Doubles& to, size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      size_t at = 0;
      bool inside = true;
      for (size_t d = 0; d < dims && inside; ++d) {
        const double v = x[i * dims + d];
        inside = v >= edges[d][0] && v <= edges[d].back();
        if (inside)
          at = at * (edges[d].size() - 1) + static_cast<size_t>(bin_of(edges[d], search, v));
      }
      if (inside) to[at] += weights == nullptr ? 1 : (*weights)[i];
    }
  };
  const size_t points = x.size() / dims;
  if (weights != nullptr) {
    add(hist, 0, points);
    return hist;
  }
  std::mutex mutex;
  ParallelFor(static_cast<int64_t>(points), kGrain, [&](int64_t begin, int64_t end) {
    Doubles part(bins);
    add(part, static_cast<size_t>(begin), static_cast<size_t>(end));
    const std::lock_guard lock(mutex);
    for (size_t i = 0; i < bins; ++i) hist[i] += part[i];
  });
  return hist;
}

// Makes the integral 1.
void Scale(Doubles& hist, const std::vector<Doubles>& edges) {
  double sum = 0;
  for (double h : hist) sum += h;
  for (size_t i = 0; i < hist.size(); ++i) {
    hist[i] /= sum;
    size_t rest = i;
    for (size_t d = edges.size(); d-- > 0;) {
      const size_t bin = rest % (edges[d].size() - 1);
      rest /= edges[d].size() - 1;
      hist[i] /= edges[d][bin + 1] - edges[d][bin];
    }
  }
}

void Store(const Tensor& out, Doubles& values) {
  if (!values.empty())
    CopyElements(out, Tensor::FromBlob(values.data(), out.sizes(), DType::kFloat64));
}

// Where bins begin and end: as given, or by what there is.
Ends RangeOf(Call call, const Doubles& x, std::optional<Ends> given, double beside) {
  if (!given && !x.empty()) {
    given = {x[0], x[0]};
    for (double v : x) {
      if (v != v) given = {v, v};
      given->low = std::min(given->low, v);
      given->high = std::max(given->high, v);
      if (v != v) break;
    }
  }
  return EndsOfBins(call, given, beside);
}

void Histc(Call call, const Tensor& out, const Tensor& self, int64_t bins, const Scalar& min,
           const Scalar& max) {
  const Doubles x = Numbers(self);
  const double low = min.To<double>(), high = max.To<double>();
  std::optional<Ends> given;
  if (low != high || x.empty()) given = {low, high};
  const Ends ends = RangeOf(call, x, given, 1);
  Doubles hist =
      Histogram(self.dtype(), x, nullptr, {EdgesOfBins(self.dtype(), ends, bins)}, Search::kLinear);
  Store(out, hist);
}

Doubles Finished(const Tensor& self, const Tensor& weight, bool density,
                 const std::vector<Doubles>& edges, Search search) {
  const Doubles x = Numbers(self), weights = weight.defined() ? Numbers(weight) : Doubles();
  Doubles hist = Histogram(self.dtype(), x, weight.defined() ? &weights : nullptr, edges, search);
  if (density) Scale(hist, edges);
  return hist;
}

void HistogramCount(Call call, const Tensor& hist, const Tensor& bin_edges, const Tensor& self,
                    int64_t bins, std::optional<std::span<const double>> range,
                    const Tensor& weight, bool density) {
  const Doubles x = range ? Doubles() : Numbers(self);
  Doubles edges = EdgesOfBins(self.dtype(), RangeOf(call, x, EndsIn(range), 0.5), bins);
  Doubles result = Finished(self, weight, density, {edges}, Search::kNear);
  Store(hist, result);
  Store(bin_edges, edges);
}

void HistogramEdges(Call, const Tensor& hist, const Tensor& bin_edges, const Tensor& self,
                    const Tensor& bins, const Tensor& weight, bool density) {
  Doubles edges = Numbers(bins);
  Doubles result = Finished(self, weight, density, {edges}, Search::kBinary);
  Store(hist, result);
  Store(bin_edges, edges);
}

// --- Several coordinates

using HistAndEdges = std::tuple<Tensor, std::vector<Tensor>>;

// Before anything is computed: bins for which there is no room are refused here.
HistAndEdges NewResults(const Tensor& self, IntSpan bins) {
  HistAndEdges out{Tensor::Empty(bins, self.dtype()), {}};
  for (const int64_t n : bins) std::get<1>(out).push_back(Tensor::Empty({n + 1}, self.dtype()));
  return out;
}

void Compute(const HistAndEdges& out, const Tensor& self, const Tensor& weight, bool density,
             std::vector<Doubles> edges, Search search) {
  Doubles hist = Finished(self, weight, density, edges, search);
  Store(std::get<0>(out), hist);
  for (size_t d = 0; d < edges.size(); ++d) Store(std::get<1>(out)[d], edges[d]);
}

HistAndEdges Histogramdd(Call call, const Tensor& self, IntSpan bins,
                         std::optional<std::span<const double>> range, const Tensor& weight,
                         bool density) {
  RequireHistogramBins(call, self, bins, range, weight);
  HistAndEdges out = NewResults(self, bins);
  const Doubles x = Numbers(self);
  std::vector<Doubles> edges;
  for (size_t d = 0; d < bins.size(); ++d) {
    Doubles line;
    for (size_t i = d; i < x.size(); i += bins.size()) line.push_back(x[i]);
    edges.push_back(EdgesOfBins(self.dtype(), RangeOf(call, line, EndsIn(range, d), 0.5), bins[d]));
  }
  Compute(out, self, weight, density, std::move(edges), Search::kNear);
  return out;
}

HistAndEdges HistogramddEdges(Call call, const Tensor& self, TensorList bins,
                              std::optional<std::span<const double>>, const Tensor& weight,
                              bool density) {
  RequireHistogramEdges(call, self, bins, weight);
  std::vector<int64_t> sizes;
  for (const Tensor& t : bins) sizes.push_back(t.numel() - 1);
  HistAndEdges out = NewResults(self, sizes);
  std::vector<Doubles> edges;
  for (const Tensor& t : bins) edges.push_back(Numbers(t));
  Compute(out, self, weight, density, std::move(edges), Search::kBinary);
  return out;
}

const Kernel histc_kernel{"histc", "cpu", kFloatingTypes, Histc};
const Kernel count_kernel{"histogram.bin_ct", "cpu", f::kFloats, HistogramCount};
const Kernel edges_kernel{"histogram.bins_tensor", "cpu", f::kFloats, HistogramEdges};

const Kernel dd_kernel{"histogramdd", "cpu", f::kFloats, Histogramdd};
const Kernel dd_edges_kernel{"histogramdd.TensorList_bins", "cpu", f::kFloats, HistogramddEdges};

}  // namespace
}  // namespace sy::cpu
