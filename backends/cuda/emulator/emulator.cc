#include "backends/cuda/emulator/emulator.h"

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "backends/cuda/driver/driver.h"
#include "backends/cuda/emulator/fibers.h"
#include "backends/cuda/emulator/prelude_text.h"
#include "backends/cuda/emulator/solver.h"
#include "backends/cuda/rtc/compile.h"
#include "backends/cuda/rtc/headers.h"
#include "switchyard/core/error.h"

namespace sy::cuda {
namespace {

namespace fs = std::filesystem;

// --- Memory: of the device, out of the host's reach but while the device works.

constexpr size_t kTotal = size_t{4} << 30;
std::map<char*, size_t> segments;
size_t used = 0;

void Protect(int mode) {
  for (const auto& [p, n] : segments) mprotect(p, n, mode);
}
class DeviceWorks {
 public:
  DeviceWorks() { Protect(PROT_READ | PROT_WRITE); }
  ~DeviceWorks() { Protect(PROT_NONE); }
};

CUresult MemAlloc(CUdeviceptr* p, size_t n) {
  if (used + n > kTotal) return CUDA_ERROR_OUT_OF_MEMORY;
  void* at = mmap(nullptr, n, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) return CUDA_ERROR_OUT_OF_MEMORY;
  segments[static_cast<char*>(at)] = n;
  used += n;
  *p = reinterpret_cast<CUdeviceptr>(at);
  return CUDA_SUCCESS;
}
CUresult MemFree(CUdeviceptr p) {
  const auto it = segments.find(reinterpret_cast<char*>(p));
  munmap(it->first, it->second);
  used -= it->second;
  segments.erase(it);
  return CUDA_SUCCESS;
}
CUresult MemGetInfo(size_t* free, size_t* total) {
  *free = kTotal - used;
  *total = kTotal;
  return CUDA_SUCCESS;
}
CUresult MemHostAlloc(void** p, size_t n, unsigned) {
  *p = std::calloc(1, n);
  return CUDA_SUCCESS;
}
CUresult MemFreeHost(void* p) {
  std::free(p);
  return CUDA_SUCCESS;
}

// --- Work: done at once, or recorded.

struct Event {
  std::chrono::steady_clock::time_point at;
};
struct Stream {
  std::vector<std::function<void()>>* recording = nullptr;
};
using Graph = std::vector<std::function<void()>>;
Stream* Of(CUstream s) { return reinterpret_cast<Stream*>(s); }

void Do(CUstream stream, std::function<void()> work) {
  if (Of(stream)->recording != nullptr) return Of(stream)->recording->push_back(std::move(work));
  const DeviceWorks works;
  work();
}

CUresult MemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t n, CUstream s) {
  Do(s, [=] { std::memmove(reinterpret_cast<void*>(to), reinterpret_cast<void*>(from), n); });
  return CUDA_SUCCESS;
}
CUresult MemsetD8Async(CUdeviceptr to, unsigned char value, size_t n, CUstream s) {
  Do(s, [=] { std::memset(reinterpret_cast<void*>(to), value, n); });
  return CUDA_SUCCESS;
}

struct Function {
  void (*run)(void**);
  size_t args_size;
  EmulatedGrid** grid;  // where the kernel looks for it
};

CUresult LaunchKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                      unsigned bz, unsigned, CUstream s, void** params, void**) {
  if (gx == 0 || gy == 0 || gz != 1 || bx == 0 || bx > 1024 || by != 1 || bz != 1)
    return CUDA_ERROR_INVALID_VALUE;
  auto* function = reinterpret_cast<Function*>(f);
  if (function->args_size > 4096) return CUDA_ERROR_INVALID_VALUE;
  const auto* bytes = static_cast<const char*>(params[0]);
  // Kernels copy what they need as 16-byte units.
  struct alignas(16) Unit {
    char bytes[16];
  };
  std::vector<Unit> args((function->args_size + 15) / 16);
  std::memcpy(args.data(), bytes, function->args_size);
  Do(s, [=]() mutable {
    EmulatedGrid grid{{gx, gy, 1}, {bx, 1, 1}, {}, {}, nullptr, nullptr};
    *function->grid = &grid;
    void* given[] = {args.data()};
    RunGrid(grid, function->run, given);
  });
  return CUDA_SUCCESS;
}

