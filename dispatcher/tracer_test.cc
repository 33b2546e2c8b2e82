#include "switchyard/dispatcher/tracer.h"

#include <gtest/gtest.h>

#include "switchyard/dispatcher/handle.h"
#include "switchyard/op/operator.h"

namespace sy {
namespace {

const Operator leaf_op{"tr::leaf(Tensor x, *, int k=1) -> Tensor"};
Tensor Leaf(Call, const Tensor& x, int64_t) { return Tensor::Empty(x.sizes(), x.dtype()); }
const Composite leaf_body{"tr::leaf", Leaf};
constinit Handle<Tensor(const Tensor&, int64_t)> leaf{"tr::leaf"};

const Operator root_op{"tr::root(Tensor[] xs) -> Tensor"};
Tensor Root(Call, TensorList xs) { return leaf(xs[0], 5); }
const Composite root_body{"tr::root", Root};
constinit Handle<Tensor(TensorList)> root{"tr::root"};

const Operator bad_op{"tr::bad(Tensor x) -> Tensor"};
Tensor Bad(Call, const Tensor&) { Fail(ErrorCode::kInternal, "as asked\nwith details"); }
const Composite bad_body{"tr::bad", Bad};
constinit Handle<Tensor(const Tensor&)> bad{"tr::bad"};

TEST(TracerTest, WritesCallsDownWithNumberedTensors) {
  Tracer tracer;
  {
    Tracer::Scope on(tracer);
    const Tensor x = Tensor::Empty({2}, DType::kFloat32);
    const Tensor y = leaf(x, 3);
    const Tensor both[] = {y, x};
    root(both);
  }
  EXPECT_EQ(tracer.Text(),
            "%2 = tr::leaf(%1, k=3) -> float32[2] on cpu\n"
            "%3 = tr::root([%2, %1]) -> float32[2] on cpu\n"
            "  %3 = tr::leaf(%2, k=5) -> float32[2] on cpu\n");
}

TEST(TracerTest, DrawsWhichResultWentWhere) {
  Tracer tracer;
  {
    Tracer::Scope on(tracer);
    leaf(leaf(Tensor::Empty({2}, DType::kFloat32), 1), 2);
  }
  const std::string dot = tracer.Graphviz();
  EXPECT_EQ(dot.find("digraph"), 0u);
  EXPECT_NE(dot.find("t1 -> s0;"), std::string::npos) << dot;
  EXPECT_NE(dot.find("s0 -> s1 [label=\"%2\"];"), std::string::npos) << dot;
}

TEST(TracerTest, SaysWhatACallThrew) {
  Tracer tracer;
  {
    Tracer::Scope on(tracer);
    EXPECT_THROW(bad(Tensor::Empty({2}, DType::kFloat32)), Error);
    leaf(Tensor::Empty({2}, DType::kFloat32), 1);
  }
  EXPECT_EQ(tracer.Text(),
            "tr::bad(%1) threw: as asked\n"
            "%3 = tr::leaf(%2, k=1) -> float32[2] on cpu\n");
}

}  // namespace
}  // namespace sy
