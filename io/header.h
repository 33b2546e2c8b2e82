// The header of a .npy file: a Python dict as text, {'descr': '<f4', 'fortran_order': False,
// 'shape': (2, 3), }.
//
// Threads: any.
// Errors: kInvalidArgument naming what is wrong; messages do not know the file.
#ifndef IO_HEADER_H_
#define IO_HEADER_H_

#include <string>
#include <string_view>
#include <vector>

#include "switchyard/core/dtype.h"

namespace sy::npy {

struct Header {
  DType dtype = DType::kFloat32;
  bool fortran_order = false;
  std::vector<int64_t> shape;
};

Header ParseHeader(std::string_view text);
// Without padding and newline.
std::string FormatHeader(const Header& header);

}  // namespace sy::npy

#endif  // IO_HEADER_H_
