// Libraries are opened when memory is short: an error, and once there is memory the same call
// works.

#include <absl/functional/function_ref.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>

#include "switchyard/backends/cpu/init.h"
#include "switchyard/core/error.h"
#include "switchyard/core/parallel.h"
#include "switchyard/ops.h"
#include "tests/faults/child.h"

namespace sy {
namespace {

constexpr unsigned kSeconds = 120;  // for a child that opens libraries

size_t AddressSpace() {
  size_t pages = 0;
  FILE* const f = std::fopen("/proc/self/statm", "r");
  if (std::fscanf(f, "%zu", &pages) != 1) pages = 0;
  std::fclose(f);
  return pages * static_cast<size_t>(getpagesize());
}
// As much more address space as that, and no more.
void Leave(size_t bytes) {
  rlimit limit;
  getrlimit(RLIMIT_AS, &limit);
  limit.rlim_cur = bytes == 0 ? limit.rlim_max : AddressSpace() + bytes;
  setrlimit(RLIMIT_AS, &limit);
}

// In children, so that each opens its libraries anew: `call` runs out of memory with little to
// have, and then does not.
void FailsAndRecovers(absl::FunctionRef<bool()> call) {
  for (const size_t left : {size_t{1} << 20, size_t{20} << 20, size_t{60} << 20}) {
    const auto run_short = [&]() -> std::string {
      Leave(left);
      for (int again = 0; again < 200; ++again) {  // more often than OpenBLAS has buffers
        try {
          call();
          return "there was enough";
        } catch (const Error& e) {
          if (e.code() != ErrorCode::kOutOfMemory) return e.what();
        }
      }
      Leave(0);
      return call() ? "" : "wrong once there is memory";
    };
    EXPECT_EQ(testing::InChild(run_short, kSeconds), "") << "with " << left << " bytes left";
  }
}

class MemoryTest : public ::testing::Test {
 protected:
  const Tensor a_ = ones({100, 100}), d_ = ones({100, 100}, DType::kFloat64);
};

TEST_F(MemoryTest, InitFailsAndCanBeCalledAgain) {
  FailsAndRecovers([] { return cpu::Init(), true; });
}
TEST_F(MemoryTest, TheFirstProductFailsAndIsRightLater) {
  const Tensor out = empty({100, 100});
  FailsAndRecovers([&] { return mm_out(out, a_, a_), out.data<float>()[7] == 100; });
}
TEST_F(MemoryTest, TheFirstProductByAVectorFailsAndIsRightLater) {
  const Tensor out = empty({100}, DType::kFloat64), v = ones({100}, DType::kFloat64);
  FailsAndRecovers([&] { return mv_out(out, d_, v), out.data<double>()[7] == 100; });
}
TEST_F(MemoryTest, TheFirstFactorisationFailsAndIsRightLater) {
  FailsAndRecovers([&] { return linalg_inv(eye(20)).data<float>()[0] == 1; });
}

// A call that needs a buffer more than there are: of several at a time, or after a fork.
TEST_F(MemoryTest, WhatIsOpenedEarlyDoesNotFailLate) {
  const auto run_short = [&]() -> std::string {
    SetNumThreads(1);
    cpu::Init();
    const Tensor out = empty({100, 100});
    Leave(size_t{4} << 20);
    mm_out(out, a_, a_);
    return out.data<float>()[7] == 100 ? "" : "the product";
  };
  EXPECT_EQ(testing::InChild(run_short, kSeconds), "");
}

}  // namespace
}  // namespace sy
