// switchyard show FILE, switchyard convert IN OUT.

#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "switchyard/core/error.h"
#include "switchyard/io/tensor_file.h"
#include "switchyard/io/write_tensors.h"
#include "third_party/fmt/format.h"
#include "tools/command/commands.h"
#include "tools/command/progress.h"

namespace sy::command {
namespace {

struct ShowOptions {
  std::string file;
  bool json = false;
  bool verify = false;
};

std::string SizesText(const TensorInfo& t) { return Join({IntSpan(t.sizes)}); }

std::string TypeText(const TensorInfo& t) { return t.dtype ? std::string(Name(*t.dtype)) : t.type; }

uint64_t TotalBytes(const TensorFile& file) {
  uint64_t total = 0;
  for (const TensorInfo& t : file.tensors()) total += t.bytes;
  return total;
}

// Touches every byte, by which checksums are compared.
void Verify(const TensorFile& file, const std::string& path) {
  ProgressBar bar("reading " + path);
  const uint64_t total = TotalBytes(file);
  uint64_t done = 0;
  for (const TensorInfo& t : file.tensors()) {
    file.Get(t.name);
    bar.Show(done += t.bytes, total);
  }
}

// One line, of what may be anybody's text: without control characters, and not too long. UTF-8 has
// some of two bytes, C2 80 to C2 9F, which terminals obey as well.
std::string Printable(const std::string& text) {
  constexpr size_t kMost = 200;
  size_t n = std::min(text.size(), kMost);
  // Not inside a character.
  while (n > 0 && n < text.size() && (static_cast<unsigned char>(text[n]) & 0xc0) == 0x80) --n;
  std::string line;
  bool pair = false;
  for (size_t i = 0; i < n; ++i) {
    const auto u = static_cast<unsigned char>(text[i]);
    const bool second = pair;
    pair = u == 0xc2 && i + 1 < n && static_cast<unsigned char>(text[i + 1]) < 0xa0;
    line += u < 0x20 || u == 0x7f || pair || second ? fmt::format("\\x{:02x}", u)
                                                    : std::string(1, text[i]);
  }
  return line + (n < text.size() ? "…" : "");
}

void PrintTable(const TensorFile& file) {
  size_t name = 4, type = 5, sizes = 5;  // widths of the columns
  for (const TensorInfo& t : file.tensors()) {
    name = std::max(name, Printable(t.name).size());
    type = std::max(type, TypeText(t).size());
    sizes = std::max(sizes, SizesText(t).size());
  }
  uint64_t elements = 0;
  for (const TensorInfo& t : file.tensors()) {
    uint64_t n = 1;
    for (const int64_t s : t.sizes) n *= static_cast<uint64_t>(s);
    elements += n;
    std::cout << fmt::format("{:<{}}  {:<{}}  {:<{}}  {}\n", Printable(t.name), name, TypeText(t),
                             type, SizesText(t), sizes, BytesText(t.bytes));
  }
  for (const auto& [key, value] : file.metadata())
    std::cout << fmt::format("{} = {}\n", Printable(key), Printable(value));
  std::cout << fmt::format("{}: {} {}, {} elements, {}\n", Name(file.format()),
                           file.tensors().size(), file.tensors().size() == 1 ? "tensor" : "tensors",
                           elements, BytesText(TotalBytes(file)));
}

void PrintJson(const TensorFile& file) {
  nlohmann::ordered_json tensors = nlohmann::ordered_json::array();
  for (const TensorInfo& t : file.tensors()) {
    nlohmann::ordered_json one = {{"name", t.name}, {"type", t.type}, {"sizes", t.sizes}};
    one["dtype"] = t.dtype ? nlohmann::ordered_json(Name(*t.dtype)) : nlohmann::ordered_json();
    one["strides"] = t.strides;
    one["bytes"] = t.bytes;
    tensors.push_back(std::move(one));
  }
  nlohmann::ordered_json metadata = nlohmann::ordered_json::array();
  for (const auto& [key, value] : file.metadata())
    metadata.push_back({{"key", key}, {"value", value}});
  const nlohmann::ordered_json all = {
      {"format", Name(file.format())}, {"tensors", tensors}, {"metadata", metadata}};
  std::cout << all.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
}

void Show(const ShowOptions& o) {
  const TensorFile file(o.file, {.verify = o.verify, .raw = true});
  if (o.verify) Verify(file, o.file);
  o.json ? PrintJson(file) : PrintTable(file);
}

struct ConvertOptions {
  std::string from, to, name;
  bool deflate = false;
};

void Convert(const ConvertOptions& o) {
  const FileFormat format = FormatOfName(o.to);
  const TensorFile file(o.from);
  WriteOptions options = {.format = format, .deflate = o.deflate};
  NamedTensors tensors;
  if (!o.name.empty()) {
    tensors.emplace_back(o.name, file.Get(o.name));
  } else {
    ProgressBar bar("reading " + o.from);
    const uint64_t total = TotalBytes(file);
    uint64_t done = 0;
    tensors.reserve(file.tensors().size());
    for (const TensorInfo& t : file.tensors()) {
      tensors.emplace_back(t.name, file.Get(t.name));
      bar.Show(done += t.bytes, total);
    }
  }
  // The array in an .npy has no name, and elsewhere needs one: the file's.
  if (file.format() == FileFormat::kNpy && format != FileFormat::kNpy) {
    const std::string base = o.from.substr(o.from.rfind('/') + 1);
    tensors[0].first = base.substr(0, base.rfind('.'));
  }
  // Texts go with the tensors where both formats have them.
  const bool keeps = format == FileFormat::kSafetensors && file.format() == format;
  if (keeps) options.metadata = file.metadata();
  ProgressBar bar("writing " + o.to);
  options.progress = [&](uint64_t done, uint64_t total) { bar.Show(done, total); };
  WriteTensors(o.to, tensors, options);
  if (const size_t left = keeps ? 0 : file.metadata().size(); left != 0) {
    std::cerr << fmt::format("switchyard: {} {} of {} that are no tensors have no place in {}\n",
                             left, left == 1 ? "value" : "values", o.from, o.to);
  }
}

}  // namespace

void AddFiles(CLI::App& app) {
  auto show = std::make_shared<ShowOptions>();
  CLI::App* s =
      app.add_subcommand("show", "List the tensors of a file, reading none of their data");
  s->add_option("file", show->file,
                "safetensors, .npy, .npz, PyTorch's checkpoints, GGUF: its bytes say which")
      ->required();
  s->add_flag("--json", show->json, "As JSON");
  s->add_flag("--verify", show->verify,
              "Read everything, and compare checksums where there are any");
  s->callback([show] { Show(*show); });

  auto convert = std::make_shared<ConvertOptions>();
  CLI::App* c = app.add_subcommand("convert", "Write the tensors of a file in another format");
  c->add_option("in", convert->from, "Any file that show knows")->required();
  c->add_option("out", convert->to,
                "Its ending says how: .safetensors, .npy, .npz, .pt, .pth, .bin")
      ->required();
  c->add_option("--tensor", convert->name, "This one alone");
  c->add_flag("--deflate", convert->deflate, "Compress the entries of an .npz");
  c->callback([convert] { Convert(*convert); });
}

}  // namespace sy::command
