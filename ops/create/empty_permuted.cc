// A new tensor whose dimensions lie in memory in an order of your choice, without gaps; elements
// have no particular value.
//   size: >= 0 each; physical_layout: each dimension once, the outermost first   →   size
// Errors: kInvalidArgument when lengths differ or a dimension is named twice, kOutOfRange for one
// out of range (negative ones are); else as empty.
// Example: sy::empty_permuted({2, 3, 4}, {0, 2, 1})
// Source: ATen empty_permuted.
#include "switchyard/core/checked.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void EmptyPermutedShape(ShapeContext& r, IntSpan size, IntSpan physical_layout,
                        Optional<DType> dtype, Optional<Layout> layout, Optional<Device> device,
                        Optional<bool> pin_memory) {
  if (size.size() != physical_layout.size())
    r.Fail({"size ", size, " and physical_layout ", physical_layout, " differ in length"});
  const auto rank = static_cast<int64_t>(size.size());
  if (rank > kMaxRank) r.Fail({"at most ", kMaxRank, " dimensions, got ", rank});
  int64_t* strides = r.Ints(rank);
  uint64_t seen = 0;
  int64_t next = 1;
  for (size_t i = size.size(); i-- > 0;) {
    const int64_t d = physical_layout[i];
    if (d < 0 || d >= rank) {
      r.Fail(ErrorCode::kOutOfRange,
             {"physical_layout ", physical_layout, " has ", d, ", expected 0 to ", rank - 1});
    }
    if ((seen >> d & 1) != 0) r.Fail({"physical_layout ", physical_layout, " names ", d, " twice"});
    seen |= uint64_t{1} << d;
    strides[d] = next;
    // Negative sizes, and too many elements, are refused where the output is made.
    next = ProductOr(next, std::max<int64_t>(size[d], 1), 1);
  }
  Create(r, layout, device, pin_memory);
  r.Output(size, dtype.value_or(DefaultDType())).strides = strides;
  r.ComputeNothing();
}

}  // namespace

const Operator empty_permuted_op{
    "empty_permuted(SymInt[] size, int[] physical_layout, *, ScalarType? dtype=None, Layout? "
    "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
    EmptyPermutedShape, Tags(OperatorTag::kUninitializedOutput)};

}  // namespace sy
