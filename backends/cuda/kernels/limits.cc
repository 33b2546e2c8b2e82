// Operators whose numbers are limits or choices: clamp, pow with a number, round to decimals,
// nan_to_num, logit; activations with constants.

#include <cmath>
#include <limits>
#include <optional>

#include "backends/cuda/kernels/pointwise.h"
#include "switchyard/core/error.h"
#include "switchyard/core/transfer.h"

namespace sy::cuda {
namespace {

void ClampTensor(Call call, const Tensor& out, const Tensor& self, const Tensor& min,
                 const Tensor& max) {
  if (!max.defined()) return RunFormula(call, *Formula("maximum"), out, {&self, &min});
  if (!min.defined()) return RunFormula(call, *Formula("minimum"), out, {&self, &max});
  RunFormula(call, *Formula("clamp"), out, {&self, &min, &max});
}
void Clamp(Call call, const Tensor& out, const Tensor& self, const std::optional<Scalar>& min,
           const std::optional<Scalar>& max) {
  const Tensor none;
  ClampTensor(call, out, self, min ? NumberTensor(*min) : none, max ? NumberTensor(*max) : none);
}
void ClampMax(Call call, const Tensor& out, const Tensor& self, const Scalar& max) {
  ClampTensor(call, out, self, {}, NumberTensor(max));
}
void ClampMin(Call call, const Tensor& out, const Tensor& self, const Scalar& min) {
  ClampTensor(call, out, self, NumberTensor(min), {});
}
void Hardtanh(Call call, const Tensor& out, const Tensor& self, const Scalar& min_val,
              const Scalar& max_val) {
  ClampTensor(call, out, self, NumberTensor(min_val), NumberTensor(max_val));
}
void Relu6(Call call, const Tensor& out, const Tensor& self) {
  Hardtanh(call, out, self, Scalar(0), Scalar(6));
}

constexpr DTypeMask kClamped = Formula("clamp")->dtypes();
const Kernel clamp{"clamp", "cuda", kClamped, Clamp};
const Kernel clamp_tensor{"clamp.Tensor", "cuda", kClamped, ClampTensor};
const Kernel clamp_max{"clamp_max", "cuda", kClamped, ClampMax};
const Kernel clamp_min{"clamp_min", "cuda", kClamped, ClampMin};
const Kernel hardtanh{"hardtanh", "cuda", kClamped, Hardtanh};
const Kernel relu6{"relu6", "cuda", kClamped, Relu6};

void Celu(Call call, const Tensor& out, const Tensor& self, const Scalar& alpha) {
  RunFormula(call, *Formula("elu"), out, {&self},
             {alpha, Scalar(1), Scalar(1 / alpha.To<double>())});
}
// Source: G. Klambauer et al., "Self-normalizing neural networks", NIPS 2017.
void Selu(Call call, const Tensor& out, const Tensor& self) {
  RunFormula(call, *Formula("elu"), out, {&self},
             {Scalar(1.6732632423543772848170429916717), Scalar(1.0507009873554804934193349852946),
              Scalar(1)});
}
void Gelu(Call call, const Tensor& out, const Tensor& self, std::string_view approximate) {
  RunFormula(call, approximate == "tanh" ? *Formula("gelu_tanh") : *Formula("gelu"), out, {&self});
}
void Glu(Call call, const Tensor& out, const Tensor& self, int64_t dim) {
  const auto d = static_cast<size_t>(dim < 0 ? dim + self.dim() : dim);
  const auto half = [&](int64_t first) {
    return self.AsStrided(out.sizes(), self.strides(),
                          self.storage_offset() + first * self.strides()[d]);
  };
  const Tensor a = half(0), b = half(out.sizes()[d]);
  RunFormula(call, *Formula("glu"), out, {&a, &b});
}

const Kernel celu{"celu", "cuda", Formula("elu")->dtypes(), Celu};
const Kernel selu{"selu", "cuda", Formula("elu")->dtypes(), Selu};
const Kernel gelu{"gelu", "cuda", Formula("gelu")->dtypes(), Gelu};
const Kernel glu{"glu", "cuda", Formula("glu")->dtypes(), Glu};

void PowNumber(Call call, const Tensor& out, const Tensor& self, const Scalar& exponent) {
  const DType dtype = call.dtype();
  const bool real = !exponent.is_complex() || exponent.complex_data()[1] == 0;
  const double e = real ? exponent.To<double>() : 0.25;  // none of the cases
  if (e == 0) return FillElements(call, out, Scalar(1));
  if (e == 1) return CopyElements(call, out, self);
  if (e == 2) return RunFormula(call, *Formula("mul"), out, {&self, &self});
  if (e == 3) return RunFormula(call, *Formula("cube"), out, {&self});
  if (Contains(Formula("sqrt")->dtypes(), dtype) && dtype != DType::kFloat16) {
    if (e == 0.5) return RunFormula(call, *Formula("sqrt"), out, {&self});
    if (e == -0.5) return RunFormula(call, *Formula("rsqrt"), out, {&self});
    const Tensor one = NumberTensor(Scalar(1));
    if (e == -1) return RunFormula(call, *Formula("div"), out, {&one, &self});
  }
  const Tensor number = NumberTensor(exponent);
  if (number.dtype() != dtype)
    return RunKeepingNumber(call, *Formula("pow"), out, {&self, &number});
  RunFormula(call, *Formula("pow"), out, {&self, &number});
}

void RoundDecimals(Call call, const Tensor& out, const Tensor& self, int64_t decimals) {
  if (decimals == 0) return RunFormula(call, *Formula("round"), out, {&self});
  const Scalar scale(std::pow(10.0, std::abs(static_cast<double>(decimals))));
  RunFormula(call, decimals > 0 ? *Formula("round_to_parts") : *Formula("round_to_multiples"), out,
             {&self}, {scale});
}

double Largest(DType d) {
  switch (RealType(d)) {
    case DType::kFloat16:
      return 65504;
    case DType::kBFloat16:
      return 0x1.fep127;
    case DType::kFloat32:
      return std::numeric_limits<float>::max();
    default:
      return std::numeric_limits<double>::max();
  }
}
void NanToNum(Call call, const Tensor& out, const Tensor& self, std::optional<double> nan,
              std::optional<double> posinf, std::optional<double> neginf) {
  if (!Contains(Formula("nan_to_num")->dtypes(), call.dtype()))
    return CopyElements(call, out, self);
  const double most = Largest(call.dtype());
  RunFormula(
      call, *Formula("nan_to_num"), out, {&self},
      {Scalar(nan.value_or(0)), Scalar(posinf.value_or(most)), Scalar(neginf.value_or(-most))});
}

void Logit(Call call, const Tensor& out, const Tensor& self, std::optional<double> eps) {
  if (!eps || *eps < 0) return RunFormula(call, *Formula("logit"), out, {&self});
  VisitDType<kFloatingTypes>(call.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;  // limits in the precision of the computation
    const auto low = static_cast<double>(T(*eps));
    RunFormula(call, *Formula("logit_between"), out, {&self},
               {Scalar(low), Scalar(static_cast<double>(T(1 - low)))});
  });
}

const Kernel pow{"pow.Tensor_Scalar", "cuda", Formula("pow")->dtypes(), PowNumber};
const Kernel decimals{"round.decimals", "cuda", Formula("round_to_parts")->dtypes(), RoundDecimals};
const Kernel nan_to_num{"nan_to_num", "cuda",
                        kBool | kIntegers | kWideUnsigned | Formula("nan_to_num")->dtypes(),
                        NanToNum};
const Kernel logit{"logit", "cuda", Formula("logit")->dtypes(), Logit};

}  // namespace
}  // namespace sy::cuda
