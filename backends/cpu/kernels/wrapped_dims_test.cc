// Dimensions from the end are those from the front, in every variant.
#include <gtest/gtest.h>

#include <functional>

#include "switchyard/backends/cpu/kernels/testing.h"

namespace sy {
namespace {

constexpr int64_t kRank = 3;

// What f gives for each dimension, and for the same one from the end.
void ExpectWraps(const char* what, const std::function<std::vector<Tensor>(int64_t dim)>& f) {
  for (int64_t dim = 0; dim < kRank; ++dim) {
    SCOPED_TRACE(Join({what, ", dim ", dim}));
    const std::vector<Tensor> front = f(dim), back = f(dim - kRank);
    ASSERT_EQ(front.size(), back.size());
    for (size_t i = 0; i < front.size(); ++i) EXPECT_TRUE(SameBytes(front[i], back[i]));
  }
}
template <class... T>
std::vector<Tensor> All(const std::tuple<T...>& results) {
  return std::apply([](const T&... t) { return std::vector<Tensor>{t...}; }, results);
}

class WrappedDimsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    manual_seed(1);
    x = transpose(randn({3, 3, 3}), 0, 1);
  }
  Tensor x, index = tensor({2, 0});
};

TEST_F(WrappedDimsTest, Reductions) {
  ExpectWraps("sum", [&](int64_t d) { return std::vector{sum(x, {{d}})}; });
  ExpectWraps("mean", [&](int64_t d) { return std::vector{mean(x, {{d}}, true)}; });
  ExpectWraps("prod", [&](int64_t d) { return std::vector{prod(x, d)}; });
  ExpectWraps("amax", [&](int64_t d) { return std::vector{amax(x, {d})}; });
  ExpectWraps("argmin", [&](int64_t d) { return std::vector{argmin(x, d)}; });
  ExpectWraps("max", [&](int64_t d) { return All(max(x, d)); });
  ExpectWraps("aminmax", [&](int64_t d) { return All(aminmax(x, d)); });
  ExpectWraps("any", [&](int64_t d) { return std::vector{any(x, d)}; });
  ExpectWraps("count_nonzero", [&](int64_t d) { return std::vector{count_nonzero(x, d)}; });
  ExpectWraps("var", [&](int64_t d) { return std::vector{var(x, {{d}}, true)}; });
  ExpectWraps("nansum", [&](int64_t d) { return std::vector{nansum(x, {{d}})}; });
  ExpectWraps("norm", [&](int64_t d) { return std::vector{linalg_vector_norm(x, 2, {{d}})}; });
  ExpectWraps("several", [&](int64_t d) { return std::vector{sum(x, {{d, (d + 4) % 3}})}; });
}

TEST_F(WrappedDimsTest, SelectionsAndScans) {
  ExpectWraps("sort", [&](int64_t d) { return All(sort(x, d)); });
  ExpectWraps("argsort", [&](int64_t d) { return std::vector{argsort(x, d)}; });
  ExpectWraps("topk", [&](int64_t d) { return All(topk(x, 2, d)); });
  ExpectWraps("kthvalue", [&](int64_t d) { return All(kthvalue(x, 2, d)); });
  ExpectWraps("median", [&](int64_t d) { return All(median(x, d)); });
  ExpectWraps("mode", [&](int64_t d) { return All(mode(x, d)); });
  ExpectWraps("cumsum", [&](int64_t d) { return std::vector{cumsum(x, d)}; });
  ExpectWraps("cummax", [&](int64_t d) { return All(cummax(x, d)); });
  ExpectWraps("logcumsumexp", [&](int64_t d) { return std::vector{logcumsumexp(x, d)}; });
  ExpectWraps("softmax", [&](int64_t d) { return std::vector{softmax(x, d)}; });
}

TEST_F(WrappedDimsTest, IndicesAndMoves) {
  const Tensor source = index_select(x, 0, index);
  ExpectWraps("index_select", [&](int64_t d) { return std::vector{index_select(x, d, index)}; });
  ExpectWraps("index_fill", [&](int64_t d) { return std::vector{index_fill(x, d, index, 7)}; });
  ExpectWraps("index_copy", [&](int64_t d) {
    return std::vector{index_copy(x, d, index, index_select(x, d, index))};
  });
  ExpectWraps("index_add", [&](int64_t d) {
    return std::vector{index_add(x, d, index, index_select(x, d, index))};
  });
  ExpectWraps("gather", [&](int64_t d) { return std::vector{gather(x, d, argsort(x, d))}; });
  ExpectWraps("scatter", [&](int64_t d) { return std::vector{scatter(x, d, argsort(x, d), x)}; });
  ExpectWraps("cat", [&](int64_t d) { return std::vector{cat({x, x}, d)}; });
  ExpectWraps("flip", [&](int64_t d) { return std::vector{flip(x, {d})}; });
  ExpectWraps("roll", [&](int64_t d) { return std::vector{roll(x, {4, -3}, {d, 0})}; });
  ExpectWraps("cross", [&](int64_t d) { return std::vector{linalg_cross(x, flip(x, {0}), d)}; });
  ExpectWraps("fft", [&](int64_t d) { return std::vector{real(fft_fft(x, std::nullopt, d))}; });
}

TEST_F(WrappedDimsTest, InPlaceAndOut) {
  ExpectWraps("cumsum_", [&](int64_t d) {
    Tensor y = clone(x);
    cumsum_(y, d);
    return std::vector{y};
  });
  ExpectWraps("sum.out", [&](int64_t d) {
    Tensor y = zeros({0});
    sum_out(y, x, {{d}});
    return std::vector{y};
  });
}

TEST_F(WrappedDimsTest, ADimensionRolledTwiceMovesByTheSum) {
  EXPECT_TRUE(SameBytes(roll(x, {1, 1}, {0, -3}), roll(x, {2}, {0})));
  EXPECT_TRUE(SameBytes(roll(x, {2, 1}, {1, 1}), x));
}

}  // namespace
}  // namespace sy
