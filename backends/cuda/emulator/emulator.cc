#include "backends/cuda/emulator/emulator.h"

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "backends/cuda/driver/driver.h"
#include "backends/cuda/emulator/cubin.h"
#include "backends/cuda/emulator/fibers.h"
#include "backends/cuda/emulator/fourier.h"
#include "backends/cuda/emulator/prelude_text.h"
#include "backends/cuda/emulator/solver.h"
#include "backends/cuda/rtc/compile.h"
#include "backends/cuda/rtc/headers.h"
#include "switchyard/core/error.h"

namespace sy::cuda {
namespace {

namespace fs = std::filesystem;

// --- Devices. A context is that of a device; each thread has a current one.

constexpr int kDevices = 2;
constexpr size_t kTotal = size_t{4} << 30;

struct DeviceOfOurs {
  size_t used = 0;
  CUresult failed = CUDA_SUCCESS;  // as EmulateFailure has it
  int captures = 0;                // that streams of it take part in
  bool reaches_other = false;
};
DeviceOfOurs devices[kDevices];
thread_local int current = -1;

CUcontext ContextOf(int device) { return reinterpret_cast<CUcontext>(uintptr_t(device) + 1); }
int DeviceOf(CUcontext context) {
  return static_cast<int>(reinterpret_cast<uintptr_t>(context)) - 1;
}

// What every call answers that needs a current device.
CUresult Ready() { return current < 0 ? CUDA_ERROR_INVALID_CONTEXT : devices[current].failed; }

// --- Memory: of a device, out of the host's and the other devices' reach but while it works.

struct Segment {
  size_t bytes;
  int device;
  char* pages;  // where they begin, and how much that is
  size_t mapped;
};
std::map<char*, Segment> segments;

// device: whose memory can be reached meanwhile; kAllDevices: copies know all addresses.
// looks_behind: so can what lies behind it be, to be read.
constexpr int kAllDevices = -1;
constexpr size_t kPage = 4096;
class DeviceWorks {
 public:
  DeviceWorks(int device, bool looks_behind) : device_(device), looks_behind_(looks_behind) {
    Protect(PROT_READ | PROT_WRITE, PROT_READ);
  }
  ~DeviceWorks() { Protect(PROT_NONE, PROT_NONE); }

