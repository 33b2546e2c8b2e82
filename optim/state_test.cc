// Tensors by name, and their files.
#include "switchyard/optim/state.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include "switchyard/autograd/autograd.h"
#include "switchyard/core/error.h"
#include "switchyard/core/literal.h"
#include "switchyard/core/testing.h"
#include "switchyard/ops.h"

namespace sy::optim {
namespace {

class State : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::remove_all(folder_); }
  const std::string folder_ = testing::TempDir() + "/state";
};

TEST_F(State, WhatIsSavedIsLoaded) {
  const Tensor w = tensor({{1., 2.}, {3., 4.}}), n = tensor(7), on = tensor(true);
  NamedTensors all = {{"w", w}};
  Append(all, "more.", {{"n", n}, {"on", on}});
  SaveTensors(folder_, all);
  const NamedTensors back = LoadTensors(folder_);
  ASSERT_EQ(back.size(), 3u);
  EXPECT_EQ(back[0].first, "more.n");
  EXPECT_TRUE(equal(Find(back, "w"), w));
  EXPECT_TRUE(equal(Find(WithPrefix(back, "more."), "n"), n));
  EXPECT_EQ(Find(back, "more.on").dtype(), DType::kBool);
  EXPECT_EQ(Find(back, "more.n").dim(), 0);
}

TEST_F(State, SavingAgainReplacesAllOfIt) {
  SaveTensors(folder_, {{"a", ones({2})}, {"b", ones({2})}});
  SaveTensors(folder_, {{"a", zeros({2})}});
  const NamedTensors back = LoadTensors(folder_);
  ASSERT_EQ(back.size(), 1u);
  EXPECT_EQ(back[0].second.at<float>(0), 0);
  EXPECT_FALSE(std::filesystem::exists(folder_ + ".old"));
  EXPECT_FALSE(std::filesystem::exists(folder_ + ".new"));
}

TEST_F(State, AFolderWithOtherFilesIsNotReplaced) {
  std::filesystem::create_directories(folder_);
  std::ofstream(folder_ + "/notes.txt") << "mine";
  EXPECT_EQ(MessageOf([&] {
              SaveTensors(folder_, {{"a", ones({2})}});
            }),
            "SaveTensors(): " + folder_ +
                " is not replaced, since it holds notes.txt, which is no "
                ".npy file");
  EXPECT_TRUE(std::filesystem::exists(folder_ + "/notes.txt"));
}

TEST_F(State, NamesThatAreNoFilesAreRefused) {
  EXPECT_THROW(SaveTensors(folder_, {{"../a", ones({2})}}), Error);
  EXPECT_THROW(SaveTensors(folder_, {{"", ones({2})}}), Error);
  EXPECT_THROW(SaveTensors(folder_, {{"a", ones({2})}, {"a", ones({2})}}), Error);
  EXPECT_FALSE(std::filesystem::exists(folder_));
  EXPECT_THROW(LoadTensors(folder_), Error);
}

TEST_F(State, LeavesTakeOverValues) {
  const Tensor w = requires_grad_(zeros({2}));
  CopyInto({{"w", w}}, {{"w", tensor({3., 4.})}});
  EXPECT_TRUE(is_leaf(w) && requires_grad(w));
  EXPECT_EQ(w.at<float>(1), 4);
  EXPECT_EQ(MessageOf([&] {
              CopyInto({{"w", w}}, {{"w", ones({3})}});
            }),
            "CopyInto(): w: expected sizes [2], got [3]");
  EXPECT_EQ(MessageOf([&] {
              CopyInto({{"w", w}}, {});
            }),
            "CopyInto(): nothing is called w in the source");
  EXPECT_EQ(MessageOf([&] {
              CopyInto({}, {{"w", w}});
            }),
            "CopyInto(): nothing is called w in the target");
}

}  // namespace
}  // namespace sy::optim
