// A program that links one group of operators, and its cpu kernels, has these and no others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "switchyard/core/tensor.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/registry/registry.h"

namespace sy {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(OneGroupTest, HasItsOperators) {
  const float x[] = {1, 2, 3, 4};
  const Tensor a = Tensor::FromBlob(const_cast<float*>(x), {2, 2});
  const Tensor product = call("mm", a, a);
  EXPECT_EQ(product.data<float>()[3], 22);
  EXPECT_THAT(Registry::Global().PacketNames(), Contains("mm"));
}

TEST(OneGroupTest, HasNoOthers) {
  EXPECT_THAT(Registry::Global().PacketNames(), Not(Contains("sin")));
  const float x[] = {1, 2};
  const Tensor a = Tensor::FromBlob(const_cast<float*>(x), {2});
  try {
    call("sin", a);
    FAIL() << "there is no such operator";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::kNotFound);
    EXPECT_THAT(std::string(e.what()), HasSubstr("sin"));
  }
}

}  // namespace
}  // namespace sy
