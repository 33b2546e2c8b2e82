#include "switchyard/dispatcher/opaque_layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "switchyard/core/dlpack.h"
#include "switchyard/core/error.h"
#include "switchyard/core/literal.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

using ::testing::HasSubstr;

template <class F>
std::string ErrorOf(F f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

// Floats with the sign flipped, so that nobody takes the bytes for elements.
class Negated final : public OpaqueLayout {
 public:
  Negated() : OpaqueLayout("test::negated", {kHost}) { RegisterLayout(this); }
  int64_t Bytes(IntSpan sizes, DType dtype) const override {
    if (dtype != DType::kFloat32)
      Fail(ErrorCode::kNotImplemented, {"test::negated: expected float32, got ", dtype});
    return NumElements(sizes) * 4;
  }
  void Pack(const Tensor& strided, const Tensor& bytes) const override {
    auto* to = static_cast<float*>(bytes.data());
    for (int64_t i = 0; i < strided.numel(); ++i) to[i] = -strided.data<float>()[i];
  }
  void Unpack(const Tensor& bytes, const Tensor& strided) const override {
    const auto* from = static_cast<const float*>(bytes.data());
    for (int64_t i = 0; i < strided.numel(); ++i) strided.data<float>()[i] = -from[i];
  }
  bool Call(const OperatorEntry& op, std::span<const Value> args,
            std::span<Result> results) const override {
    if (op.name() != "neg") return false;
    results[0].Set(ToLayout(call("neg", ToStrided(args[0].tensor())).take(), name()));
    return true;
  }
};

class OpaqueLayoutTest : public ::testing::Test {
 protected:
  static Negated& layout() {
    static auto* l = new Negated;
    return *l;
  }
  void SetUp() override { layout(); }
};

TEST_F(OpaqueLayoutTest, GoesThereAndBack) {
  const Tensor x = tensor({{1.f, 2.f}, {3.f, 4.f}}), p = ToLayout(x, "test::negated");
  EXPECT_EQ(LayoutOf(p), &layout());
  EXPECT_EQ(LayoutOf(x), nullptr);
  EXPECT_EQ(p.sizes()[1], 2);
  EXPECT_EQ(p.dtype(), DType::kFloat32);
  EXPECT_TRUE(equal(ToStrided(p), x));
  EXPECT_EQ(static_cast<const float*>(OpaqueBytes(p).data())[3], -4.f);
  EXPECT_TRUE(equal(ToStrided(ToLayout(transpose(x, 0, 1), "test::negated")), transpose(x, 0, 1)));
}

TEST_F(OpaqueLayoutTest, ItsOwnCallsAndOthers) {
  const Tensor x = tensor({1.f, 2.f}), p = ToLayout(x, "test::negated");
  const LayoutCounts before = CountLayouts();
  const Tensor y = neg(p);
  EXPECT_EQ(LayoutOf(y), &layout());
  EXPECT_TRUE(equal(ToStrided(y), neg(x)));
  const Tensor z = add(x, p);
  EXPECT_EQ(LayoutOf(z), nullptr);
  EXPECT_TRUE(equal(z, add(x, x)));
  EXPECT_TRUE(equal(cat({p, x, p}), cat({x, x, x})));
  EXPECT_TRUE(equal(call("sub", p, 1).take(), sub(x, 1)));
  const LayoutCounts after = CountLayouts();
  EXPECT_EQ(after.served - before.served, 1);
  EXPECT_EQ(after.unpacked - before.unpacked, 4);
}

TEST_F(OpaqueLayoutTest, NobodyElseReachesTheBytes) {
  const Tensor p = ToLayout(tensor({1.f, 2.f}), "test::negated");
  EXPECT_EQ(p.data(), nullptr);
  EXPECT_THAT(ErrorOf([&] { ToDlpack(p); }), HasSubstr("no data"));
  EXPECT_THAT(ErrorOf([&] { add_(p, 1); }),
              HasSubstr("argument self is written, and of layout test::negated"));
  EXPECT_TRUE(equal(ToStrided(p), tensor({1.f, 2.f})));
}

TEST_F(OpaqueLayoutTest, SaysWhatIsWrong) {
  const Tensor x = tensor({1.f});
  EXPECT_THAT(ErrorOf([&] { ToLayout(x, "test::none"); }), HasSubstr("there are: test::negated"));
  EXPECT_THAT(ErrorOf([&] { ToLayout(tensor({1.}), "test::negated"); }),
              HasSubstr("expected float32, got float64"));
  EXPECT_THAT(ErrorOf([&] { ToLayout(empty({1}, {.device = "meta"}), "test::negated"); }),
              HasSubstr("is of device cpu, got a tensor on meta"));
  EXPECT_THROW(OpaqueBytes(x), Error);
  EXPECT_THROW(Negated(), Error);  // the name is taken
}

TEST_F(OpaqueLayoutTest, GoesWhenNoTensorIsLeft) {
  class Other final : public OpaqueLayout {
   public:
    Other() : OpaqueLayout("test::other", {kHost}) {}
    int64_t Bytes(IntSpan sizes, DType dtype) const override {
      return NumElements(sizes) * static_cast<int64_t>(ItemSize(dtype));
    }
    void Pack(const Tensor&, const Tensor&) const override {}
    void Unpack(const Tensor&, const Tensor&) const override {}
  };
  Other other;
  RegisterLayout(&other);
  Tensor p = ToLayout(tensor({1.f}), "test::other");
  EXPECT_THAT(ErrorOf([&] { UnregisterLayout(&other); }), HasSubstr("1 tensor is alive"));
  p = Tensor();
  UnregisterLayout(&other);
  EXPECT_THROW(ToLayout(tensor({1.f}), "test::other"), Error);
}

}  // namespace
}  // namespace sy
