// Linear layers on 8-bit integers: sums in int32, without rounding, then one step to numbers or to
// integers again. Source of what is rounded when: fbgemm's ReQuantizeOutput with a float bias.
#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "switchyard/backends/cpu/blas/onednn.h"
#include "switchyard/core/parallel.h"
#include "switchyard/core/view_as.h"
#include "switchyard/op/layout_kernel.h"
#include "switchyard/ops/quantized/layers.h"

namespace sy::cpu {
namespace {

constexpr int64_t kWork = 1 << 16;  // products worth a thread

// [rows, k] without gaps; what lies otherwise is copied.
template <class T>
struct Rows {
  Rows(const Tensor& q, int64_t k)
      : tensor(q), count(k == 0 ? 0 : q.numel() / k), data(static_cast<const T*>(q.data())) {
    if (q.is_contiguous()) return;
    copy.resize(static_cast<size_t>(q.numel()));
    std::vector<int64_t> at(q.sizes().size());
    for (T& x : copy) {
      int64_t offset = 0;
      for (size_t d = 0; d < at.size(); ++d) offset += at[d] * q.strides()[d];
      x = data[offset];
      for (size_t d = at.size(); d > 0 && ++at[d - 1] == q.sizes()[d - 1]; --d) at[d - 1] = 0;
    }
    data = copy.data();
  }
  const Tensor tensor;  // keeps the bytes
  int64_t count;
  const T* data;
  std::vector<T> copy;
};

// f(row, column, sum) for every sum of (a - zero) * b over a row of a and a row of b. f is called
// by several threads.
template <class T, class F>
void ForEachSum(const Rows<T>& a, int64_t zero, const Rows<int8_t>& b, int64_t k, F f) {
  const int64_t m = a.count, n = b.count;
  // What the zero point takes away from every sum of a column.
  std::vector<int32_t> taken(static_cast<size_t>(n));
  ParallelFor(n, std::max<int64_t>(1, kWork / std::max<int64_t>(1, k)),
              [&](int64_t first, int64_t last) {
                for (int64_t c = first; c < last; ++c) {
                  int32_t sum = 0;
                  for (int64_t i = 0; i < k; ++i) sum += b.data[c * k + i];
                  taken[static_cast<size_t>(c)] = sum * static_cast<int32_t>(zero);
                }
              });
  const auto tile = [&](int64_t row, int64_t rows, int64_t column, int64_t columns) {
    std::vector<int32_t> sums(static_cast<size_t>(rows * columns));
    const T* x = a.data + row * k;
    const int8_t* w = b.data + column * k;
    if (!OneDnnIntegerProduct(DTypeOf<T>, rows, columns, k, x, w, sums.data(), columns)) {
      for (int64_t r = 0; r < rows; ++r) {
        for (int64_t c = 0; c < columns; ++c) {
          int32_t sum = 0;
          for (int64_t i = 0; i < k; ++i) sum += int32_t{x[r * k + i]} * w[c * k + i];
          sums[static_cast<size_t>(r * columns + c)] = sum;
        }
      }
    }
    for (int64_t r = 0; r < rows; ++r) {
      for (int64_t c = 0; c < columns; ++c) {
        f(row + r, column + c,
          sums[static_cast<size_t>(r * columns + c)] - taken[static_cast<size_t>(column + c)]);
      }
    }
  };
  // Threads share rows, or columns where there are few rows.
  const int64_t each = std::max<int64_t>(1, k) * (m >= n ? n : m);
  const int64_t grain = std::max<int64_t>(1, kWork / std::max<int64_t>(1, each));
  ParallelFor(std::max(m, n), grain, [&](int64_t first, int64_t last) {
    if (m >= n) return tile(first, last - first, 0, n);
    tile(0, m, first, last - first);
  });
}

// The integers of t; sizes of the result.
Tensor Checked(Call call, const Tensor& input, const Tensor& weight, DType dtype) {
  RequireLinear(call.op(), input, weight);
  std::vector<int64_t> sizes(input.sizes().begin(), input.sizes().end());
  sizes.back() = weight.sizes()[0];
  return Tensor::Empty(sizes, dtype);
}

std::vector<float> BiasOf(const Tensor& bias, int64_t n) {
  std::vector<float> all(static_cast<size_t>(n));
  for (int64_t c = 0; bias.defined() && c < n; ++c) all[static_cast<size_t>(c)] = bias.at<float>(c);
  return all;
}

Tensor Linear(Call call, const Tensor& input, const Tensor& weight, const Tensor& bias,
              double scale, int64_t zero_point) {
  RequireLinear(call.op(), input, weight);
  const int64_t n = weight.sizes()[0], k = weight.sizes()[1];
  const LayerFactors f = RequireFactors(call.op(), input, weight, bias, n);
  const int64_t low = input.dtype() == DType::kUInt8 ? 0 : -128, high = low + 255;
  if (zero_point < low || zero_point > high) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"output_zero_point must be ", low, " to ", high, ", got ", zero_point});
  }
  const Tensor out = Checked(call, input, weight, input.dtype());
  const std::vector<float> added = BiasOf(bias, n);
  const float inverse = 1.0f / static_cast<float>(scale);
  VisitDType<Mask(DType::kUInt8, DType::kInt8)>(input.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    T* to = out.data<T>();
    const Rows<T> a(IntegersOf(input), k);
    const Rows<int8_t> b(IntegersOf(weight), k);
    const auto store = [&](int64_t r, int64_t c, int32_t sum) {
      const auto i = static_cast<size_t>(c);
      const float number = static_cast<float>(sum) * f.steps[i] + added[i];
      const float steps = std::nearbyint(number * inverse) + static_cast<float>(zero_point);
      const float in_range = steps >= static_cast<float>(low)
                                 ? std::min(steps, static_cast<float>(high))
                                 : static_cast<float>(low);
      to[r * n + c] = static_cast<T>(static_cast<int32_t>(in_range));
    };
    if (k == 0) {
      for (int64_t i = 0; i < out.numel(); ++i) store(i / n, i % n, 0);
    } else {
      ForEachSum(a, f.input_zero, b, k, store);
    }
  });
  return MakeQuantized(out, Quantizer(scale, zero_point));
}

const LayoutKernel kernel{"quantized_linear", kQuantized, Linear, "cpu"};

}  // namespace
}  // namespace sy::cpu
