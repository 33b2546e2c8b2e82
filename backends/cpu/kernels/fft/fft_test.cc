#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "switchyard/backends/cpu/engine/isa.h"
#include "switchyard/backends/cpu/kernels/testing.h"
#include "switchyard/core/parallel.h"
#include "switchyard/core/testing.h"

namespace sy {
namespace {

// exp(-2 pi j i k / n) [n, n], and the sums themselves: x [n] times that matrix.
Tensor Roots(int64_t n) {
  const Tensor i = arange(n, DType::kFloat64);
  const Tensor turns = remainder(outer(i, i), n);
  const Tensor angle = mul(turns, -2 * std::numbers::pi / static_cast<double>(n));
  return complex(cos(angle), sin(angle));
}
Tensor Sums(const Tensor& x) { return mv(Roots(x.size(0)), to(x, DType::kComplex128)); }
Tensor RandomComplex(const Ints& sizes) {
  return complex(randn(sizes, DType::kFloat64), randn(sizes, DType::kFloat64));
}
void ExpectNear(const Tensor& a, const Tensor& b, double bound) {
  ASSERT_TRUE(SameSizes(a.sizes(), b.sizes())) << Describe(a) << " and " << Describe(b);
  EXPECT_LT(item(max(abs(sub(a, b)))).To<double>(), bound) << Describe(a);
}

TEST(FftTest, EveryLengthGivesTheSums) {
  // Powers, products of small primes, a prime for a pass, primes and their products beyond.
  for (const int64_t n : {1,  2,  3,  4,  5,  6,  7,  8,  9,   11,  12,   13,   16,   30,
                          31, 37, 49, 60, 64, 74, 77, 97, 128, 512, 1001, 1009, 1024, 2 * 1009}) {
    const Tensor x = RandomComplex(IntSpan(&n, 1));
    const double size = std::sqrt(static_cast<double>(n));
    ExpectNear(fft_fft(x), Sums(x), 1e-12 * size);
    ExpectNear(to(fft_fft(to(x, DType::kComplex64)), DType::kComplex128), Sums(x), 2e-6 * size);
    ExpectNear(fft_ifft(fft_fft(x)), x, 1e-10);
  }
}

// The sums k, k + step … of a line: [n] → [n / step], exact turns though n * n fits no double.
Tensor SomeSums(const Tensor& x, int64_t step) {
  const int64_t n = x.size(0);
  const Tensor turns = remainder(outer(arange(0, n, step), arange(n)), n);
  const Tensor angle = mul(to(turns, DType::kFloat64), -2 * std::numbers::pi / double(n));
  return mv(complex(cos(angle), sin(angle)), to(x, DType::kComplex128));
}

TEST(FftTest, LongLinesGiveTheSums) {
  // Powers, squares of primes, many small factors, a factor that no pass has, primes; real ones of
  // half as many.
  for (const int64_t n : {4096, 47 * 47, 30030, 3 * 10007, 32768, 59049, 65536, 65537}) {
    const Tensor x = RandomComplex({n}), y = SomeSums(x, n / 16);
    const auto some = [&](const Tensor& t) { return slice(t, 0, 0, std::nullopt, n / 16); };
    const double size = std::sqrt(static_cast<double>(n));  // of a sum
    ExpectNear(some(fft_fft(x)), y, 1e-13 * size);
    ExpectNear(some(fft_ifft(conj_physical(x), {}, -1, "forward")), conj_physical(y), 1e-13 * size);
    ExpectNear(to(some(fft_fft(to(x, DType::kComplex64))), DType::kComplex128), y, 5e-6 * size);
    const Tensor r = real(x), half = fft_rfft(r);
    ExpectNear(slice(half, 0, 0, std::nullopt, n / 16), narrow(SomeSums(r, n / 16), 0, 0, 9),
               1e-13 * size);
    ExpectNear(fft_irfft(half, n), r, 1e-13);
    const Tensor few = to(r, DType::kFloat32);
    ExpectNear(to(fft_irfft(fft_rfft(few), n), DType::kFloat64), r, 1e-5);
  }
}

TEST(FftTest, ThreadsDoNotChangeTheResult) {
  const int before = NumThreads();
  const auto expect_same = [](const Tensor& x) {
    SetNumThreads(1);
    const Tensor y = fft_fft(x), r = fft_rfft(real(x));
    SetNumThreads(4);
    EXPECT_TRUE(equal(fft_fft(x), y));
    EXPECT_TRUE(equal(fft_rfft(real(x)), r));
  };
  expect_same(RandomComplex({1 << 17}));
  expect_same(RandomComplex({100003}));
  expect_same(RandomComplex({3, 1 << 15}));
  expect_same(to(RandomComplex({40, 1000}), DType::kComplex64));
  SetNumThreads(before);
}

TEST(FftTest, OneOfManyLinesCountsAlone) {
  // Infinities stay in their line, and what is not there is not read as one.
  const Tensor x = RandomComplex({5, 24});
  fill_(select(x, 0, 2), std::numeric_limits<double>::infinity());
  const Tensor y = fft_fft(x);
  for (const int64_t i : {0, 1, 3, 4}) ExpectNear(select(y, 0, i), Sums(select(x, 0, i)), 1e-12);
}

TEST(FftTest, LongLinesComeBack) {
  // Whose sums would take too long: primes, and a power of 2, of which a wave is one number.
  for (const int64_t n : {10007, 100003, 1 << 20}) {
    const Tensor x = RandomComplex(IntSpan(&n, 1));
    ExpectNear(fft_ifft(fft_fft(x)), x, 1e-10);
    const Tensor angle = mul(arange(n, DType::kFloat64), 6 * std::numbers::pi / n);
    const Tensor wave = fft_fft(complex(cos(angle), sin(angle)), {}, 0, "forward");
    const Tensor expected = zeros({n}, DType::kComplex128);
    fill_(select(expected, 0, 3), 1);
    ExpectNear(wave, expected, 1e-10);
  }
}

TEST(FftTest, RealNumbersHaveHalfATransform) {
  // Even and odd, with halves that the library serves and that it does not.
  for (const int64_t n : {1, 2, 4, 5, 8, 14, 30, 37, 74, 97, 194, 2 * 1009}) {
    const Tensor x = randn(IntSpan(&n, 1), DType::kFloat64), y = Sums(x);
    ExpectNear(fft_rfft(x), narrow(y, 0, 0, n / 2 + 1), 1e-9);
    ExpectNear(fft_fft(x), y, 1e-9);
    ExpectNear(fft_irfft(fft_rfft(x), n), x, 1e-10);
    ExpectNear(fft_hfft(fft_ihfft(x), n), x, 1e-10);
  }
}

TEST(FftTest, WhatCannotBeImaginaryIsLeftOut) {
  const Tensor x = RandomComplex({5});  // of 8 numbers: the first and the last are their own
  const Tensor y = clone(x);
  for (const int64_t i : {0, 4}) copy_(select(y, 0, i), real(select(x, 0, i)));
  ExpectNear(fft_irfft(x, 8), fft_irfft(y, 8), 1e-12);
}

TEST(FftTest, SeveralDimensionsOneAfterTheOther) {
  const Tensor x = permute(RandomComplex({3, 4, 5}), {2, 0, 1});
  ExpectNear(fft_fftn(x), fft_fft(fft_fft(fft_fft(x, {}, 0), {}, 1), {}, 2), 1e-10);
  ExpectNear(fft_ifft2(fft_fft2(x)), x, 1e-10);
  const Tensor r = real(x);
  ExpectNear(fft_irfftn(fft_rfftn(r), r.sizes()), r, 1e-10);
  ExpectNear(fft_hfft2(fft_ihfft2(r), {3, 4}), r, 1e-10);
  ExpectNear(to(fft_fftn(to(x, DType::kComplex64)), DType::kComplex128), fft_fftn(x), 1e-4);
  ExpectNear(to(fft_irfftn(fft_rfftn(to(r, DType::kFloat32)), r.sizes()), DType::kFloat64), r,
             1e-6);
}

TEST(FftTest, BatchesMayBeEmpty) {
  const int64_t complex_sizes[] = {0, 4}, half_sizes[] = {3, 0, 3}, real_sizes[] = {0, 4};
  EXPECT_TRUE(SameSizes(fft_fft(RandomComplex({0, 4})).sizes(), complex_sizes));
  EXPECT_TRUE(SameSizes(fft_rfft(ones({3, 0, 4})).sizes(), half_sizes));
  EXPECT_TRUE(SameSizes(fft_irfft(RandomComplex({0, 3})).sizes(), real_sizes));
}

TEST(FftTest, ManyLinesOnSeveralThreads) {
  const ThreadsScope threads(3);
  const Tensor x = RandomComplex({67, 64}), y = fft_fft(x, {}, 0);
  ExpectNear(select(y, 1, 63), Sums(select(x, 1, 63)), 1e-9);
  // A factor for which the library has no pass of its own.
  const Tensor many = RandomComplex({300, 77}), sums = fft_fft(many);
  for (const int64_t i : {0, 150, 299})
    ExpectNear(select(sums, 0, i), Sums(select(many, 0, i)), 1e-9);
}

TEST(FftTest, LinesSideBySideOnEveryInstructionSet) {
  // Short and split ones, a prime for a convolution; more lines than any register holds, some left
  // over; of every dtype and in every order of memory.
  const cpu::Isa before = cpu::ActiveIsa();
  for (int isa = 0; isa <= cpu::BestIsa(); ++isa) {
    cpu::SetIsa(static_cast<cpu::Isa>(isa));
    for (const int64_t n : {1, 2, 7, 12, 22, 81, 94, 130, 211, 256, 1000}) {
      const Tensor roots = Roots(n);
      for (const int64_t lines : {1, 2, 3, 5, 11}) {
        const Tensor x = RandomComplex({lines, n}), y = mm(x, roots);
        const double bound = 1e-10 * static_cast<double>(n);
        ExpectNear(fft_fft(x), y, bound);
        ExpectNear(fft_fft(contiguous(t(x)), {}, 0), t(y), bound);  // lines that lie side by side
        ExpectNear(fft_fft(select(stack({x, x}, 2), 2, 1)), y, bound);  // whose elements lie apart
        ExpectNear(fft_ifft(y), x, bound);
        ExpectNear(to(fft_fft(to(x, DType::kComplex64)), DType::kComplex128), y, 1e-2);
        const Tensor r = real(x), half = narrow(fft_fft(r), 1, 0, n / 2 + 1);
        ExpectNear(fft_rfft(r), half, bound);
        ExpectNear(fft_irfft(half, n), r, bound);
        ExpectNear(fft_irfft(contiguous(t(half)), n, 0), t(r), bound);
      }
    }
  }
  cpu::SetIsa(before);
}

TEST(FftTest, LinesInAnyOrderOfMemory) {
  // Those of a block need not lie at equal distances: two dimensions of batches.
  const Tensor x = narrow(RandomComplex({3, 5, 36}), 1, 1, 3);
  const Tensor y = fft_fft(x);
  for (const int64_t i : {0, 1, 2}) {
    for (const int64_t j : {0, 1, 2})
      ExpectNear(select(select(y, 0, i), 0, j), Sums(select(select(x, 0, i), 0, j)), 1e-10);
  }
  const Tensor out = transpose(zeros({3, 36, 3}, DType::kComplex128), 1, 2);
  fft_fft_out(out, x);
  ExpectNear(out, y, 1e-12);
}

TEST(FftTest, SizesCutAndFillUp) {
  const Tensor x = tensor({1., 2., 3.});
  ExpectNear(fft_fft(x, 2), fft_fft(tensor({1., 2.})), 1e-6);
  ExpectNear(fft_fft(x, 5), fft_fft(tensor({1., 2., 3., 0., 0.})), 1e-6);
}

TEST(FftTest, NormsDivideOnOneSideOrBoth) {
  const Tensor x = ones({4});
  EXPECT_EQ(Text(real(fft_fft(x))), "tensor([4., 0., 0., 0.])");
  EXPECT_EQ(Text(real(fft_fft(x, {}, -1, "ortho"))), "tensor([2., 0., 0., 0.])");
  EXPECT_EQ(Text(real(fft_fft(x, {}, -1, "forward"))), "tensor([1., 0., 0., 0.])");
  EXPECT_EQ(Text(real(fft_ifft(x, {}, -1, "forward"))), "tensor([4., 0., 0., 0.])");
}

TEST(FftTest, ArgumentsThatDoNotFitAreRefused) {
  const Tensor x = ones({4});
  EXPECT_EQ(CodeOf([&] { fft_fft(x, 0); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(CodeOf([&] { fft_fft(x, {}, 1); }), ErrorCode::kOutOfRange);
  EXPECT_EQ(CodeOf([&] { fft_fft(x, {}, 0, "both"); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(CodeOf([&] { fft_fft(to(x, DType::kFloat16)); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(CodeOf([&] { fft_rfft(to(x, DType::kComplex64)); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(CodeOf([&] { fft_irfft(ones({1})); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(CodeOf([&] { fft_fftn(x, {1, 2}); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(CodeOf([&] { fft_fftn(x, std::nullopt, {0, 0}); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(CodeOf([&] { fft_rfftn(x, std::nullopt, IntSpan()); }), ErrorCode::kInvalidArgument);
}

TEST(FftTest, FrequenciesAndShifts) {
  EXPECT_EQ(Text(fft_fftfreq(5, 0.5)), "tensor([ 0.0000,  0.4000,  0.8000, -0.8000, -0.4000])");
  EXPECT_EQ(Text(fft_rfftfreq(5, 0.5)), "tensor([0.0000, 0.4000, 0.8000])");
  EXPECT_EQ(Text(fft_fftshift(tensor({0, 1, 2, 3, 4}))), "tensor([3, 4, 0, 1, 2])");
  EXPECT_EQ(Text(fft_ifftshift(tensor({3, 4, 0, 1, 2}))), "tensor([0, 1, 2, 3, 4])");
  EXPECT_EQ(CodeOf([] { fft_fftfreq(4, 1., DType::kInt64); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(Text(fft_rfftfreq(2, 1., DType::kComplex32)),
            "tensor([0.0000+0.j, 0.5000+0.j], dtype=torch.complex32)");
}

TEST(FftTest, FrequenciesThatCannotBeComputedLeaveOutAsItIs) {
  const Tensor out = empty({7}, DType::kFloat8E5M2);
  EXPECT_EQ(CodeOf([&] { fft_fftfreq_out(out, 4); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(out.numel(), 7);
}

TEST(StftTest, FramesAreTransformedOneByOne) {
  const Tensor x = randn({2, 40}, DType::kFloat64), window = rand({8}, DType::kFloat64);
  const Tensor y = stft(x, 8, 4, {}, window, false, std::nullopt, true);
  EXPECT_EQ(y.size(-2), 5);
  EXPECT_EQ(y.size(-1), 9);
  ExpectNear(select(y, -1, 2), fft_rfft(mul(narrow(x, -1, 8, 8), window)), 1e-10);
  ExpectNear(stft(x, 8, 4, {}, window, false, std::nullopt, false), view_as_real(y), 1e-10);
}

TEST(StftTest, ShortWindowsAreInTheMiddleOfTheirFrames) {
  const Tensor x = randn({40}, DType::kFloat64), window = ones({4}, DType::kFloat64);
  const Tensor wide = tensor({0., 0., 1., 1., 1., 1., 0., 0.}, DType::kFloat64);
  ExpectNear(stft(x, 8, 4, 4, window, false, std::nullopt, true),
             stft(x, 8, 4, {}, wide, false, std::nullopt, true), 1e-10);
}

TEST(StftTest, FramesAddUpToTheSignal) {
  const Tensor x = randn({2, 40}, DType::kFloat64);
  const Tensor window = add(rand({8}, DType::kFloat64), 0.1);
  for (const bool normalized : {false, true}) {
    const Tensor y = stft(x, 8, 2, {}, window, true, "reflect", normalized, {}, true);
    ExpectNear(istft(y, 8, 2, {}, window, true, normalized, {}, 40), x, 1e-10);
  }
  EXPECT_EQ(CodeOf([&] {
              istft(ones({5, 4}, DType::kComplex64), 8, 2, {}, zeros({8}));
            }),
            ErrorCode::kInvalidValue);
}

TEST(StftTest, ArgumentsThatDoNotFitAreRefused) {
  const Tensor x = ones({40});
  EXPECT_EQ(CodeOf([&] { stft(x, 8); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(CodeOf([&] { stft(x, 50, 4, {}, {}, false, std::nullopt, true); }),
            ErrorCode::kInvalidArgument);
  EXPECT_EQ(CodeOf([&] { stft(x, 8, 4, 9, {}, false, std::nullopt, true); }),
            ErrorCode::kInvalidArgument);
  EXPECT_EQ(CodeOf([&] {
              istft(ones({6, 4}, DType::kComplex64), 8);
            }),
            ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace sy
