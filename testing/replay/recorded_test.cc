#include "testing/replay/recorded.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "switchyard/core/error.h"
#include "testing/replay/numbers.h"

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

TEST(Recorded, SizesThatWrapAreAnError) {
  const std::vector<char> blob = Counting(8);
  for (const char* json : {
           R"({"t": ["float64", [2305843009213693952], [1], 0, 0]})",  // 2^64 bytes
           R"({"t": ["float64", [2305843009213693953], [1], 0, 8]})",
           R"({"t": ["int8", [4294967296, 4294967296], [0, 0], 0, 0]})",
           R"({"t": ["int8", [2], [9223372036854775807], 0, 2]})",
           R"({"t": ["int8", [18446744073709551615], [1], 0, 1]})",
           R"({"t": ["int8", [1], [1], -1, 1]})", R"({"t": ["int8", [1e300], [1], 0, 1]})",
           R"({"t": ["int8", [8], [1099511627776], 0, 8]})",  // terabytes of gaps
       }) {
    EXPECT_THROW(Decode(json, blob), Malformed) << json;
  }
}

TEST(Recorded, ListsThatAreNoneAreAnError) {
  for (const char* json :
       {R"({"t": {"a": 1, "b": 2, "c": 3, "d": 4, "e": 5}})", R"({"t": ["int8", 2, [1], 0, 2]})",
        R"({"t": ["int8", [2], null, 0, 2]})", R"({"t": ["int8", [2], [1, 1], 0, 2]})"}) {
    EXPECT_THROW(Decode(json, Counting(8)), Malformed) << json;
  }
}

TEST(Numbers, AComplexNumberHasTwoParts) {
  EXPECT_EQ(AsScalar(Json::parse(R"({"c": [1, {"f": "inf"}]})"))->str(), "(1+infj)");
  for (const char* json : {R"({"c": []})", R"({"c": [1]})", R"({"c": [1, 2, 3]})", R"({"c": 1})",
                           R"({"c": [1, "2"]})", R"({"c": [[], []]})"}) {
    EXPECT_THROW(AsScalar(Json::parse(json)), Malformed) << json;
  }
}

TEST(Numbers, IntegersHaveNoFractionAndFit) {
  EXPECT_EQ(AsInteger(Json::parse("-3")), -3);
  EXPECT_EQ(AsInteger(Json::parse("9223372036854775807")), INT64_MAX);
  for (const char* json : {"9223372036854775808", "1.0", "1e30", "true", "\"1\"", "null", "[1]"})
    EXPECT_THROW(AsInteger(Json::parse(json)), Malformed) << json;
}

TEST(Numbers, ObjectsNestOnlySoDeep) {
  const auto nested = [](size_t levels) {
    return "{\"a\": " + std::string(levels, '[') + std::string(levels, ']') + "}";
  };
  EXPECT_EQ(ParseObject(nested(60)).size(), 1u);
  EXPECT_THROW(ParseObject(nested(200)), Malformed);
  EXPECT_THROW(ParseObject(nested(200000)), Malformed);
  EXPECT_THROW(ParseObject(std::string(200000, '[')), Malformed);
  EXPECT_THROW(ParseObject("[]"), Malformed);
}

}  // namespace
}  // namespace sy::replay
