#include <gtest/gtest.h>

#include "switchyard/backends/cpu/kernels/testing.h"
#include "switchyard/core/testing.h"

namespace sy {
namespace {

// Elements 0, 1, … of these sizes.
Tensor Counted(IntSpan sizes, DType dtype = DType::kInt64) {
  return to(view(arange(NumElements(sizes)), sizes), dtype);
}
Tensor Counted(std::initializer_list<int64_t> sizes, DType dtype = DType::kInt64) {
  return Counted(IntSpan(sizes.begin(), sizes.size()), dtype);
}

// n - 1, …, 0 along a dimension: what flip must select.
Tensor Backwards(int64_t n) { return rsub(arange(n), n - 1); }

TEST(FlipTest, ReversesLongLinesOfEveryElementSize) {
  const ThreadsScope threads(4);
  for (const DType dtype :
       {DType::kInt8, DType::kFloat16, DType::kInt32, DType::kFloat64, DType::kComplex128}) {
    const Tensor x = Counted({100003}, dtype);
    EXPECT_TRUE(SameBytes(flip(x, {0}), index_select(x, 0, Backwards(100003)))) << Name(dtype);
  }
}

TEST(FlipTest, KeepsChannelsLast) {
  const Tensor x = contiguous(Counted({2, 3, 4, 5}), MemoryFormat::kChannelsLast);
  const Tensor flipped = flip(x, {1, 3});
  EXPECT_TRUE(flipped.is_contiguous(MemoryFormat::kChannelsLast));
  EXPECT_TRUE(SameBytes(flipped, index_select(index_select(x, 1, Backwards(3)), 3, Backwards(5))));
}

TEST(RollTest, ShiftsOfOneDimensionAddUp) {
  const Tensor x = Counted({5, 7});
  EXPECT_TRUE(SameBytes(roll(x, {3, 4}, {0, 0}), roll(x, 2, 0)));
  EXPECT_TRUE(SameBytes(roll(x, {-1, 9}, {0, 1}), roll(roll(x, 4, 0), 2, 1)));
}

TEST(RollTest, WithoutDimsRollsAVector) {
  const Tensor x = transpose(Counted({2, 3}), 0, 1);
  EXPECT_EQ(Text(roll(x, 1)), "tensor([[5, 0],\n        [3, 1],\n        [4, 2]])");
  const Tensor base = zeros({2, 3}, DType::kInt64), out = transpose(base, 0, 1);
  roll_out(out, x, 1);
  EXPECT_EQ(Text(base), "tensor([[5, 3, 4],\n        [0, 1, 2]])");
}

TEST(RepeatTest, LongRepeatsKeepThePhase) {
  const ThreadsScope threads(4);
  for (const int64_t period : {1, 3, 1000, 50000}) {
    const Tensor x = Counted({period}, DType::kInt32);
    const int64_t times = 600000 / period + 1;
    const Tensor all = repeat(x, {times});
    EXPECT_TRUE(SameBytes(all, remainder(Counted({period * times}, DType::kInt32), period)))
        << period;
  }
}

TEST(RepeatTest, ElementsRepeatInShortRows) {
  for (const DType dtype :
       {DType::kInt8, DType::kInt16, DType::kFloat32, DType::kFloat64, DType::kComplex128}) {
    const Tensor x = Counted({1000, 1}, dtype);
    const Tensor all = repeat(x, {2, 3});
    for (const int64_t i : {0, 1}) {
      for (const int64_t j : {0, 1, 2})
        EXPECT_TRUE(SameBytes(narrow(narrow(all, 0, 1000 * i, 1000), 1, j, 1), x)) << Name(dtype);
    }
  }
}

TEST(RepeatTest, RepeatsInEachDimension) {
  const ThreadsScope threads(4);
  const Tensor x = transpose(Counted({40, 30}), 0, 1);
  const Tensor all = repeat(x, {3, 2, 50});
  for (const int64_t i : {0, 2}) {
    for (const int64_t j : {0, 1}) {
      const Tensor place = narrow(narrow(select(all, 0, i), 0, 30 * j, 30), 1, 40 * 49, 40);
      EXPECT_TRUE(SameBytes(place, x));
    }
  }
  const Tensor out = transpose(zeros({2000, 60, 3}, DType::kInt64), 0, 2);
  repeat_out(out, x, {3, 2, 50});
  EXPECT_TRUE(SameBytes(out, all));
}

TEST(RepeatTest, BlocksOfAContiguousTensorAreRepeatedWithinOthers) {
  const ThreadsScope threads(4);
  for (const DType dtype : {DType::kInt8, DType::kInt64}) {
    const Tensor x = Counted({2, 40, 500}, dtype);
    const Tensor all = repeat(x, {3, 2, 1, 3});
    for (const int64_t i : {0, 2}) {
      for (const int64_t j : {0, 1}) {
        const Tensor at = narrow(select(all, 0, i), 0, 2 * j, 2);
        EXPECT_TRUE(SameBytes(narrow(at, 2, 0, 500), x));
        EXPECT_TRUE(SameBytes(narrow(at, 2, 1000, 500), x));
      }
    }
    EXPECT_TRUE(SameBytes(narrow(repeat(x, {1, 2, 1}), 1, 40, 40), x));
  }
}

TEST(TrilTest, TransposedAndStridedMatricesAreCutAlike) {
  const Tensor x = Counted({3, 4, 5});
  const Tensor across = transpose(contiguous(transpose(x, 1, 2)), 1, 2);
  EXPECT_TRUE(SameBytes(triu(across, -1), triu(x, -1)));
  const Tensor in_place = transpose(contiguous(transpose(x, 1, 2)), 1, 2);
  tril_(in_place, 1);
  EXPECT_TRUE(SameBytes(in_place, tril(x, 1)));
  EXPECT_TRUE(SameBytes(add(tril(x, 1), triu(x, 2)), x));
}

TEST(TrilTest, DiagonalsBeyondTheMatrixKeepAllOrNothing) {
  const Tensor x = Counted({2, 3});
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  EXPECT_TRUE(SameBytes(tril(x, kMost), x));
  EXPECT_TRUE(SameBytes(triu(x, -kMost), x));
  EXPECT_TRUE(SameBytes(triu(x, kMost), zeros_like(x)));
  EXPECT_TRUE(SameBytes(tril(x, -kMost), zeros_like(x)));
}

TEST(PadTest, MirrorsWhatANegativeWidthCutsOff) {
  const Tensor x = view(arange(4), {1, 4});
  EXPECT_EQ(Text(pad(x, {3, -3}, "reflect")), "tensor([[3, 2, 1, 0]])");
  EXPECT_EQ(Text(pad(x, {-4, 5}, "replicate")), "tensor([[3, 3, 3, 3, 3]])");
}

TEST(PadTest, RefusesBordersThatAModeCannotFill) {
  const Tensor x = view(arange(4), {1, 4});
  EXPECT_EQ(CodeOf([&] { pad(x, {4, 0}, "reflect"); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(CodeOf([&] { pad(x, {5, 0}, "circular"); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(CodeOf([&] { pad(x, {1, 0}, "mirror"); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(CodeOf([&] { constant_pad_nd(x, {-3, -2}); }), ErrorCode::kInvalidArgument);
}

TEST(PadTest, WidthsAtTheLimitsAreRefused) {
  const Tensor x = view(arange(4), {1, 4});
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(CodeOf([&] { constant_pad_nd(x, {kMost, 1}); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(CodeOf([&] { constant_pad_nd(x, {-kMost - 1, 0}); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(CodeOf([&] { pixel_shuffle(ones({0, 1, 1}), kMost); }), ErrorCode::kInvalidArgument);
}

TEST(ViewCopyTest, CopiesWhatNoViewCanShow) {
  const Tensor x = transpose(Counted({2, 3}), 0, 1);
  EXPECT_EQ(Text(view_copy(x, {6})), "tensor([0, 3, 1, 4, 2, 5])");
  EXPECT_FALSE(view_copy(x, {3, 2}).shares_storage_with(x));
}

TEST(ViewCopyTest, OutMayBeWhatIsCopied) {
  const Tensor x = Counted({2, 2});
  transpose_copy_out(x, x, 0, 1);
  EXPECT_EQ(Text(x), "tensor([[0, 2],\n        [1, 3]])");
}

TEST(ScatterOfViewsTest, LeavesSelfAndGapsAlone) {
  const Tensor base = Counted({2, 4}), x = slice(base, 1, 0, 4, 2);
  const Tensor changed = select_scatter(x, tensor({7, 8}), 1, 1);
  EXPECT_EQ(Text(changed), "tensor([[0, 7],\n        [4, 8]])");
  EXPECT_EQ(Text(base), "tensor([[0, 1, 2, 3],\n        [4, 5, 6, 7]])");
  EXPECT_EQ(CodeOf([&] { select_scatter(x, tensor({7}), 1, 1); }), ErrorCode::kInvalidArgument);
}

TEST(ComplexViewTest, PartsAreWrittenThrough) {
  const Tensor z = zeros({2}, DType::kComplex64);
  fill_(imag(z), 3);
  fill_(select(view_as_real(z), 1, 0), 2);
  EXPECT_EQ(Text(z), "tensor([2.+3.j, 2.+3.j])");
  EXPECT_TRUE(view_as_complex(view_as_real(z)).shares_storage_with(z));
}

TEST(ChunkCatTest, PadsTheLastPieces) {
  const Tensor a = Counted({3, 1}), b = Counted({1, 2});
  EXPECT_EQ(Text(_chunk_cat({a, b}, 0, 2)), "tensor([[0, 1, 0, 1],\n        [2, 0, 0, 0]])");
}

TEST(RepeatInterleaveTest, PositionsHaveTheDtypeOfTheirCounts) {
  EXPECT_EQ(Text(repeat_interleave(tensor({2, 0, 1}, DType::kInt32))),
            "tensor([0, 0, 2], dtype=torch.int32)");
}

}  // namespace
}  // namespace sy
