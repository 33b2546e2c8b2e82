// cummax and cummin: running extremes, the last of equal ones, NaN from where it first occurs.
// Source: cummax_helper_cpu, ATen/native/ReduceOps.cpp.
#include "backends/cpu/kernels/scan/strips.h"
#include "switchyard/backends/common/dtypes.h"
#include "switchyard/backends/cpu/engine/copy.h"
#include "switchyard/backends/cpu/engine/dense.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace {

template <class T>
auto Comparable(T x) {
  if constexpr (kIsHalf<T>) {
    return static_cast<float>(x);
  } else {
    return x;
  }
}

template <class T, bool kLeast>
void RunningExtreme(T* values, int64_t* indices, const T* self, Strip<3> s) {
  using V = decltype(Comparable(T()));
  if (s.rows) {
    for (int64_t j = 0; j < s.width; ++j) {
      const T* from = self + s.at[2] + j * s.beside[2];
      V best = Comparable(*from);
      int64_t at = 0;
      for (int64_t i = 0; i < s.n; ++i) {
        const V x = Comparable(from[i * s.along[2]]);
        if (x != x || (best == best && (kLeast ? x <= best : x >= best))) {
          best = x;
          at = i;
        }
        values[s.at[0] + j * s.beside[0] + i * s.along[0]] = static_cast<T>(best);
        indices[s.at[1] + j * s.beside[1] + i * s.along[1]] = at;
      }
    }
    return;
  }
  V best[kWidth];
  int64_t at[kWidth];
  for (int64_t i = 0; i < s.n; ++i) {
    for (int64_t j = 0; j < s.width; ++j) {
      const V x = Comparable(self[s.at[2] + i * s.along[2] + j * s.beside[2]]);
      const bool better =
          i == 0 || x != x || (best[j] == best[j] && (kLeast ? x <= best[j] : x >= best[j]));
      best[j] = better ? x : best[j];
      at[j] = better ? i : at[j];
      values[s.at[0] + i * s.along[0] + j * s.beside[0]] = static_cast<T>(best[j]);
      indices[s.at[1] + i * s.along[1] + j * s.beside[1]] = at[j];
    }
  }
}

template <bool kLeast>
void CumulativeExtreme(Call, const Tensor& values, const Tensor& indices, const Tensor& self,
                       int64_t dim) {
  if (self.dim() == 0) {
    CopyElements(values, self);
    return FillElements(indices, 0);
  }
  VisitDType<kRealOrBoolTypes>(self.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    ForEachStrip<3>(dim, {&values, &indices, &self}, [&](const Strip<3>& s) {
      RunningExtreme<T, kLeast>(values.data<T>(), indices.data<int64_t>(), self.data<T>(), s);
    });
  });
}

const Kernel cummax_kernel{"cummax", "cpu", kRealOrBoolTypes | kComplexTypes,
                           CumulativeExtreme<false>};
const Kernel cummin_kernel{"cummin", "cpu", kRealOrBoolTypes | kComplexTypes,
                           CumulativeExtreme<true>};

}  // namespace
}  // namespace sy::cpu
