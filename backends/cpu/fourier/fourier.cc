#include "backends/cpu/fourier/fourier.h"

#include <algorithm>
#include <list>
#include <memory>
#include <utility>

#include "switchyard/backends/cpu/engine/isa.h"
#include "switchyard/core/thread_exit.h"

namespace sy::cpu {
namespace {

// Lines of fewer numbers, or that a split leaves too many lanes empty for, are transformed side by
// side wherever there are several; measured.
constexpr int64_t kShortLine = 200;
// Lines of more are transformed one by one: side by side they would fill the cache. Where elements
// of several lines lie together, one by one is far from memory's order.
constexpr int64_t kLongLine = 1 << 11, kLongLineBeside = 1 << 13;

// What a thread keeps.
constexpr size_t kKept = 8;
constexpr int64_t kKeptBytes = 2 << 20;  // of each

struct Kept {
  FourierKind kind;
  int64_t n;
  bool is_double, one_line;
  Isa isa;
  std::unique_ptr<Fourier> fourier;
};

// Numbers of a complex transform by which `task` is computed.
int64_t ComplexLength(const FourierTask& task) {
  const bool is_complex = task.kind == FourierKind::kForward || task.kind == FourierKind::kBackward;
  return is_complex || task.n % 2 != 0 ? task.n : task.n / 2;
}

bool OneByOne(const FourierTask& task, int64_t lanes) {
  const int64_t n = ComplexLength(task);
  if (!IsDirect(n)) return true;
  if (task.beside && 4 * task.lines > lanes) return n > kLongLineBeside;
  if (n > kLongLine) return true;
  const int64_t rows = FourierRows(n, lanes), work = FourierWork(rows, n, lanes) * lanes;
  if (2 * task.lines <= lanes) return work < 2 * n * lanes / task.lines;
  return n >= kShortLine && work < 2 * n + n / 4;
}

}  // namespace

const Fourier& FourierFor(const FourierTask& task) {
  static constexpr const FourierOfIsa* kIsas[kNumIsas] = SY_OF_EACH_ISA(fourier);
  auto& kept = PerThread<std::list<Kept>>();  // the one used last first
  const FourierOfIsa& isa = *kIsas[ActiveIsa()];
  const bool one_line = OneByOne(task, isa.lanes[task.is_double]);
  const auto found = std::find_if(kept.begin(), kept.end(), [&](const Kept& k) {
    return k.kind == task.kind && k.n == task.n && k.is_double == task.is_double &&
           k.one_line == one_line && k.isa == ActiveIsa();
  });
  if (found != kept.end()) {
    kept.splice(kept.begin(), kept, found);
    return *kept.front().fourier;
  }
  // The last call's is free to go.
  if (!kept.empty() && kept.front().fourier->bytes() > kKeptBytes) kept.pop_front();
  if (kept.size() == kKept) kept.pop_back();
  std::unique_ptr<Fourier> made(isa.make(task.kind, task.n, task.is_double, one_line));
  kept.push_front({task.kind, task.n, task.is_double, one_line, ActiveIsa(), std::move(made)});
  return *kept.front().fourier;
}

}  // namespace sy::cpu
