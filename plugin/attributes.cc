// What a plugin's device says of itself, its options, and its own times.

#include "plugin/calls.h"
#include "plugin/device.h"

namespace sy::plugin {
namespace {

std::string Text(const char* text, size_t room) { return {text, strnlen(text, room)}; }

// What `take` is given.
struct Taken {
  std::vector<DeviceBackend::TimedWork> all;
  const RecentCalls* recent;
  bool lost = false;  // there was no memory for some of it
};

void Take(const SyTimedWork* work, void* context) noexcept {
  auto& taken = *static_cast<Taken*>(context);
  try {
    const bool counted = work->name == nullptr && taken.recent != nullptr;
    const std::string_view name = counted                 ? taken.recent->OperatorOf(work->sequence)
                                  : work->name == nullptr ? std::string_view()
                                                          : work->name;
    taken.all.push_back({std::string(name), work->begin_ns, work->end_ns,
                         reinterpret_cast<uint64_t>(work->stream)});
  } catch (...) {
    taken.lost = true;
  }
}

}  // namespace

std::vector<DeviceBackend::Attribute> Device::Attributes(int index) {
  const CallScope scope(slot_);
  State& s = Opened(index);
  std::vector<Attribute> all;
  if (fn_.attribute == nullptr) return all;
  for (uint32_t i = 0;; ++i) {
    SyAttribute a{};
    a.size = sizeof(a);
    ErrorText error;
    const int32_t code = Answered(s, fn_.attribute(s.device, i, &a, error.abi()), error);
    if (code == SY_E_NOT_FOUND) return all;
    Check(code, error, {NameOf(index), ": attribute ", i});
    all.emplace_back(Text(a.key, sizeof(a.key)), Text(a.value, sizeof(a.value)));
  }
}

bool Device::SetOption(int index, const std::string& key, const std::string& value) {
  const CallScope scope(slot_);
  State& s = Opened(index);
  if (fn_.set_option == nullptr) return false;
  ErrorText error;
  const int32_t code =
      Answered(s, fn_.set_option(s.device, key.c_str(), value.c_str(), error.abi()), error);
  if (code == SY_E_NOT_FOUND) return false;
  Check(code, error, {NameOf(index), ": option '", key, "' = '", value, "'"});
  return true;
}

void Device::WarmUp(int index) {
  const CallScope scope(slot_);
  State& s = Opened(index);
  if (fn_.warm_up == nullptr) return;
  ErrorText error;
  Check(Answered(s, fn_.warm_up(s.device, error.abi()), error), error,
        {NameOf(index), ": warm-up"});
}

bool Device::StartTiming(int index) {
  const CallScope scope(slot_);
  State& s = Opened(index);
  if (fn_.timing_start == nullptr) return false;
  ErrorText error;
  Check(Answered(s, fn_.timing_start(s.device, error.abi()), error), error,
        {NameOf(index), ": timing"});
  return true;
}

std::vector<DeviceBackend::TimedWork> Device::StopTiming(int index) {
  const CallScope scope(slot_);
  State& s = Opened(index);
  Taken taken{{}, s.recent.get()};
  ErrorText error;
  Check(Answered(s, fn_.timing_stop(s.device, Take, &taken, error.abi()), error), error,
        {NameOf(index), ": timing"});
  if (taken.lost) Fail(ErrorCode::kOutOfMemory, {NameOf(index), ": no memory for its times"});
  return std::move(taken.all);
}

}  // namespace sy::plugin
