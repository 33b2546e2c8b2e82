// Expected numbers: PyTorch 2.11 on the CPU, after torch.manual_seed(0) unless another seed is
// named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "switchyard/core/generator.h"
#include "switchyard/core/literal.h"
#include "switchyard/core/philox_generator.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

using testing::ElementsAre;

// The elements in row-major order.
template <class T>
std::vector<T> Read(const Tensor& t) {
  std::vector<T> v;
  const int64_t columns = t.dim() > 1 ? t.size(1) : 1;
  for (int64_t i = 0; i < t.size(0); ++i) {
    for (int64_t j = 0; j < columns; ++j)
      v.push_back(t.data<T>()[i * t.stride(0) + (t.dim() > 1 ? j * t.stride(1) : 0)]);
  }
  return v;
}

Tensor Doubles(int64_t n) { return Tensor::Empty({n}, DType::kFloat64); }

TEST(RandomTest, RandGivesTheTutorialsNumbers) {
  manual_seed(1729);
  EXPECT_THAT(Read<float>(rand({2, 3})),
              ElementsAre(0.31259995698928833f, 0.3790954351425171f, 0.3086692690849304f,
                          0.07358008623123169f, 0.4216015934944153f, 0.0690535306930542f));
}

TEST(RandomTest, ATransposedTensorIsFilledInTheOrderOfItsMemory) {
  manual_seed(0);
  const Tensor t =
      Tensor::EmptyStrided(std::vector<int64_t>{2, 3}, std::vector<int64_t>{1, 2}, DType::kFloat32);
  uniform_(t);
  EXPECT_THAT(Read<float>(t),
              ElementsAre(0.49625658988952637f, 0.08847743272781372f, 0.30742281675338745f,
                          0.7682217955589294f, 0.13203048706054688f, 0.6340786814689636f));
}

TEST(RandomTest, TheSecondNormalOfAPairWaitsForTheNextCall) {
  manual_seed(0);
  EXPECT_THAT(Read<double>(normal_(Doubles(3))),
              ElementsAre(1.5409961082440433, -0.2934289057609464, -2.1787893820745574));
  EXPECT_THAT(Read<double>(normal_(Doubles(1))), ElementsAre(0.5684312772806678));
}

TEST(RandomTest, SixteenNormalsAndMoreAreMadeInBlocksAndTheLastBlockIsDrawnAgain) {
  manual_seed(0);
  const std::vector<float> x = Read<float>(randn({17}));
  EXPECT_EQ(x[0], -1.1258398294448853f);
  EXPECT_EQ(x[1], -1.6959311962127686f);
  EXPECT_EQ(x[15], -0.843676745891571f);
  EXPECT_EQ(x[16], 0.9318265914916992f);
}

TEST(RandomTest, NormalsOf16BitsRoundAfterEachStep) {
  manual_seed(0);
  const std::vector<BFloat16> x = Read<BFloat16>(randn({16}, DType::kBFloat16));
  EXPECT_EQ(x[0], 1.4609375f);
  EXPECT_EQ(x[1], 0.291015625f);
  EXPECT_EQ(x[2], 0.9609375f);
  EXPECT_EQ(x[3], 1.5703125f);
}

TEST(RandomTest, ComplexNormalsHaveHalfTheVarianceInEachPart) {
  manual_seed(0);
  const std::vector<std::complex<float>> x =
      Read<std::complex<float>>(normal_(Tensor::Empty({2}, DType::kComplex64)));
  EXPECT_FLOAT_EQ(x[0].real(), 1.089648843f);
  EXPECT_FLOAT_EQ(x[0].imag(), -0.207485572f);
  EXPECT_FLOAT_EQ(x[1].real(), -1.540636778f);
}

