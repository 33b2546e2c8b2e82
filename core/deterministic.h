// Whether results may depend on how many threads there are.
//
//   sy::use_deterministic_algorithms(true);
//   sy::set_deterministic_debug_mode("warn");   // the same, of which PyTorch would only warn
//
// Off, which it is until set, a large product of floats or one large factorisation is cut into as
// many parts as there are threads, and its last bits differ from one number of threads to another.
// On, what is computed is cut by sizes alone: the same bits at any number of threads, at less speed
// (docs/reproducibility.md).
//
// PyTorch refuses operators that have no deterministic algorithm, or warns of them where it is
// asked for warnings only. Here every kernel gives the same result on every run, on or off, and no
// operator is tagged otherwise: nothing is refused, and nothing is warned of. What was asked for is
// kept and told.
// Owns: one setting of the process.
// Threads: any; calls that run meanwhile may see either.
// Errors: kInvalidArgument for a mode that there is not.
#ifndef SWITCHYARD_CORE_DETERMINISTIC_H_
#define SWITCHYARD_CORE_DETERMINISTIC_H_

#include <string_view>

#include "switchyard/core/macros.h"

namespace sy {

// torch.use_deterministic_algorithms.
SY_API void use_deterministic_algorithms(bool mode, bool warn_only = false);
SY_API bool are_deterministic_algorithms_enabled();
SY_API bool is_deterministic_algorithms_warn_only_enabled();

// Both as one number: 0, "default": off; 1, "warn": on, with warnings only; 2, "error": on.
SY_API void set_deterministic_debug_mode(int mode);
SY_API void set_deterministic_debug_mode(std::string_view mode);
SY_API int get_deterministic_debug_mode();

}  // namespace sy

#endif  // SWITCHYARD_CORE_DETERMINISTIC_H_
