// Special functions, vectors, numbers at distances, and singular values, on cuda as on the host.

#include "backends/cuda/testing.h"
#include "switchyard/core/error.h"

namespace sy::cuda {
namespace {

constexpr DType kFloating[] = {DType::kFloat16, DType::kBFloat16, DType::kFloat32, DType::kFloat64};
double ToleranceOf(DType d) {
  return d == DType::kFloat64   ? 1e-12
         : d == DType::kFloat32 ? 1e-6
         : d == DType::kFloat16 ? 2e-3
                                : 1.6e-2;
}
bool IsWide(DType d) { return d == DType::kFloat32 || d == DType::kFloat64; }

// From `first` on, in steps, with what is special at the end.
Tensor Points(double first, double step, int n, DType d) {
  const Tensor t = Tensor::Empty({n + 6}, DType::kFloat64);
  for (int i = 0; i < n; ++i) t.data<double>()[i] = first + step * i;
  const double special[] = {0., -0., 1, INFINITY, -INFINITY, NAN};
  std::ranges::copy(special, t.data<double>() + n);
  return call("to.dtype", t, d).take();
}
Tensor Square(int64_t m, int64_t n, DType d, int seed = 0) {
  const Tensor t = Tensor::Empty({m, n}, DType::kFloat64);
  for (int64_t i = 0; i < t.numel(); ++i)
    t.data<double>()[i] = static_cast<double>((i * 37 + seed) % 101 - 50) / 25;
  return call("to.dtype", t, d).take();
}

class SpecialTest : public ::testing::TestWithParam<const char*> {};

TEST_P(SpecialTest, IsTheHostsOnEveryDType) {
  const std::string op = GetParam();
  const bool halves = op == "i0" || op == "digamma" || op == "erfinv" || op == "special_entr" ||
                      op == "special_i0e" || op == "special_i1" || op == "special_i1e";
  for (DType d : kFloating) {
    if (!halves && !IsWide(d)) continue;
    // Near zeros of the functions the points' own rounding decides.
    const double tolerance = std::max(ToleranceOf(d), 1e-11);
    for (const Tensor& x : {Points(-9.7, 0.173, 120, d), Points(-0.97, 0.0417, 48, d)})
      ExpectAsOnHostWithin(tolerance, op, x);
    ExpectAsOnHostWithin(tolerance, op, Points(12, 9.1, 70, d));
    ExpectAsOnHost(op, Tensor::Empty({0, 3}, d));
    ExpectAsOnHostWithin(tolerance, op, tensor(TensorLiteral(0.3), d));
    if (d != DType::kFloat32) continue;  // how operands lie is the same for all
    const Tensor view = call("transpose.int", Square(5, 4, d), 0, 1).take();
    ExpectAsOnHostWithin(tolerance, op, view);
    ExpectAsOnHostWithin(tolerance, op, call("select.int", view, 0, 1).take());
  }
}
INSTANTIATE_TEST_SUITE_P(
    All, SpecialTest,
    ::testing::Values("i0", "special_i0e", "special_i1", "special_i1e",
                      "special_modified_bessel_i0", "special_modified_bessel_i1",
                      "special_modified_bessel_k0", "special_modified_bessel_k1",
                      "special_scaled_modified_bessel_k0", "special_scaled_modified_bessel_k1",
                      "special_bessel_j0", "special_bessel_j1", "special_bessel_y0",
                      "special_bessel_y1", "special_spherical_bessel_j0", "special_airy_ai",
                      "digamma", "erfinv", "special_erfcx", "special_log_ndtr", "special_ndtri",
                      "special_entr"),
    [](const auto& info) { return std::string(info.param); });

TEST(SpecialPairsTest, IncompleteGammaFunctions) {
  const Tensor x = Points(0.01, 0.31, 60, DType::kFloat64),
               a = call("unsqueeze", Points(0.013, 1.7, 20, DType::kFloat64), 1).take();
  const Tensor large = tensor({250., 1000., 30000.}, DType::kFloat64),
               beside =
                   call("unsqueeze", tensor({0.7, 0.99, 1., 1.02, 1.5}, DType::kFloat64), 1).take();
  const Tensor places = call("mul", large, beside).take();
  for (const char* op : {"igamma", "igammac"}) {
    ExpectAsOnHostWithin(1e-11, op, a, x);
    ExpectAsOnHostWithin(1e-11, op, large, places);
    for (DType d : {DType::kFloat16, DType::kBFloat16, DType::kFloat32}) {
      ExpectAsOnHostWithin(ToleranceOf(d), op, call("to.dtype", a, d).take(),
                           call("to.dtype", x, d).take());
    }
  }
}
TEST(SpecialPairsTest, Neighbours) {
  for (DType d : kFloating) {
    const Tensor x = Points(-2, 0.3, 14, d), y = call("flip", x, std::vector<int64_t>{0}).take();
    ExpectAsOnHost("nextafter", x, y);
    ExpectAsOnHost("nextafter", x, x);
    ExpectAsOnHost("nextafter", call("unsqueeze", x, 1).take(), y);
  }
}
TEST(SpecialPairsTest, ZetaAndPolynomials) {
  for (DType d : {DType::kFloat32, DType::kFloat64}) {
    const Tensor x = Points(-1.4, 0.21, 14, d), n = tensor({{-1.}, {0.}, {1.}, {2.5}, {7.}}, d);
    for (const char* kind :
         {"chebyshev_polynomial_t", "chebyshev_polynomial_u", "chebyshev_polynomial_v",
          "chebyshev_polynomial_w", "hermite_polynomial_h", "hermite_polynomial_he",
          "laguerre_polynomial_l", "legendre_polynomial_p", "shifted_chebyshev_polynomial_t",
          "shifted_chebyshev_polynomial_u", "shifted_chebyshev_polynomial_v",
          "shifted_chebyshev_polynomial_w"})
      ExpectAsOnHost(std::string("special_") + kind, x, n);
    ExpectAsOnHostWithin(1e-12, "special_zeta", Points(1.1, 0.7, 12, d),
                         call("unsqueeze", Points(-2.3, 1.1, 9, d), 1).take());
  }
}
TEST(SpecialPairsTest, Frexp) {
  for (DType d : kFloating) {
    const Tensor x = Points(-7, 0.77, 20, d);
    const Results host = call("frexp", x), cuda = call("frexp", ToCuda(x));
    ExpectClose(cuda[0].tensor(), host[0].tensor(), 0);
    ExpectClose(cuda[1].tensor(), host[1].tensor(), 0);
  }
}

// --- Vectors
TEST(VectorTest, OuterProductsAreAddedRoundingEachStep) {
  for (DType d : {DType::kBool, DType::kInt8, DType::kInt64, DType::kFloat16, DType::kBFloat16,
                  DType::kFloat32, DType::kComplex64}) {
    const Tensor m = Square(3, 4, d), a = call("select.int", Square(3, 2, d, 5), 1, 0).take(),
                 b = call("select.int", m, 0, 1).take();
    ExpectAsOnHostWithin(1e-6, "addr", m, a, b);
    ExpectAsOnHostWithin(1e-6, "addr", b, a, b, kw("beta", 3), kw("alpha", 2));
    ExpectAsOnHostWithin(1e-6, "addr", m, a, b, kw("beta", 0));
  }
}
TEST(VectorTest, CrossProducts) {
  for (DType d :
       {DType::kInt16, DType::kFloat16, DType::kBFloat16, DType::kFloat64, DType::kComplex128}) {
    ExpectAsOnHost("linalg_cross", Square(5, 3, d), Square(5, 3, d, 7));
    ExpectAsOnHost("linalg_cross", Square(3, 5, d), Square(3, 1, d, 7), kw("dim", 0));
  }
}
TEST(VectorTest, Distances) {
  for (DType d : {DType::kFloat32, DType::kFloat64}) {
    const Tensor
        a = call("reshape", Square(4, 15 * 9, d), std::vector<int64_t>{2, 2, 15, 18 / 2}).take(),
        b = call("reshape", Square(2, 20 * 9, d, 3), std::vector<int64_t>{2, 20, 9}).take();
    for (double p : {0., 1., 2., 3.5, static_cast<double>(INFINITY)}) {
      ExpectAsOnHostWithin(1e-5, "cdist", a, b, p);
      ExpectAsOnHostWithin(1e-5, "pdist", Square(35, 20, d), p);
    }
    ExpectAsOnHost("pdist", Square(1, 3, d));
    ExpectAsOnHost("cdist", Square(3, 0, d), Square(4, 0, d));
    Tensor nan = Square(3, 4, d);
    nan = call("index_fill", nan, 1, tensor({2}), Scalar(NAN)).take();
    ExpectAsOnHost("pdist", nan, static_cast<double>(INFINITY));
  }
}
TEST(VectorTest, BatchesOfProductsAddUp) {
  for (DType d : {DType::kInt32, DType::kFloat16, DType::kFloat32, DType::kComplex64}) {
    const auto shape = [](const Tensor& t, int64_t a, int64_t b, int64_t c) {
      return call("reshape", t, std::vector<int64_t>{a, b, c}).take();
    };
    const Tensor a = shape(Square(6, 4, d), 2, 3, 4), b = shape(Square(8, 5, d, 2), 2, 4, 5);
    ExpectAsOnHostWithin(2 * ToleranceOf(d), "addbmm", Square(1, 5, d), a, b);
    ExpectAsOnHostWithin(2 * ToleranceOf(d), "addbmm", Square(3, 5, d), a, b, kw("beta", 0),
                         kw("alpha", 3));
  }
  ExpectAsOnHost("addbmm", Square(3, 5, DType::kFloat32), Tensor::Empty({0, 3, 4}, DType::kFloat32),
                 Tensor::Empty({0, 4, 5}, DType::kFloat32), kw("beta", 2));
}
TEST(VectorTest, HashesAreOfBits) {
  for (DType d : {DType::kBool, DType::kUInt8, DType::kInt64, DType::kBFloat16, DType::kFloat32,
                  DType::kFloat64}) {
    ExpectAsOnHost("hash_tensor", Square(40, 30, d));
    ExpectAsOnHost("hash_tensor", Square(4, 30, d), std::vector<int64_t>{0});
    ExpectAsOnHost("hash_tensor", Square(3, 0, d), std::vector<int64_t>{0});
  }
}
TEST(VectorTest, LogarithmsOfCumulativeSums) {
  for (DType d : kFloating) {
    ExpectAsOnHostWithin(4 * ToleranceOf(d), "logcumsumexp", Square(3, 300, d), 1);
    ExpectAsOnHostWithin(4 * ToleranceOf(d), "logcumsumexp", Square(3, 300, d), 0);
    ExpectAsOnHostWithin(4 * ToleranceOf(d), "logcumsumexp",
                         tensor({-INFINITY, -INFINITY, 1., INFINITY, 2., NAN, 1.}, d), 0);
    ExpectAsOnHost("logcumsumexp", tensor(TensorLiteral(0.5), d), 0);
  }
  ExpectAsOnHostWithin(1e-5, "logcumsumexp", Square(3, 40, DType::kComplex64), 1);
}
TEST(VectorTest, NumbersAtEqualDistancesMeetBothEnds) {
  for (DType d : {DType::kUInt8, DType::kInt64, DType::kFloat16, DType::kBFloat16, DType::kFloat32,
                  DType::kFloat64, DType::kComplex64}) {
    for (int64_t steps : {0, 1, 2, 7, 301}) {
      ExpectClose(call("linspace", 1, 100, steps, kw("dtype", d), kw("device", Cuda())).take(),
                  call("linspace", 1, 100, steps, kw("dtype", d)).take(), 0);
      ExpectClose(call("logspace", 0, 2, steps, 2.5, kw("dtype", d), kw("device", Cuda())).take(),
                  call("logspace", 0, 2, steps, 2.5, kw("dtype", d)).take(),
                  IsIntegral(d, true) ? 0 : ToleranceOf(d));
    }
  }
}

// --- Singular values
void ExpectDecomposes(const Tensor& a, bool full) {
  const Results r = call("linalg_svd", ToCuda(a), full);
  const Results host = call("linalg_svd", a, full);
  const Tensor u = ToHost(r[0].tensor()), s = ToHost(r[1].tensor()), vh = ToHost(r[2].tensor());
  for (int i = 0; i < 3; ++i)
    ASSERT_TRUE(std::ranges::equal(r[i].tensor().sizes(), host[i].tensor().sizes()));
  ExpectClose(s, host[1].tensor(), 1e-4);
  const int64_t k = s.size(-1);
  const Tensor left = call("narrow", u, -1, 0, k).take(),
               right = call("narrow", vh, -2, 0, k).take();
  const Tensor scaled = call("mul", left, call("unsqueeze", s, -2).take()).take();
  ExpectClose(call("matmul", scaled, right).take(), a, 1e-4);
  for (const Tensor& t : {u, call("mH", vh).take()}) {  // columns are orthonormal
    const Tensor product = call("matmul", call("mH", t).take(), t).take();
    const Tensor eye = call("eye", t.size(-1), kw("dtype", a.dtype())).take();
    ExpectClose(product, call("expand", eye, product.sizes()).take(), 1e-4);
  }
}
TEST(SvdTest, TallWideAndBatchedOfEveryDType) {
  for (DType d : {DType::kFloat32, DType::kFloat64, DType::kComplex64, DType::kComplex128}) {
    for (bool full : {false, true}) {
      ExpectDecomposes(Square(5, 3, d), full);
      ExpectDecomposes(Square(3, 5, d), full);
      ExpectDecomposes(call("transpose.int", Square(4, 6, d), 0, 1).take(), full);
      ExpectDecomposes(call("reshape", Square(6, 4, d), std::vector<int64_t>{3, 1, 2, 4}).take(),
                       full);
    }
  }
  Tensor complex =
      call("complex", Square(4, 7, DType::kFloat64), Square(4, 7, DType::kFloat64, 9)).take();
  ExpectDecomposes(complex, true);
}
TEST(SvdTest, OfNothingAndOfNaN) {
  const Results r = call("linalg_svd", Tensor::Empty({0, 3}, DType::kFloat32, Cuda()));
  ExpectClose(r[2].tensor(), call("eye", 3).take(), 0);
  const Tensor nan = tensor({{1., 2.}, {NAN, 1.}});
  try {
    call("linalg_svd", ToCuda(nan));
    FAIL() << "it converged";
  } catch (const Error& e) {
    EXPECT_EQ(e.message(), "linalg_svd(): matrix 0 of A did not converge: it holds NaN");
  }
  EXPECT_THROW(call("linalg_svd", ToCuda(nan), true, kw("driver", "gesvda")), Error);
}

}  // namespace
}  // namespace sy::cuda
