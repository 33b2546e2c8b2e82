// Two threads and a counter under a lock: what the thread sanitizer says of Debian's archive.

#include <absl/synchronization/mutex.h>

#include <cstdio>
#include <mutex>
#include <thread>

namespace {

int count = 0;

template <class Lock, class Mutex>
void Count(Mutex mutex) {
  const auto run = [mutex] {
    for (int i = 0; i < 10'000; ++i) {
      Lock lock(mutex);
      ++count;
    }
  };
  std::thread one(run), other(run);
  one.join();
  other.join();
}

// A std::lock_guard that takes an address, as absl::MutexLock does.
struct StdLock : std::lock_guard<std::mutex> {
  explicit StdLock(std::mutex* m) : std::lock_guard<std::mutex>(*m) {}
};

}  // namespace

int main(int argc, char**) {
  if (argc > 1) {
    static absl::Mutex mutex;
    Count<absl::MutexLock>(&mutex);
  } else {
    static std::mutex mutex;
    Count<StdLock>(&mutex);
  }
  std::printf("%d\n", count);
}
