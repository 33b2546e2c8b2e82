#include "switchyard/core/storage.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "switchyard/core/from_buffer.h"
#include "switchyard/core/literal.h"
#include "switchyard/core/tensor.h"

namespace sy {
namespace {

TEST(StorageTest, ResizingKeepsWhatFits) {
  const Tensor t = tensor({1, 2, 3, 4}), view = t.AsStrided({2}, {1}, 1);
  const Storage s = t.storage();
  EXPECT_EQ(s.device(), kCpu);
  s.resize_(8 * sizeof(int64_t));
  EXPECT_EQ(s.nbytes(), 8 * sizeof(int64_t));
  EXPECT_EQ(view.at<int64_t>(1), 3);
  EXPECT_EQ(t.AsStrided({8}, {1}).numel(), 8);
  s.resize_(3 * sizeof(int64_t));
  EXPECT_EQ(view.at<int64_t>(1), 3);
  EXPECT_THROW(t.AsStrided({4}, {1}), Error);
}

TEST(StorageTest, ItMayHaveNoBytesForAWhile) {
  const Tensor t = tensor({1, 2, 3, 4});
  t.storage().resize_(0);
  EXPECT_EQ(t.storage().nbytes(), 0u);
  t.storage().resize_(t.nbytes());
  t.at<int64_t>(3) = 7;
  EXPECT_EQ(t.at<int64_t>(-1), 7);
}

TEST(StorageTest, LentAndUndefinedStorageIsNotResized) {
  float numbers[2] = {1, 2};
  const Tensor lent = Tensor::FromBlob(numbers, {2});
  EXPECT_THROW(lent.storage().resize_(4), Error);
  EXPECT_THROW(lent.storage().resize_(100), Error);
  EXPECT_THROW(Tensor().storage().resize_(4), Error);
}

TEST(FromBufferTest, ShowsTheBytesFromAnOffsetOn) {
  std::vector<int32_t> numbers = {1, 2, 3, 4};
  const std::span<std::byte> bytes = std::as_writable_bytes(std::span(numbers));
  const Tensor all = frombuffer(bytes, DType::kInt32);
  EXPECT_EQ(Describe(all), "int32[4] on cpu");
  const Tensor two = frombuffer(bytes, DType::kInt32, 2, 4);
  EXPECT_EQ(two.numel(), 2);
  two.at<int32_t>(0) = 9;
  EXPECT_EQ(numbers[1], 9);
}

TEST(FromBufferTest, RefusesWhatDoesNotFit) {
  std::vector<std::byte> bytes(16);
  for (const int64_t offset : {int64_t{-1}, int64_t{3}, int64_t{16}})
    EXPECT_THROW(frombuffer(bytes, DType::kInt32, -1, offset), Error) << offset;
  EXPECT_THROW(frombuffer(bytes, DType::kInt32, 5), Error);
  EXPECT_THROW(frombuffer(bytes, DType::kInt32, 4, 4), Error);
  EXPECT_THROW(frombuffer(bytes, DType::kInt32, 0), Error);
  EXPECT_THROW(frombuffer({}, DType::kInt32), Error);
}

}  // namespace
}  // namespace sy
