#include "backends/cuda/rtc/kernels.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <new>
#include <shared_mutex>
#include <span>
#include <unordered_map>
#include <utility>

#include "backends/cuda/rtc/cub.h"
#include "backends/cuda/rtc/disk_cache.h"
#include "backends/cuda/rtc/headers.h"
#include "backends/cuda/rtc/package.h"
#include "backends/cuda/runtime/relaxed_capture.h"
#include "switchyard/core/error.h"
#include "switchyard/core/logging.h"
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

// before: of those that these follow.
uint64_t FingerprintOf(std::span<const Header> headers, uint64_t before) {
  for (const Header& h : headers) {
    for (const char* text : {"\n", h.name, "\n", h.text}) before = Fingerprint(text, before);
  }
  return before;
}

std::string KeyOf(const Source& source) { return ImageKey(CompilerIdentity(), source); }

std::string CompileAndKeep(const Source& source) {
  std::string image = Compile(source);
  Cache().Keep(KeyOf(source), image);
  return image;
}

std::string ArchitectureOf(const DeviceState& device) {
  return ArchitectureFor(device.properties().major, device.properties().minor);
}

// What a driver says of an image that is none, or not for it.
bool IsImageRefused(CUresult r) {
  return r == CUDA_ERROR_INVALID_IMAGE || r == CUDA_ERROR_NO_BINARY_FOR_GPU ||
         r == CUDA_ERROR_INVALID_PTX || r == CUDA_ERROR_NOT_FOUND;
}

CUresult LoadImage(const std::string& image, const std::string& name, CUfunction* function) {
  CUmodule module;
  const CUresult loaded = Driver().ModuleLoadData(&module, image.data());
  if (loaded != CUDA_SUCCESS) return loaded;
  return Driver().ModuleGetFunction(function, module, name.c_str());
}

// What a device has found in the place where packages are looked for, which is opened once.
struct FoundPackage {
  std::optional<Package> package;
  std::string why;  // there is none
};
const FoundPackage& PackageFor(const DeviceState& device) {
  static std::mutex mutex;
  static auto* all = new std::unordered_map<int, FoundPackage>;
  std::lock_guard lock(mutex);
  const auto [it, is_new] = all->try_emplace(device.index());
  FoundPackage& found = it->second;
  if (!is_new) return found;
  const std::string folder = Package::DefaultFolder();
  if (folder.empty()) return found;
  int driver = 0;
  Driver().DriverGetVersion(&driver);
  const Properties& p = device.properties();
  found.package = Package::For(folder, {p.major, p.minor, driver}, &found.why);
  if (!found.package) {
    found.why = fmt::format("kernels compiled ahead, in '{}', are not used: {}", folder, found.why);
    Log(LogLevel::kWarning, found.why);
  }
  return found;
}

// Null where there is none, or the driver refuses it, which is said.
CUfunction LoadPackaged(const DeviceState& device, const std::string& text,
                        const std::string& name) {
  const std::optional<Package>& package = PackageFor(device).package;
  if (!package) return nullptr;
  const std::optional<std::string> image = package->Find(text);
  if (!image) return nullptr;
  const InUse on = device.Use();
  const RelaxedCapture relaxed;
  CUfunction function = nullptr;
  const CUresult result = LoadImage(*image, name, &function);
  if (result == CUDA_SUCCESS) return function;
  if (!IsImageRefused(result)) Check(result, "loading a kernel");
  Log(LogLevel::kWarning, fmt::format("the driver refuses {} of '{}', and it is compiled: {}", name,
                                      package->folder(), Describe(result)));
  return nullptr;
}

// An image that was kept and that the driver refuses is compiled anew, once.
CUfunction Load(const DeviceState& device, std::string text) {
  const std::string name = KernelNameOf(text);
  CUfunction function = LoadPackaged(device, text, name);
  if (function != nullptr) return function;
  const Source source{std::move(text), ArchitectureOf(device)};
  bool kept = false;
  const std::string image = ImageOf(source, &kept);
  const InUse on = device.Use();
  const RelaxedCapture relaxed;
  CUresult result = LoadImage(image, name, &function);
  if (kept && IsImageRefused(result)) result = LoadImage(CompileAndKeep(source), name, &function);
  Check(result, "loading a kernel");
  return function;
}

}  // namespace

// SY_CUDA_KERNEL(name, … or SY_CUDA_BOUNDED_KERNEL(name, ….
std::string KernelNameOf(std::string_view text) {
  constexpr std::string_view kMacro = "_KERNEL(";
  const size_t macro = text.rfind(kMacro);
  if (macro == text.npos) Fail(ErrorCode::kInternal, {"a source without a kernel:\n", text});
  const size_t begin = macro + kMacro.size();
  return std::string(text.substr(begin, text.find(',', begin) - begin));
}

uint64_t OwnHeaders() {
  static const uint64_t own = FingerprintOf(EmbeddedHeaders(), Fingerprint(""));
  return own;
}

uint64_t HeadersOf(std::string_view source_text) {
  const std::vector<Header> all = Headers();
  const auto others = std::span(all).subspan(EmbeddedHeaders().size());
  const auto is_included = [&](const Header& h) {
    return source_text.find(h.name) != source_text.npos;
  };
  uint64_t ours = OwnHeaders();
  if (std::ranges::any_of(others, is_included)) ours = FingerprintOf(others, ours);
  return IncludesCub(source_text) ? Fingerprint(fmt::format("{} CUB {}", ours, FindCub().version))
                                  : ours;
}

std::string ImageKey(const std::string& compiler, const Source& source) {
  return fmt::format("{}\nheaders {}\n{}\n{}", compiler, HeadersOf(source.text),
                     source.architecture, source.text);
}

std::optional<KeptSource> SourceOfKey(const std::string& key) {
  constexpr std::string_view kHeaders = "\nheaders ";
  const size_t compiler = key.find(kHeaders);
  if (compiler == key.npos) return std::nullopt;
  const size_t headers = compiler + kHeaders.size(), architecture = key.find('\n', headers);
  if (architecture == key.npos) return std::nullopt;
  const size_t text = key.find('\n', architecture + 1);
  if (text == key.npos) return std::nullopt;
  return KeptSource{std::strtoull(key.c_str() + headers, nullptr, 10),
                    {key.substr(text + 1), key.substr(architecture + 1, text - architecture - 1)}};
}

std::string DescribePackageFor(int device_index) {
  const FoundPackage& found = PackageFor(DeviceState::Of(device_index));
  if (found.package) return found.package->folder();
  return found.why.empty() ? "none" : found.why;
}

std::string ImageOf(const Source& source, bool* kept) {
  std::optional<std::string> found = Cache().Find(KeyOf(source));
  if (kept != nullptr) *kept = found.has_value();
  return found ? std::move(*found) : CompileAndKeep(source);
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
      function = Load(device, text());
      entry.function.store(function, std::memory_order_release);
    }
  }
  if (lately == nullptr) lately = MakeRecent();
  if (lately != nullptr) lately->Of(where) = {where, function};
  return function;
}

}  // namespace sy::cuda
