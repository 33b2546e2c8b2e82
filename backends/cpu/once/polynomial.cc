// Orthogonal polynomials.
#include "switchyard/ops/formulas/polynomial.h"

#include "switchyard/backends/cpu/simd/once.h"

namespace sy::cpu {
namespace {

template <class Formula>
inline constexpr const LoopSet& kLoops = kOnce<Binary, Formula, kFloats>;

const LoopKernel chebyshev_polynomial_t{"special_chebyshev_polynomial_t", kLoops<f::ChebyshevT>};
const LoopKernel chebyshev_polynomial_u{"special_chebyshev_polynomial_u", kLoops<f::ChebyshevU>};
const LoopKernel chebyshev_polynomial_v{"special_chebyshev_polynomial_v", kLoops<f::ChebyshevV>};
const LoopKernel chebyshev_polynomial_w{"special_chebyshev_polynomial_w", kLoops<f::ChebyshevW>};
const LoopKernel hermite_polynomial_h{"special_hermite_polynomial_h",
                                      kLoops<f::HermitePolynomialH>};
const LoopKernel hermite_polynomial_he{"special_hermite_polynomial_he",
                                       kLoops<f::HermitePolynomialHe>};
const LoopKernel laguerre_polynomial_l{"special_laguerre_polynomial_l", kLoops<f::LaguerreL>};
const LoopKernel legendre_polynomial_p{"special_legendre_polynomial_p", kLoops<f::LegendreP>};
const LoopKernel shifted_chebyshev_polynomial_t{"special_shifted_chebyshev_polynomial_t",
                                                kLoops<f::ShiftedChebyshevT>};
const LoopKernel shifted_chebyshev_polynomial_u{"special_shifted_chebyshev_polynomial_u",
                                                kLoops<f::ShiftedChebyshevU>};
const LoopKernel shifted_chebyshev_polynomial_v{"special_shifted_chebyshev_polynomial_v",
                                                kLoops<f::ShiftedChebyshevV>};
const LoopKernel shifted_chebyshev_polynomial_w{"special_shifted_chebyshev_polynomial_w",
                                                kLoops<f::ShiftedChebyshevW>};

}  // namespace
}  // namespace sy::cpu
