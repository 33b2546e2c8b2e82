#include <optional>

#include "backends/cuda/kernels/random/fill.h"
#include "backends/cuda/plan/types.h"
#include "switchyard/backends/common/dtypes.h"
#include "switchyard/ops/random/bounds.h"

namespace sy::cuda {
namespace {

void Random(Call call, const Tensor& out, const Tensor&, Generator* generator) {
  FillIntegers(call, out, generator, DrawOf(out.dtype()));
}
void RandomFrom(Call call, const Tensor& out, const Tensor&, int64_t from, Optional<int64_t> to,
                Generator* generator) {
  FillIntegers(call, out, generator, DrawOf(out.dtype(), from, to));
}
void RandomTo(Call call, const Tensor& out, const Tensor& self, int64_t to, Generator* generator) {
  RandomFrom(call, out, self, 0, to, generator);
}

const Kernel random{"random", "cuda", kRealOrBoolTypes, Random};
const Kernel random_from{"random.from", "cuda", kRealOrBoolTypes | kWideUnsigned, RandomFrom};
const Kernel random_to{"random.to", "cuda", kRealOrBoolTypes | kWideUnsigned, RandomTo};

}  // namespace
}  // namespace sy::cuda
