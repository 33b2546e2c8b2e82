// Whether results may depend on how many threads there are.
//
//   sy::use_deterministic_algorithms(true);
//
// Off, which it is until set, a large product of floats or one large factorisation is cut into as
// many parts as there are threads, and its last bits differ from one number of threads to another.
// On, what is computed is cut by sizes alone: the same bits at any number of threads, at less speed
// (docs/reproducibility.md).
// Owns: one flag of the process.
// Threads: any; calls that run meanwhile may see either.
// Errors: none.
#ifndef SWITCHYARD_CORE_DETERMINISTIC_H_
#define SWITCHYARD_CORE_DETERMINISTIC_H_

#include "switchyard/core/macros.h"

namespace sy {

// torch.use_deterministic_algorithms, without the errors: nothing is refused here.
SY_API void use_deterministic_algorithms(bool mode);
SY_API bool are_deterministic_algorithms_enabled();

}  // namespace sy

#endif  // SWITCHYARD_CORE_DETERMINISTIC_H_
