// Element by element, of one input. Memory without gaps that lies as the output does is walked over
// in a row; what has other strides is declined: the host's kernels take it as it is, which is
// quicker than a copy.

#include "finite.h"
#include "kernels.h"
#include "layout.h"

namespace xnnpack {
namespace {

void RequireAlike(Tensor out, Tensor x) {
  if (out.dtype() != kFloat32 || x.dtype() != kFloat32) throw Declined("only float32");
  if (!LieAlike(out, x) || !IsDense(out)) throw Declined("only memory without gaps, alike");
}

// What an input may hold.
enum Holds { kAnything, kNoNan, kFinite };

// create(xnn_operator_t*), setup as XNNPACK has it for one channel.
template <class Create, class Setup>
void Compute(Call call, Tensor out, Tensor x, Holds holds, Create create, Setup setup) {
  if (out.numel() == 0) return;
  RequireAlike(out, x);
  if (holds == kNoNan) RequireNoNan(x.data<float>(), x.numel());
  if (holds == kFinite) RequireFinite(x.data<float>(), x.numel());
  Operator op;
  Created(create(op.out()));
  op.Run(Pool(call, out.numel()), [&](xnn_operator_t o, pthreadpool_t pool) {
    return setup(o, static_cast<size_t>(out.numel()), x.data<float>(), out.data<float>(), pool);
  });
}

// Operators without numbers.
template <auto kCreate, auto kSetup, Holds kHolds = kAnything>
void Unary(Call call, Tensor out, Tensor x) {
  Compute(
      call, out, x, kHolds, [](auto* op) { return kCreate(1, 1, 1, 0, op); }, kSetup);
}

// Where nothing is left between the bounds, or they are NaN, the host knows what is right.
void Clamped(Call call, Tensor out, Tensor x, float low, float high) {
  if (!(low < high)) throw Declined("bounds that leave nothing between them");
  Compute(
      call, out, x, kNoNan,
      [&](auto* op) { return xnn_create_clamp_nc_f32(1, 1, 1, low, high, 0, op); },
      xnn_setup_clamp_nc_f32);
}
void Relu(Call call, Tensor out, Tensor x) { Clamped(call, out, x, 0, kInfinity); }
void Relu6(Call call, Tensor out, Tensor x) { Clamped(call, out, x, 0, 6); }
void Hardtanh(Call call, Tensor out, Tensor x, Scalar low, Scalar high) {
  Clamped(call, out, x, low.To<float>(), high.To<float>());
}
void Clamp(Call call, Tensor out, Tensor x, Optional<Scalar> low, Optional<Scalar> high) {
  Clamped(call, out, x, low ? low->To<float>() : -kInfinity, high ? high->To<float>() : kInfinity);
}
void ClampMin(Call call, Tensor out, Tensor x, Scalar low) {
  Clamped(call, out, x, low.To<float>(), kInfinity);
}
void ClampMax(Call call, Tensor out, Tensor x, Scalar high) {
  Clamped(call, out, x, -kInfinity, high.To<float>());
}

void LeakyRelu(Call call, Tensor out, Tensor x, Scalar slope) {
  Compute(
      call, out, x, kAnything,
      [&](auto* op) { return xnn_create_leaky_relu_nc_f32(1, 1, 1, slope.To<float>(), 0, op); },
      xnn_setup_leaky_relu_nc_f32);
}

void Elu(Call call, Tensor out, Tensor x, Scalar alpha, Scalar scale, Scalar input_scale) {
  if (scale.To<float>() != 1 || input_scale.To<float>() != 1)
    throw Declined("XNNPACK scales by alpha alone");
  Compute(
      call, out, x, kAnything,
      [&](auto* op) { return xnn_create_elu_nc_f32(1, 1, 1, alpha.To<float>(), 0, op); },
      xnn_setup_elu_nc_f32);
}

}  // namespace

void AddUnary(KernelList& all) {
  Add<Unary<xnn_create_abs_nc_f32, xnn_setup_abs_nc_f32>>(all, "abs");
  Add<Unary<xnn_create_negate_nc_f32, xnn_setup_negate_nc_f32>>(all, "neg");
  Add<Unary<xnn_create_square_root_nc_f32, xnn_setup_square_root_nc_f32>>(all, "sqrt");
  Add<Unary<xnn_create_square_nc_f32, xnn_setup_square_nc_f32>>(all, "square");
  Add<Unary<xnn_create_floor_nc_f32, xnn_setup_floor_nc_f32>>(all, "floor");
  Add<Unary<xnn_create_ceiling_nc_f32, xnn_setup_ceiling_nc_f32>>(all, "ceil");
  Add<Unary<xnn_create_bankers_rounding_nc_f32, xnn_setup_bankers_rounding_nc_f32>>(all, "round");
  Add<Unary<xnn_create_truncation_nc_f32, xnn_setup_truncation_nc_f32>>(all, "trunc");
  Add<Unary<xnn_create_sigmoid_nc_f32, xnn_setup_sigmoid_nc_f32>>(all, "sigmoid");
  Add<Unary<xnn_create_hardswish_nc_f32, xnn_setup_hardswish_nc_f32, kFinite>>(all, "hardswish");
  Add<Relu>(all, "relu");
  Add<Relu6>(all, "relu6");
  Add<Hardtanh>(all, "hardtanh");
  Add<Clamp>(all, "clamp");
  Add<ClampMin>(all, "clamp_min");
  Add<ClampMax>(all, "clamp_max");
  Add<LeakyRelu>(all, "leaky_relu");
  Add<Elu>(all, "elu");
}

}  // namespace xnnpack
