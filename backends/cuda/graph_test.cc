#include "backends/cuda/graph.h"

#include "backends/cuda/memory.h"
#include "backends/cuda/testing.h"
#include "switchyard/core/error.h"
#include "switchyard/core/generator.h"

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

TEST(GraphTest, TrimmingLeavesAGraphItsMemory) {
  const Tensor x = ToCuda(tensor({1., 2.}));
  Tensor y;
  const Graph graph(Cuda(), [&] {
    const Tensor gone = call("add", x, x).take();
    y = call("mul", gone, Scalar(3)).take();
  });
  EmptyCache(Cuda().type);
  const Tensor other = call("add", x, x).take();
  graph.Replay();
  ExpectClose(y, tensor({6., 12.}), 0);
  ExpectClose(other, tensor({2., 4.}), 0);
}

TEST(GraphTest, WhatIsMadeInsideOutlivesTheGraph) {
  const Tensor x = ToCuda(tensor({1., 2.}));
  Tensor y;
  {
    const Graph graph(Cuda(), [&] { y = call("add", x, x).take(); });
    graph.Replay();
  }
  EmptyCache(Cuda().type);
  ExpectClose(y, tensor({2., 4.}), 0);
}

TEST(GraphTest, EachReplayDrawsTheNumbersThatCallsWould) {
  const auto draw = [](const Tensor& x, const Tensor& y) {
    call("uniform_", x);
    call("normal_", y);
    call("uniform_", call("select.int", y, 0, 0).take());
  };
  const Tensor x = ToCuda(call("zeros", std::vector<int64_t>{7}).take()),
               y = ToCuda(call("zeros", std::vector<int64_t>{3, 50}).take());
  manual_seed(3);
  std::vector<Tensor> expected;
  for (int i = 0; i < 4; ++i) {
    draw(x, y);
    expected.insert(expected.end(), {ToHost(x), ToHost(y)});
  }
  manual_seed(3);
  const Graph graph(Cuda(), [&] { draw(x, y); });
  const Stream other = Stream::New(Cuda());
  for (size_t i = 0; i < 4; ++i) {
    if (i == 2) {  // a call in between takes its part
      draw(x, y);
    } else {
      const StreamGuard guard(i == 3 ? other : DefaultStream(Cuda()));
      graph.Replay();
      CurrentStream(Cuda()).Synchronize();
    }
    ExpectClose(x, expected[2 * i], 0);
    ExpectClose(y, expected[2 * i + 1], 0);
  }
}

TEST(GraphTest, StreamsThatWaitForACaptureBelongToIt) {
  const Tensor x = ToCuda(tensor({1., 2.}));
  Tensor y;
  const Graph graph(Cuda(), [&] {
    call("add_", x, Scalar(1));
    const Stream captured = CurrentStream(Cuda()), side = Stream::New(Cuda());
    side.WaitStream(captured);
    {
      const StreamGuard guard(side);
      y = call("mul", x, Scalar(10)).take();
    }
    captured.WaitStream(side);
    call("add_", y, Scalar(5));
  });
  int private_segments = 0;
  for (const MemorySegment& s : MemorySnapshot(0)) private_segments += s.pool != 0 ? 1 : 0;
  EXPECT_EQ(private_segments, 1) << "memory of the other stream is the graph's too";
  ExpectClose(x, tensor({1., 2.}), 0);
  graph.Replay();
  ExpectClose(y, tensor({25., 35.}), 0);
}

TEST(GraphTest, AStreamThatNobodyWaitsForFailsTheCapture) {
  const Tensor x = ToCuda(tensor({1., 2.}));
  try {
    const Graph graph(Cuda(), [&] {
      const Stream captured = CurrentStream(Cuda()), side = Stream::New(Cuda());
      side.WaitStream(captured);
      const StreamGuard guard(side);
      call("add_", x, Scalar(1));
    });
    FAIL() << "work of the other stream would be lost";
  } catch (const Error& e) {
    EXPECT_NE(e.message().find("CUDA_ERROR_STREAM_CAPTURE_UNJOINED"), std::string_view::npos);
  }
  ExpectClose(call("add", x, x).take(), tensor({2., 4.}), 0);
}

TEST(GraphTest, WaitingInsideFailsAndSaysWhy) {
  const Tensor x = ToCuda(tensor({1., 2.}));
  const auto message = [&](const std::function<void()>& calls) -> std::string {
    try {
      const Graph graph(Cuda(), calls);
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ErrorCode::kInvalidArgument);
      return e.message();
    }
    return "nothing was thrown";
  };
  EXPECT_EQ(message([&] { ToHost(x); }),
            "a copy that the host waits for, on a stream of cuda:0: not while a graph is captured");
  EXPECT_EQ(message([] { CurrentStream(Cuda()).Synchronize(); }),
            "waiting for a stream of cuda:0: not while a graph is captured");
  EXPECT_EQ(message([] { Synchronize(Cuda()); }),
            "waiting for cuda:0: not while a graph is captured");
  EXPECT_EQ(message([] { const Graph inner(Cuda(), [] {}); }),
            "capturing a graph of cuda:0: not while a graph is captured");
  ExpectClose(call("add", x, x).take(), tensor({2., 4.}), 0);
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
