#include "backends/cuda/graph.h"

#include "backends/cuda/memory.h"
#include "backends/cuda/runtime/device_state.h"
#include "backends/cuda/testing.h"
#include "switchyard/core/error.h"
#include "switchyard/core/generator.h"
#include "switchyard/core/testing.h"

namespace sy::cuda {
namespace {

int PrivateSegments() {
  int n = 0;
  for (const MemorySegment& s : MemorySnapshot(0)) n += s.pool != 0 ? 1 : 0;
  return n;
}

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
  {
    const Graph graph(Cuda(), [&] { call("add", x, x); });
    EXPECT_EQ(PrivateSegments(), 1);
  }
  EmptyCache(Cuda().type);
  EXPECT_EQ(PrivateSegments(), 0);
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
  EXPECT_EQ(PrivateSegments(), 1) << "memory of the other stream is the graph's too";
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
  const auto error = [](const std::function<void()>& calls) {
    return ErrorOf([&] { const Graph graph(Cuda(), calls); });
  };
  EXPECT_EQ(error([&] { ToHost(x); }),
            "invalid argument: a copy that the host waits for, on a stream of cuda:0: not while a "
            "graph is captured");
  EXPECT_EQ(error([] { CurrentStream(Cuda()).Synchronize(); }),
            "invalid argument: waiting for a stream of cuda:0: not while a graph is captured");
  EXPECT_EQ(error([] { Synchronize(Cuda()); }),
            "invalid argument: waiting for cuda:0: not while a graph is captured");
  EXPECT_EQ(error([] { const Graph inner(Cuda(), [] {}); }),
            "invalid argument: capturing a graph of cuda:0: not while a graph is captured");
  ExpectClose(call("add", x, x).take(), tensor({2., 4.}), 0);
}

// A stream of the driver's that the program has made.
CUstream StreamOfOthers() {
  const InUse on = DeviceState::Of(0).Use();
  CUstream stream = nullptr;
  Check(Driver().StreamCreateWithPriority(&stream, CU_STREAM_NON_BLOCKING, 0), "making a stream");
  return stream;
}

TEST(GraphTest, IsCapturedOnAStreamOfTheCallers) {
  const Tensor x = ToCuda(tensor({1., 2.}));
  const CUstream native = StreamOfOthers();
  std::unique_ptr<Graph> graph;
  {
    const Stream mine = Stream::FromNative(Cuda(), native);
    graph = std::make_unique<Graph>(mine, [&] {
      EXPECT_EQ(CurrentStream(Cuda()).native_handle(), native);
      call("add_", x, Scalar(1));
    });
    const StreamGuard guard(mine);
    graph->Replay();
  }
  if (!has_device) DestroyEmulatedStream(native);
  graph->Replay();  // after the one before, whose stream has gone
  ExpectClose(x, tensor({3., 4.}), 0);
}

TEST(GraphTest, GraphsOfOnePoolReuseItsMemory) {
  const Tensor x = ToCuda(call("ones", std::vector<int64_t>{1000}).take());
  const auto twice = [&] { call("add_", x, call("mul", x, Scalar(2)).take()); };
  EmptyCache(Cuda().type);
  ASSERT_EQ(PrivateSegments(), 0);
  const Stream mine = Stream::New(Cuda());
  auto pool = std::make_unique<GraphPool>();
  auto first = std::make_unique<Graph>(mine, twice, *pool);
  const Graph second(mine, twice, *pool);
  EXPECT_EQ(PrivateSegments(), 1);
  pool.reset();
  first.reset();
  EmptyCache(Cuda().type);
  EXPECT_EQ(PrivateSegments(), 1) << "the other graph still has it";
  second.Replay();
  ExpectClose(x, call("full", std::vector<int64_t>{1000}, Scalar(3.0)).take(), 0);
}

TEST(GraphTest, AGraphThatOthersCaptureHasMemoryOfItsOwnUntilItIsGone) {
  const Tensor x = ToCuda(tensor({1., 2.}));
  const CUstream native = StreamOfOthers();
  const Stream theirs = Stream::FromNative(Cuda(), native);
  EmptyCache(Cuda().type);
  ASSERT_EQ(PrivateSegments(), 0);
  CUgraph graph = nullptr;
  CUgraphExec exec = nullptr;
  Tensor y;
  {
    const InUse on = DeviceState::Of(0).Use();
    // Of the strictest mode: allocating is forbidden to whoever does not say what he does.
    Check(Driver().StreamBeginCapture(native, CU_STREAM_CAPTURE_MODE_GLOBAL), "capturing");
    {
      const StreamGuard guard(theirs);
      y = call("add", call("mul", x, Scalar(10)).take(), Scalar(1)).take();
      EXPECT_THROW(call("uniform_", x), Error) << "which every replay would repeat";
      EXPECT_THROW(ToHost(y), Error);
    }
    Check(Driver().StreamEndCapture(native, &graph), "capturing");
    Check(Driver().GraphInstantiate(&exec, graph, 0), "making a graph");
  }
  EXPECT_EQ(PrivateSegments(), 1);
  const Tensor other = call("mul", x, Scalar(7)).take();  // not where the graph's memory is
  {
    const InUse on = DeviceState::Of(0).Use();
    Check(Driver().GraphLaunch(exec, native), "a graph");
    theirs.Synchronize();
  }
  ExpectClose(y, tensor({11., 21.}), 0);
  ExpectClose(other, tensor({7., 14.}), 0);
  y = Tensor();
  EmptyCache(Cuda().type);
  EXPECT_EQ(PrivateSegments(), 1) << "replays still need it";
  const InUse on = DeviceState::Of(0).Use();
  Driver().GraphExecDestroy(exec);
  Driver().GraphDestroy(graph);
  EmptyCache(Cuda().type);
  EXPECT_EQ(PrivateSegments(), 0);
}

TEST(GraphTest, AStreamOfOursThatOthersCaptureIsAskedToo) {
  const Stream ours = Stream::New(Cuda());
  const Tensor x = ToCuda(tensor({1., 2.}));
  EmptyCache(Cuda().type);
  const InUse on = DeviceState::Of(0).Use();
  const auto native = static_cast<CUstream>(ours.native_handle());
  Check(Driver().StreamBeginCapture(native, CU_STREAM_CAPTURE_MODE_RELAXED), "capturing");
  {
    const StreamGuard guard(ours);
    call("add", x, x);
  }
  EXPECT_THROW(ours.Synchronize(), Error);
  CUgraph graph = nullptr;
  Check(Driver().StreamEndCapture(native, &graph), "capturing");
  EXPECT_EQ(PrivateSegments(), 1);
  Driver().GraphDestroy(graph);
  EmptyCache(Cuda().type);
  EXPECT_EQ(PrivateSegments(), 0);
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
