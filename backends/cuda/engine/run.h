// Launches a kernel that is one call of a device function, specialised to dtypes and numbers.
//
//   static constexpr DeviceFunction kPool{"pool", "PoolArgs", "MaxPool"};
//   RunDevice(call, kPool, {self.dtype()}, {3}, BlocksFor(n), args);   // MaxPool<float, 3>(args)
//
// Owns: nothing. Threads: any. Queued on the thread's current stream.
#ifndef SWITCHYARD_BACKENDS_CUDA_ENGINE_RUN_H_
#define SWITCHYARD_BACKENDS_CUDA_ENGINE_RUN_H_

#include <initializer_list>

#include "backends/cuda/engine/launch.h"
#include "backends/cuda/plan/types.h"
#include "switchyard/core/error.h"

namespace sy::cuda {

// A function of device/header.h that takes an `args`. Its address stands for it: make it static.
struct DeviceFunction {
  const char* header;
  const char* args;
  const char* name;
};

// types: at most 8; numbers, which follow them: at most 4, 0 to 65535 each.
template <class Args>
void RunDevice(const Call& call, const DeviceFunction& function, std::initializer_list<DType> types,
               std::initializer_list<int> numbers, const Grid& grid, Args& args) {
  uint64_t type_word = 0, number_word = 0;
  for (DType d : types) type_word = type_word << 8 | (static_cast<uint64_t>(d) + 1);
  for (int n : numbers) number_word = number_word << 16 | static_cast<uint64_t>(n);
  const auto text = [&] {
    std::string list;
    for (DType d : types) list += (list.empty() ? "" : ", ") + ElementName(d);
    for (int n : numbers) list += Join({list.empty() ? "" : ", ", n});
    return KernelSource(function.header, function.args,
                        Join({function.name, "<", list, ">(args)"}));
  };
  Launch(call, {&function, {type_word, number_word, 0}}, text, grid, args);
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_ENGINE_RUN_H_
