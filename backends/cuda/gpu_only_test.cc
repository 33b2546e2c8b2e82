// What only hardware can show: clocks, the driver's own answers, memory between threads that run at
// the same time, NVIDIA's libraries. Skipped where there is no GPU. `switchyard cuda tests` lists
// these with the comments above them.
//
// With SWITCHYARD_TRY_GPU_TESTS=1 they run on the emulator, on few elements and without what it
// cannot answer: to see that a test would run.

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "backends/cuda/driver/library.h"
#include "backends/cuda/driver/switches.h"
#include "backends/cuda/graph.h"
#include "backends/cuda/memory.h"
#include "backends/cuda/properties.h"
#include "backends/cuda/rtc/compile.h"
#include "backends/cuda/rtc/disk_cache.h"
#include "backends/cuda/rtc/kernels.h"
#include "backends/cuda/runtime/device_state.h"
#include "backends/cuda/testing.h"
#include "switchyard/core/deterministic.h"
#include "switchyard/core/dlpack.h"
#include "switchyard/core/error.h"
#include "third_party/dlpack/dlpack_v1.h"

namespace sy::cuda {
namespace {

using Sizes = std::vector<int64_t>;

class GpuOnly : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_device && !SwitchedOn("SWITCHYARD_TRY_GPU_TESTS")) GTEST_SKIP() << "needs a GPU";
  }
};
using GpuOnlyOpeningTest = GpuOnly;
using GpuOnlyTest = GpuOnly;

// Of elements: as many on a GPU, few on the emulator.
int64_t Many(int64_t on_gpu) { return has_device ? on_gpu : std::min<int64_t>(on_gpu, 1 << 10); }

Tensor Filled(const Sizes& sizes, double value, DType d = DType::kFloat32) {
  return call("full", sizes, Scalar(value), kw("dtype", d), kw("device", Cuda())).take();
}
Tensor Uniform(const Sizes& sizes) {
  return call("uniform_", Tensor::Empty(sizes, DType::kFloat32, Cuda())).take();
}

// The device's milliseconds of a call, which has run once before.
double Milliseconds(const std::function<void()>& f) {
  f();
  const Stream stream = CurrentStream(Cuda());
  stream.Synchronize();
  Event begin(true), end(true);
  begin.Record(stream);
  f();
  end.Record(stream);
  end.Synchronize();
  return begin.ElapsedTime(end);
}
// The host's.
double HostMilliseconds(const std::function<void()>& f) {
  const auto begin = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
      .count();
}
// Keeps the current stream busy for some tenths of a second.
void KeepBusy() {
  static const Tensor large = Filled({Many(int64_t{1} << 28)}, 1);
  for (int i = 0; i < (has_device ? 200 : 2); ++i) call("mul_", large, Scalar(1.0));
}

// A function of the driver's that this backend has no use for. Null on the emulator.
template <class F>
F* OfDriver(const char* name) {
  static Library library("libcuda.so.1");
  return has_device && library.open() ? reinterpret_cast<F*>(library.Find(name)) : nullptr;
}

// No device gets a context (some 400 MB of its memory) from statistics, EmptyCache and the like.
TEST_F(GpuOnlyOpeningTest, AskingLeavesDevicesWithoutContexts) {
  auto* state = OfDriver<CUresult(CUdevice, unsigned*, int*)>("cuDevicePrimaryCtxGetState");
  const int count = DeviceCount(Cuda().type);
  const auto is_active = [&](int device) {
    unsigned flags = 0;
    int active = 0;
    if (state == nullptr) return DeviceState::Opened(device) != nullptr;
    EXPECT_EQ(state(device, &flags, &active), CUDA_SUCCESS);
    return active != 0;
  };
  for (int i = 0; i < count; ++i) {
    if (is_active(i)) continue;  // another test has opened it
    GetMemoryStats(ParseDevice("cuda:" + std::to_string(i)));
    EmptyCache(Cuda().type);
    MemorySnapshot(i);
    EXPECT_FALSE(is_active(i)) << "cuda:" << i;
  }
}

