// The host's random generator: the Mersenne twister, with PyTorch's stream for a seed and PyTorch's
// bytes as its state, so that either program goes on where the other stopped.
//
// Source: M. Matsumoto, T. Nishimura, "Mersenne Twister", ACM TOMACS 8 (1998); the layout of the
// state is CPUGeneratorImplState of ATen/CPUGeneratorImpl.cpp.
// Threads, errors: as Generator's.
#ifndef SWITCHYARD_BACKENDS_CPU_RANDOM_MT19937_GENERATOR_H_
#define SWITCHYARD_BACKENDS_CPU_RANDOM_MT19937_GENERATOR_H_

#include <array>

#include "switchyard/core/generator.h"

namespace sy::cpu {

class Mt19937Generator final : public Generator {
 public:
  Mt19937Generator() : Generator(Device{kHost}) { SeedStream(5489); }

  void Draw(std::span<uint32_t> words) override;
  bool keeps_next_normal() const override { return true; }

 protected:
  void SeedStream(uint64_t seed) override;
  uint64_t StreamSeed() const override { return seed_; }
  Tensor State() const override;
  void SetState(const Tensor& state) override;

 private:
  // The standard library's engine gives its words one by one, at a third of the speed, and its
  // state as text.
  std::array<uint32_t, 624> words_;
  size_t next_;  // of the words, the one to be given next; 624: they are used up
  uint64_t seed_;
};

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_RANDOM_MT19937_GENERATOR_H_
