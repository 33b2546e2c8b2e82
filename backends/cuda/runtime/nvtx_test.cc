// Ranges for tools that show them (NVTX), with a tool of our own in the program. Run with
// SWITCHYARD_CUDA_NVTX=1, which is read once.

#include <nvtx3/nvToolsExt.h>

#include <string>
#include <vector>

#include "backends/cuda/driver/cublaslt.h"
#include "backends/cuda/memory.h"
#include "backends/cuda/testing.h"

namespace sy::cuda {
namespace {

// Names of ranges as they begin, and "." where one ends.
std::vector<std::string>& Seen() {
  static auto* seen = new std::vector<std::string>;
  return *seen;
}
int Begin(const char* name) {
  Seen().push_back(name);
  return 0;
}
int End() {
  Seen().push_back(".");
  return 0;
}
int Inject(NvtxGetExportTableFunc_t table_of) {
  const auto* callbacks =
      static_cast<const NvtxExportTableCallbacks*>(table_of(NVTX_ETID_CALLBACKS));
  NvtxFunctionTable functions = nullptr;
  unsigned size = 0;
  if (callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE, &functions, &size) == 0) return 0;
  *functions[NVTX_CBID_CORE_RangePushA] = reinterpret_cast<NvtxFunctionPointer>(Begin);
  *functions[NVTX_CBID_CORE_RangePop] = reinterpret_cast<NvtxFunctionPointer>(End);
  return 1;
}

// What f does, as it is seen while something is recorded.
template <class F>
std::vector<std::string> SeenIn(F f) {
  Seen().clear();
  RecordMemoryHistory(0);
  f();
  RecordMemoryHistory(0, 0);
  return Seen();
}
using Ranges = std::vector<std::string>;

// A cuBLASLt that has a way to do every product, and refuses to go it.
template <auto kResult, class R, class... A>
void Answer(R (*&function)(A...)) {
  function = [](A...) { return static_cast<R>(kResult); };
}
LtTable OneThatRefuses() {
  LtTable t;
#define SY_SUCCEED(name) Answer<CUBLAS_STATUS_SUCCESS>(t.name);
  SY_CUBLASLT_FUNCTIONS(SY_SUCCEED)
#undef SY_SUCCEED
  t.Create = [](cublasLtHandle_t* handle) {
    *handle = reinterpret_cast<cublasLtHandle_t>(handle);
    return CUBLAS_STATUS_SUCCESS;
  };
  t.MatmulAlgoGetHeuristic = [](auto, auto, auto, auto, auto, auto, auto, int,
                                cublasLtMatmulHeuristicResult_t* ways, int* found) {
    ways[0] = {};
    *found = 1;
    return CUBLAS_STATUS_SUCCESS;
  };
  Answer<CUBLAS_STATUS_NOT_SUPPORTED>(t.Matmul);
  return t;
}

class NvtxTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    InitializeInjectionNvtx2_fnptr = Inject;  // where a tool in the program is looked for
    UseLt(OneThatRefuses());
  }
};

TEST_F(NvtxTest, OperatorsAreRangesOnceSomethingIsRecorded) {
  const Tensor x = ToCuda(tensor({1., 2.}));
  call("exp", x);
  EXPECT_TRUE(Seen().empty()) << "nobody has asked for anything yet";
  const auto two = [&] {
    call("exp", x);
    call("add", x, x);
  };
  EXPECT_EQ(SeenIn(two), (Ranges{"exp", ".", "add.Tensor", "."}));
}

TEST_F(NvtxTest, WhatALibraryRefusesEnds) {
  const Tensor m = ToCuda(Spread({4, 4}, DType::kFloat32));
  // The library's, and then that of our own kernel.
  EXPECT_EQ(SeenIn([&] { call("mm", m, m); }), (Ranges{"mm", ".", "mm", "."}));
}

TEST_F(NvtxTest, WhatLibrariesQueueIsARange) {
  const Tensor x = ToCuda(Spread({8}, DType::kComplex64)), m = ToCuda(tensor({{4., 1.}, {1., 3.}}));
  EXPECT_EQ(SeenIn([&] { call("_fft_c2c", x, std::vector<int64_t>{0}, 0, true); }),
            (Ranges{"_fft_c2c", "."}));
  const Ranges seen = SeenIn([&] { call("linalg_cholesky_ex", m); });
  ASSERT_FALSE(seen.empty());
  // Copies to and from the library's layout are ranges beside its own.
  for (size_t i = 0; i < seen.size(); ++i)
    EXPECT_EQ(seen[i] == ".", i % 2 == 1) << i << ": " << seen[i];
}

}  // namespace
}  // namespace sy::cuda
