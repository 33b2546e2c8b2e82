#include "tests/faults/fuzz/time_limit.h"

#include <gtest/gtest.h>

#include <thread>

#include "tests/faults/fuzz/fuzz.h"

namespace sy::fuzz {
namespace {

using std::chrono::milliseconds;

TEST(TimeLimitDeathTest, WhatTakesMoreEndsTheProcess) {
  const auto compute = [] {
    const TimeLimit scope(milliseconds(50));
    const volatile bool on = true;
    while (on) {
    }
  };
  EXPECT_DEATH(compute(), "broken: no end within its processor time");
}

TEST(TimeLimitTest, WaitingTakesNone) {
  const TimeLimit scope(milliseconds(50));
  std::this_thread::sleep_for(milliseconds(200));
}

}  // namespace
}  // namespace sy::fuzz
