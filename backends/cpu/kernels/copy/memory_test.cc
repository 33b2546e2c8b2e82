// Operators about a tensor's memory: files, set_, sizes, lists to store in.

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "switchyard/backends/cpu/kernels/testing.h"
#include "switchyard/core/testing.h"
#include "switchyard/dispatcher/call.h"

namespace sy {
namespace {

// Of 16 bytes, 0 … 15; it goes with the object.
class TestFile {
 public:
  TestFile() : name_(testing::TempDir() + "/memory_test.bin") {
    std::ofstream out(name_, std::ios::binary | std::ios::trunc);
    for (int i = 0; i < 16; ++i) out.put(static_cast<char>(i));
  }
  ~TestFile() { std::remove(name_.c_str()); }
  TestFile(const TestFile&) = delete;
  const std::string& name() const { return name_; }
  std::string Bytes() const {
    std::ifstream in(name_, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

 private:
  const std::string name_;
};

TEST(FromFileTest, AFileThatIsNotSharedStaysAsItIs) {
  const TestFile file;
  const Tensor t = from_file(file.name(), false, 4, DType::kInt16);
  EXPECT_EQ(Text(t), "tensor([ 256,  770, 1284, 1798], dtype=torch.int16)");
  fill_(t, 7);
  EXPECT_EQ(file.Bytes()[0], 0);
  EXPECT_EQ(from_file(file.name()).numel(), 0);
}

TEST(FromFileTest, ASharedOneIsWrittenAndGrows) {
  const TestFile file;
  fill_(from_file(file.name(), true, 20, DType::kUInt8), 3);
  EXPECT_EQ(file.Bytes(), std::string(20, 3));
}

TEST(FromFileTest, WhatCannotBeMappedIsRefused) {
  const TestFile file;
  const auto code = [](const std::string& name, bool shared, int64_t size) {
    return CodeOf([&] { from_file(name, shared, size); });
  };
  EXPECT_EQ(code(file.name(), false, 5), ErrorCode::kInvalidArgument);  // 20 bytes
  EXPECT_EQ(code(file.name(), false, -1), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code(file.name() + ".none", false, 1), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code(testing::TempDir(), false, 1), ErrorCode::kInvalidArgument);
  EXPECT_EQ(CodeOf([&] { from_file(file.name(), false, 1, {.device = "meta"}); }),
            ErrorCode::kInvalidArgument);
}

TEST(FromFileTest, TheOverloadsAreCalledByName) {
  const TestFile file;
  const Tensor t = call("from_file", file.name(), false, 2);
  EXPECT_EQ(t.dtype(), DType::kFloat32);
  const Tensor out = empty({0}, DType::kUInt8);
  call("from_file.out", file.name(), false, 3, kw("out", out));
  EXPECT_EQ(Text(out), "tensor([0, 1, 2], dtype=torch.uint8)");
}

TEST(SetTest, ShowsAnothersMemory) {
  const Tensor t = ones({2}, DType::kInt64), source = reshape(arange(12), {3, 4});
  call("set_.source_Tensor", t, source[1]);
  EXPECT_EQ(Text(t), "tensor([4, 5, 6, 7])");
  EXPECT_TRUE(is_set_to(t, source[1]));
  EXPECT_FALSE(is_set_to(t, source[0]));
  call("set_.source_Tensor_storage_offset", t, source[1], 1, std::vector<int64_t>{2, 2},
       std::vector<int64_t>{4, 1});
  EXPECT_EQ(Text(t), "tensor([[ 5,  6],\n        [ 9, 10]])");
  call("set_", t);
  EXPECT_EQ(t.numel(), 0);
  EXPECT_FALSE(t.shares_storage_with(source));
  call("set_data", t, tensor({1.5}));
  EXPECT_EQ(Text(t), "tensor([1.5000])");
}

TEST(SetTest, TheMemoryGrowsWhereItIsTooShort) {
  const Tensor t = empty({0}), source = ones({3});
  set_(t, source, 2, {2, 2});
  EXPECT_EQ(source.storage().nbytes(), 6 * sizeof(float));
  EXPECT_EQ(t.at<float>(0, 0), 1);
  EXPECT_EQ(source.at<float>(2), 1);
}

TEST(SetTest, RefusesWhatDoesNotFit) {
  const Tensor t = empty({0}), source = ones({3, 4});
  EXPECT_EQ(CodeOf([&] { set_(t, ones({2}, DType::kInt64)); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(CodeOf([&] { set_(t, transpose(source, 0, 1), 0, {2}); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(CodeOf([&] { set_(t, source, -1, {2}); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(CodeOf([&] { set_(t, source, 0, {-2}); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(CodeOf([&] { set_(t, source, 0, {2}, {1, 1}); }), ErrorCode::kInvalidArgument);
}

TEST(SizeTest, CountsDimensionsFromTheEnd) {
  const Tensor t = ones({2, 3});
  EXPECT_EQ(size(t, -1), 3);
  EXPECT_EQ(stride(t, 0), 3);
  EXPECT_EQ(CodeOf([&] { size(t, 2); }), ErrorCode::kOutOfRange);
  EXPECT_EQ(CodeOf([] { stride(ones({}), 0); }), ErrorCode::kOutOfRange);
}

TEST(StoredPiecesTest, GoIntoTensorsThatFit) {
  const Tensor t = reshape(arange(4), {2, 2});
  const Tensor a = empty({0}, DType::kInt64), b = empty({5}, DType::kInt64), f = empty({2});
  const std::vector<Tensor> both = {a, b}, other_dtype = {a, f}, one = {a};
  call("unbind_copy.int_out", t, 0, kw("out", both));
  EXPECT_EQ(Text(b), "tensor([2, 3])");
  EXPECT_THROW(call("unbind_copy.int_out", t, 0, kw("out", other_dtype)), Error);
  EXPECT_THROW(call("unbind_copy.int_out", t, 0, kw("out", one)), Error);
  // split_copy converts and broadcasts, and resizes nothing.
  const Tensor row = empty({2, 2}, DType::kInt64), first = empty({2, 1, 2});
  const std::vector<Tensor> wide = {row, first}, empties = {empty({0}), empty({0})};
  call("split_copy.Tensor_out", t, 1, 0, kw("out", wide));
  EXPECT_EQ(Text(row), "tensor([[0, 1],\n        [0, 1]])");
  EXPECT_EQ(first.at<float>(1, 0, 1), 3);
  EXPECT_THROW(call("split_copy.Tensor_out", t, 1, 0, kw("out", empties)), Error);
}

}  // namespace
}  // namespace sy
