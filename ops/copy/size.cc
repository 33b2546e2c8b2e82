// The size, or the stride in elements, of one dimension, as a number.
//   self: at least 1-d, any dtype   →   an int
// Errors: kOutOfRange for a dimension out of range, or a 0-d tensor.
// Example: sy::size(x, -1)
// Source: ATen size.int, stride.int.
#include "switchyard/core/shape.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

size_t Position(Call call, const Tensor& self, int64_t dim) {
  const int64_t n = self.dim();
  if (n == 0) Fail(ErrorCode::kOutOfRange, call.op(), {"dim ", dim, " of a 0-d tensor"});
  if (dim < -n || dim >= n) {
    Fail(
        ErrorCode::kOutOfRange, call.op(),
        {"dim ", dim, " is out of range: expected ", -n, " to ", n - 1, " for a ", n, "-d tensor"});
  }
  return static_cast<size_t>(WrapDim(dim, n));
}
int64_t SizeOf(Call call, const Tensor& self, int64_t dim) {
  return self.sizes()[Position(call, self, dim)];
}
int64_t StrideOf(Call call, const Tensor& self, int64_t dim) {
  return self.strides()[Position(call, self, dim)];
}

}  // namespace

const Operator size_op{"size.int(Tensor self, int dim) -> int", KeyRule::kFirst};
const Composite size_body{"size.int", SizeOf};
const Operator stride_op{"stride.int(Tensor self, int dim) -> int", KeyRule::kFirst};
const Composite stride_body{"stride.int", StrideOf};

}  // namespace sy
