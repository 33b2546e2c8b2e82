#include "io/loader.h"

#include <algorithm>
#include <cstring>

#include "io/zip.h"
#include "switchyard/core/device_backend.h"
#include "switchyard/core/shape.h"
#include "switchyard/core/transfer.h"
#include "switchyard/core/view_as.h"

namespace sy::io {
namespace {

// The order of bytes of each number, turned.
void Swap(char* p, uint64_t bytes, uint32_t width) {
  for (uint64_t i = 0; i + width <= bytes; i += width) std::reverse(p + i, p + i + width);
}

bool HasNoMemory(Device device) {
  return device.type != kHost && BackendOf(device.type).allocator() == nullptr;
}

}  // namespace

Loader::Loader(std::shared_ptr<const File> file, const LoadOptions& options,
               std::vector<Source> sources, std::vector<int> users)
    : file_(std::move(file)),
      options_(options),
      sources_(std::move(sources)),
      users_(std::move(users)),
      verified_(sources_.size()) {
  if (options.device.type != kHost) BackendOf(options.device.type);  // it is there
}

bool Loader::InPlace(const Source& s, uint64_t offset, DType dtype) const {
  if (options_.device.type != kHost || options_.copy || s.deflated || s.swap > 1 || s.own)
    return false;
  const auto address =
      reinterpret_cast<uintptr_t>(file_->map()->data()) + s.offset + s.skip + offset;
  return address % ItemSize(dtype) == 0;
}

void Loader::Read(const Source& s, uint64_t first, void* to, uint64_t n) const {
  char* p = static_cast<char*>(to);
  if (s.own) {
    std::memcpy(p, s.own->data() + first, n);
  } else if (s.deflated) {
    Inflate(file_->map()->bytes(), s, s.skip + first, n, p);
  } else {
    file_->ReadAt(s.offset + s.skip + first, p, n);
  }
  if (s.swap > 1) Swap(p, n, s.swap);
}

void Loader::Verify(size_t source) const {
  const Source& s = sources_[source];
  if (!options_.verify || !s.crc || s.deflated) return;
  const std::lock_guard lock(mutex_);
  if (verified_[source]) return;
  RequireChecksum(file_->map()->bytes().substr(s.offset, s.stored), *s.crc);
  verified_[source] = true;
}

Tensor Loader::Place(const Source& s, uint64_t first, IntSpan sizes, IntSpan strides,
                     DType dtype) const {
  const uint64_t bytes = static_cast<uint64_t>(StorageExtent(sizes, strides)) * ItemSize(dtype);
  if (bytes == 0 || HasNoMemory(options_.device))
    return Tensor::EmptyStrided(sizes, strides, dtype, options_.device);
  if (InPlace(s, first, dtype)) {
    char* p = file_->map()->data() + s.offset + s.skip + first;
    return Tensor::FromBlob(p, sizes, strides, dtype, [map = file_->map()] {});
  }
  if (options_.device.type == kHost) {
    Tensor t = Tensor::EmptyStrided(sizes, strides, dtype);
    Read(s, first, t.data(), bytes);
    return t;
  }
  if (s.deflated || s.swap > 1 || s.own) {
    const Tensor host = Tensor::EmptyStrided(sizes, strides, dtype);
    Read(s, first, host.data(), bytes);
    return FromHost(host, options_.device);
  }
  Tensor t = Tensor::EmptyStrided(sizes, strides, dtype, options_.device);
  const std::lock_guard lock(mutex_);
  upload_.FromFile(*file_, s.offset + s.skip + first, t, bytes);
  return t;
}

Tensor Loader::Load(const TensorInfo& t, size_t source) const {
  Verify(source);
  const Source& s = sources_[source];
  if (!t.dtype) {
    if (!options_.raw) {
      Refuse({"'", t.name, "' is of type ", t.type,
              ", which no dtype here is; with the option raw its bytes are read"});
    }
    const int64_t n = static_cast<int64_t>(t.bytes), one = 1;
    return Place(s, 0, IntSpan(&n, 1), IntSpan(&one, 1), DType::kUInt8);
  }
  const uint64_t first = static_cast<uint64_t>(t.offset) * ItemSize(*t.dtype);
  if (users_[source] == 1 || t.bytes == 0 || HasNoMemory(options_.device))
    return Place(s, first, t.sizes, t.strides, *t.dtype);
  Tensor whole;
  {
    const std::lock_guard lock(mutex_);
    if (const auto at = shared_.find(source); at != shared_.end()) whole = at->second;
  }
  if (!whole.defined()) {
    // An address that suits the widest numbers suits all who share it.
    const bool in_place = InPlace(s, 0, DType::kComplex128);
    const int64_t n = static_cast<int64_t>(s.size()), one = 1;
    if (in_place || options_.device.type != kHost) {
      whole = Place(s, 0, IntSpan(&n, 1), IntSpan(&one, 1), DType::kUInt8);
    } else {
      whole = Tensor::Empty({n}, DType::kUInt8);
      Read(s, 0, whole.data(), s.size());
    }
    const std::lock_guard lock(mutex_);
    whole = shared_.emplace(source, whole).first->second;  // another thread may have been faster
  }
  return ViewAs(whole, *t.dtype, t.sizes, t.strides, t.offset);
}

Tensor Loader::LoadPart(const TensorInfo& part, size_t source) const {
  const Source& s = sources_[source];
  const uint64_t first = static_cast<uint64_t>(part.offset) * ItemSize(*part.dtype);
  const bool dense = IsNonOverlappingAndDense(part.sizes, part.strides);
  if (users_[source] > 1 || part.bytes == 0 || dense || InPlace(s, first, *part.dtype) ||
      HasNoMemory(options_.device))
    return Load(part, source);
  Verify(source);
  return FromHost(Gather(part, s), options_.device);
}

// A part with gaps, without them: of what is stored, only its runs are looked at.
Tensor Loader::Gather(const TensorInfo& part, const Source& s) const {
  const size_t item = ItemSize(*part.dtype);
  const uint64_t first = static_cast<uint64_t>(part.offset) * item;
  Tensor whole;
  const char* from = nullptr;
  if (s.deflated) {
    whole = Tensor::Empty({static_cast<int64_t>(s.size())}, DType::kUInt8);
    Inflate(file_->map()->bytes(), s, s.skip, s.size(), static_cast<char*>(whole.data()));
    from = static_cast<const char*>(whole.data()) + first;
  } else {
    from = (s.own ? s.own->data() : file_->map()->data() + s.offset + s.skip) + first;
  }
  const Tensor out = Tensor::Empty(IntSpan(part.sizes), *part.dtype);
  // How many of the innermost dimensions lie in one run.
  size_t dims = part.sizes.size();
  int64_t run = 1;
  while (dims > 0 && (part.sizes[dims - 1] == 1 || part.strides[dims - 1] == run))
    run *= part.sizes[--dims];
  char* to = static_cast<char*>(out.data());
  const size_t bytes = static_cast<size_t>(run) * item;
  std::vector<int64_t> at(dims);
  for (uint64_t done = 0; done < part.bytes; done += bytes) {
    int64_t offset = 0;
    for (size_t d = 0; d < dims; ++d) offset += at[d] * part.strides[d];
    std::memcpy(to + done, from + offset * static_cast<int64_t>(item), bytes);
    for (size_t d = dims; d > 0 && ++at[d - 1] == part.sizes[d - 1]; --d) at[d - 1] = 0;
  }
  if (s.swap > 1) Swap(to, part.bytes, s.swap);
  return out;
}

}  // namespace sy::io
