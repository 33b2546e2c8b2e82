#include "switchyard/core/tensor.h"

#include <gtest/gtest.h>

#include <array>
#include <thread>
#include <vector>

#include "switchyard/core/overlap.h"
#include "switchyard/core/shape.h"

namespace sy {
namespace {

int64_t AliveBytes() { return HostAllocator()->Stats(0).allocated_bytes; }

TEST(TensorTest, ADefaultTensorIsUndefinedAndCostsNothing) {
  Tensor t;
  EXPECT_FALSE(t.defined());
  EXPECT_EQ(t.data(), nullptr);
  Tensor copy = t, moved = std::move(t);
  EXPECT_FALSE(copy.defined());
  EXPECT_FALSE(moved.defined());
}

TEST(TensorTest, SmallDataLiesInTheTensorsOwnBlock) {
  const Tensor t = Tensor::Empty({16}, DType::kFloat32);  // 64 bytes
  const char* block = reinterpret_cast<const char*>(t.impl());
  EXPECT_GE(static_cast<const char*>(t.data()), block);
  EXPECT_LE(static_cast<const char*>(t.data()) + t.nbytes(), block + sizeof(TensorImpl));
}

TEST(TensorTest, DataIsAlignedTo64Bytes) {
  for (int64_t n : {1, 16, 17, 100, 1000, 100000}) {
    const Tensor t = Tensor::Empty({n}, DType::kFloat32);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(t.data()) % 64, 0u) << n;
  }
}

TEST(TensorTest, AViewKeepsTheStorageAlive) {
  Tensor view;
  {
    Tensor base = Tensor::Empty({4}, DType::kInt64);
    for (int i = 0; i < 4; ++i) base.data<int64_t>()[i] = i;
    view = base.AsStrided(std::array<int64_t, 1>{2}, std::array<int64_t, 1>{2}, 1);
  }
  EXPECT_EQ(view.data<int64_t>()[0], 1);
  EXPECT_EQ(view.data<int64_t>()[2], 3);
}

TEST(TensorTest, TheOwnerMayDieAfterItsViews) {
  Tensor base = Tensor::Empty({1000}, DType::kInt64);
  const int64_t before = AliveBytes();
  { Tensor view = base.AsStrided(std::array<int64_t, 1>{2}, std::array<int64_t, 1>{1}, 0); }
  EXPECT_EQ(AliveBytes(), before);
  base = Tensor();
  EXPECT_EQ(AliveBytes(), before - 8000);
}

TEST(TensorTest, MemoryReturnsToTheBaselineAcrossThreads) {
  const int64_t before = AliveBytes();
  std::vector<Tensor> made(64);
  std::thread maker([&] {
    for (size_t i = 0; i < made.size(); ++i) {
      made[i] = Tensor::Empty({static_cast<int64_t>(i * i)}, DType::kFloat64);
    }
  });
  maker.join();
  EXPECT_GT(AliveBytes(), before);
  std::thread freer([&] { made.clear(); });
  freer.join();
  EXPECT_EQ(AliveBytes(), before);
}

TEST(TensorTest, NegativeAndHugeSizesAreErrorsAndLeakNothing) {
  const int64_t before = AliveBytes();
  EXPECT_THROW(Tensor::Empty({-1}, DType::kFloat32), Error);
  EXPECT_THROW(Tensor::Empty({int64_t{1} << 40, int64_t{1} << 40}, DType::kFloat32), Error);
  EXPECT_THROW(Tensor::Empty({int64_t{1} << 60}, DType::kFloat64), Error);
  try {
    Tensor::Empty({int64_t{1} << 59}, DType::kUInt8);
    FAIL() << "accepted";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::kOutOfMemory);
  }
  EXPECT_EQ(AliveBytes(), before);
}

TEST(TensorTest, RanksBeyondTheInlineOnesWork) {
  const std::vector<int64_t> sizes(20, 1);
  const Tensor t = Tensor::Empty(IntSpan(sizes), DType::kFloat32);
  EXPECT_EQ(t.dim(), 20);
  EXPECT_TRUE(t.is_contiguous());
  EXPECT_THROW(Tensor::Empty(IntSpan(std::vector<int64_t>(kMaxRank + 1, 1)), DType::kFloat32),
               Error);
}

