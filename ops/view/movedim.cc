// self with dimensions moved to other positions; those that are not named keep their order.
//   self: any sizes; source, destination: as many, each dimension once at most   →   the storage of
//   self
// Errors: kOutOfRange for a dimension out of range; kInvalidArgument when source and destination
// differ in length or name a dimension twice.
// Example: sy::movedim(x, 0, -1)
// Source: ATen movedim, moveaxis.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void MovedimShape(ShapeContext& r, const TensorBase& self, IntSpan source, IntSpan destination) {
  if (source.size() != destination.size()) {
    r.Fail({"source ", source, " and destination ", destination,
            " must name the same number of dimensions"});
  }
  const size_t rank = self.sizes().size();
  int64_t* from = r.Ints(self.dim());  // the dimension that goes to each position
  uint64_t moved = 0, taken = 0;
  for (size_t i = 0; i < source.size(); ++i) {
    const int64_t s = r.WrapDim(source[i], self), d = r.WrapDim(destination[i], self);
    if ((moved >> s & 1) != 0) r.Fail({"dim ", s, " appears more than once in source ", source});
    if ((taken >> d & 1) != 0)
      r.Fail({"dim ", d, " appears more than once in destination ", destination});
    moved |= uint64_t{1} << s;
    taken |= uint64_t{1} << d;
    if (rank != 0) from[d] = s;
  }
  int64_t *sizes = r.Ints(self.dim()), *strides = r.Ints(self.dim());
  size_t next = 0;  // of the dimensions that keep their order
  for (size_t i = 0; i < rank; ++i) {
    if ((taken >> i & 1) == 0) {
      while ((moved >> next & 1) != 0) ++next;
      from[i] = static_cast<int64_t>(next++);
    }
    sizes[i] = self.sizes()[from[i]];
    strides[i] = self.strides()[from[i]];
  }
  r.View({sizes, rank}, {strides, rank}, self.storage_offset());
}
void MoveOneShape(ShapeContext& r, const TensorBase& self, int64_t source, int64_t destination) {
  MovedimShape(r, self, IntSpan(&source, 1), IntSpan(&destination, 1));
}

}  // namespace

const Operator movedim_op{
    "movedim.intlist(Tensor(a) self, int[] source, int[] destination) -> Tensor(a)",
    View(MovedimShape)};
const Operator movedim_int_op{
    "movedim.int(Tensor(a) self, int source, int destination) -> Tensor(a)", View(MoveOneShape)};
const Operator moveaxis_op{
    "moveaxis.intlist(Tensor(a) self, int[] source, int[] destination) -> Tensor(a)",
    View(MovedimShape)};
const Operator moveaxis_int_op{
    "moveaxis.int(Tensor(a) self, int source, int destination) -> Tensor(a)", View(MoveOneShape)};

}  // namespace sy
