// The normal distribution and its relatives, of each element x: its probability below x (ndtr), the
// logarithm of that (log_ndtr), its inverse (ndtri), exp(x^2) erfc(x) (erfcx), and -x log(x)
// (entr).
//   self: any sizes, real; integers and bool compute in the default dtype   →   like self
// Errors: kNotImplemented for complex numbers.
// Example: sy::special_ndtr(x)
// Source: ATen special_ndtr, special_log_ndtr, special_ndtri, special_erfcx, special_entr.
#include "switchyard/ops/formulas/library.h"
#include "switchyard/ops/formulas/special.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator entr_op{"special_entr(Tensor self) -> Tensor", UnaryFloatOf<kRealNumbers>, kOut,
                       kFormula<f::Entropy>};
const Operator erfcx_op{"special_erfcx(Tensor self) -> Tensor", UnaryFloatOf<kRealNumbers>, kOut,
                        kFormula<f::Erfcx>};
const Operator log_ndtr_op{"special_log_ndtr(Tensor self) -> Tensor", UnaryFloatOf<kRealNumbers>,
                           kOut, kFormula<f::LogNdtr>};
const Operator ndtr_op{"special_ndtr(Tensor self) -> Tensor", UnaryFloatOf<kRealNumbers>, kOut,
                       kFormula<f::Ndtr>};
const Operator ndtri_op{"special_ndtri(Tensor self) -> Tensor", UnaryFloatOf<kRealNumbers>, kOut,
                        kFormula<f::Ndtri>};

}  // namespace sy
