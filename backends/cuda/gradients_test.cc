// Recorded gradients of some operators, which formulas make of the backend's kernels: nothing falls
// back. On the emulator, where each kernel is compiled, of the first case of each.

#include "testing/replay/gradients.h"

#include <algorithm>
#include <sstream>
#include <string>

#include "backends/cuda/testing.h"
#include "switchyard/core/logging.h"
#include "testing/replay/folder.h"

namespace sy::cuda {
namespace {

class RecordedGradients : public testing::TestWithParam<const char*> {};

TEST_P(RecordedGradients, Agree) {
  SetLogLevel(LogLevel::kError);
  std::ostringstream failures;
  const replay::Report r =
      replay::ReplayFolder("tests/conformance/gradients", {.device = Cuda(),
                                                           .pattern = GetParam(),
                                                           .each = has_device ? 0 : 1,
                                                           .failures = &failures,
                                                           .gradients = &replay::ReplayGradient});
  EXPECT_EQ(r.total().passed, r.total().total()) << failures.str();
}

// Whose formulas call operators that have kernels of their own here.
INSTANTIATE_TEST_SUITE_P(Operators, RecordedGradients,
                         testing::Values("_native_batch_norm_legit.no_stats", "avg_pool2d",
                                         "conv2d", "cumprod", "embedding", "grid_sampler_3d",
                                         "group_norm", "index_put", "logcumsumexp",
                                         "native_layer_norm", "scatter_reduce.two", "sort"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::ranges::replace(name, '.', '_');
                           return name;
                         });

}  // namespace
}  // namespace sy::cuda
