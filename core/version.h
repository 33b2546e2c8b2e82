// The version of the headers, known to the compiler: that of the library which a program runs with
// is what `switchyard version` prints.
//
//   static_assert(sy::kVersion.starts_with("0.1."));
//
// Owns: nothing.
// Threads: any.
// Errors: none.
#ifndef SWITCHYARD_CORE_VERSION_H_
#define SWITCHYARD_CORE_VERSION_H_

#include <string_view>

namespace sy {

// Semantic versioning: incompatible changes raise the first number once it is 1.
inline constexpr std::string_view kVersion = "0.1.0";

}  // namespace sy

#endif  // SWITCHYARD_CORE_VERSION_H_
