#include "plugin/device.h"

#include <algorithm>
#include <vector>

#include "plugin/calls.h"
#include "switchyard/registry/viewed.h"

namespace sy::plugin {
namespace {

struct Devices {
  std::mutex mutex;
  std::map<std::string, Device*> by_name;
};
Devices& devices() {
  static Devices* d = new Devices;
  return *d;
}

constinit std::atomic<uintptr_t> next_number{uintptr_t{1} << kNumberedDataBit};
constexpr uintptr_t kPage = 4096;  // room between blocks, so that an overrun hits none

uintptr_t NumberFor(uint64_t bytes) {
  return next_number.fetch_add((bytes + 2 * kPage - 1) & ~(kPage - 1), std::memory_order_relaxed);
}

}  // namespace

Device& Device::Of(const std::string& name) {
  Devices& d = devices();
  std::lock_guard lock(d.mutex);
  Device*& device = d.by_name[name];
  if (device == nullptr) device = new Device(name);
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

void Device::Attach(int slot, const SyDeviceDef& def, std::string plugin) {
  fn_ = ReadStruct<SyDeviceFunctions>(def.functions, SY_MIN_SyDeviceFunctions, name_);
  user_ = def.user;
  slot_ = slot;
  plugin_ = std::move(plugin);
  Resume();
}

void Device::CloseAll() {
  for (auto& slot : states_) {
    State* s = slot.exchange(nullptr, std::memory_order_acq_rel);
    if (s == nullptr) continue;
    ErrorText ignored;
    SyAsyncError failure{sizeof(SyAsyncError), 0, 0, {}};
    if (fn_.synchronize != nullptr) {
      fn_.synchronize(s->device, &failure);
    } else if (s->stream != nullptr) {
      fn_.stream_synchronize(s->device, s->stream, &failure);
    }
    if (s->stream != nullptr) fn_.stream_destroy(s->device, s->stream);
    if (fn_.close != nullptr) fn_.close(s->device);
    delete s;
  }
}

bool Device::Unusable() const { return !open_.load(std::memory_order_relaxed) || Forked(); }

void Device::FailGone() const {
  Fail(ErrorCode::kUnavailable, {"device '", name_, "': plugin '", plugin_, "' is not loaded"});
}

Device::State& Device::OpenSlowly(int index) {
  if (!open_.load(std::memory_order_acquire)) FailGone();
  if (index < 0 || index >= kMaxIndex) {
    Fail(ErrorCode::kInvalidArgument,
         {"device '", name_, ":", index, "': plugins have at most ", kMaxIndex, " devices a type"});
  }
  if (Forked()) {
    State* s = states_[index].load(std::memory_order_acquire);
    if (s == nullptr || (s->capabilities & SY_DEVICE_FORK_SAFE) == 0) {
      Fail(ErrorCode::kUnavailable,
           {"device '", name_, "': plugin '", plugin_,
            "' was loaded before fork and does not work in the child; load it there"});
    }
    return *s;
  }
  std::lock_guard lock(open_mutex_);
  if (State* s = states_[index].load(std::memory_order_acquire)) return *s;
  auto s = std::make_unique<State>();
  ErrorText error;
  if (fn_.open != nullptr)
    Check(fn_.open(user_, index, &s->device, error.abi()), error, {name_, ":", index, ": open"});
  const auto close = [&] {
    if (fn_.close != nullptr) fn_.close(s->device);
  };
  SyDeviceProperties p{};
  p.size = sizeof(p);
  int32_t code = SY_OK;
  if (fn_.properties != nullptr) code = fn_.properties(s->device, &p, error.abi());
  if (code == SY_OK && fn_.stream_create != nullptr)
    code = fn_.stream_create(s->device, 0, &s->stream, error.abi());
  if (code != SY_OK) {
    close();
    FailAbi(code, error.text(), Join({name_, ":", index, ": open"}));
  }
  s->capabilities = p.capabilities;
  s->alignment = p.alignment;
  states_[index].store(s.get(), std::memory_order_release);
  return *s.release();
}

int Device::Count(std::string* reason) {
  const CallScope scope(slot_);
  if (Unusable()) {
    *reason = Forked() ? "its plugin was loaded before fork" : "its plugin is not loaded";
    if (!Forked()) return 0;
  }
  if (fn_.count == nullptr) return 1;
  int32_t n = 0;
  ErrorText error;
  const int32_t code = fn_.count(user_, &n, error.abi());
  if (code != SY_OK || n <= 0) {
    *reason = error.text().empty() ? std::string(NameOfAbi(code)) : std::string(error.text());
    if (code == SY_OK && error.text().empty()) *reason = "the plugin finds no device";
    return 0;
  }
  return std::min(n, kMaxIndex);
}

// --- Memory ---

SyBuffer Device::AllocateTrimming(State& s, uint64_t bytes, uint64_t alignment, void* stream) {
  SyBuffer buffer{};
  buffer.size = sizeof(buffer);
  ErrorText error;
  const uint64_t aligned = std::max(alignment, s.alignment);
  int32_t code = fn_.allocate(s.device, bytes, aligned, stream, &buffer, error.abi());
  if (code == SY_E_OUT_OF_MEMORY && fn_.trim != nullptr && fn_.trim(s.device) == SY_OK)
    code = fn_.allocate(s.device, bytes, aligned, stream, &buffer, error.abi());
  if (code == SY_OK && buffer.handle == nullptr && (s.capabilities & SY_DEVICE_ADDRESSES) != 0) {
    Fail(ErrorCode::kInternal,
         {name_, ": plugin '", plugin_, "' says that it has ", bytes, " bytes, at address 0"});
  }
  if (code != SY_OK) {
    FailAbi(code, error.text(),
            Join({name_, ": ", bytes, " bytes cannot be allocated, ", live_bytes(), " bytes in ",
                  live_blocks(), " blocks are alive"}));
  }
  return buffer;
}

SyBuffer Device::AllocateRaw(State& s, uint64_t bytes, uint64_t alignment) {
  live_blocks_.fetch_add(1, std::memory_order_seq_cst);
  try {
    return AllocateTrimming(s, bytes, alignment, s.stream);
  } catch (...) {
    live_blocks_.fetch_sub(1, std::memory_order_seq_cst);
    throw;
  }
}

void Device::FreeRaw(State& s, const SyBuffer& buffer) noexcept {
  fn_.free(s.device, &buffer, s.stream);
  live_blocks_.fetch_sub(1, std::memory_order_seq_cst);
}

Allocation Device::Allocate(const AllocationRequest& request) {
  const CallScope scope(slot_);
  State& s = Opened(request.device_index);
  void* stream = request.stream == nullptr ? s.stream : request.stream;
  auto block = std::make_unique<Block>();
  block->buffer = AllocateTrimming(s, request.bytes, request.alignment, stream);
  block->index = request.device_index;
  block->bytes = request.bytes;
  const bool addresses = (s.capabilities & SY_DEVICE_ADDRESSES) != 0;
  const uintptr_t address =
      addresses ? reinterpret_cast<uintptr_t>(block->buffer.handle) : NumberFor(request.bytes);
  try {
    std::lock_guard lock(blocks_mutex_);
    blocks_[address] = block.get();
  } catch (...) {
    fn_.free(s.device, &block->buffer, stream);
    throw;
  }
  live_blocks_.fetch_add(1, std::memory_order_seq_cst);
  const int64_t bytes = static_cast<int64_t>(request.bytes);
  live_bytes_.fetch_add(bytes, std::memory_order_relaxed);
  const int64_t now = s.allocated.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  int64_t peak = s.peak.load(std::memory_order_relaxed);
  while (now > peak && !s.peak.compare_exchange_weak(peak, now, std::memory_order_relaxed)) {
  }
  s.allocations.fetch_add(1, std::memory_order_relaxed);
  return {reinterpret_cast<void*>(address), block.release()};
}

void Device::Free(const Allocation& allocation, size_t bytes) noexcept {
  auto* block = static_cast<Block*>(allocation.context);
  State* s = states_[block->index].load(std::memory_order_acquire);
  // In the child of a fork the memory is the parent's.
  if (Forked() && (s->capabilities & SY_DEVICE_FORK_SAFE) == 0) return;
  {
    std::lock_guard lock(blocks_mutex_);
    blocks_.erase(reinterpret_cast<uintptr_t>(allocation.data));
  }
  fn_.free(s->device, &block->buffer, s->stream);
  s->allocated.fetch_sub(static_cast<int64_t>(block->bytes), std::memory_order_relaxed);
  s->frees.fetch_add(1, std::memory_order_relaxed);
  live_bytes_.fetch_sub(static_cast<int64_t>(block->bytes), std::memory_order_relaxed);
  delete block;
  static_cast<void>(bytes);
  // Last: as long as a block is alive the plugin stays.
  live_blocks_.fetch_sub(1, std::memory_order_seq_cst);
}

MemoryStats Device::Stats(int index) const {
  const CallScope scope(slot_);
  if (!open_.load(std::memory_order_acquire) || index < 0 || index >= kMaxIndex) return {};
  State* s = states_[index].load(std::memory_order_acquire);
  if (s == nullptr) return {};
  SyMemoryStats m{};
  m.size = sizeof(m);
  if (fn_.memory_stats != nullptr && fn_.memory_stats(s->device, &m) == SY_OK) {
    const auto allocated = static_cast<int64_t>(m.allocated_bytes);
    return {.allocated_bytes = allocated,
            .peak_bytes = static_cast<int64_t>(m.peak_bytes),
            .reserved_bytes = allocated + static_cast<int64_t>(m.cached_bytes),
            .allocations = static_cast<int64_t>(m.allocations),
            .frees = static_cast<int64_t>(m.frees)};
  }
  const int64_t allocated = s->allocated.load(std::memory_order_relaxed);
  return {.allocated_bytes = allocated,
          .peak_bytes = s->peak.load(std::memory_order_relaxed),
          .reserved_bytes = allocated,
          .allocations = s->allocations.load(std::memory_order_relaxed),
          .frees = s->frees.load(std::memory_order_relaxed)};
}

void Device::ResetPeak(int index) {
  if (index < 0 || index >= kMaxIndex) return;
  State* s = states_[index].load(std::memory_order_acquire);
  if (s != nullptr) s->peak.store(s->allocated.load(std::memory_order_relaxed));
}

void Device::Trim() {
  const CallScope scope(slot_);
  if (Unusable() || fn_.trim == nullptr) return;
  for (auto& slot : states_) {
    if (State* s = slot.load(std::memory_order_acquire)) fn_.trim(s->device);
  }
}

// --- Copies ---

Device::Place Device::Find(const void* address) const {
  const auto a = reinterpret_cast<uintptr_t>(address);
  std::lock_guard lock(blocks_mutex_);
  auto it = blocks_.upper_bound(a);
  if (it != blocks_.begin()) {
    --it;
    if (a - it->first < std::max<uint64_t>(it->second->bytes, 1))
      return {it->second->buffer, a - it->first};
  }
  Fail(ErrorCode::kInternal, {"device '", name_, "': an address that is in none of its blocks"});
}

void Device::Copy(SyCopy& copy, int index, StreamHandle stream, const char* what) {
  const CallScope scope(slot_);
  State& s = Opened(index);
  copy.size = sizeof(copy);
  ErrorText error;
  Check(fn_.copy(s.device, &copy, stream == nullptr ? s.stream : stream, error.abi()), error,
        {name_, ":", index, ": ", what});
  // On our stream the copy follows what was queued before; then it is waited for.
  if (stream == nullptr) SynchronizeState(s);
}

void Device::CopyFromHost(void* dst, const void* src, size_t bytes, int index,
                          StreamHandle stream) {
  const Place to = Find(dst);
  SyCopy c{};
  c.kind = SY_COPY_HOST_TO_DEVICE;
  c.host_source = src;
  c.destination = &to.buffer;
  c.destination_offset = to.offset;
  c.bytes = bytes;
  Copy(c, index, stream, "copy from the host");
}

void Device::CopyToHost(void* dst, const void* src, size_t bytes, int index, StreamHandle stream) {
  const Place from = Find(src);
  SyCopy c{};
  c.kind = SY_COPY_DEVICE_TO_HOST;
  c.source = &from.buffer;
  c.source_offset = from.offset;
  c.host_destination = dst;
  c.bytes = bytes;
  Copy(c, index, stream, "copy to the host");
}

void Device::CopyWithin(void* dst, const void* src, size_t bytes, int index, StreamHandle stream) {
  const Place from = Find(src), to = Find(dst);
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

void Device::SynchronizeState(State& s) {
  SyAsyncError failure{};
  failure.size = sizeof(failure);
  int32_t code = SY_OK;
  if (fn_.synchronize != nullptr) {
    code = fn_.synchronize(s.device, &failure);
  } else if (s.stream != nullptr) {
    code = fn_.stream_synchronize(s.device, s.stream, &failure);
  }
  if (code != SY_OK) {
    if (failure.code == SY_OK) failure.code = code;
    Record(failure, s.device);
  }
  if (!s.failed.load(std::memory_order_acquire)) [[likely]]
    return;
  const SyAsyncError& f = s.failure;
  const std::string_view text(f.text, strnlen(f.text, sizeof(f.text)));
  FailAbi(f.code, text,
          Join({"device '", name_, "': work queued by call ", f.sequence, " has failed"}));
}

void Device::Synchronize(int index) {
  const CallScope scope(slot_);
  SynchronizeState(Opened(index < 0 ? 0 : index));
}

void Device::Record(const SyAsyncError& error, void* device) {
  for (auto& slot : states_) {
    State* s = slot.load(std::memory_order_acquire);
    if (s == nullptr || s->device != device) continue;
    std::lock_guard lock(blocks_mutex_);
    if (s->failed.load(std::memory_order_relaxed)) return;  // the first one stays
    s->failure = error;
    if (s->failure.code == SY_OK) s->failure.code = SY_E_ASYNC;
    s->failed.store(true, std::memory_order_release);
    return;
  }
}

}  // namespace sy::plugin
