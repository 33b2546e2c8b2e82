// Blocks of queries against blocks of keys: scores are never kept for more than one block of each.
// Sums are carried from block to block relative to the largest score so far (M. Milakov, N.
// Gimelshein, "Online normalizer calculation for softmax", 2018).
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "switchyard/backends/cpu/blas/product.h"
#include "switchyard/backends/cpu/engine/dense.h"
#include "switchyard/backends/cpu/engine/rows.h"
#include "switchyard/core/parallel.h"
#include "switchyard/core/shape.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace {

// A block's scores, 64 * 512 floats, stay in the second-level cache.
constexpr int64_t kQueries = 64, kKeys = 512;

// t itself, or a dense copy, where the last dimension is not contiguous or the dtype is another.
Tensor Rows(const Tensor& t, DType dtype) {
  return t.dtype() == dtype && (t.strides()[3] == 1 || t.sizes()[3] == 1) ? t : Dense(t, dtype);
}
Matrix MatrixOf(const Tensor& t, int64_t batch, int64_t head, int64_t first, int64_t rows) {
  const IntSpan s = t.strides();
  const int64_t offset = batch * s[0] + head * s[1] + first * s[2];
  return {{rows, t.sizes()[3], s[2], 1},
          static_cast<char*>(t.data()) + offset * static_cast<int64_t>(t.itemsize()),
          t.dtype()};
}

// What is added to scores: [b, heads, l, s] of `dtype`, the last dimension contiguous.
Tensor MaskOf(const Tensor& mask, DType dtype, IntSpan scores) {
  if (!mask.defined()) return mask;
  Tensor added = Dense(mask, dtype);
  if (mask.dtype() == DType::kBool) {
    added = Tensor::Empty(mask.sizes(), dtype);
    const Tensor from = Dense(mask, DType::kBool);
    const bool* takes_part = from.data<bool>();
    VisitDType<Mask(DType::kFloat32, DType::kFloat64)>(dtype, [&](auto tag) {
      using T = typename decltype(tag)::type;
      for (int64_t i = 0; i < added.numel(); ++i)
        added.data<T>()[i] = takes_part[i] ? T(0) : -std::numeric_limits<T>::infinity();
    });
  }
  int64_t sizes[4], strides[4];
  const int64_t missing = 4 - added.dim();
  for (int64_t d = 0; d < 4; ++d) {
    const bool has = d >= missing && added.sizes()[d - missing] != 1;
    strides[d] = has ? added.strides()[d - missing] : 0;
    sizes[d] = scores[d];
  }
  if (strides[3] == 0 && sizes[3] != 1) {  // one number for all keys
    int64_t small[4];
    for (int64_t d = 0; d < 4; ++d) small[d] = d < 3 && strides[d] == 0 ? 1 : sizes[d];
    const Tensor wide = Tensor::Empty(small, dtype);
    CopyElements(wide, added);
    for (int64_t d = 0; d < 4; ++d) strides[d] = small[d] == 1 ? 0 : wide.strides()[d];
    return wide.AsStrided(sizes, strides, 0);
  }
  return added.AsStrided(sizes, strides, added.storage_offset());
}

template <class T>
struct Problem {
  Call call;
  Tensor q, k, v, mask, out, sums;
  bool causal;
  T scale;
  int64_t l, s, f, heads, grouped;  // grouped: heads of q for each of k and v

