// What the tests of files share.
#ifndef IO_TESTING_H_
#define IO_TESTING_H_

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "switchyard/core/tensor.h"

namespace sy::io {

// A file of io/testdata, which record.py makes.
inline std::string Recorded(const std::string& name) { return "io/testdata/" + name; }
inline std::string TempFile(const std::string& name) { return testing::TempDir() + "/" + name; }

inline void PutFile(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}
inline std::string BytesOfFile(const std::string& path) {
  std::ostringstream s;
  s << std::ifstream(path, std::ios::binary).rdbuf();
  return s.str();
}

inline std::vector<int64_t> Of(IntSpan list) { return {list.begin(), list.end()}; }

// All elements, row-major.
template <class T>
std::vector<T> Values(const Tensor& t) {
  std::vector<T> values;
  values.reserve(static_cast<size_t>(t.numel()));
  const auto walk = [&](auto& self, int64_t dim, int64_t offset) -> void {
    if (dim == t.dim()) {
      values.push_back(t.data<T>()[offset]);
      return;
    }
    for (int64_t i = 0; i < t.size(dim); ++i) self(self, dim + 1, offset + i * t.stride(dim));
  };
  if (t.numel() != 0) walk(walk, 0, 0);
  return values;
}

}  // namespace sy::io

#endif  // IO_TESTING_H_
