#include "switchyard/registry/registry.h"

#include <gtest/gtest.h>

#include "switchyard/core/error.h"
#include "switchyard/op/testing.h"

namespace sy {
namespace {

using testing::Direct;
using testing::KernelFor;
using testing::WithShapeFunction;

int64_t Answer(Call, const Tensor&) { return 42; }
Tensor Same(Call, const Tensor& x) { return x; }
void LikeShape(ShapeContext& r, const TensorBase& x) { r.OutputLike(x); }
void LikeKernel(Call, const Tensor&, const Tensor&) {}

bool Mentions(const std::vector<std::string>& problems, std::initializer_list<const char*> words) {
  for (const std::string& p : problems) {
    bool all = true;
    for (const char* w : words) all &= p.find(w) != std::string::npos;
    if (all) return true;
  }
  return false;
}

TEST(RegistryTest, AnEmptyRegistryFindsNothing) {
  Registry r;
  EXPECT_EQ(r.Find("add"), nullptr);
  EXPECT_EQ(r.FindPacket("add"), nullptr);
  EXPECT_TRUE(r.Entries().empty());
  EXPECT_TRUE(r.Problems().empty());
}

TEST(RegistryTest, ARuleGivesThreeForms) {
  Registry r;
  OperatorDef f = WithShapeFunction("f.over(Tensor x) -> Tensor", LikeShape, kInPlace | kOut, 1);
  r.Add(f);
  ASSERT_EQ(r.Entries().size(), 3u);
  EXPECT_EQ(r.Find("f.over")->schema().str(), "f.over(Tensor x) -> Tensor");
  EXPECT_EQ(r.Find("f_.over")->schema().str(), "f_.over(Tensor(a!) x) -> Tensor(a!)");
  EXPECT_EQ(r.Find("f.over_out")->schema().str(),
            "f.over_out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)");
  EXPECT_EQ(r.Find("f.over")->kernels, r.Find("f_.over")->kernels);
  EXPECT_EQ(r.Find("f.over")->kernels, r.Find("f.over_out")->kernels);
}

TEST(RegistryTest, AnOperatorRegisteredTwiceIsAProblemWithBothSources) {
  Registry r;
  OperatorDef a = Direct("f(Tensor x) -> int", 11), b = Direct("f(Tensor x) -> int", 22);
  r.Add(b);
  r.Add(a);
  EXPECT_TRUE(Mentions(r.Problems(), {"'f'", "twice", "test:11", "test:22"}));
  EXPECT_EQ(r.Find("f")->def(), &a);  // the source that sorts first
}

TEST(RegistryTest, AKernelRegisteredTwiceIsAProblemWithBothSources) {
  Registry r;
  OperatorDef f = Direct("f(Tensor x) -> int", 1);
  KernelDef a = KernelFor("f", "cpu", kFloatingTypes, Answer, 11);
  KernelDef b = KernelFor("f", "cpu", Mask(DType::kFloat32), Answer, 22);
  r.Add(f);
  r.Add(a);
  r.Add(b);
  EXPECT_TRUE(Mentions(r.Problems(), {"'f'", "cpu", "twice", "float32", "test:11", "test:22"}));
}

TEST(RegistryTest, PriorityDecidesBetweenKernelsWithoutAProblem) {
  Registry r;
  OperatorDef f = Direct("f(Tensor x) -> int", 1);
  KernelDef low = KernelFor("f", "cpu", Mask(DType::kFloat32), Answer, 11);
  KernelDef high = KernelFor("f", "cpu", Mask(DType::kFloat32), Answer, 22, /*priority=*/1);
  r.Add(f);
  r.Add(low);
  r.Add(high);
  EXPECT_TRUE(r.Problems().empty());
  EXPECT_EQ(r.Find("f")->kernels->Find(MakeKey(kHostRow, DType::kFloat32)), &high);
}

TEST(RegistryTest, AKernelWithoutAnOperatorIsAProblem) {
  Registry r;
  KernelDef k = KernelFor("g", "cpu", kAnyDType, Answer, 33);
  r.Add(k);
  EXPECT_TRUE(Mentions(r.Problems(), {"'g'", "test:33", "no operator"}));
}

constexpr FormulaDef kFirst = {"formula test::First", {}, "test", 5};

OperatorDef ComputedByFirst(std::string_view schema) {
  OperatorDef f = WithShapeFunction(schema, LikeShape, kInPlace | kOut, 1);
  f.formula = &kFirst;
  return f;
}

TEST(RegistryTest, AKernelForAFormulaServesTheOperatorsThatNameIt) {
  Registry r;
  OperatorDef f = ComputedByFirst("f(Tensor x) -> Tensor");
  OperatorDef g = WithShapeFunction("g(Tensor x) -> Tensor", LikeShape, {}, 2);
  KernelDef k = KernelFor(kFirst.name, "cpu", Mask(DType::kFloat32), LikeKernel, 33);
  r.Add(k);
  r.Add(f);
  r.Add(g);
  EXPECT_TRUE(r.Problems().empty());
  const KeyWord key = MakeKey(kHostRow, DType::kFloat32);
  for (const char* name : {"f", "f_", "f.out"}) {
    const KernelDef* found = r.Find(name)->kernels->Find(key);
    ASSERT_NE(found, nullptr) << name;
    EXPECT_EQ(found->fn, k.fn) << name;
    EXPECT_EQ(found->op, "f") << "messages name the operator";
  }
  EXPECT_EQ(r.Find("g")->kernels->Find(key), nullptr);
  r.Remove(k);
  EXPECT_EQ(r.Find("f")->kernels->Find(key), nullptr);
}

TEST(RegistryTest, AnOperatorsOwnKernelGoesBeforeItsFormulas) {
  Registry r;
  OperatorDef f = ComputedByFirst("f(Tensor x) -> Tensor");
  KernelDef formulas = KernelFor(kFirst.name, "cpu", Mask(DType::kFloat32), LikeKernel, 11);
  KernelDef own = KernelFor("f", "cpu", Mask(DType::kFloat32), LikeKernel, 22);
  r.Add(f);
  r.Add(formulas);
  const KeyWord key = MakeKey(kHostRow, DType::kFloat32);
  EXPECT_EQ(r.Find("f")->kernels->Find(key)->line, 11);
  r.Add(own);
  EXPECT_EQ(r.Find("f")->kernels->Find(key), &own);
  EXPECT_TRUE(r.Problems().empty());
}

TEST(RegistryTest, AFormulaOfOtherArgumentsThanTheOperatorsIsAProblem) {
  Registry r;
  OperatorDef f = ComputedByFirst("f(Tensor x) -> Tensor");
  KernelDef k = KernelFor(
      kFirst.name, "cpu", kAnyDType, +[](Call, const Tensor&, const Tensor&, const Scalar&) {}, 33);
  r.Add(f);
  r.Add(k);
  EXPECT_TRUE(Mentions(r.Problems(), {"'formula test::First'", "test:33", "'f'", "test:1"}));
}

TEST(RegistryTest, AKernelForADerivedFormIsAProblem) {
  Registry r;
  OperatorDef f = WithShapeFunction("f(Tensor x) -> Tensor", LikeShape, kInPlace, 1);
  KernelDef k = KernelFor("f_", "cpu", kAnyDType, LikeKernel, 33);
  r.Add(f);
  r.Add(k);
  EXPECT_TRUE(Mentions(r.Problems(), {"'f_'", "base variant", "'f'"}));
}

TEST(RegistryTest, AKernelOfTheWrongTypesIsAProblemWithBothSourcesAndAnErrorWhenCalled) {
  Registry r;
  OperatorDef f = Direct("f(Tensor x, int k) -> int", 7);
  KernelDef k = KernelFor("f", "cpu", kAnyDType, Answer, 33);  // lacks k
  r.Add(f);
  r.Add(k);
  EXPECT_TRUE(Mentions(r.Problems(), {"'f'", "test:33", "test:7", "'T>i'", "'Ti>i'"}));
  try {
    r.Find("f")->kernels->Find(MakeKey(kHostRow, DType::kFloat32));
    FAIL() << "accepted";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::kRegistration);
    EXPECT_NE(e.message().find("test:33"), std::string::npos);
    EXPECT_NE(e.message().find("test:7"), std::string::npos);
  }
}

TEST(RegistryTest, ABadSchemaIsAProblemAndAnErrorWhenAskedFor) {
  Registry r;
  OperatorDef f = Direct("f(Tensr x) -> int", 7);
  r.Add(f);  // does not throw
  EXPECT_TRUE(Mentions(r.Problems(), {"test:7", "column 3"}));
  EXPECT_THROW(r.Find("f"), Error);
}

TEST(RegistryTest, ARuleOfTheWrongTypesIsAProblem) {
  Registry r;
  OperatorDef f = WithShapeFunction("f(Tensor x, int k) -> Tensor", LikeShape, {}, 7);
  r.Add(f);
  EXPECT_TRUE(Mentions(r.Problems(), {"test:7", "shape function", "'T>'", "'Ti>'"}));
}

TEST(RegistryTest, ARuleWithTheWrongNumberOfOutputsIsAProblem) {
  Registry r;
  OperatorDef f = WithShapeFunction("f(Tensor x) -> (Tensor, Tensor)", LikeShape, {}, 7);
  r.Add(f);
  EXPECT_TRUE(Mentions(r.Problems(), {"test:7", "states 1 outputs", "returns 2"}));
}

// A fallback that takes long, during which somebody registers a kernel.
struct SlowFallback {
  static inline Registry* registry;
  static inline KernelDef late, other;
  static const KernelDef* Find(const OperatorEntry&, KeyWord) {
    registry->Add(late);
    return &other;
  }
};

TEST(RegistryTest, AKernelRegisteredWhileAFallbackIsLookedForServesTheNextCall) {
  Registry r;
  OperatorDef f = Direct("f(Tensor x) -> int", 1);
  SlowFallback::registry = &r;
  SlowFallback::late = KernelFor("f", "cpu", kAnyDType, Answer, 2);
  SlowFallback::other = KernelFor("f", "cpu", kAnyDType, Answer, 3);
  r.Add(f);
  r.SetFallback(SlowFallback::Find);
  const KeyWord key = MakeKey(kHostRow, DType::kFloat32);
  EXPECT_EQ(r.Find("f")->kernels->Find(key), &SlowFallback::other);
  EXPECT_EQ(r.Find("f")->kernels->Find(key), &SlowFallback::late);
}

TEST(RegistryTest, ABoxedFallbackHasTheFunctionOfTypedCallsThatCameMeanwhile) {
  static Registry* registry;
  static KernelDef boxed;
  Registry r;
  registry = &r;
  boxed.boxed = [](const BoxedCall&) {};
  boxed.op = "f";
  OperatorDef f = Direct("f(Tensor x) -> int", 1);
  r.Add(f);
  r.SetFallback(+[](const OperatorEntry& op, KeyWord) -> const KernelDef* {
    registry->SetBoxingKernel(op, reinterpret_cast<Fn>(Answer));
    return &boxed;
  });
  const KernelDef* k = r.Find("f")->kernels->Find(MakeKey(kHostRow, DType::kFloat32));
  ASSERT_NE(k, nullptr);
  EXPECT_EQ(k->fn, reinterpret_cast<Fn>(Answer));
}

TEST(RegistryTest, MoreResultsThanCallsHaveRoomForAreAProblem) {
  Registry r;
  OperatorDef f = Direct("f(Tensor x) -> (int, int, int, int, int, int, int, int, int)", 7);
  r.Add(f);
  EXPECT_TRUE(Mentions(r.Problems(), {"test:7", "'f'", "9 results", "at most"}));
  EXPECT_THROW(r.Find("f"), Error);
}

TEST(RegistryTest, AHeldEntryFailsAfterDeregistrationAndWorksAfterTheNextRegistration) {
  Registry r;
  OperatorDef f = Direct("f(Tensor x) -> int", 7);
  KernelDef k = KernelFor("f", "cpu", kAnyDType, Answer, 8);
  r.Add(f);
  r.Add(k);
  OperatorEntry* op = r.Find("f");
  const KeyWord key = MakeKey(kHostRow, DType::kFloat32);
  EXPECT_EQ(op->kernels->Find(key), &k);
  r.Remove(f);
  EXPECT_EQ(r.Find("f"), nullptr);
  EXPECT_THROW(op->kernels->Find(key), Error);
  r.Add(f);
  EXPECT_EQ(r.Find("f"), op);
  EXPECT_EQ(op->kernels->Find(key), &k);
}

TEST(RegistryTest, AHeldFormFailsAfterDeregistration) {
  Registry r;
  OperatorDef f = WithShapeFunction("f(Tensor x) -> Tensor", LikeShape, {}, 7);
  r.Add(f);
  OperatorEntry* op = r.Find("f");
  r.Remove(f);
  const Tensor x = Tensor::Empty({1}, DType::kFloat32);
  const Value v(x);
  Result result;
  EXPECT_THROW(op->thunk.load()(*op, &v, &result), Error);
}

// --- Arguments that a shape function takes by reference

int64_t seen;
void DimShape(ShapeContext& r, const TensorBase& x, int64_t& dim) {
  dim = r.WrapDim(dim, x);
  r.OutputLike(x);
}
void SeeDim(Call, const Tensor&, const Tensor&, int64_t dim) { seen = dim; }
void SeeBoxedDim(const BoxedCall& call) { seen = call.args[1].i; }

TEST(RegistryTest, TypedKernelsGetWhatTheRuleLeavesAndBoxedOnesWhatWasGiven) {
  const Tensor x = Tensor::Empty({2, 3}, DType::kFloat32);
  for (const bool boxed : {false, true}) {
    Registry r;
    OperatorDef f = WithShapeFunction("f(Tensor x, int dim) -> Tensor", DimShape, {}, 1);
    KernelDef k = KernelFor("f", "cpu", kAnyDType, SeeDim, 2);
    if (boxed) {
      k.fn = nullptr;
      k.thunk = nullptr;
      k.code = nullptr;
      k.boxed = SeeBoxedDim;
    }
    r.Add(f);
    r.Add(k);
    OperatorEntry* op = r.Find("f");
    const Value args[] = {Value(x), Value(int64_t{-1})};
    Result result;
    op->thunk.load()(*op, args, &result);
    EXPECT_EQ(seen, boxed ? -1 : 1);
    WithNormalised(*op, args, [](std::span<const Value> left) { EXPECT_EQ(left[1].i, 1); });
  }
}

TEST(RegistryTest, AnInPlaceFormWithoutARuleFindsItsOperatorWhenCalledFirst) {
  Registry r;
  OperatorDef f = Direct("f(Tensor x) -> Tensor", 7);
  f.variants = kInPlace;
  KernelDef k = KernelFor("f", nullptr, kAnyDType, Same, 8);
  r.Add(f);
  r.Add(k);
  const KeyWord key = MakeKey(kHostRow, DType::kFloat32);
  const KernelDef* derived = r.Find("f_")->kernels->Find(key);
  ASSERT_NE(derived, nullptr);
  EXPECT_EQ(static_cast<const OperatorEntry*>(derived->data)->kernels->Find(key), &k);
}

TEST(RegistryTest, NumberFormsUseTheKernelsTheyName) {
  Registry r;
  OperatorDef f = WithShapeFunction("f.Tensor(Tensor x) -> Tensor", LikeShape, {}, 1);
  OperatorDef g{.schema = SchemaText::Of("f.Scalar(Scalar x) -> Tensor"),
                .shape_function = f.shape_function,
                .traits = &NumberVariantsOf<std::index_sequence<0>, const TensorBase&>::Traits,
                .file = "test",
                .line = 2,
                .kernels_of = "f.Tensor"};
  r.Add(g);
  EXPECT_TRUE(Mentions(r.Problems(), {"test:2", "f.Tensor", "not registered"}));
  r.Add(f);
  EXPECT_TRUE(r.Problems().empty());
  EXPECT_EQ(r.Find("f.Scalar")->kernels, r.Find("f.Tensor")->kernels);
}

TEST(RegistryTest, ManyNamesAreFound) {
  Registry r;
  std::deque<std::string> texts;
  std::deque<OperatorDef> defs;
  for (int i = 0; i < 5000; ++i) {
    texts.push_back("op_" + std::to_string(i) + "(Tensor x) -> int");
    r.Add(defs.emplace_back(Direct(texts.back(), i)));
  }
  for (int i = 0; i < 5000; ++i) {
    const std::string name = "op_" + std::to_string(i);
    OverloadPacket* f = r.FindPacket(name);
    ASSERT_NE(f, nullptr);
    EXPECT_EQ(f->name(), name);
  }
  EXPECT_EQ(r.FindPacket("op_5000"), nullptr);
}

TEST(RegistryTest, HashesOfTheCompilerAndOfTheProgramAgree) {
  constexpr OpName kName = "index_copy_.some_overload";
  const std::string same = "index_copy_.some_overload";
  EXPECT_EQ(kName.hash, HashName(same));
  EXPECT_TRUE(SameText("abcdefghijk", "abcdefghijk", 11));
  EXPECT_FALSE(SameText("abcdefghijk", "abcdefghijK", 11));
  EXPECT_FALSE(SameText("abc", "abd", 3));
}

}  // namespace
}  // namespace sy
