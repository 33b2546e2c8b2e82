// What a TensorFile is made of.
#ifndef IO_TENSOR_FILE_IMPL_H_
#define IO_TENSOR_FILE_IMPL_H_

#include <optional>
#include <string>
#include <unordered_map>

#include "io/contents.h"
#include "io/loader.h"

namespace sy {

class TensorFile::Impl {
 public:
  Impl(const std::string& path_of_file, const LoadOptions& options);
  size_t At(std::string_view name) const;
  Tensor Get(size_t i) const;

  std::string path;
  io::Contents contents;
  std::unordered_map<std::string_view, size_t> by_name;  // names are the contents'
  std::optional<io::Loader> loader;
};

}  // namespace sy

#endif  // IO_TENSOR_FILE_IMPL_H_
