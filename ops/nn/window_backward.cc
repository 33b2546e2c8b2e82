#include "switchyard/ops/nn/window_backward.h"

#include <algorithm>

#include "switchyard/core/error.h"
#include "switchyard/core/shape.h"

namespace sy {

std::vector<int64_t> WithLastSizes(const TensorBase& self, IntSpan last) {
  std::vector<int64_t> sizes(self.sizes().begin(), self.sizes().end());
  std::copy(last.begin(), last.end(), sizes.end() - static_cast<int64_t>(last.size()));
  return sizes;
}

void RequirePooled(std::string_view op, std::string_view name, const TensorBase& t,
                   const TensorBase& self, const Window& w) {
  const std::vector<int64_t> wanted =
      WithLastSizes(self, {w.outputs + 3 - w.dims, static_cast<size_t>(w.dims)});
  if (SameSizes(t.sizes(), wanted)) return;
  Fail(ErrorCode::kInvalidArgument, op,
       {name, " must have sizes ", IntSpan(wanted), ", got ", t.sizes()});
}

Window AdaptiveWindowOf(std::string_view op, const TensorBase& grad_output, const TensorBase& self,
                        int dims) {
  if (grad_output.dim() != self.dim() || self.dim() < dims) {
    Fail(ErrorCode::kInvalidArgument, op,
         {"grad_output must have the dimensions of self, got sizes ", grad_output.sizes(), " and ",
          self.sizes()});
  }
  const Window w = Window::OfAdaptive(
      op, self, dims, grad_output.sizes().subspan(static_cast<size_t>(self.dim() - dims)));
  if (w.output_count() == 0) {
    Fail(ErrorCode::kInvalidArgument, op,
         {"grad_output must not be empty but for the batch, got sizes ", grad_output.sizes()});
  }
  RequirePooled(op, "grad_output", grad_output, self, w);
  return w;
}

bool RoundsShares(const TensorBase& self, int dims) {
  return Contains(kHalfTypes, self.dtype()) &&
         (dims != 2 || self.suggest_memory_format() == MemoryFormat::kContiguous);
}

}  // namespace sy
