#include "switchyard/core/accelerator.h"

#include <algorithm>

#include "switchyard/core/device_backend.h"
#include "switchyard/core/shape.h"
#include "switchyard/core/thread_places.h"
#include "switchyard/core/transfer.h"

namespace sy {
namespace {

// This thread's, made at the first choice; its streams go when the thread ends.
internal::ThreadPlaces& Places() {
  if (thread_state.places == nullptr) {
    auto* places = new internal::ThreadPlaces;
    places->index.fill(-1);
    places->at_exit.run = [](ThreadExit*) { delete std::exchange(thread_state.places, nullptr); };
    AtThreadExit(places->at_exit);
    thread_state.places = places;
  }
  return *thread_state.places;
}

Device Resolve(Device device) { return DeviceOfKey(PlaceOf(device)); }

KeyWord PlaceAt(Device resolved) {
  return PlaceOfKey(MakeKey(resolved.type.row, DType::kBool, resolved.index));
}

// The host has no backend where none is linked in, and is there all the same.
StreamImpl* DefaultImpl(Device at) {
  return at.type == kHost ? nullptr : BackendOf(at.type).DefaultStream(at.index);
}

Allocator* AllocatorOf(Device at) {
  return row_info[at.type.row].allocator.load(std::memory_order_acquire);
}

// Null where the type offers no pinned memory.
Allocator* PinnedAllocatorOf(DeviceType type) {
  DeviceBackend* backend = type == kHost ? nullptr : FindBackend(type);
  return backend == nullptr ? nullptr : backend->pinned_allocator();
}

Stream Shared(Device at, StreamImpl* borrowed) {
  if (borrowed != nullptr) borrowed->Retain();
  return {at, borrowed};
}

// This thread's choice at a place; without impl: the default one. A place once chosen at keeps its
// room, so that a choice can be given back without memory.
void Choose(KeyWord place, const Stream& chosen) {
  auto& all = Places().streams;
  const auto there =
      std::find_if(all.begin(), all.end(), [&](const auto& s) { return s.first == place; });
  if (there == all.end()) {
    all.emplace_back(place, chosen);
  } else {
    there->second = chosen;
  }
}

// Gives back what was current before, even while the device is not to be had.
void Restore(Device device) noexcept {
  if (device.index < 0) return;
  Places().index[device.type.row] = device.index;
  try {
    BackendOf(device.type).SetCurrent(device.index);
  } catch (const Error&) {  // the device has gone meanwhile
  }
}

}  // namespace

namespace internal {

StreamImpl* FindChosen(const ThreadPlaces& places, KeyWord place) {
  for (const auto& [at, stream] : places.streams) {
    if (at == place) return stream.impl();
  }
  return nullptr;
}

}  // namespace internal

int DeviceCount(DeviceType type, std::string* reason) {
  if (type == kHost) return 1;
  DeviceBackend* backend = FindBackend(type);
  std::string why = "it has no backend in this program";
  const int n = backend == nullptr ? 0 : backend->Count(&why);
  if (n == 0 && reason != nullptr) *reason = std::move(why);
  return n;
}

namespace {

// The backend of a device that is there, and its index.
std::pair<DeviceBackend*, int> Serving(Device device) {
  const Device place = DeviceOfKey(PlaceOf(device));
  return {&BackendOf(place.type), std::max<int>(place.index, 0)};
}

}  // namespace

std::vector<std::pair<std::string, std::string>> DeviceAttributes(Device device) {
  const auto [backend, index] = Serving(device);
  return backend->Attributes(index);
}

void SetDeviceOption(Device device, const std::string& key, const std::string& value) {
  const auto [backend, index] = Serving(device);
  if (!backend->SetOption(index, key, value))
    Fail(ErrorCode::kNotFound, {"device '", device.str(), "' has no option '", key, "'"});
}

void WarmUp(Device device) {
  const auto [backend, index] = Serving(device);
  backend->WarmUp(index);
}

namespace {

// Row 0 where there is only the host.
DeviceType FindAccelerator() {
  if (const Device d = DefaultDevice(); d.type != kHost) return d.type;
  for (int row = kHostRow + 1; row < NumRows(); ++row) {
    const DeviceType type{static_cast<Row>(row)};
    DeviceBackend* backend = FindBackend(type);
    if (backend != nullptr && backend->allocator() != nullptr && IsAvailable(type)) return type;
  }
  return {};
}

}  // namespace

bool HasAccelerator() { return FindAccelerator().row != kNoRow; }

Device CurrentAccelerator() {
  const DeviceType type = FindAccelerator();
  if (type.row == kNoRow)
    Fail(ErrorCode::kUnavailable, "there is no device but the host in this program");
  return CurrentDevice(type);
}

Device CurrentDevice(DeviceType type) { return Resolve({type}); }

void SetDevice(Device device) {
  const Device at = Resolve(device);
  if (at.index < 0) return;
  internal::ThreadPlaces& places = Places();
  BackendOf(at.type).SetCurrent(at.index);
  places.index[at.type.row] = at.index;
}

DeviceGuard::~DeviceGuard() { Restore(before_); }

Stream CurrentStream(Device device) {
  const Device at = Resolve(device);
  if (StreamImpl* chosen = ChosenStream(PlaceAt(at))) return Shared(at, chosen);
  return Shared(at, DefaultImpl(at));
}

Stream DefaultStream(Device device) {
  const Device at = Resolve(device);
  return Shared(at, DefaultImpl(at));
}

void SetStream(const Stream& stream) {
  const Device at = Resolve(stream.device());
  auto& all = Places().streams;
  all.reserve(all.size() + 1);
  SetDevice(at);
  if (stream.impl() == nullptr) return;  // there is only one
  Choose(PlaceAt(at), stream.impl() == DefaultImpl(at) ? Stream(at, nullptr) : stream);
}

StreamGuard::StreamGuard(const Stream& stream) : device_(CurrentDevice(stream.device().type)) {
  const Device at = Resolve(stream.device());
  before_ = Shared(at, ChosenStream(PlaceAt(at)));
  SetStream(stream);
}

StreamGuard::~StreamGuard() {
  Choose(PlaceAt(before_.device()), before_);
  Restore(device_);
}

void Synchronize(Device device) {
  const Device at = Resolve(device);
  if (at.type != kHost) BackendOf(at.type).Synchronize(at.index);
}

// --- Memory ---

MemoryStats GetMemoryStats(Device device) {
  const Device at = Resolve(device);
  const Allocator* a = AllocatorOf(at);
  return a == nullptr ? MemoryStats{} : a->Stats(std::max<int>(at.index, 0));
}

void ResetPeakMemoryStats(Device device) {
  const Device at = Resolve(device);
  if (Allocator* a = AllocatorOf(at)) a->ResetPeak(std::max<int>(at.index, 0));
}

void EmptyCache(DeviceType type) {
  if (Allocator* a = AllocatorOf(Resolve({type}))) a->Trim();
}

void SetMemoryLimit(Device device, size_t bytes) {
  const Device at = Resolve(device);
  Allocator* a = AllocatorOf(at);
  if (a == nullptr || !a->SetLimit(std::max<int>(at.index, 0), bytes))
    Fail(ErrorCode::kNotImplemented, {"a limit of memory on ", at.str(), ": it knows none"});
}

void RecordStream(const Tensor& t, const Stream& stream) {
  const StorageImpl* s = t.impl()->storage;
  if (stream.impl() == nullptr || s->allocator == nullptr) return;
  s->allocator->RecordStream({s->data, s->context}, stream.impl());
}

Device PinningDevice() {
  if (const Device d = DefaultDevice(); d.type != kHost && PinnedAllocatorOf(d.type) != nullptr)
    return CurrentDevice(d.type);
  std::string there;
  for (int row = kHostRow + 1; row < NumRows(); ++row) {
    const DeviceType type{static_cast<Row>(row)};
    if (FindBackend(type) == nullptr) continue;
    if (PinnedAllocatorOf(type) != nullptr && IsAvailable(type)) return CurrentDevice(type);
    there += Join({there.empty() ? "" : ", ", type.name()});
  }
  Fail(ErrorCode::kNotImplemented,
       {"pinning needs a device that offers pinned memory; there is ",
        there.empty() ? "only the host" : Join({"none such among ", there})});
}

Tensor EmptyStridedPinned(IntSpan sizes, IntSpan strides, DType dtype, Device device) {
  const Device at = Resolve(device);
  Allocator* allocator = PinnedAllocatorOf(at.type);
  if (allocator == nullptr) {
    Fail(ErrorCode::kNotImplemented,
         {"pinned memory of ", at.str(), ": the device does not offer any"});
  }
  size_t bytes = 0;
  if (__builtin_mul_overflow(static_cast<size_t>(StorageExtent(sizes, strides)), ItemSize(dtype),
                             &bytes)) {
    Fail(ErrorCode::kInvalidArgument,
         {"a tensor of sizes ", sizes, " and dtype ", dtype, " has more than 2^64 - 1 bytes"});
  }
  const Tensor t(internal::NewWithoutBytes(MakeKey(kHostRow, dtype), sizes, strides));
  StorageImpl& s = t.impl()->own;
  // One byte at least: what is pinned is known by its allocator.
  s.nbytes = std::max<size_t>(bytes, 1);
  const Allocation a = allocator->Allocate({.bytes = s.nbytes, .device_index = at.index});
  s.data = a.data;
  s.context = a.context;
  s.allocator = allocator;
  return t;
}

Tensor EmptyPinned(IntSpan sizes, DType dtype, Device device) {
  std::vector<int64_t> strides(sizes.size());
  ContiguousStrides(sizes, strides.data());
  return EmptyStridedPinned(sizes, strides, dtype, device);
}

Tensor PinnedCopy(const Tensor& t, Device device) {
  if (!t.is_host())
    Fail(ErrorCode::kInvalidArgument, {"pinning a tensor: expected one on cpu, got ", Describe(t)});
  Tensor pinned = EmptyStridedPinned(t.sizes(), t.strides(), t.dtype(), device);
  CopyBack(pinned, t);
  return pinned;
}

bool IsPinned(const Tensor& t) {
  const StorageImpl* s = t.impl()->storage;
  return t.is_host() && s->allocator != nullptr && s->allocator->is_pinned();
}

bool IsPinned(const Tensor& t, DeviceType type) {
  return IsPinned(t) && t.impl()->storage->allocator == PinnedAllocatorOf(type);
}

MemoryStats GetPinnedMemoryStats(DeviceType type) {
  const Allocator* a = PinnedAllocatorOf(type);
  return a == nullptr ? MemoryStats{} : a->Stats(0);
}

void EmptyPinnedCache(DeviceType type) {
  if (Allocator* a = PinnedAllocatorOf(type)) a->Trim();
}

}  // namespace sy
