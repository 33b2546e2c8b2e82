#include "io/upload.h"

#include <algorithm>

#include "switchyard/core/accelerator.h"
#include "switchyard/core/device_backend.h"

namespace sy::io {
namespace {

// In bytes. Larger ones gain nothing, and two of them are held.
constexpr int64_t kPiece = 8 << 20;

}  // namespace

void Upload::Prepare(Device device) {
  if (device_ == device && pieces_[0].memory.defined()) return;
  const bool pinned = BackendOf(device.type).pinned_allocator() != nullptr;
  for (Piece& p : pieces_) {
    p = Piece();
    p.memory = pinned ? EmptyPinned({kPiece}, DType::kUInt8, device)
                      : Tensor::Empty({kPiece}, DType::kUInt8);
  }
  device_ = device;
}

void Upload::FromFile(const File& file, uint64_t offset, const Tensor& to, uint64_t bytes) {
  const Device device = to.device();
  Prepare(device);
  DeviceBackend& backend = BackendOf(device.type);
  const Stream stream = CurrentStream(device);
  // Without queues, or pinned memory, a copy is done when it returns.
  const bool queued = stream.impl() != nullptr && IsPinned(pieces_[0].memory);
  size_t which = 0;
  for (uint64_t done = 0; done < bytes; which ^= 1) {
    Piece& piece = pieces_[which];
    if (piece.used) piece.last.Synchronize();
    const uint64_t n = std::min<uint64_t>(kPiece, bytes - done);
    file.ReadAt(offset + done, piece.memory.data(), n);
    backend.CopyFromHost(static_cast<char*>(to.data()) + done, piece.memory.data(), n,
                         IndexOfKey(to.key()), queued ? stream.impl() : nullptr);
    if (queued) {
      piece.last = stream.RecordEvent();
      piece.used = true;
    }
    done += n;
  }
}

}  // namespace sy::io
