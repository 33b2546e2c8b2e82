#include "switchyard/dispatcher/packing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "switchyard/core/dlpack.h"
#include "switchyard/core/error.h"
#include "switchyard/core/literal.h"
#include "switchyard/core/printing.h"
#include "switchyard/core/testing.h"
#include "switchyard/core/transfer.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/op/kernel.h"
#include "switchyard/op/operator.h"
#include "switchyard/op/shape_context.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

using ::testing::HasSubstr;

// Numbers of a matrix as int8, with a scale for all.
void PackShape(ShapeContext& r, const TensorBase& x, double scale) {
  if (!(scale > 0)) r.Fail({"scale must be positive, got ", scale});
  r.Output(x.sizes(), DType::kInt8);
  r.Output(IntSpan(), DType::kFloat32);
}
void PackKernel(Call, const Tensor& q, const Tensor& scales, const Tensor& x, double scale) {
  for (int64_t i = 0; i < x.numel(); ++i) {
    q.data<int8_t>()[i] =
        static_cast<int8_t>(std::clamp(std::nearbyint(x.data<float>()[i] / scale), -128., 127.));
  }
  *scales.data<float>() = static_cast<float>(scale);
}
void UnpackShape(ShapeContext& r, const TensorBase&, const TensorBase&, IntSpan sizes,
                 DType dtype) {
  r.Output(sizes, dtype);
}
void UnpackKernel(Call, const Tensor& x, const Tensor& q, const Tensor& scales, IntSpan, DType) {
  for (int64_t i = 0; i < x.numel(); ++i)
    x.data<float>()[i] = static_cast<float>(q.data<int8_t>()[i]) * *scales.data<float>();
}
void MmShape(ShapeContext& r, const TensorBase& self, const TensorBase&, const TensorBase&,
             IntSpan sizes) {
  r.Output({self.size(0), sizes[1]}, self.dtype());
}
int served = 0;
void MmKernel(Call, const Tensor& out, const Tensor& self, const Tensor& q, const Tensor& scales,
              IntSpan sizes) {
  ++served;
  for (int64_t i = 0; i < out.size(0); ++i) {
    for (int64_t j = 0; j < sizes[1]; ++j) {
      float sum = 0;
      for (int64_t k = 0; k < sizes[0]; ++k) {
        sum += self.data<float>()[i * sizes[0] + k] *
               static_cast<float>(q.data<int8_t>()[k * sizes[1] + j]);
      }
      out.data<float>()[i * sizes[1] + j] = sum * *scales.data<float>();
    }
  }
}

void TransposeShape(ShapeContext& r, const TensorBase& q, const TensorBase& scale, IntSpan) {
  r.Output({q.size(1), q.size(0)}, DType::kInt8);
  r.Output(scale.sizes(), DType::kFloat32);
}
void TransposeKernel(Call, const Tensor& out, const Tensor& out_scale, const Tensor& q,
                     const Tensor& scale, IntSpan sizes) {
  for (int64_t i = 0; i < sizes[0]; ++i) {
    for (int64_t j = 0; j < sizes[1]; ++j)
      out.data<int8_t>()[j * sizes[0] + i] = q.data<int8_t>()[i * sizes[1] + j];
  }
  *out_scale.data<float>() = *scale.data<float>();
}

const Operator transpose_op{
    "test::transpose_q(Tensor q, Tensor scale, int[] sizes) -> (Tensor, Tensor)",
    Outputs<2>(TransposeShape)};
const Kernel transpose_q{"test::transpose_q", "cpu", kAnyDType, TransposeKernel};
const Operator pack_op{"test::quantize(Tensor x, float scale=0.5) -> (Tensor, Tensor)",
                       Outputs<2>(PackShape)};
const Operator unpack_op{
    "test::dequantize(Tensor q, Tensor scale, int[] sizes, ScalarType dtype) -> Tensor",
    UnpackShape};
const Operator mm_op{"test::mm_q(Tensor self, Tensor q, Tensor scale, int[] sizes) -> Tensor",
                     MmShape};
const Kernel pack{"test::quantize", "cpu", kAnyDType, PackKernel};
const Kernel unpack{"test::dequantize", "cpu", kAnyDType, UnpackKernel};
const Kernel mm_q{"test::mm_q", "cpu", kAnyDType, MmKernel};

const PackingDef& Affine() {
  static const PackingDef def = [] {
    const PackingDef d{
        .name = "test::affine",
        .pack = "test::quantize",
        .unpack = "test::dequantize",
        .calls = {{"mm", 1 << 1, "test::mm_q"}, {"t_copy", 1, "test::transpose_q", true}}};
    RegisterPacking(d);
    return d;
  }();
  return def;
}

class PackingTest : public ::testing::Test {
 protected:
  void SetUp() override { Affine(); }
};

TEST_F(PackingTest, GoesThereAndBack) {
  const Tensor x = tensor({{1.f, 2.f}, {3.f, -4.f}}), p = Pack(x, "test::affine");
  EXPECT_EQ(PackingOf(p), "test::affine");
  EXPECT_EQ(PackingOf(x), "");
  EXPECT_EQ(p.size(1), 2);
  EXPECT_EQ(p.dtype(), DType::kFloat32);
  ASSERT_EQ(PartsOf(p).size(), 2);
  EXPECT_EQ(PartsOf(p)[0].dtype(), DType::kInt8);
  EXPECT_TRUE(equal(Unpack(p), x));
  EXPECT_EQ(Pack(p, "test::affine").impl(), p.impl());
  EXPECT_TRUE(equal(Unpack(Pack(tensor({0.3f}), "test::affine", {0.25})), tensor({0.25f})));
}

