#include "backends/cpu/random/mt19937_generator.h"

#include <algorithm>
#include <cstring>

#include "backends/cpu/random/widest.h"

namespace sy::cpu {
namespace {

constexpr size_t kWords = 624, kOffset = 397;

// As PyTorch writes it; the gaps are zero.
struct SavedState {
  uint64_t seed;
  int32_t left;    // words until the next refill, plus 1
  int32_t seeded;  // 1
  uint64_t next;   // words taken since the last refill
  uint64_t words[kWords];
  double normal_x;  // unused
  double next_normal;
  double normal_rho;  // unused
  int32_t has_next_normal;
  int32_t gap;
  float next_float_normal;  // unused: no operator of the host keeps one
  uint32_t has_next_float_normal;
};
static_assert(sizeof(SavedState) == 5056);

// The highest bit of one word and the others of the next, times the recurrence's matrix.
SY_INLINE uint32_t Twist(uint32_t a, uint32_t b) {
  const uint32_t joined = (a & 0x80000000u) | (b & 0x7fffffffu);
  return joined >> 1 ^ ((b & 1) != 0 ? 0x9908b0dfu : 0);
}
SY_INLINE void Refill(uint32_t* w) {
  for (size_t i = 0; i < kWords - kOffset; ++i) w[i] = w[i + kOffset] ^ Twist(w[i], w[i + 1]);
  for (size_t i = kWords - kOffset; i < kWords - 1; ++i)
    w[i] = w[i - (kWords - kOffset)] ^ Twist(w[i], w[i + 1]);
  w[kWords - 1] = w[kOffset - 1] ^ Twist(w[kWords - 1], w[0]);
}
SY_INLINE void Temper(const uint32_t* w, uint32_t* to, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    uint32_t x = w[i];
    x ^= x >> 11;
    x ^= x << 7 & 0x9d2c5680u;
    x ^= x << 15 & 0xefc60000u;
    to[i] = x ^ x >> 18;
  }
}

}  // namespace

void Mt19937Generator::Draw(std::span<uint32_t> words) {
  while (!words.empty()) {
    if (next_ == kWords) {
      Widest<Refill>(words_.data());
      next_ = 0;
    }
    const size_t n = std::min(kWords - next_, words.size());
    Widest<Temper>(static_cast<const uint32_t*>(words_.data() + next_), words.data(), n);
    next_ += n;
    words = words.subspan(n);
  }
}

void Mt19937Generator::SeedStream(uint64_t seed) {
  seed_ = seed;
  next_ = kWords;
  words_[0] = static_cast<uint32_t>(seed);
  for (uint32_t i = 1; i < kWords; ++i)
    words_[i] = 1812433253u * (words_[i - 1] ^ words_[i - 1] >> 30) + i;
}

Tensor Mt19937Generator::State() const {
  SavedState s = {};
  std::copy(words_.begin(), words_.end(), s.words);
  s.next = next_;
  s.left = static_cast<int32_t>(kWords + 1 - next_);
  s.seed = seed_;
  s.seeded = 1;
  s.has_next_normal = next_normal().has_value();
  s.next_normal = next_normal().value_or(0);
  Tensor state = Tensor::Empty({sizeof s}, DType::kUInt8);
  std::memcpy(state.data(), &s, sizeof s);
  return state;
}

void Mt19937Generator::SetState(const Tensor& state) {
  RequireStateSize(state, sizeof(SavedState), "cpu");
  SavedState s;
  std::memcpy(&s, state.data(), sizeof s);
  if (s.seeded != 1 || s.left < 1 || s.left > int32_t{kWords} || s.next > kWords) {
    Fail(ErrorCode::kInvalidArgument,
         {"set_state(): not the state of a cpu generator: left is ", s.left, ", expected 1 to ",
          kWords, "; seeded is ", s.seeded, ", expected 1; next is ", s.next, ", expected 0 to ",
          kWords});
  }
  for (size_t i = 0; i < kWords; ++i) words_[i] = static_cast<uint32_t>(s.words[i]);
  next_ = kWords + 1 - static_cast<size_t>(s.left);
  seed_ = s.seed;
  next_normal().reset();
  if (s.has_next_normal != 0) next_normal() = s.next_normal;
}

}  // namespace sy::cpu
