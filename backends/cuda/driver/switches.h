// Environment variables that switch parts of this backend on, by "1", and off, by "0". In a process
// with more rights than its user has they are not looked at.
//
// Owns: nothing. Threads: any, while none changes the environment.
#ifndef SWITCHYARD_BACKENDS_CUDA_DRIVER_SWITCHES_H_
#define SWITCHYARD_BACKENDS_CUDA_DRIVER_SWITCHES_H_

#include <cstdlib>
#include <string_view>

namespace sy::cuda {

inline bool SaysEnvironment(const char* variable, std::string_view value) {
  const char* text = secure_getenv(variable);
  return text != nullptr && text == value;
}
inline bool SwitchedOn(const char* variable) { return SaysEnvironment(variable, "1"); }
inline bool SwitchedOff(const char* variable) { return SaysEnvironment(variable, "0"); }

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DRIVER_SWITCHES_H_
