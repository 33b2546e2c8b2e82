#include "testing/replay/special.h"

#include <gtest/gtest.h>

#include "switchyard/core/literal.h"
#include "switchyard/op/operator.h"
#include "switchyard/registry/registry.h"

namespace sy::replay {
namespace {

const Operator topk_op{
    "test::topk(Tensor self, SymInt k, int dim=-1, bool largest=True, bool sorted=True) -> (Tensor "
    "values, Tensor indices)",
    Tags(OperatorTag::kOpenTies)};
const Operator svd_op{
    "linalg_svd.test(Tensor A, bool full_matrices=True) -> (Tensor U, Tensor S, Tensor Vh)"};
const Operator eigh_op{
    "linalg_eigh.test(Tensor self, str UPLO=\"L\") -> (Tensor eigenvalues, Tensor eigenvectors)"};
const Operator randint_op{"randint.test(SymInt low, SymInt high, SymInt[] size) -> Tensor",
                          Tags(OperatorTag::kNondeterministicSeeded)};
const Operator dropout_op{"dropout.test(Tensor input, float p, bool? train) -> Tensor",
                          Tags(OperatorTag::kNondeterministicSeeded)};

const Operator empty_op{"test::empty(SymInt[] size) -> Tensor",
                        Tags(OperatorTag::kUninitializedOutput)};
const Operator batch_norm_op{"batch_norm.test(Tensor input, Tensor? running_mean) -> Tensor",
                             Tags(OperatorTag::kMaybeAliasingOrMutating)};

const OperatorEntry& Entry(std::string_view name) { return *Registry::Global().Find(name); }

RecordedTensor Recorded(const Tensor& t) {
  return {t.dtype(),
          {t.sizes().begin(), t.sizes().end()},
          {t.strides().begin(), t.strides().end()},
          {static_cast<const char*>(t.data()), t.nbytes()}};
}

// The two largest of each row of [[5, 1, 5], [2, 9, 2]], whose first row has a tie.
std::string Topk(const Tensor& values, const Tensor& indices, bool sorted = true) {
  const Tensor input = tensor({{5, 1, 5}, {2, 9, 2}}), expected = tensor({{5, 5}, {9, 2}});
  const Value args[] = {input, 2, -1, true, sorted};
  const Tensor results[] = {values, indices};
  const RecordedTensor recorded[] = {Recorded(expected), Recorded(indices)};
  return CheckTies({Entry("test::topk"), args, results, recorded});
}

TEST(LeastTolerance, SomeAreWiderAwayFromTheHostAlone) {
  const Device host{kHost}, other{InternDeviceType("another")};
  EXPECT_EQ(LeastTolerance("pow_.Tensor", DType::kComplex64, host).rtol, 0);
  EXPECT_EQ(LeastTolerance("pow_.Tensor", DType::kComplex64, other).rtol, 4e-6);
  EXPECT_EQ(LeastTolerance("pow_.Tensor", DType::kFloat32, other).rtol, 0);
  EXPECT_EQ(LeastTolerance("linalg_cond", DType::kFloat32, host).rtol, 4e-6);
}
TEST(LeastTolerance, GradientsHaveTheirOwn) {
  EXPECT_EQ(LeastGradientTolerance("digamma_", DType::kFloat32).rtol, 3e-5);
  EXPECT_EQ(LeastGradientTolerance("digamma_", DType::kFloat64).rtol, 0);
  EXPECT_EQ(LeastTolerance("digamma_", DType::kFloat32, Device{kHost}).rtol, 0);
}
TEST(Ties, AnyIndexThatPointsAtTheValueIsRight) {
  EXPECT_EQ(Topk(tensor({{5, 5}, {9, 2}}), tensor({{0, 2}, {1, 0}})), "");
  EXPECT_EQ(Topk(tensor({{5, 5}, {9, 2}}), tensor({{2, 0}, {1, 2}})), "");
}

TEST(Ties, AnIndexThatPointsElsewhereIsWrong) {
  EXPECT_EQ(Topk(tensor({{5, 5}, {9, 2}}), tensor({{0, 1}, {1, 0}})),
            "index 1 at [0, 1] does not point at the value there");
}

TEST(Ties, AnIndexOutOfRangeIsWrong) {
  EXPECT_EQ(Topk(tensor({{5, 5}, {9, 2}}), tensor({{0, 3}, {1, 0}})),
            "index 3 at [0, 1] is not in 0 to 2");
}

TEST(Ties, OnePositionMayNotBeSelectedTwice) {
  EXPECT_EQ(Topk(tensor({{5, 5}, {9, 2}}), tensor({{0, 0}, {1, 0}})),
            "index 0 is selected twice at [0, 0]");
}

TEST(Ties, UnsortedValuesMayComeInAnyOrder) {
  const Tensor values = tensor({{5, 5}, {2, 9}}), indices = tensor({{0, 2}, {2, 1}});
  EXPECT_EQ(Topk(values, indices, /*sorted=*/false), "");
  EXPECT_NE(Topk(values, indices, /*sorted=*/true), "");
}

// A = [[3, 0], [0, 2]] has U = V = 1 up to signs.
std::string Svd(const Tensor& u, const Tensor& s, const Tensor& vh) {
  const Tensor a = tensor({{3.0, 0.0}, {0.0, 2.0}}), expected = tensor({3.0, 2.0});
  const Value args[] = {a, true};
  const Tensor results[] = {u, s, vh};
  const RecordedTensor recorded[] = {Recorded(u), Recorded(expected), Recorded(vh)};
  return CheckFactorization({Entry("linalg_svd.test"), args, results, recorded});
}

TEST(Factorization, SignsOfSingularVectorsAreOpen) {
  const Tensor s = tensor({3.0, 2.0});
  const Tensor plus = tensor({{1.0, 0.0}, {0.0, 1.0}}), minus = tensor({{-1.0, 0.0}, {0.0, 1.0}});
  EXPECT_EQ(Svd(plus, s, plus), "");
  EXPECT_EQ(Svd(minus, s, minus), "");
}

TEST(Factorization, TheFactorsMustMakeTheMatrix) {
  const Tensor s = tensor({3.0, 2.0});
  const Tensor plus = tensor({{1.0, 0.0}, {0.0, 1.0}}), minus = tensor({{-1.0, 0.0}, {0.0, 1.0}});
  EXPECT_EQ(Svd(plus, s, minus).substr(0, 32), "U diag(S) Vh is not the matrix: ");
}

TEST(Factorization, SingularVectorsMustBeOrthogonal) {
  const Tensor skew = tensor({{1.0, 0.1}, {0.0, 1.0}});
  EXPECT_EQ(Svd(skew, tensor({3.0, 2.0}), tensor({{1.0, 0.0}, {0.0, 1.0}})).substr(0, 20),
            "U is not orthogonal:");
}

TEST(Factorization, SingularValuesAreUnique) {
  const Tensor one = tensor({{1.0, 0.0}, {0.0, 1.0}});
  EXPECT_EQ(Svd(one, tensor({2.0, 3.0}), one).substr(0, 3), "S: ");
}

// The lower triangle stands for [[2, 1], [1, 2]], with the values 1 and 3.
std::string Eigh(const Tensor& values, const Tensor& vectors) {
  const Tensor a = tensor({{2.0, 9.0}, {1.0, 2.0}}), expected = tensor({1.0, 3.0});
  const Value args[] = {a, std::string_view("L")};
  const Tensor results[] = {values, vectors};
  const RecordedTensor recorded[] = {Recorded(expected), Recorded(vectors)};
  return CheckFactorization({Entry("linalg_eigh.test"), args, results, recorded});
}
const double kHalf = 0.70710678118654752;  // the root of 1/2

TEST(Factorization, SignsOfEigenvectorsAreOpen) {
  const Tensor values = tensor({1.0, 3.0});
  EXPECT_EQ(Eigh(values, tensor({{kHalf, kHalf}, {-kHalf, kHalf}})), "");
  EXPECT_EQ(Eigh(values, tensor({{-kHalf, -kHalf}, {kHalf, -kHalf}})), "");
}

TEST(Factorization, EigenvectorsMustBelongToTheirValues) {
  const Tensor values = tensor({1.0, 3.0});
  EXPECT_EQ(Eigh(values, tensor({{kHalf, kHalf}, {kHalf, -kHalf}})).substr(0, 24),
            "A V is not V diag(values");
  EXPECT_EQ(Eigh(values, tensor({{0.5, 0.5}, {-0.5, 0.5}})).substr(0, 46),
            "the matrix of eigenvectors is not orthogonal: ");
  EXPECT_EQ(Eigh(tensor({3.0, 1.0}), tensor({{kHalf, kHalf}, {kHalf, -kHalf}})).substr(0, 13),
            "eigenvalues: ");
}

std::string Randint(const Tensor& got) {
  const std::vector<int64_t> size = {3};
  const Value args[] = {2, 5, Value(size)};
  return CheckRandomRange({Entry("randint.test"), args, std::span(&got, 1), {}});
}

TEST(RandomRange, NumbersMustBeWhatTheDistributionGives) {
  EXPECT_EQ(Randint(tensor({2, 4, 3})), "");
  EXPECT_NE(Randint(tensor({2, 5, 3})), "");
  EXPECT_NE(Randint(tensor({1, 2, 3})), "");
  EXPECT_NE(Randint(tensor({2.5, 3.0, 3.0})), "");
}

TEST(Comparison, VariantsOfAnOperatorAreComparedAlike) {
  EXPECT_EQ(ComparisonOf(Entry("linalg_svd.test")), Comparison::kFactorization);
  EXPECT_EQ(ComparisonOf(Entry("randint.test")), Comparison::kRandom);
  EXPECT_EQ(ComparisonOf(Entry("test::topk")), Comparison::kTies);
  EXPECT_EQ(ComparisonOf(Entry("test::empty")), Comparison::kMetadata);
}

TEST(Comparison, RunningStatisticsMayBeWrittenUndeclared) {
  EXPECT_FALSE(WritesUndeclared(Entry("batch_norm.test"), 0));
  EXPECT_TRUE(WritesUndeclared(Entry("batch_norm.test"), 1));
  EXPECT_FALSE(WritesUndeclared(Entry("dropout.test"), 0));
}

TEST(Comparison, WithoutTrainingNothingIsDrawn) {
  const OperatorEntry& op = Entry("dropout.test");
  const Value training[] = {tensor({1., 2.}), 0.5, true},
              using_it[] = {tensor({1., 2.}), 0.5, false},
              open[] = {tensor({1., 2.}), 0.5, Value()};
  EXPECT_EQ(ComparisonOf(op, training), Comparison::kRandom);
  EXPECT_EQ(ComparisonOf(op, open), Comparison::kRandom);
  EXPECT_EQ(ComparisonOf(op, using_it), Comparison::kValues);
}

}  // namespace
}  // namespace sy::replay
