#include "switchyard/io/npy.h"

#include "io/contents.h"
#include "io/elements.h"
#include "io/file.h"
#include "io/loader.h"
#include "io/npy_header.h"
#include "switchyard/io/write_tensors.h"

namespace sy {
namespace io {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr size_t kAlignment = 64;  // where the data begins, as NumPy writes it
// NumPy's own limit (max_header_size), in bytes. Plain dtypes stay far below.
constexpr size_t kMostHeader = 10'000;

}  // namespace

TensorInfo ParseNpyHeader(std::string_view start, const LoadOptions& options, Source* source) {
  if (!start.starts_with(kMagic) || start.size() < kMagic.size() + 2) Refuse({"is no .npy file"});
  const int major = static_cast<unsigned char>(start[kMagic.size()]);
  if (major < 1 || major > 3) Refuse({"has format version ", major, ", expected 1 to 3"});
  const size_t count = major == 1 ? 2 : 4, before = kMagic.size() + 2 + count;
  if (start.size() < before) Refuse({"is cut short in its header"});
  size_t length = 0;
  for (size_t i = before; i-- > before - count;)
    length = length << 8 | static_cast<unsigned char>(start[i]);
  if (length > kMostHeader)
    Refuse({"a header of ", length, " bytes, at most ", kMostHeader, " are expected"});
  if (length > start.size() - before) Refuse({"is cut short in its header"});
  const npy::Header h = npy::ParseHeader(start.substr(before, length));

  TensorInfo t;
  t.type = h.descr;
  t.dtype = h.dtype;
  if (!h.dtype) {
    if (!options.opaque_dtype ||
        static_cast<int64_t>(ItemSize(*options.opaque_dtype)) != h.opaque_bytes) {
      Refuse({"there is no dtype for NumPy's '", h.descr,
              "', elements without a meaning; the option opaque_dtype gives them one of ",
              h.opaque_bytes, " bytes"});
    }
    t.dtype = options.opaque_dtype;
  }
  t.sizes = h.shape;
  t.bytes = BytesOf("data", t.sizes, ItemSize(*t.dtype));
  t.strides = h.fortran_order ? FortranStridesOf(t.sizes) : StridesOf(t.sizes);
  source->skip = before + length;
  source->swap = h.swap;
  if (t.bytes != source->size()) {
    Refuse({"sizes ", IntSpan(t.sizes), " of ", *t.dtype, " need ", t.bytes, " bytes, ",
            source->size(), " are there"});
  }
  return t;
}

Contents ParseNpy(std::string_view file, const LoadOptions& options) {
  Contents c;
  c.format = FileFormat::kNpy;
  Source s{.stored = file.size(), .bytes = file.size()};
  TensorInfo t = ParseNpyHeader(file, options, &s);
  c.sources.push_back(s);
  c.Add(std::move(t), 0);
  return c;
}

bool LooksLikeNpy(std::string_view file) { return file.starts_with(kMagic); }

// Magic, version, length and text of the header, padded so that the data is aligned.
std::string NpyStart(const Tensor& t) {
  npy::Header header;
  header.dtype = t.dtype();
  header.shape.assign(t.sizes().begin(), t.sizes().end());
  header.fortran_order = IsFortran(t);
  std::string text = npy::FormatHeader(header);
  // 1.0 counts the header in 2 bytes; 64 dimensions fit.
  const size_t before = kMagic.size() + 4;
  const size_t end = (before + text.size() + kAlignment) / kAlignment * kAlignment;
  const size_t length = end - before;
  text.resize(length - 1, ' ');
  text += '\n';
  std::string start(kMagic);
  start += {'\1', '\0', static_cast<char>(length & 0xff), static_cast<char>(length >> 8)};
  return start + text;
}

}  // namespace io

Tensor ReadNpy(const std::string& path, const LoadOptions& options) {
  const auto file = std::make_shared<const io::File>(path, options.prefetch);
  return io::InFile(path, [&] {
    const io::Contents c = io::ParseNpy(file->map()->bytes(), options);
    return io::Loader(file, options, c.sources, {1}).Load(c.tensors[0], 0);
  });
}

void WriteNpy(const std::string& path, const Tensor& t) {
  WriteTensors(path, {{"", t}}, {.format = FileFormat::kNpy});
}

}  // namespace sy
