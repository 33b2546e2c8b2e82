#include "switchyard/registry/schema.h"

#include <gtest/gtest.h>

#include "switchyard/core/error.h"

namespace sy {
namespace {

TEST(SchemaTest, TextPrintsBackUnchanged) {
  for (const char* text :
       {"add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor", "f() -> ()",
        "add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)",
        "split.Tensor(Tensor(a -> *) self, SymInt split_size, int dim=0) -> Tensor(a)[]",
        "max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)",
        "index.Tensor(Tensor self, Tensor?[] indices) -> Tensor",
        "norm(Tensor self, Scalar? p=None, int[1]? dim=None) -> Tensor",
        "conv(Tensor x, SymInt[2] stride=[1, 1], SymInt[2] padding=0, str mode=\"a, b\") -> Tensor",
        "f(float eps=1.0000000000000001e-05, float[]? scales=None, bool[3] mask) -> float",
        "rand(SymInt[] size, *, ScalarType? dtype=4, Generator? generator=None) -> Tensor",
        "ns::rms_norm(Tensor x, float eps=1e-6) -> Tensor", "f(Dimname[1] dim) -> Scalar"}) {
    EXPECT_EQ(ParseSchema(text).str(), text);
  }
}

TEST(SchemaTest, PartsAreFound) {
  const Schema s = ParseSchema(
      "ns::f.over(Tensor(a!) self, int[2]? k=None, *, Tensor(b!) out) -> (Tensor(a!), Tensor(b!))");
  EXPECT_EQ(s.name, "ns::f");
  EXPECT_EQ(s.overload, "over");
  EXPECT_EQ(s.full_name(), "ns::f.over");
  ASSERT_EQ(s.arguments.size(), 3u);
  EXPECT_TRUE(s.arguments[0].type.alias.write);
  EXPECT_TRUE(s.arguments[1].type.list && s.arguments[1].type.optional);
  EXPECT_EQ(s.arguments[1].type.list_size, 2);
  EXPECT_TRUE(s.arguments[1].has_default);
  EXPECT_TRUE(s.arguments[2].kwarg_only);
  EXPECT_TRUE(s.ReturnsWritten());
  EXPECT_EQ(s.Code(), "TMT>TT");
  EXPECT_EQ(s.DirectCode(), "TMT>");
}

// Each schema with the column where it goes wrong, counted from 1, and what was expected there.
struct Wrong {
  const char* text;
  int column;
  const char* expected;
};

class SchemaErrorTest : public testing::TestWithParam<Wrong> {};

TEST_P(SchemaErrorTest, PointsAtTheColumn) {
  try {
    ParseSchema(GetParam().text);
    FAIL() << "accepted: " << GetParam().text;
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::kRegistration);
    EXPECT_NE(e.message().find("column " + std::to_string(GetParam().column) + ":"),
              std::string::npos)
        << e.message();
    EXPECT_NE(e.message().find(GetParam().expected), std::string::npos) << e.message();
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, SchemaErrorTest,
    testing::Values(Wrong{"", 1, "operator name"}, Wrong{"3add(Tensor x) -> Tensor", 1, "name"},
                    Wrong{"add", 4, "'('"}, Wrong{"add(Tensr self) -> Tensor", 5, "a type"},
                    Wrong{"add(Tensor) -> Tensor", 11, "argument name"},
                    Wrong{"add(Tensor self", 16, "','"}, Wrong{"add(Tensor self)", 17, "'->'"},
                    Wrong{"add(Tensor self) -> ", 21, "a type"},
                    Wrong{"add(Tensor self, Tensor self) -> Tensor", 18, "twice"},
                    Wrong{"add(*, *, Tensor self) -> Tensor", 9, "'*' stands once"},
                    Wrong{"add(int k=x) -> Tensor", 11, "default of type int"},
                    Wrong{"add(int[] k=3) -> Tensor", 13, "default of type int[]"},
                    Wrong{"add(Tensor(a self) -> Tensor", 14, "alias set"},
                    Wrong{"add(Tensor(!) self) -> Tensor", 12, "alias set"},
                    Wrong{"add(int[0] k) -> Tensor", 9, "list size"},
                    Wrong{"add(int[2000000000] k=1) -> Tensor", 9, "list size of 1 to 1024"},
                    Wrong{"add(int[99999999999] k=1) -> Tensor", 9, "list size"},
                    Wrong{"add(Tensor self) -> Tensor x y", 30, "the end"},
                    Wrong{"add(int k=) -> Tensor", 11, "default value"},
                    Wrong{"add.(Tensor x) -> Tensor", 5, "overload name"}));

Value DefaultOf(const char* text) {
  static std::vector<std::unique_ptr<DefaultValue>> kept;
  const Schema s = ParseSchema(text);
  kept.push_back(std::make_unique<DefaultValue>(s.arguments[0], text));
  return kept.back()->value();
}

TEST(SchemaTest, DefaultsBecomeValues) {
  EXPECT_EQ(DefaultOf("f(int k=-3) -> ()").i, -3);
  EXPECT_EQ(DefaultOf("f(float k=1.) -> ()").d, 1.0);
  EXPECT_EQ(DefaultOf("f(float k=1e-08) -> ()").d, 1e-8);
  EXPECT_EQ(DefaultOf("f(Scalar k=0.5) -> ()").scalar(), Scalar(0.5));
  EXPECT_EQ(DefaultOf("f(bool k=True) -> ()").scalar(), Scalar(true));
  EXPECT_EQ(DefaultOf("f(str k=\"mean\") -> ()").text(), "mean");
  EXPECT_TRUE(DefaultOf("f(Tensor? k=None) -> ()").is_none());
  EXPECT_EQ(DefaultOf("f(ScalarType k=4) -> ()").str(), "int64");  // ATen's number
  EXPECT_EQ(DefaultOf("f(ScalarType k=float) -> ()").str(), "float32");
  EXPECT_EQ(DefaultOf("f(MemoryFormat k=contiguous_format) -> ()").str(), "contiguous_format");
  EXPECT_EQ(DefaultOf("f(int[2] k=1) -> ()").str(), "[1, 1]");
  EXPECT_EQ(DefaultOf("f(int[] k=[]) -> ()").str(), "[]");
  EXPECT_EQ(DefaultOf("f(SymInt[3] k=[1, 2, 3]) -> ()").str(), "[1, 2, 3]");
}

}  // namespace
}  // namespace sy
