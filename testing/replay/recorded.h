// Tensors as the reference cases record them, {"t": [dtype, sizes, strides, offset, bytes]}, and
// host tensors rebuilt from them.
//
//   RecordedTensor r = ParseTensor(json["args"][0], blob);
//   Tensor t = Rebuild(r);          // its strides, zeros in the gaps
//
// Owns: sizes and strides; the bytes belong to the blob.
// Threads: any.
// Errors: Malformed (kInvalidArgument) for JSON that is no such tensor or points outside the blob.
#ifndef TESTING_REPLAY_RECORDED_H_
#define TESTING_REPLAY_RECORDED_H_

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "switchyard/core/error.h"
#include "switchyard/core/tensor.h"

namespace sy::replay {

using Json = nlohmann::json;
using Blob = std::span<const char>;

// The file is damaged: nothing that a call may be blamed for.
class Malformed : public Error {
 public:
  explicit Malformed(std::initializer_list<Piece> pieces)
      : Error(ErrorCode::kInvalidArgument, Join(pieces)) {}
};

struct RecordedTensor {
  DType dtype = DType::kFloat32;
  std::vector<int64_t> sizes, strides;  // in elements
  Blob bytes;                           // numel elements in row-major order, little-endian
};

bool IsTensor(const Json& j);
RecordedTensor ParseTensor(const Json& j, Blob blob);
Tensor Rebuild(const RecordedTensor& r);

// "float32[2, 3]", with strides where they are not row-major.
std::string Describe(const RecordedTensor& r);

}  // namespace sy::replay

#endif  // TESTING_REPLAY_RECORDED_H_
