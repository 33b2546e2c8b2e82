// The headers that kernels are compiled with, carried inside the program as text.
//
// Owns: nothing; the texts are constants.
#ifndef SWITCHYARD_BACKENDS_CUDA_RTC_HEADERS_H_
#define SWITCHYARD_BACKENDS_CUDA_RTC_HEADERS_H_

#include <span>

namespace sy::cuda {

struct Header {
  const char* name;  // as sources include it: "switchyard/ops/formulas/vocab.h"
  const char* text;
};
std::span<const Header> Headers();

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_RTC_HEADERS_H_
