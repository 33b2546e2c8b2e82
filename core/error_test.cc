#include "switchyard/core/error.h"

#include <gtest/gtest.h>

#include <memory>

#include "switchyard/core/testing.h"

namespace sy {
namespace {

TEST(ErrorTest, AnOperatorIsKeptApartFromTheReason) {
  const Error e = Thrown([] {
    Fail(ErrorCode::kOutOfRange, "add.out", {"dim ", 3, " is out of range"});
  });
  EXPECT_EQ(e.code(), ErrorCode::kOutOfRange);
  EXPECT_EQ(e.message(), "add.out(): dim 3 is out of range");
  EXPECT_EQ(e.op(), "add.out");
  EXPECT_EQ(e.reason(), "dim 3 is out of range");
}

TEST(ErrorTest, WithoutAnOperatorTheReasonIsTheMessage) {
  const Error e = Thrown([] { Fail(ErrorCode::kNotFound, {"no device ", "'x'"}); });
  EXPECT_EQ(e.op(), "");
  EXPECT_EQ(e.reason(), "no device 'x'");
  EXPECT_EQ(Thrown([] { Fail(ErrorCode::kNotFound, "f(): a text of one piece"); }).op(), "");
  EXPECT_EQ(Error::OutOfMemory().op(), "");
  EXPECT_EQ(Error::OutOfMemory().reason(), "out of memory");
}

TEST(ErrorTest, CopiesShareWhatIsSaid) {
  auto e = std::make_unique<Error>(ErrorCode::kBusy, "wait(): later", 4);
  const Error copy = *e;
  e.reset();
  EXPECT_EQ(copy.op(), "wait");
  EXPECT_EQ(copy.reason(), "later");
  EXPECT_STREQ(copy.what(), "wait(): later");
}

TEST(ErrorTest, EveryCodeHasAName) {
  for (int i = 0; i <= static_cast<int>(ErrorCode::kInternal); ++i)
    EXPECT_FALSE(Name(static_cast<ErrorCode>(i)).empty()) << i;
  EXPECT_EQ(Name(ErrorCode::kInternal), "internal");
  EXPECT_EQ(Name(ErrorCode::kNoOverload), "no overload");
  EXPECT_EQ(Name(ErrorCode::kIndexOutOfRange), "index out of range");
}

}  // namespace
}  // namespace sy
