// copy, fill, and operators that leave elements as they are.

#include "backends/cuda/kernels/pointwise.h"
#include "switchyard/core/error.h"
#include "switchyard/core/transfer.h"

namespace sy::cuda {
namespace {

void Copy(Call call, const Tensor& out, const Tensor&, const Tensor& src, bool) {
  CopyElements(call, out, src);
}
void Fill(Call call, const Tensor& out, const Tensor&, const Scalar& value) {
  FillElements(call, out, value);
}
void Same(Call call, const Tensor& out, const Tensor& self) { CopyElements(call, out, self); }

const Kernel copy{"copy", "cuda", kAnyDType, Copy};
const Kernel fill{"fill.Scalar", "cuda", kAnyDType, Fill};

const Kernel ceil{"ceil", "cuda", kIntegers | kWideUnsigned, Same};
const Kernel floor{"floor", "cuda", kIntegers | kWideUnsigned, Same};
const Kernel round{"round", "cuda", kIntegers | kWideUnsigned, Same};
const Kernel trunc{"trunc", "cuda", kIntegers | kWideUnsigned, Same};
const Kernel conj{"conj_physical", "cuda", kAllTypes & ~(kComplexes | kComplex32), Same};

void MaskedFill(Call call, const Tensor& out, const Tensor& self, const Tensor& mask,
                const Tensor& value) {
  if (value.is_host() && value.dtype() != self.dtype()) {
    const Scalar number = ReadNumber(value);
    if (!number.Fits(self.dtype())) {
      Fail(ErrorCode::kInvalidValue,
           {call.op(), "(): value ", number.str(), " does not fit self's ", self.dtype()});
    }
  }
  RunFormula(call, *Formula("where"), out, {&mask, &value, &self});
}
const Kernel masked_fill{"masked_fill.Tensor", "cuda", kAnyDType, MaskedFill};

}  // namespace
}  // namespace sy::cuda
