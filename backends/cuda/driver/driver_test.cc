// The names by which functions are looked for, against the library that the toolkit links programs
// with, which has all of the driver's names and nothing behind them, and against the libraries that
// are installed.

#include "backends/cuda/driver/driver.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "backends/cuda/driver/cusolver.h"
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

TEST(DriverTest, CusolverAndCublasHaveWhatIsLookedFor) {
  Library &solver = LibraryOf(Lib::kCusolver), &blas = LibraryOf(Lib::kCublas);
  if (!solver.open()) GTEST_SKIP() << solver.problem();
  ASSERT_TRUE(blas.open()) << blas.problem();
#define SY_CUDA_EXPECT(name) \
  EXPECT_NE(solver.Find(SY_CUDA_SYMBOL(cusolverDn##name)), nullptr) << solver.problem();
  SY_CUSOLVER_FUNCTIONS(SY_CUDA_EXPECT)
  SY_CUSOLVER_NEW_FUNCTIONS(SY_CUDA_EXPECT)
#undef SY_CUDA_EXPECT
#define SY_CUDA_EXPECT(name) \
  EXPECT_NE(blas.Find(SY_CUDA_SYMBOL(cublas##name)), nullptr) << blas.problem();
  SY_CUBLAS_FUNCTIONS(SY_CUDA_EXPECT)
#undef SY_CUDA_EXPECT
}

}  // namespace
}  // namespace sy::cuda
