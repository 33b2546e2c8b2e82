// Which of several ways to do the same is the fastest on this device: measured once for each key,
// and kept in files beside compiled kernels, so that the next process need not.
//
//   const size_t way = Fastest(stream, "sort float32", names, [&](size_t i) { return Run(i); });
//
// The first way is what is done where nothing is measured: unless SetMeasureAlgorithms, with the
// deterministic switch on, and, for that call, while a graph is captured. What was measured is
// looked up by the key, the device's name and the ways' names: where another library offers others
// they are measured anew. A file that is damaged, or that names none of the ways, counts as none.
// Owns: what was chosen, for the process.
// Threads: any; two may measure the same at a time, and either choice is kept.
// Errors: what `run` throws.
#ifndef SWITCHYARD_BACKENDS_CUDA_ENGINE_MEASURED_H_
#define SWITCHYARD_BACKENDS_CUDA_ENGINE_MEASURED_H_

#include <absl/functional/function_ref.h>

#include <span>
#include <string>

#include "backends/cuda/runtime/stream.h"

namespace sy::cuda {

// Whether a call on this stream may measure, or go by what was measured.
bool MayMeasure(const CudaStream& stream);

// An index into `names`. run(i): queues the i-th way, over and over with the same result; false
// where that one does not serve. Waits for the stream where it measures.
size_t Fastest(CudaStream& stream, const std::string& key, std::span<const std::string> names,
               absl::FunctionRef<bool(size_t)> run);

// What tests do. Forgets what this process has chosen, not the files.
void ForgetMeasured();
// Has files elsewhere than beside compiled kernels.
void KeepMeasuredIn(std::string folder);
// From here on the way of that name is the fastest wherever it is offered; empty: none is.
void TakeAsFastest(std::string name);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_ENGINE_MEASURED_H_
