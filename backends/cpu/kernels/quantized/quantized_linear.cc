// Linear layers on 8-bit integers: sums in int32, without rounding, then one step to numbers or to
// integers again. Source of what is rounded when: fbgemm's ReQuantizeOutput with a float bias.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "backends/cpu/kernels/quantized/affine.h"
#include "backends/cpu/kernels/quantized/channel_factors.h"
#include "backends/cpu/kernels/quantized/dot_product.h"
#include "backends/cpu/kernels/quantized/integer_product.h"
#include "switchyard/backends/cpu/engine/dense.h"
#include "switchyard/backends/cpu/quantized/lanes.h"
#include "switchyard/backends/cpu/simd/array.h"
#include "switchyard/op/layout_kernel.h"
#include "switchyard/ops/quantized/layers.h"
#include "switchyard/ops/quantized/prepared_weight.h"

namespace sy::cpu {
namespace {

// [rows, k] and [columns, k] without gaps.
template <class T>
struct Problem {
  const T* a;
  int64_t zero;  // of a
  const int8_t* b;
  int64_t rows, columns, k;
  PreparedWeight* prepared;  // of b; may be null
};

struct PackedOnce final : PreparedWeight::Made {
  explicit PackedOnce(DotProduct p) : product(std::move(p)) {}
  DotProduct product;
};

// Parts of [rows, columns] for threads, which share rows, or columns where there are few rows, in
// multiples of `unit`.
template <class Part>
void ForEachPart(int64_t rows, int64_t columns, int64_t k, int64_t unit, Part part) {
  const bool by_rows = rows >= columns;
  const int64_t units = (columns + unit - 1) / unit;
  const int64_t each = std::max<int64_t>(1, k) * (by_rows ? columns : rows * unit);
  ParallelFor(by_rows ? rows : units, std::max<int64_t>(1, kWork / std::max<int64_t>(1, each)),
              [&](int64_t first, int64_t last) {
                if (by_rows) return part(first, last - first, 0, columns);
                part(0, rows, first * unit, std::min(columns, last * unit) - first * unit);
              });
}

// f(row, rows, column, columns, sums) for sums of (a - zero) * b. f is called by several threads.
template <class T, class F>
void ForEachWideSums(const Problem<T>& p, F f) {
  const auto centre = ActiveQuantized<T>().centre;
  const IntegerProduct product = IntegerProduct::OfLines(p.b, p.k);
  const int64_t line = product.line();
  ForEachPart(p.rows, p.columns, p.k, 1,
              [&](int64_t row, int64_t rows, int64_t column, int64_t columns) {
                const int64_t at_once = std::min(rows, IntegerProduct::LinesAtOnce(columns));
                std::vector<int32_t> sums(static_cast<size_t>(at_once * columns));
                const Array<int16_t> wide(at_once * line);
                std::vector<const int16_t*> lines;
                for (int64_t r = row; r < row + rows; r += at_once) {
                  const int64_t some = std::min(at_once, row + rows - r);
                  lines.clear();
                  for (int64_t i = 0; i < some; ++i) {
                    int16_t* const to = wide.begin() + i * line;
                    centre(to, p.a + (r + i) * p.k, p.k, static_cast<int32_t>(p.zero));
                    lines.push_back(to);
                  }
                  product.Sum(lines, column, columns, sums.data(), columns);
                  f(r, some, column, columns, sums.data());
                }
              });
}
constexpr int64_t kFewPrepared = 4;
template <class T, class F>
void ForEachDotSums(const DotLoops& dots, const Problem<T>& p, F f) {
  const int32_t zero = DotZero<T>(p.zero);
  // Of few rows packing the weight would take longer than multiplying by it.
  const bool few = p.rows <= (p.prepared == nullptr ? DotLoops::kFewRows : kFewPrepared);
  // Lines as they lie, or where they do not suit a copy of them.
  const int64_t line = few ? p.k : (p.k + 3) / 4 * 4;
  Array<uint8_t> copied;
  const uint8_t* a = nullptr;
  if constexpr (std::is_same_v<T, uint8_t>) a = line == p.k ? p.a : nullptr;
  if (a == nullptr) {
    copied = Array<uint8_t>(p.rows * line);
    ParallelFor(p.rows, std::max<int64_t>(1, kWork / std::max<int64_t>(1, line)),
                [&](int64_t first, int64_t last) {
                  for (int64_t r = first; r < last; ++r)
                    CopyForDots(dots, copied.begin() + r * line, p.a + r * p.k, p.k);
                });
    a = copied.begin();
  }
  if (few) {
    const int64_t unit = DotLoops::kColumns, units = (p.columns + unit - 1) / unit;
    return ParallelFor(
        units, std::max<int64_t>(1, kWork / std::max<int64_t>(1, p.rows * p.k * unit)),
        [&](int64_t first, int64_t last) {
          const int64_t column = first * unit, columns = std::min(p.columns, last * unit) - column;
          const Array<int32_t> sums(p.rows * columns);
          dots.few(sums.begin(), columns, a, p.rows, p.b + column * p.k, columns, p.k, zero);
          f(0, p.rows, column, columns, sums.begin());
        });
  }
  const PackedOnce* const packed =
      p.prepared == nullptr ? nullptr : &p.prepared->template Get<PackedOnce>([&] {
        return std::make_unique<PackedOnce>(DotProduct::OfLines(dots, p.b, p.columns, p.k));
      });
  const Array<int32_t> starts =
      packed == nullptr ? Array<int32_t>() : packed->product.StartsFor(zero);
  // Some columns at a time, whose packed weights and sums stay in the second-level cache.
  constexpr int64_t kPacked = 1 << 17, kSums = 1 << 16, kUnit = DotProduct::kColumns;
  const int64_t panel = std::max(kUnit, kPacked / std::max<int64_t>(1, p.k) / kUnit * kUnit);
  ForEachPart(p.rows, p.columns, p.k, kUnit,
              [&](int64_t row, int64_t rows, int64_t column, int64_t columns) {
                const int64_t most = std::min(columns, panel),
                              at_once = std::min(rows, std::max<int64_t>(24, kSums / most));
                const Array<int32_t> sums(at_once * most);
                std::vector<const uint8_t*> lines;
                // Columns c … c + n of the weight are those from `from` on of a product.
                const auto sum = [&](const DotProduct& product, const Array<int32_t>& begin,
                                     int64_t from, int64_t c, int64_t n) {
                  for (int64_t r = row; r < row + rows; r += at_once) {
                    const int64_t some = std::min(at_once, row + rows - r);
                    lines.clear();
                    for (int64_t i = 0; i < some; ++i) lines.push_back(a + (r + i) * line);
                    product.Sum(lines, begin, from, n, sums.begin(), n);
                    f(r, some, c, n, sums.begin());
                  }
                };
                for (int64_t c = column; c < column + columns; c += panel) {
                  const int64_t n = std::min(panel, column + columns - c);
                  if (packed != nullptr) {
                    sum(packed->product, starts, c, c, n);
                  } else {
                    const DotProduct own = DotProduct::OfLines(dots, p.b + c * p.k, n, p.k);
                    sum(own, own.StartsFor(zero), 0, c, n);
                  }
                }
              });
}
template <class T, class F>
void ForEachSums(const Problem<T>& p, F f) {
  if (p.rows == 0 || p.columns == 0) return;
  if (const DotLoops* dots = ActiveDotLoops()) return ForEachDotSums(*dots, p, f);
  ForEachWideSums(p, f);
}

Tensor EmptyResult(Call call, const Tensor& input, const Tensor& weight, DType dtype) {
  RequireLinear(call.op(), input, weight);
  std::vector<int64_t> sizes(input.sizes().begin(), input.sizes().end());
  sizes.back() = weight.sizes()[0];
  return Tensor::Empty(sizes, dtype);
}

template <class T>
Problem<T> ProblemOf(const Tensor& input, int64_t zero, const Tensor& weight, const Tensor& out,
                     PreparedWeight* prepared) {
  const int64_t n = weight.sizes()[0];
  return {input.data<T>(),   zero,    weight.data<int8_t>(), n == 0 ? 0 : out.numel() / n, n,
          weight.sizes()[1], prepared};
}

Tensor Linear(Call call, const Tensor& input, const Tensor& weight, const Tensor& bias,
              double scale, int64_t zero_point) {
  const Tensor out = EmptyResult(call, input, weight, input.dtype());
  const LayerFactors f = RequireFactors(call.op(), input, weight, bias, weight.sizes()[0]);
  RequireZeroPoint(call.op(), "output_zero_point", zero_point, input.dtype());
  const ChannelFactors factors(f.steps, BiasOf(bias, weight.sizes()[0]));
  const Tensor a = Contiguous(IntegersOf(input)), b = Contiguous(IntegersOf(weight));
  VisitDType<Mask(DType::kUInt8, DType::kInt8)>(input.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    const auto p = ProblemOf<T>(a, f.input_zero, b, out, FindPreparedWeight(weight));
    const ToIntegers<T> by{1.0f / static_cast<float>(scale), static_cast<int32_t>(zero_point),
                           std::numeric_limits<T>::min()};
    const auto requantize = ActiveQuantized<T>().requantize;
    ForEachSums(
        p, [&](int64_t row, int64_t rows, int64_t column, int64_t columns, const int32_t* sums) {
          factors.ForEach(
              row, rows, column, columns,
              [&](int64_t to, int64_t from, int64_t n, const float* steps, const float* added) {
                requantize(out.data<T>() + to, sums + from, n, steps, added, by);
              });
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
  const auto p = ProblemOf<uint8_t>(a, f.input_zero, b, out, FindPreparedWeight(weight));
  const ChannelFactors factors(f.steps, added);
  const auto scale = ActiveQuantizedTables().products.scale;
  ForEachSums(p, [&](int64_t row, int64_t rows, int64_t column, int64_t columns,
                     const int32_t* sums) {
    factors.ForEach(row, rows, column, columns,
                    [&](int64_t at, int64_t from, int64_t n, const float* steps,
                        const float* bias_of) { scale(to + at, sums + from, n, steps, bias_of); });
  });
  return out;
}

const LayoutKernel kernel{"quantized_linear", kQuantized, Linear, "cpu"};
const LayoutKernel dynamic_kernel{"quantized_linear_dynamic", kQuantized, LinearDynamic, "cpu"};

}  // namespace
}  // namespace sy::cpu