  // Queries `first` … first + n - 1 of one head.
  void Block(int64_t batch, int64_t head, int64_t first, int64_t n, T* scores, T* sum_of_values,
             T* part) const {
    const RowLoops& rows = RowsOf(DTypeOf<T>);
    const int64_t end = causal ? std::min(s, first + n) : s;
    T max[kQueries], sum[kQueries];
    std::fill_n(max, n, -std::numeric_limits<T>::infinity());
    std::fill_n(sum, n, T(0));
    std::fill_n(sum_of_values, n * f, T(0));
    for (int64_t at = 0; at < end; at += kKeys) {
      const int64_t m = std::min(kKeys, end - at);
      Product(call.op(), Matrix::RowMajor(scores, DTypeOf<T>, n, m),
              MatrixOf(q, batch, head, first, n),
              MatrixOf(k, batch, head / grouped, at, m).transposed());
      for (int64_t i = 0; i < n; ++i) Weigh(batch, head, first + i, at, m, scores + i * m);
      for (int64_t i = 0; i < n; ++i) {
        T* row = scores + i * m;
        const size_t width = static_cast<size_t>(m);
        const T now = std::max(max[i], static_cast<T>(rows.max(row, width)));
        if (now == -std::numeric_limits<T>::infinity()) {  // all masked so far
          std::fill_n(row, m, T(0));
          continue;
        }
        const T own = static_cast<T>(rows.exp_sum(row, row, width, now));
        if (at != 0) {
          const T fade = std::exp(max[i] - now);
          sum[i] *= fade;
          rows.scale(sum_of_values + i * f, sum_of_values + i * f, static_cast<size_t>(f), fade, 0);
        }
        sum[i] += own;
        max[i] = now;
      }
      const bool one = at == 0;
      Product(call.op(), Matrix::RowMajor(one ? sum_of_values : part, DTypeOf<T>, n, f),
              Matrix::RowMajor(scores, DTypeOf<T>, n, m),
              MatrixOf(v, batch, head / grouped, at, m));
      if (!one) {
        for (int64_t i = 0; i < n * f; ++i) sum_of_values[i] += part[i];
      }
    }
    for (int64_t i = 0; i < n; ++i) {
      const T divisor = sum[i] == 0 ? T(1) : sum[i];
      T* to = static_cast<T*>(out.data()) + batch * out.strides()[0] + head * out.strides()[1] +
              (first + i) * out.strides()[2];
      rows.scale(to, sum_of_values + i * f, static_cast<size_t>(f), 1 / divisor, 0);
      static_cast<T*>(sums.data())[batch * sums.strides()[0] + head * sums.strides()[1] +
                                   (first + i) * sums.strides()[2]] = max[i] + std::log(sum[i]);
    }
  }

  // Scale and mask of scores of query i and keys at … at + m - 1.
  void Weigh(int64_t batch, int64_t head, int64_t i, int64_t at, int64_t m, T* row) const {
    if (mask.defined()) {
      const T* added = static_cast<const T*>(mask.data()) + batch * mask.strides()[0] +
                       head * mask.strides()[1] + i * mask.strides()[2] + at;
      for (int64_t j = 0; j < m; ++j) row[j] = row[j] * scale + added[j];
    } else {
      for (int64_t j = 0; j < m; ++j) row[j] *= scale;
    }
    if (causal && i + 1 < at + m) {
      const int64_t seen = std::max<int64_t>(0, i + 1 - at);
      std::fill(row + seen, row + m, -std::numeric_limits<T>::infinity());
    }
  }

  void Run() const {
    const int64_t blocks = (l + kQueries - 1) / kQueries, batches = q.sizes()[0];
    ParallelFor(batches * heads * blocks, 1, [&](int64_t begin, int64_t end) {
      const int64_t room = kQueries * (std::min(s, kKeys) + 2 * f);
      const std::unique_ptr<T[]> memory(new T[static_cast<size_t>(room)]);
      T* values = memory.get() + kQueries * std::min(s, kKeys);
      for (int64_t i = begin; i < end; ++i) {
        const int64_t first = i % blocks * kQueries, head = i / blocks % heads;
        Block(i / blocks / heads, head, first, std::min(kQueries, l - first), memory.get(), values,
              values + kQueries * f);
      }
    });
  }
};

void Attention(Call call, const Tensor& out, const Tensor& sums, const Tensor& query,
               const Tensor& key, const Tensor& value, double, bool causal, const Tensor& mask,
               Optional<double> scale) {
  const IntSpan q = query.sizes();
  const int64_t s = key.sizes()[2], f = value.sizes()[3];
  const DType wide = WideOf(query.dtype());
  if (out.numel() == 0) return;
  if (s == 0 || q[3] == 0) return FillElements(out, Scalar(0));
  const double factor = scale.value_or(1 / std::sqrt(static_cast<double>(q[3])));
  const int64_t scores[] = {q[0], q[1], q[2], s};
  const Tensor to = out.dtype() == wide ? out : Tensor::Empty(out.sizes(), wide);
  VisitDType<Mask(DType::kFloat32, DType::kFloat64)>(wide, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const Problem<T> problem = {.call = call,
                                .q = Rows(query, wide),
                                .k = Rows(key, wide),
                                .v = Rows(value, wide),
                                .mask = MaskOf(mask, wide, scores),
                                .out = to,
                                .sums = sums,
                                .causal = causal,
                                .scale = static_cast<T>(factor),
                                .l = q[2],
                                .s = s,
                                .f = f,
                                .heads = q[1],
                                .grouped = q[1] / key.sizes()[1]};
    problem.Run();
  });
  if (!to.is_same(out)) CopyElements(out, to);
}

const Kernel kernel{"_scaled_dot_product_flash_attention_for_cpu", "cpu", kFloatingTypes,
                    Attention};

}  // namespace
}  // namespace sy::cpu
