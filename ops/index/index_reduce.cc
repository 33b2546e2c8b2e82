// Combines slices of `source` with those of self at the positions in `index` along `dim`.
//   self: [.., n, ..], not bool for mean, real for amax and amin; index: [k] or 0-d (k = 1), int64
//   or int32, each 0 … n-1; source: [.., k, ..], other sizes and dtype as self's; reduce: 'prod',
//   'mean', 'amax' or 'amin'   →   like self
// Without include_self what self has at a position that occurs does not count. Means of integers
// round down.
// Errors: kInvalidArgument when shapes or dtypes do not fit, for another reduce, or when self
// overlaps index or source; kOutOfRange for dim; kIndexOutOfRange for a position out of range. All
// positions are tested before anything is written.
// Example: sy::index_reduce_(x, 0, index, t, "amax")
// Source: ATen index_reduce.
#include "switchyard/ops/index/reduce_name.h"
#include "switchyard/ops/index/source_slices.h"

namespace sy {
namespace {

void IndexReduceShape(ShapeContext& r, const TensorBase& self, int64_t& dim,
                      const TensorBase& index, const TensorBase& source, std::string_view reduce,
                      bool /*include_self*/) {
  SourceSlicesShape(r, self, dim, index, source);
  if (reduce == "sum") r.Fail({"reduce must be 'prod', 'mean', 'amax' or 'amin', got 'sum'"});
  RequireReduction(r, self, reduce, index.numel() != 0);
}

}  // namespace

const Operator index_reduce_op{
    "index_reduce(Tensor self, int dim, Tensor index, Tensor source, str reduce, *, bool "
    "include_self=True) -> Tensor",
    IndexReduceShape, kInPlace | kOut};

}  // namespace sy
