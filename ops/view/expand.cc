// self seen with larger sizes: dimensions of size 1 repeat, new ones come in front; -1 keeps a
// size. expand_as takes the sizes of a tensor; broadcast_to is expand; expand_copy copies;
// broadcast_tensors gives several tensors the sizes that all broadcast to.
//   self: any sizes; size: as many dimensions or more   →   size, the storage of self; repeated
//   elements share a place
// Errors: kInvalidArgument when a dimension other than 1 would change, or a new one is -1 or
// negative, and for tensors that do not broadcast.
// Example: sy::expand(x, {4, -1})
// Source: ATen expand, expand_as, expand_copy, broadcast_to, broadcast_tensors.
#include "switchyard/core/checked.h"
#include "switchyard/ops/view/copying.h"

namespace sy {
namespace {

void ExpandTo(ShapeContext& r, const TensorBase& self, IntSpan size) {
  const int64_t rank = static_cast<int64_t>(size.size()), added = rank - self.dim();
  if (added < 0)
    r.Fail({"size ", size, " has fewer dimensions than self, which has sizes ", self.sizes()});
  int64_t *sizes = r.Ints(rank), *strides = r.Ints(rank);
  for (int64_t i = rank - 1; i >= 0; --i) {
    const int64_t d = i - added;
    const int64_t have = d >= 0 ? self.sizes()[d] : 1;
    const int64_t want = size[i] == -1 && d >= 0 ? have : size[i];
    if (want < 0)
      r.Fail(
          {"size ", size, " has ", size[i], " for dimension ", i, ", which is not one of self's"});
    if (want != have && have != 1) {
      r.Fail({"size ", size, " does not fit self's ", self.sizes(), ": dimension ", i, " is ", have,
              " and cannot become ", want});
    }
    sizes[i] = want;
    // As ATen: a new dimension in front of others takes the stride that a contiguous one would
    // have.
    const int64_t stride = d >= 0         ? self.strides()[d]
                           : i + 1 < rank ? ProductOr(sizes[i + 1], strides[i + 1], 1)
                                          : 1;
    strides[i] = want != have || (d < 0 && want != 1) ? 0 : stride;
  }
  r.View({sizes, static_cast<size_t>(rank)}, {strides, static_cast<size_t>(rank)},
         self.storage_offset());
}

void ExpandShape(ShapeContext& r, const TensorBase& self, IntSpan size, bool /*implicit*/) {
  ExpandTo(r, self, size);
}
void ExpandAsShape(ShapeContext& r, const TensorBase& self, const TensorBase& other) {
  ExpandTo(r, self, other.sizes());
}

}  // namespace

const Operator expand_op{
    "expand(Tensor(a) self, SymInt[] size, *, bool implicit=False) -> Tensor(a)",
    View(ExpandShape)};
const Operator expand_as_op{"expand_as(Tensor(a) self, Tensor other) -> Tensor(a)",
                            View(ExpandAsShape)};
const Operator broadcast_to_op{"broadcast_to(Tensor(a) self, SymInt[] size) -> Tensor(a)",
                               View(ExpandTo)};
const Operator expand_copy_op{
    "expand_copy(Tensor self, SymInt[] size, *, bool implicit=False) -> Tensor",
    CopyOf<ExpandShape>, kOut};
const Operator broadcast_tensors_op{"broadcast_tensors(Tensor[] tensors) -> Tensor[]"};

}  // namespace sy
