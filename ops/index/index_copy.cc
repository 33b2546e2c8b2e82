// Copies slices of `source` into self at the positions in `index` along `dim`. Where a position
// occurs twice, the last one wins, on every device and with any number of threads.
//   self: [.., n, ..]
//   index: [k] or 0-d (k = 1), int64, each 0 … n-1
//   source: [.., k, ..], other sizes and dtype as self's
//   → like self
// self and source may be 0-d: then n = 1, and k = 1.
// Errors: kInvalidArgument when shapes, dtypes or devices do not fit, or self overlaps index or
// source; kOutOfRange for dim; kIndexOutOfRange for a position out of range. All positions are
// tested before anything is written.
// Example: sy::index_copy_(x, 0, index, t)
// Source: ATen index_copy; torch.Tensor.index_copy_.
#include "switchyard/ops/index/source_slices.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

// The checks are ATen's, in its order.
void IndexCopyShape(ShapeContext& r, const TensorBase& self, int64_t& dim, const TensorBase& index,
                    const TensorBase& source) {
  dim = r.WrapDim(dim, self);
  r.OutputStartsAsSelf(self);
  r.SetOverlap(OverlapPolicy::kForbid);
  if (index.dim() > 1) r.Fail({"index must be 0-d or 1-d, got sizes ", index.sizes()});
  if (source.dim() == 0 && index.numel() != 1) {
    r.Fail({"a 0-d source needs an index of one element, got ", index.numel()});
  }
  if (source.dim() != self.dim() && source.dim() != 0 && self.dim() != 0) {
    r.Fail({"self and source must have as many dimensions, got sizes ", self.sizes(), " and ",
            source.sizes()});
  }
  if (index.dtype() != DType::kInt64) r.Fail({"index must be int64, got ", index.dtype()});
  RequireSameDType(r, self, source, "self", "source");
  r.ComputeKey();  // all on one device
  if (!SameSlices(self, source, dim)) {
    r.Fail({"self and source must have the same sizes except at dim ", dim, ", got ", self.sizes(),
            " and ", source.sizes()});
  }
  if (source.dim() != 0 && index.numel() != source.sizes()[dim]) {
    r.Fail({"index has ", index.numel(), " elements, expected as many as source has at dim ", dim,
            ": ", source.sizes()[dim]});
  }
}

}  // namespace

const Operator index_copy_op{
    "index_copy(Tensor self, int dim, Tensor index, Tensor source) -> Tensor", IndexCopyShape,
    kInPlace | kOut};

}  // namespace sy
