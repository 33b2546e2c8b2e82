// Compiler spellings used across the tree.
//
//   SY_API SY_COLD void Refuse(int code);
//   SY_INLINE int Twice(int n) { return 2 * n; }
//
// g++ and clang know all of them.
// Owns: nothing.
// Threads: any.
// Errors: none.
#ifndef SWITCHYARD_CORE_MACROS_H_
#define SWITCHYARD_CORE_MACROS_H_

#include "switchyard/core/options.h"  // IWYU pragma: export

// Everything is compiled with hidden visibility; what other shared objects may use is marked.
#define SY_API __attribute__((visibility("default")))

// Out of the way of hot code: error paths, first calls.
#define SY_COLD __attribute__((noinline, cold))

#define SY_NOINLINE __attribute__((noinline))
#define SY_INLINE inline __attribute__((always_inline))

// Thread-local data of the heart is read on every call; this model reads it in one instruction.
#define SY_INITIAL_EXEC __attribute__((tls_model("initial-exec")))

#endif  // SWITCHYARD_CORE_MACROS_H_