// A producer's memory is written again the moment it is given back; kernels that were queued on it
// have read it by then.
TEST_F(GpuOnlyTest, AnImportIsGivenBackOnceKernelsHaveReadIt) {
  struct Theirs {
    Tensor memory;
    bool freed = false;
  } theirs{Filled({Many(1 << 26)}, 3)};
  int64_t size = theirs.memory.numel(), stride = 1;
  DLManagedTensorVersioned managed{};
  managed.version = {1, 0};
  managed.manager_ctx = &theirs;
  managed.deleter = [](DLManagedTensorVersioned* self) {
    auto& t = *static_cast<Theirs*>(self->manager_ctx);
    t.freed = true;
    const Stream side = Stream::New(Cuda());  // which waits for nothing
    RecordStream(t.memory, side);
    const StreamGuard guard(side);
    call("fill_", t.memory, Scalar(-1));
  };
  managed.dl_tensor = {.data = theirs.memory.data(),
                       .device = {kDLCUDA, 0},
                       .ndim = 1,
                       .dtype = {kDLFloat, 32, 1},
                       .shape = &size,
                       .strides = &stride,
                       .byte_offset = 0};
  CurrentStream(Cuda()).Synchronize();
  const Tensor sum = Filled({}, 0);
  {
    const Tensor import = FromDlpack(&managed);
    KeepBusy();
    call("copy_", sum, call("mean", import).take());
  }
  Tensor::Empty({1}, DType::kFloat32, Cuda());  // looks what is due
  EXPECT_FALSE(theirs.freed) << "what reads it has not run yet";
  Synchronize(Cuda());
  Tensor::Empty({1}, DType::kFloat32, Cuda());
  EXPECT_TRUE(theirs.freed);
  ExpectClose(sum, tensor(3.f), 1e-6);
}

CUstream NewNative() {
  const InUse on = DeviceState::Of(0).Use();
  CUstream stream = nullptr;
  Check(Driver().StreamCreateWithPriority(&stream, CU_STREAM_NON_BLOCKING, 0), "a stream");
  return stream;
}

// Handing a tensor to a stream that is at work, and letting go of that stream, stops no host.
TEST_F(GpuOnlyTest, AnExportForABusyStreamDoesNotStopTheHost) {
  const CUstream native = NewNative();
  const Tensor x = Filled({1000}, 1);
  double work = 0, host = 0;
  {
    const Stream busy = Stream::FromNative(Cuda(), native);
    const StreamGuard guard(busy);
    work = HostMilliseconds([&] {
      KeepBusy();
      busy.Synchronize();
    });
    KeepBusy();
    host = HostMilliseconds([&] {
      DLManagedTensorVersioned* out = ToDlpack(x, Stream::FromNative(Cuda(), native));
      out->deleter(out);
    });
    busy.Synchronize();
  }
  if (has_device) {
    EXPECT_LT(host, work / 4);
  }
  auto* destroy = OfDriver<CUresult(CUstream)>("cuStreamDestroy_v2");
  if (destroy != nullptr) {
    EXPECT_EQ(destroy(native), CUDA_SUCCESS);
  }
  // Nothing asks the stream again.
  EmptyCache(Cuda().type);
  ExpectClose(call("add", x, x).take(), call("full", Sizes{1000}, Scalar(2.0)).take(), 0);
}

// Handing a tensor to a stream of others leaves a capture alone that goes on meanwhile: nothing is
// waited for.
TEST_F(GpuOnlyTest, AnExportForAnotherStreamLeavesACaptureAlone) {
  const CUstream native = NewNative();
  const Stream other = Stream::New(Cuda());
  const Tensor x = Filled({1000}, 1), y = Filled({1000}, 5);
  const Graph graph(Cuda(), [&] {
    call("add_", x, Scalar(1));
    const StreamGuard guard(other);  // not captured
    DLManagedTensorVersioned* out = ToDlpack(y, Stream::FromNative(Cuda(), native));
    out->deleter(out);
  });
  graph.Replay();
  ExpectClose(x, call("full", Sizes{1000}, Scalar(2.0)).take(), 0);
}

