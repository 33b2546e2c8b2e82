#include "switchyard/backends/common/convolution.h"

namespace sy {

bool RoundsColumns(DType d, const ConvolutionParameters& c, int64_t dims) {
  if (!c.transposed || !Contains(kHalfTypes, d)) return false;
  if (d == DType::kFloat16) return true;
  for (int64_t i = 0; i < dims; ++i) {
    const auto entry = [i](IntSpan list) {
      return list[list.size() == 1 ? 0 : static_cast<size_t>(i)];
    };
    if (entry(c.output_padding) >= entry(c.stride)) return true;
  }
  return false;
}

}  // namespace sy
