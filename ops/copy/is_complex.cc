// Questions that metadata answers: is_complex, is_floating_point (8-bit floats count) and is_signed
// ask about the dtype, is_conj and is_neg whether a view shows conjugates or negatives of what is
// in memory, is_same_size whether two tensors have the same sizes.
//   self, other: any sizes, any dtype   →   a bool
// Example: sy::is_complex(x)
// Source: ATen is_complex, is_floating_point, is_signed, is_conj, is_neg, is_same_size.
#include "switchyard/core/shape.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

bool HasComplex(Call, const Tensor& self) { return IsComplex(self.dtype()); }
bool HasFloating(Call, const Tensor& self) { return IsFloating(self.dtype()); }
bool HasSigned(Call, const Tensor& self) {
  return !Contains(Bit(DType::kBool) | Bit(DType::kUInt8) | kWideUnsignedTypes, self.dtype());
}
bool ShowsConjugates(Call, const Tensor& self) { return self.is_conj(); }
bool ShowsNegatives(Call, const Tensor& self) { return self.is_neg(); }
bool HasSizesOf(Call, const Tensor& self, const Tensor& other) {
  return SameSizes(self.sizes(), other.sizes());
}

}  // namespace

const Operator is_complex_op{"is_complex(Tensor self) -> bool", KeyRule::kFirst};
const Composite is_complex_body{"is_complex", HasComplex};
const Operator is_floating_point_op{"is_floating_point(Tensor self) -> bool", KeyRule::kFirst};
const Composite is_floating_point_body{"is_floating_point", HasFloating};
const Operator is_signed_op{"is_signed(Tensor self) -> bool", KeyRule::kFirst};
const Composite is_signed_body{"is_signed", HasSigned};
const Operator is_conj_op{"is_conj(Tensor self) -> bool", KeyRule::kFirst};
const Composite is_conj_body{"is_conj", ShowsConjugates};
const Operator is_neg_op{"is_neg(Tensor self) -> bool", KeyRule::kFirst};
const Composite is_neg_body{"is_neg", ShowsNegatives};
const Operator is_same_size_op{"is_same_size(Tensor self, Tensor other) -> bool", KeyRule::kFirst};
const Composite is_same_size_body{"is_same_size", HasSizesOf};

}  // namespace sy
