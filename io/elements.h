// The elements of tensors as bytes in a row, for writers.
//
// Owns: nothing.
// Threads: any.
// Errors: what the sink throws.
#ifndef IO_ELEMENTS_H_
#define IO_ELEMENTS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "switchyard/core/tensor.h"

namespace sy::io {

// Column-major and not row-major.
bool IsFortran(const Tensor& t);

using Sink = std::function<void(const void* bytes, size_t size)>;
// Gives the sink all elements of a host tensor, row-major or, if `as_it_lies`, in the order of
// memory, which must have no gaps then; up to 8 MB at a time.
void PutElements(const Tensor& host, bool as_it_lies, const Sink& sink);

// The start of a .npy file for this tensor. Errors: kInvalidArgument for dtypes that NumPy lacks.
std::string NpyStart(const Tensor& t);

}  // namespace sy::io

#endif  // IO_ELEMENTS_H_
