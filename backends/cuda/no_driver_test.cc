// What the backend says and does where there is no driver. Skipped where there is one.

#include <gtest/gtest.h>

#include "backends/cuda/driver/driver.h"
#include "backends/cuda/properties.h"
#include "switchyard/core/accelerator.h"
#include "switchyard/core/error.h"
#include "switchyard/core/testing.h"

namespace sy::cuda {
namespace {

class NoDriverTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (FindDriver() != nullptr) GTEST_SKIP() << "there is a driver here";
  }
};

TEST_F(NoDriverTest, TheDeviceIsRegisteredWithoutAnyThere) {
  std::string reason;
  EXPECT_EQ(DeviceCount(FindDeviceType("cuda"), &reason), 0);
  EXPECT_NE(reason.find("driver"), std::string::npos) << reason;
}

TEST_F(NoDriverTest, ATensorThereFailsWithTheReason) {
  const std::string message =
      ErrorOf([] { Tensor::Empty({2}, DType::kFloat32, ParseDevice("cuda")); });
  EXPECT_EQ(message.find("unavailable: device 'cuda' is not available: "), 0u) << message;
  EXPECT_NE(message.find("driver"), std::string::npos) << message;
}

TEST_F(NoDriverTest, PropertiesFailWithTheReason) {
  const std::string message = ErrorOf([] { GetProperties(0); });
  EXPECT_EQ(message.find("unavailable: "), 0u) << message;
  EXPECT_NE(message.find("device 'cuda:0': there are 0 devices of this type: "), std::string::npos)
      << message;
}

TEST_F(NoDriverTest, TheHostGoesOn) {
  EXPECT_EQ(Tensor::Empty({2}, DType::kFloat32).numel(), 2);
  EXPECT_FALSE(IsAvailable(FindDeviceType("cuda")));
}

}  // namespace
}  // namespace sy::cuda
