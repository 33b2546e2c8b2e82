// Random generators: the state behind random operators, one default per device and any number of
// one's own.
//
//   manual_seed(0);                                   // every device's default generator
//   std::unique_ptr<Generator> g = NewGenerator();    // one of the host's own
//   g->manual_seed(7);  sy::uniform_(x, 0, 1, g.get());
//
// A generator is a stream of 32-bit words and the seed from which it started. Operators take as
// many words as their numbers need, in a fixed order, so that equal seeds and equal calls give
// equal numbers. The host's is the Mersenne twister; other devices' is core/philox_generator.h
// unless their backend has its own.
// Owns: nothing outside itself; who makes a generator keeps it alive during the calls that use it.
// Default generators live for the process.
// Threads: seeding and state lock mutex(); who draws words or touches next_normal holds it.
// Errors: kInvalidArgument for a state of another kind of generator.
#ifndef SWITCHYARD_CORE_GENERATOR_H_
#define SWITCHYARD_CORE_GENERATOR_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>

#include "switchyard/core/device.h"
#include "switchyard/core/macros.h"
#include "switchyard/core/tensor.h"

namespace sy {

// One stream of random words. Backends derive from it; programs get one by NewGenerator, or use the
// default one by giving no generator at all. ATen's at::Generator is a handle of this.
//
//   const Tensor state = g->get_state();   Tensor a = sy::rand({3}, …);
//   g->set_state(state);                   // the same numbers once more
class SY_API Generator {
 public:
  // device: with an index, where the type has several.
  explicit Generator(Device device) : device_(device) {}
  Generator(const Generator&) = delete;
  Generator& operator=(const Generator&) = delete;
  virtual ~Generator() = default;

  // The device whose operators may draw from it.
  Device device() const { return device_; }

  // --- These lock. Starts the stream anew. A state that was got before can be set again.
  void manual_seed(uint64_t seed);
  uint64_t seed();          // seeds itself from the operating system and says with what
  uint64_t initial_seed();  // from which the stream started
  // Everything that decides the numbers to come, as a uint8 tensor on the host. Its form is the
  // generator's own: only one of the same kind takes it.
  Tensor get_state();
  // Errors: kInvalidArgument unless it is a 1-d contiguous uint8 tensor on the host of the right
  // size.
  void set_state(const Tensor& state);

  // Another generator of this one's kind and state, of the caller's own: both draw the same numbers
  // from now on. Errors: kUnavailable when the device has no backend here.
  std::unique_ptr<Generator> clone_state();
  // How many words of the stream have been drawn, where the stream is counted (Philox): a multiple
  // of 4. set_offset goes to such a place. Errors: kNotImplemented where it is not, as on the host;
  // kInvalidArgument for another number.
  uint64_t get_offset();
  void set_offset(uint64_t offset);

  // --- The caller holds this lock, from the first word of an operator to the last.
  std::mutex& mutex() { return mutex_; }
  // The next words of the stream, which goes on behind them.
  virtual void Draw(std::span<uint32_t> words) = 0;
  uint32_t random();    // one word
  uint64_t random64();  // the first word drawn is the upper half
  // A number of the standard normal distribution left over from a pair, for the next call. Only
  // generators whose streams are drawn in sequence keep one.
  // True of the host's own, whose normal numbers come in pairs.
  virtual bool keeps_next_normal() const { return false; }
  std::optional<double>& next_normal() { return next_normal_; }

 protected:
  // What a kind of generator has to say; the lock is held.
  virtual void SeedStream(uint64_t seed) = 0;
  virtual uint64_t StreamSeed() const = 0;
  virtual Tensor State() const = 0;
  virtual void SetState(const Tensor& state) = 0;  // uint8, on the host, contiguous
  // In words; only where the stream is counted.
  virtual uint64_t StreamOffset() const;
  virtual void SetStreamOffset(uint64_t offset);
  const std::optional<double>& next_normal() const { return next_normal_; }
  // Errors: kInvalidArgument unless the state has `bytes` bytes.
  static void RequireStateSize(const Tensor& state, int64_t bytes, std::string_view kind);

 private:
  const Device device_;
  std::mutex mutex_;
  std::optional<double> next_normal_;
};

// A generator of the kind that the device's default one is, seeded from the operating system.
// Errors: kUnavailable when the device has no backend here.
// device: an open index means the current one. Seeded with 53 bits, so that the seed survives a
// double.
SY_API std::unique_ptr<Generator> NewGenerator(Device device = {kHost});
// What operators draw from unless given a generator; one per device, made when first asked for.
// Errors as NewGenerator's.
SY_API Generator& DefaultGenerator(Device device = {kHost});

// Seeds the default generators of all devices, also of those first used later. torch.manual_seed.
SY_API void manual_seed(uint64_t seed);
// The same with a seed from the operating system, which is returned.
SY_API uint64_t seed();
SY_API uint64_t initial_seed();  // of the host's default generator
// Of the device's default generator: get_state and set_state.
SY_API Tensor get_rng_state(Device device = {kHost});
SY_API void set_rng_state(const Tensor& state, Device device = {kHost});

}  // namespace sy

#endif  // SWITCHYARD_CORE_GENERATOR_H_
