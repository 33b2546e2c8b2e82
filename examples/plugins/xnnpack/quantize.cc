// Between float32 and int8, and sums of int8.

#include "finite.h"
#include "kernels.h"
#include "quantized.h"
#include "reference.h"

namespace xnnpack {
namespace {

// Memory that is walked over in order: of x, where it lies as out does, or a copy. out has no gaps;
// x broadcasts.
template <class T>
const T* Flat(Call call, Tensor out, Tensor x) {
  if (LieAlike(out, x)) return x.data<T>();
  std::vector<int64_t> strides(static_cast<size_t>(out.dim()));
  const int64_t missing = out.dim() - x.dim();
  for (int64_t d = missing; d < out.dim(); ++d)
    strides[static_cast<size_t>(d)] = x.size(d - missing) == 1 ? 0 : x.stride(d - missing);
  T* copy = Scratch<T>(call, out.numel());
  CopyElements(call, out.sizes(), {copy, out.strides()}, {x.data(), strides}, sizeof(T));
  return copy;
}

void QuantizeRule(Rule& r, Tensor x, double scale, int64_t zero) {
  ScaleOf("", scale, zero);
  RequireDType("x", x, kFloat32);
  r.AddLike(x, kInt8);
  r.ComputeIn(kFloat32);
}
void Quantize(Call call, Tensor out, Tensor x, double scale, int64_t zero) {
  if (out.numel() == 0) return;
  if (!IsDense(out)) throw Declined("only outputs without gaps");
  const Scale s = ScaleOf("", scale, zero);
  const auto* in = Flat<float>(call, out, x);
  RequireNoNan(in, out.numel());
  Operator op;
  Created(xnn_create_convert_nc_f32_qs8(1, 1, 1, s.scale, s.zero, -128, 127, 0, op.out()));
  op.Run(Pool(call, out.numel()), [&](xnn_operator_t o, pthreadpool_t pool) {
    return xnn_setup_convert_nc_f32_qs8(o, static_cast<size_t>(out.numel()), in, out.data<int8_t>(),
                                        pool);
  });
}

void DequantizeRule(Rule& r, Tensor x, double scale, int64_t zero) {
  ScaleOf("", scale, zero);
  RequireDType("x", x, kInt8);
  r.AddLike(x, kFloat32);
  r.ComputeIn(kInt8);
}
void Dequantize(Call call, Tensor out, Tensor x, double scale, int64_t zero) {
  if (out.numel() == 0) return;
  if (!IsDense(out)) throw Declined("only outputs without gaps");
  const Scale s = ScaleOf("", scale, zero);
  const auto* in = Flat<int8_t>(call, out, x);
  Operator op;
  Created(xnn_create_convert_nc_qs8_f32(1, 1, 1, s.scale, s.zero, 0, op.out()));
  op.Run(Pool(call, out.numel()), [&](xnn_operator_t o, pthreadpool_t pool) {
    return xnn_setup_convert_nc_qs8_f32(o, static_cast<size_t>(out.numel()), in, out.data<float>(),
                                        pool);
  });
}

void QuantizeWeightRule(Rule& r, Tensor w) {
  RequireDType("weight", w, kFloat32);
  if (w.dim() == 0 || w.size(0) == 0) throw Error("weight must have output channels");
  const int64_t n[] = {w.size(0)};
  r.AddLike(w, kInt8);
  r.Add(n, kFloat32);
  r.ComputeIn(kFloat32);
}

void AddRule(Rule& r, Tensor a, double a_scale, int64_t a_zero, Tensor b, double b_scale,
             int64_t b_zero, double out_scale, int64_t out_zero) {
  ScaleOf("a_", a_scale, a_zero);
  ScaleOf("b_", b_scale, b_zero);
  ScaleOf("out_", out_scale, out_zero);
  RequireDType("a", a, kInt8);
  RequireDType("b", b, kInt8);
  r.Pointwise({a, b});
}
void AddQuantized(Call call, Tensor out, Tensor a, double a_scale, int64_t a_zero, Tensor b,
                  double b_scale, int64_t b_zero, double out_scale, int64_t out_zero) {
  if (out.numel() == 0) return;
  if (!IsDense(out)) throw Declined("only outputs without gaps");
  const Scale x = ScaleOf("a_", a_scale, a_zero), y = ScaleOf("b_", b_scale, b_zero),
              z = ScaleOf("out_", out_scale, out_zero);
  SumNumbersOf(x.scale, y.scale, z.scale);
  const auto *first = Flat<int8_t>(call, out, a), *second = Flat<int8_t>(call, out, b);
  Operator op;
  Created(xnn_create_add_nd_qs8(x.zero, x.scale, y.zero, y.scale, z.zero, z.scale, -128, 127, 0,
                                op.out()));
  const size_t n[] = {static_cast<size_t>(out.numel())};
  op.Run(Pool(call, out.numel()), [&](xnn_operator_t o, pthreadpool_t pool) {
    return xnn_setup_add_nd_qs8(o, 1, n, 1, n, first, second, out.data<int8_t>(), pool);
  });
}

}  // namespace

void AddQuantization(KernelList& all, OperatorList& operators) {
  operators.push_back(
      RuleOperator<QuantizeRule>("xnnpack::quantize(Tensor x, float scale, int zero) -> Tensor"));
  operators.push_back(RuleOperator<DequantizeRule>(
      "xnnpack::dequantize(Tensor x, float scale, int zero) -> Tensor"));
  operators.push_back(RuleOperator<QuantizeWeightRule>(
      "xnnpack::quantize_weight(Tensor weight) -> (Tensor, Tensor)"));
  operators.push_back(RuleOperator<AddRule>(
      "xnnpack::qadd(Tensor a, float a_scale, int a_zero, Tensor b, float b_scale, int b_zero, "
      "float out_scale, int out_zero) -> Tensor"));
  AddOwn<Quantize, reference::Quantize>(all, "xnnpack::quantize", kFloat);
  AddOwn<Dequantize, reference::Dequantize>(all, "xnnpack::dequantize", kByte);
  AddOwn<reference::QuantizeWeight, reference::QuantizeWeight, 2>(all, "xnnpack::quantize_weight",
                                                                  kFloat);
  AddOwn<AddQuantized, reference::AddQuantized>(all, "xnnpack::qadd", kByte);
}

}  // namespace xnnpack
