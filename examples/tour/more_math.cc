// Functions, comparisons, reductions and linear algebra.

#include "tour.h"

namespace tour {

void MoreMath() {
  using std::numbers::pi;
  Print("# More math");
  const sy::Tensor a = sy::rand({2, 4}) * 2 - 1;
  Print("Common functions:");
  Print(sy::abs(a));
  Print(sy::ceil(a));
  Print(sy::floor(a));
  Print(sy::clamp(a, -0.5, 0.5));

  const sy::Tensor angles = sy::tensor({0, pi / 4, pi / 2, 3 * pi / 4});
  const sy::Tensor sines = sy::sin(angles);
  Print("\nSine and arcsine:");
  Print(angles);
  Print(sines);
  Print(sy::asin(sines));

  Print("\nBitwise XOR:");
  Print(sy::bitwise_xor(sy::tensor({1, 5, 11}), sy::tensor({2, 7, 10})));

  Print("\nBroadcasted, element-wise equality comparison:");
  const sy::Tensor d = sy::tensor({{1., 2.}, {3., 4.}});
  Print(d == sy::ones({1, 2}));

  Print("\nReduction ops:");
  Print(sy::max(d));
  Print(sy::max(d).item());
  Print(sy::mean(d));
  Print(sy::std(d));
  Print(sy::prod(d));
  Print(sy::unique(sy::tensor({1, 2, 1, 2, 1, 2})));

  Print("\nVectors & Matrices:");
  const sy::Tensor v1 = sy::tensor({1., 0., 0.}), v2 = sy::tensor({0., 1., 0.});
  const sy::Tensor m1 = sy::rand({2, 2}), m2 = sy::tensor({{3., 0.}, {0., 3.}});
  Print(sy::linalg_cross(v2, v1));
  Print(m1);
  const sy::Tensor m3 = sy::matmul(m1, m2);
  Print(m3);
  const auto [u, s, vh] = sy::linalg_svd(m3);
  Print("torch.return_types.linalg_svd(\nU=", u, ",\nS=", s, ",\nVh=", vh, ")");
}

}  // namespace tour
