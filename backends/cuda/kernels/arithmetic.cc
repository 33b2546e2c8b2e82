// add, sub, rsub; quotients that round; remainders.

#include "backends/cuda/kernels/pointwise.h"
#include "switchyard/core/error.h"
#include "switchyard/core/transfer.h"

namespace sy::cuda {
namespace {

void Add(Call call, const Tensor& out, const Tensor& self, const Tensor& other,
         const Scalar& alpha) {
  if (alpha.is_one()) return RunFormula(call, *Formula("add"), out, {&self, &other});
  const Tensor scale = NumberTensor(alpha);
  RunFormula(call, *Formula("add_scaled"), out, {&self, &other, &scale});
}

Scalar Negative(const Scalar& s) {
  if (s.is_complex()) return Scalar(-s.To<std::complex<double>>());
  if (s.is_floating()) return Scalar(-s.To<double>());
  return Scalar(static_cast<int64_t>(-s.To<uint64_t>()));
}

void Sub(Call call, const Tensor& out, const Tensor& self, const Tensor& other,
         const Scalar& alpha) {
  if (alpha.is_one()) return RunFormula(call, *Formula("sub"), out, {&self, &other});
  Add(call, out, self, other, Negative(alpha));
}

void Rsub(Call call, const Tensor& out, const Tensor& self, const Tensor& other,
          const Scalar& alpha) {
  Sub(call, out, other, self, alpha);
}

const Kernel add{"add.Tensor", "cuda", Formula("add")->dtypes(), Add};
const Kernel sub{"sub.Tensor", "cuda", Formula("sub")->dtypes(), Sub};
const Kernel rsub{"rsub.Tensor", "cuda", Formula("sub")->dtypes(), Rsub};

// --- Division of integers by 0: at once where the divisor is a number, else at the next
// synchronising call.

void Divide(const FormulaDef& formula, Call call, const Tensor& out, const Tensor& self,
            const Tensor& other) {
  if (IsIntegral(call.dtype(), true) && out.numel() != 0) RequireNoZero(call, other);
  if (Contains(kHalfTypes, call.dtype()) && other.numel() == 1 && &formula != Formula("fmod") &&
      &formula != Formula("remainder"))
    return RunKeepingNumber(call, formula, out, {&self, &other});
  RunFormula(call, formula, out, {&self, &other});
}

void DivMode(Call call, const Tensor& out, const Tensor& self, const Tensor& other,
             std::optional<std::string_view> rounding_mode) {
  if (!rounding_mode) {
    if (other.numel() == 1 && other.dtype() != call.dtype())
      return RunKeepingNumber(call, *Formula("div"), out, {&self, &other});
    return RunFormula(call, *Formula("div"), out, {&self, &other});
  }
  const FormulaDef& formula =
      *rounding_mode == "floor" ? *Formula("div_floor") : *Formula("div_trunc");
  if (!Contains(formula.dtypes(), call.dtype())) {
    Fail(ErrorCode::kNotImplemented,
         {call.op(), "(): expected real tensors with rounding_mode '", *rounding_mode, "', got ",
          self.dtype(), " and ", other.dtype()});
  }
  Divide(formula, call, out, self, other);
}

void FloorDivide(Call call, const Tensor& out, const Tensor& self, const Tensor& other) {
  Divide(*Formula("div_floor"), call, out, self, other);
}
void Fmod(Call call, const Tensor& out, const Tensor& self, const Tensor& other) {
  Divide(*Formula("fmod"), call, out, self, other);
}
void Remainder(Call call, const Tensor& out, const Tensor& self, const Tensor& other) {
  Divide(*Formula("remainder"), call, out, self, other);
}

const Kernel div{"div.Tensor_mode", "cuda",
                 Formula("div")->dtypes() | Formula("div_trunc")->dtypes(), DivMode};
const Kernel floor_divide{"floor_divide", "cuda", Formula("div_floor")->dtypes(), FloorDivide};
const Kernel fmod{"fmod.Tensor", "cuda", Formula("fmod")->dtypes(), Fmod};
const Kernel remainder{"remainder.Tensor", "cuda", Formula("remainder")->dtypes(), Remainder};

}  // namespace
}  // namespace sy::cuda
