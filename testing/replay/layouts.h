// Sparse and quantised tensors as the reference cases record them, by the strided tensors that they
// are held as.
//
//   {"sparse": [layout, sizes, indices, plain indices or null, values, coalesced]}
//   {"quantized": [integers, scale, zero point]}
//   {"quantized": [integers, scales, zero points, axis]}
//
// Owns: nothing.
// Threads: any.
// Errors: Malformed for JSON that is no such tensor.
#ifndef TESTING_REPLAY_LAYOUTS_H_
#define TESTING_REPLAY_LAYOUTS_H_

#include <string>

#include "testing/replay/recorded.h"

namespace sy::replay {

bool HasLayout(const Json& j);
// On the host.
Tensor RebuildLayout(const Json& j, Blob blob);
// "" or how they differ: layout, sizes, dtype, how many elements are held once each position is
// held once, and all elements; of quantised tensors the integers, exactly, and what they mean.
std::string CompareLayout(const Tensor& got, const Json& expected, Blob blob);

}  // namespace sy::replay

#endif  // TESTING_REPLAY_LAYOUTS_H_
