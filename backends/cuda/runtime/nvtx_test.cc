// Ranges for tools that show them (NVTX), with a tool of our own in the program. Run with
// SWITCHYARD_CUDA_NVTX=1, which is read once.

#include <nvtx3/nvToolsExt.h>

#include <string>
#include <vector>

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

TEST(NvtxTest, OperatorsAreRangesOnceSomethingIsRecorded) {
  InitializeInjectionNvtx2_fnptr = Inject;  // where a tool in the program is looked for
  const Tensor x = ToCuda(tensor({1., 2.}));
  call("exp", x);
  EXPECT_TRUE(Seen().empty()) << "nobody has asked for anything yet";
  RecordMemoryHistory(0);
  call("exp", x);
  call("add", x, x);
  RecordMemoryHistory(0, 0);
  EXPECT_EQ(Seen(), (std::vector<std::string>{"exp", ".", "add.Tensor", "."}));
}

}  // namespace
}  // namespace sy::cuda
