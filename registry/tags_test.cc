#include "switchyard/registry/tags.h"

#include <gtest/gtest.h>

#include "switchyard/op/operator.h"
#include "switchyard/registry/registry.h"

namespace sy {
namespace {

using Names = std::vector<std::string_view>;

void AddShape(PointwiseContext& r, const TensorBase& a, const TensorBase& b) { r.Pointwise(a, b); }
void SumShape(ShapeContext& r, const TensorBase& a) { r.Output(IntSpan(), a.dtype()); }
void SameShapeFunction(ShapeContext& r, const TensorBase& a) {
  r.View(a.sizes(), a.strides(), a.storage_offset());
}

const Operator add{"tags_add(Tensor self, Tensor other) -> Tensor", AddShape, kInPlace | kOut};
const Operator add_number{"tags_add.Scalar(Tensor self, Scalar other) -> Tensor",
                          WithNumber<1>("tags_add", AddShape)};
const Operator sum{"tags_sum(Tensor self) -> Tensor", SumShape,
                   kOut | Tags(OperatorTag::kReduction)};
const Operator view{"tags_view(Tensor(a) self) -> Tensor(a)", View(SameShapeFunction), kInPlace};
const Operator draw{"tags_draw(Tensor self, *, Generator? generator=None) -> Tensor",
                    KeyRule::kFirst, kOut};
const Operator find{"tags_find(Tensor self) -> Tensor",
                    Tags(OperatorTag::kDynamicOutputShape, OperatorTag::kDataDependentOutput)};
const Operator plain{"tags_plain(Tensor self) -> Tensor"};

Names Of(std::string_view op) { return NamesOf(Registry::Global().Find(op)->tags); }

TEST(TagsTest, AShapeFunctionThatTakesAPointwiseContextMakesItsOperatorPointwise) {
  EXPECT_EQ(Of("tags_add"), (Names{"pointwise"}));
  EXPECT_EQ(Of("tags_add.Scalar"), (Names{"pointwise"}));
}

TEST(TagsTest, VariantsWithoutARegistrationOfTheirOwnAreGenerated) {
  EXPECT_EQ(Of("tags_add_"), (Names{"pointwise", "generated"}));
  EXPECT_EQ(Of("tags_add.out"), (Names{"pointwise", "generated"}));
}

TEST(TagsTest, WhatIsStatedHoldsForEveryForm) {
  EXPECT_EQ(Of("tags_sum"), (Names{"reduction"}));
  EXPECT_EQ(Of("tags_sum.out"), (Names{"reduction", "generated"}));
  EXPECT_EQ(Of("tags_find"), (Names{"dynamic_output_shape", "data_dependent_output"}));
}

TEST(TagsTest, AViewInPlaceIsAnInplaceViewAndAGeneratorMakesAnOperatorRandom) {
  EXPECT_EQ(Of("tags_view"), Names{});
  EXPECT_EQ(Of("tags_view_"), (Names{"inplace_view", "generated"}));
  EXPECT_EQ(Of("tags_draw"), (Names{"nondeterministic_seeded"}));
  EXPECT_TRUE(Registry::Global().Find("tags_draw.out")->Has(OperatorTag::kNondeterministicSeeded));
}

TEST(TagsTest, AnOperatorOfWhichNothingIsSaidHasNone) {
  EXPECT_EQ(Of("tags_plain"), Names{});
  EXPECT_TRUE(Registry::Global().Find("tags_plain")->tags.empty());
}

void Two(const BoxedCall& call) { call.results[0].Set(Tensor::Empty({2}, DType::kFloat32)); }
void Three(const BoxedCall& call) { call.results[0].Set(Tensor::Empty({3}, DType::kFloat32)); }

TEST(TagsTest, AKernelOfATagServesWhatNothingElseDoes) {
  Registry& registry = Registry::Global();
  const KeyWord key = MakeKey(kHostRow, DType::kFloat32);
  const OperatorEntry& found = *registry.Find("tags_find");
  EXPECT_EQ(found.kernels->Find(key), nullptr);
  static const Kernel of_tag{SetOf(OperatorTag::kDynamicOutputShape), "cpu", Two};
  ASSERT_NE(found.kernels->Find(key), nullptr);
  EXPECT_EQ(found.kernels->Find(key)->source(), of_tag.source());
  EXPECT_EQ(registry.Find("tags_plain")->kernels->Find(key), nullptr);
  static const Kernel own{"tags_find", "cpu", kAnyDType, Three};
  EXPECT_EQ(found.kernels->Find(key)->source(), own.source());
}

}  // namespace
}  // namespace sy
