#include "backends/cpu/fourier/fourier.h"

#include <algorithm>
#include <list>
#include <memory>
#include <vector>

#include "switchyard/backends/cpu/engine/isa.h"
#include "switchyard/core/thread_exit.h"

// What the library's objects use of the standard library, compiled for every processor.
template class std::vector<std::size_t>;
#ifdef __GLIBCXX__
template struct std::_Vector_base<std::size_t, std::allocator<std::size_t>>;
#endif

namespace sy::cpu {
namespace {

// Factors for which the library has passes of their own are 2, 3, 4 and 5; any other prime p costs
// p multiplications an element. Their sum where a convolution becomes cheaper: measured.
constexpr int64_t kLargestSum = 50;

int64_t SumOfOtherFactors(int64_t n) {
  for (const int64_t p : {2, 3, 5}) {
    while (n % p == 0) n /= p;
  }
  int64_t sum = 0;
  for (int64_t p = 7; n > 1; p += 2) {
    if (p * p > n) p = n;
    for (; n % p == 0; n /= p) sum += p;
  }
  return sum;
}

// Lines of more elements are transformed one by one: side by side they would fill the cache.
constexpr int64_t kLongLine = 1 << 12;
// Lines of fewer are not split.
constexpr int64_t kShortLine = 64;

// What a thread keeps.
constexpr size_t kKept = 8;
constexpr int64_t kKeptBytes = 2 << 20;  // of each

struct Kept {
  FourierKind kind;
  int64_t n;
  bool one_line;
  Isa isa;
  std::unique_ptr<Fourier> fourier;
};

}  // namespace

Fourier::~Fourier() = default;

bool IsDirect(int64_t n) { return SumOfOtherFactors(n) <= kLargestSum; }

int64_t RowsOfSplit(int64_t n) {
  if (n < kShortLine || !IsDirect(n)) return 0;
  int64_t rows = 0;
  for (int64_t d = 8; d * d <= n; ++d) {
    if (n % d == 0) rows = d;
  }
  return rows;
}

int64_t ConvolutionLength(int64_t n) {
  int64_t best = INT64_MAX;
  for (int64_t five = 1; five < best; five *= 5) {
    for (int64_t three = five; three < best; three *= 3) {
      int64_t length = three;
      while (length < 2 * n - 1) length *= 2;
      best = std::min(best, length);
    }
  }
  return best;
}

Fourier& FourierFor(FourierKind kind, int64_t n, int64_t lines) {
  static constexpr const FourierOfIsa* kIsas[kNumIsas] = SY_OF_EACH_ISA(fourier);
  auto& kept = PerThread<std::list<Kept>>();  // the one used last first
  const FourierOfIsa& isa = *kIsas[ActiveIsa()];
  const bool one_line =
      lines == 1 || n > kLongLine || (2 * lines <= isa.side && RowsOfSplit(n) > 0);
  const auto found = std::find_if(kept.begin(), kept.end(), [&](const Kept& k) {
    return k.kind == kind && k.n == n && k.one_line == one_line && k.isa == ActiveIsa();
  });
  if (found != kept.end()) {
    kept.splice(kept.begin(), kept, found);
    return *kept.front().fourier;
  }
  // The last call's is free to go.
  if (!kept.empty() && kept.front().fourier->bytes() > kKeptBytes) kept.pop_front();
  if (kept.size() == kKept) kept.pop_back();
  std::unique_ptr<Fourier> made(isa.make(kind, n, one_line));
  made->side = one_line ? 1 : isa.side;
  kept.push_front({kind, n, one_line, ActiveIsa(), std::move(made)});
  return *kept.front().fourier;
}

}  // namespace sy::cpu
