// Choices by a seed, the same on every machine: what std's distributions do not promise.
// Owns: its state. Threads: one. Errors: none.
#ifndef TESTING_CONFORM_RANDOM_CHOICE_H_
#define TESTING_CONFORM_RANDOM_CHOICE_H_

#include <cstdint>
#include <initializer_list>
#include <random>

namespace sy::conform {

class Random {
 public:
  explicit Random(uint64_t seed) : bits_(seed) {}
  uint64_t Bits() { return bits_(); }
  // least … most, both included.
  int64_t Between(int64_t least, int64_t most) {
    return least + static_cast<int64_t>(bits_() % static_cast<uint64_t>(most - least + 1));
  }
  bool OneIn(int64_t n) { return Between(1, n) == 1; }
  template <class T>
  T Pick(std::initializer_list<T> from) {
    return from.begin()[Between(0, static_cast<int64_t>(from.size()) - 1)];
  }

 private:
  std::mt19937_64 bits_;
};

}  // namespace sy::conform

#endif  // TESTING_CONFORM_RANDOM_CHOICE_H_
