// The device as a program uses it. What every operator computes is replayed from reference cases;
// here is what these do not see.

#include <csignal>
#include <cstring>
#include <thread>
#include <vector>

#include "testing.h"

namespace opencl {
namespace {

class OpenClTest : public PluginTest {};

TEST_F(OpenClTest, AddsOnTheDevice) {
  const Tensor a = There(tensor({{1., 2.}, {3., 4.}})), b = There(tensor({10., 20.}));
  const Tensor sum = add(a, b);
  EXPECT_EQ(sum.device().str(), "opencl:0");
  EXPECT_EQ(Here(sum), "tensor([[11., 22.],\n        [13., 24.]])");
}

TEST_F(OpenClTest, ComputesInAViewWithAnOffset) {
  const Tensor x = There(tensor({{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}));
  mul_(select(x, 1, 2), 10);
  EXPECT_EQ(Here(x), "tensor([[ 1,  2, 30],\n        [ 4,  5, 60],\n        [ 7,  8, 90]])");
}

TEST_F(OpenClTest, SumsMoreElementsThanAGroupTakes) {
  const int64_t n = 3'000'001;
  const Tensor x = ones({n}, DType::kInt32, std::nullopt, ParseDevice("opencl"));
  EXPECT_EQ(item(sum(x)).To<int64_t>(), n);
}

TEST_F(OpenClTest, SumsAcrossStrides) {
  const Tensor x = There(reshape(arange(24.), {2, 3, 4}));
  EXPECT_EQ(Here(sum(x, {0, 2})), "tensor([ 60.,  92., 124.])");
}

TEST_F(OpenClTest, MultipliesTransposedMatrices) {
  const Tensor a = There(reshape(arange(6.), {2, 3}));
  EXPECT_EQ(Here(mm(a, t(a))), "tensor([[ 5., 14.],\n        [14., 50.]])");
}

TEST_F(OpenClTest, TheLastOfEqualPositionsWins) {
  const Tensor x = There(zeros({2})), index = zeros({1000}, DType::kInt64);
  index_copy_(x, 0, There(index), There(arange(1000.)));
  EXPECT_EQ(Here(x), "tensor([999.,   0.])");
}

TEST_F(OpenClTest, ABadPositionIsNamedAndNothingIsWritten) {
  const Tensor x = There(zeros({3}));
  const Outcome o =
      try_call("index_copy_", x, 0, There(tensor({0, 5, 1})), There(tensor({1., 2., 3.})));
  EXPECT_EQ(o.code, ErrorCode::kInvalidValue);
  EXPECT_EQ(o.message,
            "index_copy_(): plugin 'opencl': index is 5 at [1], out of range for dim 0, which has "
            "size 3");
  EXPECT_EQ(Here(x), "tensor([0., 0., 0.])");
}

TEST_F(OpenClTest, IntegersDividedByZeroAreRefused) {
  const Tensor x = There(tensor({6, 7})), y = There(tensor({2, 0}));
  EXPECT_EQ(try_call("div.Tensor_mode", x, y, "floor").code, ErrorCode::kInvalidValue);
  EXPECT_EQ(Here(div(x, 2, "floor")), "tensor([3, 3])");
}

TEST_F(OpenClTest, TheSmallestIntegerDividedByMinusOneWrapsAround) {
  const Tensor x = There(full({1}, INT64_MIN, DType::kInt64));
  EXPECT_EQ(item(div(x, -1, "trunc")).To<int64_t>(), INT64_MIN);
}

TEST_F(OpenClTest, MemoryThatThereIsNotIsAnErrorWithoutConsequence) {
  const int64_t much = int64_t{1} << 50;
  try {
    empty({much}, std::nullopt, std::nullopt, ParseDevice("opencl"));
    FAIL() << "allocated";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::kOutOfMemory) << e.message();
    EXPECT_NE(e.message().find("clCreateBuffer: CL_"), std::string::npos) << e.message();
  }
  EXPECT_EQ(Here(There(tensor({1.}))), "tensor([1.])");
}

TEST_F(OpenClTest, ComplexNumbersAreLeftToTheHost) {
  const Tensor x = There(to(tensor({3., 4.}), DType::kComplex64));
  EXPECT_EQ(try_call("abs", x).code, ErrorCode::kNotImplemented);
  SetFallbackPolicy({.mode = FallbackMode::kAllow});
  EXPECT_EQ(Here(abs(x)), "tensor([3., 4.])");
  SetFallbackPolicy({});
}

TEST_F(OpenClTest, CallsOfManyThreadsDoNotMix) {
  std::vector<std::thread> threads;
  std::vector<std::string> results(4);
  for (int k = 0; k < 4; ++k) {
    threads.emplace_back([&, k] {
      Tensor x = There(full({100}, k, DType::kFloat32));
      for (int i = 0; i < 100; ++i) x = add(x, k);
      results[k] = Here(sum(x));
    });
  }
  for (std::thread& t : threads) t.join();
  for (int k = 0; k < 4; ++k) EXPECT_EQ(results[k], Here(tensor(10100. * k)));
}

TEST_F(OpenClTest, SignalsStayTheProgramsBusiness) {
  exp(There(tensor({1.})));
  for (int signal : {SIGINT, SIGTERM, SIGFPE, SIGSEGV, SIGABRT}) {
    struct sigaction now {};
    sigaction(signal, nullptr, &now);
    EXPECT_EQ(now.sa_handler, SIG_DFL) << strsignal(signal);
  }
}

TEST_F(OpenClTest, WhatIsAliveKeepsThePlugin) {
  const Tensor x = There(tensor({1., 2.}));
  const UnloadAnswer answer = unload_plugin("opencl");
  EXPECT_FALSE(answer.unloaded);
  EXPECT_EQ(answer.text, "busy: 1 tensor (8 bytes)");
}

TEST_F(OpenClTest, IsUnmappedWhenItIsUnloaded) {
  EXPECT_EQ(Here(exp(There(tensor({0.})))), "tensor([1.])");
  EXPECT_TRUE(unload_plugin("opencl").unmapped);
  SetUp();
}

}  // namespace
}  // namespace opencl
