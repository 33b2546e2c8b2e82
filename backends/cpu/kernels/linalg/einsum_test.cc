#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "switchyard/backends/cpu/kernels/testing.h"
#include "switchyard/core/testing.h"

namespace sy {
namespace {

Tensor Counted(std::vector<int64_t> sizes) {
  int64_t n = 1;
  for (const int64_t size : sizes) n *= size;
  return reshape(arange(0, n, 1, DType::kFloat32), sizes);
}
std::string WhyNot(const char* equation, const std::vector<Tensor>& tensors) {
  return MessageOf([&] { einsum(equation, tensors); });
}

TEST(EinsumTest, SumsWhatTheOutputHasNot) {
  const Tensor a = Counted({2, 3}), b = Counted({3, 4}), c = Counted({4});
  EXPECT_EQ(Text(einsum("ij,jk", {a, b})), Text(mm(a, b)));
  EXPECT_EQ(Text(einsum("ij,jk,k->i", {a, b, c})), "tensor([162., 504.])");
  const std::vector<int64_t> path = {1, 2, 0, 1};
  EXPECT_EQ(Text(einsum("ij,jk,k->i", {a, b, c}, path)), "tensor([162., 504.])");
  EXPECT_EQ(Text(einsum("ij->", {a})), "tensor(15.)");
  EXPECT_EQ(Text(einsum("i...->...", {a})), Text(sum(a, {0})));
}

TEST(EinsumTest, ARepeatedSubscriptIsADiagonalWhichIsAView) {
  const Tensor a = Counted({3, 3});
  const Tensor d = einsum("ii->i", {a});
  EXPECT_EQ(Text(d), "tensor([0., 4., 8.])");
  EXPECT_EQ(d.stride(0), 4);
  EXPECT_EQ(Text(einsum("ii", {a})), "tensor(12.)");
}

TEST(EinsumTest, ResultsLieInTheOrderOfTheOutput) {
  EXPECT_TRUE(einsum("ij,jk->ki", {Counted({2, 3}), Counted({3, 4})}).is_contiguous());
  EXPECT_TRUE(einsum("bij,bjk->bki", {Counted({5, 2, 3}), Counted({5, 3, 4})}).is_contiguous());
}

TEST(EinsumTest, SaysWhatIsWrongWithAnEquation) {
  const Tensor a = Counted({2, 3});
  EXPECT_EQ(WhyNot("ij,jk", {a}), "einsum(): expected 2 operands as in equation 'ij,jk', got 1");
  EXPECT_EQ(WhyNot("i1", {a}),
            "einsum(): subscripts must be letters from a to z or A to Z, got '1' at position 1 of "
            "the equation");
  EXPECT_EQ(WhyNot("ij->iij", {a}), "einsum(): output subscript i appears more than once");
  EXPECT_EQ(WhyNot("ij->k", {a}), "einsum(): output subscript k appears in no operand");
  EXPECT_EQ(WhyNot("ij,jk", {a, a}),
            "einsum(): a subscript has size 2 for operand 1, which does not broadcast with size 3 "
            "of one before");
}

}  // namespace
}  // namespace sy
