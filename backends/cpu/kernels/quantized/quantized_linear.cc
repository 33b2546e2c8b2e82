// Linear layers on 8-bit integers: sums in int32, without rounding, then one step to numbers or to
// integers again. Source of what is rounded when: fbgemm's ReQuantizeOutput with a float bias.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "backends/cpu/kernels/quantized/affine.h"
#include "backends/cpu/kernels/quantized/integer_product.h"
#include "switchyard/backends/cpu/blas/onednn.h"
#include "switchyard/backends/cpu/engine/dense.h"
#include "switchyard/backends/cpu/quantized/lanes.h"
#include "switchyard/backends/cpu/simd/array.h"
#include "switchyard/op/layout_kernel.h"
#include "switchyard/ops/quantized/layers.h"

namespace sy::cpu {
namespace {

// [rows, k] and [columns, k] without gaps.
template <class T>
struct Problem {
  const T* a;
  int64_t zero;  // of a
  const int8_t* b;
  int64_t rows, columns, k;
};

// What a zero point takes away from every sum of a column.
std::vector<int32_t> Taken(const int8_t* b, int64_t columns, int64_t k, int64_t zero) {
  std::vector<int32_t> taken(static_cast<size_t>(columns));
  if (zero == 0) return taken;
  ParallelFor(columns, std::max<int64_t>(1, kWork / std::max<int64_t>(1, k)),
              [&](int64_t first, int64_t last) {
                for (int64_t c = first; c < last; ++c) {
                  int32_t sum = 0;
                  for (int64_t i = 0; i < k; ++i) sum += b[c * k + i];
                  taken[static_cast<size_t>(c)] = sum * static_cast<int32_t>(zero);
                }
              });
  return taken;
}

// Whether oneDNN sums without saturating, as it does where the processor has instructions for it.
bool LibrarySums() {
  static const bool sums = [] {
    const int8_t one = 1;
    int32_t sum;
    return OneDnnIntegerProduct(DType::kInt8, 1, 1, 1, &one, &one, &sum, 1);
  }();
  return sums;
}
template <class T>
bool SumByLibrary(const Problem<T>& p, const std::vector<int32_t>& taken, int64_t row, int64_t rows,
                  int64_t column, int64_t columns, int32_t* sums) {
  if (taken.empty() || !OneDnnIntegerProduct(DTypeOf<T>, rows, columns, p.k, p.a + row * p.k,
                                             p.b + column * p.k, sums, columns)) {
    return false;
  }
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t c = 0; c < columns; ++c)
      sums[r * columns + c] -= taken[static_cast<size_t>(column + c)];
  }
  return true;
}
template <class T>
void SumByLoops(const Problem<T>& p, const IntegerProduct& product, int64_t row, int64_t rows,
                int64_t column, int64_t columns, int32_t* sums) {
  const auto centre = ActiveQuantized<T>().centre;
  const int64_t line = product.line();
  const Array<int16_t> wide(rows * line);
  std::vector<const int16_t*> lines(static_cast<size_t>(rows));
  for (int64_t r = 0; r < rows; ++r) {
    int16_t* const to = wide.begin() + r * line;
    centre(to, p.a + (row + r) * p.k, p.k, static_cast<int32_t>(p.zero));
    lines[static_cast<size_t>(r)] = to;
  }
  product.Sum(lines, column, columns, sums);
}

// f(row, column, columns, sums) for sums of (a - zero) * b, of a row and columns beside each other.
// f is called by several threads.
template <class T, class F>
void ForEachSums(const Problem<T>& p, F f) {
  const std::vector<int32_t> taken =
      LibrarySums() ? Taken(p.b, p.columns, p.k, p.zero) : std::vector<int32_t>();
  const IntegerProduct product = IntegerProduct::OfLines(p.b, p.k);
  const auto part = [&](int64_t row, int64_t rows, int64_t column, int64_t columns) {
    const int64_t at_once = taken.empty() ? IntegerProduct::LinesAtOnce(columns) : rows;
    std::vector<int32_t> sums(static_cast<size_t>(std::min(rows, at_once) * columns));
    for (int64_t r = row; r < row + rows; r += at_once) {
      const int64_t some = std::min(at_once, row + rows - r);
      if (!SumByLibrary(p, taken, r, some, column, columns, sums.data()))
        SumByLoops(p, product, r, some, column, columns, sums.data());
      for (int64_t i = 0; i < some; ++i) f(r + i, column, columns, sums.data() + i * columns);
    }
  };
  // Threads share rows, or columns where there are few rows.
  const bool by_rows = p.rows >= p.columns;
  const int64_t each = std::max<int64_t>(1, p.k) * (by_rows ? p.columns : p.rows);
  ParallelFor(std::max(p.rows, p.columns), std::max<int64_t>(1, kWork / each),
              [&](int64_t first, int64_t last) {
                if (by_rows) return part(first, last - first, 0, p.columns);
                part(0, p.rows, first, last - first);
              });
}

