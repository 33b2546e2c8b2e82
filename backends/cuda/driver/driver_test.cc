// The names by which functions are looked for, against the library that the toolkit links programs
// with, which has all of the driver's names and nothing behind them.

#include "backends/cuda/driver/driver.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "backends/cuda/driver/library.h"

namespace sy::cuda {
namespace {

void* OpenStub() {
  const char* home = std::getenv("CUDA_HOME");
  for (const std::string& folder :
       {std::string(home == nullptr ? "" : home), std::string("/usr/local/cuda")}) {
    void* stub = dlopen((folder + "/lib64/stubs/libcuda.so").c_str(), RTLD_LAZY | RTLD_LOCAL);
    if (stub != nullptr) return stub;
  }
  return nullptr;
}

TEST(DriverTest, EveryFunctionIsLookedForByANameThatThereIs) {
  void* stub = OpenStub();
  if (stub == nullptr) GTEST_SKIP() << "the toolkit's stub of the driver is not installed";
#define SY_CUDA_EXPECT(name) \
  EXPECT_NE(dlsym(stub, SY_CUDA_SYMBOL(cu##name)), nullptr) << SY_CUDA_SYMBOL(cu##name);
  SY_CUDA_DRIVER_FUNCTIONS(SY_CUDA_EXPECT)
#undef SY_CUDA_EXPECT
}

TEST(DriverTest, RenamedFunctionsAreLookedForByTheirNewNames) {
  EXPECT_STREQ(SY_CUDA_SYMBOL(cuMemAlloc), "cuMemAlloc_v2");
  EXPECT_STREQ(SY_CUDA_SYMBOL(cuStreamBeginCapture), "cuStreamBeginCapture_v2");
  EXPECT_STREQ(SY_CUDA_SYMBOL(cuGraphInstantiate), "cuGraphInstantiateWithFlags");
}

}  // namespace
}  // namespace sy::cuda
