// Typed, boxed and by-name calls of operators registered here.

#include "switchyard/dispatcher/call.h"

#include <gtest/gtest.h>

#include "switchyard/core/testing.h"
#include "switchyard/dispatcher/handle.h"
#include "switchyard/op/operator.h"

namespace sy {
namespace {

// --- Operators of this test. Each records how it was called.

std::string last;

const Operator scale_op{"t::scale.Tensor(Tensor x, Tensor by, *, Scalar alpha=1) -> Tensor",
                        +[](ShapeContext& r, const TensorBase& x, const TensorBase& by,
                            const Scalar&) { r.Pointwise(x, by); },
                        kInPlace | Out("out")};
const Operator scale_number_op{
    "t::scale.Scalar(Tensor x, Scalar by, Scalar alpha=1) -> Tensor",
    WithNumber<1>(
        "t::scale.Tensor", +[](ShapeContext& r, const TensorBase& x, const TensorBase& by,
                               const Scalar&) { r.Pointwise(x, by); })};
void Scale(Call c, const Tensor& out, const Tensor& x, const Tensor& by, const Scalar& alpha) {
  last = Join({"scale ", c.dtype(), " alpha=", alpha.str()});
  if (x.dtype() != DType::kFloat32 || by.dtype() != DType::kFloat32) return;
  for (int64_t i = 0; i < out.numel(); ++i) {
    out.data<float>()[i] = x.data<float>()[i] * by.data<float>()[by.numel() == 1 ? 0 : i];
  }
}
const Kernel scale_kernel{"t::scale.Tensor", "cpu", kAnyDType, Scale};

const Operator sum_op{
    "t::total.dims(Tensor x, int[1]? dim=None, bool keep=False, *, ScalarType? dtype=None, "
    "float eps=0.5, str mode=\"a\") -> int"};
int64_t Total(Call, const Tensor&, std::optional<IntSpan> dim, bool keep, Optional<DType> dtype,
              double eps, std::string_view mode) {
  last = Join({"total ", dim ? Join({*dim}) : "all", " ", keep, " ", dtype ? Name(*dtype) : "none",
               " ", eps, " ", mode});
  return 7;
}
const Composite total{"t::total.dims", Total};

const Operator pair_op{"t::pair(Tensor x) -> (Tensor, Tensor)"};
std::tuple<Tensor, Tensor> Pair(Call, const Tensor& x) { return {x, Tensor()}; }
const Composite pair{"t::pair", Pair};

const Operator list_op{"t::list(Tensor[] xs, int k) -> Tensor[]"};
std::vector<Tensor> List(Call c, TensorList xs, int64_t k) {
  last = Join({"list of ", xs.size(), " in ", c.dtype(), " ", k});
  return {xs.begin(), xs.end()};
}
const Composite list{"t::list", List};

const Operator boxed_op{"t::boxed(Tensor x, int k) -> (Tensor, int)"};
void Boxed(const BoxedCall& call) {
  last = "boxed " + call.args[1].str();
  call.results[0].Set(Tensor(call.args[0].tensor()));
  call.results[1].Set(call.args[1].i + 1);
}
const Kernel boxed{"t::boxed", "cpu", kAnyDType, BoxedFn(Boxed)};

// Writes an argument beside the one that it returns.
const Operator counting_op{
    "t::counting.out(Tensor(a!) count, Tensor x, *, Tensor(b!) out) -> Tensor(b!)"};
void Counting(Call, const Tensor& count, const Tensor&, const Tensor& out) {
  count.data<float>()[0] += 1;
  out.data<float>()[0] = count.data<float>()[0];
}
const Kernel counting_kernel{"t::counting.out", "cpu", Bit(DType::kFloat32), Counting};

const Operator counted_op{"t::use_count(Tensor x) -> int"};
int64_t UseCount(Call, const Tensor& x) { return x.use_count(); }
const Composite counted{"t::use_count", UseCount};

const Operator place_dtype_op{"t::place.dtype(Tensor x, ScalarType dtype) -> int"};
const Operator place_device_op{"t::place.device(Tensor x, Device device) -> int"};
int64_t PlaceDType(Call, const Tensor&, DType) { return 1; }
int64_t PlaceDevice(Call, const Tensor&, Device) { return 2; }
const Composite place_dtype{"t::place.dtype", PlaceDType};
const Composite place_device{"t::place.device", PlaceDevice};

const Operator sized_op{
    "t::sized(int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
    "bool? pin=None) -> int"};
int64_t Sized(Call, IntSpan size, Optional<DType> dtype, Optional<Layout>, Optional<Device> device,
              Optional<bool>) {
  last = Join({"sized ", size, " ", dtype ? Name(*dtype) : "none", " ",
               device ? (*device).str() : "nowhere"});
  return 3;
}
const Composite sized{"t::sized", Sized};
const Operator viewed_op{"t::viewed(Tensor x, int[] size) -> int"};
int64_t Viewed(Call, const Tensor&, IntSpan size) { return static_cast<int64_t>(size.size()); }
const Composite viewed{"t::viewed", Viewed};
const Operator drawn_op{"t::drawn(int high, int[] size) -> int"};
int64_t Drawn(Call, int64_t, IntSpan size) { return static_cast<int64_t>(size.size()); }
const Composite drawn{"t::drawn", Drawn};

// Made of another operator, which refuses tensors that do not broadcast.
const Operator made_op{"t::made(Tensor x, Tensor y) -> Tensor"};
Tensor Made(Call, const Tensor& x, const Tensor& y) { return call("t::scale", x, y); }
const Composite made{"t::made", Made};

const Operator zero_op{"t::zero_(Tensor(a!) x) -> Tensor(a!)"};
void Zero(Call, const Tensor& x) { x.data<float>()[0] = 0; }
const Composite zero{"t::zero_", Zero};

const Operator boxed_shape_op{
    "t::boxed_shape(Tensor x) -> Tensor",
    +[](ShapeContext& r, const TensorBase& x) { r.OutputLike(x).pointwise = true; },
    kInPlace | kOut};
void BoxedShape(const BoxedCall& call) {
  ASSERT_EQ(call.outs.size(), 1u);
  call.outs[0]->data<float>()[0] = call.args[0].tensor().data<float>()[0] + 1;
}
const Kernel boxed_shape{"t::boxed_shape", "cpu", kAnyDType, BoxedFn(BoxedShape)};

// Shape functions that normalise: typed kernels get what they leave, boxed ones what was given.
void SliceShape(ShapeContext& r, const TensorBase& x, int64_t& dim, std::optional<IntSpan>& dims) {
  dim = r.WrapDim(dim, x);
  if (dims) {
    int64_t* wrapped = r.Ints(static_cast<int64_t>(dims->size()));
    for (size_t i = 0; i < dims->size(); ++i) wrapped[i] = r.WrapDim((*dims)[i], x);
    dims = IntSpan(wrapped, dims->size());
  }
  r.OutputLike(x).pointwise = true;
}
const Operator slice_op{"t::slice(Tensor x, int dim, int[]? dims=None) -> Tensor", SliceShape,
                        kInPlace | kOut};
const Operator boxed_slice_op{"t::boxed_slice(Tensor x, int dim, int[]? dims=None) -> Tensor",
                              SliceShape, kInPlace | kOut};
void Slice(Call, const Tensor&, const Tensor&, int64_t dim, std::optional<IntSpan> dims) {
  last = Join({"typed ", dim, " ", dims ? Join({*dims}) : "none"});
}
void BoxedSlice(const BoxedCall& call) {
  last = "boxed " + call.args[1].str() + " " + call.args[2].str();
}
const Kernel slice{"t::slice", "cpu", kAnyDType, Slice};
const Kernel boxed_slice{"t::boxed_slice", "cpu", kAnyDType, BoxedFn(BoxedSlice)};

Tensor Floats(std::initializer_list<float> values) {
  Tensor t = Tensor::Empty({static_cast<int64_t>(values.size())}, DType::kFloat32);
  std::copy(values.begin(), values.end(), t.data<float>());
  return t;
}

// Kernels that fail, naming what they are for.
void RefuseShape(ShapeContext& r, const TensorBase& x) { r.OutputLike(x).pointwise = true; }
const Operator refuse_op{"t::refuse.Tensor(Tensor x) -> Tensor", RefuseShape,
                         kInPlace | Out("out")};
void Refuse(Call call, const Tensor&, const Tensor&) {
  Fail(ErrorCode::kInvalidValue, call.op(), {"no"});
}
const Kernel refuse{"t::refuse.Tensor", "cpu", kAnyDType, Refuse};

const Operator refuse_direct_op{"t::refuse_direct(Tensor x) -> Tensor", KeyRule::kPromote,
                                kInPlace | kOut};
Tensor RefuseDirect(Call call, const Tensor&) { Fail(ErrorCode::kInvalidValue, call.op(), {"no"}); }
const Composite refuse_direct{"t::refuse_direct", RefuseDirect};

// As Refuse, in the name of another operator, which it is taken to call.
const Operator refuse_inside_op{"t::refuse_inside(Tensor x) -> Tensor", KeyRule::kPromote, kOut};
Tensor RefuseInside(Call, const Tensor&) {
  Fail(ErrorCode::kInvalidValue, "t::refuse_inside_more", {"no"});
}
const Composite refuse_inside{"t::refuse_inside", RefuseInside};

// --- Calls by name

TEST(CallTest, TheOverloadFollowsFromTheArgumentTypes) {
  const Tensor x = Floats({1, 2});
  Tensor y = call("t::scale", x, Floats({3, 4})).take();
  EXPECT_EQ(y.data<float>()[1], 8);
  EXPECT_EQ(last, "scale float32 alpha=1");
  call("t::scale", x, 2.5);
  EXPECT_EQ(FindOverload("t::scale", std::array{Value(x), Value(2)}).name(), "t::scale.Scalar");
}

TEST(CallTest, KeywordsAndDefaultsFillTheSchema) {
  const Tensor x = Floats({1});
  call("t::scale", x, x, kw("alpha", 3));
  EXPECT_EQ(last, "scale float32 alpha=3");
  call("t::total", x, kw("mode", "b"), kw("dtype", DType::kInt8));
  EXPECT_EQ(last, "total all false int8 0.5 b");
  EXPECT_EQ(call("t::total", x).scalar(), Scalar(7));
  EXPECT_EQ(last, "total all false none 0.5 a");
}

TEST(CallTest, WhatPythonConvertsIsConverted) {
  const Tensor x = Floats({1});
  call("t::total", x, 1, kw("eps", 2), kw("dtype", "float64"));  // int → int[1], int → float, text
  EXPECT_EQ(last, "total [1] false float64 2 a");
}

TEST(CallTest, IntegersInARowAreAListWhereItIsAllThatPythonTakesByPosition) {
  for (int again = 0; again < 2; ++again) {
    call("t::sized", 2, 3);
    EXPECT_EQ(last, "sized [2, 3] none nowhere");
    call("t::sized", 4);
    EXPECT_EQ(last, "sized [4] none nowhere");
  }
  EXPECT_EQ(call("t::viewed", Floats({1}), 2, 3, 4).scalar(), Scalar(3));
  EXPECT_THROW(call("t::drawn", 1, 2, 3), Error);
}

TEST(CallTest, BracesAreAListOfIntegers) {
  call("t::sized", {2, 3});
  EXPECT_EQ(last, "sized [2, 3] none nowhere");
  EXPECT_EQ(call("t::viewed", Floats({1}), {2, 3}).scalar(), Scalar(2));
  EXPECT_TRUE(try_call("t::sized", {2, 3}));
  call("t::sized", kw("size", {5, 6}));
  EXPECT_EQ(last, "sized [5, 6] none nowhere");
}

TEST(CallTest, ADTypeOrDeviceByPositionFindsItsPlace) {
  call("t::sized", {2}, kCpu);
  EXPECT_EQ(last, "sized [2] none cpu");
  call("t::sized", 2, 2, DType::kInt8, "cpu");
  EXPECT_EQ(last, "sized [2, 2] int8 cpu");
  call("t::sized", {2}, "float64", kCpu);
  EXPECT_EQ(last, "sized [2] float64 cpu");
  const Outcome wrong = try_call("t::sized", {2}, "nonsense");
  EXPECT_NE(wrong.message.find("argument 'dtype' must be ScalarType?, got 'nonsense'"),
            std::string::npos)
      << wrong.message;
}

TEST(CallTest, OneResultIsATensorByItself) {
  const Tensor x = Floats({1, 2});
  const Tensor y = call("t::scale", call("t::scale", x, Floats({2})), Floats({3}));
  EXPECT_EQ(y.at<float>(1), 12);
  Results kept = call("t::scale", x, 2);
  const Tensor shared = kept;
  EXPECT_TRUE(shared.is_same(kept.tensor()));
  EXPECT_THROW(static_cast<void>(Tensor(call("t::pair", x))), Error);
}

TEST(CallTest, AnErrorOfACompositeNamesTheOperatorThatWasCalled) {
  const Outcome o = try_call("t::made", Floats({1, 2}), Floats({1, 2, 3}));
  EXPECT_EQ(o.code, ErrorCode::kInvalidArgument);
  EXPECT_TRUE(o.message.starts_with("t::made(): t::scale.Tensor")) << o.message;
  const Handle<Tensor(const Tensor&, const Tensor&)> handle("t::made");
  try {
    handle(Floats({1, 2}), Floats({1, 2, 3}));
    FAIL() << "accepted";
  } catch (const std::runtime_error& e) {
    EXPECT_STREQ(e.what(), o.message.c_str());
  }
}

TEST(CallTest, AFullNameSelectsOneOverload) {
  const Tensor x = Floats({1});
  EXPECT_NE(ErrorOf([&] { call("t::scale.Tensor", x, "no"); }).find("must be Tensor"),
            std::string::npos);
  call("t::scale.Tensor", x, 2);  // a number for a tensor
  EXPECT_EQ(last, "scale float32 alpha=1");
  call("t::scale_", x, x);
  call("t::scale.out", x, x, 1, Floats({0}));
}

TEST(CallTest, SeveralResultsComeInOrder) {
  const Tensor x = Floats({1});
  Results r = call("t::pair", x);
  ASSERT_EQ(r.size(), 2);
  EXPECT_TRUE(r[0].tensor().is_same(x));
  EXPECT_TRUE(r[1].value().is_none());
}

TEST(CallTest, ListsGoInAndOut) {
  const std::vector<Tensor> xs = {Floats({1}), Floats({2})};
  Results r = call("t::list", xs, 5);
  EXPECT_EQ(last, "list of 2 in float32 5");
  EXPECT_EQ(r[0].TakeTensors().size(), 2u);
}

TEST(CallTest, EveryTensorOfALongListCounts) {
  std::vector<Tensor> xs(70, Floats({1}));
  xs.push_back(Tensor::Empty({1}, DType::kFloat64));
  static constinit Handle<std::vector<Tensor>(TensorList, int64_t)> typed{"t::list"};
  EXPECT_EQ(typed(xs, 1).size(), 71u);
  EXPECT_EQ(last, "list of 71 in float64 1");
  EXPECT_EQ(call("t::list", xs, 1)[0].TakeTensors().size(), 71u);
  EXPECT_EQ(last, "list of 71 in float64 1");
}

TEST(CallTest, ATextIsADTypeWhereAnotherOverloadTakesADevice) {
  const Tensor x = Floats({1});
  EXPECT_EQ(call("t::place", x, "float64").scalar(), Scalar(1));
  EXPECT_EQ(call("t::place", x, "cpu").scalar(), Scalar(2));
  const std::string e = ErrorOf([&] { call("t::place", x, "nowhere_known"); });
  EXPECT_NE(e.find("no device type named 'nowhere_known'"), std::string::npos) << e;
}

TEST(CallTest, AnUnknownNameNamesTheNearest) {
  const std::string e = ErrorOf([] { call("t::scal", 1); });
  EXPECT_EQ(e.find("not found: no operator named 't::scal'"), 0u) << e;
  EXPECT_NE(e.find("did you mean 't::scale'?"), std::string::npos) << e;
}

TEST(CallTest, AnUnknownOverloadNamesThoseThatThereAre) {
  const std::string e = ErrorOf([] { call("t::scale.Tenso", 1); });
  EXPECT_EQ(e.find("not found: no operator named 't::scale.Tenso'"), 0u) << e;
  EXPECT_NE(e.find("its overloads: "), std::string::npos) << e;
  EXPECT_NE(e.find("t::scale.Tensor"), std::string::npos) << e;
}

TEST(CallTest, ArgumentsThatFitNoOverloadAreExplainedForEach) {
  const std::string e = ErrorOf([] { call("t::scale", Floats({1}), "text"); });
  EXPECT_EQ(e.find("no overload: t::scale(): no overload takes these arguments"), 0u) << e;
  EXPECT_NE(e.find("argument 'by' must be Tensor, got 'text'"), std::string::npos);
  EXPECT_NE(e.find("argument 'by' must be Scalar, got 'text'"), std::string::npos);
}

TEST(CallTest, MissingUnknownAndRepeatedArgumentsAreErrors) {
  const Tensor x = Floats({1});
  EXPECT_NE(ErrorOf([&] { call("t::pair"); }).find("'x' is missing"), std::string::npos);
  EXPECT_NE(ErrorOf([&] { call("t::pair", x, x); }).find("takes 1 arguments, got 2"),
            std::string::npos);
  EXPECT_NE(ErrorOf([&] { call("t::pair", x, kw("y", 1)); }).find("no argument 'y'"),
            std::string::npos);
  EXPECT_NE(ErrorOf([&] { call("t::pair", x, kw("x", x)); }).find("'x' is given twice"),
            std::string::npos);
}

TEST(CallTest, TryCallThrowsNothing) {
  Outcome bad = try_call("t::no_such");
  EXPECT_FALSE(bad);
  EXPECT_EQ(bad.code, ErrorCode::kNotFound);
  Outcome good = try_call("t::use_count", Floats({1}));
  ASSERT_TRUE(good);
  EXPECT_EQ(good.results.scalar(), Scalar(1));
}

TEST(CallTest, RepeatedCallsGoTheSameWayAsTheFirst) {
  const Tensor x = Floats({2}), y = Floats({3});
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(call("t::scale", x, y).tensor().data<float>()[0], 6);
    EXPECT_EQ(call("t::use_count", x).scalar(), Scalar(1));
  }
}

// --- Boxed calls

TEST(BoxedCallTest, CountAndTypesAreChecked) {
  const OperatorEntry& op = *Registry::Global().Find("t::pair");
  Result results[2];
  const Value number(3);
  EXPECT_NE(ErrorOf([&] { CallBoxed(op, {}, results); }).find("expected 1 arguments, got 0"),
            std::string::npos);
  EXPECT_NE(ErrorOf([&] {
              CallBoxed(op, {&number, 1}, results);
            }).find("'x' must be Tensor"),
            std::string::npos);
  const Tensor x = Floats({1});
  const Value v(x);
  EXPECT_NE(ErrorOf([&] {
              CallBoxed(op, {&v, 1}, {results, 1});
            }).find("2 results"),
            std::string::npos);
}

TEST(BoxedCallTest, TensorsAreNeitherCopiedNorCounted) {
  const Tensor x = Floats({1});
  const Value v(x);
  Result r;
  CallBoxed(*Registry::Global().Find("t::use_count"), {&v, 1}, {&r, 1});
  EXPECT_EQ(r.scalar(), Scalar(1));
}

TEST(BoxedCallTest, AnInPlaceOperatorWithoutARuleReturnsItsArgument) {
  const Tensor x = Floats({5});
  Results r = call("t::zero_", x);
  EXPECT_TRUE(r.tensor().is_same(x));
  EXPECT_EQ(x.data<float>()[0], 0);
}

TEST(BoxedCallTest, OfWrittenArgumentsThoseAreReturnedThatTheSchemaSays) {
  const Tensor count = Floats({1}), x = Floats({1}), out = Floats({1});
  Results r = call("t::counting.out", count, x, kw("out", out));
  EXPECT_EQ(r.size(), 1);
  EXPECT_TRUE(r.tensor().is_same(out));
}

// --- Typed calls

TEST(HandleTest, CallsATypedKernelWithoutCountingItsTensors) {
  static constinit Handle<int64_t(const Tensor&)> use_count{"t::use_count"};
  EXPECT_EQ(use_count(Floats({1})), 1);
}

TEST(HandleTest, CallsABoxedKernel) {
  static constinit Handle<std::tuple<Tensor, int64_t>(const Tensor&, int64_t)> h{"t::boxed"};
  const Tensor x = Floats({1});
  auto [t, k] = h(x, 4);
  EXPECT_TRUE(t.is_same(x));
  EXPECT_EQ(k, 5);
  EXPECT_EQ(last, "boxed 4");
  EXPECT_EQ(call("t::boxed", x, 8)[1].scalar(), Scalar(9));
}

TEST(HandleTest, CallsABoxedKernelBehindARuleInEveryForm) {
  static constinit Handle<Tensor(const Tensor&)> f{"t::boxed_shape"};
  static constinit Handle<void(const Tensor&)> f_{"t::boxed_shape_"};
  static constinit Handle<void(const Tensor&, const Tensor&)> f_out{"t::boxed_shape.out"};
  const Tensor x = Floats({1}), out = Floats({});
  EXPECT_EQ(f(x).data<float>()[0], 2);
  f_out(x, out);
  EXPECT_EQ(out.data<float>()[0], 2);
  f_(x);
  EXPECT_EQ(x.data<float>()[0], 2);
}

TEST(HandleTest, TheWrongTypesAreAnErrorThatShowsBoth) {
  static constinit Handle<Tensor(const Tensor&)> h{"t::use_count"};
  const std::string e = ErrorOf([] { h(Floats({1})); });
  EXPECT_NE(e.find("'T>T'"), std::string::npos) << e;
  EXPECT_NE(e.find("'T>i'"), std::string::npos) << e;
}

TEST(HandleTest, AnUnknownNameIsAnErrorEveryTime) {
  static constinit Handle<Tensor(const Tensor&)> h{"t::use_cont"};
  for (int i = 0; i < 2; ++i) {
    EXPECT_NE(ErrorOf([] { h(Floats({1})); }).find("did you mean 't::use_count'?"),
              std::string::npos);
  }
}

TEST(HandleTest, AMissingKernelSaysWhatThereIs) {
  static constinit Handle<std::tuple<Tensor, int64_t>(const Tensor&, int64_t)> h{"t::boxed"};
  const DeviceType nowhere = InternDeviceType("nowhere");
  // A tensor of a device that nobody registered a kernel for: only its key matters here.
  Tensor x = Floats({1});
  x.impl()->key = MakeKey(nowhere.row, DType::kFloat32);
  const std::string e = ErrorOf([&] { h(x, 1); });
  x.impl()->key = MakeKey(kHostRow, DType::kFloat32);
  EXPECT_NE(e.find("not implemented: t::boxed(): no kernel for device nowhere and dtype float32"),
            std::string::npos)
      << e;
  EXPECT_NE(e.find("call_test.cc"), std::string::npos) << e;
  EXPECT_NE(e.find("for device cpu"), std::string::npos) << e;
}

// --- Variants

TEST(VariantsTest, OutIsResizedAndKeepsItsStorageOtherwise) {
  static constinit Handle<void(const Tensor&, const Tensor&, const Scalar&, const Tensor&)> f{
      "t::scale.out"};
  const Tensor x = Floats({1, 2, 3}), by = Floats({2, 2, 2});
  const Tensor empty = Floats({}), full = Floats({9, 9, 9});
  void* data = full.data();
  f(x, by, 1, empty);
  f(x, by, 1, full);
  EXPECT_EQ(empty.numel(), 3);
  EXPECT_EQ(empty.data<float>()[2], 6);
  EXPECT_EQ(full.data(), data);
  EXPECT_EQ(full.data<float>()[2], 6);
}

TEST(VariantsTest, OutOfTheWrongKindIsAnErrorAndUntouched) {
  static constinit Handle<void(const Tensor&, const Tensor&, const Scalar&, const Tensor&)> f{
      "t::scale.out"};
  const Tensor x = Floats({1, 2, 3});
  const Tensor ints = Tensor::Empty({2}, DType::kInt64);
  EXPECT_NE(ErrorOf([&] { f(x, x, 1, ints); }).find("cannot be stored in out, which is int64"),
            std::string::npos);
  EXPECT_EQ(ints.numel(), 2);
}

TEST(VariantsTest, InPlaceMustKeepItsSizes) {
  static constinit Handle<void(const Tensor&, const Tensor&, const Scalar&)> f{"t::scale_.Tensor"};
  const Tensor one = Floats({1}), three = Floats({1, 2, 3});
  EXPECT_NE(ErrorOf([&] { f(one, three, 1); }).find("self has sizes [1], but the result has [3]"),
            std::string::npos);
  f(three, one, 1);
}

TEST(VariantsTest, AKernelsErrorNamesTheFormThatWasCalled) {
  const Tensor x = Floats({1}), out = Floats({1});
  const auto refused = [](const std::string& op) { return "invalid value: " + op + "(): no"; };
  EXPECT_EQ(ErrorOf([&] { call("t::refuse", x); }), refused("t::refuse.Tensor"));
  EXPECT_EQ(ErrorOf([&] { call("t::refuse_", x); }), refused("t::refuse_.Tensor"));
  EXPECT_EQ(ErrorOf([&] { call("t::refuse", x, kw("out", out)); }), refused("t::refuse.out"));
  EXPECT_EQ(ErrorOf([&] { call("t::refuse_direct", x); }), refused("t::refuse_direct"));
  EXPECT_EQ(ErrorOf([&] { call("t::refuse_direct_", x); }), refused("t::refuse_direct_"));
  EXPECT_EQ(ErrorOf([&] { call("t::refuse_direct", x, kw("out", out)); }),
            refused("t::refuse_direct.out"));
  EXPECT_EQ(ErrorOf([&] { call("t::refuse_inside", x, kw("out", out)); }),
            refused("t::refuse_inside.out(): t::refuse_inside_more"));
}

TEST(VariantsTest, AnErrorHasTheOperatorAndTheReasonApart) {
  const Tensor x = Floats({1});
  const Error e = Thrown([&] { call("t::refuse_", x); });
  EXPECT_EQ(e.op(), "t::refuse_.Tensor");
  EXPECT_EQ(e.reason(), "no");
}

TEST(VariantsTest, PartialOverlapIsAnErrorAndExactOverlapIsNot) {
  static constinit Handle<void(const Tensor&, const Tensor&, const Scalar&)> f{"t::scale_.Tensor"};
  const Tensor x = Floats({1, 2, 3, 4});
  const std::array<int64_t, 1> three = {3}, one = {1};
  const Tensor head = x.AsStrided(three, one, 0), tail = x.AsStrided(three, one, 1);
  EXPECT_NE(ErrorOf([&] { f(head, tail, 1); }).find("overlap"), std::string::npos);
  EXPECT_EQ(x.data<float>()[0], 1);
  f(x, x, 1);
  EXPECT_EQ(x.data<float>()[3], 16);
}

TEST(VariantsTest, WritingToRepeatedElementsIsAnError) {
  static constinit Handle<void(const Tensor&, const Tensor&, const Scalar&)> f{"t::scale_.Tensor"};
  const Tensor x = Floats({1});
  const Tensor repeated = x.AsStrided(std::array<int64_t, 1>{3}, std::array<int64_t, 1>{0}, 0);
  EXPECT_NE(ErrorOf([&] { f(repeated, x, 1); }).find("share one place"), std::string::npos);
}

// --- Arguments that shape functions normalise

TEST(CallTest, TypedKernelsGetArgumentsAsTheRuleLeavesThem) {
  const Tensor x = Tensor::Empty({2, 3}, DType::kFloat32), out = Tensor::Empty({2, 3}, x.dtype());
  constexpr int64_t kDims[] = {-1, 0};
  call("t::slice", x, -1, IntSpan(kDims));
  EXPECT_EQ(last, "typed 1 [1, 0]");
  call("t::slice_", x, -2);
  EXPECT_EQ(last, "typed 0 none");
  call("t::slice", x, -1, kw("out", out));
  EXPECT_EQ(last, "typed 1 none");
}

TEST(CallTest, BoxedKernelsGetArgumentsAsTheyWereGiven) {
  const Tensor x = Tensor::Empty({2, 3}, DType::kFloat32);
  constexpr int64_t kDims[] = {-1, 0};
  call("t::boxed_slice", x, -1, IntSpan(kDims));
  EXPECT_EQ(last, "boxed -1 [-1, 0]");
  call("t::boxed_slice_", x, -2);
  EXPECT_EQ(last, "boxed -2 None");
}

}  // namespace
}  // namespace sy
