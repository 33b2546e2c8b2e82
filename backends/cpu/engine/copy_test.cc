#include "switchyard/backends/cpu/engine/copy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "switchyard/backends/cpu/engine/isa.h"
#include "switchyard/core/parallel.h"
#include "switchyard/core/shape.h"
#include "switchyard/core/transfer.h"
#include "switchyard/ops.h"

namespace sy::cpu {
namespace {

constexpr DType At(int d) { return static_cast<DType>(d); }

// Runs the rest of the test on one instruction set.
class WithIsa {
 public:
  explicit WithIsa(int isa) : before_(ActiveIsa()) { SetIsa(static_cast<Isa>(isa)); }
  ~WithIsa() { SetIsa(before_); }

 private:
  Isa before_;
};

// Values at the edges of the types, none of which a float holds between int32's and int64's limits,
// where what an integer narrower than 64 bits becomes depends on the way.
Tensor Values(DType dtype) {
  const double inf = std::numeric_limits<double>::infinity();
  const Scalar values[] = {0,
                           -0.0,
                           1,
                           -1,
                           2.5,
                           -2.5,
                           127,
                           128,
                           -129,
                           255,
                           256,
                           32767,
                           65535,
                           65536,
                           448,
                           464,
                           480,
                           57344,
                           61440,
                           65519,
                           65520,
                           70000,
                           2147483647.0,
                           -2147483648.0,
                           1e-3,
                           1e-8,
                           -6e-8,
                           1e-40,
                           0.3,
                           inf,
                           -inf,
                           std::numeric_limits<double>::quiet_NaN(),
                           std::complex<double>(0, 1),
                           std::complex<double>(2, -3)};
  const Tensor t = Tensor::Empty({static_cast<int64_t>(3 * std::size(values))}, dtype);
  int64_t i = 0;
  for (int times = 0; times < 3; ++times) {
    for (const Scalar& v : values) FillElements(select(t, 0, i++), v);
  }
  return t;
}

// The number as ATen converts it, by core/scalar.h, one at a time.
bool IsConverted(const Tensor& from, const Tensor& to) {
  const Scalar number = ReadNumber(from);
  return VisitDType<kAllTypes>(to.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    T expected = number.To<T>();
    // To goes through int64; the processor's conversion to int32 has its own way to say out of
    // range.
    if constexpr (std::is_same_v<T, int32_t>) {
      if (!number.is_integral(true) && !(std::abs(number.To<double>()) < 0x1p31))
        expected = std::numeric_limits<int32_t>::min();
    }
    if (std::memcmp(&expected, to.data(), sizeof(T)) == 0) return true;
    const Scalar got = ReadNumber(to);  // NaN has many patterns
    return !got.is_integral(true) && std::isnan(got.To<double>()) &&
           std::isnan(number.To<double>());
  });
}

TEST(CopyTest, EveryDTypeConvertsToEveryOtherOnEveryInstructionSet) {
  for (int isa = 0; isa <= BestIsa(); ++isa) {
    WithIsa with(isa);
    for (int f = 0; f < kNumDTypes; ++f) {
      const Tensor from = Values(At(f));
      for (int t = 0; t < kNumDTypes; ++t) {
        if (IsComplex(At(f)) && IsComplex(At(t))) continue;  // compared below
        const Tensor to = Tensor::Empty(from.sizes(), At(t));
        CopyElements(to, from);
        for (int64_t i = 0; i < from.numel(); ++i) {
          EXPECT_TRUE(IsConverted(select(from, 0, i), select(to, 0, i)))
              << Name(static_cast<Isa>(isa)) << ": " << ReadNumber(select(from, 0, i)).str()
              << " became " << ReadNumber(select(to, 0, i)).str();
        }
      }
    }
  }
}

TEST(CopyTest, ComplexNumbersKeepBothParts) {
  for (const DType from : {DType::kComplex32, DType::kComplex64, DType::kComplex128}) {
    for (const DType to : {DType::kComplex32, DType::kComplex64, DType::kComplex128}) {
      const Tensor a = Tensor::Empty({40}, from), b = Tensor::Empty({40}, to);
      FillElements(a, Scalar(std::complex<double>(1.5, -2)));
      CopyElements(b, a);
      EXPECT_EQ(ReadNumber(select(b, 0, 37)), Scalar(std::complex<double>(1.5, -2)));
    }
  }
}

// 0, 1, 2, … as dtype, in row-major order.
Tensor Count(IntSpan sizes, DType dtype) {
  int64_t n = 1;
  for (int64_t s : sizes) n *= s;
  return view(to(arange(n), dtype), sizes);
}

void ExpectSame(const Tensor& a, const Tensor& b) {
  ASSERT_TRUE(SameSizes(a.sizes(), b.sizes()));
  const Tensor x = contiguous(a), y = contiguous(b);
  EXPECT_EQ(std::memcmp(x.data(), y.data(), x.nbytes()), 0);
}

TEST(CopyTest, ATransposedCopyMovesEveryElement) {
  for (int isa = 0; isa <= BestIsa(); ++isa) {
    WithIsa with(isa);
    for (const DType d :
         {DType::kUInt8, DType::kInt16, DType::kFloat32, DType::kFloat64, DType::kComplex128}) {
      for (const auto& [rows, columns] : {std::pair{3, 5}, {64, 64}, {300, 70}, {1000, 517}}) {
        const Tensor a = Count(std::array<int64_t, 2>{rows, columns}, d);
        const Tensor out = Tensor::Empty({columns, rows}, d);
        CopyElements(out, transpose(a, 0, 1));
        bool same = true;
        const int64_t item = static_cast<int64_t>(a.itemsize());
        for (int64_t i = 0; i < rows; ++i) {
          for (int64_t j = 0; j < columns; ++j) {
            same &= std::memcmp(static_cast<char*>(out.data()) + (j * rows + i) * item,
                                static_cast<char*>(a.data()) + (i * columns + j) * item,
                                static_cast<size_t>(item)) == 0;
          }
        }
        EXPECT_TRUE(same) << Name(d) << " " << rows << " x " << columns;
      }
    }
  }
}

TEST(CopyTest, TransposedMatricesInABatchAreSharedByThreads) {
  const Tensor a = Count(std::array<int64_t, 4>{3, 70, 5, 41}, DType::kInt32);
  const int before = NumThreads();
  for (const int threads : {1, 2, 5}) {
    SetNumThreads(threads);
    for (const auto& order : {std::array<int64_t, 4>{0, 3, 2, 1}, {3, 0, 2, 1}, {2, 3, 0, 1}}) {
      const Tensor part = permute(a, order), copy = Tensor::Empty(part.sizes(), DType::kInt32);
      CopyElements(copy, part);
      bool same = true;
      const int32_t* p = copy.data<int32_t>();
      for (int64_t i = 0; i < part.numel(); ++i) {
        int64_t rest = i, at = 0;
        for (int64_t d = 3; d >= 0; --d) {
          at += rest % part.size(d) * part.stride(d);
          rest /= part.size(d);
        }
        same &= p[i] == a.data<int32_t>()[at];
      }
      EXPECT_TRUE(same) << "dim 0 was " << order[0] << ", " << threads << " threads";
    }
  }
  SetNumThreads(before);
}

TEST(CopyTest, StridedSourcesAndTargetsAgreeWithRowMajorOnes) {
  const Tensor a = Count(std::array<int64_t, 3>{7, 33, 20}, DType::kInt32);
  const Tensor parts[] = {slice(a, 2, 0, 20, 2), slice(a, 2, 3, 11), slice(a, 1, 1, 33, 3),
                          permute(a, {2, 0, 1}), slice(transpose(a, 0, 2), 0, 0, 20, 3)};
  for (const Tensor& part : parts) {
    const Tensor packed = Tensor::Empty(part.sizes(), DType::kInt32);
    CopyElements(packed, part);
    const Tensor wide = Tensor::Empty(part.sizes(), DType::kFloat64);
    CopyElements(wide, part);
    ExpectSame(to(wide, DType::kInt32), packed);
    const Tensor into = slice(zeros({part.size(0), part.size(1), 2 * part.size(2)}, DType::kInt32),
                              2, 0, 2 * part.size(2), 2);
    CopyElements(into, packed);
    ExpectSame(into, part);
  }
}

TEST(CopyTest, FillingEverySecondElementLeavesTheOthers) {
  const Tensor t = zeros({100}, DType::kInt16);
  FillElements(slice(t, 0, 0, 100, 2), 5);
  for (int64_t i = 0; i < 100; ++i) EXPECT_EQ(t.data<int16_t>()[i], i % 2 == 0 ? 5 : 0);
}

TEST(CopyTest, FillingAnExpandedTensorWritesItsOneRow) {
  const Tensor t = zeros({1, 4}, DType::kFloat32);
  FillElements(expand(t, {1000, 4}), 2);
  for (int64_t i = 0; i < 4; ++i) EXPECT_EQ(t.data<float>()[i], 2);
}

TEST(CopyTest, FillingAManyTimesLargerTensorThanTheCacheFillsItAll) {
  const Tensor t = Tensor::Empty({(int64_t{40} << 20) + 3}, DType::kUInt8);
  FillElements(t, 9);
  const uint8_t* p = t.data<uint8_t>();
  EXPECT_EQ(std::count(p, p + t.numel(), 9), t.numel());
}

TEST(CopyTest, AZeroIsFoundWhereverItIs) {
  for (const int64_t at : {0, 1, 63, 64, 99}) {
    const Tensor t = ones({100}, DType::kInt8);
    t.data<int8_t>()[at] = 0;
    EXPECT_TRUE(HasZero(t, DType::kInt8)) << at;
    EXPECT_TRUE(HasZero(t, DType::kInt64)) << at;
  }
  EXPECT_FALSE(HasZero(ones({100}, DType::kInt32), DType::kInt32));
}

TEST(CopyTest, AnIntegerOutOfRangeIsFoundWhereverItIs) {
  const auto in_range = [](const Tensor& t, int64_t least, uint64_t count) {
    return ActiveHelpers().all_in_range[SizeIndex(t.itemsize())](
        t.data(), static_cast<size_t>(t.numel()), least, count);
  };
  for (const DType dtype : {DType::kInt32, DType::kInt64}) {
    const Tensor t = to(arange(100), dtype);
    EXPECT_TRUE(in_range(t, 0, 100)) << t.itemsize();
    EXPECT_FALSE(in_range(t, 0, 99)) << t.itemsize();
    EXPECT_FALSE(in_range(t, 1, 100)) << t.itemsize();
    for (const int64_t at : {0, 1, 7, 8, 63, 64, 99}) {
      for (const int64_t bad :
           {int64_t{-1}, int64_t{100}, int64_t{INT32_MIN}, int64_t{INT32_MAX}}) {
        const Tensor wrong = clone(t);
        fill_(select(wrong, 0, at), bad);
        EXPECT_FALSE(in_range(wrong, 0, 100)) << bad << " at " << at;
      }
    }
  }
  const auto one_in_range = [](int64_t v, int64_t least, uint64_t count) {
    return ActiveHelpers().all_in_range[SizeIndex(8)](&v, 1, least, count);
  };
  EXPECT_TRUE(one_in_range(-5, -5, 10));
  EXPECT_TRUE(one_in_range(4, -5, 10));
  EXPECT_FALSE(one_in_range(-6, -5, 10));
  EXPECT_FALSE(one_in_range(5, -5, 10));
  EXPECT_FALSE(one_in_range(0, 0, 0));
  for (const int64_t end : {INT64_MIN, INT64_MAX}) {
    EXPECT_EQ(one_in_range(end, 0, uint64_t{1} << 63), end > 0);
    EXPECT_FALSE(one_in_range(end, -1, 2));
  }
  EXPECT_TRUE(ActiveHelpers().all_in_range[SizeIndex(8)](nullptr, 0, 0, 0));
}

TEST(CopyTest, ANumberThatConversionMakesZeroIsAZero) {
  EXPECT_TRUE(HasZero(NumberTensor(256), DType::kInt8));
  EXPECT_FALSE(HasZero(NumberTensor(256), DType::kInt16));
}

TEST(CopyTest, ShortRowsOfEveryLengthAreCopiedWhole) {
  const Tensor x = to(view(remainder(arange(7 * 40 * 80), 251), {7, 40, 80}), DType::kUInt8);
  for (int64_t n = 1; n <= 70; ++n) {
    const Tensor base = zeros({7, 50, 90}, DType::kUInt8);
    const Tensor out = narrow(narrow(base, 1, 5, 40), 2, 7, n);
    copy_(out, narrow(x, 2, 3, n));
    const Tensor expected = index_select(x, 2, arange(3, 3 + n));
    EXPECT_TRUE(equal(out, expected)) << n;
    EXPECT_EQ(item(sum(base)).To<int64_t>(), item(sum(expected)).To<int64_t>()) << n;
  }
}

}  // namespace
}  // namespace sy::cpu
