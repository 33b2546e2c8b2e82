#include "switchyard/registry/registry.h"

#include <gtest/gtest.h>

#include "switchyard/core/error.h"
#include "switchyard/registry/testing.h"

namespace sy {
namespace {

using testing::Direct;
using testing::KernelFor;
using testing::WithRule;

int64_t Answer(Call, const Tensor&) { return 42; }
Tensor Same(Call, const Tensor& x) { return x; }
void LikeRule(Rule& r, const Meta& x) { r.OutputLike(x); }
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
  EXPECT_EQ(r.FindFamily("add"), nullptr);
  EXPECT_TRUE(r.Entries().empty());
  EXPECT_TRUE(r.Problems().empty());
}

TEST(RegistryTest, ARuleGivesThreeForms) {
  Registry r;
  OperatorDef f = WithRule("f.over(Tensor x) -> Tensor", LikeRule, kInPlace | kOut, 1);
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

TEST(RegistryTest, AKernelForADerivedFormIsAProblem) {
  Registry r;
  OperatorDef f = WithRule("f(Tensor x) -> Tensor", LikeRule, kInPlace, 1);
  KernelDef k = KernelFor("f_", "cpu", kAnyDType, LikeKernel, 33);
  r.Add(f);
  r.Add(k);
  EXPECT_TRUE(Mentions(r.Problems(), {"'f_'", "base form", "'f'"}));
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
  OperatorDef f = WithRule("f(Tensor x, int k) -> Tensor", LikeRule, {}, 7);
  r.Add(f);
  EXPECT_TRUE(Mentions(r.Problems(), {"test:7", "shape rule", "'T>'", "'Ti>'"}));
}

TEST(RegistryTest, ARuleWithTheWrongNumberOfOutputsIsAProblem) {
  Registry r;
  OperatorDef f = WithRule("f(Tensor x) -> (Tensor, Tensor)", LikeRule, {}, 7);
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
  OperatorDef f = WithRule("f(Tensor x) -> Tensor", LikeRule, {}, 7);
  r.Add(f);
  OperatorEntry* op = r.Find("f");
  r.Remove(f);
  const Tensor x = Tensor::Empty({1}, DType::kFloat32);
  const Value v(x);
  Result result;
  EXPECT_THROW(op->thunk.load()(*op, &v, &result), Error);
}

TEST(RegistryTest, AnInPlaceFormWithoutARuleFindsItsOperatorWhenCalledFirst) {
  Registry r;
  OperatorDef f = Direct("f(Tensor x) -> Tensor", 7);
  f.forms = kInPlace;
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
  OperatorDef f = WithRule("f.Tensor(Tensor x) -> Tensor", LikeRule, {}, 1);
  OperatorDef g{.schema = SchemaText::Of("f.Scalar(Scalar x) -> Tensor"),
                .rule = f.rule,
                .traits = &NumberFormsOf<std::index_sequence<0>, const Meta&>::Traits,
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
    Family* f = r.FindFamily(name);
    ASSERT_NE(f, nullptr);
    EXPECT_EQ(f->name(), name);
  }
  EXPECT_EQ(r.FindFamily("op_5000"), nullptr);
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
