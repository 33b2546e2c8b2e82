#include "switchyard/core/from_buffer.h"

#include "switchyard/core/error.h"

namespace sy {

Tensor frombuffer(std::span<std::byte> buffer, DType dtype, int64_t count, int64_t offset) {
  const auto bytes = static_cast<int64_t>(buffer.size());
  const auto each = static_cast<int64_t>(ItemSize(dtype));
  if (bytes == 0 || count == 0) {
    Fail(ErrorCode::kInvalidArgument,
         {"frombuffer(): expected bytes and a count other than 0, got ", bytes, " and ", count});
  }
  if (offset < 0 || offset >= bytes) {
    Fail(ErrorCode::kInvalidArgument,
         {"frombuffer(): expected an offset of 0 to ", bytes - 1, ", got ", offset});
  }
  const int64_t left = bytes - offset;
  if (count < 0 && left % each != 0) {
    Fail(ErrorCode::kInvalidArgument,
         {"frombuffer(): expected a multiple of ", each, " bytes, the size of ", dtype,
          ", behind offset ", offset, "; got ", left});
  }
  if (count > left / each) {
    Fail(ErrorCode::kInvalidArgument,
         {"frombuffer(): expected at most ", left / each, " elements of ", dtype, " behind offset ",
          offset, " of ", bytes, " bytes, got a count of ", count});
  }
  return Tensor::FromBlob(buffer.data() + offset, {count < 0 ? left / each : count}, dtype);
}

}  // namespace sy
