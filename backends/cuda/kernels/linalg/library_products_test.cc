// What goes to cuBLASLt where there is one.

#include <tuple>
#include <utility>
#include <vector>

#include "backends/cuda/driver/cublaslt.h"
#include "backends/cuda/testing.h"

namespace sy::cuda {
namespace {

using Ints = std::vector<int64_t>;

class LibraryProductTest : public testing::Test {
 protected:
  void SetUp() override {
    if (FindLt() == nullptr) GTEST_SKIP() << "there is no cuBLASLt";
  }
  // Calls of the emulator's library that f makes; `expected` on a device.
  template <class F>
  int Calls(int expected, F f) {
    const int before = EmulatedProductCalls();
    f();
    return has_device ? expected : EmulatedProductCalls() - before;
  }
};

TEST_F(LibraryProductTest, OfEveryDTypeThatItHas) {
  for (DType d : {DType::kFloat16, DType::kBFloat16, DType::kFloat32, DType::kFloat64,
                  DType::kComplex64, DType::kComplex128}) {
    const double tolerance = d == DType::kFloat16 ? 4e-3 : d == DType::kBFloat16 ? 3e-2 : 2e-5;
    EXPECT_EQ(
        Calls(1,
              [&] {
                ExpectAsOnHostWithin(tolerance, "mm", Spread({5, 7}, d), Spread({7, 3}, d, 1));
              }),
        1);
    ExpectAsOnHostWithin(tolerance, "bmm", Spread({2, 5, 7}, d), Spread({2, 7, 3}, d, 1));
  }
}

TEST_F(LibraryProductTest, ARowThatIsAddedIsItsBias) {
  for (DType d : {DType::kFloat16, DType::kBFloat16, DType::kFloat32}) {
    const double tolerance = d == DType::kFloat16 ? 4e-3 : d == DType::kBFloat16 ? 3e-2 : 2e-5;
    const Tensor a = Spread({5, 7}, d, 1), b = Spread({7, 3}, d, 2);
    for (const Ints& sizes : {Ints{3}, {1, 3}, {5, 1}, {1}, {5, 3}}) {
      EXPECT_EQ(Calls(1, [&] { ExpectAsOnHostWithin(tolerance, "addmm", Spread(sizes, d), a, b); }),
                1);
      ExpectAsOnHostWithin(tolerance, "addmm", Spread(sizes, d), a, b, kw("beta", 2),
                           kw("alpha", 0.5));
      ExpectAsOnHostWithin(tolerance, "addmm", Spread(sizes, d), a, b, kw("alpha", 0.5));
    }
    ExpectAsOnHostWithin(tolerance, "linear", a, Spread({3, 7}, d, 2), Spread({3}, d));
  }
}

TEST_F(LibraryProductTest, ReluIsItsEpilogue) {
  for (DType d : {DType::kFloat16, DType::kBFloat16, DType::kFloat32, DType::kFloat64}) {
    const double tolerance = d == DType::kFloat16 ? 4e-3 : d == DType::kBFloat16 ? 3e-2 : 2e-5;
    const Tensor a = Spread({5, 7}, d, 1), b = Spread({7, 3}, d, 2);
    for (const Ints& sizes : {Ints{3}, {5, 1}, {5, 3}}) {
      for (const bool use_gelu : {false, true}) {
        const auto compare = [&] {
          ExpectAsOnHostWithin(tolerance, "_addmm_activation", Spread(sizes, d), a, b,
                               kw("beta", 2), kw("alpha", 0.5), kw("use_gelu", use_gelu));
        };
        EXPECT_EQ(Calls(1, compare), 1);
      }
      ExpectAsOnHostWithin(tolerance, "_addmm_activation", Spread(sizes, d), a, b);
    }
  }
}

// a, b: [m, k], [k, n]; of as many calls as it takes.
void ExpectScaled(double tolerance, const Tensor& a, const Tensor& b, const Tensor& scale_a,
                  const Tensor& scale_b, const Tensor& bias, const Tensor& scale_result, DType d) {
  SCOPED_TRACE(Join({a.dtype(), " ", b.dtype(), " ", d, " ", a.sizes(), " ", b.sizes()}));
  const auto there = [](const Tensor& t) { return t.defined() ? ToCuda(t) : t; };
  const Tensor expected =
      call("_scaled_mm", a, b, scale_a, scale_b, bias, scale_result, d, true).take();
  const Tensor got = call("_scaled_mm", there(a), there(b), there(scale_a), there(scale_b),
                          there(bias), there(scale_result), d, true)
                         .take();
  ExpectClose(got, expected, tolerance);
}
double ToleranceOf(DType d) {
  return d == DType::kFloat32        ? 1e-5
         : d == DType::kFloat16      ? 4e-3
         : d == DType::kBFloat16     ? 1e-2
         : d == DType::kFloat8E4M3FN ? 0.13
                                     : 0.26;
}

TEST_F(LibraryProductTest, Of8BitFloatsWithScales) {
  constexpr DType kE4 = DType::kFloat8E4M3FN, kE5 = DType::kFloat8E5M2;
  const Tensor none, half = call("to.dtype", tensor(0.5), DType::kFloat32).take();
  const Tensor rows = Spread({3, 1}, DType::kFloat32, 5),
               columns = Spread({1, 16}, DType::kFloat32, 7);
  for (const auto& [left, right] : {std::pair{kE4, kE4}, {kE4, kE5}, {kE5, kE4}, {kE5, kE5}}) {
    const Tensor a = Spread({3, 32}, left, 1), b = Spread({32, 16}, right, 2);
    for (const DType d : {DType::kFloat32, DType::kFloat16, DType::kBFloat16, kE4, kE5}) {
      for (const Tensor& bias : {none, Spread({16}, d == kE4 || d == kE5 ? DType::kFloat32 : d)}) {
        EXPECT_EQ(Calls(1, [&] { ExpectScaled(ToleranceOf(d), a, b, half, half, bias, none, d); }),
                  1);
        EXPECT_EQ(
            Calls(1, [&] { ExpectScaled(ToleranceOf(d), a, b, rows, columns, bias, half, d); }), 1);
      }
    }
  }
}

// Whose numbers are multiplied in bfloat16.
TEST_F(LibraryProductTest, Of8BitFloatsOfSizesThatItHasNot) {
  const Tensor none, one = call("to.dtype", tensor(1.), DType::kFloat32).take();
  const DType d = DType::kFloat8E4M3FN;
  for (const auto& [m, k, n] : {std::tuple{16, 16, 5}, {16, 5, 16}, {1, 7, 1}}) {
    const Tensor a = Spread({m, k}, d, 1), b = Spread({k, n}, d, 2);
    EXPECT_EQ(Calls(1, [&] { ExpectScaled(1e-5, a, b, one, one, none, none, DType::kFloat32); }),
              1);
  }
}

}  // namespace
}  // namespace sy::cuda
