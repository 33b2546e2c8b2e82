#include "switchyard/status.h"

#include <gtest/gtest.h>

namespace sy {
namespace {

TEST(StatusTest, AnUnknownOperatorIsNotFound) {
  const absl::StatusOr<Results> r = ToStatusOr(try_call("no_such_operator", 1));
  EXPECT_EQ(r.status().code(), absl::StatusCode::kNotFound);
  EXPECT_NE(r.status().message().find("no_such_operator"), absl::string_view::npos);
}

TEST(StatusTest, ResultsOfASuccessfulCallComeThrough) {
  Outcome o;
  o.results.Reset(1)[0].Set(int64_t{7});
  absl::StatusOr<Results> r = ToStatusOr(std::move(o));
  ASSERT_TRUE(r.ok());
  EXPECT_EQ(r->scalar().To<int64_t>(), 7);
}

}  // namespace
}  // namespace sy
