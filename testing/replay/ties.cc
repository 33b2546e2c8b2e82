// Selections whose second result says where the first one's elements are: topk, kthvalue, median,
// nanmedian, mode. With equal elements several answers are right.

#include <algorithm>
#include <cmath>

#include "switchyard/core/overlap.h"
#include "switchyard/core/transfer.h"
#include "testing/replay/compare.h"
#include "testing/replay/elements.h"
#include "testing/replay/special.h"

namespace sy::replay {
namespace {

template <class T>
bool Same(const T& a, const T& b) {
  const auto x = Widen(a), y = Widen(b);
  return x == y || (x != x && y != y);  // NaN is NaN
}

int64_t Offset(IntSpan position, IntSpan strides) {
  int64_t offset = 0;
  for (size_t i = 0; i < position.size(); ++i) offset += position[i] * strides[i];
  return offset;
}

// The results' geometry with the dimension that keepdim=False drops.
struct Geometry {
  std::vector<int64_t> sizes, strides;
  Geometry(const Tensor& t, int64_t rank, int64_t dim)
      : sizes(t.sizes().begin(), t.sizes().end()), strides(t.strides().begin(), t.strides().end()) {
    if (t.dim() == rank) return;
    sizes.insert(sizes.begin() + dim, 1);
    strides.insert(strides.begin() + dim, 0);
  }
};

template <class T>
std::string CheckIndices(const Tensor& input, const Tensor& values, const Tensor& indices,
                         int64_t dim) {
  const T* in = static_cast<const T*>(input.data());
  const T* value = static_cast<const T*>(values.data());
  const int64_t* index = indices.data<int64_t>();
  const Geometry v(values, input.dim(), dim), x(indices, input.dim(), dim);
  const int64_t n = input.dim() == 0 ? 1 : input.size(dim);
  std::string why;
  ForEachPosition(v.sizes, [&](IntSpan position) {
    if (!why.empty()) return;
    const int64_t at = index[Offset(position, x.strides)];
    if (at < 0 || at >= n) {
      why = Join({"index ", at, " at ", position, " is not in 0 to ", n - 1});
      return;
    }
    int64_t offset = 0;
    for (int64_t d = 0; d < input.dim(); ++d)
      offset += (d == dim ? at : position[d]) * input.strides()[d];
    if (!Same(in[offset], value[Offset(position, v.strides)]))
      why = Join({"index ", at, " at ", position, " does not point at the value there"});
  });
  return why;
}

// No position may be selected twice.
std::string CheckDistinct(const Tensor& indices, int64_t dim) {
  if (indices.dim() == 0) return "";
  std::vector<int64_t> rows(indices.sizes().begin(), indices.sizes().end());
  rows[dim] = std::min<int64_t>(rows[dim], 1);
  std::string why;
  ForEachPosition(rows, [&](IntSpan position) {
    const int64_t* p = indices.data<int64_t>() + Offset(position, indices.strides());
    std::vector<int64_t> row;
    for (int64_t i = 0; i < indices.size(dim); ++i) row.push_back(p[i * indices.stride(dim)]);
    std::sort(row.begin(), row.end());
    const auto twice = std::adjacent_find(row.begin(), row.end());
    if (twice != row.end()) why = Join({"index ", *twice, " is selected twice at ", position});
  });
  return why;
}

int64_t DimOf(const SpecialCall& call, int64_t rank) {
  const int at = call.op.schema().Find("dim");
  return WrapDim(at < 0 ? -1 : call.args[at].i, rank);
}

bool IsSorted(const SpecialCall& call) {
  const int at = call.op.schema().Find("sorted");
  return at < 0 || call.args[at].i != 0;
}

// Each row along dim in ascending order, NaN last.
std::vector<double> SortedRows(const Tensor& t, int64_t dim) {
  std::vector<double> all;
  if (t.numel() == 0) return all;
  const int64_t n = t.dim() == 0 ? 1 : t.size(dim), stride = t.dim() == 0 ? 1 : t.stride(dim);
  std::vector<int64_t> rows(t.sizes().begin(), t.sizes().end());
  if (t.dim() != 0) rows[dim] = 1;
  VisitDType<kAllTypes & ~kComplexTypes & ~Bit(DType::kComplex32)>(t.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T* p = static_cast<const T*>(t.data());
    ForEachOffset(rows, t.strides(), [&](int64_t offset) {
      for (int64_t i = 0; i < n; ++i)
        all.push_back(static_cast<double>(Widen(p[offset + i * stride])));
      std::sort(all.end() - n, all.end(),
                [](double a, double b) { return a < b || (b != b && a == a); });
    });
  });
  return all;
}

// PyTorch's median picks from a copy whose elements share memory as the input's do, and so gives
// anything where these have stride 0.
bool IsSpoilt(const SpecialCall& call) {
  return call.op.schema().name.ends_with("median") && SelfOverlaps(call.args[0].tensor());
}

std::string CompareRows(const SpecialCall& call, int64_t dim) {
  const std::vector<double> got = SortedRows(call.results[0], dim),
                            expected = SortedRows(Rebuild(call.expected[0]), dim);
  for (size_t i = 0; i < got.size(); ++i) {
    if (!Close(got[i], expected[i], ToleranceOf(call.expected[0].dtype)))
      return Join({"expected ", expected[i], " among the values of a row, got ", got[i]});
  }
  return "";
}

}  // namespace

std::string CheckTies(const SpecialCall& call) {
  const Tensor input = ToHost(call.args[0].tensor());
  if (call.results.size() < 2) return CompareContents(call.results[0], call.expected[0]);
  const int64_t dim = DimOf(call, input.dim());
  std::string why = IsSpoilt(call)   ? ""
                    : IsSorted(call) ? CompareContents(call.results[0], call.expected[0])
                                     : CompareRows(call, dim);
  if (!why.empty()) return why;
  why = VisitDType<kAllTypes>(input.dtype(), [&](auto tag) {
    return CheckIndices<typename decltype(tag)::type>(input, call.results[0], call.results[1], dim);
  });
  const bool selects = call.results[1].dim() == input.dim();
  return why.empty() && selects ? CheckDistinct(call.results[1], dim) : why;
}

}  // namespace sy::replay
