#include "plugin/device.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <set>
#include <vector>

#include "plugin/calls.h"
#include "plugin/pinned.h"
#include "plugin/stream.h"
#include "switchyard/core/fork.h"

namespace sy::plugin {
namespace {

struct Devices {
  std::mutex mutex;
  std::map<std::string, Device*> by_name;
  std::set<std::string> plugins;  // that were loaded once
};
Devices& devices() {
  static Devices* d = new Devices;
  return *d;
}

const internal::AtFork at_fork{internal::ForkRank::kRecords, [](internal::ForkPhase phase) {
                                 Devices& d = devices();
                                 const bool before = phase == internal::ForkPhase::kBefore;
                                 if (before) internal::HoldAcross(phase, d.mutex);
                                 for (auto& [name, device] : d.by_name)
                                   device->HoldAcrossFork(phase);
                                 if (!before) internal::HoldAcross(phase, d.mutex);
                               }};

bool Says(const char* text, std::string_view value) { return text != nullptr && text == value; }

// Tools that watch memory see where it ends, and when, if it is not kept.
bool Caching() {
#if defined(__SANITIZE_ADDRESS__)
  return Says(secure_getenv("SWITCHYARD_PLUGIN_CACHING"), "1");
#else
  return !Says(secure_getenv("SWITCHYARD_PLUGIN_CACHING"), "0");
#endif
}

// Of each device; 0: none.
uint64_t LimitOfEnvironment() {
  const char* text = secure_getenv("SWITCHYARD_PLUGIN_MEMORY_LIMIT");
  uint64_t bytes = 0;
  if (text == nullptr) return 0;
  const char* end = text + std::strlen(text);
  const auto [read, error] = std::from_chars(text, end, bytes);
  return error == std::errc{} && read == end ? bytes : 0;
}

}  // namespace

Device& Device::Of(const std::string& name) {
  Devices& d = devices();
  std::lock_guard lock(d.mutex);
  const auto it = d.by_name.find(name);
  if (it != d.by_name.end()) return *it->second;
  // Its destructor is private: what was made and cannot be kept is deleted here.
  auto* device = new Device(name);
  try {
    d.by_name.emplace(name, device);
  } catch (...) {
    delete device;
    throw;
  }
  return *device;
}

Device* Device::WithState(void* state) {
  Devices& d = devices();
  std::lock_guard lock(d.mutex);
  for (auto& [name, device] : d.by_name) {
    for (auto& s : device->states_) {
      const State* found = s.load(std::memory_order_acquire);
      if (found != nullptr && found->device == state) return device;
    }
  }
  return nullptr;
}

void Device::Attach(const SyDeviceDef& def, const std::string& plugin) {
  fn_ = ReadStruct<SyDeviceFunctions>(def.functions, SY_MIN_SyDeviceFunctions, name_);
  user_ = def.user;
  caching_ = Caching();
  any_lost_.store(false, std::memory_order_relaxed);
  count_.store(0, std::memory_order_relaxed);
  pins_.store(fn_.host_allocate != nullptr || fn_.stream_create != nullptr,
              std::memory_order_relaxed);
  {
    std::lock_guard lock(devices().mutex);
    plugin_.store(&*devices().plugins.insert(plugin).first, std::memory_order_release);
  }
}

Device::Device(std::string name)
    : name_(std::move(name)),
      slot_(SlotOf("device " + name_)),
      pinned_(std::make_unique<PinnedMemory>(*this)) {}
Device::~Device() = default;

void Device::Settle() {
  pinned_->Settle();
  for (auto& slot : states_) {
    if (State* s = slot.load(std::memory_order_acquire)) Reclaim(*s, true);
  }
}

int64_t Device::live_blocks() const {
  int64_t n = live_blocks_.load(std::memory_order_seq_cst);
  for (auto& slot : memories_) {
    if (DeviceMemory* memory = slot.load(std::memory_order_acquire)) n += memory->in_use();
  }
  return n;
}

int64_t Device::live_bytes() const {
  int64_t n = 0;
  for (auto& slot : memories_) {
    DeviceMemory* memory = slot.load(std::memory_order_acquire);
    if (memory != nullptr) n += memory->Stats().allocated_bytes;
  }
  return n;
}

DeviceMemory& Device::MemoryOf(int index) {
  std::lock_guard lock(blocks_mutex_);
  auto& slot = memories_[index];
  if (DeviceMemory* memory = slot.load(std::memory_order_relaxed)) return *memory;
  auto* memory = new DeviceMemory;
  memory->SetLimit(LimitOfEnvironment());
  slot.store(memory, std::memory_order_release);
  return *memory;
}

void Device::HoldAcrossFork(internal::ForkPhase phase) {
  internal::HoldAcross(phase, blocks_mutex_);
  for (auto& slot : memories_) {
    if (DeviceMemory* memory = slot.load(std::memory_order_relaxed)) memory->HoldAcrossFork(phase);
  }
}

void Device::CloseAll() {
  pinned_->Close();
  for (auto& slot : states_) {
    State* s = slot.exchange(nullptr, std::memory_order_acq_rel);
    if (s == nullptr) continue;
    usable_[s->index].store(nullptr, std::memory_order_release);
    CloseState(*s);
    s->memory->Reset();
    delete s;
  }
}

void Device::CloseState(State& s) noexcept {
  // Streams of the program's are gone, and with them what they kept.
  GiveToDriver(s, s.memory->TakeKept(KeptOf(s, nullptr)), s.stream);
  SyAsyncError ignored{sizeof(SyAsyncError), 0, 0, {}};
  if (s.lost.load(std::memory_order_acquire)) {
    // Nothing to wait for.
  } else if (fn_.synchronize != nullptr) {
    fn_.synchronize(s.device, &ignored);
  } else if (s.stream != nullptr) {
    fn_.stream_synchronize(s.device, s.stream, &ignored);
  }
  for (auto& events : s.events) {
    for (void* event : events) fn_.event_destroy(s.device, event);
  }
  if (s.default_queue != nullptr) {
    s.default_queue->Detach();
    s.default_queue->Release();
    fn_.stream_destroy(s.device, s.stream);
  }
  if (fn_.close != nullptr) fn_.close(s.device);
}

bool Device::Unusable() const { return !open_.load(std::memory_order_acquire) || Forked(); }

void Device::FailGone() const {
  Fail(ErrorCode::kUnavailable, {"device '", name_, "': plugin '", plugin(), "' is not loaded"});
}

Device::State& Device::OpenSlowly(int index) {
  if (!open_.load(std::memory_order_acquire)) FailGone();
  if (index < 0 || index >= kMaxIndex) {
    Fail(ErrorCode::kInvalidArgument,
         {"device '", name_, ":", index, "': plugins have at most ", kMaxIndex, " devices a type"});
  }
  if (State* s = Find(index); s != nullptr && s->lost.load(std::memory_order_acquire))
    s->failure.Check(NameOf(index));
  if (Forked()) {
    State* s = Find(index);
    if (s == nullptr || (s->capabilities & SY_DEVICE_FORK_SAFE) == 0) {
      Fail(ErrorCode::kUnavailable,
           {"device '", name_, "': plugin '", plugin(),
            "' was loaded before fork and does not work in the child; load it there"});
    }
    return *s;
  }
  std::lock_guard lock(open_mutex_);
  if (State* s = Find(index)) return *s;
  auto s = std::make_unique<State>();
  s->index = index;
  s->memory = &MemoryOf(index);
  ErrorText error;
  if (fn_.open != nullptr)
    Check(fn_.open(user_, index, &s->device, error.abi()), error, {name_, ":", index, ": open"});
  try {
    OpenState(*s);
  } catch (...) {
    if (s->stream != nullptr) fn_.stream_destroy(s->device, s->stream);
    if (fn_.close != nullptr) fn_.close(s->device);
    throw;
  }
  states_[index].store(s.get(), std::memory_order_release);
  usable_[index].store(s.get(), std::memory_order_release);
  return *s.release();
}

// What there is to know of a device that was opened, and its default stream.
void Device::OpenState(State& s) {
  SyDeviceProperties p{};
  p.size = sizeof(p);
  ErrorText error;
  int32_t code = SY_OK;
  if (fn_.properties != nullptr) code = fn_.properties(s.device, &p, error.abi());
  if (code == SY_OK && fn_.stream_create != nullptr)
    code = fn_.stream_create(s.device, 0, &s.stream, error.abi());
  if (code != SY_OK) s.stream = nullptr;
  Check(code, error, {name_, ":", s.index, ": open"});
  s.capabilities = p.capabilities;
  s.alignment = p.alignment;
  s.keeps = caching_ && (p.capabilities & SY_DEVICE_CACHES) == 0;
  s.kept_alignment = s.keeps ? std::max(kAlignment, s.alignment) : 0;
  if ((p.capabilities & SY_DEVICE_ASYNC) != 0) s.recent = std::make_unique<RecentCalls>();
  if (s.stream != nullptr) {
    const sy::Device at{FindDeviceType(name_), static_cast<int16_t>(s.index)};
    s.default_queue = new Queue(*this, at, s.stream, 0);
  }
}

void Device::Lose(State& s, SyAsyncError error, std::string_view text) const noexcept {
  if (text.size() >= sizeof(error.text)) text = text.substr(0, sizeof(error.text) - 1);
  std::copy(text.begin(), text.end(), error.text);
  s.failure.Set(error, SY_E_DEVICE_LOST, s.recent.get());
  s.lost.store(true, std::memory_order_release);
  any_lost_.store(true, std::memory_order_release);
  usable_[s.index].store(nullptr, std::memory_order_release);
}

int Device::Count(std::string* reason) {
  const int known = count_.load(std::memory_order_relaxed);
  if (known > 0 && open_.load(std::memory_order_acquire) && !Forked()) [[likely]]
    return known;
  return AskCount(reason);
}

int Device::AskCount(std::string* reason) {
  const CallScope scope(slot_);
  if (Unusable()) {
    *reason = Forked() ? "its plugin was loaded before fork" : "its plugin is not loaded";
    if (!Forked()) return 0;
  }
  int32_t n = 1;
  ErrorText error;
  const int32_t code = fn_.count == nullptr ? SY_OK : fn_.count(user_, &n, error.abi());
  if (code != SY_OK || n <= 0) {
    *reason = error.text().empty() ? std::string(NameOfAbi(code)) : std::string(error.text());
    if (code == SY_OK && error.text().empty()) *reason = "the plugin finds no device";
    return 0;
  }
  n = std::min(n, kMaxIndex);
  if (!Unusable()) count_.store(n, std::memory_order_relaxed);
  return n;
}

// --- Copies ---

void Device::Copy(SyCopy& copy, int index, StreamHandle stream, const char* what) {
  const CallScope scope(slot_);
  State& s = Opened(index);
  Queue* queue = stream == nullptr ? CurrentQueue(s, index) : static_cast<Queue*>(stream);
  copy.size = sizeof(copy);
  ErrorText error;
  void* native = queue == nullptr ? nullptr : queue->native();
  Check(Answered(s, fn_.copy(s.device, &copy, native, error.abi()), error), error,
        {NameOf(index), ": ", what});
  // On a stream the copy follows what was queued before; then it is waited for.
  if (stream == nullptr) WaitForCurrent(s, index);
}

void Device::CopyFromHost(void* dst, const void* src, size_t bytes, int index,
                          StreamHandle stream) {
  const Place to = FindBlock(dst);
  SyCopy c{};
  c.kind = SY_COPY_HOST_TO_DEVICE;
  c.host_source = src;
  c.destination = &to.buffer;
  c.destination_offset = to.offset;
  c.bytes = bytes;
  Copy(c, index, stream, "copy from the host");
}

void Device::CopyToHost(void* dst, const void* src, size_t bytes, int index, StreamHandle stream) {
  const Place from = FindBlock(src);
  SyCopy c{};
  c.kind = SY_COPY_DEVICE_TO_HOST;
  c.source = &from.buffer;
  c.source_offset = from.offset;
  c.host_destination = dst;
  c.bytes = bytes;
  Copy(c, index, stream, "copy to the host");
}

void Device::CopyWithin(void* dst, const void* src, size_t bytes, int index, StreamHandle stream) {
  const Place from = FindBlock(src), to = FindBlock(dst);
  SyCopy c{};
  c.kind = SY_COPY_WITHIN_DEVICE;
  c.source = &from.buffer;
  c.source_offset = from.offset;
  c.destination = &to.buffer;
  c.destination_offset = to.offset;
  c.bytes = bytes;
  Copy(c, index, stream, "copy");
}

// --- Waiting ---

void Device::WaitForCurrent(State& s, int index) {
  Queue* queue = CurrentQueue(s, index);
  if (queue == nullptr) return SynchronizeState(s, index);
  queue->Wait(s);
}

std::vector<Stream> Device::LivingQueues(State& s) {
  std::vector<Stream> queues;
  if (s.stream == nullptr) return queues;
  const sy::Device at = s.default_queue->device();
  std::lock_guard lock(s.mutex);
  queues.reserve(s.queues.size() + 1);  // then nothing that is held here is lost
  s.default_queue->Retain();
  queues.emplace_back(at, s.default_queue);
  for (Queue* q : s.queues) {
    if (q->TryRetain()) queues.emplace_back(at, q);
  }
  return queues;
}

void Device::SynchronizeState(State& s, int index) {
  const std::vector<Stream> queues = LivingQueues(s);
  if (fn_.synchronize != nullptr) {
    SyAsyncError failure{};
    failure.size = sizeof(failure);
    const int32_t code = Answered(s, fn_.synchronize(s.device, &failure), failure);
    if (code != SY_OK) s.failure.Set(failure, code, s.recent.get());
  } else {
    for (const Stream& q : queues) static_cast<Queue*>(q.impl())->WaitQuietly(s);
  }
  s.failure.Check(NameOf(index));
  for (const Stream& q : queues) static_cast<Queue*>(q.impl())->CheckFailed(s);
}

void Device::Synchronize(int index) {
  const CallScope scope(slot_);
  SynchronizeState(Opened(std::max(index, 0)), std::max(index, 0));
}

void Device::Report(const SyAsyncError& error, void* device) {
  for (auto& slot : states_) {
    State* s = slot.load(std::memory_order_acquire);
    if (s == nullptr || s->device != device) continue;
    s->failure.Set(error, SY_E_ASYNC, s->recent.get());
    Answered(*s, error.code, error);
  }
}

}  // namespace sy::plugin
