// The host's random generator: the Mersenne twister, with PyTorch's stream for a seed and PyTorch's
// bytes as its state, so that either program goes on where the other stopped.
//
// Source: M. Matsumoto, T. Nishimura, "Mersenne Twister", ACM TOMACS 8 (1998); the layout of the
// state is CPUGeneratorImplState of ATen/CPUGeneratorImpl.cpp.
// Threads, errors: as Generator's.
#ifndef SWITCHYARD_BACKENDS_CPU_RANDOM_MT19937_GENERATOR_H_
#define SWITCHYARD_BACKENDS_CPU_RANDOM_MT19937_GENERATOR_H_

#include <random>

#include "switchyard/core/generator.h"

namespace sy::cpu {

class Mt19937Generator final : public Generator {
 public:
  Mt19937Generator() : Generator(Device{kHost}) {}

  void Draw(std::span<uint32_t> words) override;
  bool keeps_next_normal() const override { return true; }

 protected:
  void SeedStream(uint64_t seed) override;
  uint64_t StreamSeed() const override { return seed_; }
  Tensor State() const override;
  void SetState(const Tensor& state) override;

 private:
  // std::mt19937 with 32-bit words where the library's has 64-bit ones: half the memory to refill.
  using Engine =
      std::mersenne_twister_engine<uint32_t, 32, 624, 397, 31, 0x9908b0df, 11, 0xffffffff, 7,
                                   0x9d2c5680, 15, 0xefc60000, 18, 1812433253>;
  Engine engine_;
  uint64_t seed_ = Engine::default_seed;
};

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_RANDOM_MT19937_GENERATOR_H_
