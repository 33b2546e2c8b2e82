// Rows and columns of the elements on and below (tril_indices) or on and above (triu_indices) a
// diagonal of a matrix, in row-major order.
//   row, col: >= 0, the matrix; offset: of the diagonal, > 0 is above the main one   →   [2, n]
// Errors: kInvalidArgument for negative sizes, kNotImplemented for a dtype that is not an integer.
// Example: sy::tril_indices(3, 3)
// Source: ATen tril_indices, triu_indices.
#include <algorithm>

#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

using Wide = __int128;  // holds products of two sizes, and sums of them

// Elements (i, j) with j <= i + offset.
Wide CountBelow(Wide row, Wide col, Wide offset) {
  if (row == 0 || col == 0) return 0;
  offset = std::clamp(offset, -row, col);
  const auto in_row = [&](Wide i) { return std::clamp<Wide>(i + offset + 1, 0, col); };
  // Rows without an element, then ones with one more each, then full ones.
  const Wide first = std::clamp<Wide>(-offset, 0, row);
  const Wide full = std::clamp<Wide>(col - 1 - offset, first, row);
  const Wide growing = full - first;
  return growing * (in_row(first) + (growing == 0 ? 0 : in_row(full - 1))) / 2 + (row - full) * col;
}

template <bool kUpper>
void IndicesShape(ShapeContext& r, int64_t row, int64_t col, int64_t offset, Optional<DType> dtype,
                  Optional<Layout> layout, Optional<Device> device, Optional<bool> pin_memory) {
  if (row < 0 || col < 0) r.Fail({"row and col must not be negative, got ", row, " and ", col});
  const DType d = dtype.value_or(DType::kInt64);
  if (!Contains(kIntegerTypes, d))
    r.Fail(ErrorCode::kNotImplemented, {"dtype must be an integer, got ", d});
  Create(r, layout, device, pin_memory);
  const Wide below = CountBelow(row, col, kUpper ? Wide{offset} - 1 : Wide{offset});
  const Wide count = kUpper ? Wide{row} * col - below : below;
  if (count > INT64_MAX)
    r.Fail({"row ", row, " and col ", col, " make more than 2^63 - 1 pairs at offset ", offset});
  r.Output({2, static_cast<int64_t>(count)}, d);
}

}  // namespace

const Operator tril_indices_op{
    "tril_indices(int row, int col, int offset=0, *, ScalarType? dtype=4, Layout? layout=None, "
    "Device? device=None, bool? pin_memory=None) -> Tensor",
    IndicesShape<false>};
const Operator triu_indices_op{
    "triu_indices(int row, int col, int offset=0, *, ScalarType? dtype=4, Layout? layout=None, "
    "Device? device=None, bool? pin_memory=None) -> Tensor",
    IndicesShape<true>};
const Operator tril_indices_out_op{
    "tril_indices.out(int row, int col, int offset=0, *, Tensor(a!) out) -> Tensor(a!)"};
const Operator triu_indices_out_op{
    "triu_indices.out(int row, int col, int offset=0, *, Tensor(a!) out) -> Tensor(a!)"};

}  // namespace sy
