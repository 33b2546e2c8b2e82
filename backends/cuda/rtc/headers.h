// The headers that kernels are compiled with, carried inside the program as text.
//
// Owns: nothing; the texts are constants.
#ifndef SWITCHYARD_BACKENDS_CUDA_RTC_HEADERS_H_
#define SWITCHYARD_BACKENDS_CUDA_RTC_HEADERS_H_

#include <span>
#include <vector>

namespace sy::cuda {

struct Header {
  const char* name;  // as sources include it: "switchyard/ops/formulas/vocab.h"
  const char* text;
};
// Those of this tree, which are this program's own.
std::span<const Header> EmbeddedHeaders();
// And those that others have added (backends/cuda/formula.h).
std::vector<Header> Headers();

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_RTC_HEADERS_H_
