#include <limits>
#include <optional>

#include "backends/cuda/kernels/random/fill.h"
#include "backends/cuda/plan/types.h"
#include "switchyard/backends/common/dtypes.h"
#include "switchyard/ops/random/bounds.h"

namespace sy::cuda {
namespace {

// From so many on, 64 bits are drawn for each. Source: uniform_int_from_to_distribution,
// ATen/core/DistributionsHelper.h.
constexpr uint64_t kWideCount = uint64_t{1} << 28;

void Random(Call call, const Tensor& out, const Tensor&, Generator* generator) {
  const RandomBounds b = BoundsOfRandom(out.dtype(), 0, std::nullopt);
  const bool wide = out.dtype() == DType::kInt64 || out.dtype() == DType::kFloat64;
  FillIntegers(call, out, generator, 0, b.count(), wide);
}
void RandomFrom(Call call, const Tensor& out, const Tensor&, int64_t from, Optional<int64_t> to,
                Generator* generator) {
  const bool any_bits = !to && from == std::numeric_limits<int64_t>::min();
  const RandomBounds b = any_bits ? RandomBounds{from, std::numeric_limits<int64_t>::max()}
                                  : BoundsOfRandom(out.dtype(), from, to);
  const uint64_t count = b.count();
  FillIntegers(call, out, generator, any_bits ? 0 : b.from, count,
               count == 0 || count >= kWideCount);
}
void RandomTo(Call call, const Tensor& out, const Tensor& self, int64_t to, Generator* generator) {
  RandomFrom(call, out, self, 0, to, generator);
}

const Kernel random{"random", "cuda", kRealOrBoolTypes, Random};
const Kernel random_from{"random.from", "cuda", kRealOrBoolTypes | kWideUnsigned, RandomFrom};
const Kernel random_to{"random.to", "cuda", kRealOrBoolTypes | kWideUnsigned, RandomTo};

}  // namespace
}  // namespace sy::cuda
