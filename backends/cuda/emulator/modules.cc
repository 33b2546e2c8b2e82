#include "backends/cuda/emulator/modules.h"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string_view>
#include <vector>

#include "backends/cuda/emulator/cubin.h"
#include "backends/cuda/emulator/devices.h"
#include "backends/cuda/emulator/fibers.h"
#include "backends/cuda/emulator/prelude_text.h"
#include "backends/cuda/emulator/streams.h"
#include "backends/cuda/rtc/disk_cache.h"
#include "backends/cuda/rtc/headers.h"
#include "switchyard/core/error.h"
#include "third_party/fmt/format.h"

namespace sy::cuda::emulated {
namespace {

namespace fs = std::filesystem;

// How an image begins; the object follows, then the code.
struct ImageHead {
  char magic[8];
  uint64_t object_bytes, code_bytes;
};
constexpr char kMagic[8] = {'S', 'Y', 'E', 'M', 'U', 'L', 'A', '1'};

constexpr const char* kCommand =
    "g++ -std=c++20 -O0 -w -shared -fPIC -ffp-contract=off -fsanitize=alignment "
    "-fsanitize-undefined-trap-on-error -DSY_EMULATED";

// Of this process, or, where SWITCHYARD_EMULATOR_FOLDER says so, the user's.
const std::string& Folder() {
  static const std::string folder = [] {
    if (const char* given = std::getenv("SWITCHYARD_EMULATOR_FOLDER")) {
      fs::create_directories(given);
      return std::string(given);
    }
    const char* tmp = std::getenv("TEST_TMPDIR");
    static const pid_t owner = getpid();
    static const std::string own =
        fmt::format("{}/emulated_cuda.{}", tmp == nullptr ? "/tmp" : tmp, owner);
    fs::create_directories(own);
    std::atexit([] {
      std::error_code failed;
      if (getpid() == owner) fs::remove_all(own, failed);
    });
    return own;
  }();
  return folder;
}

// A path in there that nobody else has.
std::string NewPath() {
  static std::atomic<int> number{0};
  return fmt::format("{}/{}_{}", Folder(), getpid(), number++);
}

// Where the headers are that kernels include.
const std::string& Includes() {
  static const std::string folder = [] {
    const fs::path f = NewPath() + ".include";
    for (const Header& h : Headers()) {
      fs::create_directories((f / h.name).parent_path());
      std::ofstream(f / h.name) << h.text;
    }
    std::ofstream(f / "prelude.h") << kPreludeText;
    return f.string();
  }();
  return folder;
}

struct Module {
  std::string path, code;
  void* object;
  int device;
};

struct Function {
  int device;
  void (*run)(void**);
  std::string path;      // of its module
  void* (*sy_shared)();  // as prelude.h's
  size_t args_size;
  EmulatedGrid** grid;  // where the kernel looks for it
  KernelNeeds needs;    // of the machine code, where there is NVRTC
};

// Where a module's thread-local memory lies in this thread.
std::span<char> SharedMemory(const Function& function) {
  function.sy_shared();  // it is there only since somebody has asked
  struct Found {
    const std::string& path;
    std::span<char> memory;
  } found{function.path, {}};
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* data) {
        auto& f = *static_cast<Found*>(data);
        if (f.path != info->dlpi_name) return 0;
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          if (info->dlpi_phdr[i].p_type != PT_TLS) continue;
          f.memory = {static_cast<char*>(info->dlpi_tls_data), info->dlpi_phdr[i].p_memsz};
        }
        return 1;
      },
      &found);
  return found.memory;
}

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
           RunGrid(grid, function->run, given, SharedMemory(*function));
         }});
  return CUDA_SUCCESS;
}

std::string ContentsOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

CUresult ModuleLoadData(CUmodule* module, const void* image) {
  if (ReadyForUnsafe() != CUDA_SUCCESS) return ReadyForUnsafe();
  ImageHead head;
  if (std::memcmp(image, kMagic, sizeof kMagic) != 0) return CUDA_ERROR_INVALID_IMAGE;
  std::memcpy(&head, image, sizeof head);
  const char* const object = static_cast<const char*>(image) + sizeof head;
  const std::string path = NewPath() + ".so";
  std::ofstream(path, std::ios::binary)
      .write(object, static_cast<std::streamsize>(head.object_bytes));
  void* opened = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  unlink(path.c_str());
  if (opened == nullptr) {
    std::fprintf(stderr, "emulator: %s\n", dlerror());
    return CUDA_ERROR_INVALID_IMAGE;
  }
  *module = reinterpret_cast<CUmodule>(
      new Module{path, std::string(object + head.object_bytes, head.code_bytes), opened, current});
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
  function->path = m.path;
  function->sy_shared = reinterpret_cast<void* (*)()>(dlsym(m.object, "sy_shared"));
  if (!m.code.empty()) {
    function->needs = NeedsOf(m.code, name);
    if (function->needs.args_bytes != function->args_size) {
      std::fprintf(stderr, "emulator: what a kernel is given has %zu bytes here, %u on a device\n",
                   function->args_size, function->needs.args_bytes);
      return CUDA_ERROR_INVALID_IMAGE;
    }
  }
  *f = reinterpret_cast<CUfunction>(function);
  return CUDA_SUCCESS;
}

}  // namespace

std::string CompileForHost(const Source& source) {
  const std::string base = NewPath();
  std::ofstream(base + ".cc") << source.text;
  const std::string command = fmt::format("{} -I{} -include {}/prelude.h -o {}.so {}.cc 2> {}.log",
                                          kCommand, Includes(), Includes(), base, base, base);
  if (std::system(command.c_str()) != 0) {
    Fail(ErrorCode::kInternal,
         {"a kernel does not compile:\n", ContentsOf(base + ".log"), "\n", source.text});
  }
  const std::string object = ContentsOf(base + ".so");
  std::string code;
  if (HasNvrtc()) code = CompileWithNvrtc({source.text, "sm_90"});
  for (const char* suffix : {".cc", ".so", ".log"}) unlink((base + suffix).c_str());
  ImageHead head{{}, object.size(), code.size()};
  std::memcpy(head.magic, kMagic, sizeof kMagic);
  return std::string(reinterpret_cast<const char*>(&head), sizeof head) + object + code;
}

std::string HostCompilerIdentity() {
  return fmt::format("the emulator's {} {}", kCommand, Fingerprint(kPreludeText));
}

void AddModules(DriverTable& t) {
  t.ModuleLoadData = ModuleLoadData;
  t.ModuleGetFunction = ModuleGetFunction;
  t.LaunchKernel = LaunchKernel;
}

}  // namespace sy::cuda::emulated
