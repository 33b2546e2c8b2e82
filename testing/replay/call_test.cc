// Calls of operators that exist for these tests alone.
#include "testing/replay/call.h"

#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "switchyard/op/kernel.h"
#include "switchyard/op/operator.h"

namespace sy::replay {
namespace {

// Fails as its second argument says, with or without having written the first.
Tensor Fails(Call, const Tensor& self, std::string_view how) {
  if (how == "writes") self.data<uint8_t>()[0] = 99;
  if (how == "resizes") {
    const std::vector<int64_t> sizes = {1}, strides = {1};
    internal::SetGeometry(self.impl(), sizes, strides, 0);
  }
  if (how == "throws another exception") throw std::runtime_error("no sy::Error");
  if (how == "succeeds") return self;
  Fail(how == "is a bug" ? ErrorCode::kInternal : ErrorCode::kInvalidValue, "refused");
}
const Operator fails_op{"test::fails(Tensor self, str how) -> Tensor"};
const Composite fails{"test::fails", Fails};

// Adds 1 to each element in place, and to what lies between them if told to.
void Increments(Call, const Tensor& self, const Tensor& other, bool gaps, bool touches_other) {
  uint8_t* p = self.data<uint8_t>();
  const int64_t step = gaps ? 1 : self.stride(0);
  for (int64_t i = 0; i <= (self.size(0) - 1) * self.stride(0); i += step) ++p[i];
  if (touches_other) ++other.data<uint8_t>()[0];
}
const Operator increments_op{
    "test::increments(Tensor(a!) self, Tensor other, bool gaps=False, bool touches_other=False) -> "
    "Tensor(a!)"};
const Composite increments{"test::increments", Increments};

const Operator no_kernel_op{"test::no_kernel(Tensor self) -> Tensor"};

const std::vector<char> kBlob = {1, 2, 3, 4, 2, 3, 4, 5};
const Json kInput = {{"t", {"uint8", {2}, {2}, 0, 2}}};  // 1, 2 with a gap between them
const Json kOther = {{"t", {"uint8", {2}, {1}, 2, 2}}};

Outcome Replay(const Json& call) { return ReplayCall(call, kBlob, Device{kHost}, std::nullopt); }

Outcome ReplayFailing(const std::string& how) {
  return Replay({{"op", "aten::test::fails"}, {"args", {kInput, how}}, {"error", "refused"}});
}

Outcome ReplayIncrement(const Json& keywords) {
  const Json after = {{"t", {"uint8", {2}, {2}, 4, 2}}};  // 2, 3
  return Replay({{"op", "test::increments"},
                 {"args", {kInput, kOther}},
                 {"kwargs", keywords},
                 {"out", {after}},
                 {"mutated", {{"0", after}}}});
}

TEST(ReplayCall, AFailingCallThatFailsPasses) {
  EXPECT_EQ(ReplayFailing("fails").verdict, Verdict::kPassed);
}

TEST(ReplayCall, AFailingCallThatSucceedsFails) {
  const Outcome o = ReplayFailing("succeeds");
  EXPECT_EQ(o.verdict, Verdict::kFailed);
  EXPECT_EQ(o.why, "expected an error like 'refused', got none");
}

TEST(ReplayCall, AFailingCallMustLeaveContentsAlone) {
  EXPECT_EQ(ReplayFailing("writes").why, "the failing call changed argument 0: contents changed");
}

TEST(ReplayCall, AFailingCallMustLeaveSizesAlone) {
  EXPECT_EQ(ReplayFailing("resizes").why,
            "the failing call changed argument 0: sizes [2] became [1]");
}

TEST(ReplayCall, AFailingCallMustThrowOurError) {
  EXPECT_EQ(ReplayFailing("throws another exception").verdict, Verdict::kFailed);
  EXPECT_EQ(ReplayFailing("is a bug").verdict, Verdict::kFailed);
}

TEST(ReplayCall, WithoutAnyKernelAFailingCallDoesNotPass) {
  const Outcome o =
      Replay({{"op", "test::no_kernel"}, {"args", {kInput}}, {"error", "something else"}});
  EXPECT_EQ(o.verdict, Verdict::kFailed);
}

TEST(ReplayCall, WhatIsNotRegisteredIsMissing) {
  EXPECT_EQ(Replay({{"op", "aten::absent"}, {"args", Json::array()}, {"out", {1}}}).verdict,
            Verdict::kMissing);
  EXPECT_EQ(Replay({{"op", "test::fails.absent"}, {"args", Json::array()}, {"out", {1}}}).verdict,
            Verdict::kMissing);
}

TEST(ReplayCall, WrittenArgumentsAreComparedWithWhatWasRecorded) {
  EXPECT_EQ(ReplayIncrement(Json::object()).why, "");
}

TEST(ReplayCall, GapsBetweenWrittenElementsMustStayAsTheyWere) {
  EXPECT_EQ(ReplayIncrement({{"gaps", true}}).why, "argument 0: the gaps between elements changed");
}

TEST(ReplayCall, ArgumentsThatWereNotWrittenMustStayAsTheyWere) {
  EXPECT_EQ(ReplayIncrement({{"touches_other", true}}).why, "argument 1: contents changed");
}

TEST(ReplayCall, AResultOfOtherContentsFails) {
  const Json wrong = {{"t", {"uint8", {2}, {2}, 0, 2}}};
  const Outcome o = Replay({{"op", "test::increments"},
                            {"args", {kInput, kOther}},
                            {"out", {wrong}},
                            {"mutated", {{"0", wrong}}}});
  EXPECT_EQ(o.why, "result 0: expected 1 at [0], got 2 (2 of 2 elements differ)");
}

TEST(ReplayCall, ACallIsDescribedAsItWouldBeWritten) {
  const Json call = {{"op", "aten::sum"},
                     {"args", {kInput, {0, 1}}},
                     {"kwargs", {{"dtype", {{"dtype", "int64"}}}}}};
  EXPECT_EQ(DescribeCall(call, kBlob), "sum(uint8[2] strides [2], [0,1], dtype=int64)");
}

}  // namespace
}  // namespace sy::replay
