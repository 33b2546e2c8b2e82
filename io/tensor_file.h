// Files of named tensors, read where they lie: safetensors, NumPy's .npy and .npz, PyTorch's
// checkpoints (.pt, .pth, .bin; zip and the format before 1.6) and GGUF. The file's own bytes say
// which it is.
//
//   TensorFile f("model.safetensors");
//   for (const TensorInfo& t : f.tensors()) std::cout << t.name << " " << t.bytes << "\n";
//   Tensor w = f.Get("encoder.layer.0.weight");
//   Tensor rows = f.Slice("embeddings", 0, 100, 200);    // the rest is not read
//   NamedTensors on_gpu = ReadTensors("model.pt", {.device = "cuda:0"});
//
// Tensors are the file's own pages, mapped, wherever a tensor of ours can lie there: on the host,
// little-endian, not deflated, at an address that suits the dtype. Others are copied. A mapped
// tensor is written to like any other; that changes the process's copy of the page and never the
// file. Its storage is lent: resize_ refuses. While tensors are mapped the file must keep its
// length: who cuts it short makes the process die of SIGBUS. Where others may do that, `copy` reads
// instead. Files that are replaced by a rename, as all of ours are, are safe.
// Nothing in a file is trusted: every size, offset and count is checked against the file before it
// is used, and nothing is executed or looked up by name (docs/files.md says what is refused).
// Sources: huggingface/safetensors (format), numpy/lib/format.py, torch/serialization.py and
// torch/_weights_only_unpickler.py, ggml/docs/gguf.md.
// Owns: a TensorFile holds the file open; tensors hold the mapping, and outlive it.
// Threads: any; several may use one TensorFile.
// Errors: kNotFound for a file that cannot be opened or a name that is not there, kInvalidArgument
// for files that are damaged or of another kind, kOutOfMemory, kUnavailable; all with the file's
// name.
#ifndef SWITCHYARD_IO_TENSOR_FILE_H_
#define SWITCHYARD_IO_TENSOR_FILE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "switchyard/core/device.h"
#include "switchyard/core/dtype.h"
#include "switchyard/core/tensor.h"

namespace sy {

// In the order of the file, or of what it is made from.
using NamedTensors = std::vector<std::pair<std::string, Tensor>>;

// How tensors come out of a file.
struct LoadOptions {
  // Where to. Another device than the host is filled by reading into pinned memory, 8 MB at a time,
  // in the order of the thread's current stream there; on meta, nothing is read.
  Device device = {kHost};
  // Own memory instead of the file's pages. Anybody may do anything to the file then.
  bool copy = false;
  // Reads all pages when the file is opened: for tensors that are all needed, soon.
  bool prefetch = false;
  // Compares checksums, where the format has them (zip), of tensors that are used in place too;
  // that reads them. Those of deflated ones are always compared.
  bool verify = false;
  // Elements of types that have no dtype here (GGUF's quantised blocks, safetensors' F4) as the
  // bytes that they are: uint8, of one dimension.
  bool raw = false;
  // What elements are that a .npy file says only the size of, '|V2' or '<V1': NumPy writes so what
  // ml_dtypes adds (bfloat16, float8). Without it they are refused.
  std::optional<DType> opaque_dtype = {};
};

// Also which format is written.
enum class FileFormat : uint8_t {
  kSafetensors,
  kNpy,
  kNpz,
  kCheckpoint,        // PyTorch's, a zip archive
  kLegacyCheckpoint,  // PyTorch's before 1.6: read, not written
  kGguf,              // read, not written
};
// "safetensors", "npy", "npz", "checkpoint", "legacy checkpoint", "gguf".
SY_API std::string_view Name(FileFormat format);

// What a file says of one tensor.
struct TensorInfo {
  std::string name;              // "" of the one in a .npy file
  std::string type;              // the format's own word: "BF16", "<f4", "Q4_K", "FloatStorage"
  std::optional<DType> dtype;    // none where no dtype here is the same
  std::vector<int64_t> sizes;    // outermost first, also of GGUF
  std::vector<int64_t> strides;  // in elements
  int64_t offset = 0;            // in elements, of its first element from the storage's start
  uint64_t bytes = 0;            // of its elements; of blocks, their bytes
};

class SY_API TensorFile {
 public:
  // Reads what the file says of its tensors, and checks it, but none of their elements.
  explicit TensorFile(const std::string& path, const LoadOptions& options = {});

  FileFormat format() const;
  // In the file's order; of checkpoints, in the order in which the dicts hold them, named by their
  // keys and positions with a dot between: "optimizer.state.0.exp_avg".
  const std::vector<TensorInfo>& tensors() const;
  // What else the file says, as text: safetensors' __metadata__, GGUF's keys and values (lists by
  // their length and first entries), numbers and texts of a checkpoint by their dotted names.
  const std::vector<std::pair<std::string, std::string>>& metadata() const;
  // Null where there is none of that name. Valid while the file lives.
  const TensorInfo* Find(std::string_view name) const;

  // The tensor; views of one storage in a checkpoint are views of one storage here. Errors also:
  // kInvalidArgument for a type without a dtype, naming it.
  Tensor Get(std::string_view name) const;
  // Positions begin … end - 1 of one dimension; as in slice, negative ones count from the end and
  // those outside are clamped. In place where Get is; else only these elements are read.
  Tensor Slice(std::string_view name, int64_t dim, int64_t begin, int64_t end) const;
  // All of them.
  NamedTensors All() const;

 private:
  class Impl;
  std::shared_ptr<const Impl> impl_;
};

// TensorFile(path, options).All().
SY_API NamedTensors ReadTensors(const std::string& path, const LoadOptions& options = {});

}  // namespace sy

#endif  // SWITCHYARD_IO_TENSOR_FILE_H_
