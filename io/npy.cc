#include "switchyard/io/npy.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "io/header.h"
#include "switchyard/core/checked.h"
#include "switchyard/core/shape.h"
#include "switchyard/core/transfer.h"

namespace sy {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr size_t kAlignment = 64;  // where the data begins, as NumPy writes it

// What is wrong inside a file is said with its name.
template <class F>
auto InFile(const std::string& path, F f) {
  try {
    return f();
  } catch (const Error& e) {
    Fail(e.code(), Join({"'", path, "': ", e.message()}));
  }
}

class Reader {
 public:
  explicit Reader(const std::string& path) : path_(path), in_(path, std::ios::binary) {
    if (!in_) Fail(ErrorCode::kNotFound, {"cannot open '", path, "'"});
    in_.seekg(0, std::ios::end);
    const std::streamoff end = in_.tellg();
    in_.seekg(0);
    // Of a folder some systems say that it ends where numbers do.
    if (!in_ || end < 0 || std::filesystem::is_directory(path_))
      Fail(ErrorCode::kInvalidArgument, {"'", path_, "' is no file of a size"});
    left_ = static_cast<size_t>(end);
  }

  void Read(void* to, size_t bytes) {
    if (bytes > left_) {
      Fail(ErrorCode::kInvalidArgument,
           {"'", path_, "' is cut short: ", bytes, " more bytes expected, ", left_, " are there"});
    }
    in_.read(static_cast<char*>(to), static_cast<std::streamsize>(bytes));
    if (!in_) Fail(ErrorCode::kInvalidArgument, {"'", path_, "' cannot be read"});
    left_ -= bytes;
  }

  npy::Header ReadHeader() {
    std::array<char, 8> start = {};  // magic, major and minor version
    if (left_ >= start.size()) Read(start.data(), start.size());
    if (!std::string_view(start.data(), start.size()).starts_with(kMagic))
      Fail(ErrorCode::kInvalidArgument, {"'", path_, "' is no .npy file"});
    const int major = static_cast<unsigned char>(start[6]);
    if (major < 1 || major > 3) {
      Fail(ErrorCode::kInvalidArgument,
           {"'", path_, "' has format version ", major, ", expected 1 to 3"});
    }
    std::array<unsigned char, 4> length = {};
    Read(length.data(), major == 1 ? 2 : 4);
    size_t n = 0;
    for (size_t i = length.size(); i-- > 0;) n = n << 8 | length[i];
    std::string text(std::min(n, left_ + 1), ' ');
    Read(text.data(), text.size());
    return InFile(path_, [&] { return npy::ParseHeader(text); });
  }

  size_t left() const { return left_; }

 private:
  const std::string& path_;
  std::ifstream in_;
  size_t left_;
};

// Column-major: the first dimension is innermost.
std::vector<int64_t> FortranStrides(IntSpan sizes) {
  std::vector<int64_t> strides;
  int64_t stride = 1;
  for (int64_t n : sizes) {
    strides.push_back(stride);
    stride *= std::max<int64_t>(n, 1);
  }
  return strides;
}

bool IsFortran(const Tensor& t) {
  int64_t expected = 1;
  for (size_t i = 0; i < t.sizes().size(); ++i) {
    if (t.sizes()[i] != 1 && t.strides()[i] != expected) return false;
    expected *= t.sizes()[i];
  }
  return !t.is_contiguous();
}

// The elements in row-major order, or as they lie where order does not matter.
std::vector<char> Bytes(const Tensor& host, bool as_it_lies) {
  const char* p = static_cast<const char*>(host.data());
  if (as_it_lies) return {p, p + host.nbytes()};
  std::vector<char> bytes;
  bytes.reserve(host.nbytes());
  const auto append = [&](auto& self, int64_t dim, int64_t offset) -> void {
    if (dim == host.dim()) {
      const char* element = p + offset * static_cast<int64_t>(host.itemsize());
      bytes.insert(bytes.end(), element, element + host.itemsize());
      return;
    }
    for (int64_t i = 0; i < host.sizes()[dim]; ++i)
      self(self, dim + 1, offset + i * host.strides()[dim]);
  };
  append(append, 0, 0);
  return bytes;
}

// Magic, version, length and text of the header, padded so that the data is aligned.
std::string FileStart(const npy::Header& header) {
  std::string text = npy::FormatHeader(header);
  // 1.0 counts the header in 2 bytes, 2.0 in 4.
  for (const size_t count : {size_t{2}, size_t{4}}) {
    const size_t before = kMagic.size() + 2 + count;
    const size_t end = (before + text.size() + kAlignment) / kAlignment * kAlignment;
    const size_t length = end - before;
    if (count == 2 && length > 0xffff) continue;
    text.resize(length - 1, ' ');
    text += '\n';
    std::string start(kMagic);
    start += count == 2 ? '\1' : '\2';
    start += '\0';
    for (size_t i = 0; i < count; ++i) start += static_cast<char>(length >> 8 * i & 0xff);
    return start + text;
  }
  Fail(ErrorCode::kInternal, "a .npy header of more than 4 GB");
}

}  // namespace

Tensor ReadNpy(const std::string& path) {
  Reader reader(path);
  const npy::Header h = reader.ReadHeader();
  return InFile(path, [&] {
    const auto bytes = static_cast<size_t>(CheckedProduct(
        "npy", "the data in bytes", NumElements(h.shape), static_cast<int64_t>(ItemSize(h.dtype))));
    if (bytes > reader.left()) {
      Fail(ErrorCode::kInvalidArgument, {"sizes ", IntSpan(h.shape), " of ", h.dtype, " need ",
                                         bytes, " bytes, ", reader.left(), " are there"});
    }
    Tensor t = h.fortran_order ? Tensor::EmptyStrided(h.shape, FortranStrides(h.shape), h.dtype)
                               : Tensor::Empty(IntSpan(h.shape), h.dtype);
    if (bytes != 0) reader.Read(t.data(), bytes);
    return t;
  });
}

void WriteNpy(const std::string& path, const Tensor& t) {
  if (!t.defined()) Fail(ErrorCode::kInvalidArgument, {"'", path, "': the tensor is undefined"});
  npy::Header h;
  h.dtype = t.dtype();
  h.shape.assign(t.sizes().begin(), t.sizes().end());
  h.fortran_order = IsFortran(t);
  const std::string start = InFile(path, [&] { return FileStart(h); });
  const Tensor host = ToHost(t);
  const std::vector<char> bytes = Bytes(host, host.is_contiguous() || h.fortran_order);
  std::ofstream out(path, std::ios::binary);
  out.write(start.data(), static_cast<std::streamsize>(start.size()));
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (!out) Fail(ErrorCode::kUnavailable, {"cannot write '", path, "'"});
}

}  // namespace sy
