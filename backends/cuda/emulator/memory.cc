#include "backends/cuda/emulator/memory.h"

#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <memory>

#include "backends/cuda/emulator/devices.h"
#include "backends/cuda/emulator/streams.h"

namespace sy::cuda::emulated {
namespace {

struct Segment {
  size_t bytes;
  int device;
  char* pages;  // where they begin, and how much that is
  size_t mapped;
};
std::map<char*, Segment> segments;

constexpr size_t kPage = 4096;

}  // namespace

DeviceWorks::DeviceWorks(int device, bool looks_behind)
    : device_(device), looks_behind_(looks_behind) {
  Protect(PROT_READ | PROT_WRITE, PROT_READ);
}
DeviceWorks::~DeviceWorks() { Protect(PROT_NONE, PROT_NONE); }
void DeviceWorks::Protect(int mode, int mode_behind) const {
  for (const auto& [p, s] : segments) {
    if (device_ != kAllDevices && device_ != s.device) continue;
    mprotect(s.pages, s.mapped, mode);
    if (looks_behind_) mprotect(s.pages + s.mapped, kPage, mode_behind);
  }
}

namespace {

// Memory ends where its pages do, as closely as the driver's alignment lets it, before a page that
// nobody may touch. It holds what nobody has written there: NaN, as far as that is worth while, and
// what is left behind it is looked at when it is freed.
constexpr size_t kAlignment = 256, kMostFilled = size_t{64} << 20;
constexpr unsigned char kUnwritten = 0xff;
size_t UpTo(size_t bytes, size_t unit) { return (bytes + unit - 1) / unit * unit; }
CUresult MemAlloc(CUdeviceptr* p, size_t n) {
  if (ReadyForUnsafe() != CUDA_SUCCESS) return ReadyForUnsafe();
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
  if (ReadyForUnsafe() != CUDA_SUCCESS) return ReadyForUnsafe();
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
  if (ReadyForUnsafe() != CUDA_SUCCESS) return ReadyForUnsafe();
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

// --- Addresses that memory is put at, piece by piece. No page that nobody may touch lies between.

struct Addresses {
  size_t bytes;
};
std::map<char*, Addresses> reserved;
struct Piece {
  size_t bytes;
  int device;
};
constexpr size_t kGranule = size_t{2} << 20;

CUresult MemGetAllocationGranularity(size_t* bytes, const CUmemAllocationProp*,
                                     CUmemAllocationGranularity_flags) {
  *bytes = kGranule;
  return CUDA_SUCCESS;
}
CUresult MemAddressReserve(CUdeviceptr* p, size_t bytes, size_t, CUdeviceptr, unsigned long long) {
  if (ReadyForUnsafe() != CUDA_SUCCESS) return ReadyForUnsafe();
  if (bytes % kGranule != 0) return CUDA_ERROR_INVALID_VALUE;
  void* at =
      mmap(nullptr, bytes + kPage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) return CUDA_ERROR_OUT_OF_MEMORY;
  reserved[static_cast<char*>(at)] = {bytes};
  *p = reinterpret_cast<CUdeviceptr>(at);
  return CUDA_SUCCESS;
}
CUresult MemAddressFree(CUdeviceptr p, size_t bytes) {
  const auto it = reserved.find(reinterpret_cast<char*>(p));
  if (it == reserved.end() || it->second.bytes != bytes) return CUDA_ERROR_INVALID_VALUE;
  munmap(it->first, bytes + kPage);
  reserved.erase(it);
  return CUDA_SUCCESS;
}
CUresult MemCreate(CUmemGenericAllocationHandle* handle, size_t bytes,
                   const CUmemAllocationProp* prop, unsigned long long) {
  if (ReadyForUnsafe() != CUDA_SUCCESS) return ReadyForUnsafe();
  DeviceOfOurs& device = devices[prop->location.id];
  if (bytes == 0 || bytes % kGranule != 0) return CUDA_ERROR_INVALID_VALUE;
  if (device.used + bytes > kTotal) return CUDA_ERROR_OUT_OF_MEMORY;
  device.used += bytes;
  *handle = reinterpret_cast<CUmemGenericAllocationHandle>(new Piece{bytes, prop->location.id});
  return CUDA_SUCCESS;
}
// Pieces go with their handles once they lie nowhere: here handles are released where they are
// mapped, so that a piece belongs to its place.
CUresult MemRelease(CUmemGenericAllocationHandle) { return CUDA_SUCCESS; }
CUresult MemMap(CUdeviceptr p, size_t bytes, size_t, CUmemGenericAllocationHandle handle,
                unsigned long long) {
  const std::unique_ptr<Piece> piece(reinterpret_cast<Piece*>(handle));
  char* const at = reinterpret_cast<char*>(p);
  if (bytes != piece->bytes || segments.contains(at)) return CUDA_ERROR_INVALID_VALUE;
  mprotect(at, bytes, PROT_READ | PROT_WRITE);
  std::memset(at, kUnwritten, bytes);
  mprotect(at, bytes, PROT_NONE);
  segments[at] = {bytes, piece->device, at, bytes};
  return CUDA_SUCCESS;
}
CUresult MemSetAccess(CUdeviceptr p, size_t bytes, const CUmemAccessDesc*, size_t) {
  const auto it = segments.find(reinterpret_cast<char*>(p));
  return it == segments.end() || it->second.bytes != bytes ? CUDA_ERROR_INVALID_VALUE
                                                           : CUDA_SUCCESS;
}
CUresult MemUnmap(CUdeviceptr p, size_t bytes) {
  if (ReadyForUnsafe() != CUDA_SUCCESS) return ReadyForUnsafe();
  FinishAll(kAllDevices);
  char* at = reinterpret_cast<char*>(p);
  for (size_t done = 0; done < bytes;) {
    const auto it = segments.find(at + done);
    if (it == segments.end()) return CUDA_ERROR_INVALID_VALUE;
    done += it->second.bytes;
    devices[it->second.device].used -= it->second.bytes;
    segments.erase(it);
  }
  return CUDA_SUCCESS;
}

CUresult PointerGetAttribute(void* value, CUpointer_attribute which, CUdeviceptr p) {
  const auto behind = segments.upper_bound(reinterpret_cast<char*>(p));
  if (behind == segments.begin()) return CUDA_ERROR_INVALID_VALUE;
  const auto& [begin, s] = *std::prev(behind);
  if (reinterpret_cast<char*>(p) >= begin + s.bytes) return CUDA_ERROR_INVALID_VALUE;
  switch (which) {
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      *static_cast<int*>(value) = s.device;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
      *static_cast<CUdeviceptr*>(value) = reinterpret_cast<CUdeviceptr>(begin);
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
      *static_cast<size_t*>(value) = s.bytes;
      return CUDA_SUCCESS;
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

}  // namespace

bool LiesOn(int device, const void* p, size_t bytes) {
  char* const at = static_cast<char*>(const_cast<void*>(p));
  const auto behind = segments.upper_bound(at);
  if (behind == segments.begin()) return false;
  const auto& [begin, s] = *std::prev(behind);
  return s.device == device && at + bytes <= begin + s.bytes;
}

bool IsPageable(CUdeviceptr address) {
  const auto lies_in = [p = reinterpret_cast<char*>(address)](const auto& all, const auto& bytes) {
    const auto it = all.upper_bound(p);
    return it != all.begin() && p < std::prev(it)->first + bytes(std::prev(it)->second);
  };
  return !lies_in(segments, [](const Segment& s) { return s.bytes; }) &&
         !lies_in(pinned, [](size_t n) { return n; });
}

void AddMemory(DriverTable& t) {
  t.PointerGetAttribute = PointerGetAttribute;
  t.MemAddressReserve = MemAddressReserve;
  t.MemAddressFree = MemAddressFree;
  t.MemGetAllocationGranularity = MemGetAllocationGranularity;
  t.MemCreate = MemCreate;
  t.MemRelease = MemRelease;
  t.MemMap = MemMap;
  t.MemUnmap = MemUnmap;
  t.MemSetAccess = MemSetAccess;
  t.MemGetInfo = MemGetInfo;
  t.MemAlloc = MemAlloc;
  t.MemFree = MemFree;
  t.MemHostAlloc = MemHostAlloc;
  t.MemFreeHost = MemFreeHost;
}

}  // namespace sy::cuda::emulated
