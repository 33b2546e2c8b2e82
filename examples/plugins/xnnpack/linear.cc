// Products with a matrix of weights: x W + b, XNNPACK's fully connected layer. The weight is packed
// with the bias: once, where the program has frozen them (sy::freeze), else at each call.

#include "finite.h"
#include "kernels.h"
#include "weights.h"

namespace xnnpack {
namespace {

// x: [rows, in], elements of a row together.
struct Rows {
  const float* data;
  int64_t rows, in, stride;
};

// All but the last dimension are one.
Rows RowsOf(Call call, Tensor x) {
  const int64_t in = x.size(x.dim() - 1), rows = x.numel() / in;
  if (x.is_contiguous()) return {x.data<float>(), rows, in, in};
  if (x.dim() == 2 && (in == 1 || x.stride(1) == 1) && (rows == 1 || x.stride(0) >= in))
    return {x.data<float>(), rows, in, rows == 1 ? in : x.stride(0)};
  auto* copy = Scratch<float>(call, x.numel());
  std::vector<int64_t> strides(static_cast<size_t>(x.dim()));
  int64_t n = 1;
  for (int64_t d = x.dim() - 1; d >= 0; --d) {
    strides[static_cast<size_t>(d)] = n;
    n *= x.size(d);
  }
  CopyElements(call, x.sizes(), {copy, strides}, {x.data(), x.strides()}, sizeof(float));
  return {copy, rows, in, in};
}

void RequireFiniteRows(const Rows& x) {
  if (x.stride == x.in) return RequireFinite(x.data, x.rows * x.in);
  for (int64_t row = 0; row < x.rows; ++row) RequireFinite(x.data + row * x.stride, x.in);
}

// What a weight is in a call: its place among the arguments, for constants, and its dimensions.
struct Weight {
  Tensor tensor;
  int argument;
  bool in_first;  // [in, out]; else [out, in]
  Tensor bias;    // a vector, or undefined
  int bias_argument;
};

void Make(Call call, Kept& made, const Weight& w, const Rows& x, int64_t outputs) {
  const int64_t in_dim = w.in_first ? 0 : 1, out_dim = 1 - in_dim;
  const int64_t in_stride = x.in == 1 ? 1 : w.tensor.stride(in_dim);
  const int64_t out_stride = outputs == 1 ? 1 : w.tensor.stride(out_dim);
  const auto* kernel = w.tensor.data<float>();
  uint32_t flags = 0;
  if (out_stride == 1 && (x.in == 1 || in_stride == outputs)) {
    flags = XNN_FLAG_TRANSPOSE_WEIGHTS;  // [in, out] in memory
  } else if (in_stride != 1 || (outputs != 1 && out_stride != x.in)) {
    float* copy = Scratch<float>(call, x.in * outputs);
    const int64_t sizes[] = {outputs, x.in}, to[] = {x.in, 1}, from[] = {out_stride, in_stride};
    CopyElements(call, sizes, {copy, to}, {w.tensor.data(), from}, sizeof(float));
    kernel = copy;
  }
  const float* bias = w.bias.defined() ? Vector(call, w.bias) : nullptr;
  made.finite = AllFinite(kernel, x.in * outputs) && (bias == nullptr || AllFinite(bias, outputs));
  const auto in = static_cast<size_t>(x.in), out = static_cast<size_t>(outputs);
  Created(xnn_create_fully_connected_nc_f32(in, out, static_cast<size_t>(x.stride), out, kernel,
                                            bias, -kInfinity, kInfinity, flags, made.op.out()));
}

// out: [rows, outputs] without gaps.
void Product(Call call, float* out, int64_t outputs, const Rows& x, const Weight& w) {
  RequireFiniteRows(x);
  const auto run = [&](Kept& kept) {
    if (!kept.finite) throw Declined("XNNPACK gives no NaN, and a weight is not finite");
    kept.op.Run(Pool(call, x.rows * outputs * std::max<int64_t>(1, x.in / 8)),
                [&](xnn_operator_t o, pthreadpool_t pool) {
                  return xnn_setup_fully_connected_nc_f32(o, static_cast<size_t>(x.rows), x.data,
                                                          out, pool);
                });
  };
  const auto make = [&](Kept& made) { Make(call, made, w, x, outputs); };
  const bool biased = w.bias.defined();
  const uint64_t weight_bit = ConstantBit(w.tensor, w.argument),
                 bias_bit = ConstantBit(w.bias, w.bias_argument);
  if (weight_bit != 0 && (bias_bit != 0 || !biased)) {
    // The same storage may be seen as several matrices.
    const int64_t key[] = {x.stride,
                           x.in,
                           outputs,
                           w.tensor.stride(0),
                           w.tensor.stride(1),
                           reinterpret_cast<intptr_t>(w.tensor.data()),
                           biased ? reinterpret_cast<intptr_t>(w.bias.data()) : 0};
    run(Keep(call, key, weight_bit | bias_bit, make));
  } else {
    Kept once;
    make(once);
    run(once);
  }
}

void RequireFloats(std::initializer_list<Tensor> all) {
  for (Tensor t : all) {
    if (!t.defined()) continue;
    if (t.dtype() != kFloat32) throw Declined("only float32");
    if (t.numel() == 0) throw Declined("a matrix without elements");
  }
}

void Mm(Call call, Tensor out, Tensor a, Tensor b) {
  if (out.numel() == 0) return;
  RequireFloats({out, a, b});
  if (!out.is_contiguous()) throw Declined("only into contiguous matrices");
  Product(call, out.data<float>(), out.size(1), RowsOf(call, a), {b, 1, true, Tensor(), 0});
}

void Addmm(Call call, Tensor out, Tensor self, Tensor a, Tensor b, Scalar beta, Scalar alpha) {
  if (out.numel() == 0) return;
  RequireFloats({out, self, a, b});
  if (!out.is_contiguous()) throw Declined("only into contiguous matrices");
  if (alpha.To<double>() != 1 || beta.To<double>() != 1)
    throw Declined("XNNPACK adds a bias that is not scaled");
  if (self.dim() != 1 || self.size(0) != out.size(1)) throw Declined("only a vector to be added");
  Product(call, out.data<float>(), out.size(1), RowsOf(call, a), {b, 2, true, self, 0});
}

// input: [.., in], weight: [out, in], bias: [out] or absent
void Linear(Call call, Tensor x, Tensor weight, Tensor bias) {
  if (x.dim() == 0 || weight.dim() != 2) throw Declined("only a matrix as weight");
  RequireFloats({x, weight, bias});
  if (x.size(x.dim() - 1) != weight.size(1) ||
      (bias.defined() && (bias.dim() != 1 || bias.size(0) != weight.size(0))))
    throw Declined("sizes that do not fit");  // the host has the words for it
  std::vector<int64_t> sizes(x.sizes().begin(), x.sizes().end());
  sizes.back() = weight.size(0);
  Owned out = call.NewTensor(sizes, kFloat32);
  Product(call, out.tensor().data<float>(), weight.size(0), RowsOf(call, x),
          {weight, 1, false, bias, 2});
  call.SetOut(0, std::move(out));
}

}  // namespace

void AddLinear(KernelList& all) {
  Add<Mm>(all, "mm");
  Add<Addmm>(all, "addmm");
  Add<Linear, 0>(all, "linear");
}

}  // namespace xnnpack
