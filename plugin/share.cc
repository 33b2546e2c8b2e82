// Copies between the devices of plugins by memory that both drivers can use: one end shares its
// block, the other end adopts it as one of its own and copies.

#include "plugin/device.h"
#include "plugin/stream.h"

namespace sy::plugin {
namespace {

// Whether a device has done what it was asked. Errors: all answers but "not so".
bool Agrees(Device& device, Device::State& s, int32_t code, const ErrorText& error,
            std::string_view what) {
  if (device.Answered(s, code, error) == SY_E_UNSUPPORTED) return false;
  Check(code, error, {device.NameOf(s.index), ": ", what});
  return true;
}

// A block that its device shares, for a scope.
class SharedBlock {
 public:
  SharedBlock(Device& device, Device::State& s, const SyBuffer& buffer, uint32_t kind)
      : device_(device), state_(s), buffer_(buffer) {
    share_.size = sizeof(share_);
    share_.kind = kind;
    ErrorText error;
    const int32_t code = device.functions().share(s.device, &buffer, &share_, error.abi());
    is_ = Agrees(device, s, code, error, "sharing memory");
  }
  ~SharedBlock() {
    if (is_) device_.functions().unshare(state_.device, &buffer_, &share_);
  }
  SharedBlock(const SharedBlock&) = delete;
  SharedBlock& operator=(const SharedBlock&) = delete;
  explicit operator bool() const { return is_; }
  const SyShare& share() const { return share_; }

 private:
  Device& device_;
  Device::State& state_;
  const SyBuffer& buffer_;
  SyShare share_ = {};
  bool is_;
};

// A block of another device as one of this device, for a scope.
class AdoptedBlock {
 public:
  AdoptedBlock(Device& device, Device::State& s, const SyShare& share)
      : device_(device), state_(s) {
    buffer_.size = sizeof(buffer_);
    ErrorText error;
    const int32_t code = device.functions().adopt(s.device, &share, &buffer_, error.abi());
    is_ = Agrees(device, s, code, error, "adopting another device's memory");
  }
  ~AdoptedBlock() {
    if (is_) device_.functions().abandon(state_.device, &buffer_);
  }
  AdoptedBlock(const AdoptedBlock&) = delete;
  AdoptedBlock& operator=(const AdoptedBlock&) = delete;
  explicit operator bool() const { return is_; }
  const SyBuffer& buffer() const { return buffer_; }

 private:
  Device& device_;
  Device::State& state_;
  SyBuffer buffer_ = {};
  bool is_;
};

}  // namespace

bool Device::CopyShared(const End& giver, const End& taker, bool taker_reads, size_t bytes) {
  if (giver.device.fn_.share == nullptr || taker.device.fn_.adopt == nullptr) return false;
  giver.device.WaitForCurrent(giver.state, giver.place.index);
  for (const uint32_t kind : {SY_SHARE_DMA_BUF, SY_SHARE_ADDRESS}) {
    const SharedBlock shared(giver.device, giver.state, giver.place.buffer, kind);
    if (!shared) continue;
    const AdoptedBlock adopted(taker.device, taker.state, shared.share());
    if (!adopted) continue;
    SyCopy c{};
    c.kind = SY_COPY_WITHIN_DEVICE;
    c.source = taker_reads ? &adopted.buffer() : &taker.place.buffer;
    c.source_offset = taker_reads ? giver.place.offset : taker.place.offset;
    c.destination = taker_reads ? &taker.place.buffer : &adopted.buffer();
    c.destination_offset = taker_reads ? taker.place.offset : giver.place.offset;
    c.bytes = bytes;
    taker.device.Copy(c, taker.place.index, nullptr, "copy from another device");
    return true;
  }
  return false;
}

// Between indices of one type, by their driver alone.
bool Device::CopyBetween(const End& from, const End& to, size_t bytes) {
  if (fn_.copy_between == nullptr) return false;
  SyCopy c{};
  c.size = sizeof(c);
  c.kind = SY_COPY_BETWEEN_INDICES;
  c.source = &from.place.buffer;
  c.source_offset = from.place.offset;
  c.destination = &to.place.buffer;
  c.destination_offset = to.place.offset;
  c.bytes = bytes;
  const auto stream = [this](const End& end) {
    Queue* queue = CurrentQueue(end.state, end.place.index);
    return queue == nullptr ? nullptr : queue->native();
  };
  ErrorText error;
  const int32_t code = Answered(to.state,
                                fn_.copy_between(from.state.device, stream(from), to.state.device,
                                                 stream(to), &c, error.abi()),
                                error);
  if (code == SY_E_UNSUPPORTED) return false;
  Check(code, error, {NameOf(to.place.index), ": copy from ", NameOf(from.place.index)});
  return true;
}

bool Device::CopyFromDevice(void* dst, int index, DeviceBackend& from, const void* src,
                            int from_index, size_t bytes) {
  auto* const other = dynamic_cast<Device*>(&from);
  if (other == nullptr || bytes == 0) return false;
  const CallScope here(slot_), there(other->slot_);
  const End to{*this, Opened(index), FindBlock(dst)};
  const End source{*other, other->Opened(from_index), other->FindBlock(src)};
  if (other == this && CopyBetween(source, to, bytes)) return true;
  return CopyShared(source, to, true, bytes) || CopyShared(to, source, false, bytes);
}

}  // namespace sy::plugin
