// What kernels that draw random numbers start from: a place in the stream of a Philox generator.
//
//   SetStart(args, DrawPhilox(call, generator, counters));
//
// In a captured graph the seed and the counter at which a replay starts are in memory of the
// device, which each replay fills in: it draws the numbers that the calls would have drawn.
// Owns: nothing; the generator must outlive the graphs that it is captured in.
// Threads: any.
// Errors: kInvalidArgument for a generator of another device or kind.
#ifndef SWITCHYARD_BACKENDS_CUDA_ENGINE_PHILOX_H_
#define SWITCHYARD_BACKENDS_CUDA_ENGINE_PHILOX_H_

#include <cstdint>

#include "switchyard/core/generator.h"
#include "switchyard/op/kernel.h"

namespace sy::cuda {

// As device/random.h's kernels take it: with a state, {seed, counter}, `seed` is not used and
// `offset` counts from the state's counter.
struct PhiloxStart {
  uint64_t seed, offset;
  const unsigned long long* state;
};
// Takes `counters` counters, 4 words each. generator null: the device's default one.
PhiloxStart DrawPhilox(Call call, Generator* generator, uint64_t counters);

// Args: of a kernel that draws.
template <class Args>
void SetStart(Args& args, const PhiloxStart& start) {
  args.seed = start.seed;
  args.offset = start.offset;
  args.state = start.state;
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_ENGINE_PHILOX_H_
