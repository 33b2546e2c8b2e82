// Every dtype there is, by its number: a new one takes part without being named here.

#include <gtest/gtest.h>

#include <cstring>

#include "switchyard/core/dtype.h"
#include "switchyard/core/printing.h"
#include "switchyard/dispatcher/call.h"

namespace sy {
namespace {

class DTypes : public testing::TestWithParam<int> {
 protected:
  DType d() const { return static_cast<DType>(GetParam()); }
  static Tensor Ones(DType d) {
    return call("ones", IntSpan(kSizes), kw("dtype", d), kw("device", Device{kHost})).take();
  }
  static constexpr int64_t kSizes[] = {3};
};

bool SameBytes(const Tensor& a, const Tensor& b) {
  return a.nbytes() == b.nbytes() && std::memcmp(a.data(), b.data(), a.nbytes()) == 0;
}

TEST_P(DTypes, ConvertToEveryOtherAndBack) {
  const Tensor ones = Ones(d());
  EXPECT_EQ(ones.dtype(), d());
  for (int i = 0; i < kNumDTypes; ++i) {
    const DType other = static_cast<DType>(i);
    const Tensor there = call("to", ones, kw("dtype", other)).take();
    EXPECT_TRUE(SameBytes(there, Ones(other))) << Name(other);
    EXPECT_TRUE(SameBytes(call("to", there, kw("dtype", d())).take(), ones)) << Name(other);
  }
}

TEST_P(DTypes, AreCopiedIndexedAndPrinted) {
  const Tensor ones = Ones(d());
  EXPECT_TRUE(SameBytes(call("clone", ones).take(), ones));
  EXPECT_EQ(call("select", ones, 0, 1).take().dtype(), d());
  EXPECT_EQ(call("item", call("select", ones, 0, 1).take()).scalar().To<double>(), 1);
  EXPECT_EQ(ToString(ones).substr(0, 7), "tensor(");
}

INSTANTIATE_TEST_SUITE_P(All, DTypes, testing::Range(0, kNumDTypes), [](const auto& info) {
  return std::string(Name(static_cast<DType>(info.param)));
});

}  // namespace
}  // namespace sy
