// Calls by string a second time: by keywords, full names and conversions, all of which are
// remembered.

#include <gtest/gtest.h>

#include "switchyard/core/testing.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/op/operator.h"
#include "switchyard/op/testing.h"

namespace sy {
namespace {

// What the last call was given.
std::string last;

const Operator scale_op{"p::scale(Tensor x, *, float a=1, float b=2, int[2] c=3) -> ()"};
void Scale(Call, const Tensor&, double a, double b, IntSpan c) { last = Join({a, " ", b, " ", c}); }
const Composite scale{"p::scale", Scale};

const Operator either_int_op{"p::either.int(Tensor x, int k) -> ()"};
const Operator either_tensor_op{"p::either.Tensor(Tensor x, Tensor k) -> ()"};
void EitherInt(Call, const Tensor&, int64_t k) { last = Join({"int ", k}); }
void EitherTensor(Call, const Tensor&, const Tensor& k) {
  last = Join({"tensor ", k.dtype(), " ", k.numel()});
}
const Composite either_int{"p::either.int", EitherInt};
const Composite either_tensor{"p::either.Tensor", EitherTensor};

const Operator empty_bools_op{"p::empty.bools(bool[] x) -> ()"};
const Operator empty_ints_op{"p::empty.ints(int[] x, int more=0) -> ()"};
void EmptyBools(Call, std::span<const bool> x) { last = Join({"bools ", x.size()}); }
void EmptyInts(Call, IntSpan x, int64_t) { last = Join({"ints ", x}); }
const Composite empty_bools{"p::empty.bools", EmptyBools};
const Composite empty_ints{"p::empty.ints", EmptyInts};

const Operator weights_op{"p::weights(Tensor x, float[] w, Tensor? by=None, Scalar[] s=[]) -> ()"};
void Weights(Call, const Tensor&, std::span<const double> w, const Tensor& by,
             std::span<const Scalar> s) {
  last = Join({"weights ", w.size(), " ", w.empty() ? 0 : w[w.size() - 1], " ",
               by.defined() ? by.at<double>() : 0, " ", s.size()});
}
const Composite weights{"p::weights", Weights};

const Operator place_dtype_op{"p::place.dtype(Tensor x, ScalarType dtype) -> ()"};
const Operator place_device_op{"p::place.device(Tensor x, Device device) -> ()"};
void PlaceDType(Call, const Tensor&, DType d) { last = Name(d); }
void PlaceDevice(Call, const Tensor&, Device d) { last = d.str(); }
const Composite place_dtype{"p::place.dtype", PlaceDType};
const Composite place_device{"p::place.device", PlaceDevice};

const Operator sized_op{
    "p::sized(int[] size, *, ScalarType? dtype=None, Device? device=None, MemoryFormat? f=None, "
    "Layout? layout=None) -> ()"};
void Sized(Call, IntSpan size, Optional<DType> dtype, Optional<Device> device,
           Optional<MemoryFormat> f, Optional<Layout> layout) {
  last = Join({size, " ", dtype ? Name(*dtype) : "-", " ", device ? (*device).str() : "-", " ",
               f ? Name(*f) : "-", " ", layout ? Name(*layout) : "-"});
}
const Composite sized{"p::sized", Sized};

const Operator many_op{
    "p::many(int a=0, int b=0, int c=0, int d=0, int e=0, int f=0, int g=0, int h=0, int i=0, int "
    "j=0, int k=0, int l=0, int m=0, int n=9) -> ()"};
void Many(Call, int64_t a, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t,
          int64_t, int64_t, int64_t, int64_t, int64_t n) {
  last = Join({a, " ", n});
}
const Composite many{"p::many", Many};

Tensor X() { return Tensor::Empty({1}, DType::kFloat32); }

OverloadPacket& Packet(std::string_view name) {
  OverloadPacket* f = Registry::Global().FindPacket(name);
  EXPECT_NE(f, nullptr) << name;
  return *f;
}
size_t PlansOf(std::string_view name) { return Packet(name).all_plans.size(); }

// Calls three times, and expects one plan more and the same each time.
#define EXPECT_REMEMBERED(name, as, ...)                        \
  do {                                                          \
    const size_t before = PlansOf(name);                        \
    for (int again = 0; again < 3; ++again) {                   \
      last = "not called";                                      \
      call(name __VA_OPT__(, ) __VA_ARGS__);                    \
      EXPECT_EQ(last, as) << "call " << again;                  \
      EXPECT_EQ(PlansOf(name), before + 1) << "call " << again; \
    }                                                           \
  } while (false)

TEST(CallPlanTest, KeywordsAreRemembered) {
  const Tensor x = X();
  EXPECT_REMEMBERED("p::scale", "4 2 [3, 3]", x, kw("a", 4.0));
  EXPECT_REMEMBERED("p::scale", "4 5 [3, 3]", x, kw("a", 4.0), kw("b", 5.0));
  call("p::scale", x, kw("a", 6.0));
  EXPECT_EQ(last, "6 2 [3, 3]") << "the values are the call's";
  const std::string computed = "a";
  call("p::scale", x, kw(computed, 7.0));
  EXPECT_EQ(last, "7 2 [3, 3]");
}

TEST(CallPlanTest, KeywordsOfTheSameTypesAreToldApart) {
  const Tensor x = X();
  for (int again = 0; again < 3; ++again) {
    call("p::scale", x, kw("a", 4.0));
    EXPECT_EQ(last, "4 2 [3, 3]");
    call("p::scale", x, kw("b", 4.0));
    EXPECT_EQ(last, "1 4 [3, 3]");
    call("p::scale", kw("b", 4.0), kw("x", x));
    EXPECT_EQ(last, "1 4 [3, 3]");
    EXPECT_NE(ErrorOf([&] { call("p::scale", x, kw("d", 4.0)); }).find("no argument 'd'"),
              std::string::npos);
    EXPECT_NE(ErrorOf([&] { call("p::scale", x, kw("a", 1.0), kw("a", 2.0)); }).find("given twice"),
              std::string::npos);
  }
}

TEST(CallPlanTest, FullNamesAreRemembered) {
  const Tensor x = X();
  EXPECT_REMEMBERED("p::either.int", "int 3", x, 3);
  EXPECT_REMEMBERED("p::either.Tensor", "tensor int64 1", x, 3);
  EXPECT_REMEMBERED("p::either.Tensor", "tensor float64 1", x, 2.5);
  EXPECT_REMEMBERED("aten::p::either", "int 4", x, 4);
  EXPECT_REMEMBERED("aten::p::either.Tensor", "tensor float32 1", x, x);
  EXPECT_EQ(Registry::Global().FindPacket("p::either.none"), nullptr);
  EXPECT_EQ(Registry::Global().FindPacket("aten::aten::p::either"), nullptr);
  EXPECT_EQ(Registry::Global().FindPacket("p::none.int"), nullptr);
}

TEST(CallPlanTest, ConversionsAreRemembered) {
  const Tensor x = X();
  EXPECT_REMEMBERED("p::scale", "1 2 [7, 7]", x, kw("c", 7));
  EXPECT_REMEMBERED("p::scale", "3 2 [4, 5]", x, kw("a", 3), kw("c", {4, 5}));
  EXPECT_REMEMBERED("p::weights", "weights 2 4 0 0", x, {3, 4});
  EXPECT_REMEMBERED("p::weights", "weights 1 2 2.5 0", x, {2}, 2.5);
  EXPECT_REMEMBERED("p::weights", "weights 0 0 0 0", x, {}, std::nullopt, IntSpan());
  const std::vector<int64_t> long_list(100, 6);  // more than lies on the stack
  call("p::weights", x, long_list);
  EXPECT_EQ(last, "weights 100 6 0 0");
}

TEST(CallPlanTest, IntegersInARowAreRememberedByTheirNumber) {
  EXPECT_REMEMBERED("p::sized", "[2, 3] - - - -", 2, 3);
  EXPECT_REMEMBERED("p::sized", "[4] - - - -", 4);
  EXPECT_REMEMBERED("p::sized", "[1, 2] int8 - - -", 1, 2, DType::kInt8);
  call("p::sized", 5, 6);
  EXPECT_EQ(last, "[5, 6] - - - -");
}

TEST(CallPlanTest, AnEmptyListHasATypeOfItsOwn) {
  const std::vector<int64_t> none, one = {1};
  for (int again = 0; again < 3; ++again) {
    call("p::empty", one);
    EXPECT_EQ(last, "ints [1]");
    call("p::empty", none);
    EXPECT_EQ(last, "bools 0");
  }
}

TEST(CallPlanTest, TextsAreReadAtEachCall) {
  const Tensor x = X();
  for (int again = 0; again < 3; ++again) {
    call("p::place", x, "float64");
    EXPECT_EQ(last, "float64");
    call("p::place", x, "int8");
    EXPECT_EQ(last, "int8");
    call("p::place", x, "cpu");
    EXPECT_EQ(last, "cpu");
    EXPECT_NE(
        ErrorOf([&] { call("p::place", x, "nowhere"); }).find("no device type named 'nowhere'"),
        std::string::npos);
    EXPECT_NE(ErrorOf([&] { call("p::place", x, "cpu:x"); }).find("an index after ':'"),
              std::string::npos);
  }
  EXPECT_EQ(PlansOf("p::place"), 2u);
  for (int again = 0; again < 2; ++again) {
    call("p::sized", {1}, "cpu");
    EXPECT_EQ(last, "[1] - cpu - -");
    call("p::sized", {1}, "int8");
    EXPECT_EQ(last, "[1] int8 - - -");
    call("p::sized", {1}, "int8", kw("layout", "strided"), kw("f", "channels_last"));
    EXPECT_EQ(last, "[1] int8 - channels_last strided");
    EXPECT_NE(ErrorOf([&] { call("p::sized", {1}, kw("layout", "round")); }).find("'layout'"),
              std::string::npos);
  }
}

TEST(CallPlanTest, ArgumentsLeftOutBeyondTheRoomOfACallAreFilledIn) {
  EXPECT_REMEMBERED("p::many", "3 9", 3);
  EXPECT_REMEMBERED("p::many", "0 9");
  EXPECT_REMEMBERED("p::many", "2 5", 2, kw("n", 5));
}

TEST(CallPlanTest, MoreKindsOfCallsThanAreRememberedGoTheirWay) {
  const Tensor x = X();
  const std::string_view names[] = {"a", "b"};
  for (int again = 0; again < 3; ++again) {
    for (std::string_view first : names) {
      for (std::string_view second : names) {
        if (first == second) continue;
        call("p::scale", x, kw(first, 1), kw(second, 2.0));
        call("p::scale", x, kw(first, 1.0), kw(second, 2));
        call("p::scale", x, kw(first, 1), kw(second, 2));
        call("p::scale", kw("x", x), kw(first, 1), kw(second, 2));
        call("p::scale", kw(first, 1), kw("x", x), kw(second, 2));
        call("p::scale", kw(first, 1), kw(second, 2), kw("x", x));
        EXPECT_EQ(last, first == "a" ? "1 2 [3, 3]" : "2 1 [3, 3]");
      }
    }
  }
}

TEST(CallPlanTest, BoxedCallsByNameUseThePlans) {
  const Tensor x = X();
  const Value args[] = {x};
  const Keyword keywords[] = {{"b", 8.0}, {"c", 1}};
  const size_t before = PlansOf("p::scale");
  for (int again = 0; again < 3; ++again) {
    CallByName("p::scale", args, keywords);
    EXPECT_EQ(last, "1 8 [1, 1]");
    CallByName("p::scale", args);
    EXPECT_EQ(last, "1 2 [3, 3]");
  }
  EXPECT_LE(PlansOf("p::scale"), before + 2);
}

const Composite comes_float{"p::comes.float", +[](Call, const Tensor&, double k) {
                              last = Join({"float ", k});
                            }};
const Composite comes_int{"p::comes.int", +[](Call, const Tensor&, int64_t k) {
                            last = Join({"int ", k});
                          }};

TEST(CallPlanTest, PlansAreForgottenWhenOverloadsComeAndGo) {
  const Tensor x = X();
  const auto calls = [&](std::string_view any, std::string_view named) {
    for (int again = 0; again < 2; ++again) {
      call("p::comes", x, kw("k", 2));
      EXPECT_EQ(last, any);
      call("p::comes.float", x, kw("k", 2));
      EXPECT_EQ(last, named);
    }
  };
  Registry& r = Registry::Global();
  OperatorDef floating = testing::Direct("p::comes.float(Tensor x, float k) -> ()", 1);
  OperatorDef integral = testing::Direct("p::comes.int(Tensor x, int k) -> ()", 2);
  r.Add(floating);
  calls("float 2", "float 2");
  r.Add(integral);
  calls("int 2", "float 2");
  call("p::comes.int", x, 3);
  EXPECT_EQ(last, "int 3");
  r.Remove(integral);
  calls("float 2", "float 2");
  EXPECT_NE(ErrorOf([&] { call("p::comes.int", x, 3); }).find("no operator named 'p::comes.int'"),
            std::string::npos);
  r.Remove(floating);
  EXPECT_NE(ErrorOf([&] { call("p::comes", x, kw("k", 2)); }).find("no operator named 'p::comes'"),
            std::string::npos);
}

}  // namespace
}  // namespace sy
