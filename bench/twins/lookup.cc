// What a call by string looks up, our way and Abseil's; the key of a kernel, hashed; a lock:
//   lookup < NAMES

#include <absl/container/flat_hash_map.h>
#include <absl/hash/hash.h>
#include <absl/synchronization/mutex.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "switchyard/registry/name.h"

namespace {

struct Entry {
  std::string name;
  uint64_t hash;
};
// As Registry::FindPacket.
struct NameTable {
  explicit NameTable(size_t size) : mask(size - 1), cells(new std::atomic<Entry*>[size]()) {}
  void Insert(Entry* e) const {
    uint64_t i = e->hash;
    while (cells[i & mask] != nullptr) ++i;
    cells[i & mask] = e;
  }
  const Entry* Find(std::string_view name, uint64_t hash) const {
    for (uint64_t i = hash;; ++i) {
      const Entry* e = cells[i & mask].load(std::memory_order_acquire);
      if (e == nullptr) return nullptr;
      if (e->hash == hash && e->name.size() == name.size() &&
          sy::SameText(e->name.data(), name.data(), name.size()))
        return e;
    }
  }
  uint64_t mask;
  std::unique_ptr<std::atomic<Entry*>[]> cells;
};

// Nanoseconds for one of `asked`, the best of some rounds.
template <class T, class F>
void Time(const char* what, const std::vector<T>& asked, F f) {
  constexpr int kRounds = 9, kTimes = 2000;
  double best = 1e9;
  for (int round = 0; round < kRounds; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < kTimes; ++i) {
      for (const T& x : asked) {
        asm volatile("" ::: "memory");
        const auto found = f(x);
        asm volatile("" ::"r"(found));
      }
    }
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
    best = std::min(best, took.count() / kTimes / static_cast<double>(asked.size()));
  }
  std::printf("%-34s %6.1f ns\n", what, best);
}

void Names(const std::vector<std::unique_ptr<Entry>>& entries) {
  size_t size = 256;
  while (size < 2 * entries.size() + 2) size *= 2;
  const NameTable table(size);
  absl::flat_hash_map<std::string_view, const Entry*> flat;
  std::unordered_map<std::string_view, const Entry*> unordered;
  for (const auto& e : entries) {
    table.Insert(e.get());
    flat[e->name] = unordered[e->name] = e.get();
  }
  std::vector<Entry> asked;
  for (const char* name : {"add", "mul", "sum", "relu", "cat", "index_copy_", "layer_norm", "view"})
    if (flat.contains(name)) asked.push_back({name, sy::HashName(name)});
  absl::Mutex mutex;
  std::shared_mutex shared;
  Time("ours, hashed by the compiler", asked, [&](auto& e) { return table.Find(e.name, e.hash); });
  Time("ours", asked, [&](auto& e) { return table.Find(e.name, sy::HashName(e.name)); });
  Time("flat_hash_map", asked, [&](auto& e) { return flat.find(e.name)->second; });
  Time("flat_hash_map, std::shared_lock", asked, [&](auto& e) {
    const std::shared_lock lock(shared);
    return flat.find(e.name)->second;
  });
  Time("flat_hash_map, ReaderMutexLock", asked, [&](auto& e) {
    const absl::ReaderMutexLock lock(&mutex);
    return flat.find(e.name)->second;
  });
  Time("std::unordered_map", asked, [&](auto& e) { return unordered.find(e.name)->second; });
}

void Keys() {
  using Key = std::array<uint64_t, 5>;
  std::vector<Key> keys;
  for (uint64_t i = 0; i < 64; ++i) keys.push_back({0, 1, i * 77, i << 40, i});
  Time("a kernel's key, as rtc/kernels.cc", keys, [](const Key& key) {
    uint64_t h = key[0] ^ key[1];
    for (size_t i = 2; i < key.size(); ++i) {
      h = (h ^ key[i]) * 0x9E3779B97F4A7C15u;
      h ^= h >> 29;
    }
    return h;
  });
  Time("a kernel's key, absl::HashOf", keys, [](const Key& key) { return absl::HashOf(key); });
}

void Locks() {
  std::thread([] {}).join();  // locks of a process with one thread may be cheaper
  const std::vector<int> once(64);
  std::mutex mutex;
  absl::Mutex abseils;
  Time("std::mutex", once, [&](int x) {
    const std::lock_guard lock(mutex);
    return x;
  });
  Time("absl::Mutex", once, [&](int x) {
    const absl::MutexLock lock(&abseils);
    return x;
  });
}

}  // namespace

int main() {
  std::vector<std::unique_ptr<Entry>> entries;
  for (std::string name; std::getline(std::cin, name);)
    entries.push_back(std::make_unique<Entry>(Entry{name, sy::HashName(name)}));
  std::printf("%zu names\n", entries.size());
  Names(entries);
  Keys();
  Locks();
}
