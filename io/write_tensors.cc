#include "switchyard/io/write_tensors.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "io/contents.h"
#include "io/safetensors.h"
#include "io/writers.h"
#include "io/zip.h"
#include "switchyard/core/transfer.h"

namespace sy {
namespace io {

Progress::Progress(const NamedTensors& tensors, const WriteOptions& options) : options_(options) {
  for (const auto& [name, t] : tensors) total_ += t.nbytes();
  Add(0);
}

void Progress::Add(uint64_t bytes) {
  done_ += bytes;
  if (options_.progress) options_.progress(done_, total_);
}

void RequirePlain(const Tensor& t) {
  if (t.is_quantized() || !t.is_strided()) internal::RequireResolved(t, "a file of tensors");
}

void PutTensor(const Tensor& t, bool as_it_lies, Progress& progress, const Sink& write) {
  PutElements(ToHost(t), as_it_lies, [&](const void* p, size_t n) {
    write(p, n);
    progress.Add(n);
  });
}

namespace {

using nlohmann::json;

const SafetensorsType& TypeOf(const std::string& name, const Tensor& t) {
  for (const SafetensorsType& type : kSafetensorsTypes) {
    if (type.dtype == t.dtype()) return type;
  }
  Refuse({"'", name, "': safetensors has no dtype for ", t.dtype()});
}

// As serde_json writes text: the fewest escapes.
std::string Quoted(const std::string& text) {
  try {
    return json(text).dump();
  } catch (const json::exception&) {
    Refuse({"a text is no UTF-8, which JSON needs"});
  }
}

template <class List, class Write>
std::string Listed(const List& list, Write write) {
  std::string text;
  for (const auto& x : list) text += (text.empty() ? "" : ",") + write(x);
  return text;
}

void RequireNames(const NamedTensors& tensors) {
  std::unordered_set<std::string_view> seen;
  for (const auto& [name, t] : tensors) {
    if (!t.defined()) Refuse({"the tensor '", name, "' is undefined"});
    RequirePlain(t);
    if (!seen.insert(name).second) Refuse({"the name '", name, "' stands twice"});
  }
}

}  // namespace

void WriteSafetensors(FileWriter& out, const NamedTensors& tensors, const WriteOptions& options) {
  struct Entry {
    const std::string* name;
    const Tensor* tensor;
    const SafetensorsType* type;
  };
  std::vector<Entry> entries;
  entries.reserve(tensors.size());
  for (const auto& [name, t] : tensors) {
    if (name == "__metadata__") Refuse({"no tensor can be called __metadata__ in safetensors"});
    entries.push_back({&name, &t, &TypeOf(name, t)});
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.type != b.type ? a.type < b.type : *a.name < *b.name;
  });
  std::vector<std::string> fields;
  fields.reserve(entries.size() + 1);
  if (!options.metadata.empty()) {
    fields.push_back(
        "\"__metadata__\":{" +
        Listed(options.metadata,
               [](const auto& m) { return Quoted(m.first) + ":" + Quoted(m.second); }) +
        "}");
  }
  uint64_t at = 0;
  for (const Entry& e : entries) {
    const uint64_t end = at + e.tensor->nbytes();
    fields.push_back(
        Quoted(*e.name) + ":{\"dtype\":\"" + std::string(e.type->name) + "\",\"shape\":[" +
        Listed(e.tensor->sizes(), [](int64_t n) { return std::to_string(n); }) +
        "],\"data_offsets\":[" + std::to_string(at) + "," + std::to_string(end) + "]}");
    at = end;
  }
  std::string header = "{" + Listed(fields, [](const std::string& f) { return f; }) + "}";
  header.resize((header.size() + 7) / 8 * 8, ' ');
  const uint64_t length = header.size();
  std::array<char, kSafetensorsLength> start;
  std::memcpy(start.data(), &length, start.size());
  Progress progress(tensors, options);
  out.Expect(start.size() + length + progress.total());
  out.Write(start.data(), start.size());
  out.Write(header);
  for (const Entry& e : entries) {
    PutTensor(*e.tensor, false, progress, [&](const void* p, size_t n) { out.Write(p, n); });
  }
}

void WriteNpyOrNpz(FileWriter& out, const NamedTensors& tensors, const WriteOptions& options,
                   FileFormat format) {
  Progress progress(tensors, options);
  if (format == FileFormat::kNpy || !options.deflate)
    out.Expect(progress.total() + ArchiveOverhead(tensors.size()));
  if (format == FileFormat::kNpy) {
    if (tensors.size() != 1) Refuse({"a .npy file holds one tensor, not ", tensors.size()});
    const Tensor& t = tensors[0].second;
    out.Write(NpyStart(t));
    return PutTensor(t, IsFortran(t), progress, [&](const void* p, size_t n) { out.Write(p, n); });
  }
  ZipWriter zip(out, options.deflate);
  for (const auto& [name, t] : tensors) {
    if (name.find('\0') != std::string::npos) Refuse({"a name has a zero byte"});
    const std::string start = NpyStart(t);
    zip.Begin(name + ".npy", start.size() + t.nbytes());
    zip.Write(start.data(), start.size());
    PutTensor(t, IsFortran(t), progress, [&](const void* p, size_t n) { zip.Write(p, n); });
    zip.End();
  }
  zip.Finish();
}

}  // namespace io

FileFormat FormatOfName(const std::string& path) {
  struct Ending {
    std::string_view text;
    FileFormat format;
  };
  static constexpr std::array kEndings = {Ending{".safetensors", FileFormat::kSafetensors},
                                          Ending{".npy", FileFormat::kNpy},
                                          Ending{".npz", FileFormat::kNpz},
                                          Ending{".pt", FileFormat::kCheckpoint},
                                          Ending{".pth", FileFormat::kCheckpoint},
                                          Ending{".bin", FileFormat::kCheckpoint},
                                          Ending{".gguf", FileFormat::kGguf}};
  for (const Ending& e : kEndings) {
    if (path.ends_with(e.text)) return e.format;
  }
  Fail(ErrorCode::kInvalidArgument,
       {"'", path, "': its name does not say a format: expected .safetensors, .npy, .npz, .pt, ",
        ".pth or .bin"});
}

void WriteTensors(const std::string& path, const NamedTensors& tensors,
                  const WriteOptions& options) {
  const FileFormat format = options.format ? *options.format : FormatOfName(path);
  io::InFile(path, [&] {
    io::RequireNames(tensors);
    if (!options.metadata.empty() && format != FileFormat::kSafetensors)
      io::Refuse({"metadata has no place in a file of format ", Name(format)});
    io::FileWriter out(path);
    switch (format) {
      case FileFormat::kSafetensors:
        io::WriteSafetensors(out, tensors, options);
        break;
      case FileFormat::kNpy:
      case FileFormat::kNpz:
        io::WriteNpyOrNpz(out, tensors, options, format);
        break;
      case FileFormat::kCheckpoint:
        io::WriteCheckpointOf(out, tensors, options);
        break;
      default:
        io::Refuse({"files of format ", Name(format), " are read and not written"});
    }
    out.Commit();
  });
}

}  // namespace sy
