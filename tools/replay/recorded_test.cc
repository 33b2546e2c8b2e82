#include "tools/replay/recorded.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "switchyard/core/error.h"

namespace sy::replay {
namespace {

// Bytes 1, 2, 3, …
std::vector<char> Counting(int n) {
  std::vector<char> bytes;
  for (int i = 1; i <= n; ++i) bytes.push_back(static_cast<char>(i));
  return bytes;
}

Tensor Decode(const char* json, const std::vector<char>& blob) {
  return Rebuild(ParseTensor(Json::parse(json), blob));
}

std::vector<int> Memory(const Tensor& t, int n) {
  const auto* p = static_cast<const uint8_t*>(t.data());
  return {p, p + n};
}

TEST(Recorded, RowMajorTensorsAreTheirBytes) {
  const Tensor t = Decode(R"({"t": ["uint8", [2, 2], [2, 1], 1, 4]})", Counting(6));
  EXPECT_EQ(Memory(t, 4), (std::vector{2, 3, 4, 5}));
}

TEST(Recorded, ATransposedTensorIsScatteredByItsStrides) {
  const Tensor t = Decode(R"({"t": ["uint8", [2, 3], [1, 2], 0, 6]})", Counting(6));
  EXPECT_EQ(Memory(t, 6), (std::vector{1, 4, 2, 5, 3, 6}));
}

TEST(Recorded, GapsAreZero) {
  const Tensor t = Decode(R"({"t": ["uint8", [2, 2], [5, 2], 0, 4]})", Counting(4));
  EXPECT_EQ(Memory(t, 8), (std::vector{1, 0, 2, 0, 0, 3, 0, 4}));
}

TEST(Recorded, AnExpandedDimensionIsStoredOnce) {
  const std::vector<char> blob = {7, 8, 7, 8};
  const Tensor t = Decode(R"({"t": ["uint8", [2, 2], [0, 1], 0, 4]})", blob);
  EXPECT_EQ(Memory(t, 2), (std::vector{7, 8}));
  EXPECT_EQ(t.stride(0), 0);
}

TEST(Recorded, WideElementsKeepTheirBytesTogether) {
  const Tensor t = Decode(R"({"t": ["int32", [2], [2], 0, 8]})", Counting(8));
  EXPECT_EQ(Memory(t, 12), (std::vector{1, 2, 3, 4, 0, 0, 0, 0, 5, 6, 7, 8}));
}

TEST(Recorded, ZeroDimAndEmptyTensorsKeepTheirGeometry) {
  EXPECT_EQ(Decode(R"({"t": ["bool", [], [], 0, 1]})", Counting(1)).dim(), 0);
  const Tensor empty = Decode(R"({"t": ["float64", [0, 3], [7, 1], 0, 0]})", {});
  EXPECT_EQ(empty.stride(0), 7);
  EXPECT_EQ(empty.numel(), 0);
}

TEST(Recorded, ATensorBeyondTheBlobIsAnError) {
  EXPECT_THROW(Decode(R"({"t": ["uint8", [4], [1], 2, 4]})", Counting(5)), Error);
}

TEST(Recorded, BytesThatDoNotMakeTheElementsAreAnError) {
  EXPECT_THROW(Decode(R"({"t": ["int16", [4], [1], 0, 4]})", Counting(8)), Error);
}

}  // namespace
}  // namespace sy::replay
