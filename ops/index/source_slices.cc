#include "switchyard/ops/index/source_slices.h"

namespace sy {

void SourceSlicesShape(ShapeContext& r, const TensorBase& self, int64_t& dim,
                       const TensorBase& index, const TensorBase& source) {
  dim = r.WrapDim(dim, self);
  r.OutputStartsAsSelf(self);
  r.SetOverlap(OverlapPolicy::kForbid);
  if (index.dim() > 1) r.Fail({"index must be 0-d or 1-d, got sizes ", index.sizes()});
  RequireIndexDType(r, index);
  RequireSameDType(r, self, source, "self", "source");
  if (source.dim() != 0 && dim >= source.dim()) {
    r.Fail({"source has no dim ", dim, ": its sizes are ", source.sizes()});
  }
  const int64_t slices = source.dim() == 0 ? 1 : source.sizes()[dim];
  if (index.numel() != slices) {
    r.Fail({"index has ", index.numel(), " elements, expected as many as source has at dim ", dim,
            ": ", slices});
  }
  if ((self.dim() == 0) != (source.dim() == 0) || !SameSlices(self, source, dim)) {
    r.Fail({"self and source must have the same sizes except at dim ", dim, ", got ", self.sizes(),
            " and ", source.sizes()});
  }
}

}  // namespace sy