TEST_F(PackingTest, ItsOwnCallsAndOthers) {
  const Tensor x = tensor({{1.f, 2.f}, {3.f, 4.f}}), p = Pack(x, "test::affine");
  const PackingCounts before = CountPackings();
  served = 0;
  const Tensor y = mm(x, p);
  EXPECT_EQ(served, 1);
  EXPECT_EQ(PackingOf(y), "");
  EXPECT_TRUE(equal(y, mm(x, x)));
  EXPECT_TRUE(equal(mm(p, x), mm(x, x)));  // the other argument: unpacked
  EXPECT_TRUE(equal(mm(p, p), mm(x, x)));
  EXPECT_EQ(served, 1);
  EXPECT_TRUE(equal(add(x, p), add(x, x)));
  EXPECT_TRUE(equal(cat({p, x, p}), cat({x, x, x})));
  EXPECT_TRUE(equal(call("transpose", p, 0, 1).take(), transpose(x, 0, 1)));
  const PackingCounts after = CountPackings();
  EXPECT_EQ(after.served - before.served, 1);
  EXPECT_EQ(after.unpacked - before.unpacked, 1 + 2 + 1 + 2 + 1);
}

TEST_F(PackingTest, ResultsStayPacked) {
  const Tensor x = tensor({{1.f, 2.f, 3.f}, {4.f, 5.f, 6.f}});
  const PackingCounts before = CountPackings();
  const Tensor y = call("t_copy", Pack(x, "test::affine"));
  EXPECT_EQ(PackingOf(y), "test::affine");
  EXPECT_EQ(y.size(0), 3);
  EXPECT_EQ(y.dtype(), DType::kFloat32);
  const Tensor back = call("t_copy", y);
  EXPECT_EQ(CountPackings().unpacked, before.unpacked);
  EXPECT_TRUE(equal(Unpack(y), t(x)));
  EXPECT_TRUE(equal(Unpack(back), x));
  EXPECT_TRUE(equal(mm(x, y), mm(x, t(x))));  // served from what was served
  EXPECT_EQ(CountPackings().unpacked, before.unpacked);
  EXPECT_THAT(MessageOf([] {
                RegisterPacking({.name = "test::parts",
                                 .pack = "test::quantize",
                                 .unpack = "test::dequantize",
                                 .calls = {{"item", 1, "test::transpose_q", true}}});
              }),
              HasSubstr("which stays packed"));
}

TEST_F(PackingTest, NobodyElseReachesTheBytes) {
  const Tensor x = tensor({1.f, 2.f}), p = Pack(x, "test::affine");
  EXPECT_EQ(p.data(), nullptr);
  EXPECT_THAT(MessageOf([&] { ToDlpack(p); }), HasSubstr("no data"));
  EXPECT_THAT(MessageOf([&] { ToString(p); }), HasSubstr("no data"));
  EXPECT_THAT(MessageOf([&] { p.at<float>(0); }), HasSubstr("no data"));
  EXPECT_THAT(MessageOf([&] { p.accessor<float, 1>(); }), HasSubstr("no data"));
  EXPECT_THAT(MessageOf([&] { ToHost(p); }), HasSubstr("no data"));
  EXPECT_EQ(Pack(tensor({2.f}), "test::affine").item<float>(), 2);  // an operator
  EXPECT_THAT(MessageOf([&] { add_(p, 1); }),
              HasSubstr("argument 'self' is written, and is packed as test::affine"));
  EXPECT_THAT(MessageOf([&] { add_out(p, x, x); }), HasSubstr("argument 'out' is written"));
  EXPECT_TRUE(equal(Unpack(p), x));
}

TEST_F(PackingTest, SaysWhatIsWrong) {
  const Tensor x = tensor({1.f});
  EXPECT_THAT(MessageOf([&] { Pack(x, "test::none"); }), HasSubstr("there are: test::affine"));
  EXPECT_THAT(MessageOf([&] { Pack(x, "test::affine", {-1.}); }),
              HasSubstr("scale must be positive, got -1"));
  EXPECT_THAT(MessageOf([&] { Pack(Tensor(), "test::affine"); }), HasSubstr("undefined"));
  EXPECT_THAT(MessageOf([] { RegisterPacking(Affine()); }), HasSubstr("is there already"));
  EXPECT_THAT(MessageOf([] { RegisterPacking({.name = "x", .pack = "neg", .unpack = "neg"}); }),
              HasSubstr("needs a namespace"));
  EXPECT_THAT(MessageOf([] { RegisterPacking({.name = "t::x", .pack = "neg", .unpack = "neg"}); }),
              HasSubstr("expected an operator that unpacks"));
  PackingDef wrong = Affine();
  wrong.name = "test::wrong";
  wrong.calls[0].packed = 3;
  EXPECT_THAT(MessageOf([&] { RegisterPacking(wrong); }), HasSubstr("expected 6 arguments"));
  wrong.unpack = "test::missing";
  EXPECT_THAT(MessageOf([&] { RegisterPacking(wrong); }),
              HasSubstr("there is no operator 'test::missing'"));
}

TEST_F(PackingTest, GoesWhenNoTensorIsLeft) {
  PackingDef other = Affine();
  other.name = "test::other";
  RegisterPacking(other);
  EXPECT_EQ(Packings().back().name, "test::other");
  Tensor p = Pack(tensor({1.f}), "test::other");
  EXPECT_THAT(MessageOf([&] { UnregisterPacking("test::other"); }), HasSubstr("1 tensor is alive"));
  p = Tensor();
  UnregisterPacking("test::other");
  EXPECT_THROW(Pack(tensor({1.f}), "test::other"), Error);
}

}  // namespace
}  // namespace sy
