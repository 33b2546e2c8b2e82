// Bessel functions of each element: of the first kind (j0, j1), of the second (y0, y1), modified
// (i0, i1; k0, k1), these scaled by exp(-|x|) (i0e, i1e) and exp(x) (scaled k0, k1), spherical
// (j0), and Airy's function Ai.
//   self (x): any sizes, real; integers and bool compute in the default dtype   →   like self
// Errors: kNotImplemented for complex numbers.
// Example: sy::special_bessel_j0(x)
// Source: ATen special_bessel_j0, special_i0e, special_modified_bessel_k0, special_airy_ai and
// their like.
#include "switchyard/ops/formulas/library.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator bessel_j0_op{"special_bessel_j0(Tensor self) -> Tensor", UnaryFloatOf<kRealNumbers>,
                            kOut, kFormula<f::BesselJ0>};
const Operator bessel_j1_op{"special_bessel_j1(Tensor self) -> Tensor", UnaryFloatOf<kRealNumbers>,
                            kOut, kFormula<f::BesselJ1>};
const Operator bessel_y0_op{"special_bessel_y0(Tensor self) -> Tensor", UnaryFloatOf<kRealNumbers>,
                            kOut, kFormula<f::BesselY0>};
const Operator bessel_y1_op{"special_bessel_y1(Tensor self) -> Tensor", UnaryFloatOf<kRealNumbers>,
                            kOut, kFormula<f::BesselY1>};
const Operator i0e_op{"special_i0e(Tensor self) -> Tensor", UnaryFloatOf<kRealNumbers>, kOut,
                      kFormula<f::ScaledBesselI0>};
const Operator i1_op{"special_i1(Tensor self) -> Tensor", UnaryFloatOf<kRealNumbers>, kOut,
                     kFormula<f::BesselI1>};
const Operator i1e_op{"special_i1e(Tensor self) -> Tensor", UnaryFloatOf<kRealNumbers>, kOut,
                      kFormula<f::ScaledBesselI1>};
const Operator modified_bessel_i0_op{"special_modified_bessel_i0(Tensor self) -> Tensor",
                                     UnaryFloatOf<kRealNumbers>, kOut,
                                     kFormula<f::ModifiedBesselI0>};
const Operator modified_bessel_i1_op{"special_modified_bessel_i1(Tensor self) -> Tensor",
                                     UnaryFloatOf<kRealNumbers>, kOut,
                                     kFormula<f::ModifiedBesselI1>};
const Operator modified_bessel_k0_op{"special_modified_bessel_k0(Tensor self) -> Tensor",
                                     UnaryFloatOf<kRealNumbers>, kOut, kFormula<f::BesselK0>};
const Operator modified_bessel_k1_op{"special_modified_bessel_k1(Tensor self) -> Tensor",
                                     UnaryFloatOf<kRealNumbers>, kOut, kFormula<f::BesselK1>};
const Operator scaled_modified_bessel_k0_op{"special_scaled_modified_bessel_k0(Tensor x) -> Tensor",
                                            UnaryFloatOf<kRealNumbers>, kOut,
                                            kFormula<f::ScaledBesselK0>};
const Operator scaled_modified_bessel_k1_op{"special_scaled_modified_bessel_k1(Tensor x) -> Tensor",
                                            UnaryFloatOf<kRealNumbers>, kOut,
                                            kFormula<f::ScaledBesselK1>};
const Operator spherical_bessel_j0_op{"special_spherical_bessel_j0(Tensor x) -> Tensor",
                                      UnaryFloatOf<kRealNumbers>, kOut,
                                      kFormula<f::SphericalBesselJ0>};
const Operator airy_ai_op{"special_airy_ai(Tensor x) -> Tensor", UnaryFloatOf<kRealNumbers>, kOut,
                          kFormula<f::AiryAi>};

}  // namespace sy
