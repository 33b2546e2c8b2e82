// A permutation is the order of as many random numbers of 64 bits; the host's, which swaps one
// after the other, is another one.

#include "backends/cuda/engine/sort.h"
#include "backends/cuda/kernels/random/fill.h"
#include "switchyard/backends/common/dtypes.h"

namespace sy::cuda {
namespace {

void Randperm(Call call, const Tensor& out, int64_t n, Generator* generator, Optional<DType>,
              Optional<sy::Layout>, Optional<Device>, Optional<bool>) {
  if (n == 0) return;
  const Tensor bits = Tensor::Empty({n}, DType::kInt64, out.device());
  FillBits(call, bits, generator);
  const Tensor places = out.dtype() == DType::kInt64 && out.is_contiguous()
                            ? out
                            : Tensor::Empty({n}, DType::kInt64, out.device());
  SortRows(call, {bits, 1, n}, false, Tensor(), places);
  if (!places.is_same(out)) CopyElements(call, out, places);
}
const Kernel randperm{"randperm.generator", "cuda", kRealTypes, Randperm};

}  // namespace
}  // namespace sy::cuda
