// fliplr and flipud by flip.

#include "ops/shape/checks_composite.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor Fliplr(Call call, const Tensor& self) {
  if (self.dim() < 2) FailRank(call, 2, self);
  return flip(self, {1});
}
Tensor Flipud(Call call, const Tensor& self) {
  if (self.dim() < 1) FailRank(call, 1, self);
  return flip(self, {0});
}
const Composite fliplr_body{"fliplr", Fliplr};
const Composite flipud_body{"flipud", Flipud};

}  // namespace
}  // namespace sy
