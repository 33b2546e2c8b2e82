#include "backends/cpu/kernels/fourier.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>

namespace sy::cpu {
namespace {

// Larger prime factors are not worth a pass of their own.
constexpr int64_t kLargestFactor = 31;

// exp(-2 pi j k / n)
Complex Root(int64_t k, int64_t n) {
  const double angle = -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n);
  return {std::cos(angle), std::sin(angle)};
}

// 4s and 2s first, then odd primes.
std::vector<int64_t> FactorsOf(int64_t n) {
  std::vector<int64_t> factors;
  for (; n % 4 == 0; n /= 4) factors.push_back(4);
  for (int64_t p = 2; n > 1; ++p) {
    if (p * p > n) p = n;
    for (; n % p == 0; n /= p) factors.push_back(p);
  }
  return factors;
}

// u becomes its transform of length p.
template <int64_t kP>
struct Butterfly {
  const std::vector<Complex>& roots;
  int64_t step;  // of the table's roots, to one of order p
  int64_t p;
  void operator()(Complex* u) const {
    if constexpr (kP == 2) {
      const auto a = u[0], b = u[1];
      u[0] = a + b;
      u[1] = a - b;
    } else if constexpr (kP == 4) {
      const auto a = u[0] + u[2], b = u[0] - u[2], c = u[1] + u[3], d = u[1] - u[3];
      const Complex turned{d.im, -d.re};
      u[0] = a + c;
      u[1] = b + turned;
      u[2] = a - c;
      u[3] = b - turned;
    } else {
      std::array<Complex, kLargestFactor> sums;
      const int64_t order = kP == 0 ? p : kP;
      for (int64_t k = 0; k < order; ++k) {
        auto sum = u[0];
        for (int64_t r = 1, turn = k; r < order; ++r, turn += k) {
          if (turn >= order) turn -= order;
          sum = sum + u[r] * roots[turn * step];
        }
        sums[k] = sum;
      }
      std::copy_n(sums.begin(), order, u);
    }
  }
};

// One pass: from's sequences of p m elements, s of them side by side, become p times as many of m.
template <int64_t kP>
void Pass(const Complex* from, Complex* to, int64_t p, int64_t m, int64_t s,
          const std::vector<Complex>& roots) {
  const auto n = static_cast<int64_t>(roots.size());
  const Butterfly<kP> butterfly{roots, n / p, p};
  const int64_t twiddle = n / (p * m);
  std::array<Complex, kLargestFactor> u;
  for (int64_t q = 0; q < m; ++q) {
    for (int64_t j = 0; j < s; ++j) {
      for (int64_t r = 0; r < p; ++r) u[r] = from[j + s * (q + m * r)];
      butterfly(u.data());
      to[j + s * (p * q)] = u[0];
      for (int64_t k = 1; k < p; ++k) to[j + s * (p * q + k)] = u[k] * roots[q * k * twiddle];
    }
  }
}

}  // namespace

Fourier::Fourier(int64_t n) : n_(n), factors_(FactorsOf(n)) {
  if (factors_.empty() || *std::max_element(factors_.begin(), factors_.end()) <= kLargestFactor) {
    for (int64_t k = 0; k < n; ++k) roots_.push_back(Root(k, n));
    return;
  }
  const auto length = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(2 * n - 1)));
  inner_ = std::make_unique<Fourier>(length);
  // k^2 modulo 2 n, by what it grows by: squares would not fit.
  for (int64_t k = 0, square = 0; k < n; ++k) {
    chirp_.push_back(Root(square, 2 * n));
    square = (square + 2 * k + 1) % (2 * n);
  }
  response_.resize(static_cast<size_t>(length));
  for (int64_t k = 0; k < n; ++k) {
    response_[k] = chirp_[k].conjugate();
    if (k > 0) response_[length - k] = chirp_[k].conjugate();
  }
  std::vector<C> beside(response_.size());
  inner_->Run(response_.data(), beside.data(), 1);
}

void Fourier::Run(C* x, C* beside, int64_t count) const {
  if (inner_) return Bluestein(x, beside, count);
  C *from = x, *to = beside;
  int64_t m = n_, s = count;
  for (const int64_t p : factors_) {
    m /= p;
    if (p == 2) {
      Pass<2>(from, to, 2, m, s, roots_);
    } else if (p == 3) {
      Pass<3>(from, to, 3, m, s, roots_);
    } else if (p == 4) {
      Pass<4>(from, to, 4, m, s, roots_);
    } else if (p == 5) {
      Pass<5>(from, to, 5, m, s, roots_);
    } else {
      Pass<0>(from, to, p, m, s, roots_);
    }
    std::swap(from, to);
    s *= p;
  }
  if (from != x) std::copy_n(from, n_ * count, x);
}

// The transform as a convolution: k i = (k^2 + i^2 - (k - i)^2) / 2.
void Fourier::Bluestein(C* x, C* beside, int64_t count) const {
  const int64_t length = inner_->n_;
  C* const padded = beside;
  C* const room = beside + length * count;
  for (int64_t i = 0; i < length; ++i) {
    for (int64_t j = 0; j < count; ++j)
      padded[i * count + j] = i < n_ ? x[i * count + j] * chirp_[i] : C{};
  }
  inner_->Run(padded, room, count);
  for (int64_t i = 0; i < length; ++i) {
    // Conjugated, so that the next transform is the inverse.
    for (int64_t j = 0; j < count; ++j)
      padded[i * count + j] = (padded[i * count + j] * response_[i]).conjugate();
  }
  inner_->Run(padded, room, count);
  const double scale = 1 / static_cast<double>(length);
  for (int64_t i = 0; i < n_; ++i) {
    const C factor{chirp_[i].re * scale, chirp_[i].im * scale};
    for (int64_t j = 0; j < count; ++j)
      x[i * count + j] = padded[i * count + j].conjugate() * factor;
  }
}

}  // namespace sy::cpu
