#include "device.h"

#include <CL/cl_ext.h>

#include <algorithm>
#include <cstring>

#include "error.h"
#include "memory.h"
#include "process.h"
#include "queue.h"

namespace opencl {
namespace {

using sy::abi::Guard;
using sy::abi::WriteText;

std::vector<cl_device_id> DevicesOf(cl_platform_id platform) {
  cl_uint n = 0;
  const cl_int code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &n);
  if (code == CL_DEVICE_NOT_FOUND || n == 0) return {};
  Check(code, "clGetDeviceIDs");
  std::vector<cl_device_id> ids(n);
  Check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, n, ids.data(), nullptr), "clGetDeviceIDs");
  return ids;
}

// "opencl:0", "opencl:1", …: the devices of all platforms in the order in which OpenCL lists them.
// Empty, with a reason, where there are none.
std::vector<cl_device_id> AllDevices(std::string* reason) {
  cl_uint n = 0;
  const cl_int code = clGetPlatformIDs(0, nullptr, &n);
  if (code == CL_PLATFORM_NOT_FOUND_KHR || n == 0) {
    *reason = "no OpenCL driver is installed (clGetPlatformIDs finds no platform)";
    return {};
  }
  Check(code, "clGetPlatformIDs");
  std::vector<cl_platform_id> platforms(n);
  Check(clGetPlatformIDs(n, platforms.data(), nullptr), "clGetPlatformIDs");
  std::vector<cl_device_id> all;
  for (cl_platform_id p : platforms) {
    const std::vector<cl_device_id> here = DevicesOf(p);
    all.insert(all.end(), here.begin(), here.end());
  }
  if (all.empty()) *reason = "the installed OpenCL drivers find no device";
  return all;
}

std::string TextOf(cl_device_id id, cl_device_info what) {
  size_t n = 0;
  Check(clGetDeviceInfo(id, what, 0, nullptr, &n), "clGetDeviceInfo");
  std::string text(n, '\0');
  Check(clGetDeviceInfo(id, what, n, text.data(), nullptr), "clGetDeviceInfo");
  text.resize(std::strlen(text.c_str()));  // without the closing zero
  return text;
}

template <class T>
T NumberOf(cl_device_id id, cl_device_info what) {
  T number{};
  Check(clGetDeviceInfo(id, what, sizeof(number), &number, nullptr), "clGetDeviceInfo");
  return number;
}

cl_context NewContext(cl_device_id id) {
  cl_int code = CL_SUCCESS;
  cl_context context = clCreateContext(nullptr, 1, &id, nullptr, nullptr, &code);
  Check(code, "clCreateContext");
  return context;
}

// Quotients and roots that round as the host's do, where the device can. No warnings: some drivers
// print them.
const char* BuildOptions(cl_device_id id) {
  const auto single = NumberOf<cl_device_fp_config>(id, CL_DEVICE_SINGLE_FP_CONFIG);
  const bool exact = (single & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0;
  return exact ? "-w -cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt" : "-w -cl-std=CL1.2";
}

constexpr unsigned kBitsInByte = 8;  // CL_DEVICE_MEM_BASE_ADDR_ALIGN counts bits

}  // namespace

Device::Device(cl_device_id id)
    : id_(id),
      context_(NewContext(id)),
      programs_(context_.get(), id, BuildOptions(id)),
      has_double_(NumberOf<cl_device_fp_config>(id, CL_DEVICE_DOUBLE_FP_CONFIG) != 0),
      alignment_(NumberOf<cl_uint>(id, CL_DEVICE_MEM_BASE_ADDR_ALIGN) / kBitsInByte),
      total_bytes_(NumberOf<cl_ulong>(id, CL_DEVICE_GLOBAL_MEM_SIZE)),
      hardware_(TextOf(id, CL_DEVICE_NAME)),
      driver_(TextOf(id, CL_DEVICE_VERSION) + ", driver " + TextOf(id, CL_DRIVER_VERSION)),
      mapping_(*this) {}

void Device::Add(Queue* queue) {
  std::lock_guard lock(mutex_);
  queues_.push_back(queue);
}

void Device::Remove(Queue* queue) {
  std::lock_guard lock(mutex_);
  queues_.erase(std::find(queues_.begin(), queues_.end(), queue));
}

void Device::KeepMapped(Mapped::node_type buffer) noexcept {
  std::lock_guard lock(mutex_);
  mapped_.insert(std::move(buffer));
}

Device::Mapped::node_type Device::TakeMapped(void* address) noexcept {
  std::lock_guard lock(mutex_);
  return mapped_.extract(address);
}

int32_t Device::Synchronize(SyAsyncError* error) {
  std::lock_guard lock(mutex_);
  int32_t first = SY_OK;
  for (Queue* q : queues_) {
    const int32_t code = q->Synchronize(first == SY_OK ? error : nullptr);
    if (first == SY_OK) first = code;
  }
  return first;
}

namespace {

int32_t Count(void*, int32_t* n, SyError* reason) noexcept {
  return Guard(reason, [&] {
    const ProcessGuard guard;
    std::string why;
    *n = static_cast<int32_t>(AllDevices(&why).size());
    WriteText(reason, why);
  });
}

int32_t Open(void*, int32_t index, void** device, SyError* error) noexcept {
  return Guard(error, [&] {
    const ProcessGuard guard;
    std::string why;
    const std::vector<cl_device_id> all = AllDevices(&why);
    const size_t n = all.size();
    if (static_cast<size_t>(index) >= n) {
      throw sy::abi::Error(SY_E_NOT_FOUND,
                           n == 0 ? why : "there are " + std::to_string(n) + " OpenCL devices");
    }
    *device = new Device(all[static_cast<size_t>(index)]);
  });
}

void Close(void* device) noexcept { delete static_cast<Device*>(device); }

int32_t Properties(void* device, SyDeviceProperties* out, SyError*) noexcept {
  const Device& d = *static_cast<Device*>(device);
  // Not SY_DEVICE_ADDRESSES: a cl_mem is a handle, and the host never computes with it.
  out->capabilities = SY_DEVICE_ASYNC;
  out->hardware = d.hardware().c_str();
  out->driver = d.driver().c_str();
  out->total_bytes = d.total_bytes();
  out->alignment = d.alignment();
  return SY_OK;
}

int32_t Synchronize(void* device, SyAsyncError* error) noexcept {
  return static_cast<Device*>(device)->Synchronize(error);
}

}  // namespace

// What is not set is null: no caches to trim, and the host counts memory.
constinit const SyDeviceFunctions kDeviceFunctions = [] {
  SyDeviceFunctions f{};
  f.size = sizeof(f);
  f.count = Count;
  f.open = Open;
  f.close = Close;
  f.properties = Properties;
  f.allocate = Allocate;
  f.free = Free;
  f.copy = Copy;
  f.synchronize = Synchronize;
  f.stream_create = StreamCreate;
  f.stream_destroy = StreamDestroy;
  f.stream_synchronize = StreamSynchronize;
  f.stream_query = StreamQuery;
  f.event_create = EventCreate;
  f.event_destroy = EventDestroy;
  f.event_record = EventRecord;
  f.event_wait = EventWait;
  f.event_synchronize = EventSynchronize;
  f.event_query = EventQuery;
  f.event_elapsed = EventElapsed;
  f.host_allocate = HostAllocate;
  f.host_free = HostFree;
  return f;
}();

}  // namespace opencl
