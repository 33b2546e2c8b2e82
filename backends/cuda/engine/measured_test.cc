// What is measured is chosen, kept and found again.
#include "backends/cuda/engine/measured.h"

#include <filesystem>
#include <fstream>
#include <vector>

#include "backends/cuda/graph.h"
#include "backends/cuda/products.h"
#include "backends/cuda/testing.h"
#include "switchyard/core/deterministic.h"

namespace sy::cuda {
namespace {

namespace fs = std::filesystem;

class MeasuredTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / "choices" /
              testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
    KeepMeasuredIn(folder_);
    ForgetMeasured();
    SetMeasureAlgorithms(true);
    much_ = call("zeros", std::vector<int64_t>{1 << 12}, kw("device", Cuda())).take();
  }
  void TearDown() override { SetMeasureAlgorithms(false); }

  // The second way is 20 times less work than the first.
  size_t Choose(const std::string& key, const std::vector<std::string>& names = {"slow", "fast"}) {
    runs_ = 0;
    return Fastest(CurrentStreamOf(0), key, names, [&](size_t i) {
      ++runs_;
      if (names[i] == "broken") return false;
      for (int n = names[i] == "slow" ? 20 : 1; n > 0; --n) call("fill_.Scalar", much_, 1);
      return true;
    });
  }
  std::vector<fs::path> Files() const {
    std::vector<fs::path> all;
    if (!fs::exists(folder_)) return all;
    for (const auto& e : fs::directory_iterator(folder_)) all.push_back(e.path());
    return all;
  }

  fs::path folder_;
  Tensor much_;
  int runs_ = 0;
};

TEST_F(MeasuredTest, TheFastestIsChosenOnce) {
  EXPECT_EQ(Choose("a"), 1u);
  EXPECT_GT(runs_, 2);
  EXPECT_EQ(Choose("a"), 1u);
  EXPECT_EQ(runs_, 0);
  EXPECT_EQ(Choose("b"), 1u);
  EXPECT_GT(runs_, 2);  // another key
}
TEST_F(MeasuredTest, WhatDoesNotServeIsNotChosen) {
  EXPECT_EQ(Choose("a", {"slow", "broken"}), 0u);
  EXPECT_EQ(Choose("a", {"broken", "slow"}), 1u);
}
TEST_F(MeasuredTest, AnotherProcessFindsWhatWasChosen) {
  EXPECT_EQ(Choose("a"), 1u);
  ASSERT_EQ(Files().size(), 1u);
  EXPECT_EQ(Files()[0].extension(), ".choice");
  ForgetMeasured();
  EXPECT_EQ(Choose("a"), 1u);
  EXPECT_EQ(runs_, 0);
}
TEST_F(MeasuredTest, OtherWaysAreMeasuredAnew) {
  EXPECT_EQ(Choose("a"), 1u);
  EXPECT_EQ(Choose("a", {"slow", "fast", "broken"}), 1u);
  EXPECT_GT(runs_, 2);
}
TEST_F(MeasuredTest, ATestMayTakeOne) {
  TakeAsFastest("slow");
  EXPECT_EQ(Choose("a"), 0u);
  EXPECT_EQ(runs_, 0);
  TakeAsFastest("");
  EXPECT_EQ(Choose("a"), 1u);
}
TEST_F(MeasuredTest, ADamagedFileCountsAsNone) {
  EXPECT_EQ(Choose("a"), 1u);
  const fs::path file = Files().at(0);
  const uintmax_t whole = fs::file_size(file);
  std::fstream(file, std::ios::in | std::ios::out | std::ios::binary).seekp(-1, std::ios::end)
      << 'x';
  ForgetMeasured();
  EXPECT_EQ(Choose("a"), 1u);
  EXPECT_GT(runs_, 2);
  for (uintmax_t size : {uintmax_t{0}, uintmax_t{9}, whole - 1}) {
    fs::resize_file(file, size);
    ForgetMeasured();
    EXPECT_EQ(Choose("a"), 1u);
    EXPECT_GT(runs_, 2) << size;
    EXPECT_EQ(fs::file_size(file), whole);  // and is replaced
  }
}
TEST_F(MeasuredTest, TheFirstIsTakenWhereNothingIsMeasured) {
  SetMeasureAlgorithms(false);
  EXPECT_EQ(Choose("a"), 0u);
  SetMeasureAlgorithms(true);
  use_deterministic_algorithms(true);
  EXPECT_EQ(Choose("a"), 0u);
  use_deterministic_algorithms(false);
  EXPECT_EQ(runs_, 0);
  EXPECT_EQ(Choose("a", {"slow"}), 0u);
  EXPECT_EQ(runs_, 0);
  EXPECT_TRUE(Files().empty());
  EXPECT_EQ(Choose("a"), 1u);
}

}  // namespace
}  // namespace sy::cuda
