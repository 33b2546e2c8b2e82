// Factorisations, equations and eigenvalues: the host's, for every dtype, layout and batch.
#include "backends/cuda/driver/cublaslt.h"
#include "backends/cuda/graph.h"
#include "backends/cuda/testing.h"
#include "switchyard/core/device_backend.h"
#include "switchyard/core/testing.h"

namespace sy::cuda {
namespace {

constexpr DType kTypes[] = {DType::kFloat32, DType::kFloat64, DType::kComplex64,
                            DType::kComplex128};

// Every result.
template <class... A>
void ExpectAllAsOnHost(std::string_view op, const A&... args) {
  const Results expected = call(op, args...), got = call(op, ToCuda(args)...);
  ASSERT_EQ(got.size(), expected.size());
  for (int i = 0; i < got.size(); ++i) {
    SCOPED_TRACE(Join({op, ": result ", i}));
    EXPECT_EQ(got[i].tensor().device(), Cuda());
    ExpectClose(got[i].tensor(), expected[i].tensor(), 1e-4);
    EXPECT_TRUE(std::ranges::equal(got[i].tensor().strides(), expected[i].tensor().strides()));
  }
}

// [batch, rows, columns], whose rows do not lie one after the other; the same on every run.
Tensor Matrices(int64_t rows, int64_t columns, DType d, int64_t batch = 2) {
  const auto numbers = [&](double step) {  // waves of growing frequency: of full rank
    const Tensor n = call("arange", columns * rows * batch, kw("dtype", DType::kFloat64)).take();
    const Tensor square = call("mul", n, n).take();
    const Tensor waves = call("sin", call("mul", square, step).take()).take();
    return call("reshape", waves, std::vector<int64_t>{columns, rows, batch}).take();
  };
  Tensor t = numbers(1.7);
  if (IsComplex(d)) t = call("complex", t, numbers(2.3)).take();
  t = call("to.dtype", t, d).take();
  return call("transpose.int", t, 0, 2).take();
}
Tensor PositiveDefinite(int64_t n, DType d, int64_t batch = 2) {
  const Tensor a = Matrices(n, n, d, batch), adjoint = call("mH", a).take();
  const Tensor product = call("matmul", a, adjoint).take();
  return call("add", product, call("eye", n, kw("dtype", d)).take()).take();
}

TEST(LinalgTest, FactorsAreTheHosts) {
  for (const DType d : kTypes) {
    for (const auto& [m, n] : {std::pair{4, 4}, std::pair{5, 3}, std::pair{3, 5}}) {
      const Tensor a = Matrices(m, n, d);
      ExpectAllAsOnHost("geqrf", a);
      ExpectAllAsOnHost("linalg_lu_factor_ex", a);
      ExpectAllAsOnHost("linalg_lu", a);
      for (const char* mode : {"reduced", "complete", "r"}) ExpectAllAsOnHost("linalg_qr", a, mode);
    }
    for (const bool upper : {false, true}) {
      const Tensor a = PositiveDefinite(4, d);
      ExpectAllAsOnHost("linalg_cholesky_ex", a, kw("upper", upper));
      ExpectAllAsOnHost("cholesky_inverse", call("cholesky", a, upper).take(), upper);
      ExpectAllAsOnHost("cholesky_solve", Matrices(4, 2, d), call("cholesky", a, upper).take(),
                        upper);
    }
  }
}

TEST(LinalgTest, ReflectionsMultiplyFromBothSides) {
  for (const DType d : kTypes) {
    const Results r = call("geqrf", Matrices(5, 3, d));
    const Tensor c = Matrices(5, 2, d), turned = call("mT", c).take();
    for (const bool transpose : {false, true}) {
      ExpectAllAsOnHost("ormqr", r[0].tensor(), r[1].tensor(), c, true, transpose);
      ExpectAllAsOnHost("ormqr", r[0].tensor(), r[1].tensor(), turned, false, transpose);
    }
  }
}

TEST(LinalgTest, EquationsAreSolvedFromBothSides) {
  for (const DType d : kTypes) {
    const Tensor a = Matrices(4, 4, d), b = Matrices(4, 3, d), turned = call("mT", b).take();
    const Results factors = call("linalg_lu_factor_ex", a);
    for (const bool adjoint : {false, true}) {
      ExpectAllAsOnHost("linalg_lu_solve", factors[0].tensor(), factors[1].tensor(), b, true,
                        adjoint);
      ExpectAllAsOnHost("linalg_lu_solve", factors[0].tensor(), factors[1].tensor(), turned, false,
                        adjoint);
    }
    for (const bool upper : {false, true}) {
      ExpectAllAsOnHost("linalg_solve_triangular", a, b, upper);
      ExpectAllAsOnHost("linalg_solve_triangular", a, turned, upper, false, true);
    }
    ExpectAllAsOnHost("linalg_solve", a, b);
    ExpectAllAsOnHost("linalg_inv", a);
    ExpectAllAsOnHost("linalg_det", a);
    ExpectAllAsOnHost("linalg_slogdet", a);
  }
}

TEST(LinalgTest, BatchesBroadcast) {
  for (const DType d : kTypes) {
    const Tensor a = Matrices(3, 3, d);
    const Tensor b = call("reshape", Matrices(3, 4, d), std::vector<int64_t>{4, 1, 3, 2}).take();
    const Results f = call("linalg_lu_factor_ex", a);
    ExpectAllAsOnHost("linalg_lu_solve", f[0].tensor(), f[1].tensor(), b);
    ExpectAllAsOnHost("linalg_solve", a, b);
    ExpectAllAsOnHost("linalg_solve_triangular", a, b, true);
    const Tensor one = call("select.int", b, 0, 0).take();  // of all equations of a batch
    ExpectAllAsOnHost("linalg_solve_triangular", a, one, false);
  }
}

// One matrix is taken by itself, many small ones at once, few large ones one by one.
TEST(LinalgTest, BatchesOfAnySizeAreTheHosts) {
  for (const DType d : kTypes) {
    for (const auto& [batch, n] :
         {std::pair{0, 3}, std::pair{1, 3}, std::pair{2, 2}, std::pair{9, 5}, std::pair{2, 48}}) {
      if (n == 48 && RealType(d) == DType::kFloat32) continue;  // rounding adds up
      SCOPED_TRACE(Join({d, ", ", batch, " of ", n, " rows"}));
      const Tensor a = Matrices(n, n, d, batch), b = Matrices(n, 2, d, batch),
                   turned = call("mT", b).take();
      ExpectAllAsOnHost("geqrf", Matrices(n, 2, d, batch));
      ExpectAllAsOnHost("geqrf", Matrices(2, n, d, batch));
      ExpectAllAsOnHost("linalg_inv", a);
      const Results f = call("linalg_lu_factor_ex", a);
      ExpectAllAsOnHost("linalg_lu_factor_ex", a);
      for (const bool half : {false, true}) {
        ExpectAllAsOnHost("linalg_lu_solve", f[0].tensor(), f[1].tensor(), b, true, half);
        ExpectAllAsOnHost("linalg_lu_solve", f[0].tensor(), f[1].tensor(), turned, false, half);
        ExpectAllAsOnHost("linalg_solve_triangular", f[0].tensor(), b, half, true, !half);
        ExpectAllAsOnHost("linalg_solve_triangular", f[0].tensor(), turned, half, false, !half);
        ExpectAllAsOnHost("linalg_cholesky_ex", PositiveDefinite(n, d, batch), kw("upper", half));
      }
    }
  }
}

// More than the libraries take at once.
TEST(LinalgTest, BatchesOfVeryManyMatrices) {
  const Tensor ones = call("ones", std::vector<int64_t>{40000, 1, 1}).take();
  const Tensor a = call("mul", ones, Scalar(4)).take();
  ExpectAllAsOnHost("linalg_cholesky_ex", a);
  ExpectAllAsOnHost("linalg_inv", a);
  ExpectAllAsOnHost("linalg_eigvalsh", a);
}

TEST(LinalgTest, SmallMatricesTakeACallForAll) {
  if (has_device) GTEST_SKIP() << "the emulator counts calls, the device's libraries do not";
  const auto calls = [](std::string_view op, const auto&... args) {
    const int before = EmulatedSolverCalls();
    call(op, ToCuda(args)...);
    return EmulatedSolverCalls() - before;
  };
  const Tensor a = PositiveDefinite(8, DType::kFloat64, 50);
  const Tensor b = Matrices(8, 1, DType::kFloat64, 1);
  const Results f = call("linalg_lu_factor_ex", a);
  EXPECT_EQ(calls("linalg_cholesky_ex", a), 1);
  EXPECT_EQ(calls("linalg_lu_factor_ex", a), 1);
  EXPECT_EQ(calls("linalg_lu_solve", f[0].tensor(), f[1].tensor(), b), 1);
  EXPECT_EQ(calls("linalg_solve_triangular", a, b, true), 1);
  EXPECT_EQ(calls("geqrf", a), 1);
  EXPECT_EQ(calls("linalg_inv", a), 2);
  EXPECT_EQ(calls("linalg_svd", a), 1);
  EXPECT_EQ(calls("linalg_svdvals", a, kw("driver", "gesvd")), 50);
  EXPECT_EQ(calls("linalg_eigh", a), 1);
  EXPECT_EQ(calls("linalg_eigh", PositiveDefinite(8, DType::kComplex128, 5)), 5);
  // One QR's rows are shared by all of the device; an LU that is not square is cuSOLVER's.
  EXPECT_EQ(calls("geqrf", Matrices(300, 2, DType::kFloat64, 4)), 4);
  EXPECT_EQ(calls("linalg_lu_factor_ex", Matrices(3, 2, DType::kFloat64, 4)), 4);
  EXPECT_EQ(calls("linalg_cholesky_ex", PositiveDefinite(64, DType::kFloat64, 3)), 3);
  const Tensor wide = call("ones", std::vector<int64_t>{2, 1, 65537}).take();
  EXPECT_EQ(calls("linalg_solve_triangular", Matrices(1, 1, DType::kFloat32), wide, true), 2);
}

// The emulator's Jacobi gives up on large elements; QR does not.
TEST(LinalgTest, ABatchThatDoesNotConvergeIsTakenByAnotherMethod) {
  const Tensor a = Matrices(3, 3, DType::kFloat64, 4);
  call("mul_", call("select.int", a, 0, 2).take(), Scalar(1e31));
  const int before = EmulatedSolverCalls();
  ExpectAllAsOnHost("linalg_svdvals", a);
  if (has_device) return;
  EXPECT_EQ(EmulatedSolverCalls() - before, 1 + 4);
}

TEST(LinalgTest, BatchesCanBeCaptured) {
  const Tensor a = ToCuda(PositiveDefinite(3, DType::kFloat64, 4));
  Tensor l;
  const Graph graph(Cuda(), [&] { l = call("linalg_cholesky_ex", a)[0].tensor(); });
  const Tensor other = PositiveDefinite(3, DType::kFloat64, 5);
  const Tensor last = call("slice.Tensor", other, 0, 1, 5).take();
  call("copy_", a, last);
  graph.Replay();
  ExpectClose(l, call("linalg_cholesky_ex", last)[0].tensor(), 1e-6);
}

TEST(LinalgTest, EigenvaluesOfOneTriangle) {
  for (const DType d : kTypes) {
    for (const int64_t batch : {1, 2, 5}) {
      const Tensor a = PositiveDefinite(4, d, batch);
      for (const char* uplo : {"L", "U"}) {
        const Tensor half = *uplo == 'L' ? call("tril", a).take() : call("triu", a).take();
        ExpectAllAsOnHost("linalg_eigvalsh", half, uplo);
        const Results r = call("linalg_eigh", ToCuda(half), uplo);
        const Tensor values = ToHost(r[0].tensor()), vectors = ToHost(r[1].tensor());
        const Tensor scaled = call("mul", vectors, call("unsqueeze", values, -2).take()).take();
        ExpectClose(call("matmul", a, vectors).take(), scaled, 1e-3);
      }
    }
  }
}

// u s vh = a, of singular values that are the host's; u's columns are of length 1 and at right
// angles.
TEST(LinalgTest, SingularValuesAndVectors) {
  for (const DType d : kTypes) {
    for (const auto& [m, n] : {std::pair{3, 5}, std::pair{4, 4}, std::pair{6, 2}}) {
      for (const int64_t batch : {1, 2, 7}) {
        const Tensor a = Matrices(m, n, d, batch);
        ExpectAllAsOnHost("linalg_svdvals", a);
        const Results thin = call("linalg_svd", ToCuda(a), false);
        const Tensor u = ToHost(thin[0].tensor()), s = ToHost(thin[1].tensor()),
                     vh = ToHost(thin[2].tensor());
        ExpectClose(s, call("linalg_svdvals", a).take(), 1e-4);
        const Tensor scaled = call("mul", u, call("unsqueeze", s, -2).take()).take();
        ExpectClose(call("matmul", scaled, vh).take(), a, 1e-3);
        const Results full = call("linalg_svd", ToCuda(a), true);
        for (const int side : {0, 2}) {
          const Tensor q = ToHost(full[side].tensor()), adjoint = call("mH", q).take();
          const Tensor one = call("eye", q.size(-1), kw("dtype", d)).take();
          ExpectClose(
              call("matmul", q, adjoint).take(),
              call("expand", one, std::vector<int64_t>{batch, q.size(-1), q.size(-1)}).take(),
              1e-3);
        }
      }
    }
  }
}

// a v = v w, of eigenvalues in LAPACK's order.
TEST(LinalgTest, EigenvaluesOfAnyMatrix) {
  for (const DType d : kTypes) {
    for (const int64_t n : {1, 2, 5, 8}) {  // some real, some in pairs
      const Tensor a = Matrices(n, n, d);
      ExpectAllAsOnHost("linalg_eigvals", a);
      const Results r = call("linalg_eig", ToCuda(a));
      const Tensor values = ToHost(r[0].tensor()), vectors = ToHost(r[1].tensor());
      ExpectClose(values, call("linalg_eigvals", a).take(), 1e-4);
      const Tensor wide = call("to.dtype", a, values.dtype()).take();
      ExpectClose(call("matmul", wide, vectors).take(),
                  call("mul", vectors, call("unsqueeze", values, -2).take()).take(), 1e-3);
      const Tensor lengths =
          call("linalg_vector_norm", vectors, 2, std::vector<int64_t>{-2}).take();
      ExpectClose(lengths, call("ones_like", lengths).take(), 1e-4);
    }
  }
  const Tensor turn = tensor({{0., -1.}, {1., 0.}});
  ExpectAsOnHost("linalg_eigvals", turn);
}

// Symmetric, or Hermitian; zeros on the diagonal ask for blocks of two rows.
Tensor Indefinite(int64_t n, DType d, bool hermitian) {
  const Tensor a = Matrices(n, n, d);
  const Tensor other = hermitian ? call("mH", a).take() : call("mT", a).take();
  const Tensor sum = call("add", a, other).take();
  const Tensor mask = call("eye", n, kw("dtype", DType::kBool)).take();
  return call("masked_fill.Scalar", sum, mask, 0).take();
}

TEST(LinalgTest, FactorsOfSymmetricMatricesAreTheHosts) {
  for (const DType d : kTypes) {
    for (const bool hermitian : {false, true}) {
      for (const int64_t n : {1, 2, 5, 40}) {
        if (n == 40 && RealType(d) == DType::kFloat32) continue;  // rounding adds up
        SCOPED_TRACE(Join({d, hermitian ? " hermitian, " : " symmetric, ", n}));
        const Tensor a = Indefinite(n, d, hermitian), diagonal = PositiveDefinite(n, d);
        ExpectAllAsOnHost("linalg_ldl_factor_ex", a, kw("hermitian", hermitian));
        if (hermitian) ExpectAllAsOnHost("linalg_ldl_factor_ex", diagonal, kw("hermitian", true));
        if (n == 1) continue;
        const Results f = call("linalg_ldl_factor_ex", a, kw("hermitian", hermitian));
        ExpectAllAsOnHost("linalg_ldl_solve", f[0].tensor(), f[1].tensor(), Matrices(n, 3, d),
                          kw("hermitian", hermitian));
      }
    }
  }
}

TEST(LinalgTest, SymmetricMatricesOfZerosHaveADefect) {
  const Tensor zeros =
      call("zeros", std::vector<int64_t>{2, 3, 3}, kw("dtype", DType::kComplex64)).take();
  for (const bool hermitian : {false, true})
    ExpectAllAsOnHost("linalg_ldl_factor_ex", zeros, kw("hermitian", hermitian));
}

TEST(LinalgTest, NothingToFactor) {
  for (const char* op :
       {"geqrf", "linalg_lu_factor_ex", "linalg_cholesky_ex", "linalg_inv", "linalg_eigvalsh",
        "linalg_eigvals", "linalg_ldl_factor_ex", "linalg_det"}) {
    ExpectAllAsOnHost(op, Tensor::Empty({2, 0, 0}, DType::kFloat32));
  }
}

std::string WhyNot(std::string_view op, const Tensor& a) {
  return MessageOf([&] { call(op, ToCuda(a)); });
}
// The third of four matrices has no factors.
TEST(LinalgTest, ABadMatrixAmongGoodOnesIsNamed) {
  for (const DType d : kTypes) {
    const Tensor good = PositiveDefinite(3, d, 4);
    const Tensor bad = call("clone", good).take();
    const Tensor third = call("select.int", bad, 0, 2).take();
    call("fill_.Scalar", call("select.int", third, 0, 1).take(), Scalar(0));
    for (const bool upper : {false, true}) {
      const Tensor info = call("linalg_cholesky_ex", ToCuda(bad), upper)[1].tensor();
      ExpectClose(info, call("to.dtype", tensor({0, 0, 2, 0}), DType::kInt32).take(), 0);
    }
    const Tensor info = call("linalg_lu_factor_ex", ToCuda(bad))[2].tensor();
    ExpectClose(info, call("linalg_lu_factor_ex", bad)[2].tensor(), 0);
    EXPECT_EQ(WhyNot("linalg_cholesky", bad),
              "linalg_cholesky(): matrix 2 of self is not positive-definite: its leading minor of "
              "order 2 is not positive");
    EXPECT_EQ(WhyNot("linalg_inv", bad),
              "linalg_inv(): matrix 2 of A is singular: diagonal element 3 of its factor is 0");
  }
}

TEST(LinalgTest, MatricesWithoutFactorsAreNamedAsOnTheHost) {
  const Tensor a = tensor({{1., 2.}, {2., 4.}});
  EXPECT_EQ(WhyNot("linalg_inv", a),
            "linalg_inv(): matrix 0 of A is singular: diagonal element 2 of its factor is 0");
  EXPECT_EQ(WhyNot("linalg_cholesky", tensor({{1., 2.}, {2., 1.}})),
            "linalg_cholesky(): matrix 0 of self is not positive-definite: its leading minor of "
            "order 2 is not positive");
  EXPECT_EQ(WhyNot("linalg_eigh", tensor({{1., 0.}, {NAN, 1.}})),
            "linalg_eigh(): matrix 0 of A did not converge: it holds NaN");
  EXPECT_EQ(WhyNot("linalg_eigvals", tensor({{1., 0.}, {INFINITY, 1.}})),
            "linalg_eigvals(): matrix 0 of self holds an infinity or NaN");
  const Tensor pivots = call("to.dtype", tensor({3}), DType::kInt32).take();
  const Tensor one = tensor({{1.}});
  EXPECT_THROW(call("linalg_lu_solve", ToCuda(one), ToCuda(pivots), ToCuda(one)), Error);
  EXPECT_THROW(call("linalg_ldl_solve", ToCuda(one), ToCuda(pivots), ToCuda(one)), Error);
}

TEST(LinalgTest, ProductsOf8BitFloatsAreTheHosts) {
  const Tensor scale = call("to.dtype", tensor(0.5), DType::kFloat32).take();
  const Tensor rows = Spread({5, 1}, DType::kFloat32), columns = Spread({1, 3}, DType::kFloat32, 1);
  for (const DType d : {DType::kFloat8E4M3FN, DType::kFloat8E5M2}) {
    const Tensor a = Spread({5, 7}, d, 1), b = Spread({7, 3}, DType::kFloat8E5M2, 2);
    const Tensor bias = Spread({3}, DType::kBFloat16);
    ExpectAsOnHostWithin(1e-5, "_scaled_mm", a, b, scale, scale, bias, scale, DType::kFloat32);
    ExpectAsOnHostWithin(1e-2, "_scaled_mm", a, b, rows, columns, bias, scale, DType::kBFloat16);
    ExpectAsOnHostWithin(0.26, "_scaled_mm", a, b, rows, columns, bias, scale);
    const Tensor nothing =
        call("_scaled_mm", ToCuda(Spread({5, 0}, d)), ToCuda(Spread({0, 3}, d)), ToCuda(scale),
             ToCuda(scale), ToCuda(bias), ToCuda(scale), DType::kBFloat16)
            .take();
    ExpectClose(nothing, call("expand", bias, std::vector<int64_t>{5, 3}).take(), 0);
  }
}

TEST(LinalgTest, WithoutALibraryASumIsOneKernel) {
  if (FindLt() != nullptr) GTEST_SKIP() << "there is cuBLASLt";
  const Tensor a = ToCuda(Spread({4, 4}, DType::kFloat32));
  DeviceBackend& backend = BackendOf(Cuda().type);
  ASSERT_TRUE(backend.StartTiming(0));
  call("addmm", a, a, a, kw("beta", 2));
  EXPECT_EQ(backend.StopTiming(0).size(), 1u);
}

TEST(LinalgTest, ActivatedSumsAreTheHosts) {
  for (const DType d : {DType::kInt64, DType::kFloat32, DType::kFloat64}) {
    const Tensor a = Spread({5, 7}, d, 1), b = Spread({7, 3}, d, 2), x = Spread({3}, d);
    ExpectAsOnHostWithin(2e-5, "_addmm_activation", x, a, b, kw("alpha", -2));
    if (d == DType::kInt64) continue;
    ExpectAsOnHostWithin(2e-5, "_addmm_activation", x, a, b, kw("use_gelu", true));
  }
}

}  // namespace
}  // namespace sy::cuda
