#include <algorithm>

#include "backends/cuda/device/order_args.h"
#include "backends/cuda/engine/specialised.h"

namespace sy::cuda {
namespace {

template <bool kUpper>
void Indices(Call call, const Tensor& out, int64_t row, int64_t col, int64_t offset,
             Optional<DType>, Optional<sy::Layout>, Optional<Device>, Optional<bool>) {
  if (out.numel() == 0) return;
  TriangleArgs args{out.sizes()[1], row, col, std::clamp(offset, -row, col), out.data()};
  Launch(
      call,
      Specialised("arrange", "TriangleArgs", "TrianglePositions").Element(out.dtype()).Flag(kUpper),
      BlocksFor(args.n), args);
}
const Kernel tril_indices{"tril_indices", "cuda", kIntegers, Indices<false>};
const Kernel triu_indices{"triu_indices", "cuda", kIntegers, Indices<true>};

}  // namespace
}  // namespace sy::cuda
