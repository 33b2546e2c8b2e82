// A counter-based generator: word k of its stream is a function of seed and k alone, so that the
// threads of a device draw their own words and every device draws the same ones.
//
//   PhiloxGenerator::Reservation r = generator.Reserve(n);   // n counters, 4 words each
//   // in thread i: philox4x32(counter {r.offset + i}, key {r.seed})
//
// Counter c, 64 bits, gives words 4c … 4c+3: philox4x32 with 10 rounds, counter {low c, high c, 0,
// 0}, key {low seed, high seed}. An operator starts at a fresh counter and takes words in the order
// in which the host's kernels do; what is left of its last counter is dropped.
// Source: J. K. Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011; Random123.
// Owns: seed and counter.
// Threads, errors: as Generator's; Reserve locks.
#ifndef SWITCHYARD_CORE_PHILOX_GENERATOR_H_
#define SWITCHYARD_CORE_PHILOX_GENERATOR_H_

#include "switchyard/core/generator.h"

namespace sy {

class SY_API PhiloxGenerator final : public Generator {
 public:
  explicit PhiloxGenerator(Device device) : Generator(device) {}

  struct Reservation {
    uint64_t seed;
    uint64_t offset;  // the first counter
  };
  // Takes `counters` counters from the stream, for a kernel that draws from them itself: that many
  // counters from offset on are its own. It locks, so that the caller does not.
  Reservation Reserve(uint64_t counters);

  // Whole counters: a call that asks for 5 words uses two. The caller holds the lock.
  void Draw(std::span<uint32_t> words) override;

 protected:
  void SeedStream(uint64_t seed) override;
  uint64_t StreamSeed() const override { return seed_; }
  Tensor State() const override;  // seed and next counter, 8 bytes each, little-endian
  void SetState(const Tensor& state) override;
  uint64_t StreamOffset() const override { return counter_ * 4; }
  void SetStreamOffset(uint64_t offset) override;

 private:
  uint64_t seed_ = 0, counter_ = 0;
};

}  // namespace sy

#endif  // SWITCHYARD_CORE_PHILOX_GENERATOR_H_
