// Kernels that do nothing, for measuring what a call of a plugin costs: one by the C header, one
// through the C++ wrapper, and a device whose driver is malloc.

#include <cstdlib>
#include <cstring>

#include "switchyard/c/plugin.hpp"

namespace {

using namespace sy::abi;

int32_t Properties(void*, SyDeviceProperties* out, SyError*) noexcept {
  out->capabilities = SY_DEVICE_ADDRESSES;
  return SY_OK;
}
int32_t Allocate(void*, uint64_t bytes, uint64_t alignment, void*, SyBuffer* out,
                 SyError*) noexcept {
  out->bytes = bytes;
  return posix_memalign(&out->handle, alignment, bytes) == 0 ? SY_OK : SY_E_OUT_OF_MEMORY;
}
void Free(void*, const SyBuffer* buffer, void*) noexcept { std::free(buffer->handle); }
int32_t Copy(void*, const SyCopy* c, void*, SyError*) noexcept {
  const void* from = c->source == nullptr
                         ? c->host_source
                         : static_cast<char*>(c->source->handle) + c->source_offset;
  void* to = c->destination == nullptr
                 ? c->host_destination
                 : static_cast<char*>(c->destination->handle) + c->destination_offset;
  std::memcpy(to, from, c->bytes);
  return SY_OK;
}

const SyDeviceFunctions functions = [] {
  SyDeviceFunctions f{};
  f.size = sizeof(f);
  f.properties = Properties;
  f.allocate = Allocate;
  f.free = Free;
  f.copy = Copy;
  return f;
}();
const SyDeviceDef devices[] = {DeviceOf("malloc", functions)};

int32_t Nothing(SyCall*) noexcept { return SY_OK; }
void One(Call, Tensor, Tensor) {}
void Two(Call, Tensor, Tensor, Tensor) {}

constexpr SyKernelDef Plain() {
  SyKernelDef k = Kernel<Two>("bench::two", "cpu", SY_BIT(SY_INT64));
  k.fn = Nothing;
  return k;
}
constexpr SyKernelDef kernels[] = {Plain(), Kernel<One>("bench::one", "cpu", SY_BIT(SY_FLOAT64)),
                                   Kernel<Two>("bench::two", "cpu", SY_BIT(SY_FLOAT64)),
                                   Kernel<One>("bench::one", "malloc", SY_BIT(SY_FLOAT32)),
                                   Kernel<Two>("bench::two", "malloc", SY_BIT(SY_FLOAT32))};
const SyPlugin plugin = MakePlugin("empty", "1.0", devices, {}, kernels);

}  // namespace

SY_PLUGIN(plugin, "empty")
