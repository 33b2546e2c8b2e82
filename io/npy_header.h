// The header of a .npy file: a Python dict as text, {'descr': '<f4', 'fortran_order': False,
// 'shape': (2, 3), }.
//
// Threads: any.
// Errors: kInvalidArgument naming what is wrong; messages do not know the file.
#ifndef IO_NPY_HEADER_H_
#define IO_NPY_HEADER_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "switchyard/core/dtype.h"

namespace sy::npy {

struct Header {
  std::string descr;                // as it is written
  std::optional<DType> dtype = {};  // none of opaque elements, '|V2'
  uint32_t swap = 0;                // bytes of each number that is big-endian
  int64_t opaque_bytes = 0;         // of an opaque element
  bool fortran_order = false;
  std::vector<int64_t> shape;
};

// Sets descr, dtype, swap and opaque_bytes of the text that NumPy has for a dtype, "<f4".
void SetDescr(std::string_view text, Header& h);
Header ParseHeader(std::string_view text);
// Without padding and newline, of a header with a dtype.
std::string FormatHeader(const Header& header);

}  // namespace sy::npy

#endif  // IO_NPY_HEADER_H_
