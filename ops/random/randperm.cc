// The integers 0 … n-1 in random order.
//   n: >= 0   →   [n]; `dtype` or int64
//   generator: the device's default one unless given
// Errors: kInvalidArgument for a negative n or a dtype that cannot hold n - 1.
// Example: sy::randperm(5)
// Source: ATen randperm; the numbers for a seed are PyTorch's.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void RandpermShape(ShapeContext& r, int64_t n, Generator*, Optional<DType> dtype,
                   Optional<Layout> layout, Optional<Device> device, Optional<bool> pin_memory) {
  if (n < 0) r.Fail({"n must not be negative, got ", n});
  const DType d = dtype.value_or(DType::kInt64);
  if (!Contains(kIntegerTypes | kFloatingTypes, d)) {
    r.Fail(ErrorCode::kNotImplemented, {"dtype must be an integer or floating, got ", d});
  }
  // Integers are exact in floating types up to these; ATen does not look at bfloat16.
  const int64_t limit = d == DType::kFloat16   ? int64_t{1} << 11
                        : d == DType::kFloat32 ? int64_t{1} << 24
                        : d == DType::kFloat64 ? int64_t{1} << 53
                                               : INT64_MAX;
  if (n > 0 && (!Scalar(n - 1).Fits(d) || n - 1 > limit))
    r.Fail({"n is ", n, ", too large for ", d});
  Create(r, layout, device, pin_memory);
  r.Output({n}, d);
}

}  // namespace

const Operator randperm_op{
    "randperm(SymInt n, *, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? "
    "pin_memory=None) -> "
    "Tensor",
    Tags(OperatorTag::kNondeterministicSeeded)};
const Operator randperm_generator_op{
    "randperm.generator(SymInt n, *, Generator? generator, ScalarType? dtype=4, Layout? "
    "layout=None, Device? "
    "device=None, bool? pin_memory=None) -> Tensor",
    RandpermShape};
const Operator randperm_out_op{"randperm.out(SymInt n, *, Tensor(a!) out) -> Tensor(a!)",
                               Tags(OperatorTag::kNondeterministicSeeded)};
const Operator randperm_generator_out_op{
    "randperm.generator_out(SymInt n, *, Generator? generator, Tensor(a!) out) -> Tensor(a!)"};

}  // namespace sy
