// demo::softsign of each element. The formula computes it, on every device that computes with
// formulas.

#include "demo/softsign.h"

#include "switchyard/ops/shape_functions.h"

namespace demo {
namespace {

const sy::Operator softsign{"demo::softsign(Tensor self) -> Tensor", sy::UnaryFloatShape,
                            sy::kInPlace | sy::kOut, sy::kFormula<Softsign>};

}  // namespace
}  // namespace demo