// A kernel that writes 3 * i + 1.
constexpr const char* kSource = R"(
#include "switchyard/backends/cuda/device/block.h"
namespace sy::cuda {
struct TestArgs { unsigned* out; };
SY_CUDA_KERNEL(GpuOnlyKernel, TestArgs, { args.out[threadIdx.x] = 3 * threadIdx.x + 1; })
}
)";
constexpr unsigned kThreads = 64;
void ExpectRuns(CUfunction kernel) {
  DeviceState& device = DeviceState::Of(0);
  const Tensor out = Tensor::Empty({kThreads}, DType::kInt32, Cuda());
  void* address = out.data();
  void* params[] = {&address};
  {
    const InUse on = device.Use();
    const auto stream = static_cast<CUstream>(CurrentStream(Cuda()).native_handle());
    Check(Driver().LaunchKernel(kernel, 1, 1, 1, kThreads, 1, 1, 0, stream, params, nullptr),
          "a launch");
  }
  const Tensor host = ToHost(out);
  for (unsigned i = 0; i < kThreads; ++i)
    ASSERT_EQ(host.data<int32_t>()[i], static_cast<int32_t>(3 * i + 1)) << i;
}
CUfunction Loaded(const std::string& image) {
  const InUse on = DeviceState::Of(0).Use();
  CUmodule module;
  CUfunction kernel;
  Check(Driver().ModuleLoadData(&module, image.data()), "a module");
  Check(Driver().ModuleGetFunction(&kernel, module, "GpuOnlyKernel"), "a kernel");
  return kernel;
}

// The driver takes what the compiler that was chosen for it makes: machine code of the device, and
// PTX of an older one, which a device newer than the compiler gets.
TEST_F(GpuOnlyTest, TheDriverTakesMachineCodeAndPtxOfTheChosenCompiler) {
  const Properties& p = GetProperties(0);
  ExpectRuns(Loaded(Compile({kSource, ArchitectureFor(p.major, p.minor)})));
  if (has_device) ExpectRuns(Loaded(Compile({kSource, "compute_80"})));
}

// What the driver says of a kernel that a disk has spoilt leads to another compilation.
TEST_F(GpuOnlyTest, KernelsThatAreDamagedAreCompiledAnew) {
  const std::string folder = DiskCache::DefaultFolder();
  if (folder.empty()) GTEST_SKIP() << "SWITCHYARD_CUDA_CACHE is empty";
  const Properties& p = GetProperties(0);
  const std::string architecture = ArchitectureFor(p.major, p.minor);
  std::vector<std::string> damaged = {"no image", "\n.version 99.9\n.target sm_90\n"};
  if (has_device) {  // the emulator's loader is the C library's
    const std::string image = Compile({kSource, architecture});
    damaged.push_back(image.substr(0, image.size() / 2));
    damaged.push_back(image.substr(0, 64) + std::string(image.size() - 64, '\0'));
  }
  static const char kKinds[4] = {};
  for (size_t i = 0; i < damaged.size(); ++i) {
    const std::string text = kSource + ("// " + std::to_string(i) + "\n");
    DiskCache(folder).Keep(ImageKey(CompilerIdentity(), {text, architecture}), damaged[i]);
    ExpectRuns(FindKernel(DeviceState::Of(0), {&kKinds[i], {}}, [&] { return text; }));
  }
}

// Products of bfloat16 run at a speed that only tensor cores have: cuBLASLt is found and serves.
TEST_F(GpuOnlyTest, ProductsAreCublasLts) {
  if (has_device) {
    ASSERT_TRUE(LibraryOf(Lib::kCublasLt).open()) << LibraryOf(Lib::kCublasLt).problem();
    ASSERT_FALSE(SwitchedOff("SWITCHYARD_CUDA_LIBRARIES"));
  }
  const int64_t n = has_device ? 8192 : 16;
  const Tensor a = call("to.dtype", Uniform({n, n}), DType::kBFloat16).take();
  const double ms = Milliseconds([&] { call("mm", a, a); });
  const double flops = 2 * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n);
  if (has_device) {
    EXPECT_GT(flops / ms * 1e-9, 20) << "TFLOP/s; tiles in shared memory reach 8";
  }
}

