// A dimension's lines as rows that lie densely, one after another: what sorting and selecting work
// on.
//
//   const Rows rows = RowsAlong(call, self, dim);
//   IntoRows(call, out, dim, [&](const Tensor& to) { … });   // to: rows; copied to out if need be
//
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_CUDA_ENGINE_ROWS_H_
#define SWITCHYARD_BACKENDS_CUDA_ENGINE_ROWS_H_

#include <algorithm>
#include <vector>

#include "backends/cuda/engine/dense.h"
#include "switchyard/backends/common/views.h"

namespace sy::cuda {

struct Rows {
  Tensor values;  // row-major; the dimension is the last one
  int64_t count, n;
};

// t with dim (0 or above) behind all others; 0-d as one line of one element.
inline Tensor MovedLast(const Tensor& t, int64_t dim) {
  const auto moved = [&](IntSpan given) {
    std::vector<int64_t> v(given.begin(), given.end());
    if (v.empty()) return std::vector<int64_t>{1};
    std::rotate(v.begin() + dim, v.begin() + dim + 1, v.end());
    return v;
  };
  return t.AsStrided(moved(t.sizes()), moved(t.strides()), t.storage_offset());
}

inline Rows RowsAlong(Call call, const Tensor& t, int64_t dim) {
  const Tensor moved = MovedLast(t, dim);
  const int64_t n = moved.sizes().back();
  return {Dense(call, moved, t.dtype()), n == 0 ? 0 : t.numel() / n, n};
}

// Undefined stays so.
template <class F>
void IntoRows(Call call, const Tensor& out, int64_t dim, F write) {
  if (!out.defined()) return write(out);
  IntoDense(call, MovedLast(out, dim), out.dtype(), write);
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_ENGINE_ROWS_H_
