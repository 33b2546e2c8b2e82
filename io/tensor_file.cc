#include "switchyard/io/tensor_file.h"

#include <algorithm>
#include <unordered_map>

#include "io/checkpoint_contents.h"
#include "io/contents.h"
#include "io/file.h"
#include "io/loader.h"
#include "io/tensor_file_impl.h"
#include "io/zip.h"
#include "switchyard/core/shape.h"

namespace sy {

std::string_view Name(FileFormat format) {
  switch (format) {
    case FileFormat::kSafetensors:
      return "safetensors";
    case FileFormat::kNpy:
      return "npy";
    case FileFormat::kNpz:
      return "npz";
    case FileFormat::kCheckpoint:
      return "checkpoint";
    case FileFormat::kLegacyCheckpoint:
      return "legacy checkpoint";
    case FileFormat::kGguf:
      return "gguf";
  }
  return "";
}

namespace {

std::vector<int> CountUsers(const io::Contents& c) {
  std::vector<int> users(c.sources.size());
  for (const size_t s : c.source_of) ++users[s];
  return users;
}

io::Contents Parse(std::string_view file, const LoadOptions& options) {
  if (io::LooksLikeNpy(file)) return io::ParseNpy(file, options);
  if (io::LooksLikeZip(file)) {
    const io::ZipIndex zip(file);
    const std::string folder = io::CheckpointFolder(zip);
    if (folder.empty()) return io::ParseNpz(file, zip, options);
    return io::NameTensors(io::ReadZipCheckpoint(file, zip, folder));
  }
  if (io::LooksLikeGguf(file)) return io::ParseGguf(file);
  if (io::LooksLikeLegacyCheckpoint(file)) return io::NameTensors(io::ReadLegacyCheckpoint(file));
  // What has no magic of its own: the first of the header's bytes.
  if (file.size() > 8 && file[8] == '{') return io::ParseSafetensors(file);
  io::Refuse({"is no file of tensors that is known: safetensors, npy, npz, checkpoint, gguf"});
}

}  // namespace

TensorFile::Impl::Impl(const std::string& path_of_file, const LoadOptions& options)
    : path(path_of_file) {
  const auto file = std::make_shared<const io::File>(path, options.prefetch);
  io::InFile(path, [&] {
    contents = Parse(file->map()->bytes(), options);
    by_name.reserve(contents.tensors.size());
    for (size_t i = 0; i < contents.tensors.size(); ++i) {
      const std::string& name = contents.tensors[i].name;
      if (!by_name.emplace(name, i).second) io::Refuse({"the name '", name, "' stands twice"});
    }
    std::vector<int> users = CountUsers(contents);
    loader.emplace(file, options, std::move(contents.sources), std::move(users));
  });
}

size_t TensorFile::Impl::At(std::string_view name) const {
  const auto at = by_name.find(name);
  if (at == by_name.end())
    Fail(ErrorCode::kNotFound, {"'", path, "': no tensor is called '", name, "'"});
  return at->second;
}

Tensor TensorFile::Impl::Get(size_t i) const {
  return io::InFile(path, [&] { return loader->Load(contents.tensors[i], contents.source_of[i]); });
}

TensorFile::TensorFile(const std::string& path, const LoadOptions& options)
    : impl_(std::make_shared<const Impl>(path, options)) {}

FileFormat TensorFile::format() const { return impl_->contents.format; }
const std::vector<TensorInfo>& TensorFile::tensors() const { return impl_->contents.tensors; }
const std::vector<std::pair<std::string, std::string>>& TensorFile::metadata() const {
  return impl_->contents.metadata;
}

const TensorInfo* TensorFile::Find(std::string_view name) const {
  const auto at = impl_->by_name.find(name);
  return at == impl_->by_name.end() ? nullptr : &impl_->contents.tensors[at->second];
}

Tensor TensorFile::Get(std::string_view name) const { return impl_->Get(impl_->At(name)); }

Tensor TensorFile::Slice(std::string_view name, int64_t dim, int64_t begin, int64_t end) const {
  const size_t i = impl_->At(name);
  return io::InFile(impl_->path, [&] {
    TensorInfo part = impl_->contents.tensors[i];
    const int64_t rank = static_cast<int64_t>(part.sizes.size());
    if (!part.dtype || rank == 0) {
      io::Refuse(
          {"'", name, "' cannot be sliced: it is ", part.dtype ? "0-dim" : "of type " + part.type});
    }
    const auto d = static_cast<size_t>(WrapDim(dim, rank));
    const int64_t n = part.sizes[d];
    const auto clamp = [n](int64_t p) { return std::clamp<int64_t>(p < 0 ? p + n : p, 0, n); };
    const int64_t first = clamp(begin), last = std::max(first, clamp(end));
    part.sizes[d] = last - first;
    part.bytes = io::BytesOf(name, part.sizes, ItemSize(*part.dtype));
    if (part.bytes != 0) part.offset += first * part.strides[d];
    return impl_->loader->LoadPart(part, impl_->contents.source_of[i]);
  });
}

NamedTensors TensorFile::All() const {
  NamedTensors all;
  all.reserve(tensors().size());
  for (size_t i = 0; i < tensors().size(); ++i) all.emplace_back(tensors()[i].name, impl_->Get(i));
  return all;
}

NamedTensors ReadTensors(const std::string& path, const LoadOptions& options) {
  return TensorFile(path, options).All();
}

}  // namespace sy
