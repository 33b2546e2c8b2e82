// What a file holds, as its parser found it: where bytes lie, and which tensors are made of them.
// A parser takes the mapped bytes and checks everything that loading relies on:
//
//   every source lies inside the file; every tensor inside its source
//
// Owns: itself; nothing of the file.
// Threads: as any value.
// Errors: parsers throw kInvalidArgument saying what is wrong and where; they do not know the path.
#ifndef IO_CONTENTS_H_
#define IO_CONTENTS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "switchyard/io/tensor_file.h"

namespace sy::io {

// A run of bytes: a storage.
struct Source {
  uint64_t offset = 0;    // in the file
  uint64_t stored = 0;    // bytes there
  uint64_t bytes = 0;     // bytes that they are; other than `stored` only when deflated
  uint64_t skip = 0;      // of these, before the storage begins
  bool deflated = false;  // by zlib, without header
  std::optional<uint32_t> crc = {};
  uint32_t swap = 0;  // bytes of each number that is big-endian; 0: none are
  // Bytes that lie nowhere in the file as they are.
  std::shared_ptr<const std::string> own = {};

  uint64_t size() const { return bytes - skip; }  // of the storage, in bytes
};

struct Contents {
  FileFormat format = FileFormat::kSafetensors;
  std::vector<Source> sources;
  std::vector<TensorInfo> tensors;
  std::vector<size_t> source_of;  // for each tensor
  std::vector<std::pair<std::string, std::string>> metadata;

  void Add(TensorInfo t, size_t source) {
    tensors.push_back(std::move(t));
    source_of.push_back(source);
  }
};

[[noreturn]] inline void Refuse(std::initializer_list<Piece> why) {
  Fail(ErrorCode::kInvalidArgument, why);
}

// sizes * itemsize. Errors: past 2^63 - 1, more than kMaxRank sizes.
uint64_t BytesOf(std::string_view name, IntSpan sizes, uint64_t itemsize);
// Row-major.
std::vector<int64_t> StridesOf(IntSpan sizes);
std::vector<int64_t> FortranStridesOf(IntSpan sizes);  // column-major

Contents ParseSafetensors(std::string_view file);
Contents ParseNpy(std::string_view file, const LoadOptions& options);
bool LooksLikeNpy(std::string_view file);
bool LooksLikeGguf(std::string_view file);
Contents ParseGguf(std::string_view file);
// What a .npy file says, of which these are the first bytes. source: where all of it lies; the
// header is skipped there.
TensorInfo ParseNpyHeader(std::string_view start, const LoadOptions& options, Source* source);

}  // namespace sy::io

#endif  // IO_CONTENTS_H_
