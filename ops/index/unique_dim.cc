// Source of what may be empty: _unique_dim_cpu_template, ATen/native/Unique.cpp.
#include "switchyard/ops/index/unique_dim.h"

#include <algorithm>
#include <vector>

#include "switchyard/core/error.h"
#include "switchyard/core/shape.h"

namespace sy {

int64_t CheckedUniqueDim(std::string_view op, const TensorBase& self, int64_t dim) {
  if (self.dim() == 0)
    Fail(ErrorCode::kInvalidArgument, op, {"dim is ", dim, ", but self has no dimensions"});
  if (dim < -self.dim() || dim >= self.dim()) {
    Fail(ErrorCode::kOutOfRange, op,
         {"dim ", dim, " is out of range: expected ", -self.dim(), " to ", self.dim() - 1,
          " for a ", self.dim(), "-d tensor"});
  }
  dim = WrapDim(dim, self.dim());
  const IntSpan sizes = self.sizes();
  if (std::ranges::count(sizes, 0) != (sizes[static_cast<size_t>(dim)] == 0 ? 1 : 0)) {
    Fail(ErrorCode::kInvalidArgument, op, {"only dim ", dim, " may be empty, got sizes ", sizes});
  }
  return dim;
}

Tensor DimInFront(const Tensor& t, int64_t dim) {
  const auto moved = [dim](IntSpan given) {
    std::vector<int64_t> v(given.begin(), given.end());
    std::rotate(v.begin(), v.begin() + dim, v.begin() + dim + 1);
    return v;
  };
  return t.AsStrided(moved(t.sizes()), moved(t.strides()), t.storage_offset());
}

Tensor DimBack(const Tensor& t, int64_t dim) {
  const auto moved = [dim](IntSpan given) {
    std::vector<int64_t> v(given.begin(), given.end());
    std::rotate(v.begin(), v.begin() + 1, v.begin() + dim + 1);
    return v;
  };
  return t.AsStrided(moved(t.sizes()), moved(t.strides()), t.storage_offset());
}

}  // namespace sy
