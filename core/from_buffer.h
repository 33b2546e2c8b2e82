// Bytes of the program as a tensor.
//
//   std::vector<char> bytes = …;
//   Tensor t = sy::frombuffer(std::as_writable_bytes(std::span(bytes)), DType::kInt32, 2, 4);
//
// The tensor shows the bytes, which belong to the caller and outlive it; what is written to one is
// seen in the other. With rows and a deleter: Tensor::FromBlob.
// Owns: nothing.
// Threads: any.
// Errors: kInvalidArgument as each function says.
#ifndef SWITCHYARD_CORE_FROM_BUFFER_H_
#define SWITCHYARD_CORE_FROM_BUFFER_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "switchyard/core/macros.h"
#include "switchyard/core/tensor.h"

namespace sy {

// `count` elements from byte `offset` on, 1-d, on the host; all that follow where count is below 0.
// Errors: for no bytes, a count of 0, an offset outside the bytes, elements that reach beyond them,
// and, without a count, bytes that are no whole number of elements. torch.frombuffer.
SY_API Tensor frombuffer(std::span<std::byte> buffer, DType dtype, int64_t count = -1,
                         int64_t offset = 0);

}  // namespace sy

#endif  // SWITCHYARD_CORE_FROM_BUFFER_H_
