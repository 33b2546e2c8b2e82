// layer_norm and rms_norm.

#include <limits>

#include "backends/cuda/kernels/dense.h"
#include "backends/cuda/kernels/launch.h"
#include "switchyard/core/error.h"
#include "switchyard/core/shape.h"

namespace sy::cuda {
namespace {

DType WideOf(DType d) { return d == DType::kFloat64 || IsComplex(d) ? d : DType::kFloat32; }

void Normalize(Call call, bool centred, const Tensor& out, const Tensor& input, IntSpan shape,
               const Tensor& weight, const Tensor& bias, double eps, const Tensor* mean,
               const Tensor* factor) {
  if (out.numel() == 0) return;
  const DType d = input.dtype(), wide = WideOf(d);
  const Tensor x = Dense(call, input, d), w = Dense(call, weight, wide),
               b = Dense(call, bias, wide);
  NormArgs args{};
  args.n = NumElements(shape);
  args.rows = x.numel() / args.n;
  args.in = x.data();
  args.weight = w.defined() ? w.data() : nullptr;
  args.bias = b.defined() ? b.data() : nullptr;
  args.eps = eps;
  const DType m = mean == nullptr ? wide : mean->dtype();
  if (mean != nullptr) {
    args.mean = mean->data();
    args.factor = factor->data();
  }
  static constexpr char kFamily = 0;
  const KernelKey key{&kFamily,
                      {static_cast<uint64_t>(d), static_cast<uint64_t>(m), uint64_t{centred}}};
  const auto text = [&] {
    if (IsComplex(d))
      return KernelSource("norm", "NormArgs",
                          Join({"NormalizeComplex<", ElementName(d), ">(args)"}));
    return KernelSource("norm", "NormArgs",
                        Join({"Normalize<", ElementName(d), ", ", ElementName(wide), ", ",
                              ElementName(m), ", ", centred ? "true" : "false", ">(args)"}));
  };
  IntoDense(call, out, d, [&](const Tensor& to) {
    args.out = to.data();
    Launch(call, key, text, {args.rows, 256}, args);
  });
}

void LayerNorm(Call call, const Tensor& out, const Tensor& input, IntSpan shape,
               const Tensor& weight, const Tensor& bias, double eps, bool) {
  Normalize(call, true, out, input, shape, weight, bias, eps, nullptr, nullptr);
}

void NativeLayerNorm(Call call, const Tensor& out, const Tensor& mean, const Tensor& factor,
                     const Tensor& input, IntSpan shape, const Tensor& weight, const Tensor& bias,
                     double eps) {
  if (input.numel() == 0 && mean.numel() != 0) {  // rows without elements
    FillElements(call, mean, Scalar(0));
    FillElements(call, factor, Scalar(std::numeric_limits<double>::quiet_NaN()));
  }
  IntoDense(call, mean, mean.dtype(), [&](const Tensor& means) {
    IntoDense(call, factor, mean.dtype(), [&](const Tensor& factors) {
      Normalize(call, true, out, input, shape, weight, bias, eps, &means, &factors);
    });
  });
}

void RmsNorm(Call call, const Tensor& out, const Tensor& input, IntSpan shape, const Tensor& weight,
             Optional<double> eps) {
  const double least = RealType(input.dtype()) == DType::kFloat64
                           ? std::numeric_limits<double>::epsilon()
                           : std::numeric_limits<float>::epsilon();
  Normalize(call, false, out, input, shape, weight, {}, eps.value_or(least), nullptr, nullptr);
}

const Kernel layer_norm{"layer_norm", "cuda", kFloatingTypes, LayerNorm};
const Kernel native_layer_norm{"native_layer_norm", "cuda", kFloatingTypes, NativeLayerNorm};
const Kernel rms_norm{"rms_norm", "cuda", kFloatingTypes | kComplexTypes, RmsNorm};

}  // namespace
}  // namespace sy::cuda
