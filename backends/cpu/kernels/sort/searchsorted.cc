// Source of the comparisons, which decide where NaN goes: ATen/native/Bucketization.cpp. Small
// dtypes are searched in a wider one that holds all of their values.
#include <algorithm>

#include "switchyard/backends/common/checks.h"
#include "switchyard/backends/common/numbers.h"
#include "switchyard/backends/cpu/engine/copy.h"
#include "switchyard/backends/cpu/engine/dense.h"
#include "switchyard/core/parallel.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace {

constexpr int64_t kGrain = 1 << 10;  // searches worth a thread

// Row-major, in the dtype of the computation first and then in that of the search.
Tensor Prepared(const Tensor& t, DType common) {
  const DType wide = SearchDType(common);
  Tensor x = Contiguous(t);
  for (DType d : {common, wide}) {
    if (x.dtype() == d) continue;
    const Tensor converted = Tensor::Empty(x.sizes(), d);
    CopyElements(converted, x);
    x = converted;
  }
  return x;
}

// The first of n places that is not before x. order: where elements are, or null.
template <class T>
int64_t Search(const T* sequence, const int64_t* order, int64_t n, T x, bool right) {
  const auto before = [&](int64_t i) {
    const T at = sequence[order == nullptr ? i : order[i]];
    return static_cast<int64_t>(right ? !(at > x) : !(at >= x));
  };
  int64_t first = 0;
  for (; n > 1; n -= n / 2) first += before(first + n / 2 - 1) * (n / 2);  // without branches
  return first + before(first);
}

void RequireSorter(Call call, const Tensor& sorter, int64_t n) {
  const int64_t* p = sorter.data<int64_t>();
  for (int64_t i = 0; i < sorter.numel(); ++i) {
    if (p[i] < 0 || p[i] >= n) FailSorter(call.op(), p[i], n);
  }
}

void Searchsorted(Call call, const Tensor& out, const Tensor& sequence, const Tensor& self,
                  bool /*out_int32*/, bool right, std::optional<std::string_view> side,
                  const Tensor& sorter) {
  if (out.numel() == 0) return;
  const int64_t n = sequence.sizes().back();
  const Tensor order = sorter.defined() ? Contiguous(sorter) : sorter;
  if (order.defined()) RequireSorter(call, order, n);
  const Tensor to = out.is_contiguous() ? out : Tensor::Empty(out.sizes(), out.dtype());
  if (n == 0) return FillElements(out, 0);
  right |= side && *side == "right";
  const Tensor where = Prepared(sequence, call.dtype()), what = Prepared(self, call.dtype());
  const bool batched = sequence.dim() > 1;
  const int64_t row = batched ? self.sizes().back() : self.numel();
  VisitDType<Mask(DType::kInt32, DType::kInt64, DType::kFloat32, DType::kFloat64)>(
      where.dtype(), [&](auto tag) {
        using T = typename decltype(tag)::type;
        const T *s = where.data<T>(), *x = what.data<T>();
        const int64_t* o = order.defined() ? order.data<int64_t>() : nullptr;
        ParallelFor(to.numel(), kGrain, [&](int64_t begin, int64_t end) {
          for (int64_t i = begin; i < end; ++i) {
            const int64_t base = i / row * n;
            const int64_t at = o != nullptr ? Search(s + base, o + base, n, x[i], right)
                               : right      ? Search<T>(s + base, nullptr, n, x[i], true)
                                            : Search<T>(s + base, nullptr, n, x[i], false);
            if (to.dtype() == DType::kInt32) {
              to.data<int32_t>()[i] = static_cast<int32_t>(at);
            } else {
              to.data<int64_t>()[i] = at;
            }
          }
        });
      });
  if (!to.is_same(out)) CopyElements(out, to);
}

void Bucketize(Call call, const Tensor& out, const Tensor& self, const Tensor& boundaries,
               bool out_int32, bool right) {
  Searchsorted(call, out, boundaries, self, out_int32, right, std::nullopt, Tensor());
}

const Kernel searchsorted_kernel{"searchsorted.Tensor", "cpu", kAnyDType, Searchsorted};
const Kernel bucketize_kernel{"bucketize.Tensor", "cpu", kAnyDType, Bucketize};

}  // namespace
}  // namespace sy::cpu
