// A device that breaks one rule of the conformance kit: the one that the environment variable BAD
// names. Without it every check passes.

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cfenv>
#include <clocale>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <optional>

#include "switchyard/c/plugin.hpp"

namespace {

using namespace sy::abi;

bool Is(const char* fault) {
  const char* wanted = std::getenv("BAD");
  return wanted != nullptr && std::strcmp(wanted, fault) == 0;
}

// --- Memory ---

std::atomic<int64_t> alive{0}, allocated{0};
pid_t opened_by = 0;

// Aborts at exit while something is alive, as libraries of drivers do.
struct AtExit {
  ~AtExit() {
    if (alive.load() != 0 && Is("exit")) std::abort();
  }
} at_exit;

// How often this process has opened the device, counted where it outlives the object.
unsigned Opened() {
  if (std::getenv("BAD_OPENED") == nullptr) putenv(strdup("BAD_OPENED=0000000"));
  char* const digits = std::getenv("BAD_OPENED");
  const unsigned n = (static_cast<unsigned>(std::atoi(digits)) + 1) % 10'000'000;
  std::snprintf(digits, 8, "%07u", n);
  return n;
}

void* volatile kept = nullptr;

// What nobody frees, at the opening of that number.
size_t BytesKept() {
  if (Is("keeps much memory")) return 1 << 20;
  if (Is("keeps memory at first")) return Opened() < 200 ? 1000 : 0;
  if (!Is("keeps memory by doubling")) return 0;
  const unsigned n = Opened();
  return (n & (n - 1)) == 0 ? size_t{n} * 100 : 0;
}

int32_t Open(void*, int32_t, void** device, SyError*) noexcept {
  if (Is("ends without memory")) ::operator delete(::operator new(sizeof(int)));
  if (const size_t bytes = BytesKept(); bytes != 0) kept = std::malloc(bytes);
  *device = &alive;
  opened_by = getpid();
  return SY_OK;
}
int32_t Properties(void*, SyDeviceProperties* out, SyError*) noexcept {
  out->capabilities = SY_DEVICE_ADDRESSES | SY_DEVICE_HOST_VISIBLE | SY_DEVICE_FORK_SAFE;
  return SY_OK;
}

int32_t Allocate(void*, uint64_t bytes, uint64_t alignment, void*, SyBuffer* out,
                 SyError* error) noexcept {
  if (Is("fork") && getpid() != opened_by) std::abort();
  return Guard(error, [&] {
    const bool too_many = bytes > SIZE_MAX / 4;
    if (too_many && Is("endless memory")) bytes = 1;
    if (too_many && Is("wrong code")) throw Error(SY_E_INTERNAL, "something else");
    if (too_many && bytes != 1) throw std::bad_alloc();
    const uint64_t shift = Is("alignment") ? 1 : 0;
    void* note = Is("loses memory")        ? ::operator new(64)
                 : Is("loses much memory") ? ::operator new (size_t{40} << 20)  // mapped, by malloc
                                           : nullptr;
    void* memory = nullptr;
    static char spare[1 << 16];
    if (posix_memalign(&memory, std::max<uint64_t>(alignment, 8), bytes + shift) != 0) {
      if (!Is("ignores its driver")) throw std::bad_alloc();
      memory = spare;
    }
    ::operator delete(note);
    out->handle = static_cast<char*>(memory) + shift;
    out->bytes = bytes;
    ++alive;
    ++allocated;
  });
}
void Free(void*, const SyBuffer* b, void*) noexcept {
  --alive;
  if (Is("keeps memory")) return;
  if (Is("queue without order")) std::memset(b->handle, 0, b->bytes);
  std::free(static_cast<char*>(b->handle) - (Is("alignment") ? 1 : 0));
}
int32_t Stats(void*, SyMemoryStats* out) noexcept {
  const auto count = static_cast<uint64_t>(allocated.load());
  const auto now = static_cast<uint64_t>(alive.load());
  out->allocated_bytes = out->peak_bytes = 4000 * (Is("statistics") ? count : now);
  out->allocations = count;
  out->frees = count - now;
  return SY_OK;
}

struct Pending {
  void* to;
  const void* from;
  uint64_t bytes;
};
std::optional<Pending> pending;

int32_t Copy(void*, const SyCopy* c, void*, SyError*) noexcept {
  const void* from = c->kind == SY_COPY_HOST_TO_DEVICE
                         ? c->host_source
                         : static_cast<char*>(c->source->handle) + c->source_offset;
  const uint64_t offset = Is("offsets") ? 0 : c->destination_offset;
  void* to = c->kind == SY_COPY_DEVICE_TO_HOST
                 ? c->host_destination
                 : static_cast<char*>(c->destination->handle) + offset;
  if (Is("queue without order")) {
    if (pending) std::memcpy(pending->to, pending->from, pending->bytes);
    pending.reset();
    if (c->kind == SY_COPY_WITHIN_DEVICE) {
      pending = {to, from, c->bytes};
      return SY_OK;
    }
  }
  std::memcpy(to, from, c->bytes);
  return SY_OK;
}

int32_t Share(void*, const SyBuffer* b, SyShare* out, SyError*) noexcept {
  if (out->kind != SY_SHARE_ADDRESS) return SY_E_UNSUPPORTED;
  out->address = static_cast<char*>(b->handle) + (Is("shares elsewhere") ? 1 : 0);
  out->bytes = b->bytes;
  return SY_OK;
}
void Unshare(void*, const SyBuffer*, const SyShare*) noexcept {}
int32_t Adopt(void*, const SyShare* share, SyBuffer* out, SyError*) noexcept {
  if (share->kind != SY_SHARE_ADDRESS) return SY_E_UNSUPPORTED;
  out->handle = share->address;
  out->bytes = share->bytes;
  return SY_OK;
}
void Abandon(void*, const SyBuffer*) noexcept {}

int32_t HostAllocate(void*, uint64_t bytes, void** memory, SyError*) noexcept {
  static char one_for_all[4 << 20];
  *memory = Is("pins one block") ? one_for_all : std::malloc(bytes);
  return *memory == nullptr ? SY_E_OUT_OF_MEMORY : SY_OK;
}
void HostFree(void*, void* memory) noexcept {
  if (!Is("pins one block")) std::free(memory);
}

const SyDeviceFunctions functions = [] {
  SyDeviceFunctions f{};
  f.size = sizeof(f);
  f.open = Open;
  f.properties = Properties;
  f.allocate = Allocate;
  f.free = Free;
  f.memory_stats = Stats;
  f.copy = Copy;
  f.host_allocate = HostAllocate;
  f.host_free = HostFree;
  f.share = Share;
  f.unshare = Unshare;
  f.adopt = Adopt;
  f.abandon = Abandon;
  return f;
}();

// --- Kernels ---

void Spoil() {
  if (Is("crash")) raise(SIGSEGV);
  if (Is("hang")) pause();
  if (Is("rounding")) std::fesetround(FE_UPWARD);
  if (Is("signals")) signal(SIGUSR1, [](int) {});
  if (Is("terminate")) std::set_terminate([] { _exit(1); });
  if (Is("threads")) {  // in the C library from its first step: we are unmapped before it begins
    pthread_t thread;
    pthread_create(&thread, nullptr,
                   reinterpret_cast<void* (*)(void*)>(dlsym(RTLD_DEFAULT, "pause")), nullptr);
  }
  if (Is("files")) open("/dev/null", O_RDONLY);
  if (Is("locale")) setenv("BAD_LEFT", "1", 1);
}

// Whether what the host was asked for is there.
bool HasWorkspace(Call call) {
  try {
    call.Workspace(64);
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

void Add(Call call, Tensor out, Tensor a, Tensor b, Scalar alpha) {
  Spoil();
  if (a.numel() != out.numel() || b.numel() != out.numel() || out.dtype().code != SY_FLOAT32) {
    if (Is("writes before it declines") && out.numel() != 0) out.data<float>()[0] = 1;
    throw Declined();
  }
  if (Is("ignores strides")) {
    for (int64_t i = 0; i < out.numel(); ++i)
      out.data<float>()[i] = a.data<float>()[i] + alpha.To<float>() * b.data<float>()[i];
    return;
  }
  const float more = Is("values") || (Is("ignores the host") && !HasWorkspace(call)) ? 1 : 0;
  ForEach(
      [&](int64_t o, int64_t i, int64_t k) {
        out.data<float>()[o] = Load<float>(a, i) + alpha.To<float>() * Load<float>(b, k) + more;
      },
      out, a, b);
}

// self: [n, m]   index: [k]   →   [k, m], dimension 0 alone. Writes before it has seen every index
// where it is bad.
void IndexSelect(Call, Tensor out, Tensor self, int64_t dim, Tensor index) {
  if (self.dim() != 2 || dim != 0 || !self.is_contiguous() || !index.is_contiguous() ||
      index.dtype().code != SY_INT64 || !out.is_contiguous()) {
    throw Declined();
  }
  const int64_t n = self.size(0), m = self.size(1);
  const int64_t* at = index.data<int64_t>();
  if (Is("writes before it fails")) out.data<float>()[0] = 1;
  for (int64_t i = 0; i < index.numel(); ++i) {
    if (at[i] < 0 || at[i] >= n) throw Error(SY_E_INVALID_VALUE, "an index outside");
  }
  for (int64_t i = 0; i < index.numel(); ++i)
    std::memcpy(out.data<float>() + i * m, self.data<float>() + at[i] * m,
                static_cast<size_t>(m) * sizeof(float));
}

int32_t Shutdown(SyError* error) noexcept {
  if (!Is("never goes")) return SY_OK;
  WriteText(error, "not yet");
  return SY_E_BUSY;
}

const SyDeviceDef devices[] = {DeviceOf("bad", functions)};
constexpr SyKernelDef kernels[] = {Kernel<Add>("add.Tensor", "bad", SY_BIT(SY_FLOAT32)),
                                   Kernel<IndexSelect>("index_select", "bad", SY_BIT(SY_FLOAT32))};
const SyPlugin plugin = [] {
  SyPlugin p = MakePlugin("bad", "1.0", devices, {}, kernels);
  p.shutdown = Shutdown;
  return p;
}();

}  // namespace

SY_PLUGIN(plugin, "bad")
