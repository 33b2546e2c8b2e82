// A device with every callback, of which one fails at its n-th call: NTH="copy:2". NTH_LOST says
// that the device is lost then, NTH_UNSUPPORTED=share or adopt that it cannot do this. Work is done
// at once, on streams that only count.

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "switchyard/c/plugin.hpp"

namespace {

using namespace sy::abi;

std::atomic<int> calls{0};  // of the callback that is to fail, since init
std::atomic<bool> lost{false};

// What a callback answers. A device that was lost may not be asked: that ends the process.
int32_t Answer(const char* callback, SyError* error = nullptr) {
  const bool of_a_device = std::strcmp(callback, "count") != 0;
  if (lost.load() && of_a_device) {
    std::fprintf(stderr, "%s is called although the device is lost\n", callback);
    std::abort();
  }
  const char* wanted = std::getenv("NTH");
  if (wanted == nullptr) return SY_OK;
  const size_t n = std::strlen(callback);
  if (std::strncmp(wanted, callback, n) != 0 || wanted[n] != ':') return SY_OK;
  if (++calls != std::atoi(wanted + n + 1)) return SY_OK;
  WriteText(error, "no luck");
  if (std::getenv("NTH_LOST") == nullptr) return SY_E_INTERNAL;
  lost = of_a_device;
  return SY_E_DEVICE_LOST;
}
int32_t Answer(const char* callback, SyAsyncError* error) {
  const int32_t code = Answer(callback);
  if (code == SY_OK || error == nullptr) return code;
  error->code = code;
  std::strcpy(error->text, "no luck");
  return code;
}

std::atomic<int64_t> alive{0};  // blocks, streams and events

int32_t Count(void*, int32_t* n, SyError* error) noexcept {
  *n = 2;
  return Answer("count", error);
}
int32_t Open(void*, int32_t, void** device, SyError* error) noexcept {
  *device = &alive;
  lost = false;  // not this one
  return Answer("open", error);
}
int32_t Properties(void*, SyDeviceProperties* out, SyError* error) noexcept {
  out->capabilities = SY_DEVICE_ASYNC;
  return Answer("properties", error);
}
int32_t Allocate(void*, uint64_t bytes, uint64_t, void*, SyBuffer* out, SyError* error) noexcept {
  const int32_t code = Answer("allocate", error);
  if (code != SY_OK) return code;
  out->handle = std::malloc(bytes);
  out->bytes = bytes;
  ++alive;
  return SY_OK;
}
void Free(void*, const SyBuffer* b, void*) noexcept {
  std::free(b->handle);
  --alive;
}
int32_t Trim(void*) noexcept { return Answer("trim"); }
int32_t Stats(void*, SyMemoryStats* out) noexcept {
  const int32_t code = Answer("memory_stats");
  if (code == SY_OK) out->allocated_bytes = static_cast<uint64_t>(alive.load());
  return code;
}
int32_t Copy(void*, const SyCopy* c, void*, SyError* error) noexcept {
  const int32_t code = Answer("copy", error);
  if (code != SY_OK) return code;
  const void* from = c->kind == SY_COPY_HOST_TO_DEVICE
                         ? c->host_source
                         : static_cast<char*>(c->source->handle) + c->source_offset;
  void* to = c->kind == SY_COPY_DEVICE_TO_HOST
                 ? c->host_destination
                 : static_cast<char*>(c->destination->handle) + c->destination_offset;
  std::memcpy(to, from, c->bytes);
  return SY_OK;
}
int32_t Synchronize(void*, SyAsyncError* error) noexcept { return Answer("synchronize", error); }

int32_t Make(const char* callback, void** out, SyError* error) {
  const int32_t code = Answer(callback, error);
  if (code != SY_OK) return code;
  *out = std::malloc(1);
  ++alive;
  return SY_OK;
}
void Destroy(void*, void* made) noexcept {
  std::free(made);
  --alive;
}
int32_t StreamCreate(void*, int32_t, void** out, SyError* error) noexcept {
  return Make("stream_create", out, error);
}
int32_t StreamSynchronize(void*, void*, SyAsyncError* error) noexcept {
  return Answer("stream_synchronize", error);
}
int32_t EventCreate(void*, uint32_t, void** out, SyError* error) noexcept {
  return Make("event_create", out, error);
}
int32_t EventRecord(void*, void*, void*) noexcept { return Answer("event_record"); }
int32_t EventWait(void*, void*, void*) noexcept { return Answer("event_wait"); }
int32_t EventSynchronize(void*, void*, SyAsyncError* error) noexcept {
  return Answer("event_synchronize", error);
}
int32_t EventQuery(void*, void*) noexcept { return Answer("event_query"); }
int32_t EventElapsed(void*, void*, void*, uint64_t* nanoseconds) noexcept {
  *nanoseconds = 1000;
  return Answer("event_elapsed");
}

bool Unsupported(const char* callback) {
  const char* named = std::getenv("NTH_UNSUPPORTED");
  return named != nullptr && std::strstr(named, callback) != nullptr;
}
int32_t Share(void*, const SyBuffer* b, SyShare* out, SyError* error) noexcept {
  if (out->kind != SY_SHARE_ADDRESS || Unsupported("share")) return SY_E_UNSUPPORTED;
  const int32_t code = Answer("share", error);
  if (code != SY_OK) return code;
  out->address = b->handle;
  out->bytes = b->bytes;
  ++alive;
  return SY_OK;
}
void Unshare(void*, const SyBuffer*, const SyShare*) noexcept { --alive; }
int32_t Adopt(void*, const SyShare* share, SyBuffer* out, SyError* error) noexcept {
  if (share->kind != SY_SHARE_ADDRESS || Unsupported("adopt")) return SY_E_UNSUPPORTED;
  const int32_t code = Answer("adopt", error);
  if (code != SY_OK) return code;
  out->handle = share->address;
  out->bytes = share->bytes;
  ++alive;
  return SY_OK;
}
void Abandon(void*, const SyBuffer*) noexcept { --alive; }
int32_t HostAllocate(void*, uint64_t bytes, void** memory, SyError* error) noexcept {
  const int32_t code = Answer("host_allocate", error);
  if (code != SY_OK) return code;
  *memory = std::malloc(bytes);
  ++alive;
  return SY_OK;
}
void HostFree(void*, void* memory) noexcept {
  std::free(memory);
  --alive;
}

const SyDeviceFunctions functions = [] {
  SyDeviceFunctions f{};
  f.size = sizeof(f);
  f.count = Count;
  f.open = Open;
  f.properties = Properties;
  f.allocate = Allocate;
  f.free = Free;
  f.trim = Trim;
  f.memory_stats = Stats;
  f.copy = Copy;
  f.synchronize = Synchronize;
  f.stream_create = StreamCreate;
  f.stream_destroy = Destroy;
  f.stream_synchronize = StreamSynchronize;
  f.event_create = EventCreate;
  f.event_destroy = Destroy;
  f.event_record = EventRecord;
  f.event_wait = EventWait;
  f.event_synchronize = EventSynchronize;
  f.event_query = EventQuery;
  f.event_elapsed = EventElapsed;
  f.host_allocate = HostAllocate;
  f.host_free = HostFree;
  f.share = Share;
  f.unshare = Unshare;
  f.adopt = Adopt;
  f.abandon = Abandon;
  return f;
}();

float* Data(Tensor t) {
  return reinterpret_cast<float*>(static_cast<char*>(t.buffer()->handle) + t.byte_offset());
}

void Fill(Call call, Tensor out, Tensor, Scalar value) {
  const int32_t code = Answer("kernel", call.abi()->error);
  for (int64_t i = 0; i < out.numel(); ++i) {
    if (code != SY_OK && 2 * i >= out.numel())
      throw Error(code, "no luck, with half of it written");
    Data(out)[i] = value.To<float>();
  }
}

int32_t Init(const SyHost*, SyError*) noexcept {
  calls = 0;
  lost = false;
  return SY_OK;
}
// Refuses to go while it owns something that the host forgot.
int32_t Shutdown(SyError* error) noexcept {
  if (alive == 0) return SY_OK;
  WriteText(error, "something is alive");
  return SY_E_BUSY;
}

const SyDeviceDef devices[] = {DeviceOf("nth", functions)};
constexpr SyKernelDef kernels[] = {Kernel<Fill>("fill.Scalar", "nth", SY_BIT(SY_FLOAT32))};
const SyPlugin plugin = [] {
  SyPlugin p = MakePlugin("nth", "1.0", devices, {}, kernels);
  p.init = Init;
  p.shutdown = Shutdown;
  return p;
}();

}  // namespace

SY_PLUGIN(plugin, "nth")
