// Solutions X of least squares |A X - B|, of least norm where there are several.
//   self: [.., m, n], float32, float64 or complex; b: [.., m, k], or [.., m], of the same batch
//   →   solution: [.., n, k] or [.., n]; residuals: [.., k], the squares' sums, where m > n, A has
//   full rank and the driver is not gelsy, else [0]; rank: [..], int64, except with gels;
//   singular_values: [.., min(m, n)] with gelsd and gelss; [0] for what is not given
//   driver: gels (A has full rank), gelsy, gelsd, gelss; default gelsy on cpu, gels elsewhere. All
//   but gels go by the singular values: those up to rcond times the largest count as 0
//   rcond: default the dtype's precision times max(m, n)
// Errors: kInvalidArgument when sizes or dtypes do not fit, or there is no such driver.
// Example: sy::linalg_lstsq(sy::eye(3), sy::ones({3, 1}))
// Source: ATen linalg_lstsq.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator linalg_lstsq_op{
    "linalg_lstsq(Tensor self, Tensor b, float? rcond=None, *, str? driver=None) -> (Tensor "
    "solution, Tensor residuals, Tensor rank, Tensor singular_values)",
    KeyRule::kFirst,
    Out("linalg_lstsq.out(Tensor self, Tensor b, float? rcond=None, *, str? driver=None, "
        "Tensor(a!) solution, Tensor(b!) residuals, Tensor(c!) rank, Tensor(d!) singular_values) "
        "-> (Tensor(a!) solution, Tensor(b!) residuals, Tensor(c!) rank, Tensor(d!) "
        "singular_values)") |
        Tags(OperatorTag::kDynamicOutputShape)};

}  // namespace sy
