#include "backends/cuda/rtc/kernels.h"

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <new>
#include <shared_mutex>
#include <unordered_map>
#include <utility>

#include "backends/cuda/rtc/disk_cache.h"
#include "backends/cuda/rtc/headers.h"
#include "switchyard/core/error.h"
#include "switchyard/core/macros.h"
#include "switchyard/core/thread_exit.h"
#include "third_party/fmt/format.h"

namespace sy::cuda {
namespace {

struct Where {
  int device;
  KernelKey key;
  friend bool operator==(const Where&, const Where&) = default;
};
struct HashWhere {
  size_t operator()(const Where& w) const {
    uint64_t h = reinterpret_cast<uintptr_t>(w.key.kind) ^ static_cast<uint64_t>(w.device) << 56;
    for (uint64_t x : w.key.words) {
      h = (h ^ x) * 0x9E3779B97F4A7C15u;
      h ^= h >> 29;
    }
    return h;
  }
};

// A kernel, once somebody has it; the mutex is held while it is made.
struct Entry {
  std::mutex mutex;
  std::atomic<CUfunction> function{nullptr};
};
struct Loaded {
  std::shared_mutex mutex;
  std::unordered_map<Where, Entry, HashWhere> kernels;  // entries stay where they are
  Entry& Of(const Where& where) {
    {
      std::shared_lock lock(mutex);
      if (const auto it = kernels.find(where); it != kernels.end()) return it->second;
    }
    std::lock_guard lock(mutex);
    return kernels[where];
  }
};
Loaded& All() {
  static Loaded* loaded = new Loaded;
  return *loaded;
}

// What this thread has found lately, by hash. Kernels stay loaded, so that it is never wrong.
struct Found {
  Where where;
  CUfunction function;
};
// A pointer alone: what a library keeps for every thread of every program that opens it while it
// runs has to fit the few hundred bytes that the C library sets aside.
struct Recent : ThreadExit {
  std::array<Found, 64> found{};
  Found& Of(const Where& where) { return found[HashWhere()(where) % found.size()]; }
};
constinit thread_local Recent* recent = nullptr;

// Null where there is no memory for it: such a call asks everybody's table.
SY_COLD Recent* MakeRecent() {
  auto* made = new (std::nothrow) Recent;
  if (made == nullptr) return nullptr;
  made->run = [](ThreadExit*) { delete std::exchange(recent, nullptr); };
  AtThreadExit(*made);
  return recent = made;
}

const DiskCache& Cache() {
  static const DiskCache* cache = new DiskCache(DiskCache::DefaultFolder());
  return *cache;
}

// Everything besides a source's own text that decides what it compiles to. By the number of
// headers, which grows while shared objects are opened.
std::string Surroundings() {
  static std::mutex mutex;
  static auto* known = new std::unordered_map<size_t, std::string>;
  const std::vector<Header> headers = Headers();
  std::lock_guard lock(mutex);
  std::string& text = (*known)[headers.size()];
  if (text.empty()) {
    std::string all;
    for (const Header& h : headers) all += std::string("\n") + h.name + "\n" + h.text;
    text = fmt::format("{}\nheaders {}", CompilerIdentity(), Fingerprint(all));
  }
  return text;
}

std::string ArchitectureOf(const DeviceState& device) {
  return ArchitectureFor(device.properties().major, device.properties().minor);
}

CUfunction LoadImage(const std::string& image) {
  CUmodule module;
  CUfunction function;
  Check(Driver().ModuleLoadData(&module, image.data()), "loading a kernel");
  Check(Driver().ModuleGetFunction(&function, module, "k"), "finding a kernel");
  return function;
}

}  // namespace

std::string ImageOf(const Source& source) {
  const std::string key = Surroundings() + "\n" + source.architecture + "\n" + source.text;
  if (std::optional<std::string> kept = Cache().Find(key)) return std::move(*kept);
  std::string image = Compile(source);
  Cache().Keep(key, image);
  return image;
}

CUfunction FindKernel(DeviceState& device, const KernelKey& key, SourceText text) {
  const Where where{device.index(), key};
  Recent* lately = recent;
  if (lately != nullptr) [[likely]] {
    const Found& found = lately->Of(where);
    if (found.function != nullptr && found.where == where) [[likely]]
      return found.function;
  }
  Entry& entry = All().Of(where);
  CUfunction function = entry.function.load(std::memory_order_acquire);
  if (function == nullptr) {
    std::lock_guard lock(entry.mutex);
    function = entry.function.load(std::memory_order_relaxed);
    if (function == nullptr) {
      const std::string image = ImageOf({text(), ArchitectureOf(device)});
      const InUse on = device.Use();
      function = LoadImage(image);
      entry.function.store(function, std::memory_order_release);
    }
  }
  if (lately == nullptr) lately = MakeRecent();
  if (lately != nullptr) lately->Of(where) = {where, function};
  return function;
}

}  // namespace sy::cuda
