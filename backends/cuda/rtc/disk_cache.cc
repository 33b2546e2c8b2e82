#include "backends/cuda/rtc/disk_cache.h"

#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

namespace sy::cuda {
namespace {

namespace fs = std::filesystem;

constexpr char kMagic[8] = {'S', 'Y', 'C', 'U', 'B', 'I', 'N', '1'};

}  // namespace

// FNV-1a, 64 bits: G. Fowler, L. C. Noll, K.-P. Vo (www.isthe.com/chongo/tech/comp/fnv).
uint64_t Fingerprint(std::string_view text) {
  uint64_t h = 0xcbf29ce484222325u;
  for (char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return h;
}

std::string DiskCache::DefaultFolder() {
  if (const char* given = std::getenv("SWITCHYARD_CUDA_CACHE")) return given;
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache != '\0')
    return std::string(cache) + "/switchyard/cuda";
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0')
    return std::string(home) + "/.cache/switchyard/cuda";
  return "";
}

std::string DiskCache::PathOf(const std::string& key) const {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string name;
  for (uint64_t h = Fingerprint(key), i = 0; i < 16; ++i, h >>= 4) name += kDigits[h & 15];
  return folder_ + "/" + name + ".kernel";
}

std::optional<std::string> DiskCache::Find(const std::string& key) const {
  if (folder_.empty()) return std::nullopt;
  std::ifstream file(PathOf(key), std::ios::binary);
  if (!file) return std::nullopt;
  const std::string all{std::istreambuf_iterator<char>(file), {}};
  uint64_t size = 0;
  constexpr size_t kHead = sizeof kMagic + sizeof size;
  if (all.size() < kHead || std::memcmp(all.data(), kMagic, sizeof kMagic) != 0)
    return std::nullopt;
  std::memcpy(&size, all.data() + sizeof kMagic, sizeof size);
  if (size != key.size() || all.size() <= kHead + size || all.compare(kHead, size, key) != 0)
    return std::nullopt;
  return all.substr(kHead + size);
}

void DiskCache::Keep(const std::string& key, const std::string& image) const {
  if (folder_.empty()) return;
  static std::atomic<int> number{0};
  std::error_code failed;
  fs::create_directories(folder_, failed);
  const std::string path = PathOf(key);
  const std::string beside = path + "." + std::to_string(getpid()) + "." + std::to_string(number++);
  {
    std::ofstream file(beside, std::ios::binary);
    const uint64_t size = key.size();
    file.write(kMagic, sizeof kMagic);
    file.write(reinterpret_cast<const char*>(&size), sizeof size);
    file << key << image;
    file.close();
    if (!file) {
      fs::remove(beside, failed);
      return;
    }
  }
  fs::rename(beside, path, failed);
  if (failed) fs::remove(beside, failed);
}

}  // namespace sy::cuda
