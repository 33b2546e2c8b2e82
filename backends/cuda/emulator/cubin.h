// What machine code that NVRTC has made asks of a device: the numbers that the driver looks at
// before it launches a kernel.
//
//   const KernelNeeds needs = NeedsOf(image, "k");      // of the kernel k
//
// Source of the format: the ELF specification; sections .nv.info and .nv.info.k hold records of a
// format byte, a kind, a 16-bit size, and that many bytes (what `cuobjdump --dump-elf` shows).
// Owns: nothing. Threads: any.
// Errors: kInternal for what is no such image.
#ifndef SWITCHYARD_BACKENDS_CUDA_EMULATOR_CUBIN_H_
#define SWITCHYARD_BACKENDS_CUDA_EMULATOR_CUBIN_H_

#include <cstddef>
#include <string_view>

namespace sy::cuda {

struct KernelNeeds {
  unsigned registers = 0;        // of a thread
  unsigned args_bytes = 0;       // of its one struct
  unsigned shared_bytes = 0;     // of a block
  unsigned stack_bytes = 0;      // of a thread: arrays that are not in registers, registers spilled
  unsigned most_threads = 1024;  // of a block: what it was compiled for
};
KernelNeeds NeedsOf(std::string_view image, std::string_view kernel);

// Whether a multiprocessor of compute capability 8.0 to 12 has registers for a block.
bool BlockFits(const KernelNeeds& needs, unsigned threads);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_EMULATOR_CUBIN_H_
