// Dimension i + 1 goes by the i-th primitive polynomial over two elements, in the order of their
// degrees and bits, whose recurrence continues its first numbers. Source: P. Bratley and B. L. Fox,
// Algorithm 659, 1988.

#include "ops/random/sobol_composite.h"

namespace sy {
namespace {

// a b mod polynomial, of this degree.
uint32_t Product(uint32_t a, uint32_t b, uint32_t polynomial, int degree) {
  uint32_t product = 0;
  for (; b != 0; b >>= 1) {
    if ((b & 1) != 0) product ^= a;
    a <<= 1;
    if ((a >> degree & 1) != 0) a ^= polynomial;
  }
  return product;
}
uint32_t PowerOfX(uint32_t exponent, uint32_t polynomial, int degree) {
  uint32_t power = 1, square = degree == 1 ? 1 : 2;
  for (; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) power = Product(power, square, polynomial, degree);
    square = Product(square, square, polynomial, degree);
  }
  return power;
}
// Whether the powers of x are all that is not zero: no proper divisor of their number gives 1.
bool IsPrimitive(uint32_t polynomial, int degree) {
  const uint32_t order = (uint32_t{1} << degree) - 1;
  if (PowerOfX(order, polynomial, degree) != 1) return false;
  uint32_t rest = order;
  for (uint32_t f = 2; f <= rest; ++f) {
    if (rest % f != 0) continue;
    while (rest % f == 0) rest /= f;
    if (PowerOfX(order / f, polynomial, degree) == 1) return false;
  }
  return true;
}

class Polynomials {
 public:
  int degree() const { return degree_; }
  // The next one.
  uint32_t Next() {
    do {
      at_ += 2;  // without a constant term it is divided by x
      if (at_ >> (degree_ + 1) != 0) {
        ++degree_;
        at_ = (uint32_t{1} << degree_) | 1;
      }
    } while (!IsPrimitive(at_, degree_));
    return at_;
  }

 private:
  int degree_ = 1;
  uint32_t at_ = 1;
};

}  // namespace

void SobolDirections(int64_t dimensions, int64_t* directions) {
  Polynomials polynomials;
  int bit = 0;
  const auto next = [&] { return kSobolNumbers[bit / 64] >> (bit % 64) & 1; };
  for (int64_t d = 0; d < dimensions; ++d) {
    int64_t* v = directions + d * kSobolBits;
    if (d == 0) {
      for (int j = 0; j < kSobolBits; ++j) v[j] = 1;
    } else {
      const uint32_t polynomial = polynomials.Next();
      const int degree = polynomials.degree();
      for (int j = 0; j < degree; ++j) {
        v[j] = 1;
        for (int k = 1; k <= j; ++k, ++bit) v[j] |= static_cast<int64_t>(next()) << k;
      }
      for (int j = degree; j < kSobolBits; ++j) {
        v[j] = v[j - degree] ^ (v[j - degree] << degree);
        for (int k = 1; k < degree; ++k) {
          if ((polynomial >> (degree - k) & 1) != 0) v[j] ^= v[j - k] << k;
        }
      }
    }
    for (int j = 0; j < kSobolBits; ++j) v[j] <<= kSobolBits - 1 - j;
  }
}

}  // namespace sy
