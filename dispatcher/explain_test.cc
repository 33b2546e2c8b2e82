#include "switchyard/dispatcher/explain.h"

#include <gtest/gtest.h>

#include "switchyard/core/error.h"
#include "switchyard/dispatcher/handle.h"
#include "switchyard/op/operator.h"
#include "switchyard/registry/registry.h"

namespace sy {
namespace {

const Operator f_op{"ex::f(Tensor x) -> Tensor",
                    +[](ShapeContext& r, const TensorBase& x) { r.OutputLike(x); }};
void Exact(Call, const Tensor&, const Tensor&) {}
void Any(Call, const Tensor&, const Tensor&) {}
const Kernel exact{"ex::f", "cpu", Mask(DType::kFloat32, DType::kFloat64), Exact};
const Kernel any{"ex::f", "cpu", kAnyDType, Any};
const Operator v_op{
    "ex::v(Tensor(a) x) -> Tensor(a)",
    View(+[](ShapeContext& r, const TensorBase& x) { r.View(x.sizes(), x.strides(), 0); })};

TEST(ExplainTest, ShowsEveryCandidateWithWhyItWasTakenOrNot) {
  const std::vector<Explanation> all = explain("ex::f", "cpu", DType::kFloat32);
  ASSERT_EQ(all.size(), 1u);
  ASSERT_EQ(all[0].candidates.size(), 2u);
  EXPECT_TRUE(all[0].candidates[0].chosen);
  EXPECT_EQ(all[0].candidates[0].dtypes, "float32, float64");
  EXPECT_EQ(all[0].candidates[0].verdict, "exact dtype");
  EXPECT_FALSE(all[0].candidates[1].chosen);
  EXPECT_EQ(all[0].candidates[1].dtypes, "any");
  EXPECT_NE(all[0].candidates[1].source.find("explain_test.cc:"), std::string::npos);
}

TEST(ExplainTest, AgreesWithWhatACallResolvesTo) {
  const OperatorEntry& op = *Registry::Global().Find("ex::f");
  for (int d = 0; d < kNumDTypes; ++d) {
    const DType dtype = static_cast<DType>(d);
    const KernelDef* k = op.kernels->Find(MakeKey(kHostRow, dtype));
    EXPECT_EQ(explain("ex::f", "cpu", dtype)[0].outcome, "the kernel at " + k->source());
  }
}

TEST(ExplainTest, AMissingKernelIsTheOutcome) {
  EXPECT_EQ(explain("ex::f", "cpu", DType::kInt8)[0].candidates[0].dtypes, "any");
  InternDeviceType("nowhere");
  EXPECT_EQ(explain("ex::f", "nowhere", DType::kInt8)[0].outcome, "error: not implemented");
}

TEST(ExplainTest, AViewComputesNothing) {
  EXPECT_EQ(explain("ex::v", "cpu", DType::kInt8)[0].outcome,
            "a view on every device: nothing is computed");
}

const Operator g_op{"ex::g(Tensor x) -> Tensor", kOut};
Tensor Composed(Call, const Tensor& x) { return x; }
const Composite composed{"ex::g", Composed};

TEST(ExplainTest, AVariantMadeOfTheFunctionalOneSaysWhatComputesThat) {
  const Explanation e = explain("ex::g.out", "cpu", DType::kFloat32)[0];
  EXPECT_EQ(e.outcome.find("the results of ex::g, copied; there: the kernel at "), 0u) << e.outcome;
  EXPECT_TRUE(e.candidates.at(0).chosen);
}

TEST(ExplainTest, UnknownOperatorsAndDevicesAreErrors) {
  EXPECT_THROW(explain("ex::no", "cpu", DType::kInt8), Error);
  EXPECT_THROW(explain("ex::f.no", "cpu", DType::kInt8), Error);
  EXPECT_THROW(explain("ex::f", "no_device", DType::kInt8), Error);
}

}  // namespace
}  // namespace sy
