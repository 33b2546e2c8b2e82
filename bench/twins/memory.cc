// Containers whose memory runs out: each allocation of 200 insertions fails once, in a process of
// its own, and the container is looked at, used again and destroyed.

#include <absl/container/btree_map.h>
#include <absl/container/flat_hash_map.h>
#include <absl/container/node_hash_map.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <new>
#include <unordered_map>

namespace {

long left = -1;  // allocations until one fails; negative: none does

constexpr int kInsertions = 200, kMore = 300, kStep = 7919;
enum { kAsItWas, kChanged, kNoneFailed };

template <class Map>
bool Holds(const Map& map, int n) {
  for (int i = 0; i < n; ++i) {
    const auto found = map.find(i * kStep);
    if (found == map.end() || found->second != i) return false;
  }
  return static_cast<int>(map.size()) == n && map.find(n * kStep) == map.end();
}

template <class Map>
int Try(long nth) {
  Map map;
  int n = 0;
  left = nth;
  try {
    for (; n < kInsertions; ++n) map.try_emplace(n * kStep, n);
    return kNoneFailed;
  } catch (const std::bad_alloc&) {
  }
  left = -1;
  if (!Holds(map, n)) return kChanged;
  for (; n < kMore; ++n) map.try_emplace(n * kStep, n);
  return Holds(map, n) ? kAsItWas : kChanged;
}

template <class Map>
void Each(const char* name) {
  int as_it_was = 0, changed = 0, ended = 0;
  for (long nth = 0;; ++nth) {
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
      alarm(5);
      std::fclose(stderr);
      _exit(Try<Map>(nth));
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == kNoneFailed) break;
    ++(WIFSIGNALED(status) ? ended : WEXITSTATUS(status) == kAsItWas ? as_it_was : changed);
  }
  std::printf("%-22s %4d as it was %4d changed %4d crashed or hung\n", name, as_it_was, changed,
              ended);
}

}  // namespace

void* operator new(size_t bytes) {
  if (left == 0) throw std::bad_alloc();
  if (left > 0) --left;
  return std::malloc(bytes);
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, size_t) noexcept { std::free(p); }

int main() {
  Each<std::map<int, int>>("std::map");
  Each<std::unordered_map<int, int>>("std::unordered_map");
  Each<absl::btree_map<int, int>>("absl::btree_map");
  Each<absl::flat_hash_map<int, int>>("absl::flat_hash_map");
  Each<absl::node_hash_map<int, int>>("absl::node_hash_map");
}
