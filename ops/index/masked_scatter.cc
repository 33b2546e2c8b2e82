// Copies self with the elements of source, in order, in the places where mask is true.
//   self, mask: sizes that broadcast; mask: bool; source: self's dtype, at least as many elements
//   as mask has true ones → common sizes, dtype of self
// Errors: kInvalidArgument for another dtype or sizes that do not broadcast; kInvalidValue when
// source is too short.
// Example: sy::masked_scatter(x, sy::gt(x, 0), src)
// Source: ATen masked_scatter.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void MaskedScatterShape(ShapeContext& r, const TensorBase& self, const TensorBase& mask,
                        const TensorBase& source) {
  if (mask.dtype() != DType::kBool) r.Fail({"mask must be bool, got ", mask.dtype()});
  RequireSameDType(r, self, source, "self", "source");
  if (r.variant() == Variant::kInPlace && !IsExpandable(mask.sizes(), self.sizes())) {
    r.Fail({"mask of sizes ", mask.sizes(), " does not expand to self's ", self.sizes()});
  }
  int64_t sizes[kMaxRank];
  const int rank = Broadcast(self.sizes(), mask.sizes(), sizes, r.op());
  OutputSpec& o = r.Output(r.Copy(IntSpan(sizes, static_cast<size_t>(rank))), self.dtype());
  // In the other variants the kernel copies self, once it has seen that source is long enough.
  if (r.variant() == Variant::kInPlace) o.starts_as = 0;
}

}  // namespace

const Operator masked_scatter_op{
    "masked_scatter(Tensor self, Tensor mask, Tensor source) -> Tensor", MaskedScatterShape,
    kInPlace | kOut | Tags(OperatorTag::kRowMajorOut)};

}  // namespace sy
