// layer_norm and rms_norm.

#include <limits>
#include <string>

#include "backends/cuda/driver/cudnn.h"
#include "backends/cuda/engine/dense.h"
#include "backends/cuda/engine/lines.h"
#include "backends/cuda/engine/measured.h"
#include "backends/cuda/engine/specialised.h"
#include "backends/cuda/kernels/nn/dnn_norm.h"
#include "switchyard/core/error.h"
#include "switchyard/core/shape.h"
#include "third_party/fmt/format.h"

namespace sy::cuda {
namespace {

DType WideOf(DType d) { return d == DType::kFloat64 || IsComplex(d) ? d : DType::kFloat32; }

// Rows of dtype d; m: the dtype of mean and factor.
void RunRows(Call call, bool centred, DType d, DType m, NormArgs& args) {
  const auto lies_at = [](const void* p, size_t bytes) {
    return reinterpret_cast<uintptr_t>(p) % bytes == 0;
  };
  const size_t item = ItemSize(d), wide_item = ItemSize(WideOf(d));
  auto each = static_cast<int>(16 / item);
  for (; each > 1; each /= 2) {
    const auto n = static_cast<size_t>(each);
    if (args.n % each == 0 && lies_at(args.in, n * item) && lies_at(args.out, n * item) &&
        lies_at(args.weight, n * wide_item) && lies_at(args.bias, n * wide_item))
      break;
  }
  const Held held = HeldLines(args.n, each);
  Launch(call,
         Specialised("norm", "NormArgs", "Normalize")
             .Element(d)
             .Element(WideOf(d))
             .Element(m)
             .Number(centred ? 1 : 0)
             .Number(held.lanes)
             .Number(each)
             .Number(held.packs)
             .Bound(BoundsOf(held, each)),
         GridOf(args.rows, held.lanes), args);
}

// By cuDNN, where that has been measured to be faster. False, and nothing done, where it has not.
bool RunFasterRows(Call call, bool centred, DType d, DType m, NormArgs& args) {
  CudaStream& stream = StreamOf(call.key);
  if (!MayMeasure(stream) || FindDnn() == nullptr) return false;
  const std::string key = fmt::format("norm {:d} {} {} {} {:d}", centred, static_cast<int>(d),
                                      int64_t{args.rows}, int64_t{args.n}, args.mean != nullptr);
  const std::string names[] = {"own", "cuDNN"};
  const auto run = [&](size_t i) {
    if (i != 0) return DnnNormalize(call, centred, d, args);
    RunRows(call, centred, d, m, args);
    return true;
  };
  return Fastest(stream, key, names, run) != 0 && run(1);
}

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
  IntoDense(call, out, d, [&](const Tensor& to) {
    args.out = to.data();
    if (IsComplex(d)) {
      return Launch(call, Specialised("norm", "NormArgs", "NormalizeComplex").Element(d),
                    {args.rows, kLineThreads}, args);
    }
    const bool told = mean == nullptr || (m == DType::kFloat32 && centred);
    if (!told || !RunFasterRows(call, centred, d, m, args)) RunRows(call, centred, d, m, args);
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
