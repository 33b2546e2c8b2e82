// demo::softsign of each element. The formula computes it, on every device that computes with
// formulas; its derivative is made of operators, and so computed wherever these are.

#include "demo/softsign.h"

#include "switchyard/autograd/gradient.h"
#include "switchyard/ops.h"
#include "switchyard/ops/shape_functions.h"

namespace demo {
namespace {

const sy::Operator softsign{"demo::softsign(Tensor self) -> Tensor", sy::UnaryFloatShape,
                            sy::kInPlace | sy::kOut, sy::kFormula<Softsign>};

// 1 / (1 + |x|)²
sy::Tensor SoftsignSelf(const sy::Grad& g, const sy::Tensor& self) {
  return sy::div(g, sy::square(sy::add(sy::abs(self), 1)));
}
const sy::Gradient softsign_grad{"demo::softsign", sy::For("self", SoftsignSelf)};

}  // namespace
}  // namespace demo
