// Shared objects with registrations stay in memory: the runtime refers to what is in them.
//
//   KeepObjectOf(def);   // the object that *def lies in is never unmapped from here on
//
// A program that opens an object with operators, and closes it, goes on as if it had not closed it.
// Costs two comparisons where the registration before it was of the same object, as nearly all are.
// Does nothing for what lies in the program itself, in this library, or in no object (on the heap:
// what is registered from there is to be removed by who has done it).
// Owns: nothing. Threads: any.
// Errors: none.
#ifndef SWITCHYARD_CORE_KEEP_OBJECT_H_
#define SWITCHYARD_CORE_KEEP_OBJECT_H_

#include "switchyard/core/macros.h"

namespace sy::internal {

SY_API void KeepObjectOf(const void* address) noexcept;

}  // namespace sy::internal

#endif  // SWITCHYARD_CORE_KEEP_OBJECT_H_
