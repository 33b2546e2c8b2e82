// A packing on the host: matrices as int8 with a scale for each column, and their product.

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "switchyard/c/plugin.hpp"

namespace {

using namespace sy::abi;

constexpr uint64_t kFloat = SY_BIT(SY_FLOAT32);

// → int8 of x's sizes; float32, a scale a column.
void QuantizeRule(Rule& r, Tensor x) {
  if (x.dim() != 2) throw Error("x must be a matrix");
  const int64_t columns[] = {x.size(1)};
  r.Add(x.sizes(), DType{SY_INT8});
  r.Add(columns, DType{SY_FLOAT32});
  r.ComputeIn(x.dtype());
}
void Quantize(Call, Tensor q, Tensor scales, Tensor x) {
  for (int64_t j = 0; j < x.size(1); ++j) {
    const auto at = [&](int64_t i) { return Load<float>(x, i * x.stride(0) + j * x.stride(1)); };
    float most = 0;
    for (int64_t i = 0; i < x.size(0); ++i) most = std::max(most, std::abs(at(i)));
    const float scale = most == 0 ? 1 : most / 127;
    scales.data<float>()[j] = scale;
    for (int64_t i = 0; i < x.size(0); ++i)
      q.data<int8_t>()[i * q.stride(0) + j] = static_cast<int8_t>(std::nearbyint(at(i) / scale));
  }
}

void DequantizeRule(Rule& r, Tensor, Tensor, Span<const int64_t> sizes, DType dtype) {
  r.Add(sizes, dtype);
}
void Dequantize(Call, Tensor x, Tensor q, Tensor scales, Span<const int64_t>, DType) {
  for (int64_t i = 0; i < x.size(0); ++i) {
    for (int64_t j = 0; j < x.size(1); ++j) {
      x.data<float>()[i * x.stride(0) + j] =
          static_cast<float>(q.data<int8_t>()[i * q.stride(0) + j]) * scales.data<float>()[j];
    }
  }
}

void MmRule(Rule& r, Tensor self, Tensor, Tensor, Span<const int64_t> sizes) {
  const int64_t out[] = {self.size(0), sizes[1]};
  r.Add(out, self.dtype());
}
void Mm(Call, Tensor out, Tensor self, Tensor q, Tensor scales, Span<const int64_t> sizes) {
  for (int64_t i = 0; i < out.size(0); ++i) {
    for (int64_t j = 0; j < sizes[1]; ++j) {
      float sum = 0;
      for (int64_t k = 0; k < sizes[0]; ++k) {
        sum += Load<float>(self, i * self.stride(0) + k * self.stride(1)) *
               static_cast<float>(q.data<int8_t>()[k * q.stride(0) + j]);
      }
      out.data<float>()[i * out.stride(0) + j] = sum * scales.data<float>()[j];
    }
  }
}

constexpr SyOperatorDef kOperators[] = {
    RuleOperator<QuantizeRule>("packing::quantize(Tensor x) -> (Tensor, Tensor)"),
    RuleOperator<DequantizeRule>(
        "packing::dequantize(Tensor q, Tensor scales, int[] sizes, ScalarType dtype) -> Tensor"),
    RuleOperator<MmRule>(
        "packing::mm(Tensor self, Tensor q, Tensor scales, int[] sizes) -> Tensor"),
};
constexpr SyKernelDef kKernels[] = {
    Kernel<Quantize, 2>("packing::quantize", "cpu", kFloat),
    Kernel<Dequantize>("packing::dequantize", "cpu", kFloat),
    Kernel<Mm>("packing::mm", "cpu", kFloat),
};
constexpr SyPackedCall kCalls[] = {Served("mm", 1 << 1, "packing::mm")};
constexpr SyPackingDef kPackings[] = {
    Packing("packing::int8", "packing::quantize", "packing::dequantize", kCalls)};
constexpr SyPlugin kPlugin = MakePlugin("packing", "1.0", {}, kOperators, kKernels, kPackings);

}  // namespace

SY_PLUGIN(kPlugin, "packing")
