#include "backends/cpu/random/mt19937_generator.h"

#include <cstring>
#include <sstream>

namespace sy::cpu {
namespace {

constexpr int kWords = 624;

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

}  // namespace

void Mt19937Generator::Draw(std::span<uint32_t> words) {
  for (uint32_t& w : words) w = engine_();
}

void Mt19937Generator::SeedStream(uint64_t seed) {
  seed_ = seed;
  engine_.seed(static_cast<uint32_t>(seed));
}

// The standard's text form is the only door to an engine's words: 624 numbers, then, in libstdc++,
// how many of them have been taken. A library that leaves the count out writes them as if all were.
Tensor Mt19937Generator::State() const {
  SavedState s = {};
  std::stringstream text;
  text << engine_;
  for (uint64_t& w : s.words) text >> w;
  if (!(text >> s.next)) s.next = kWords;
  s.left = static_cast<int32_t>(kWords + 1 - s.next);
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
  if (s.seeded != 1 || s.left < 1 || s.left > kWords || s.next > kWords) {
    Fail(ErrorCode::kInvalidArgument,
         {"set_state(): not the state of a cpu generator: left is ", s.left, ", expected 1 to ",
          kWords, "; seeded is ", s.seeded, ", expected 1; next is ", s.next, ", expected 0 to ",
          kWords});
  }
  std::stringstream text;
  for (uint64_t w : s.words) text << static_cast<uint32_t>(w) << ' ';
  text << kWords + 1 - s.left;
  Engine engine;
  if (!(text >> engine))
    Fail(ErrorCode::kInternal, "set_state(): the library cannot read an engine's state");
  engine_ = engine;
  seed_ = s.seed;
  next_normal().reset();
  if (s.has_next_normal != 0) next_normal() = s.next_normal;
}

}  // namespace sy::cpu
