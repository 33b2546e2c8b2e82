// from_file: a file's bytes, mapped; the mapping goes with the last view of the tensor.

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "switchyard/core/checked.h"
#include "switchyard/core/shape.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

// Open while it lives; a mapping needs it no longer.
class File {
 public:
  File(const std::string& name, bool shared)
      : descriptor_(shared ? open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)
                           : open(name.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~File() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  File(const File&) = delete;
  int descriptor() const { return descriptor_; }

 private:
  const int descriptor_;
};

[[noreturn]] void FailFile(Call call, ErrorCode code, const std::string& name,
                           std::string_view what) {
  const std::string why = std::generic_category().message(errno);
  Fail(code, call.op(), {"cannot ", what, " file '", name, "': ", why});
}

// At least that many bytes long. What a shared one lacks is zeros.
void RequireLength(Call call, const File& file, const std::string& name, bool shared,
                   int64_t bytes) {
  struct stat status;
  if (fstat(file.descriptor(), &status) != 0)
    FailFile(call, ErrorCode::kInvalidArgument, name, "look at");
  if (!S_ISREG(status.st_mode)) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"expected '", name, "' to be a regular file, and it is none"});
  }
  if (status.st_size >= bytes) return;
  if (!shared) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"expected file '", name, "' to have at least ", bytes, " bytes, got ",
          static_cast<int64_t>(status.st_size)});
  }
  if (ftruncate(file.descriptor(), bytes) != 0)
    FailFile(call, ErrorCode::kInvalidArgument, name, "lengthen");
}

Tensor Mapped(Call call, std::string_view filename, bool shared, int64_t size, DType dtype) {
  if (size < 0)
    Fail(ErrorCode::kInvalidArgument, call.op(), {"size must be at least 0, got ", size});
  const int64_t bytes =
      CheckedProduct(call, "the size in bytes", size, static_cast<int64_t>(ItemSize(dtype)));
  const std::string name(filename);
  if (name.find('\0') != name.npos)
    Fail(ErrorCode::kInvalidArgument, call.op(), {"filename must not contain a byte of 0"});
  const File file(name, shared);
  if (file.descriptor() < 0) FailFile(call, ErrorCode::kInvalidArgument, name, "open");
  RequireLength(call, file, name, shared, bytes);
  if (bytes == 0) return Tensor::Empty({0}, dtype);
  const auto length = static_cast<size_t>(bytes);
  void* data = mmap(nullptr, length, PROT_READ | PROT_WRITE, shared ? MAP_SHARED : MAP_PRIVATE,
                    file.descriptor(), 0);
  if (data == MAP_FAILED) FailFile(call, ErrorCode::kOutOfMemory, name, "map");
  try {
    return Tensor::FromBlob(data, {size}, dtype, [data, length] { munmap(data, length); });
  } catch (...) {
    munmap(data, length);
    throw;
  }
}

Tensor FromFile(Call call, std::string_view filename, Optional<bool> shared, Optional<int64_t> size,
                Optional<DType> dtype, Optional<Layout> layout, Optional<Device> device,
                Optional<bool> pin_memory) {
  const bool plain = layout.value_or(Layout::kStrided) == Layout::kStrided &&
                     !pin_memory.value_or(false) && (!device || (*device).type == kHost);
  if (!plain) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"expected a strided tensor on cpu, not pinned: files are mapped for the host"});
  }
  return Mapped(call, filename, shared.value_or(false), size.value_or(0),
                dtype.value_or(DefaultDType()));
}
void FromFileOut(Call call, std::string_view filename, Optional<bool> shared,
                 Optional<int64_t> size, const Tensor& out) {
  const Tensor t = Mapped(call, filename, shared.value_or(false), size.value_or(0), out.dtype());
  copy_(SameSizes(out.sizes(), t.sizes()) ? out : resize_(out, t.sizes()), t);
}
const Composite from_file_body{"from_file", FromFile};
const Composite from_file_out_body{"from_file.out", FromFileOut};

}  // namespace
}  // namespace sy
