// Tensors between the host and other devices, whatever their strides, by copying bytes: what
// fallbacks, printing and tests need of a device that has no kernels yet.
//
//   const Tensor host = ToHost(x);   // done when it returns
//   const Tensor back = FromHost(host, x.device());
//
// Owns: results are tensors of their own, but where t itself is returned.
// Threads: any.
// Errors: as the device's copies.
#ifndef SWITCHYARD_CORE_TRANSFER_H_
#define SWITCHYARD_CORE_TRANSFER_H_

#include "switchyard/core/scalar.h"
#include "switchyard/core/tensor.h"

namespace sy {

// Whether t has elements in memory: not on meta, not when undefined. Its data() may be null, or no
// address, where it has none.
inline bool HasBytes(const TensorBase& t) { return t.impl()->storage->data != nullptr; }
// Bytes from t's first element to its last, gaps included; 0 of an empty tensor.
SY_API size_t SpannedBytes(const TensorBase& t);
// A host tensor of the same sizes, strides and contents; t itself if it is on the host. Of
// conjugates and negatives, which are views, the elements themselves, row-major.
// Errors also: kDataDependent when t has no bytes (meta).
SY_API Tensor ToHost(const Tensor& t);
// The same in memory that t's device has pinned, where it can.
SY_API Tensor ToPinnedHost(const Tensor& t);
// The number that t, which has one element, holds.
// Errors also: kDataDependent when t has no bytes (meta).
SY_API Scalar ReadNumber(const Tensor& t);
// A tensor of host's sizes, strides and contents on another device; host itself where that is the
// host.
SY_API Tensor FromHost(const Tensor& host, Device device);
// What the host itself sees of t: t on the host; a host tensor of the same bytes where it may touch
// the device's memory, once the thread's current stream there is done; undefined elsewhere.
SY_API Tensor HostView(const Tensor& t);
// Copies between the host and another device on the thread's current stream there, without waiting.
// False, and nothing done, unless both have the same sizes, strides and dtype without gaps, the
// host's side is pinned and the device has streams. Neither tensor needs to be kept.
SY_API bool CopyNonBlocking(const Tensor& out, const Tensor& src);
// Copies between two devices by memory that both drivers can use, in the order of the thread's
// current streams of both. False, and nothing done, where one of the two is the host, they share no
// memory, or sizes, strides and dtype are not the same and without gaps.
SY_API bool CopyBetweenDevices(const Tensor& out, const Tensor& src);
// Writes host's contents, gaps included, to t: same sizes, strides and dtype.
SY_API void CopyBack(const Tensor& t, const Tensor& host);

namespace internal {
// Errors: kInvalidArgument for views of conjugates or negatives, for sparse and for quantised
// tensors: memory holds something else.
SY_API void RequireResolved(const TensorBase& t, std::string_view what);
}  // namespace internal

}  // namespace sy

#endif  // SWITCHYARD_CORE_TRANSFER_H_
