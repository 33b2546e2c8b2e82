#include "backends/cuda/graph.h"

#include "backends/cuda/kernels/testing.h"
#include "backends/cuda/memory.h"
#include "switchyard/core/error.h"

namespace sy::cuda {
namespace {

TEST(GraphTest, ReplaysWhatWasCaptured) {
  const Tensor x = ToCuda(tensor({1., 2., 3.}));
  Tensor doubled;
  const Graph graph(Cuda(), [&] {
    call("add_", x, Scalar(1));
    doubled = call("mul", x, Scalar(2)).take();
  });
  ExpectClose(x, tensor({1., 2., 3.}), 0);  // nothing has been computed
  graph.Replay();
  graph.Replay();
  ExpectClose(x, tensor({3., 4., 5.}), 0);
  ExpectClose(doubled, tensor({6., 8., 10.}), 0);
}

TEST(GraphTest, MemoryMadeInsideIsTheGraphsAsLongAsItLives) {
  const Tensor x = ToCuda(tensor({1., 2.}));
  const auto private_segments = [] {
    int n = 0;
    for (const MemorySegment& s : MemorySnapshot(0)) n += s.pool != 0 ? 1 : 0;
    return n;
  };
  {
    const Graph graph(Cuda(), [&] { call("add", x, x); });
    EXPECT_EQ(private_segments(), 1);
  }
  EmptyCache(Cuda().type);
  EXPECT_EQ(private_segments(), 0);
}

TEST(GraphTest, AFailureInsideEndsTheCapture) {
  const Tensor x = ToCuda(tensor({1., 2.}));
  EXPECT_THROW(Graph(Cuda(), [&] { call("add", x, tensor({1., 2., 3.})); }), Error);
  ExpectClose(call("add", x, x).take(), tensor({2., 4.}), 0);
}

TEST(GraphTest, ReadingANumberInsideFails) {
  const Tensor x = ToCuda(tensor({1., 2.}));
  EXPECT_THROW(Graph(Cuda(), [&] { ToHost(x); }), Error);
}

TEST(GraphTest, RandomNumbersInsideAreRefused) {
  const Tensor x = ToCuda(tensor({1., 2.}));
  try {
    const Graph graph(Cuda(), [&] { call("uniform_", x); });
    FAIL() << "it was captured";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::kNotImplemented);
  }
}

TEST(GraphTest, ReportsOfReplaysReachTheStreamThatReplays) {
  const Tensor x = ToCuda(tensor({1., 2.})), index = ToCuda(tensor({int64_t{5}}));
  const Graph graph(Cuda(), [&] { call("index_select", x, 0, index); });
  graph.Replay();
  try {
    CurrentStream(Cuda()).Synchronize();
    FAIL() << "nothing was reported";
  } catch (const Error& e) {
    EXPECT_EQ(e.message(), "index_select(): index is 5, out of range for dim 0, which has size 2");
  }
}

}  // namespace
}  // namespace sy::cuda
