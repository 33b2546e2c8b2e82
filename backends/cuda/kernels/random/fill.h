// Tensors filled from the device's Philox generator. Elements take their numbers in the order in
// which the host's kernels visit them (plan/visit_order.h).
//
// Owns: nothing. Threads: any. Queued on the thread's current stream.
// Errors: as DrawPhilox's.
#ifndef SWITCHYARD_BACKENDS_CUDA_KERNELS_RANDOM_FILL_H_
#define SWITCHYARD_BACKENDS_CUDA_KERNELS_RANDOM_FILL_H_

#include "backends/cuda/device/args.h"
#include "backends/cuda/engine/philox.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops/random/bounds.h"

namespace sy::cuda {

// generator null: the device's default one.

// What becomes of words of the stream: a template of device/random.h, of the elements' type.
struct Distribution {
  const char* name;       // a literal, whose address stands for it
  int words;              // that an element takes
  bool of_words = false;  // the template is one of words too
};
void FillRandom(Call call, const Tensor& out, Generator* generator,
                const Distribution& distribution, RandomArgs args);

void FillIntegers(Call call, const Tensor& out, Generator* generator, const RandomDraw& draw);
// out: int64; two words of the generator's stream each.
void FillBits(Call call, const Tensor& out, Generator* generator);

// exp: their exponentials, always in sequence.
void FillNormals(Call call, const Tensor& out, double mean, double std, Generator* generator,
                 bool exp);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_KERNELS_RANDOM_FILL_H_
