#include "backends/cpu/kernels/fourier.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

namespace sy::cpu {
namespace {

using C = Fourier::C;

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

// Of a circular convolution in which the ends of n elements do not meet.
size_t ConvolutionLength(int64_t n) { return std::bit_ceil(static_cast<size_t>(2 * n - 1)); }

}  // namespace

bool Fourier::IsDirect(int64_t n) { return SumOfOtherFactors(n) <= kLargestSum; }

Fourier::Fourier(int64_t n, Direction direction)
    : n_(n),
      library_(IsDirect(n) ? static_cast<size_t>(n) : ConvolutionLength(n),
               IsDirect(n) && direction == Direction::kBackward) {
  if (IsDirect(n)) return;
  const double turn = (direction == Direction::kForward ? -1 : 1) * std::numbers::pi;
  // k^2 modulo 2 n, by what it grows by: squares would not fit.
  for (int64_t k = 0, square = 0; k < n; ++k) {
    chirp_.push_back(std::polar(1.0, turn * static_cast<double>(square) / static_cast<double>(n)));
    square = (square + 2 * k + 1) % (2 * n);
  }
  const size_t length = ConvolutionLength(n);
  const double scale = 1 / static_cast<double>(length);
  std::vector<C> inverse(length);
  for (int64_t k = 0; k < n; ++k) {
    const C value = scale * std::conj(chirp_[k]);
    inverse[k] = value;
    if (k > 0) inverse[length - k] = value;
  }
  response_.resize(length);
  library_.transform(inverse.data(), response_.data());
}

Fourier::Room Fourier::MakeRoom() const {
  Room room;
  room.padded.resize(response_.size());
  room.sums.resize(response_.size());
  // Its pass for other factors, which 1 counts as, writes to the object itself.
  if (chirp_.empty() && (n_ == 1 || SumOfOtherFactors(n_) > 0)) room.own = library_;
  return room;
}

void Fourier::Run(const C* x, C* y, Room& room) const {
  if (chirp_.empty()) return Library(room).transform(x, y);
  // k i = (k^2 + i^2 - (k - i)^2) / 2.
  for (int64_t i = 0; i < n_; ++i) room.padded[i] = x[i] * chirp_[i];
  std::fill(room.padded.begin() + n_, room.padded.end(), C());
  library_.transform(room.padded.data(), room.sums.data());
  // Conjugated, so that the next transform is the inverse.
  for (size_t i = 0; i < response_.size(); ++i)
    room.sums[i] = std::conj(room.sums[i] * response_[i]);
  library_.transform(room.sums.data(), room.padded.data());
  for (int64_t i = 0; i < n_; ++i) y[i] = std::conj(room.padded[i]) * chirp_[i];
}

RealFourier::RealFourier(int64_t n)
    : n_(n),
      halved_(n % 2 == 0 && Fourier::IsDirect(n / 2)),
      fourier_(halved_ ? n / 2 : n, Direction::kForward) {}

RealFourier::Room RealFourier::MakeRoom() const {
  Room room{fourier_.MakeRoom(), {}, {}};
  if (halved_) return room;
  room.wide.resize(static_cast<size_t>(n_));
  room.sums.resize(static_cast<size_t>(n_));
  return room;
}

void RealFourier::Run(const double* x, C* y, Room& room) const {
  if (halved_) {
    fourier_.RunReal(x, y, room.room);
    y[n_ / 2] = y[0].imag();
    y[0] = y[0].real();
  } else {
    std::copy_n(x, n_, room.wide.begin());
    fourier_.Run(room.wide.data(), room.sums.data(), room.room);
    std::copy_n(room.sums.begin(), n_ / 2 + 1, y);
  }
}

}  // namespace sy::cpu
