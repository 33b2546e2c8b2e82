// Compiles every formula for every dtype that it serves, each as the kernel that a
// call with contiguous operands gets, and one with strides. NVRTC needs no device.

#include <gtest/gtest.h>

#include "backends/cuda/plan/pointwise_source.h"
#include "backends/cuda/rtc/compile.h"
#include "switchyard/backends/cuda/formula.h"
#include "switchyard/core/error.h"
#include "switchyard/ops/formulas/arithmetic.h"

namespace sy::cuda {
namespace {

PointwiseSpec Specialised(const FormulaDef& f, DType d, bool flat) {
  const DType* memory[kMaxOperands];
  const DType same = d, truth = DType::kBool;
  for (const DType*& m : memory) m = &same;
  PointwiseSpec numbers = SpecOf(f, d, memory, false);
  const DType out = numbers.types[0].common;
  memory[0] = &out;
  if (f.facts.signature == Signature::kSelect) memory[1] = &truth;
  PointwiseSpec spec = SpecOf(f, d, memory, false);
  spec.layout.flat = flat;
  spec.layout.each = flat ? 2 : 1;
  for (HostStrideKind& lie : spec.layout.stride_kinds)
    lie = flat ? HostStrideKind::kFull : HostStrideKind::kStrided;
  return spec;
}

class FormulaTest : public ::testing::TestWithParam<const FormulaDef*> {
 protected:
  void SetUp() override {
    std::string why;
    if (!HasCompiler(&why)) GTEST_SKIP() << "no formula was compiled: " << why;
  }
};

TEST_P(FormulaTest, CompilesForEveryDType) {
  const FormulaDef& f = *GetParam();
  std::string text = PointwiseHeader(&f) + "namespace sy::cuda {\n";
  for (int i = 0; i < kNumDTypes; ++i) {
    const DType d = static_cast<DType>(i);
    if (!Contains(f.dtypes(), d)) continue;
    const std::string name = "k_" + std::string(Name(d));
    text += PointwiseKernelText(Specialised(f, d, true), name);
    if (d == DType::kFloat32 || d == DType::kInt32)
      text += PointwiseKernelText(Specialised(f, d, false), name + "_strided");
  }
  const std::string ptx = Compile({text + "}\n", "compute_90"});
  for (int i = 0; i < kNumDTypes; ++i) {
    const DType d = static_cast<DType>(i);
    if (Contains(f.dtypes(), d)) {
      EXPECT_NE(ptx.find(".entry k_" + std::string(Name(d))), ptx.npos) << Name(d);
    }
  }
}

std::vector<const FormulaDef*> All() {
  std::vector<const FormulaDef*> all;
  for (const FormulaKernel* k = FormulaKernel::First(); k != nullptr; k = k->next())
    all.push_back(&k->formula());
  return all;
}
INSTANTIATE_TEST_SUITE_P(All, FormulaTest, ::testing::ValuesIn(All()), [](const auto& info) {
  const std::string type = info.param->type();
  return type.substr(type.rfind(':') + 1);
});

TEST(FormulasTest, EveryOneOfTheTreeIsThere) { EXPECT_GT(All().size(), 160u); }

TEST(CompileTest, AMistakeIsReportedWithTheCompilersWords) {
  if (!HasCompiler()) GTEST_SKIP() << "there is no compiler here";
  try {
    Compile({"void f() { undeclared(); }", "compute_90"});
    FAIL() << "it compiled";
  } catch (const Error& e) {
    EXPECT_NE(e.message().find("identifier \"undeclared\" is undefined"), std::string::npos)
        << e.message();
  }
}

TEST(CompileTest, MachineCodeForADevice) {
  if (!HasCompiler()) GTEST_SKIP() << "there is no compiler here";
  const PointwiseSpec spec = Specialised(kFormula<f::Add>, DType::kFloat32, true);
  const std::string image = Compile({PointwiseSource(spec), "sm_90"});
  EXPECT_EQ(image.substr(1, 3), "ELF");
}

TEST(CompileTest, ADeviceGetsItsOwnCodeOrAnOlderOnesPtx) {
  if (!HasCompiler()) GTEST_SKIP() << "there is no compiler here";
  EXPECT_EQ(ArchitectureFor(9, 0), "sm_90");
  EXPECT_EQ(ArchitectureFor(99, 0).substr(0, 8), "compute_");
  EXPECT_THROW(ArchitectureFor(2, 0), Error);
}

}  // namespace
}  // namespace sy::cuda
