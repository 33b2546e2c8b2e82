#include "pointwise.h"

#include "convert.h"
#include "kernels.h"

namespace opencl {
namespace {

using namespace sy::abi;

void One(Call call, Tensor out, Tensor a) {
  RunPointwise(call, call.user<PointwiseOp>(), out, {a});
}
void Two(Call call, Tensor out, Tensor a, Tensor b) {
  RunPointwise(call, call.user<PointwiseOp>(), out, {a, b});
}
void TwoAndScale(Call call, Tensor out, Tensor a, Tensor b, Scalar scale) {
  RunPointwise(call, call.user<PointwiseOp>(), out, {a, b, scale});
}
void Three(Call call, Tensor out, Tensor a, Tensor b, Tensor c) {
  RunPointwise(call, call.user<PointwiseOp>(), out, {a, b, c});
}

SyKernelDef KernelFor(const PointwiseOp& op) {
  const auto make = [&]<auto kFn>() {
    SyKernelDef k =
        Kernel<kFn>(op.name, kDeviceName, op.dtypes, SY_KERNEL_OPTIONAL, kPointwiseFile, op.line);
    k.user = const_cast<PointwiseOp*>(&op);
    return k;
  };
  switch (op.takes) {
    case Takes::kOne:
      return make.template operator()<One>();
    case Takes::kTwo:
      return make.template operator()<Two>();
    case Takes::kTwoAndScale:
      return make.template operator()<TwoAndScale>();
    default:
      return make.template operator()<Three>();
  }
}

// Whether it meets 16-bit floats as one that must not be rounded to them; only numbers of the host
// are kept so.
bool MustKeep(const PointwiseOp& op, const Type& type, const Input& in) {
  const auto* t = std::get_if<Tensor>(&in);
  return op.keeps_numbers && type.is_half() && t != nullptr && !IsHost(*t) && t->numel() == 1 &&
         t->dtype().code != type.dtype;
}

}  // namespace

Operand OperandOf(Call call, const Type& type, const Input& in) {
  if (const auto* s = std::get_if<Scalar>(&in)) return NumberOf(type, *s);
  const Tensor t = std::get<Tensor>(in);
  if (IsHost(t)) return NumberOf(type, ReadHost(t));
  return InType(call, type, t);
}

void RunPointwise(Call call, const PointwiseOp& op, Tensor out, const std::vector<Input>& in) {
  if (out.numel() == 0) return;
  const Device& device = call.device<Device>();
  const Type& type = TypeOf(device, call.dtype());
  const Type& truth = TypeOf(device, {SY_BOOL});
  const char* expression = type.is_float() ? op.floats : op.integers;
  if (expression == nullptr) throw Declined();
  const Formula f{.name = op.name,
                  .compute = &type,
                  .out = op.is_truth ? &truth : &type,
                  .expression = expression,
                  .helpers = op.helpers,
                  .rounds_numbers = !op.keeps_numbers};
  std::vector<Operand> operands;
  for (size_t k = 0; k < in.size(); ++k) {
    if (MustKeep(op, type, in[k])) throw Declined();
    const bool chooses = op.takes == Takes::kChoice && k == 0;
    operands.push_back(OperandOf(call, chooses ? truth : type, in[k]));
  }
  const Result result(call, *f.out, out);
  RunElementwise(call, f, result.array(), operands);
  result.Finish();
}

void AddPointwise(KernelList& all) {
  for (const PointwiseOp& op : kPointwiseOps) all.push_back(KernelFor(op));
}

}  // namespace opencl
