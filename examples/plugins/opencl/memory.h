// Memory and copies, as the ABI asks for them.
//
// A buffer's handle is its cl_mem, which is no address: a tensor is a handle and an offset.
// Threads: any.
#ifndef OPENCL_MEMORY_H_
#define OPENCL_MEMORY_H_

#include "switchyard/c/plugin.h"

namespace opencl {

int32_t Allocate(void* device, uint64_t bytes, uint64_t alignment, void* stream, SyBuffer* out,
                 SyError* error) noexcept;
void Free(void* device, const SyBuffer* buffer, void* stream) noexcept;
int32_t Copy(void* device, const SyCopy* copy, void* stream, SyError* error) noexcept;
// Memory of the host that the device copies from and to by itself.
int32_t HostAllocate(void* device, uint64_t bytes, void** memory, SyError* error) noexcept;
void HostFree(void* device, void* memory) noexcept;

}  // namespace opencl

#endif  // OPENCL_MEMORY_H_
