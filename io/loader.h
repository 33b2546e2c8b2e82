// Tensors made of a file's bytes: in place, copied, or on a device.
//
// Owns: the file; what several tensors share, once one of them was asked for.
// Threads: any.
// Errors: as TensorFile's, without the path.
#ifndef IO_LOADER_H_
#define IO_LOADER_H_

#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "io/contents.h"
#include "io/file.h"
#include "io/upload.h"

namespace sy::io {

class Loader {
 public:
  // sources: those of the file that loading will be asked for; users: how many tensors each has.
  Loader(std::shared_ptr<const File> file, const LoadOptions& options, std::vector<Source> sources,
         std::vector<int> users);

  // t's elements; t may be a part of what `source` holds. shared: the tensor's storage is that of
  // others too.
  Tensor Load(const TensorInfo& t, size_t source) const;
  // The same without the rest of the tensor: t's sizes, strides and offset are those of the part.
  Tensor LoadPart(const TensorInfo& part, size_t source) const;

 private:
  bool InPlace(const Source& s, uint64_t offset, DType dtype) const;
  Tensor Place(const Source& s, uint64_t first, IntSpan sizes, IntSpan strides, DType dtype) const;
  Tensor Gather(const TensorInfo& part, const Source& s) const;
  // The bytes first … first + n - 1 of a source, as numbers of this machine.
  void Read(const Source& s, uint64_t first, void* to, uint64_t n) const;
  void Verify(size_t source) const;

  std::shared_ptr<const File> file_;
  LoadOptions options_;
  std::vector<Source> sources_;
  std::vector<int> users_;
  mutable std::mutex mutex_;
  mutable std::map<size_t, Tensor> shared_;  // whole sources, as uint8
  mutable std::vector<bool> verified_;
  mutable Upload upload_;
};

}  // namespace sy::io

#endif  // IO_LOADER_H_
