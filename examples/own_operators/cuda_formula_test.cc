#include <gtest/gtest.h>

#include "switchyard/core/literal.h"
#include "switchyard/core/printing.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/dispatcher/explain.h"

namespace sy {
namespace {

Tensor On(const char* device, const Tensor& t) {
  return call("to.device", t, ParseDevice(device), t.dtype()).take();
}

TEST(CudaFormulaTest, AProjectsOwnFormulaRunsOnTheDevice) {
  for (DType d : {DType::kFloat32, DType::kFloat64, DType::kFloat16, DType::kBFloat16}) {
    const Tensor x = tensor({0., 0.25, 0.5, 1.}, d);
    const Tensor y = call("demo::smoothstep", On("cuda", x)).take();
    EXPECT_EQ(ToString(On("cpu", y)), ToString(call("demo::smoothstep", x).tensor())) << Name(d);
  }
}

TEST(CudaFormulaTest, ExplainNamesItAndItsFacts) {
  const std::string text = explain("demo::smoothstep", "cuda", DType::kFloat16)[0].str();
  EXPECT_NE(
      text.find("demo::Smoothstep of 1 tensor, in float32, float64, by conversion in float16"),
      text.npos)
      << text;
  EXPECT_NE(text.find("own_operators/smoothstep.h"), text.npos) << text;
}

}  // namespace
}  // namespace sy