// The same bits at every run where that is asked for, though sums are cut for many processors.
TEST_F(GpuOnlyTest, DeterministicProductsAreTheSameAtEveryRun) {
  const int64_t depth = has_device ? 1 << 20 : 64;
  const Tensor a = Uniform({16, depth}), b = Uniform({depth, 16});
  use_deterministic_algorithms(true);
  const Tensor first = call("mm", a, b).take();
  for (int i = 0; i < 20; ++i) ExpectClose(call("mm", a, b).take(), first, 0);
  use_deterministic_algorithms(false);
}

// Rows that all go to a few places take about as long as rows that go to one each.
TEST_F(GpuOnlyTest, SkewedIndicesAreNotWalkedByOneThread) {
  const int64_t n = Many(1 << 24);
  const Tensor few = Filled({16}, 0), source = Filled({n}, 1);
  const Tensor index =
      call("remainder", call("arange", n, kw("device", Cuda())).take(), Scalar(16)).take();
  const double ms = Milliseconds([&] { call("index_add_", few, 0, index, source); });
  ExpectClose(few, call("full", Sizes{16}, Scalar(static_cast<double>(2 * n / 16))).take(), 0);
  const Tensor alone = call("zeros", Sizes{16}, kw("device", Cuda())).take();
  const double one =
      Milliseconds([&] { call("index_add_", alone, 0, call("zeros_like", index).take(), source); });
  if (has_device) {
    EXPECT_LT(ms, 100);
    EXPECT_LT(one, 100);
  }
}

// Sixteen million indices out of range cost about what as many in range do, and are said once.
TEST_F(GpuOnlyTest, IndicesThatAreAllWrongAreReportedWithoutAQueueAtTheHost) {
  const int64_t n = Many(1 << 24);
  const Tensor x = Filled({2}, 1), wrong = Filled({n}, 9, DType::kInt64);
  const auto run = [&] {
    call("index_select", x, 0, wrong);
    try {
      CurrentStream(Cuda()).Synchronize();
      ADD_FAILURE() << "nothing was reported";
    } catch (const Error& e) {
      EXPECT_EQ(e.message(),
                "index_select(): index is 9, out of range for dim 0, which has size 2");
    }
  };
  run();
  const double ms = HostMilliseconds(run);
  if (has_device) {
    EXPECT_LT(ms, 50);
  }
  CurrentStream(Cuda()).Synchronize();  // once
}

// Kernels whose threads and blocks pass values on give the same bits at every run: none is read
// before it was written. The emulator runs one thread at a time.
TEST_F(GpuOnlyTest, WhatThreadsPassOnIsTheSameAtEveryRun) {
  const int64_t n = Many(1 << 24), side = has_device ? 4096 : 32;
  const Tensor line = Uniform({n}), square = Uniform({side, side});
  const Tensor index = call("randint", int64_t{1000}, Sizes{n}, kw("device", Cuda())).take();
  const std::vector<std::pair<const char*, std::function<Tensor()>>> calls = {
      {"sum", [&] { return call("sum", line).take(); }},
      {"sum of dim 0", [&] { return call("sum.dim_IntList", square, Sizes{0}).take(); }},
      {"cumsum", [&] { return call("cumsum", line, 0).take(); }},
      {"softmax", [&] { return call("softmax.int", square, 1).take(); }},
      {"index_add", [&] { return call("index_add", Filled({1000}, 0), 0, index, line).take(); }},
      {"sort", [&] { return call("sort", line, 0, false)[0].tensor(); }}};
  for (const auto& [name, f] : calls) {
    const Tensor first = ToHost(f());
    for (int i = 0; i < 10; ++i) {
      SCOPED_TRACE(name);
      EXPECT_TRUE(call("equal", ToHost(f()), first).scalar().To<bool>());
    }
  }
}

}  // namespace
}  // namespace sy::cuda
