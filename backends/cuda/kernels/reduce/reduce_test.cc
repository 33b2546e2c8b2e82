#include "backends/cuda/engine/counters.h"
#include "backends/cuda/graph.h"
#include "backends/cuda/plan/reduce_plan.h"
#include "backends/cuda/runtime/device_state.h"
#include "backends/cuda/testing.h"

namespace sy::cuda {
namespace {

Tensor Numbers(std::vector<int64_t> sizes, DType dtype = DType::kFloat32) {
  int64_t n = 1;
  for (int64_t s : sizes) n *= s;
  const Tensor flat = call("arange", n).take();
  const Tensor mixed =
      call("remainder", call("mul", flat, Scalar(7919)).take(), Scalar(101)).take();
  const Tensor centred = call("sub", mixed, Scalar(50)).take();
  return call("reshape", call("to.dtype", centred, dtype).take(), sizes).take();
}

TEST(ReduceShapeTest, ManyOutputsSideBySideTakeAThreadEach) {
  const ReduceShape s = ChooseReduceShape(100000, 1000, /*across=*/true, 270336);
  EXPECT_EQ(s.lanes, 1);
  EXPECT_EQ(s.chunks, 2);  // three would have a second wave of a few
}
TEST(ReduceShapeTest, FewOutputsOfManyElementsAreCutIntoChunks) {
  const ReduceShape s = ChooseReduceShape(1, 100'000'000, false, 270336);
  EXPECT_EQ(s.lanes, 256);
  EXPECT_EQ(s.chunks, 1024);
}
TEST(ReduceShapeTest, ManyLongRowsTakeABlockEach) {
  const ReduceShape s = ChooseReduceShape(10000, 4096, false, 270336);
  EXPECT_EQ(s.lanes, 256);
  EXPECT_EQ(s.chunks, 1);
}
TEST(ReduceShapeTest, NothingIsStillOneChunk) {
  EXPECT_EQ(ChooseReduceShape(5, 0, false, 1000).chunks, 1);
}

TEST(ReduceTest, SumsOfEveryKindOfDim) {
  const Tensor t = Numbers({6, 70, 9}, DType::kInt64);
  ExpectAsOnHost("sum", t);
  for (const std::vector<int64_t>& dim : {std::vector<int64_t>{0}, {1}, {2}, {0, 2}, {1, 2}}) {
    ExpectAsOnHost("sum.dim_IntList", t, dim);
    ExpectAsOnHost("sum.dim_IntList", t, dim, true);
  }
}
TEST(ReduceTest, SumsThatAreCutIntoChunks) {
  ExpectAsOnHost("sum", Numbers({30001}, DType::kInt64));
  ExpectAsOnHostWithin(1e-6, "sum", Numbers({30001}));
  ExpectAsOnHost("sum.dim_IntList", Numbers({5000, 3}, DType::kInt32), std::vector<int64_t>{0});
}
// Of one number.
double NumberOf(const Tensor& t) { return Elements(t)[0].real(); }
// Numbers whose sum depends on its order.
Tensor Uneven() {
  return ToCuda(call("exp", call("div", Numbers({100'003}), Scalar(5.0)).take()).take());
}
Tensor SumOf(const Tensor& x) { return call("sum", x).take(); }

TEST(ReduceTest, ALaunchFindsItsCountersAsTheOneBeforeHasLeftThem) {
  const Tensor x = Uneven();
  const double expected = NumberOf(SumOf(x));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(NumberOf(SumOf(x)), expected);
  const Stream other = Stream::New(Cuda());
  other.WaitStream(CurrentStream(Cuda()));
  const StreamGuard guard(other);
  EXPECT_EQ(NumberOf(SumOf(x)), expected);
  EXPECT_NE(CountersOf(static_cast<CudaStream&>(*other.impl())),
            DeviceState::Of(0).default_stream().counters());
}
TEST(ReduceTest, AGraphHasCountersOfItsOwnForEachStream) {
  const Tensor x = Uneven();
  const double expected = NumberOf(SumOf(x));
  Tensor first, second;
  {
    const Graph graph(Cuda(), [&] {
      const Stream captured = CurrentStream(Cuda()), side = Stream::New(Cuda());
      side.WaitStream(captured);
      const auto counters = [](const Stream& s) {
        return CountersOf(static_cast<CudaStream&>(*s.impl()));
      };
      EXPECT_NE(counters(captured), counters(side));
      EXPECT_EQ(counters(captured), counters(captured));
      {
        const StreamGuard guard(side);
        first = SumOf(x);
      }
      second = SumOf(x);
      captured.WaitStream(side);
    });
    for (int i = 0; i < 3; ++i) {
      call("fill_.Scalar", first, Scalar(0));
      graph.Replay();
      EXPECT_EQ(NumberOf(first), expected);
      EXPECT_EQ(NumberOf(second), expected);
    }
    graph.Replay();
  }  // while it runs
  EXPECT_EQ(NumberOf(SumOf(x)), expected);
}
// By two launches, which add up in the same order.
TEST(ReduceTest, WhatOthersCaptureHasNoCounters) {
  const Tensor x = Uneven();
  const double expected = NumberOf(SumOf(x));
  Synchronize(Cuda());
  const Stream ours = Stream::New(Cuda());
  const auto native = static_cast<CUstream>(ours.native_handle());
  const InUse on = DeviceState::Of(0).Use();
  Check(Driver().StreamBeginCapture(native, CU_STREAM_CAPTURE_MODE_GLOBAL), "capturing");
  Tensor sum;
  {
    const StreamGuard guard(ours);
    EXPECT_EQ(CountersOf(static_cast<CudaStream&>(*ours.impl())), nullptr);
    sum = SumOf(x);
  }
  CUgraph graph = nullptr;
  CUgraphExec exec = nullptr;
  Check(Driver().StreamEndCapture(native, &graph), "capturing");
  Check(Driver().GraphInstantiate(&exec, graph, 0), "making a graph");
  Driver().GraphDestroy(graph);
  Check(Driver().GraphLaunch(exec, native), "a graph");
  ours.Synchronize();
  EXPECT_EQ(NumberOf(sum), expected);
  Driver().GraphExecDestroy(exec);
}
TEST(ReduceTest, ElementsSideBySideAndNot) {
  for (int64_t n : {40, 1000, 6000, 40000}) {  // of a warp, a block, more than a round, chunks
    SCOPED_TRACE(n);
    const Tensor t = Numbers({2, n}), odd = call("slice", Numbers({2, n + 1}), 1, 1, n + 1).take();
    for (const Tensor& x : {t, odd}) {
      ExpectAsOnHostWithin(1e-6, "sum.dim_IntList", x, std::vector<int64_t>{1});
      ExpectAsOnHost("argmin", x, 1);
    }
    const Tensor truths = call("eq.Scalar", t, Scalar(7)).take();
    ExpectAsOnHost("sum", truths);
    ExpectAsOnHost("any.dim", truths, 1);
    ExpectAsOnHostWithin(1e-6, "var.correction", call("to.dtype", t, DType::kFloat64).take(),
                         std::vector<int64_t>{1});
  }
}
TEST(ReduceTest, SpreadsOfComplexNumbers) {
  const Tensor t = call("complex", Numbers({6, 70}), Numbers({6, 70})).take();
  ExpectAsOnHostWithin(1e-6, "var.correction", t, std::vector<int64_t>{1});
  ExpectAsOnHostWithin(1e-6, "std.correction", t, std::vector<int64_t>{0}, kw("correction", 0));
  ExpectAsOnHostWithin(1e-6, "var.correction", t);
}
TEST(ReduceTest, OfTransposedTensors) {
  const Tensor t = call("transpose.int", Numbers({40, 30}, DType::kInt32), 0, 1).take();
  ExpectAsOnHost("sum.dim_IntList", t, std::vector<int64_t>{0});
  ExpectAsOnHost("max.dim", t, 1);
}
TEST(ReduceTest, EveryDType) {
  for (DType d : {DType::kBool, DType::kUInt8, DType::kFloat16, DType::kComplex64}) {
    SCOPED_TRACE(Name(d));
    ExpectAsOnHostWithin(1e-2, "sum", Numbers({100}, d));
    ExpectAsOnHostWithin(1e-2, "prod", call("slice", Numbers({100}, d), 0, 0, 4).take());
  }
}
TEST(ReduceTest, MeansAndSpreads) {
  const Tensor t = Numbers({50, 300});
  ExpectAsOnHostWithin(1e-6, "mean", t);
  ExpectAsOnHostWithin(1e-6, "mean.dim", t, std::vector<int64_t>{0});
  for (const char* op : {"var.correction", "std.correction"}) {
    ExpectAsOnHostWithin(1e-6, op, t, std::vector<int64_t>{1});
    ExpectAsOnHostWithin(1e-6, op, t, std::vector<int64_t>{0}, kw("correction", 0));
    ExpectAsOnHostWithin(1e-6, op, Numbers({30000}));
  }
}
TEST(ReduceTest, ExtremesAndWhereTheyAre) {
  const Tensor t = Numbers({40, 600});
  ExpectAsOnHost("max", t);
  ExpectAsOnHost("min", t);
  ExpectAsOnHost("argmax", t);
  ExpectAsOnHost("argmax", t, 1);
  ExpectAsOnHost("argmin", t, 0, true);
  ExpectAsOnHost("amax", t, std::vector<int64_t>{1});
  const Tensor holes = call("div", t, t).take();  // NaN where t is 0
  ExpectAsOnHost("argmax", holes, 1);
  ExpectAsOnHost("max", holes);
}
TEST(ReduceTest, TruthsNormsAndCounts) {
  const Tensor t = Numbers({30, 50});
  ExpectAsOnHost("any", t);
  ExpectAsOnHost("all", t);
  ExpectAsOnHost("any.dim", t, 1);
  ExpectAsOnHost("count_nonzero", t);
  ExpectAsOnHostWithin(1e-6, "linalg_vector_norm", t);
  ExpectAsOnHostWithin(1e-5, "linalg_vector_norm", t, Scalar(3));
  ExpectAsOnHostWithin(1e-6, "linalg_vector_norm", t, Scalar(1), std::vector<int64_t>{0});
}
TEST(ReduceTest, OfNothing) {
  const Tensor t = Numbers({0, 3});
  ExpectAsOnHost("sum.dim_IntList", t, std::vector<int64_t>{0});
  ExpectAsOnHost("prod", t);
  ExpectAsOnHost("mean", t);
  ExpectAsOnHost("sum.dim_IntList", t, std::vector<int64_t>{1});
}

}  // namespace
}  // namespace sy::cuda
