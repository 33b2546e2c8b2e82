#include "testing/conform/session.h"

#include <malloc.h>

#include <cstring>

#include "switchyard/core/accelerator.h"
#include "switchyard/op/viewed.h"

namespace sy::conform {

Session::Session(const Subject& subject) : plugin_(load_plugin(subject.plugin)) {
  if (!subject.reference.empty()) reference_ = load_plugin(subject.reference).name;
  device_ = ParseDevice(subject.device);
  backend_ = &BackendOf(device_.type);
  bool its_own = false;
  for (const std::string& name : plugin_.devices) its_own |= name == device_.type.name();
  if (!its_own) {
    Fail(ErrorCode::kNotFound,
         {"plugin '", plugin_.name, "' has no device named '", device_.type.name(), "'"});
  }
  std::string reason;
  const int count = backend_->Count(&reason);
  if (index() >= count) {
    Fail(ErrorCode::kUnavailable,
         {"there is no device '", device_.str(), "': there are ", count, ". ", reason});
  }
}

void Session::Unload() const {
  if (!reference_.empty()) unload_plugin(reference_);
  const UnloadAnswer a = unload_plugin(plugin_.name);
  Require(a.unloaded, {"with nothing alive, unloading answers '", a.text, "'"});
}

void Session::UseAndUnload() const {
  const Tensor host = PatternTensor(100, 1);
  const Tensor back = ToHost(There(host));
  Require(std::memcmp(back.data(), host.data(), host.nbytes()) == 0,
          {"100 bytes copied there and back come back changed"});
  Unload();
}

Block::Block(const Session& s, size_t bytes, size_t alignment)
    : session_(s),
      bytes_(bytes),
      allocation_(s.allocator().Allocate(
          {.bytes = bytes, .alignment = alignment, .device_index = s.index()})) {}

bool IsAddress(const void* data) {
  return reinterpret_cast<uintptr_t>(data) >> kNumberedDataBit != 1;
}

void Block::Write(size_t offset, const std::vector<char>& bytes) const {
  session_.backend().CopyFromHost(at(offset), bytes.data(), bytes.size(), session_.index(),
                                  nullptr);
}

std::vector<char> Block::Read(size_t offset, size_t bytes) const {
  std::vector<char> out(bytes);
  session_.backend().CopyToHost(out.data(), at(offset), bytes, session_.index(), nullptr);
  return out;
}

namespace {

constexpr int64_t kBacklogBytes = 4 << 20;

}  // namespace

Backlog::Backlog(const Session& s)
    : session_(s),
      host_(PatternTensor(kBacklogBytes, 1)),
      from_(s.There(host_)),
      to_(s.Empty({kBacklogBytes}, DType::kUInt8)) {}

// From the host and within: a device may do one kind without a queue.
void Backlog::Queue() {
  const Stream stream = CurrentStream(session_.device());
  DeviceBackend& backend = session_.backend();
  for (int i = 0; i < rounds_; ++i) {
    backend.CopyFromHost(to_.data(), host_.data(), kBacklogBytes, session_.index(), stream.impl());
    backend.CopyWithin(to_.data(), from_.data(), kBacklogBytes, session_.index(), stream.impl());
  }
  at_once_ = stream.impl() == nullptr;
  if (at_once_) return;
  end_.Record(stream);
  at_once_ = end_.Query();
}

bool Backlog::WasTooShort() {
  constexpr int kMost = 96;  // a part of a second for copies by the host
  if (at_once_ || rounds_ >= kMost || !end_.Query()) return false;
  rounds_ *= 2;
  return true;
}

int64_t BytesInUse() {
  const struct mallinfo2 info = mallinfo2();
  return static_cast<int64_t>(info.uordblks + info.hblkhd);
}

std::vector<char> Pattern(size_t n, int number) {
  std::vector<char> bytes(n);
  // 31 and 17: primes, so that neighbours and numbers differ.
  for (size_t i = 0; i < n; ++i) bytes[i] = static_cast<char>(i * 31 + i / 251 + number * 17 + 1);
  return bytes;
}

Tensor PatternTensor(int64_t n, int number) {
  const Tensor t = Tensor::Empty({n}, DType::kUInt8);
  const std::vector<char> bytes = Pattern(static_cast<size_t>(n), number);
  std::memcpy(t.data(), bytes.data(), bytes.size());
  return t;
}

}  // namespace sy::conform