TEST(TensorTest, MoreDimensionsThanThereCanBeAreAnErrorHoweverTheTensorIsMade) {
  const Tensor t = Tensor::Empty({1}, DType::kFloat32);
  float number = 0;
  for (size_t rank : {kMaxRank + 1, 256, 300}) {  // beyond 255: of which a byte holds a part
    const std::vector<int64_t> ones(rank, 1);
    EXPECT_THROW(Tensor::Empty(IntSpan(ones), DType::kFloat32), Error) << rank;
    EXPECT_THROW(Tensor::EmptyStrided(ones, ones, DType::kFloat32), Error) << rank;
    EXPECT_THROW(t.AsStrided(ones, ones, 0), Error) << rank;
    EXPECT_THROW(Tensor::FromBlob(&number, ones, DType::kFloat32), Error) << rank;
    EXPECT_THROW(Tensor::FromBlob(&number, ones, ones, DType::kFloat32), Error) << rank;
  }
  EXPECT_EQ(t.use_count(), 1u);
  EXPECT_EQ(t.storage().use_count(), 2u);  // with the handle
}

TEST(TensorTest, LentMemoryNeedsAStrideForEachSize) {
  float number = 0;
  const std::vector<int64_t> one(1, 1), two(2, 1);
  EXPECT_THROW(Tensor::FromBlob(&number, one, two, DType::kFloat32), Error);
  EXPECT_THROW(Tensor::FromBlob(&number, two, one, DType::kFloat32), Error);
}

TEST(TensorTest, HandlesAndViewsOfAnUndefinedTensorGiveNothingBack) {
  const Tensor undefined;
  const uint32_t before = undefined.storage().use_count();
  for (int i = 0; i < 3; ++i) {
    const Storage handle = undefined.storage();
    const Tensor view =
        undefined.AsStrided(std::array<int64_t, 1>{0}, std::array<int64_t, 1>{1}, 0);
    EXPECT_EQ(undefined.storage().use_count(), before + 2);
  }
  EXPECT_EQ(undefined.storage().use_count(), before);
}

TEST(TensorTest, EmptyTensorsAreContiguous) {
  const std::array<int64_t, 2> sizes = {0, 3}, strides = {7, 9};
  EXPECT_TRUE(Tensor::EmptyStrided(sizes, strides, DType::kFloat32).is_contiguous());
}

TEST(TensorTest, StridedTensorsGetJustEnoughStorage) {
  const std::array<int64_t, 2> sizes = {3, 2}, strides = {1, 4};
  const Tensor t = Tensor::EmptyStrided(sizes, strides, DType::kInt32);
  EXPECT_EQ(t.storage().nbytes(), 7 * sizeof(int32_t));
  EXPECT_FALSE(t.is_contiguous());
}

TEST(TensorTest, LentMemoryIsGivenBackOnceWhenTheLastViewDies) {
  std::array<float, 6> data = {1, 2, 3, 4, 5, 6};
  int given_back = 0;
  {
    const std::array<int64_t, 2> sizes = {2, 3};
    Tensor t = Tensor::FromBlob(data.data(), sizes, DType::kFloat32, [&] { ++given_back; });
    Tensor view = t.AsStrided(std::array<int64_t, 1>{3}, std::array<int64_t, 1>{1}, 3);
    t = Tensor();
    EXPECT_EQ(given_back, 0);
    EXPECT_EQ(view.data<float>()[0], 4);
  }
  EXPECT_EQ(given_back, 1);
}

TEST(TensorTest, AViewBeyondTheStorageIsAnError) {
  const Tensor t = Tensor::Empty({4}, DType::kFloat32);
  const std::array<int64_t, 1> four = {4}, one = {1};
  EXPECT_THROW(t.AsStrided(four, one, 1), Error);
  EXPECT_THROW(t.AsStrided(four, std::array<int64_t, 1>{int64_t{1} << 62}, 0), Error);
  EXPECT_NO_THROW(t.AsStrided(std::array<int64_t, 1>{0}, one, 4));
}

