// demo::softsign: x / (1 + |x|) of each element.

#include "switchyard/ops/rules.h"
#include "switchyard/registry/operator.h"

namespace demo {
namespace {

const sy::Operator softsign{"demo::softsign(Tensor self) -> Tensor", sy::UnaryFloatRule,
                            sy::kInPlace | sy::kOut};

}  // namespace
}  // namespace demo
