// Which sources include CUB's headers (device/cub_*.h), and whether they compile.
//
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_CUDA_RTC_CUB_H_
#define SWITCHYARD_BACKENDS_CUDA_RTC_CUB_H_

#include <string_view>

#include "backends/cuda/driver/library.h"

namespace sy::cuda {

// Whether sources may include device/cub_*.h: there are CUB's headers, and NVRTC compiles.
bool CompilesCub();
// Whether this source does.
bool IncludesCub(std::string_view source_text);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_RTC_CUB_H_