CUresult StreamCreate(CUstream* s, unsigned, int) {
  *s = reinterpret_cast<CUstream>(new Stream);
  return CUDA_SUCCESS;
}
CUresult StreamDone(CUstream s) {
  return Of(s)->recording == nullptr ? CUDA_SUCCESS : CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
}
CUresult StreamBeginCapture(CUstream s, CUstreamCaptureMode) {
  Of(s)->recording = new Graph;
  return CUDA_SUCCESS;
}
CUresult StreamEndCapture(CUstream s, CUgraph* graph) {
  *graph = reinterpret_cast<CUgraph>(std::exchange(Of(s)->recording, nullptr));
  return CUDA_SUCCESS;
}
CUresult GraphInstantiate(CUgraphExec* exec, CUgraph graph, unsigned long long) {
  *exec = reinterpret_cast<CUgraphExec>(new Graph(*reinterpret_cast<Graph*>(graph)));
  return CUDA_SUCCESS;
}
CUresult GraphLaunch(CUgraphExec exec, CUstream s) {
  for (const auto& work : *reinterpret_cast<Graph*>(exec)) Do(s, work);
  return CUDA_SUCCESS;
}
CUresult GraphDestroy(CUgraph graph) {
  delete reinterpret_cast<Graph*>(graph);
  return CUDA_SUCCESS;
}
CUresult GraphExecDestroy(CUgraphExec exec) {
  delete reinterpret_cast<Graph*>(exec);
  return CUDA_SUCCESS;
}

CUresult EventCreate(CUevent* e, unsigned) {
  *e = reinterpret_cast<CUevent>(new Event);
  return CUDA_SUCCESS;
}
CUresult EventDestroy(CUevent e) {
  delete reinterpret_cast<Event*>(e);
  return CUDA_SUCCESS;
}
CUresult EventRecord(CUevent e, CUstream) {
  reinterpret_cast<Event*>(e)->at = std::chrono::steady_clock::now();
  return CUDA_SUCCESS;
}
CUresult EventDone(CUevent) { return CUDA_SUCCESS; }
CUresult EventElapsedTime(float* ms, CUevent a, CUevent b) {
  *ms = std::chrono::duration<float, std::milli>(reinterpret_cast<Event*>(b)->at -
                                                 reinterpret_cast<Event*>(a)->at)
            .count();
  return CUDA_SUCCESS;
}
CUresult StreamWaitEvent(CUstream, CUevent, unsigned) { return CUDA_SUCCESS; }

// --- The device

CUresult DeviceGetCount(int* n) {
  *n = 1;
  return CUDA_SUCCESS;
}
CUresult DeviceGet(CUdevice* device, int) {
  *device = 0;
  return CUDA_SUCCESS;
}
CUresult DeviceGetName(char* name, int n, CUdevice) {
  std::snprintf(name, static_cast<size_t>(n), "emulated on the host");
  return CUDA_SUCCESS;
}
CUresult DeviceTotalMem(size_t* n, CUdevice) {
  *n = kTotal;
  return CUDA_SUCCESS;
}
CUresult DeviceGetAttribute(int* value, CUdevice_attribute which, CUdevice) {
  *value = which == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR         ? 9
           : which == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR       ? 0
           : which == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT           ? 2
           : which == CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR ? 2048
                                                                         : 48 << 10;
  return CUDA_SUCCESS;
}
CUresult DeviceCanAccessPeer(int* can, CUdevice, CUdevice) {
  *can = 0;
  return CUDA_SUCCESS;
}
CUresult PrimaryCtxRetain(CUcontext* context, CUdevice) {
  *context = nullptr;
  return CUDA_SUCCESS;
}
CUresult CtxSetCurrent(CUcontext) { return CUDA_SUCCESS; }
CUresult CtxSynchronize() { return CUDA_SUCCESS; }
CUresult CtxEnablePeerAccess(CUcontext, unsigned) { return CUDA_SUCCESS; }
CUresult PriorityRange(int* least, int* greatest) {
  *least = 0;
  *greatest = -5;
  return CUDA_SUCCESS;
}
CUresult Init(unsigned) { return CUDA_SUCCESS; }
CUresult GetErrorName(CUresult r, const char** name) {
  *name = r == CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED ? "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED"
                                                     : "CUDA_ERROR_INVALID_VALUE";
  return CUDA_SUCCESS;
}
CUresult GetErrorString(CUresult, const char** text) {
  *text = "said by the emulator";
  return CUDA_SUCCESS;
}

// --- Kernels: an image is the path of a shared object.

CUresult ModuleLoadData(CUmodule* module, const void* image) {
  void* opened = dlopen(static_cast<const char*>(image), RTLD_NOW | RTLD_LOCAL);
  if (opened == nullptr) {
    std::fprintf(stderr, "emulator: %s\n", dlerror());
    return CUDA_ERROR_INVALID_IMAGE;
  }
  *module = static_cast<CUmodule>(opened);
  return CUDA_SUCCESS;
}
CUresult ModuleGetFunction(CUfunction* f, CUmodule module, const char* name) {
  void* const run = dlsym(module, name);
  if (run == nullptr) return CUDA_ERROR_NOT_FOUND;
  auto* function = new Function;
  function->run = reinterpret_cast<void (*)(void**)>(run);
  function->args_size =
      *static_cast<size_t*>(dlsym(module, (std::string(name) + "_args_size").c_str()));
  function->grid = static_cast<EmulatedGrid**>(dlsym(module, "sy_grid"));
  *f = reinterpret_cast<CUfunction>(function);
  return CUDA_SUCCESS;
}

