// Training on parts of each batch: gradients of all ranks are averaged while backward goes on.
//
//   collective::InitWorld();
//   Network network;                                     // the same on every rank
//   collective::DataParallel parallel(network.parameters());
//   …
//   optimizer.zero_grad();
//   backward(Loss(network, MyPartOf(batch)));            // averages begin under way
//   parallel.Finish();                                   // and are there
//   optimizer.step();                                    // the same on every rank
//
// With parts of one size and losses that are means, a step is that of the whole batch in one
// process, but for the order of additions. Gradients travel in buckets of several parameters, those
// that backward reaches first ahead; one that backward does not reach counts as zero. The twin in
// torch is DistributedDataParallel, which wraps a module; here whoever trains calls Finish.
// Owns: the parameters' hooks, which go with it, and memory for the buckets, as much as gradients.
// Threads: one at a time; backward runs in it.
// Errors: those of collectives; kInvalidArgument for parameters that are no leaves that want
// gradients.
#ifndef SWITCHYARD_COLLECTIVE_DATA_PARALLEL_H_
#define SWITCHYARD_COLLECTIVE_DATA_PARALLEL_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "switchyard/core/tensor.h"

namespace sy::collective {

struct DataParallelOptions {
  std::string group = "world";
  int64_t bucket_bytes = int64_t{25} << 20;  // torch's; a larger parameter has a bucket of its own
};

class SY_API DataParallel {
 public:
  // Every rank gives the same parameters in the same order; all take the values of rank 0 of the
  // group.
  explicit DataParallel(std::vector<Tensor> parameters, const DataParallelOptions& options = {});
  ~DataParallel();
  DataParallel(const DataParallel&) = delete;
  // After backward, once: the parameters' gradients are those of all ranks, averaged.
  void Finish();
  // How many there are, and how many were on their way before the last Finish began.
  size_t buckets() const;
  size_t overlapped() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sy::collective

#endif  // SWITCHYARD_COLLECTIVE_DATA_PARALLEL_H_
