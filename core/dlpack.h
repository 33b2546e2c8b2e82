// Tensors from and to other libraries without copying, by DLPack.
//
//   Tensor t = FromDlpack(theirs);                           // DLManagedTensorVersioned*
//   DLManagedTensorVersioned* ours = ToDlpack(t);            // they call its deleter
//   ToDlpack(t, Stream::FromNative(t.device(), stream));     // they go on on their stream
//
// The structs are those of dlpack.h, which this header does not include: the program's own copy of
// it, of any version, fits. Devices go by their names: cpu, cuda, opencl, vulkan, metal, rocm,
// oneapi, webgpu, hexagon, maia; any other is kDLExtDev, its id row * 256 + index of this process.
// Owns: an exported tensor holds the memory until its deleter is called, in any thread; an imported
// one calls its deleter when the last view has gone. FromDlpack takes what it is given over in any
// case: where it fails, the deleter has been called.
// Threads: any.
// Errors: kInvalidArgument for what we cannot hold (another major version, element types without a
// dtype here, negative strides), kUnavailable for a device that is not in this program.
// Source: DLPack 1.1, dlpack.h. A tensor marked as read-only is imported all the same, as torch
// does: whoever imports it does not write it.
#ifndef SWITCHYARD_CORE_DLPACK_H_
#define SWITCHYARD_CORE_DLPACK_H_

#include <cstdint>

#include "switchyard/core/stream.h"
#include "switchyard/core/tensor.h"

struct DLManagedTensor;
struct DLManagedTensorVersioned;

namespace sy {

// The data is ready when this returns, whoever reads it.
SY_API DLManagedTensorVersioned* ToDlpack(const Tensor& t);
// The data is ready for what `consumer` is given from here on; the host does not wait.
SY_API DLManagedTensorVersioned* ToDlpack(const Tensor& t, const Stream& consumer);
// As libraries from before DLPack 1.0 take it.
SY_API DLManagedTensor* ToDlpackUnversioned(const Tensor& t);

// The data is ready for the thread's current stream of its device: producers are told that stream.
SY_API Tensor FromDlpack(DLManagedTensorVersioned* taken);
SY_API Tensor FromDlpack(DLManagedTensor* taken);

// Exports whose deleter has not been called.
SY_API int64_t LiveDlpackExports(DeviceType type);

}  // namespace sy

#endif  // SWITCHYARD_CORE_DLPACK_H_