TEST(RandomTest, ExponentialBernoulliCauchyLogNormalAndGeometric) {
  manual_seed(0);
  EXPECT_THAT(Read<float>(bernoulli_(Tensor::Empty({4}, DType::kFloat32), 0.3)),
              ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(Read<float>(exponential_(Tensor::Empty({2}, DType::kFloat32), 2)),
              ElementsAre(0.5178527235984802f, 0.7830644249916077f));
  manual_seed(0);
  EXPECT_THAT(Read<double>(cauchy_(Doubles(2), 1, 2)),
              ElementsAre(22.195458653364593, 2.5295345192117997));
  EXPECT_THAT(Read<double>(log_normal_(Doubles(3), 0, 1)),
              ElementsAre(0.11317846361379469, 1.765495305355241, 0.33806322579610903));
  EXPECT_THAT(Read<double>(geometric_(Doubles(3), 0.2)), ElementsAre(8, 5, 3));
}

TEST(RandomTest, IntegersOfWideRangesTake64Bits) {
  manual_seed(0);
  const Tensor three = Tensor::Empty({3}, DType::kInt64), two = Tensor::Empty({2}, DType::kInt64);
  EXPECT_THAT(Read<int64_t>(random_(three)),
              ElementsAre(900450186894289455, 3969543146641149120, 1895649597198586619));
  EXPECT_THAT(Read<int64_t>(random_(two, -(int64_t{1} << 62), std::nullopt)),
              ElementsAre(5439634508463045991, 3203365596207111891));
}

TEST(RandomTest, RandpermAndRandint) {
  manual_seed(0);
  EXPECT_THAT(Read<int64_t>(randperm(6)), ElementsAre(2, 5, 3, 0, 1, 4));
  EXPECT_THAT(Read<int64_t>(randint(0, 10, {5})), ElementsAre(9, 7, 3, 7, 3));
}

TEST(RandomTest, MultinomialWithAndWithoutReplacement) {
  manual_seed(0);
  const Tensor p = Tensor::Empty({4}, DType::kFloat32);
  for (int i = 0; i < 4; ++i) p.data<float>()[i] = 0.1f * static_cast<float>(i + 1);
  EXPECT_THAT(Read<int64_t>(multinomial(p, 2)), ElementsAre(2, 1));
  EXPECT_THAT(Read<int64_t>(multinomial(p, 6, true)), ElementsAre(3, 3, 1, 2, 2, 1));
}

TEST(RandomTest, CountsTakeAsManyNumbersAsTheyNeed) {
  manual_seed(0);
  const Tensor rates = tensor({0., .5, 3., 9.5, 12., 60., 1000.}, DType::kFloat32);
  EXPECT_THAT(Read<float>(poisson(rates)), ElementsAre(0, 2, 4, 9, 14, 53, 954));
  manual_seed(0);
  const Tensor trials = tensor({10., 10., 100., 1000., 1000., 5., -1.}, DType::kFloat32);
  const Tensor p = tensor({.1, .9, .4, .7, .001, 1.5, .5}, DType::kFloat32);
  EXPECT_THAT(Read<float>(binomial(trials, p)), ElementsAre(2, 7, 38, 709, 0, 5, 0));
}

TEST(RandomTest, CountsRefuseWhatIsNoRateOrNoFloat) {
  EXPECT_THROW(poisson(tensor({-1.})), Error);
  EXPECT_THROW(poisson(tensor({1})), Error);
  EXPECT_THROW(binomial(tensor({1.}), tensor({1})), Error);
}

TEST(RandomTest, AWrongProbabilityLeavesTensorAndStreamAlone) {
  manual_seed(0);
  const Tensor p = Tensor::Empty({2}, DType::kFloat32), x = Tensor::Empty({2}, DType::kFloat32);
  p.data<float>()[0] = 0.5f;
  p.data<float>()[1] = 1.5f;
  x.data<float>()[0] = 7;
  EXPECT_THROW(bernoulli_(x, p), Error);
  EXPECT_EQ(x.data<float>()[0], 7);
  EXPECT_EQ(DefaultGenerator().random(), 2357136044u);
}

TEST(RandomTest, AnOwnGeneratorServesInsteadOfTheDefaultOne) {
  const std::unique_ptr<Generator> g = NewGenerator();
  g->manual_seed(1729);
  EXPECT_EQ(Read<float>(rand({1}, g.get()))[0], 0.31259995698928833f);
}

TEST(RandomTest, OutOfALikeVariantIsGivenWhatATensorLikeSelfHolds) {
  const Tensor self =
      Tensor::EmptyStrided(std::vector<int64_t>{2, 3}, std::vector<int64_t>{1, 2}, DType::kFloat32);
  const std::unique_ptr<Generator> g = NewGenerator();
  for (const int64_t columns : {0, 3}) {
    const Tensor out = Tensor::Empty({columns == 0 ? 0 : 2, columns}, DType::kFloat32);
    g->manual_seed(0);
    rand_like_out(out, self, g.get());
    EXPECT_EQ(out.stride(1), 1);
    EXPECT_THAT(Read<float>(out),
                ElementsAre(0.49625658988952637f, 0.08847743272781372f, 0.30742281675338745f,
                            0.7682217955589294f, 0.13203048706054688f, 0.6340786814689636f));
  }
}

TEST(RandomTest, CountsAreDrawnInRowMajorOrderHoweverTheirProbabilitiesLie) {
  manual_seed(0);
  EXPECT_THAT(Read<double>(binomial(full({2, 3}, 50., DType::kFloat64),
                                    to(tensor({.25, .5, .75}), DType::kFloat64))),
              ElementsAre(14, 21, 37, 12, 23, 38));
}

TEST(RandomTest, PhiloxNumbersDoNotDependOnHowManyAreDrawnAtOnce) {
  PhiloxGenerator g{Device{kHost}};
  g.manual_seed(3);
  const std::vector<double> many = Read<double>(uniform_(Doubles(5000), 0, 1, &g));
  g.manual_seed(3);
  const std::vector<double> few = Read<double>(uniform_(Doubles(3), 0, 1, &g));
  EXPECT_EQ(std::vector<double>(many.begin(), many.begin() + 3), few);
}

}  // namespace
}  // namespace sy
