// fmt: Debian's headers, compiled once (format.cc) and in a namespace of our own. What a program
// links of another fmt, of whatever version, is its own; nothing of ours is in its way.
//
//   std::string line = fmt::format("{:<32} {:>8}\n", name, calls);
//
// Private: an installed header never includes it. With formatters of our values: core/format.
// Owns: nothing.
// Threads: any. No locale is asked.
// Errors: std::bad_alloc. What is wrong with a format string, the compiler says.
#ifndef THIRD_PARTY_FMT_FORMAT_H_
#define THIRD_PARTY_FMT_FORMAT_H_

#ifdef FMT_VERSION
#error "include this before, and in the place of, fmt's own headers"
#endif
#define FMT_BEGIN_NAMESPACE \
  namespace fmt {           \
  inline namespace switchyard {
#define FMT_END_NAMESPACE \
  }                       \
  }
#define FMT_STATIC_THOUSANDS_SEPARATOR ','  // without std::locale

#include <fmt/format.h>

#endif  // THIRD_PARTY_FMT_FORMAT_H_
