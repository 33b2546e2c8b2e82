// How long a step of data-parallel training takes on many ranks: DataParallel's, in numbers.
//
//   StepOf(ModelOf("encoder"), 64, MachineOf("infiniband")).seconds
//
// Each rank goes forward and backward over its part of the batch; gradients become buckets in the
// order in which backward reaches parameters, and a bucket is averaged as soon as it is full, one
// after the other, while backward goes on. The optimiser runs when all are there.
// Owns: nothing. Threads: any.
// Errors: kInvalidArgument for names that are none; as RoundsOf's.
#ifndef SWITCHYARD_COLLECTIVE_SCALING_STEP_H_
#define SWITCHYARD_COLLECTIVE_SCALING_STEP_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "switchyard/collective/scaling/machine.h"

namespace sy::collective::scaling {

// What a rank has to do by itself, in seconds, for its part of the batch.
struct Model {
  std::string name;
  std::vector<int64_t> parameters;  // bytes of each, in the order of forward
  double forward = 0, backward = 0;
  double optimizer = 0;
  std::string origin = {};  // where the numbers are from
};
// "train": examples/train; "encoder": examples/transformer, fine-tuned.
Model ModelOf(std::string_view name);
// Bytes of the buckets that gradients are averaged in, in their order.
std::vector<int64_t> BucketsOf(const Model& m, int64_t bucket_bytes = int64_t{25} << 20);

struct Step {
  double seconds = 0;
  double alone = 0;        // what it would take without others
  double collectives = 0;  // how long averages are under way in all
  double exposed() const { return seconds - alone; }
  double efficiency() const { return alone / seconds; }
};
// Every average by the algorithm that costs least.
Step StepOf(const Model& model, int ranks, const Machine& machine,
            int64_t bucket_bytes = int64_t{25} << 20);

}  // namespace sy::collective::scaling

#endif  // SWITCHYARD_COLLECTIVE_SCALING_STEP_H_
