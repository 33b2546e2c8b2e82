#include "backends/cuda/engine/measured.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <map>
#include <mutex>
#include <optional>

#include "backends/cuda/driver/switches.h"
#include "backends/cuda/products.h"
#include "backends/cuda/rtc/disk_cache.h"
#include "switchyard/core/deterministic.h"

namespace sy::cuda {
namespace {

std::atomic<bool>& Measures() {
  static std::atomic<bool> measures{SwitchedOn("SWITCHYARD_CUDA_MEASURE")};
  return measures;
}

// Nothing is measured under its mutex: what runs may ask for something else.
struct Chosen {
  std::mutex mutex;
  std::map<std::string, std::string> names;  // by key
  DiskCache files{DiskCache::DefaultFolder(), Readers::kThisUser, ".choice"};
  std::string taken;  // by TakeAsFastest

  // Which of `ways` was chosen; none that is known here, or none of them: nothing.
  std::optional<size_t> Find(const std::string& key, std::span<const std::string> ways) {
    std::lock_guard lock(mutex);
    if (const auto it = std::ranges::find(ways, taken); it != ways.end())
      return static_cast<size_t>(it - ways.begin());
    std::string& name = names[key];
    if (name.empty()) name = files.Find(key).value_or("");
    const auto it = std::ranges::find(ways, name);
    if (it == ways.end()) return std::nullopt;
    return static_cast<size_t>(it - ways.begin());
  }
  void Keep(const std::string& key, const std::string& name) {
    std::lock_guard lock(mutex);
    names[key] = name;
    files.Keep(key, name);
  }
};
Chosen& All() {
  static auto* all = new Chosen;
  return *all;
}

// The key with everything else that a choice depends on.
std::string WholeKey(const CudaStream& stream, const std::string& key,
                     std::span<const std::string> names) {
  const Properties& p = stream.state().properties();
  std::string whole = "choice 1\n" + p.name + "\n" + std::to_string(p.multiprocessors) + "\n" + key;
  for (const std::string& name : names) whole += "\n" + name;
  return whole;
}

// Milliseconds that a run takes, of the better of two rounds; below 0: it does not serve.
class Clock {
 public:
  explicit Clock(CudaStream& stream) : stream_(stream) {
    for (CUevent& e : events_) Check(Driver().EventCreate(&e, CU_EVENT_DEFAULT), "event");
  }
  Clock(const Clock&) = delete;
  ~Clock() {
    for (CUevent e : events_) Driver().EventDestroy(e);
  }

  double Time(absl::FunctionRef<bool()> run) {
    constexpr int kRounds = 2, kRuns = 5;
    if (!run()) return -1;  // and warms up
    double best = std::numeric_limits<double>::infinity();
    for (int round = 0; round < kRounds; ++round) {
      Record(0);
      for (int i = 0; i < kRuns; ++i) {
        if (!run()) return -1;
      }
      Record(1);
      stream_.Check(Driver().EventSynchronize(events_[1]), "measuring");
      float milliseconds = 0;
      stream_.Check(Driver().EventElapsedTime(&milliseconds, events_[0], events_[1]), "measuring");
      best = std::min(best, double{milliseconds} / kRuns);
    }
    return best;
  }

 private:
  void Record(int i) {
    stream_.Check(Driver().EventRecord(events_[i], stream_.handle()), "measuring");
  }
  CudaStream& stream_;
  const InUse on_{stream_.state().Use()};
  CUevent events_[2] = {};
};

}  // namespace

void SetMeasureAlgorithms(bool measure) { Measures().store(measure, std::memory_order_relaxed); }
bool MeasureAlgorithms() { return Measures().load(std::memory_order_relaxed); }

bool MayMeasure(const CudaStream& stream) {
  return MeasureAlgorithms() && !are_deterministic_algorithms_enabled() && !stream.IsCaptured();
}

size_t Fastest(CudaStream& stream, const std::string& key, std::span<const std::string> names,
               absl::FunctionRef<bool(size_t)> run) {
  if (names.size() < 2 || !MayMeasure(stream)) return 0;
  const std::string whole = WholeKey(stream, key, names);
  Chosen& all = All();
  if (const std::optional<size_t> known = all.Find(whole, names); known) return *known;
  size_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  {
    Clock clock(stream);
    for (size_t i = 0; i < names.size(); ++i) {
      const double time = clock.Time([&] { return run(i); });
      if (time >= 0 && time < least) {
        least = time;
        best = i;
      }
    }
  }
  all.Keep(whole, names[best]);
  return best;
}

void ForgetMeasured() {
  std::lock_guard lock(All().mutex);
  All().names.clear();
}
void KeepMeasuredIn(std::string folder) {
  std::lock_guard lock(All().mutex);
  All().files = DiskCache(std::move(folder), Readers::kThisUser, ".choice");
}
void TakeAsFastest(std::string name) {
  std::lock_guard lock(All().mutex);
  All().taken = std::move(name);
}

}  // namespace sy::cuda
