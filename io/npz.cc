// Reading .npz: a zip archive with a .npy file for each array.
// Source: numpy/lib/_npyio_impl.py.
#include "io/contents.h"
#include "io/zip.h"

namespace sy::io {
namespace {

constexpr std::string_view kExtension = ".npy";
// A header is at most this long, all in all: ParseNpyHeader refuses longer ones.
constexpr uint64_t kMostStart = 1 << 14;

}  // namespace

Contents ParseNpz(std::string_view file, const ZipIndex& zip, const LoadOptions& options) {
  Contents c;
  c.format = FileFormat::kNpz;
  for (const ZipIndex::Entry& e : zip.entries()) {
    if (!e.name.ends_with(kExtension))
      Refuse({"the archive holds '", e.name, "', which is no .npy file"});
    try {
      Source s = e.source;
      TensorInfo t = ParseNpyHeader(EntryStart(file, s, kMostStart), options, &s);
      t.name = e.name.substr(0, e.name.size() - kExtension.size());
      c.sources.push_back(s);
      c.Add(std::move(t), c.sources.size() - 1);
    } catch (const Error& error) {
      Fail(error.code(), Join({"entry '", e.name, "': ", error.message()}));
    }
  }
  return c;
}

}  // namespace sy::io
