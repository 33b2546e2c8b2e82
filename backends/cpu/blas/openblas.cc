#include "switchyard/backends/cpu/blas/openblas.h"

#include <dlfcn.h>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include "switchyard/backends/cpu/blas/lapack_calls.h"
#include "switchyard/backends/cpu/engine/isa.h"
#include "switchyard/core/error.h"
#include "switchyard/core/find_function.h"
#include "switchyard/core/on_demand.h"
#include "switchyard/core/private_library.h"

namespace sy::cpu {
namespace {

constexpr const char* kFile = "libopenblas.so.0";
constexpr const char* kCoreVariable = "OPENBLAS_CORETYPE";

// --- What our copy gets instead of the system's functions.

// Set while it is opened, which one thread does.
const char* core_type = nullptr;

// The environment that it sees: one thread until it is told otherwise, and perhaps a core type.
char* Environment(const char* name) {
  if (std::strcmp(name, "OPENBLAS_NUM_THREADS") == 0) return const_cast<char*>("1");
  if (std::strcmp(name, kCoreVariable) == 0 && core_type != nullptr)
    return const_cast<char*>(core_type);
  return secure_getenv(name);
}
constinit std::atomic<void*> spare_buffer{nullptr};
constinit std::atomic<size_t> buffer_bytes{0};  // of each that it works in
// It asks again for ever where there is no memory for a buffer, and uses what malloc gives without
// looking. What is thrown here passes through its functions, none of which holds a lock then.
[[noreturn]] void FailMemory(size_t bytes) {
  Fail(ErrorCode::kOutOfMemory, {"cpu: out of memory: OpenBLAS asked for ", bytes, " bytes"});
}
void* Map(void* at, size_t bytes, int access, int flags, int fd, off_t offset) {
  if (bytes == buffer_bytes) {
    if (void* p = spare_buffer.exchange(nullptr)) return p;
  }
  void* const p = mmap(at, bytes, access, flags, fd, offset);
  if (p == MAP_FAILED) FailMemory(bytes);
  buffer_bytes = bytes;
  return p;
}
// A call that needs one buffer more than were ever used at a time takes this one: it does not fail
// in the middle. Memory that nobody touches is none.
void KeepSpareBuffer() {
  constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void* const p = mmap(nullptr, buffer_bytes, PROT_READ | PROT_WRITE, kFlags, -1, 0);
  if (p == MAP_FAILED) FailMemory(buffer_bytes);
  if (void* other = spare_buffer.exchange(p)) munmap(other, buffer_bytes);
}
void* Allocate(size_t bytes) {
  void* const p = std::malloc(bytes);
  if (p == nullptr && bytes != 0) FailMemory(bytes);
  return p;
}
// The child of a fork opens a copy of its own.
int NothingAtFork(void (*)(), void (*)(), void (*)(), void*) { return 0; }

std::vector<Import> Imports() {
  std::vector<Import> imports = LapackCalls();
  imports.insert(imports.end(), {{"getenv", reinterpret_cast<void*>(Environment)},
                                 {"mmap", reinterpret_cast<void*>(Map)},
                                 {"malloc", reinterpret_cast<void*>(Allocate)},
                                 {"__register_atfork", reinterpret_cast<void*>(NothingAtFork)}});
  return imports;
}

// --- Opening it.

// Which of its kernels OpenBLAS has chosen for this processor: "Haswell".
std::string_view CoreName(void* library) {
  const char* (*name)();
  return FindFunction(library, "openblas_get_corename", name) ? name() : std::string_view();
}

bool UsesIsa(std::string_view core, Isa isa) {
  constexpr std::string_view kAvx512Cores[] = {"SkylakeX", "Cooperlake", "SapphireRapids", "Zen4"};
  constexpr std::string_view kAvx2Cores[] = {"Haswell", "Zen", "Excavator"};
  const auto in = [core](const auto& names) {
    return std::find(std::begin(names), std::end(names), core) != std::end(names);
  };
  return isa == kBaseline || in(kAvx512Cores) || (isa == kAvx2 && in(kAvx2Cores));
}

// OpenBLAS knows processors by family and model, and takes those made after it for very old ones
// (Prescott), at a tenth of the speed. Where it chose badly, it is opened again, told what to use.
OpenedLibrary OpenForThisProcessor() {
  const std::vector<Import> imports = Imports();
  const OpenedLibrary chosen = OpenPrivately(kFile, imports);
  const Isa isa = BestIsa();
  if (!chosen.is_private || secure_getenv(kCoreVariable) != nullptr ||
      UsesIsa(CoreName(chosen.handle), isa))
    return chosen;
  dlclose(chosen.handle);
  core_type = isa == kAvx512 ? "SkylakeX" : "Haswell";
  const OpenedLibrary told = OpenPrivately(kFile, imports);
  core_type = nullptr;
  return told;
}

bool Load(OpenBlas& b) {
  OpenBeside({"libquadmath.so.0", "libgfortran.so.5"});
  const auto [library, is_private] = OpenForThisProcessor();
  if (library == nullptr) return false;
  const auto find = [lib = library](const char* name, auto& f) {
    return FindFunction(lib, name, f);
  };
  const bool complete = find("cblas_sgemm", b.sgemm) && find("cblas_dgemm", b.dgemm) &&
                        find("cblas_cgemm", b.cgemm) && find("cblas_zgemm", b.zgemm) &&
                        find("cblas_sgemv", b.sgemv) && find("cblas_dgemv", b.dgemv) &&
                        find("cblas_cgemv", b.cgemv) && find("cblas_zgemv", b.zgemv) &&
                        find("cblas_sdot", b.sdot) && find("cblas_ddot", b.ddot) &&
                        find("cblas_cdotu_sub", b.cdotu) && find("cblas_zdotu_sub", b.zdotu);
  b.has_lapack = LoadLapack(library, b.s) && LoadLapack(library, b.d) && LoadLapack(library, b.c) &&
                 LoadLapack(library, b.z) && (!is_private || LoadLapackCalls(library));
  if (!is_private) return complete;
  void* (*allocate)(int) = nullptr;
  void (*give_back)(void*) = nullptr;
  if (find("blas_memory_alloc", allocate) && find("blas_memory_free", give_back))
    give_back(allocate(0));  // tells how large its buffers are
  return complete;
}

constinit OnDemand<OpenBlas> openblas(Load);

const sy::internal::AtFork at_fork{sy::internal::ForkRank::kLibraries,
                                   [](sy::internal::ForkPhase phase) { openblas.OnFork(phase); }};

}  // namespace

const OpenBlas* OpenBlas::Get() {
  const OpenBlas* const blas = openblas.Get();
  const bool needs_spare = buffer_bytes.load(std::memory_order_relaxed) != 0 &&
                           spare_buffer.load(std::memory_order_relaxed) == nullptr;
  if (needs_spare) [[unlikely]]
    KeepSpareBuffer();
  return blas;
}

const OpenBlas& OpenBlas::GetOrFail(std::string_view op) {
  if (const OpenBlas* blas = Get()) return *blas;
  Fail(ErrorCode::kUnavailable, op, {"needs OpenBLAS: cannot open ", kFile});
}

}  // namespace sy::cpu
