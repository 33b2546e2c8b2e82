// Floating numbers as text, without a locale.
//
//   ShortestText(0.1)         "0.1"       the fewest digits that read back as the same number
//   FixedText(2.0 / 3, 4)     "0.6667"
//   ScientificText(1e9, 4)    "1.0000e+09"
//
// Infinities are "inf" and "-inf", NaN is "nan", as Python writes them.
//
// Shortest texts: 0.1, 1, 123456, 1e+16, 1e-05.
// Owns: nothing.
// Threads: any.
// Errors: none; std::bad_alloc where there is no memory for the text.
#ifndef SWITCHYARD_CORE_NUMBER_TEXT_H_
#define SWITCHYARD_CORE_NUMBER_TEXT_H_

#include <string>

#include "switchyard/core/macros.h"

namespace sy {

// With an exponent below 1e-4 and from 1e16 on, as Python's repr; whole numbers have no point.
SY_API std::string ShortestText(double d);
// digits: after the point.
SY_API std::string FixedText(double d, int digits);
SY_API std::string ScientificText(double d, int digits);

}  // namespace sy

#endif  // SWITCHYARD_CORE_NUMBER_TEXT_H_
