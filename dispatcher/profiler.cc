#include "switchyard/dispatcher/profiler.h"

#include <absl/cleanup/cleanup.h>
#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "switchyard/core/device_backend.h"
#include "switchyard/core/error.h"
#include "switchyard/core/logging.h"
#include "third_party/fmt/format.h"

namespace sy {
namespace {

constexpr int kOrder = 100;  // outermost: it measures all other layers

int64_t ClockNs() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

// Time of the operators called by the one that is running, in this thread.
thread_local int64_t children_ns = 0;

KeyWord KeyOf(const LayerCall& call) {
  for (const Result& r : call.results) {
    if (r.value().tag == Tag::kTensor) return r.value().t->key;
  }
  for (const Value& v : call.args) {
    if (v.tag == Tag::kTensor) return v.t->key;
  }
  return 0;
}

// "profiler", "profiler2", …: several may live side by side.
LayerId RegisterUnderFreeName(Layer* layer) {
  for (int i = 1;; ++i) {
    const std::string name = i == 1 ? "profiler" : "profiler" + std::to_string(i);
    try {
      return RegisterLayer(name, kOrder, layer);
    } catch (const Error& e) {
      if (e.code() != ErrorCode::kRegistration) throw;
    }
  }
}

}  // namespace

Profiler::Profiler() : id_(RegisterUnderFreeName(this)), start_ns_(ClockNs()) {}
Profiler::~Profiler() { UnregisterLayer(id_); }

int64_t Profiler::Now() const { return ClockNs() - start_ns_; }

void Profiler::OnCall(LayerCall& call) {
  const int64_t outer = std::exchange(children_ns, 0);
  const int64_t begin = Now();
  // Also when the operator throws: what it called before was called.
  const absl::Cleanup finish = [this, &call, begin, outer] {
    const int64_t end = Now();
    Record(call, begin, end);
    children_ns = outer + (end - begin);
  };
  call.Redispatch();
}

void Profiler::Record(const LayerCall& call, int64_t begin_ns, int64_t end_ns) noexcept {
  std::lock_guard lock(mutex_);
  try {
    const uint64_t self = static_cast<uint64_t>(pthread_self());
    auto it = std::find(threads_.begin(), threads_.end(), self);
    if (it == threads_.end()) it = threads_.insert(threads_.end(), self);
    events_.push_back({call.op.name(), KeyOf(call), begin_ns, end_ns, children_ns,
                       static_cast<int>(it - threads_.begin())});
  } catch (const std::exception&) {  // no memory
    ++lost_;
  }
}

Profiler::DeviceScope::DeviceScope(Profiler& p, Device device)
    : profiler_(p), device_(DeviceOfKey(PlaceOf(device))) {
  if (!BackendOf(device_.type).StartTiming(std::max<int>(device_.index, 0))) {
    Fail(ErrorCode::kNotImplemented, {"device '", device_.str(), "' does not time its own work"});
  }
}

Profiler::DeviceScope::~DeviceScope() {
  try {
    auto timed = BackendOf(device_.type).StopTiming(std::max<int>(device_.index, 0));
    std::lock_guard lock(profiler_.mutex_);
    for (DeviceBackend::TimedWork& w : timed) {
      profiler_.device_events_.push_back({std::move(w.name), device_,
                                          w.begin_ns - profiler_.start_ns_,
                                          w.end_ns - profiler_.start_ns_, w.stream});
    }
  } catch (const std::exception& e) {
    Log(LogLevel::kWarning,
        fmt::format("the times of device '{}' are lost: {}", device_.str(), e.what()));
  }
}

std::vector<Profiler::DeviceEvent> Profiler::DeviceEvents() const {
  std::lock_guard lock(mutex_);
  return device_events_;
}

int64_t Profiler::lost() const {
  std::lock_guard lock(mutex_);
  return lost_;
}

std::vector<Profiler::Event> Profiler::Events() const {
  std::lock_guard lock(mutex_);
  return events_;
}

void Profiler::Clear() {
  std::lock_guard lock(mutex_);
  events_.clear();
  device_events_.clear();
  lost_ = 0;
}

std::vector<Profiler::Entry> Profiler::Entries() const {
  std::map<std::pair<std::string_view, KeyWord>, Entry> rows;
  for (const Event& e : Events()) {
    auto [it, added] = rows.try_emplace({e.op, e.key & kSlotMask});
    Entry& r = it->second;
    const int64_t ns = e.end_ns - e.begin_ns;
    if (added) {
      r.op = e.op;
      r.device = DeviceType{RowOfKey(e.key)}.name();
      r.dtype = e.key == 0 ? "" : Name(DTypeOfKey(e.key));
      r.min_ns = ns;
    }
    ++r.calls;
    r.total_ns += ns;
    r.self_ns += ns - e.children_ns;
    r.min_ns = std::min(r.min_ns, ns);
    r.max_ns = std::max(r.max_ns, ns);
  }
  std::vector<Entry> sorted;
  sorted.reserve(rows.size());
  for (auto& [key, row] : rows) sorted.push_back(std::move(row));
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Entry& a, const Entry& b) { return a.total_ns > b.total_ns; });
  return sorted;
}

std::string Profiler::Table() const {
  std::string s =
      fmt::format("{:<32} {:<8} {:<12} {:>8} {:>12} {:>12} {:>10} {:>10}\n", "operator", "device",
                  "dtype", "calls", "total us", "self us", "mean us", "max us");
  for (const Entry& r : Entries()) {
    const double total = static_cast<double>(r.total_ns) / 1e3;
    s += fmt::format("{:<32} {:<8} {:<12} {:>8} {:>12.3f} {:>12.3f} {:>10.3f} {:>10.3f}\n", r.op,
                     r.device, r.dtype, r.calls, total, static_cast<double>(r.self_ns) / 1e3,
                     total / static_cast<double>(r.calls), static_cast<double>(r.max_ns) / 1e3);
  }
  if (const int64_t n = lost(); n != 0)
    s += fmt::format("not recorded, out of memory: {} calls\n", n);
  return s;
}

std::string Profiler::ChromeTrace() const {
  // Format: "Trace Event Format", complete events; times in microseconds.
  nlohmann::json events = nlohmann::json::array();
  for (const Event& e : Events()) {
    events.push_back({{"name", e.op},
                      {"cat", "operator"},
                      {"ph", "X"},
                      {"ts", static_cast<double>(e.begin_ns) / 1e3},
                      {"dur", static_cast<double>(e.end_ns - e.begin_ns) / 1e3},
                      {"pid", 1},
                      {"tid", e.thread},
                      {"args",
                       {{"device", DeviceType{RowOfKey(e.key)}.name()},
                        {"dtype", e.key == 0 ? "" : Name(DTypeOfKey(e.key))}}}});
  }
  for (const DeviceEvent& e : DeviceEvents()) {
    events.push_back({{"name", e.name},
                      {"cat", "device"},
                      {"ph", "X"},
                      {"ts", static_cast<double>(e.begin_ns) / 1e3},
                      {"dur", static_cast<double>(e.end_ns - e.begin_ns) / 1e3},
                      {"pid", e.device.str()},
                      {"tid", e.stream}});
  }
  return nlohmann::json({{"traceEvents", events}, {"displayTimeUnit", "ns"}}).dump(1);
}

}  // namespace sy
