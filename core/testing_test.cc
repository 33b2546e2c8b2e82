#include "switchyard/core/testing.h"

#include <gtest/gtest.h>

#include <new>

namespace sy {
namespace {

void Refuse() { Fail(ErrorCode::kBusy, "wait", {"later"}); }

TEST(TestingTest, WhatIsThrownIsGivenWholeAndInParts) {
  EXPECT_EQ(Thrown(Refuse).reason(), "later");
  EXPECT_EQ(CodeOf(Refuse), ErrorCode::kBusy);
  EXPECT_EQ(MessageOf(Refuse), "wait(): later");
  EXPECT_EQ(ErrorOf(Refuse), "busy: wait(): later");
}

TEST(TestingTest, NothingHasOneWord) {
  const auto nothing = [] {};
  EXPECT_EQ(CodeOf(nothing), ErrorCode::kOk);
  EXPECT_EQ(MessageOf(nothing), "nothing was thrown");
  EXPECT_EQ(ErrorOf(nothing), "nothing was thrown");
}

TEST(TestingTest, WhatIsNoErrorPassesThrough) {
  EXPECT_THROW(MessageOf([] { throw std::bad_alloc(); }), std::bad_alloc);
}

}  // namespace
}  // namespace sy
