// What lengths are made of, for Fourier transforms, and roots of one: compiled once.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "backends/cpu/fourier/fourier.h"

namespace sy::cpu {
namespace {

// Factors for which there are passes in registers are 2, 3, 4, 5, 7 and 8; any other prime p costs
// p multiplications an element. Their sum where a convolution becomes cheaper: measured.
constexpr int64_t kLargestSum = 49;

int64_t SumOfOtherFactors(int64_t n) {
  for (const int64_t p : {2, 3, 5, 7}) {
    while (n % p == 0) n /= p;
  }
  int64_t sum = 0;
  for (int64_t p = 11; n > 1; p += 2) {
    if (p * p > n) p = n;
    for (; n % p == 0; n /= p) sum += p;
  }
  return sum;
}

}  // namespace

Fourier::~Fourier() = default;

// Of an angle of at most an eighth of a turn, whose sine and cosine are exact to the last digit.
FourierRoot FourierRootOf(int64_t i, int64_t n) {
  i %= n;
  const int64_t eighth = 8 * i / n;          // which eighth of the turn, 0 … 7
  const int64_t quarter = (eighth + 1) / 2;  // the nearest quarter
  const int64_t rest = 4 * i - quarter * n;  // from there, in quarters of 1 / n of a turn
  const double angle = std::numbers::pi / 2 * static_cast<double>(rest) / static_cast<double>(n);
  const double c = std::cos(angle), s = std::sin(angle);
  switch (quarter % 4) {
    case 0:
      return {c, -s};
    case 1:
      return {-s, -c};
    case 2:
      return {-c, s};
    default:
      return {s, c};
  }
}

int FourierFactors(int64_t n, int* sizes) {
  int count = 0, twos = 0;
  for (; n % 2 == 0; n /= 2) ++twos;
  for (int p = 3; n > 1; p += 2) {
    for (; n % p == 0; n /= p) sizes[count++] = p;
  }
  std::reverse(sizes, sizes + count);
  // 8 where that leaves no 2: 16 is 4 times 4.
  for (; twos % 3 != 0 && twos > 1; twos -= 2) sizes[count++] = 4;
  if (twos % 3 != 0) {
    sizes[count++] = 2;
    --twos;
  }
  for (; twos > 0; twos -= 3) sizes[count++] = 8;
  return count;
}

bool IsDirect(int64_t n) { return SumOfOtherFactors(n) <= kLargestSum; }

int64_t FourierWork(int64_t rows, int64_t n, int64_t lanes) {
  const int64_t columns = n / rows;
  return (columns + lanes - 1) / lanes * rows + (rows + lanes - 1) / lanes * columns;
}

// The one that leaves the fewest lanes empty; of several, that nearest to the root of n.
int64_t FourierRows(int64_t n, int64_t lanes) {
  int64_t rows = 1;
  for (int64_t d = 1; d * d <= n; ++d) {
    if (n % d != 0) continue;
    const int64_t other = n / d;
    if (FourierWork(d, n, lanes) <= FourierWork(rows, n, lanes)) rows = d;
    if (FourierWork(other, n, lanes) < FourierWork(rows, n, lanes)) rows = other;
  }
  return rows;
}

int64_t FourierConvolutionLength(int64_t n, int64_t lanes) {
  const int64_t least = 2 * n - 1;
  int64_t best = 0, best_work = 0;
  for (int64_t five = 1; five < 2 * least; five *= 5) {
    for (int64_t three = five; three < 2 * least; three *= 3) {
      int64_t length = 16 * three;
      while (length < least) length *= 2;
      if (length > 2 * std::max<int64_t>(least, 16)) continue;
      const int64_t work = FourierWork(FourierRows(length, lanes), length, lanes);
      if (best == 0 || work < best_work) {
        best = length;
        best_work = work;
      }
    }
  }
  return best;
}

}  // namespace sy::cpu
