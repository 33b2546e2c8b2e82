// What a program says that was built without the toolkit.

#include <gtest/gtest.h>

#include "switchyard/core/accelerator.h"
#include "switchyard/core/error.h"

namespace sy {
namespace {

TEST(MissingTest, TheDeviceSaysThatTheToolkitWasNotFound) {
  std::string reason;
  EXPECT_EQ(DeviceCount(FindDeviceType("cuda"), &reason), 0);
  EXPECT_NE(reason.find("built without NVIDIA's CUDA toolkit: nvcc was not found in CUDA_HOME"),
            std::string::npos)
      << reason;
}
TEST(MissingTest, ATensorThereFailsWithTheReason) {
  try {
    Tensor::Empty({2}, DType::kFloat32, ParseDevice("cuda"));
    FAIL() << "there is a tensor";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::kUnavailable);
    EXPECT_NE(e.message().find("device 'cuda' is not available: this program was built without"),
              std::string::npos)
        << e.message();
  }
}

}  // namespace
}  // namespace sy