 private:
  void Protect(int mode, int mode_behind) const {
    for (const auto& [p, s] : segments) {
      if (device_ != kAllDevices && device_ != s.device) continue;
      mprotect(s.pages, s.mapped, mode);
      if (looks_behind_) mprotect(s.pages + s.mapped, kPage, mode_behind);
    }
  }
  int device_;
  bool looks_behind_;
};

void FinishAll(int device);  // its queued work

// Memory ends where its pages do, as closely as the driver's alignment lets it, before a page that
// nobody may touch. It holds what nobody has written there: NaN, as far as that is worth while, and
// what is left behind it is looked at when it is freed.
constexpr size_t kAlignment = 256, kMostFilled = size_t{64} << 20;
constexpr unsigned char kUnwritten = 0xff;
size_t UpTo(size_t bytes, size_t unit) { return (bytes + unit - 1) / unit * unit; }
CUresult MemAlloc(CUdeviceptr* p, size_t n) {
  if (Ready() != CUDA_SUCCESS) return Ready();
  DeviceOfOurs& device = devices[current];
  if (n == 0) return CUDA_ERROR_INVALID_VALUE;
  if (n > kTotal || device.used + n > kTotal) return CUDA_ERROR_OUT_OF_MEMORY;
  const size_t mapped = UpTo(n, kPage);
  void* pages =
      mmap(nullptr, mapped + kPage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED) return CUDA_ERROR_OUT_OF_MEMORY;
  if (mapped <= kMostFilled) {
    mprotect(pages, mapped, PROT_READ | PROT_WRITE);
    std::memset(pages, kUnwritten, mapped);
    mprotect(pages, mapped, PROT_NONE);
  }
  char* const at = static_cast<char*>(pages) + mapped - UpTo(n, kAlignment);
  segments[at] = {n, current, static_cast<char*>(pages), mapped};
  device.used += n;
  *p = reinterpret_cast<CUdeviceptr>(at);
  return CUDA_SUCCESS;
}
void RequireUnwritten(const char* at, const Segment& s) {
  if (s.mapped > kMostFilled) return;
  mprotect(s.pages, s.mapped, PROT_READ);
  for (const char *end = s.pages + s.mapped, *p = at + s.bytes; p != end; ++p) {
    if (static_cast<unsigned char>(*p) == kUnwritten) continue;
    std::fprintf(stderr, "emulator: %td bytes behind memory of %zu bytes somebody has written\n",
                 p - at - static_cast<ptrdiff_t>(s.bytes), s.bytes);
    std::abort();
  }
}
CUresult MemFree(CUdeviceptr p) {
  if (Ready() != CUDA_SUCCESS) return Ready();
  const auto it = segments.find(reinterpret_cast<char*>(p));
  if (it == segments.end()) return CUDA_ERROR_INVALID_VALUE;
  FinishAll(kAllDevices);
  RequireUnwritten(it->first, it->second);
  munmap(it->second.pages, it->second.mapped + kPage);
  devices[it->second.device].used -= it->second.bytes;
  segments.erase(it);
  return CUDA_SUCCESS;
}
CUresult MemGetInfo(size_t* free, size_t* total) {
  if (Ready() != CUDA_SUCCESS) return Ready();
  *free = kTotal - devices[current].used;
  *total = kTotal;
  return CUDA_SUCCESS;
}
std::map<char*, size_t> pinned;
CUresult MemHostAlloc(void** p, size_t n, unsigned) {
  if (Ready() != CUDA_SUCCESS) return Ready();
  *p = std::calloc(1, n);
  pinned[static_cast<char*>(*p)] = n;
  return CUDA_SUCCESS;
}
CUresult MemFreeHost(void* p) {
  if (current < 0) return CUDA_ERROR_INVALID_CONTEXT;
  FinishAll(kAllDevices);
  pinned.erase(static_cast<char*>(p));
  std::free(p);
  return CUDA_SUCCESS;
}

// Whether the driver must be done with host memory when it returns: it is not pinned.
bool IsPageable(CUdeviceptr address) {
  const auto lies_in = [p = reinterpret_cast<char*>(address)](const auto& all, const auto& bytes) {
    const auto it = all.upper_bound(p);
    return it != all.begin() && p < std::prev(it)->first + bytes(std::prev(it)->second);
  };
  return !lies_in(segments, [](const Segment& s) { return s.bytes; }) &&
         !lies_in(pinned, [](size_t n) { return n; });
}

// --- Work: queued until somebody waits for it, so that who does not is found out; or recorded.

struct Stream;
// A place in a stream that events stand for.
struct Mark {
  Stream* stream;
  bool done = false;
  std::chrono::steady_clock::time_point at = {};
};
struct Work {
  int device;  // whose memory it may reach
  std::function<void()> run;
  std::shared_ptr<Mark> mark = {}, wait = {};  // instead of run
  bool looks_behind = false;                   // behind that memory
};
using Graph = std::vector<Work>;
struct Capture {
  Graph graph;
  std::vector<Stream*> streams;  // the first is the one that was captured, others have joined it
  std::set<Stream*> ahead;       // with work that the first one does not wait for
  bool good = true;
};
struct Stream {
  int device;
  Capture* capture = nullptr;
  std::deque<Work> queue = {};
};
std::vector<Stream*> streams;
struct Event {
  int device;
  Stream* stream = nullptr;    // where it was recorded
  Capture* capture = nullptr;  // in which it was recorded
  std::shared_ptr<Mark> mark = {};
};
Stream* Of(CUstream s) { return reinterpret_cast<Stream*>(s); }
Event* Of(CUevent e) { return reinterpret_cast<Event*>(e); }

// The next piece of a stream's work, and what it waits for of others.
void Step(Stream* s) {
  Work work = std::move(s->queue.front());
  s->queue.pop_front();
  if (work.mark != nullptr) {
    work.mark->done = true;
    work.mark->at = std::chrono::steady_clock::now();
  } else if (work.wait != nullptr) {
    while (!work.wait->done) Step(work.wait->stream);
  } else {
    const DeviceWorks works(work.device, work.looks_behind);
    work.run();
  }
}
void Finish(Stream* s) {
  while (!s->queue.empty()) Step(s);
}
void FinishAll(int device) {
  for (Stream* s : streams) {
    if (device == kAllDevices || s->device == device) Finish(s);
  }
}

void Do(CUstream stream, Work work) {
  Capture* c = Of(stream)->capture;
  if (c != nullptr) {
    if (Of(stream) != c->streams.front()) c->ahead.insert(Of(stream));
    return c->graph.push_back(std::move(work));
  }
  Of(stream)->queue.push_back(std::move(work));
}
// Work is given to streams of the current device.
CUresult ReadyFor(CUstream stream) {
  if (Ready() != CUDA_SUCCESS) return Ready();
  return Of(stream)->device == current ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult MemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t n, CUstream s) {
  if (ReadyFor(s) != CUDA_SUCCESS) return ReadyFor(s);
  const bool captured = Of(s)->capture != nullptr;
  if (!captured && IsPageable(from)) {
    const auto* bytes = reinterpret_cast<const char*>(from);
    Do(s, {kAllDevices, [to, staged = std::vector<char>(bytes, bytes + n)] {
             std::memcpy(reinterpret_cast<void*>(to), staged.data(), staged.size());
           }});
  } else {
    Do(s, {kAllDevices,
           [=] { std::memmove(reinterpret_cast<void*>(to), reinterpret_cast<void*>(from), n); }});
  }
  if (!captured && IsPageable(to)) Finish(Of(s));
  return CUDA_SUCCESS;
}
CUresult MemcpyPeerAsync(CUdeviceptr to, CUcontext to_context, CUdeviceptr from,
                         CUcontext from_context, size_t n, CUstream s) {
  const auto lies_there = [](CUdeviceptr p, CUcontext context) {
    const auto it = segments.upper_bound(reinterpret_cast<char*>(p));
    return it != segments.begin() && std::prev(it)->second.device == DeviceOf(context);
  };
  if (!lies_there(to, to_context) || !lies_there(from, from_context))
    return CUDA_ERROR_INVALID_VALUE;
  return MemcpyAsync(to, from, n, s);
}
CUresult MemsetD8Async(CUdeviceptr to, unsigned char value, size_t n, CUstream s) {
  if (ReadyFor(s) != CUDA_SUCCESS) return ReadyFor(s);
  Do(s, {current, [=] { std::memset(reinterpret_cast<void*>(to), value, n); }});
  return CUDA_SUCCESS;
}

struct Function {
  int device;
  void (*run)(void**);
  size_t args_size;
  EmulatedGrid** grid;  // where the kernel looks for it
  KernelNeeds needs;    // of the machine code, where there is NVRTC
};

CUresult LaunchKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                      unsigned bz, unsigned, CUstream s, void** params, void**) {
  if (ReadyFor(s) != CUDA_SUCCESS) return ReadyFor(s);
  if (gx == 0 || gy == 0 || gz != 1 || bx == 0 || bx > 1024 || by != 1 || bz != 1)
    return CUDA_ERROR_INVALID_VALUE;
  auto* function = reinterpret_cast<Function*>(f);
  if (function->args_size > 4096) return CUDA_ERROR_INVALID_VALUE;
  if (function->device != current) return CUDA_ERROR_INVALID_HANDLE;
  if (!BlockFits(function->needs, bx)) return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
  const auto* bytes = static_cast<const char*>(params[0]);
  // Kernels copy what they need as 16-byte units.
  struct alignas(16) Unit {
    char bytes[16];
  };
  std::vector<Unit> args((function->args_size + 15) / 16);
  std::memcpy(args.data(), bytes, function->args_size);
  Do(s, {current, [=]() mutable {
           EmulatedGrid grid{{gx, gy, 1}, {bx, 1, 1}, {}, {}, nullptr, nullptr, nullptr};
           *function->grid = &grid;
           void* given[] = {args.data()};
           RunGrid(grid, function->run, given);
         }});
  return CUDA_SUCCESS;
}

CUresult StreamCreate(CUstream* s, unsigned, int) {
  streams.push_back(new Stream{current});
  *s = reinterpret_cast<CUstream>(streams.back());
  return Ready();
}
CUresult ReadyToLookAt(CUstream s) {
  if (current < 0) return CUDA_ERROR_INVALID_CONTEXT;
  if (Capture* c = Of(s)->capture) {
    c->good = false;
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  }
  return devices[Of(s)->device].failed;
}
CUresult StreamSynchronize(CUstream s) {
  const CUresult ready = ReadyToLookAt(s);
  if (ready == CUDA_SUCCESS) Finish(Of(s));
  return ready;
}
// Who asks lets some of it be done.
CUresult StreamQuery(CUstream s) {
  const CUresult ready = ReadyToLookAt(s);
  if (ready != CUDA_SUCCESS || Of(s)->queue.empty()) return ready;
  Step(Of(s));
  return CUDA_ERROR_NOT_READY;
}

void Join(Capture* c, Stream* s) {
  s->capture = c;
  c->streams.push_back(s);
  ++devices[s->device].captures;
}
CUresult StreamBeginCapture(CUstream s, CUstreamCaptureMode) {
  if (Of(s)->capture != nullptr) return CUDA_ERROR_ILLEGAL_STATE;
  Join(new Capture, Of(s));
  return Ready();
}
CUresult StreamEndCapture(CUstream s, CUgraph* graph) {
  Capture* c = Of(s)->capture;
  *graph = nullptr;
  if (c == nullptr || c->streams.front() != Of(s)) return CUDA_ERROR_ILLEGAL_STATE;
  for (Stream* stream : c->streams) {
    stream->capture = nullptr;
    --devices[stream->device].captures;
  }
  // The capture stays: events may know it.
  if (!c->good) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  if (!c->ahead.empty()) return CUDA_ERROR_STREAM_CAPTURE_UNJOINED;
  *graph = reinterpret_cast<CUgraph>(new Graph(std::move(c->graph)));
  return CUDA_SUCCESS;
}
CUresult GraphInstantiate(CUgraphExec* exec, CUgraph graph, unsigned long long) {
  *exec = reinterpret_cast<CUgraphExec>(new Graph(*reinterpret_cast<Graph*>(graph)));
  return CUDA_SUCCESS;
}
CUresult GraphLaunch(CUgraphExec exec, CUstream s) {
  if (ReadyFor(s) != CUDA_SUCCESS) return ReadyFor(s);
  for (const Work& work : *reinterpret_cast<Graph*>(exec)) Do(s, work);
  return CUDA_SUCCESS;
}
CUresult GraphDestroy(CUgraph graph) {
  delete reinterpret_cast<Graph*>(graph);
  return CUDA_SUCCESS;
}
CUresult GraphExecDestroy(CUgraphExec exec) {
  if (current < 0) return CUDA_ERROR_INVALID_CONTEXT;
  delete reinterpret_cast<Graph*>(exec);
  return CUDA_SUCCESS;
}

CUresult EventCreate(CUevent* e, unsigned) {
  *e = reinterpret_cast<CUevent>(new Event{current});
  return Ready();
}
CUresult EventDestroy(CUevent e) {
  if (current < 0) return CUDA_ERROR_INVALID_CONTEXT;
  delete Of(e);
  return CUDA_SUCCESS;
}
CUresult EventRecord(CUevent e, CUstream s) {
  if (Of(e)->device != Of(s)->device) return CUDA_ERROR_INVALID_HANDLE;
  Of(e)->stream = Of(s);
  Of(e)->capture = Of(s)->capture;
  Of(e)->mark = nullptr;
  if (Of(s)->capture == nullptr) {
    Of(e)->mark = std::make_shared<Mark>(Mark{Of(s)});
    Do(s, {Of(s)->device, {}, Of(e)->mark, {}});
  }
  return devices[Of(s)->device].failed;
}
CUresult ReadyToLookAt(CUevent e) {
  if (current < 0) return CUDA_ERROR_INVALID_CONTEXT;
  if (Capture* c = Of(e)->capture) {
    c->good = false;
    return CUDA_ERROR_CAPTURED_EVENT;
  }
  return devices[Of(e)->device].failed;
}
CUresult EventSynchronize(CUevent e) {
  const CUresult ready = ReadyToLookAt(e);
  if (ready != CUDA_SUCCESS || Of(e)->mark == nullptr) return ready;
  while (!Of(e)->mark->done) Step(Of(e)->mark->stream);
  return CUDA_SUCCESS;
}
CUresult EventQuery(CUevent e) {
  const CUresult ready = ReadyToLookAt(e);
  if (ready != CUDA_SUCCESS || Of(e)->mark == nullptr || Of(e)->mark->done) return ready;
  Step(Of(e)->mark->stream);
  return CUDA_ERROR_NOT_READY;
}
CUresult EventElapsedTime(float* ms, CUevent a, CUevent b) {
  *ms = std::chrono::duration<float, std::milli>(Of(b)->mark->at - Of(a)->mark->at).count();
  return CUDA_SUCCESS;
}
CUresult StreamWaitEvent(CUstream s, CUevent e, unsigned) {
  Capture *mine = Of(s)->capture, *its = Of(e)->capture;
  if (mine == its) {
    if (mine != nullptr && Of(e)->stream != Of(s) && mine->ahead.erase(Of(e)->stream) != 0 &&
        Of(s) != mine->streams.front())
      mine->ahead.insert(Of(s));
    const std::shared_ptr<Mark> mark = Of(e)->mark;
    if (mark != nullptr && !mark->done) Do(s, {Of(s)->device, {}, {}, mark});
    return CUDA_SUCCESS;
  }
  if (mine != nullptr) {
    mine->good = false;
    return its == nullptr ? CUDA_ERROR_STREAM_CAPTURE_ISOLATION : CUDA_ERROR_STREAM_CAPTURE_MERGE;
  }
  Join(its, Of(s));
  return CUDA_SUCCESS;
}

// --- The devices

CUresult DeviceGetCount(int* n) {
  *n = kDevices;
  return CUDA_SUCCESS;
}
CUresult DeviceGet(CUdevice* device, int index) {
  *device = index;
  return index >= 0 && index < kDevices ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
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
  *can = 1;
  return CUDA_SUCCESS;
}
CUresult PrimaryCtxRetain(CUcontext* context, CUdevice device) {
  *context = ContextOf(device);
  return CUDA_SUCCESS;
}
CUresult CtxGetCurrent(CUcontext* context) {
  *context = ContextOf(current);
  return CUDA_SUCCESS;
}
CUresult CtxSetCurrent(CUcontext context) {
  current = DeviceOf(context);
  return CUDA_SUCCESS;
}
CUresult CtxSynchronize() {
  if (Ready() != CUDA_SUCCESS) return Ready();
  if (devices[current].captures != 0) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  FinishAll(current);
  return CUDA_SUCCESS;
}
CUresult CtxEnablePeerAccess(CUcontext, unsigned) {
  if (Ready() != CUDA_SUCCESS) return Ready();
  return std::exchange(devices[current].reaches_other, true)
             ? CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED
             : CUDA_SUCCESS;
}
CUresult PriorityRange(int* least, int* greatest) {
  *least = 0;
  *greatest = -5;
  return Ready();
}
CUresult Init(unsigned) { return CUDA_SUCCESS; }
CUresult GetErrorName(CUresult r, const char** name) {
  constexpr std::pair<CUresult, const char*> kNames[] = {
      {CUDA_ERROR_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY"},
      {CUDA_ERROR_INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT"},
      {CUDA_ERROR_INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE"},
      {CUDA_ERROR_ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS"},
      {CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED"},
      {CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED"},
      {CUDA_ERROR_STREAM_CAPTURE_UNJOINED, "CUDA_ERROR_STREAM_CAPTURE_UNJOINED"},
      {CUDA_ERROR_STREAM_CAPTURE_ISOLATION, "CUDA_ERROR_STREAM_CAPTURE_ISOLATION"},
      {CUDA_ERROR_CAPTURED_EVENT, "CUDA_ERROR_CAPTURED_EVENT"}};
  *name = "CUDA_ERROR_INVALID_VALUE";
  for (const auto& [result, text] : kNames) {
    if (result == r) *name = text;
  }
  return CUDA_SUCCESS;
}
CUresult GetErrorString(CUresult, const char** text) {
  *text = "said by the emulator";
  return CUDA_SUCCESS;
}

// --- Kernels: an image is the path of a shared object; the device's code, where there is NVRTC,
// lies beside it.
constexpr const char* kCodeSuffix = ".cubin";

struct Module {
  std::string path;
  void* object;
  int device;
};

std::string ContentsOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

CUresult ModuleLoadData(CUmodule* module, const void* image) {
  if (Ready() != CUDA_SUCCESS) return Ready();
  void* opened = dlopen(static_cast<const char*>(image), RTLD_NOW | RTLD_LOCAL);
  if (opened == nullptr) {
    std::fprintf(stderr, "emulator: %s\n", dlerror());
    return CUDA_ERROR_INVALID_IMAGE;
  }
  *module =
      reinterpret_cast<CUmodule>(new Module{static_cast<const char*>(image), opened, current});
  return CUDA_SUCCESS;
}
CUresult ModuleGetFunction(CUfunction* f, CUmodule handle, const char* name) {
  const Module& m = *reinterpret_cast<Module*>(handle);
  void* const run = dlsym(m.object, name);
  if (run == nullptr) return CUDA_ERROR_NOT_FOUND;
  auto* function = new Function;
  function->device = m.device;
  function->run = reinterpret_cast<void (*)(void**)>(run);
  function->args_size =
      *static_cast<size_t*>(dlsym(m.object, (std::string(name) + "_args_size").c_str()));
  function->grid = static_cast<EmulatedGrid**>(dlsym(m.object, "sy_grid"));
  if (const std::string code = ContentsOf(m.path + kCodeSuffix); !code.empty()) {
    function->needs = NeedsOf(code);
    if (function->needs.args_bytes != function->args_size) {
      std::fprintf(stderr, "emulator: what a kernel is given has %zu bytes here, %u on a device\n",
                   function->args_size, function->needs.args_bytes);
      return CUDA_ERROR_INVALID_IMAGE;
    }
  }
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
  static int number = 0;
  const std::string base =
      Folder() + "/" + std::to_string(getpid()) + "_" + std::to_string(number++);
  std::ofstream(base + ".cc") << source.text;
  const std::string command =
      "g++ -std=c++20 -O0 -w -shared -fPIC -ffp-contract=off -fsanitize=alignment "
      "-fsanitize-undefined-trap-on-error -DSY_EMULATED -I" +
      Folder() + " -include " + Folder() + "/prelude.h -o " + base + ".so " + base + ".cc 2> " +
      base + ".log";
  if (std::system(command.c_str()) != 0) {
    Fail(ErrorCode::kInternal,
         {"a kernel does not compile:\n", ContentsOf(base + ".log"), "\n", source.text});
  }
  std::string image = base + ".so";
  if (HasNvrtc())
    std::ofstream(image + kCodeSuffix, std::ios::binary)
        << CompileWithNvrtc({source.text, "sm_90"});
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
  t.CtxGetCurrent = CtxGetCurrent;
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
  t.MemcpyPeerAsync = MemcpyPeerAsync;
  t.MemsetD8Async = MemsetD8Async;
  t.StreamCreateWithPriority = StreamCreate;
  t.StreamQuery = StreamQuery;
  t.StreamSynchronize = StreamSynchronize;
  t.StreamWaitEvent = StreamWaitEvent;
  t.StreamBeginCapture = StreamBeginCapture;
  t.StreamEndCapture = StreamEndCapture;
  t.EventCreate = EventCreate;
  t.EventDestroy = EventDestroy;
  t.EventRecord = EventRecord;
  t.EventQuery = EventQuery;
  t.EventSynchronize = EventSynchronize;
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

void QueueOnHost(CUstream stream, std::function<void()> work) {
  // Some of OpenBLAS's functions read a number past a matrix.
  Do(stream, {Of(stream)->device, std::move(work), {}, {}, /*looks_behind=*/true});
}

bool LiesOnDevice(CUstream stream, const void* p, size_t bytes) {
  char* const at = static_cast<char*>(const_cast<void*>(p));
  const auto behind = segments.upper_bound(at);
  if (behind == segments.begin()) return false;
  const auto& [begin, s] = *std::prev(behind);
  return s.device == Of(stream)->device && at + bytes <= begin + s.bytes;
}

const DriverTable& EmulatedDriver() {
  static const DriverTable table = MakeTable();
  return table;
}

void EmulateCuda(const DriverTable& table) {
  setenv("SWITCHYARD_CUDA_CACHE", "", 0);       // objects are of this process
  setenv("SWITCHYARD_CUDA_LIBRARIES", "0", 1);  // which need a device
  UseDriver(table);
  UseCompiler(CompileForHost);
  EmulateSolver();
  EmulateFourier();
}

void EmulateFailure(int device, CUresult result) { devices[device].failed = result; }

}  // namespace sy::cuda
