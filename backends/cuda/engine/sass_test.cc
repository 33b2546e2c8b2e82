// What listed kernels ask of a device of compute capability 9.0, as NVRTC compiles them: registers,
// memory on the stack, shared memory. It must not grow. With SWITCHYARD_SASS_FOLDER they are left
// there, for tools/sass_report.sh, which counts instructions.
//
// The sources are those that the calls themselves ask for.

#include <cstdlib>
#include <fstream>

#include "backends/cuda/emulator/cubin.h"
#include "backends/cuda/rtc/compile.h"
#include "backends/cuda/rtc/kernels.h"
#include "backends/cuda/testing.h"
#include "third_party/fmt/format.h"

namespace sy::cuda {
namespace {

// Sources compiled since it was last cleared.
std::vector<std::string>& Compiled() {
  static auto* all = new std::vector<std::string>;
  return *all;
}
std::string Record(const Source& source) {
  Compiled().push_back(source.text);
  return CompileForEmulator(source);
}

using Sizes = std::vector<int64_t>;
Tensor Zeros(const Sizes& sizes, DType d = DType::kFloat32) {
  return call("zeros", sizes, kw("dtype", d), kw("device", Cuda())).take();
}
Tensor Index(const Sizes& sizes) { return Zeros(sizes, DType::kInt64); }

// A kernel, by the call that launches it: of few rows, which are as long as where the goal is set.
// elements: that a thread handles in a pass; looped: which is one round of a loop; bytes: that move
// for each; goal: TB/s on an H200.
struct Listed {
  const char *name, *kernel;
  void (*run)();
  int threads, elements;
  bool looped;
  double bytes, goal;
  unsigned registers, stack;  // at most
};
constexpr int64_t kColumns = 16384;

const Listed kListed[] = {
    {"add", "AddKernel", [] { call("add", Zeros({4096}), Zeros({4096})); }, 256, 4, false, 12, 4.2,
     24, 0},
    {"exp", "ExpKernel", [] { call("exp", Zeros({4096})); }, 256, 4, false, 8, 4.2, 32, 0},
    {"copy", "MoveKernel", [] { call("clone", Zeros({4096})); }, 256, 4, false, 8, 4.2, 32, 0},
    {"transposing copy", "TransposeKernel",
     [] {
       call("contiguous", call("transpose.int", Zeros({64, 128}), 0, 1).take());
     },
     256, 16, false, 8, 3.8, 48, 0},
    {"row broadcast", "AddKernel",
     [] {
       call("add", Zeros({2, kColumns}), Zeros({kColumns}));
     },
     256, 4, false, 8, 3.8, 40, 0},
    {"softmax", "SoftmaxKernel",
     [] {
       call("softmax.int", Zeros({1, kColumns}), 1);
     },
     512, 32, false, 8, 3.8, 64, 32},
    {"softmax of 4096", "SoftmaxKernel",
     [] {
       call("softmax.int", Zeros({1, 4096}), 1);
     },
     256, 16, false, 8, 3.8, 48, 0},
    {"layer_norm", "NormalizeKernel",
     [] {
       call("layer_norm", Zeros({1, kColumns}), Sizes{kColumns});
     },
     512, 32, false, 8, 3.8, 64, 48},
    {"layer_norm of 8192", "NormalizeKernel",
     [] {
       call("layer_norm", Zeros({1, 8192}), Sizes{8192});
     },
     256, 32, false, 8, 3.8, 80, 0},
    {"cumsum", "ScanKernel",
     [] {
       call("cumsum", Zeros({1, kColumns}), 1);
     },
     256, 16, true, 8, 3.8, 48, 0},
    {"sum", "ReduceKernel",
     [] {
       call("sum", Zeros({1, 1 << 16}));
     },
     256, 16, true, 4, 4.2, 40, 0},
    {"sum of dim 0", "ReduceKernel",
     [] {
       call("sum.dim_IntList", Zeros({64, 256}), Sizes{0});
     },
     256, 4, true, 4, 4.2, 40, 0},
    {"gather", "GatherRowsKernel",
     [] {
       call("gather", Zeros({2, kColumns}), 1, Index({2, kColumns}));
     },
     256, 4, false, 16, 3.8, 48, 0},
    {"index_copy_ dim 0", "GatherSlicesKernel",
     [] {
       call("index_copy_", Zeros({8, kColumns}), 0, Index({8}), Zeros({8, kColumns}));
     },
     256, 16, false, 8, 3.8, 56, 0},
    {"index_copy_ dim 1", "GatherRowsKernel",
     [] {
       call("index_copy_", Zeros({8, 512}), 1, Index({512}), Zeros({8, 512}));
     },
     256, 4, false, 8, 3.8, 48, 0},
    {"topk 64", "SelectFewKernel",
     [] {
       call("topk", Zeros({1, kColumns}), 64);
     },
     256, 8, true, 4, 2.0, 64, 0},
    {"randn", "FillNormalKernel", [] { call("normal_", Zeros({1 << 14})); }, 256, 16, false, 4, 3.8,
     64, 0},
};

TEST(SassTest, ListedKernelsAskForNoMoreThanTheyDid) {
  if (has_device) GTEST_SKIP() << "sources are taken from the emulator's compiler";
  std::string why;
  if (!HasNvrtc(&why)) GTEST_SKIP() << why;
  UseCompiler(Record);
  const char* folder = std::getenv("SWITCHYARD_SASS_FOLDER");
  std::ofstream facts;
  if (folder != nullptr) facts.open(std::string(folder) + "/facts.tsv");
  for (const Listed& l : kListed) {
    Compiled().clear();
    l.run();
    Synchronize(Cuda());
    std::vector<std::string> found;
    for (const std::string& text : Compiled()) {
      if (KernelNameOf(text) == l.kernel) found.push_back(text);
    }
    ASSERT_FALSE(found.empty()) << l.name << " has not compiled " << l.kernel << " but "
                                << ::testing::PrintToString(Compiled());
    const std::string cubin = CompileWithNvrtc({found.front(), "sm_90"});
    const KernelNeeds needs = NeedsOf(cubin, l.kernel);
    EXPECT_LE(needs.registers, l.registers) << l.name;
    EXPECT_LE(needs.stack_bytes, l.stack) << l.name;
    EXPECT_TRUE(BlockFits(needs, static_cast<unsigned>(l.threads))) << l.name;
    if (folder == nullptr) continue;
    const std::string file = fmt::format("{}.cubin", &l - kListed);
    std::ofstream(std::string(folder) + "/" + file, std::ios::binary) << cubin;
    facts << fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{:d}\t{}\t{}\n", file, l.name,
                         needs.registers, needs.stack_bytes, needs.shared_bytes, l.threads,
                         l.elements, l.looped, l.bytes, l.goal);
  }
}

}  // namespace
}  // namespace sy::cuda
