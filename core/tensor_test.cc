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

TEST(TensorTest, GeometryIsWrittenInBracesAndTheDTypeIsThatOfThePointer) {
  std::array<double, 6> data = {1, 2, 3, 4, 5, 6};
  const Tensor t = Tensor::FromBlob(data.data(), {2, 3});
  EXPECT_EQ(Describe(t), "float64[2, 3] on cpu");
  EXPECT_EQ(Tensor::FromBlob(data.data(), {3, 2}, {1, 3}).at<double>(1, 1), 5);
  EXPECT_EQ(Tensor::FromBlob(data.data(), {2, 3}, DType::kInt64).dtype(), DType::kInt64);
  EXPECT_EQ(t.AsStrided({2, 2}, {3, 1}, 1).at<double>(1, 0), 5);
  EXPECT_EQ(Tensor::EmptyStrided({2, 2}, {1, 2}, DType::kFloat32).stride(1), 2);
}

TEST(TensorTest, ElementsAreReadAndWrittenByPosition) {
  const Tensor t = Tensor::Empty({2, 3}, DType::kFloat32);
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 3; ++j) t.at<float>(i, j) = static_cast<float>(10 * i + j);
  }
  EXPECT_EQ(t.at<float>(-1, -1), 12);
  const Tensor transposed = t.AsStrided({3, 2}, {1, 3});
  const auto a = transposed.accessor<float, 2>();
  EXPECT_EQ(a.size(0), 3);
  EXPECT_EQ(a[2][1], 12);
  EXPECT_EQ(a(0, 1), 10);
  a[0][0] = 7;
  EXPECT_EQ(t.at<float>(0, 0), 7);
  const Tensor number = Tensor::Empty({}, DType::kBool);
  EXPECT_EQ((number.accessor<bool, 0>().data() != nullptr), true);
}

TEST(TensorTest, APositionThatIsNotThereIsAnError) {
  const Tensor t = Tensor::Empty({2, 3}, DType::kFloat32);
  EXPECT_THROW(t.at<float>(0, 3), Error);
  EXPECT_THROW(t.at<float>(-3, 0), Error);
  EXPECT_THROW(t.at<float>(0), Error);
  EXPECT_THROW(t.at<double>(0, 0), Error);
  EXPECT_THROW((t.accessor<float, 3>()), Error);
}

TEST(TensorTest, SizesCompareWithSizesAndLists) {
  const Tensor a = Tensor::Empty({2, 3}, DType::kFloat32), b = Tensor::Empty({2, 3}, DType::kBool);
  EXPECT_TRUE(a.sizes() == b.sizes());
  EXPECT_TRUE(a.sizes() != Tensor::Empty({3, 2}, DType::kBool).sizes());
  EXPECT_TRUE(a.sizes() == (std::vector<int64_t>{2, 3}));
  EXPECT_FALSE(a.sizes() == (std::vector<int64_t>{2, 3, 1}));
  EXPECT_TRUE((std::array<int64_t, 2>{3, 1}) == a.strides());
}

TEST(TensorTest, SetDataMakesEveryHandleShowAnothersStorage) {
  const int64_t before = AliveBytes();
  {
    const Tensor t = Tensor::Empty({100}, DType::kFloat32), same = t;
    const Tensor view = t.AsStrided({2}, {1});
    const Tensor source = Tensor::Empty({2, 50}, DType::kInt64);
    view.at<float>(1) = 5;
    source.at<int64_t>(1, 1) = 7;
    t.set_data(source);
    EXPECT_EQ(same.at<int64_t>(1, 1), 7);
    EXPECT_TRUE(same.shares_storage_with(source));
    EXPECT_EQ(view.at<float>(1), 5);  // still shows what t showed
    t.set_data(view);                 // and back
    EXPECT_EQ(t.at<float>(1), 5);
    t.set_(t);
    EXPECT_EQ(t.at<float>(1), 5);
    t.set_data(source);
  }
  EXPECT_EQ(AliveBytes(), before);
}

TEST(TensorTest, SetRefusesAnotherDTypeAndUndefinedTensors) {
  const Tensor t = Tensor::Empty({1}, DType::kFloat32);
  EXPECT_THROW(t.set_(Tensor::Empty({1}, DType::kInt64)), Error);
  EXPECT_THROW(t.set_data(Tensor()), Error);
  EXPECT_THROW(Tensor().set_data(t), Error);
  t.set_(Tensor::Empty({3}, DType::kFloat32));
  EXPECT_EQ(t.numel(), 3);
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

TEST(DeviceTest, ADeviceIsMadeOfText) {
  const Device d = "cpu";
  EXPECT_EQ(d, kCpu);
  EXPECT_EQ(Device(std::string("cpu:0")).index, 0);
  EXPECT_EQ(Tensor::Empty({1}, DType::kBool, "cpu").device(), "cpu");
  const Optional<Device> given = "cpu";
  EXPECT_EQ(*given, kCpu);
  EXPECT_THROW(Device("no such"), Error);
  EXPECT_THROW(Tensor::Empty({1}, DType::kBool, "nowhere"), Error);
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
