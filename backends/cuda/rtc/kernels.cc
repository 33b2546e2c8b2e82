#include "backends/cuda/rtc/kernels.h"

#include <mutex>
#include <shared_mutex>
#include <unordered_map>

#include "backends/cuda/rtc/disk_cache.h"
#include "backends/cuda/rtc/headers.h"
#include "switchyard/core/error.h"

namespace sy::cuda {
namespace {

struct Where {
  int device;
  KernelKey key;
  friend bool operator==(const Where&, const Where&) = default;
};
struct HashWhere {
  size_t operator()(const Where& w) const {
    uint64_t h = reinterpret_cast<uintptr_t>(w.key.family) ^ static_cast<uint64_t>(w.device) << 56;
    for (uint64_t x : w.key.words) {
      h = (h ^ x) * 0x9E3779B97F4A7C15u;
      h ^= h >> 29;
    }
    return h;
  }
};

struct Loaded {
  std::shared_mutex mutex;
  std::unordered_map<Where, CUfunction, HashWhere> kernels;
};
Loaded& All() {
  static Loaded* loaded = new Loaded;
  return *loaded;
}

const DiskCache& Cache() {
  static const DiskCache* cache = new DiskCache(DiskCache::DefaultFolder());
  return *cache;
}

// Everything besides a source's own text that decides what it compiles to.
const std::string& Surroundings() {
  static const std::string* text = [] {
    std::string headers;
    for (const Header& h : Headers()) headers += std::string("\n") + h.name + "\n" + h.text;
    return new std::string(Join({CompilerIdentity(), "\nheaders ", Fingerprint(headers)}));
  }();
  return *text;
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

std::string ArchitectureOf(const Properties& p) { return Join({"sm_", p.major, p.minor}); }

CUfunction FindKernel(DeviceState& device, const KernelKey& key,
                      const std::function<std::string()>& text) {
  Loaded& all = All();
  const Where where{device.index(), key};
  {
    std::shared_lock lock(all.mutex);
    if (const auto it = all.kernels.find(where); it != all.kernels.end()) return it->second;
  }
  std::lock_guard lock(all.mutex);
  if (const auto it = all.kernels.find(where); it != all.kernels.end()) return it->second;
  device.Use();
  const CUfunction function = LoadImage(ImageOf({text(), ArchitectureOf(device.properties())}));
  all.kernels.emplace(where, function);
  return function;
}

}  // namespace sy::cuda
