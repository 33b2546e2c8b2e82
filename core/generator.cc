#include "switchyard/core/generator.h"

#include <atomic>
#include <map>
#include <random>
#include <vector>

#include "switchyard/core/device_backend.h"
#include "switchyard/core/fork.h"
#include "switchyard/core/philox_generator.h"

namespace sy {
namespace {

// 53 bits, so that the seed survives a trip through a double (JSON, Python floats).
uint64_t SeedFromSystem() {
  std::random_device device;
  const uint64_t high = device(), low = device();
  return (high << 32 | low) & ((uint64_t{1} << 53) - 1);
}

// The default generators made so far, and the seed that the next one starts from.
struct Defaults {
  static Defaults& Get() {
    static Defaults& d = *new Defaults;  // used until the last thread ends
    return d;
  }
  std::mutex mutex;
  std::optional<uint64_t> seed;
  std::map<KeyWord, std::unique_ptr<Generator>> by_place;
  std::atomic<Generator*> host{nullptr};  // the usual one, without a lock

  void SeedAll(uint64_t value) {
    std::lock_guard lock(mutex);
    seed = value;
    for (auto& [place, generator] : by_place) generator->manual_seed(value);
  }
};

// The default generators may be drawn from in a child.
const internal::AtFork at_fork{internal::ForkRank::kGenerators, [](internal::ForkPhase phase) {
                                 Defaults& d = Defaults::Get();
                                 if (phase == internal::ForkPhase::kBefore) d.mutex.lock();
                                 for (auto& [place, generator] : d.by_place)
                                   internal::HoldAcross(phase, generator->mutex());
                                 if (phase != internal::ForkPhase::kBefore)
                                   internal::HoldAcross(phase, d.mutex);
                               }};

}  // namespace

void Generator::manual_seed(uint64_t seed) {
  std::lock_guard lock(mutex_);
  next_normal_.reset();
  SeedStream(seed);
}

uint64_t Generator::seed() {
  const uint64_t value = SeedFromSystem();
  manual_seed(value);
  return value;
}

uint64_t Generator::initial_seed() {
  std::lock_guard lock(mutex_);
  return StreamSeed();
}

Tensor Generator::get_state() {
  std::lock_guard lock(mutex_);
  return State();
}

void Generator::set_state(const Tensor& state) {
  const bool fits = state.defined() && state.is_host() && state.dtype() == DType::kUInt8 &&
                    state.dim() == 1 && state.is_contiguous();
  if (!fits) {
    Fail(
        ErrorCode::kInvalidArgument,
        {"set_state(): state must be a contiguous 1-d uint8 tensor on cpu, got ", Describe(state)});
  }
  std::lock_guard lock(mutex_);
  SetState(state);
}

std::unique_ptr<Generator> Generator::clone_state() {
  std::unique_ptr<Generator> other = NewGenerator(device_);
  other->set_state(get_state());
  return other;
}

uint64_t Generator::get_offset() {
  std::lock_guard lock(mutex_);
  return StreamOffset();
}

void Generator::set_offset(uint64_t offset) {
  std::lock_guard lock(mutex_);
  next_normal_.reset();
  SetStreamOffset(offset);
}

namespace {

[[noreturn]] void FailOffset(std::string_view op, Device device) {
  Fail(ErrorCode::kNotImplemented,
       {op, "(): a generator of ", device.str(), " has a state and no offset"});
}

}  // namespace

uint64_t Generator::StreamOffset() const { FailOffset("get_offset", device_); }
void Generator::SetStreamOffset(uint64_t /*offset*/) { FailOffset("set_offset", device_); }

void Generator::RequireStateSize(const Tensor& state, int64_t bytes, std::string_view kind) {
  if (state.numel() == bytes) return;
  Fail(ErrorCode::kInvalidArgument, {"set_state(): the state of a ", kind, " generator has ", bytes,
                                     " bytes, got ", state.numel()});
}

uint32_t Generator::random() {
  uint32_t word;
  Draw({&word, 1});
  return word;
}

uint64_t Generator::random64() {
  uint32_t words[2];
  Draw(words);
  return uint64_t{words[0]} << 32 | words[1];
}

std::unique_ptr<Generator> DeviceBackend::NewGenerator(Device device) {
  return std::make_unique<PhiloxGenerator>(device);
}

std::unique_ptr<Generator> NewGenerator(Device device) {
  const Device exact = DeviceOfKey(PlaceOf(device));
  std::unique_ptr<Generator> g = BackendOf(device.type).NewGenerator(exact);
  g->seed();
  return g;
}

Generator& DefaultGenerator(Device device) {
  Defaults& d = Defaults::Get();
  if (device.type == kHost) {
    if (Generator* host = d.host.load(std::memory_order_acquire)) return *host;
  }
  const KeyWord place = PlaceOf(device);
  std::lock_guard lock(d.mutex);
  if (const auto found = d.by_place.find(place); found != d.by_place.end()) return *found->second;
  std::unique_ptr<Generator> made = NewGenerator(device);
  if (d.seed) made->manual_seed(*d.seed);
  Generator& g = *d.by_place.emplace(place, std::move(made)).first->second;
  if (device.type == kHost) d.host.store(&g, std::memory_order_release);
  return g;
}

void manual_seed(uint64_t seed) { Defaults::Get().SeedAll(seed); }

uint64_t seed() {
  const uint64_t value = SeedFromSystem();
  manual_seed(value);
  return value;
}

uint64_t initial_seed() { return DefaultGenerator().initial_seed(); }
Tensor get_rng_state(Device device) { return DefaultGenerator(device).get_state(); }
void set_rng_state(const Tensor& state, Device device) {
  DefaultGenerator(device).set_state(state);
}

}  // namespace sy
