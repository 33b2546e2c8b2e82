#include "switchyard/dispatcher/fallback.h"

#include <gtest/gtest.h>

#include <array>

#include "switchyard/core/transfer.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/dispatcher/explain.h"
#include "switchyard/dispatcher/handle.h"
#include "switchyard/dispatcher/testing.h"
#include "switchyard/op/operator.h"

namespace sy {
namespace {

sy::testing::FarDevice far_backend;
const DeviceRegistration far_device{"far", []() -> DeviceBackend* { return &far_backend; }};
const Device kFar{InternDeviceType("far"), 0};

const Operator twice_op{"fb::twice(Tensor x) -> Tensor",
                        +[](ShapeContext& r, const TensorBase& x) { r.Pointwise(x); },
                        kInPlace | kOut};
void Twice(Call, const Tensor& out, const Tensor& x) {
  for (int64_t i = 0; i < x.numel(); ++i) out.data<float>()[i] = 2 * x.data<float>()[i];
}
const Kernel twice{"fb::twice", "cpu", Mask(DType::kFloat32), Twice};
constinit Handle<Tensor(const Tensor&)> f{"fb::twice"};
constinit Handle<void(const Tensor&)> f_{"fb::twice_"};
constinit Handle<void(const Tensor&, const Tensor&)> f_out{"fb::twice.out"};

// Writes the dimension that its shape function leaves.
const Operator dim_op{"fb::dim(Tensor x, int dim) -> Tensor",
                      +[](ShapeContext& r, const TensorBase& x, int64_t& dim) {
                        dim = r.WrapDim(dim, x);
                        r.OutputLike(x);
                      }};
void Dim(Call, const Tensor& out, const Tensor&, int64_t dim) {
  out.data<float>()[0] = static_cast<float>(dim);
}
const Kernel dim{"fb::dim", "cpu", Mask(DType::kFloat32), Dim};

// Called in place alone: nobody looks up fb::put.
const Operator put_op{"fb::put(Tensor x, int dim) -> Tensor",
                      +[](ShapeContext& r, const TensorBase& x, int64_t& dim) {
                        dim = r.WrapDim(dim, x);
                        r.OutputStartsAsSelf(x);
                      },
                      kInPlace};
const Kernel put{"fb::put", "cpu", Mask(DType::kFloat32), Dim};

const Operator reset_op{"fb::reset_(Tensor(a!) x) -> Tensor(a!)",
                        +[](ShapeContext& r, const TensorBase& x) { r.OutputInPlace(x); },
                        kInPlaceOnly};
void Reset(Call, const Tensor& out, const Tensor&) {
  for (int64_t i = 0; i < out.numel(); ++i) out.data<float>()[i] = 0;
}
const Kernel reset{"fb::reset_", "cpu", Mask(DType::kFloat32), Reset};
constinit Handle<void(const Tensor&)> reset_{"fb::reset_"};

const Operator split_op{"fb::split(Tensor x) -> (Tensor, int)"};
std::tuple<Tensor, int64_t> Split(Call, const Tensor& x) {
  Tensor copy = Tensor::Empty(x.sizes(), x.dtype());
  for (int64_t i = 0; i < x.numel(); ++i) copy.data<float>()[i] = -x.data<float>()[i];
  return {copy, x.numel()};
}
const Kernel split{"fb::split", "cpu", kAnyDType, Split};
constinit Handle<std::tuple<Tensor, int64_t>(const Tensor&)> g{"fb::split"};

const Operator clear_op{"fb::clear_(Tensor(a!)[] x) -> ()"};
void Clear(Call, TensorList x) {
  for (const Tensor& t : x) Reset(Call{}, t, t);
}
const Kernel clear{"fb::clear_", "cpu", kAnyDType, Clear};

class FallbackTest : public ::testing::Test {
 protected:
  void SetUp() override {
    Tensor host = Tensor::Empty({3}, DType::kFloat32);
    for (int i = 0; i < 3; ++i) host.data<float>()[i] = static_cast<float>(i + 1);
    x = FromHost(host, kFar);
    ResetFallbackCounts();
  }
  void TearDown() override { SetFallbackPolicy({FallbackMode::kForbid}); }
  static float At(const Tensor& t, int i) { return ToHost(t).data<float>()[i]; }
  Tensor x;
};

TEST_F(FallbackTest, IsForbiddenUnlessAllowed) {
  try {
    f(x);
    FAIL() << "ran";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::kNotImplemented);
    EXPECT_NE(e.message().find("device far and dtype float32"), std::string::npos);
  }
}

TEST_F(FallbackTest, KeepsWhatAnOperatorThatOnlyWorksInPlaceHasWritten) {
  SetFallbackPolicy({FallbackMode::kAllow});
  reset_(x);
  EXPECT_EQ(At(x, 2), 0);
}

TEST_F(FallbackTest, KeepsWhatIsWrittenInLists) {
  SetFallbackPolicy({FallbackMode::kAllow});
  const Tensor y = f(x);
  call("fb::clear_", std::vector<Tensor>{x, y, x});
  EXPECT_EQ(At(x, 2), 0);
  EXPECT_EQ(At(y, 2), 0);
}

TEST_F(FallbackTest, RunsEveryFormOnTheHostAndCounts) {
  SetFallbackPolicy({FallbackMode::kAllow});
  const Tensor y = f(x);
  EXPECT_EQ(y.device().str(), "far:0");
  EXPECT_EQ(At(y, 2), 6);
  const Tensor out = Tensor::Empty({0}, DType::kFloat32, kFar);
  f_out(x, out);
  EXPECT_EQ(At(out, 2), 6);
  f_(x);
  EXPECT_EQ(At(x, 2), 6);
  const std::vector<FallbackCount> counts = FallbackCounts();
  ASSERT_EQ(counts.size(), 1u);
  EXPECT_EQ(counts[0].op, "fb::twice");
  EXPECT_EQ(counts[0].device, "far");
  EXPECT_EQ(counts[0].calls, 3);
  EXPECT_EQ(counts[0].bytes, 3 * (12 + 12 + 12) - 12);  // out in, x in (in place: once), out back
}

TEST_F(FallbackTest, TheHostsKernelGetsArgumentsAsTheRuleLeavesThem) {
  SetFallbackPolicy({FallbackMode::kAllow});
  EXPECT_EQ(At(call("fb::dim", x, -1).take(), 0), 0);
  call("fb::put_", x, -1);
  EXPECT_EQ(At(x, 0), 0);
}

TEST_F(FallbackTest, KeepsWhatLiesBetweenTheElementsOfAView) {
  SetFallbackPolicy({FallbackMode::kAllow});
  const Tensor outer = x.AsStrided(std::array<int64_t, 1>{2}, std::array<int64_t, 1>{2}, 0);
  EXPECT_EQ(ToHost(outer).data<float>()[2], 3);
  EXPECT_NO_THROW(ToHost(outer));
}

TEST_F(FallbackTest, SendsResultsOfOperatorsWithoutARuleToTheDevice) {
  SetFallbackPolicy({FallbackMode::kAllow});
  auto [t, n] = g(x);
  EXPECT_EQ(t.device().str(), "far:0");
  EXPECT_EQ(At(t, 1), -2);
  EXPECT_EQ(n, 3);
  EXPECT_EQ(call("fb::split", x)[1].scalar(), Scalar(3));
}

TEST_F(FallbackTest, IsForbiddenAgainAfterThePolicyChanges) {
  SetFallbackPolicy({FallbackMode::kAllow});
  f(x);
  SetFallbackPolicy({FallbackMode::kForbid});
  EXPECT_THROW(f(x), Error);
}

TEST_F(FallbackTest, ADtypeThatTheHostLacksIsStillAnError) {
  SetFallbackPolicy({FallbackMode::kAllow});
  const Tensor ints = FromHost(Tensor::Empty({3}, DType::kInt64), kFar);
  EXPECT_THROW(f(ints), Error);
}

TEST_F(FallbackTest, ExplainSaysWhatThePolicySays) {
  EXPECT_NE(explain("fb::twice", "far", DType::kFloat32)[0].str().find("forbidden by policy"),
            std::string::npos);
  SetFallbackPolicy({FallbackMode::kAllow});
  const Explanation e = explain("fb::twice", "far", DType::kFloat32)[0];
  EXPECT_EQ(e.outcome, "the host's kernel on copies of the tensors");
}

TEST_F(FallbackTest, DevicesMayNotBeMixed) {
  const Tensor other = Tensor::Empty({3}, DType::kFloat32, {kFar.type, 1});
  f_out.entry();
  try {
    f_out(x, other);
    FAIL() << "accepted";
  } catch (const Error& e) {
    EXPECT_NE(e.message().find("far:1"), std::string::npos) << e.message();
    EXPECT_NE(e.message().find("far:0"), std::string::npos) << e.message();
  }
}

TEST_F(FallbackTest, MemoryOfTheDeviceIsGivenBack) {
  SetFallbackPolicy({FallbackMode::kAllow});
  const int64_t before = far_backend.alive;
  f(x);
  g(x);
  EXPECT_EQ(far_backend.alive, before);
}

}  // namespace
}  // namespace sy