TEST(TensorTest, AskingForTheWrongElementTypeIsAnError) {
  EXPECT_THROW(Tensor::Empty({1}, DType::kFloat32).data<double>(), Error);
}

TEST(TensorTest, AnUnavailableDeviceIsAnError) {
  const DeviceType nowhere = InternDeviceType("nowhere");
  EXPECT_THROW(Tensor::Empty({1}, DType::kFloat32, {nowhere}), Error);
}

TEST(TensorTest, GrowingKeepsContentsAndViewsFollow) {
  Tensor t = Tensor::Empty({2}, DType::kInt64);
  t.data<int64_t>()[0] = 5;
  const Tensor view = t.AsStrided(std::array<int64_t, 1>{1}, std::array<int64_t, 1>{1}, 0);
  const std::array<int64_t, 1> larger = {1000}, one = {1};
  internal::Resize(t.impl(), larger, one);
  EXPECT_EQ(t.numel(), 1000);
  EXPECT_EQ(t.data<int64_t>()[0], 5);
  EXPECT_EQ(view.data(), t.data());
}

TEST(TensorTest, AdoptingStorageLeavesNothingBehind) {
  const int64_t before = AliveBytes();
  {
    Tensor t = Tensor::Empty({0}, DType::kFloat32), from = Tensor::Empty({500}, DType::kFloat32);
    void* data = from.data();
    ASSERT_TRUE(internal::AdoptStorage(t.impl(), from.impl()));
    from = Tensor();
    EXPECT_EQ(t.data(), data);
    EXPECT_EQ(t.numel(), 500);
  }
  EXPECT_EQ(AliveBytes(), before);
}

TEST(OverlapTest, ViewsAreClassified) {
  const Tensor t = Tensor::Empty({10}, DType::kFloat32);
  const auto view = [&](int64_t n, int64_t stride, int64_t offset) {
    return t.AsStrided(std::array<int64_t, 1>{n}, std::array<int64_t, 1>{stride}, offset);
  };
  EXPECT_EQ(OverlapOf(t, t), Overlap::kFull);
  EXPECT_EQ(OverlapOf(t, view(10, 1, 0)), Overlap::kFull);
  EXPECT_EQ(OverlapOf(view(5, 1, 0), view(5, 1, 5)), Overlap::kNo);
  EXPECT_EQ(OverlapOf(view(5, 1, 0), view(5, 1, 4)), Overlap::kPartial);
  EXPECT_EQ(OverlapOf(view(5, 2, 0), view(5, 2, 1)), Overlap::kNo);  // interleaved
  EXPECT_EQ(OverlapOf(view(5, 2, 0), view(3, 3, 0)), Overlap::kMaybe);
  EXPECT_EQ(OverlapOf(t, Tensor::Empty({10}, DType::kFloat32)), Overlap::kNo);
  EXPECT_TRUE(SelfOverlaps(view(5, 0, 0)));
  EXPECT_FALSE(SelfOverlaps(view(1, 0, 0)));
}

TEST(DeviceTest, TextReadsBack) {
  EXPECT_EQ(ParseDevice("cpu").str(), "cpu");
  EXPECT_EQ(ParseDevice("cpu").type, kHost);
  EXPECT_THROW(ParseDevice("cpu:x"), Error);
  EXPECT_THROW(ParseDevice("cpu:"), Error);
  EXPECT_THROW(ParseDevice(""), Error);
  EXPECT_THROW(ParseDevice("no_such_device"), Error);
}

TEST(DeviceTest, AnIndexHasOneSpelling) {
  EXPECT_EQ(ParseDevice("cpu:0").index, 0);
  EXPECT_EQ(ParseDevice("cpu:17").index, 17);
  for (const char* text :
       {"cpu:007", "cpu:00", "cpu:-0", "cpu:+1", "cpu:-1", "cpu: 1", "cpu:99999"})
    EXPECT_THROW(ParseDevice(text), Error) << text;
}

}  // namespace
}  // namespace sy