// Headers and objects of this process, or, where SWITCHYARD_EMULATOR_FOLDER says so, of all.
const std::string& Folder() {
  static const std::string folder = [] {
    const char* given = std::getenv("SWITCHYARD_EMULATOR_FOLDER");
    const char* tmp = std::getenv("TEST_TMPDIR");
    std::string f = given != nullptr ? given
                                     : std::string(tmp == nullptr ? "/tmp" : tmp) +
                                           "/emulated_cuda." + std::to_string(getpid());
    for (const Header& h : Headers()) {
      const fs::path path = fs::path(f) / h.name;
      fs::create_directories(path.parent_path());
      std::ofstream(path) << h.text;
    }
    std::ofstream(fs::path(f) / "prelude.h") << kPreludeText;
    return f;
  }();
  return folder;
}

std::string CompileForHost(const Source& source) {
  if (HasNvrtc()) CompileWithNvrtc({source.text, "compute_90"});  // what a device would get
  static int number = 0;
  const std::string base =
      Folder() + "/" + std::to_string(getpid()) + "_" + std::to_string(number++);
  std::ofstream(base + ".cc") << source.text;
  const std::string command =
      "g++ -std=c++20 -O0 -w -shared -fPIC -ffp-contract=off -DSY_EMULATED -I" + Folder() +
      " -include " + Folder() + "/prelude.h -o " + base + ".so " + base + ".cc 2> " + base + ".log";
  if (std::system(command.c_str()) != 0) {
    std::ifstream log(base + ".log");
    const std::string text{std::istreambuf_iterator<char>(log), {}};
    Fail(ErrorCode::kInternal, {"a kernel does not compile:\n", text, "\n", source.text});
  }
  std::string image = base + ".so";
  image.push_back('\0');
  return image;
}

DriverTable MakeTable() {
  DriverTable t{};
  t.Init = Init;
  t.GetErrorName = GetErrorName;
  t.GetErrorString = GetErrorString;
  t.DeviceGetCount = DeviceGetCount;
  t.DeviceGet = DeviceGet;
  t.DeviceGetName = DeviceGetName;
  t.DeviceGetAttribute = DeviceGetAttribute;
  t.DeviceTotalMem = DeviceTotalMem;
  t.DeviceCanAccessPeer = DeviceCanAccessPeer;
  t.DevicePrimaryCtxRetain = PrimaryCtxRetain;
  t.CtxSetCurrent = CtxSetCurrent;
  t.CtxSynchronize = CtxSynchronize;
  t.CtxGetStreamPriorityRange = PriorityRange;
  t.CtxEnablePeerAccess = CtxEnablePeerAccess;
  t.MemGetInfo = MemGetInfo;
  t.MemAlloc = MemAlloc;
  t.MemFree = MemFree;
  t.MemHostAlloc = MemHostAlloc;
  t.MemFreeHost = MemFreeHost;
  t.MemcpyAsync = MemcpyAsync;
  t.MemsetD8Async = MemsetD8Async;
  t.StreamCreateWithPriority = StreamCreate;
  t.StreamQuery = StreamDone;
  t.StreamSynchronize = StreamDone;
  t.StreamWaitEvent = StreamWaitEvent;
  t.StreamBeginCapture = StreamBeginCapture;
  t.StreamEndCapture = StreamEndCapture;
  t.EventCreate = EventCreate;
  t.EventDestroy = EventDestroy;
  t.EventRecord = EventRecord;
  t.EventQuery = EventDone;
  t.EventSynchronize = EventDone;
  t.EventElapsedTime = EventElapsedTime;
  t.ModuleLoadData = ModuleLoadData;
  t.ModuleGetFunction = ModuleGetFunction;
  t.LaunchKernel = LaunchKernel;
  t.GraphInstantiate = GraphInstantiate;
  t.GraphLaunch = GraphLaunch;
  t.GraphDestroy = GraphDestroy;
  t.GraphExecDestroy = GraphExecDestroy;
  return t;
}

}  // namespace

void WithDeviceMemory(const std::function<void()>& work) {
  const DeviceWorks works;
  work();
}

void EmulateCuda() {
  static const DriverTable table = MakeTable();
  setenv("SWITCHYARD_CUDA_CACHE", "", 0);       // objects are of this process
  setenv("SWITCHYARD_CUDA_LIBRARIES", "0", 1);  // which need a device
  UseDriver(table);
  UseCompiler(CompileForHost);
  EmulateSolver();
}

}  // namespace sy::cuda
