// Files of named tensors, written: safetensors, .npy, .npz, PyTorch's checkpoints.
//
//   WriteTensors("model.safetensors", {{"weight", w}, {"bias", b}});
//   WriteTensors("model.pt", tensors);      // torch.load reads it as a dict of tensors
//
// Tensors may lie anywhere and have any strides; elements are written row-major, one tensor after
// the other through 8 MB of memory. Files are written beside their name and take it when they are
// whole: a tensor may be written to the file that it is mapped from, and what fails leaves what was
// there. Equal tensors make equal files, of safetensors the same bytes as the official writer's
// (tensors sorted by dtype and name, so that each is aligned).
// Owns: nothing.
// Threads: any; not two for one path.
// Errors: kInvalidArgument for names that stand twice, undefined tensors and dtypes that the format
// lacks, naming the tensor; kDataDependent for meta tensors; kUnavailable where writing fails.
// Source: as tensor_file.h.
#ifndef SWITCHYARD_IO_WRITE_TENSORS_H_
#define SWITCHYARD_IO_WRITE_TENSORS_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "switchyard/io/tensor_file.h"

namespace sy {

// How a file is written.
struct WriteOptions {
  // By the name's ending where it is not said: .safetensors, .npy, .npz, .pt, .pth, .bin.
  std::optional<FileFormat> format = {};
  // Keys and texts of safetensors' __metadata__, in this order; other formats have no place for
  // them, and refuse any.
  std::vector<std::pair<std::string, std::string>> metadata = {};
  // Entries of an .npz are compressed: smaller by little, and never read in place.
  bool deflate = false;
  // Told how many bytes of elements are written, of how many, at the start, after each 8 MB and at
  // the end. What it throws ends the writing.
  std::function<void(uint64_t done, uint64_t total)> progress = {};
};

// The format that a file's name says. Errors: kInvalidArgument for other endings.
SY_API FileFormat FormatOfName(const std::string& path);

// In an .npy, there is one tensor, whose name is not written. Errors also: kInvalidArgument for
// formats that are only read.
SY_API void WriteTensors(const std::string& path, const NamedTensors& tensors,
                         const WriteOptions& options = {});

}  // namespace sy

#endif  // SWITCHYARD_IO_WRITE_TENSORS_H_
