#include "switchyard/core/device.h"

#include <array>
#include <charconv>
#include <mutex>
#include <new>
#include <utility>

#include "switchyard/core/device_backend.h"
#include "switchyard/core/device_removal.h"
#include "switchyard/core/error.h"
#include "switchyard/core/fork.h"
#include "switchyard/core/keep_object.h"
#include "switchyard/core/thread_places.h"

namespace sy {

// Names, backends and their sources by row. Appended under the mutex and published by the count:
// readers take no lock.
struct DeviceTable {
  std::array<std::string, kMaxRows> names, sources;
  std::array<std::atomic<DeviceBackend*>, kMaxRows> backends = {};
  std::atomic<int> count{0};
  std::recursive_mutex mutex;         // making a backend may look up device types
  std::vector<std::string> problems;  // what static registrations did wrong

  DeviceTable() {
    names[kNoRow] = "undefined";
    names[kHostRow] = "cpu";
    count = 2;
  }

  static void SetMemory(Row row, Allocator* allocator, int64_t inline_bytes) {
    row_info[row].allocator.store(allocator, std::memory_order_release);
    row_info[row].inline_bytes.store(allocator == nullptr ? -1 : inline_bytes,
                                     std::memory_order_release);
  }

  int Find(std::string_view name) const {
    const int n = count.load(std::memory_order_acquire);
    for (int i = 1; i < n; ++i) {
      if (names[i] == name) return i;
    }
    return kNoRow;
  }

  int Add(std::string_view name) {
    std::lock_guard lock(mutex);
    if (int row = Find(name)) return row;
    const int n = count.load(std::memory_order_relaxed);
    if (n == kMaxRows) {
      Fail(ErrorCode::kInvalidArgument,
           {"device type '", name, "': all ", kMaxRows - 1, " device types are taken"});
    }
    names[n] = name;
    count.store(n + 1, std::memory_order_release);
    return n;
  }

  int Register(std::string_view name, DeviceBackend* backend, std::string source) {
    std::lock_guard lock(mutex);
    const int row = InternDeviceType(name).row;
    if (backends[row].load(std::memory_order_relaxed) != nullptr) {
      Fail(ErrorCode::kRegistration, {"device '", name, "' is registered twice: at ", sources[row],
                                      " and at ", source, "; the first one stays"});
    }
    // Readers take no lock: a plugin that is loaded again leaves the text as it is.
    if (sources[row] != source) sources[row] = std::move(source);
    SetMemory(static_cast<Row>(row), backend->allocator(), backend->inline_bytes());
    backends[row].store(backend, std::memory_order_release);
    return row;
  }

  // Registrations that static initialisation has linked and nobody has looked at yet.
  static constinit std::atomic<DeviceRegistration*> pending;
  // Set before `pending` is emptied, until all that was in it is registered: who finds it empty
  // meanwhile waits.
  std::atomic<bool> draining{false};
  void Drain() {
    if (pending.load(std::memory_order_acquire) == nullptr &&
        !draining.load(std::memory_order_acquire)) [[likely]]
      return;
    std::lock_guard lock(mutex);
    if (draining.exchange(true)) return;  // this thread does it, further up
    DeviceRegistration* node = pending.exchange(nullptr, std::memory_order_acq_rel);
    try {
      for (DeviceRegistration* next; node != nullptr; node = next) {
        next = node->next_;
        RegisterLinked(*node);
      }
    } catch (...) {  // no memory: it and the rest stay pending
      LinkAll(node);
      draining.store(false, std::memory_order_release);
      throw;
    }
    draining.store(false, std::memory_order_release);
  }
  void RegisterLinked(const DeviceRegistration& node) {
    try {
      Register(node.name_, node.make_(), Join({node.file_, ":", node.line_}));
    } catch (const std::bad_alloc&) {
      throw Error::OutOfMemory();
    } catch (const std::exception& e) {
      const auto* ours = dynamic_cast<const Error*>(&e);
      if (ours != nullptr && ours->code() == ErrorCode::kOutOfMemory) throw;
      problems.push_back(e.what());
    }
  }
  static void LinkAll(DeviceRegistration* first) {
    DeviceRegistration* last = first;
    while (last->next_ != nullptr) last = last->next_;
    last->next_ = pending.load(std::memory_order_relaxed);
    while (!pending.compare_exchange_weak(last->next_, first, std::memory_order_release)) {
    }
  }

