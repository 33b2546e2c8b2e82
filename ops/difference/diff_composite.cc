// diff by subtraction of neighbours, n times.

#include <algorithm>
#include <string_view>
#include <vector>

#include "ops/checks.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

using List = std::vector<Tensor>;

void RequireFitting(Call call, const Tensor& self, const Tensor& other, int64_t dim,
                    std::string_view name) {
  bool fits = other.dim() == self.dim();
  for (int64_t d = 0; fits && d < self.dim(); ++d) fits = d == dim || other.size(d) == self.size(d);
  if (fits) return;
  Fail(ErrorCode::kInvalidArgument, call.op(),
       {name, " must have self's sizes ", self.sizes(), " except at dim ", dim, ", got ",
        other.sizes()});
}
Tensor Diff(Call call, const Tensor& self, int64_t n, int64_t dim, const Tensor& prepend,
            const Tensor& append) {
  if (self.dim() == 0)
    Fail(ErrorCode::kInvalidArgument, call.op(), {"self must have at least one dimension"});
  if (n < 0) Fail(ErrorCode::kInvalidArgument, call.op(), {"n must not be negative, got ", n});
  dim = WrapDimOf(call, dim, self);
  List parts;
  if (prepend.defined()) {
    RequireFitting(call, self, prepend, dim, "prepend");
    parts.push_back(prepend);
  }
  parts.push_back(self);
  if (append.defined()) {
    RequireFitting(call, self, append, dim, "append");
    parts.push_back(append);
  }
  if (n == 0) return clone(self);
  Tensor t = parts.size() == 1 ? self : cat(parts, dim);
  if (t.size(dim) == 0) return clone(t, MemoryFormat::kContiguous);
  if (!HasData(t)) {  // sizes are all there is: all steps but one at once
    t = narrow(t, dim, 0, t.size(dim) - std::min(n, t.size(dim)) + 1);
    n = 1;
  }
  for (int64_t size = t.size(dim) - 1; n > 0 && size >= 0; --n, --size) {
    const Tensor right = narrow(t, dim, 1, size), left = narrow(t, dim, 0, size);
    t = t.dtype() == DType::kBool ? logical_xor(right, left) : sub(right, left);
  }
  return t;
}
const Composite diff_body{"diff", Diff};

}  // namespace
}  // namespace sy
