// Sums and differences of two compressed matrices of one layout: both walked along at once, row by
// row. Others, and rows that do not rise, are left to operators.
#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <numeric>

#include "backends/cpu/kernels/sparse/compressed_indices.h"
#include "backends/cpu/kernels/sparse/sums.h"
#include "switchyard/backends/cpu/engine/dense.h"
#include "switchyard/core/promotion.h"
#include "switchyard/core/shape.h"
#include "switchyard/op/layout_kernel.h"

namespace sy::cpu {
namespace {

// One matrix: rows that are compressed, or columns.
struct Term {
  Term(std::string_view op, const Tensor& t)
      : state(*FindSparse(t)),
        by_rows(HasCompressedRows(state.layout)),
        at(op, state.indices, state.plain_indices, t.sizes()[by_rows ? 1 : 0],
           by_rows ? "column" : "row"),
        begin(at.begin()),
        plain(at.Plain(0, at.size(), room)),
        values(Contiguous(state.values)) {}

  const SparseState& state;
  bool by_rows;
  CompressedIndices at;
  std::vector<int64_t> room;
  const int64_t *begin, *plain;
  Tensor values;
};

// Rows first … last - 1 of a + alpha * b: row i from place at[i] on, its length to lengths[i].
// Products are rounded, as are those of an operator of their own.
template <class T>
void AddRows(const Term& a, const Term& b, const Scalar& alpha, bool minus, int64_t first,
             int64_t last, const int64_t* at, int64_t* lengths, int64_t* plain, T* values) {
  using S = SumOf<T>;
  const S given = alpha.To<S>(), factor = minus ? static_cast<S>(-given) : given;
  const auto *x = a.values.data<T>(), *y = b.values.data<T>();
  const auto scaled = [&](int64_t k) { return static_cast<T>(factor * static_cast<S>(y[k])); };
  for (int64_t i = first; i < last; ++i) {
    int64_t j = a.begin[i], k = b.begin[i], n = at[i];
    const int64_t a_end = a.begin[i + 1], b_end = b.begin[i + 1];
    while (j < a_end && k < b_end) {
      // No branches: which of two comes first cannot be foreseen.
      const int64_t in_a = a.plain[j], in_b = b.plain[k];
      const bool left = in_a <= in_b, right = in_b <= in_a;
      const T one = x[j], other = scaled(k),
              both = static_cast<T>(static_cast<S>(one) + static_cast<S>(other));
      plain[n] = left ? in_a : in_b;
      values[n++] = left ? (right ? both : one) : other;
      j += static_cast<int64_t>(left), k += static_cast<int64_t>(right);
    }
    for (; j < a_end; ++j, ++n) plain[n] = a.plain[j], values[n] = x[j];
    for (; k < b_end; ++k, ++n) plain[n] = b.plain[k], values[n] = scaled(k);
    lengths[i] = n - at[i];
  }
}

Tensor SumOfBoth(const Term& a, const Term& b, IntSpan sizes, const Scalar& alpha, bool minus) {
  const int64_t rows = a.at.size();
  const DType d = a.values.dtype(), index = a.state.indices.dtype();
  // Rows are added where there is room for all that both hold, then moved together.
  std::vector<int64_t> at(static_cast<size_t>(rows) + 1);
  std::transform(a.begin, a.begin + rows + 1, b.begin, at.begin(), std::plus<>());
  const Tensor wide = Tensor::Empty({at.back()}, DType::kInt64),
               added = Tensor::Empty({at.back()}, d),
               compressed = Tensor::Empty({rows + 1}, DType::kInt64);
  auto *plain = wide.data<int64_t>(), *begin = compressed.data<int64_t>();
  begin[0] = 0;
  ForRows(at.data(), rows, 1, [&](int64_t first, int64_t last) {
    VisitDType<kNumbers>(d, [&](auto tag) {
      using T = typename decltype(tag)::type;
      AddRows(a, b, alpha, minus, first, last, at.data(), begin + 1, plain, added.data<T>());
    });
  });
  std::partial_sum(begin, begin + rows + 1, begin);
  const Tensor held = Tensor::Empty({begin[rows]}, DType::kInt64),
               sums = Tensor::Empty({begin[rows]}, d);
  const auto bytes = static_cast<int64_t>(ItemSize(d));
  ForRows(at.data(), rows, 1, [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      const int64_t from = at[static_cast<size_t>(i)], n = begin[i + 1] - begin[i];
      if (n == 0) continue;
      std::copy_n(plain + from, n, held.data<int64_t>() + begin[i]);
      std::memcpy(static_cast<char*>(sums.data()) + begin[i] * bytes,
                  static_cast<const char*>(added.data()) + from * bytes,
                  static_cast<size_t>(n * bytes));
    }
  });
  return MakeSparse(sizes,
                    std::make_unique<SparseState>(a.state.layout, 2, 0, Dense(compressed, index),
                                                  Dense(held, index), sums));
}

bool IsMatrix(const Tensor& t) {
  const SparseState* s = FindSparse(t);
  return s != nullptr && t.is_host() && t.dim() == 2 && s->dense_dim == 0;
}

// self + alpha * other, or self - alpha * other.
Tensor Sum(Call call, const Tensor& self, const Tensor& other, const Scalar& alpha, bool minus) {
  const DType d = self.dtype();
  if (!IsMatrix(self) || !IsMatrix(other) || self.layout() != other.layout() ||
      !SameSizes(self.sizes(), other.sizes()) || other.dtype() != d || !Contains(kNumbers, d) ||
      !CanCast(alpha.dtype(), d))
    return Tensor();
  RequireHeldSizes(call.op(), self);
  RequireHeldSizes(call.op(), other);
  const Term a(call.op(), self), b(call.op(), other);
  if (!a.at.RowsRise(a.plain) || !b.at.RowsRise(b.plain)) return Tensor();
  return SumOfBoth(a, b, self.sizes(), alpha, minus);
}

Tensor Add(Call call, const Tensor& self, const Tensor& other, const Scalar& alpha) {
  return Sum(call, self, other, alpha, false);
}
Tensor Sub(Call call, const Tensor& self, const Tensor& other, const Scalar& alpha) {
  return Sum(call, self, other, alpha, true);
}

const LayoutKernel add{"add.Tensor", kCsr | kCsc, Add, "cpu"};
const LayoutKernel sub{"sub.Tensor", kCsr | kCsc, Sub, "cpu"};

}  // namespace
}  // namespace sy::cpu