  static DeviceTable& Get() {
    static DeviceTable* table = new DeviceTable;
    return *table;
  }
  static DeviceTable& Drained() {
    DeviceTable& t = Get();
    t.Drain();
    return t;
  }
};

constinit std::atomic<DeviceRegistration*> DeviceTable::pending{nullptr};

namespace {

const internal::AtFork at_fork{internal::ForkRank::kDevices, [](internal::ForkPhase phase) {
                                 internal::HoldAcross(phase, DeviceTable::Get().mutex);
                               }};

bool ValidName(std::string_view s) {
  if (s.empty() || s.size() > 32 || (s[0] >= '0' && s[0] <= '9')) return false;
  for (char c : s) {
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'))
      return false;
  }
  return true;
}

}  // namespace

void DeviceRegistration::Link() {
  internal::KeepObjectOf(this);
  DeviceTable::LinkAll(this);
}

std::string_view DeviceType::name() const {
  DeviceTable& t = DeviceTable::Drained();
  return row < t.count.load(std::memory_order_acquire) ? std::string_view(t.names[row])
                                                       : "undefined";
}

DeviceType FindDeviceType(std::string_view name) {
  return {static_cast<Row>(DeviceTable::Drained().Find(name))};
}

DeviceType InternDeviceType(std::string_view name) {
  if (!ValidName(name)) {
    Fail(ErrorCode::kInvalidArgument,
         {"'", name, "' is no device type: expected letters, digits and _, as in 'cuda'"});
  }
  return {static_cast<Row>(DeviceTable::Get().Add(name))};
}

DeviceType RegisterDevice(std::string_view name, DeviceBackend* backend, std::string_view source) {
  return {static_cast<Row>(DeviceTable::Drained().Register(name, backend, std::string(source)))};
}

void UnregisterDevice(DeviceType type) {
  DeviceTable& t = DeviceTable::Drained();
  std::lock_guard lock(t.mutex);
  t.backends[type.row].store(nullptr, std::memory_order_release);
  DeviceTable::SetMemory(type.row, nullptr, 0);
}

std::vector<std::string> DeviceProblems() {
  DeviceTable& t = DeviceTable::Drained();
  std::lock_guard lock(t.mutex);
  return t.problems;
}

std::string_view DeviceSource(DeviceType type) { return DeviceTable::Drained().sources[type.row]; }

DeviceBackend* FindBackend(DeviceType type) {
  if (type.row >= kMaxRows) return nullptr;  // a C program may give any number
  return DeviceTable::Drained().backends[type.row].load(std::memory_order_acquire);
}

DeviceBackend& BackendOf(DeviceType type) {
  if (DeviceBackend* b = FindBackend(type)) return *b;
  Fail(ErrorCode::kUnavailable, {"device '", type.name(), "' has no backend in this program"});
}

constinit std::atomic<KeyWord> default_place{PlaceOfKey(MakeKey(kHostRow, DType::kBool))};

Device DeviceOfKey(KeyWord key) {
  const Row row = RowOfKey(key);
  return {{row}, static_cast<int16_t>(row == kHostRow || row == kNoRow ? -1 : IndexOfKey(key))};
}

Device DefaultDevice() { return DeviceOfKey(default_place.load(std::memory_order_relaxed)); }

void SetDefaultDevice(Device device) {
  default_place.store(PlaceOf(device), std::memory_order_relaxed);
}

KeyWord PlaceOf(Device device) {
  if (device.type == kHost) return PlaceOfKey(MakeKey(kHostRow, DType::kBool));
  DeviceBackend& backend = BackendOf(device.type);
  std::string reason;
  const int count = backend.Count(&reason);
  if (count == 0)
    Fail(ErrorCode::kUnavailable, {"device '", device.str(), "' is not available: ", reason});
  const int current = internal::CurrentIndex(device.type, backend);
  const int index = device.index < 0 || current < 0 ? current : device.index;
  if (index >= count) {
    Fail(ErrorCode::kInvalidArgument,
         {"device '", device.str(), "': there are ", count, " devices of this type"});
  }
  return PlaceOfKey(MakeKey(device.type.row, DType::kBool, index));
}

Device ParseDevice(std::string_view text) {
  const size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  if (!ValidName(name)) {
    Fail(ErrorCode::kInvalidArgument,
         {"'", text, "' is no device: expected a type and an index, as in 'cuda:0'"});
  }
  Device d{FindDeviceType(name), -1};
  if (d.type.row == kNoRow) {
    std::string known;
    for (int i = 1; i < NumRows(); ++i) {
      known += (i > 1 ? ", " : "") + std::string(DeviceType{static_cast<Row>(i)}.name());
    }
    Fail(ErrorCode::kNotFound, {"no device type named '", name, "'; registered: ", known});
  }
  if (colon != text.npos) {
    const std::string_view digits = text.substr(colon + 1);
    // As in PyTorch, an index has one spelling: no sign, no zeros in front.
    const bool other_spelling = digits.size() > 1 && (digits[0] == '0' || digits[0] == '-');
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), d.index);
    if (error != std::errc() || end != digits.data() + digits.size() || other_spelling) {
      Fail(ErrorCode::kInvalidArgument,
           {"'", text, "' is no device: expected an index after ':', as in 'cuda:0'"});
    }
  }
  return d;
}

std::string Device::str() const {
  std::string s(type.name());
  if (index >= 0) s += ":" + std::to_string(index);
  return s;
}

int NumRows() { return DeviceTable::Drained().count.load(std::memory_order_acquire); }

}  // namespace sy