Tensor EmptyResult(Call call, const Tensor& input, const Tensor& weight, DType dtype) {
  RequireLinear(call.op(), input, weight);
  std::vector<int64_t> sizes(input.sizes().begin(), input.sizes().end());
  sizes.back() = weight.sizes()[0];
  return Tensor::Empty(sizes, dtype);
}

template <class T>
Problem<T> ProblemOf(const Tensor& input, int64_t zero, const Tensor& weight, const Tensor& out) {
  const int64_t n = weight.sizes()[0];
  return {input.data<T>(),  zero, weight.data<int8_t>(), n == 0 ? 0 : out.numel() / n, n,
          weight.sizes()[1]};
}

Tensor Linear(Call call, const Tensor& input, const Tensor& weight, const Tensor& bias,
              double scale, int64_t zero_point) {
  const Tensor out = EmptyResult(call, input, weight, input.dtype());
  const LayerFactors f = RequireFactors(call.op(), input, weight, bias, weight.sizes()[0]);
  RequireZeroPoint(call.op(), "output_zero_point", zero_point, input.dtype());
  const std::vector<float> added = BiasOf(bias, weight.sizes()[0]);
  const Tensor a = Contiguous(IntegersOf(input)), b = Contiguous(IntegersOf(weight));
  VisitDType<Mask(DType::kUInt8, DType::kInt8)>(input.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    const auto p = ProblemOf<T>(a, f.input_zero, b, out);
    const ToIntegers<T> by{1.0f / static_cast<float>(scale), static_cast<int32_t>(zero_point),
                           std::numeric_limits<T>::min()};
    ForEachSums(p, [&](int64_t row, int64_t column, int64_t columns, const int32_t* sums) {
      ActiveQuantized<T>().requantize(out.data<T>() + row * p.columns + column, sums, columns,
                                      f.steps.data() + column, added.data() + column, by);
    });
  });
  return MakeQuantized(out, Quantizer(scale, zero_point));
}

// Numbers as uint8, by the least and the largest of them.
Tensor QuantizedBytes(const Tensor& numbers, bool reduce_range) {
  const Tensor x = Contiguous(numbers);
  float least, most;
  ActiveQuantizedTables().products.range(x.data<float>(), x.numel(), &least, &most);
  const QuantizationParameters by = ParametersFor(least, most, 0, reduce_range ? 127 : 255);
  const float inverse = 1.0f / static_cast<float>(by.scale);
  const auto zero = static_cast<int32_t>(by.zero_point);
  const Tensor integers = Tensor::Empty(x.sizes(), DType::kUInt8);
  ParallelFor(x.numel(), kWork, [&](int64_t first, int64_t last) {
    ActiveQuantized<uint8_t>().quantize(integers.data<uint8_t>() + first, x.data<float>() + first,
                                        last - first, {&inverse, &zero, false});
  });
  return MakeQuantized(integers, Quantizer(by.scale, by.zero_point));
}

Tensor LinearDynamic(Call call, const Tensor& input, const Tensor& weight, const Tensor& bias,
                     bool reduce_range) {
  if (input.dtype() != DType::kFloat32 || !input.is_strided() || input.is_quantized()) {
    Fail(ErrorCode::kInvalidArgument, call.op(), {"expected float32, got ", Describe(input)});
  }
  const Tensor out = EmptyResult(call, input, weight, DType::kFloat32);
  const std::vector<float> added = BiasOf(bias, weight.sizes()[0]);
  auto* const to = out.data<float>();
  if (input.numel() == 0) {
    for (int64_t i = 0; i < out.numel(); ++i) to[i] = added[static_cast<size_t>(i) % added.size()];
    return out;
  }
  const Tensor x = QuantizedBytes(input, reduce_range), b = Contiguous(IntegersOf(weight));
  const LayerFactors f = RequireFactors(call.op(), x, weight, bias, weight.sizes()[0]);
  const Tensor a = IntegersOf(x);
  const auto p = ProblemOf<uint8_t>(a, f.input_zero, b, out);
  ForEachSums(p, [&](int64_t row, int64_t column, int64_t columns, const int32_t* sums) {
    ActiveQuantizedTables().products.scale(to + row * p.columns + column, sums, columns,
                                           f.steps.data() + column, added.data() + column);
  });
  return out;
}

const LayoutKernel kernel{"quantized_linear", kQuantized, Linear, "cpu"};
const LayoutKernel dynamic_kernel{"quantized_linear_dynamic", kQuantized, LinearDynamic, "cpu"};

}  // namespace
}  // namespace sy::cpu
