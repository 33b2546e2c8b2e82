// polygamma in place, by polygamma into self.

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

void PolygammaInPlace(Call, const Tensor& self, int64_t n) { polygamma_out(self, n, self); }
const Composite polygamma_in_place_body{"polygamma_", PolygammaInPlace};

}  // namespace
}  // namespace sy
