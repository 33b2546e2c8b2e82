#include "memory.h"

#include "device.h"
#include "queue.h"

namespace opencl {
namespace {

using sy::abi::Error;
using sy::abi::Guard;

cl_mem MemoryOf(const SyBuffer* b) { return static_cast<cl_mem>(b->handle); }

void Enqueue(const SyCopy& c, Queue& queue) {
  switch (c.kind) {
    case SY_COPY_HOST_TO_DEVICE:
      return queue.Submit(0, "clEnqueueWriteBuffer", [&](cl_event* done) {
        return clEnqueueWriteBuffer(queue.get(), MemoryOf(c.destination), CL_FALSE,
                                    c.destination_offset, c.bytes, c.host_source, 0, nullptr, done);
      });
    case SY_COPY_DEVICE_TO_HOST:
      return queue.Submit(0, "clEnqueueReadBuffer", [&](cl_event* done) {
        return clEnqueueReadBuffer(queue.get(), MemoryOf(c.source), CL_FALSE, c.source_offset,
                                   c.bytes, c.host_destination, 0, nullptr, done);
      });
    case SY_COPY_WITHIN_DEVICE:
      return queue.Copy(0, MemoryOf(c.source), c.source_offset, MemoryOf(c.destination),
                        c.destination_offset, c.bytes);
    default:
      throw Error(SY_E_UNSUPPORTED, "a copy of kind " + std::to_string(c.kind));
  }
}

}  // namespace

int32_t Allocate(void* device, uint64_t bytes, uint64_t alignment, void*, SyBuffer* out,
                 SyError* error) noexcept {
  return Guard(error, [&] {
    const Device& d = *static_cast<Device*>(device);
    if (alignment > d.alignment())
      throw Error("buffers are aligned to " + std::to_string(d.alignment()) + " bytes, not to " +
                  std::to_string(alignment));
    cl_int code = CL_SUCCESS;
    out->handle = clCreateBuffer(d.context(), CL_MEM_READ_WRITE, bytes, nullptr, &code);
    Check(code, "clCreateBuffer");
    out->bytes = bytes;
  });
}

// In stream order without more ado: OpenCL keeps the memory until the commands that use it are
// done.
void Free(void*, const SyBuffer* buffer, void*) noexcept { clReleaseMemObject(MemoryOf(buffer)); }

int32_t Copy(void* device, const SyCopy* copy, void* stream, SyError* error) noexcept {
  return Guard(error, [&] {
    if (stream != nullptr) return Enqueue(*copy, *static_cast<Queue*>(stream));
    // Without a stream: after everything that was queued before, and done when this returns.
    Device& d = *static_cast<Device*>(device);
    SyAsyncError failure{};
    int32_t failed = d.Synchronize(&failure);
    Queue queue(d);
    if (failed == SY_OK) {
      Enqueue(*copy, queue);
      failed = queue.Synchronize(&failure);
    }
    if (failed != SY_OK) throw Error(failed, failure.text);
  });
}

// OpenCL has no call for page-locked memory: drivers put buffers there that are allocated for the
// host, and mapping one tells where it is.
int32_t HostAllocate(void* device, uint64_t bytes, void** memory, SyError* error) noexcept {
  return Guard(error, [&] {
    Device& d = *static_cast<Device*>(device);
    cl_int code = CL_SUCCESS;
    Handle buffer(clCreateBuffer(d.context(), CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes,
                                 nullptr, &code));
    Check(code, "clCreateBuffer");
    // Its record is made first: what is mapped has to be unmapped before it goes.
    Device::Mapped one;
    one.emplace(nullptr, std::move(buffer));
    Device::Mapped::node_type record = one.extract(one.begin());
    *memory = clEnqueueMapBuffer(d.mapping().get(), record.mapped().get(), CL_TRUE,
                                 CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0, nullptr, nullptr, &code);
    Check(code, "clEnqueueMapBuffer");
    record.key() = *memory;
    d.KeepMapped(std::move(record));
  });
}

void HostFree(void* device, void* memory) noexcept {
  Guard(nullptr, [&] {
    Device& d = *static_cast<Device*>(device);
    const Device::Mapped::node_type record = d.TakeMapped(memory);
    Check(clEnqueueUnmapMemObject(d.mapping().get(), record.mapped().get(), memory, 0, nullptr,
                                  nullptr),
          "clEnqueueUnmapMemObject");
    d.mapping().Synchronize(nullptr);
  });
}

}  // namespace opencl
