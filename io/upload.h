// A file's bytes to a device, past the host's mapping: read into pinned memory piece by piece, two
// of them under way at a time.
//
// Owns: the pieces.
// Threads: one at a time.
// Errors: as File::ReadAt and the device's copies.
#ifndef IO_UPLOAD_H_
#define IO_UPLOAD_H_

#include <array>
#include <cstdint>

#include "io/file.h"
#include "switchyard/core/stream.h"
#include "switchyard/core/tensor.h"

namespace sy::io {

class Upload {
 public:
  // Fills what begins at to's data, `bytes` bytes, in the order of the thread's current stream.
  void FromFile(const File& file, uint64_t offset, const Tensor& to, uint64_t bytes);

 private:
  struct Piece {
    Tensor memory;
    Event last;  // the copy out of it
    bool used = false;
  };
  void Prepare(Device device);

  std::array<Piece, 2> pieces_;
  Device device_{kHost};
};

}  // namespace sy::io

#endif  // IO_UPLOAD_H_
