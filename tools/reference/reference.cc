// Writes the operator reference: a page for each group of operators and an index.
//
//   reference OUTPUT_DIR
//
// A group is the folder that operators are in, an entry is the file that registers related ones:
// the comment at its top, the schemas, and what computes them in this build. Files are read
// relative to the working directory.

#include <absl/container/btree_map.h>
#include <absl/strings/str_join.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "switchyard/core/error.h"
#include "switchyard/registry/registry.h"
#include "third_party/fmt/format.h"
#include "tools/apigen/doc.h"
#include "tools/listing/kernels.h"

namespace sy {
namespace {

namespace fs = std::filesystem;

struct Entry {
  std::string title;  // the file's name: "index_copy"
  apigen::Doc doc;
  std::vector<const OperatorEntry*> ops;
};
using Groups = absl::btree_map<std::string, std::vector<Entry>>;  // by folder: "arithmetic"

Groups ReadGroups(Registry& registry) {
  absl::btree_map<std::string, std::vector<const OperatorEntry*>> by_file;
  for (const OperatorEntry* op : registry.Entries()) by_file[op->def()->file].push_back(op);
  Groups groups;
  for (auto& [file, ops] : by_file) {
    const fs::path path(file);
    groups[path.parent_path().filename().string()].push_back(
        {path.stem(), apigen::ReadDoc(file), std::move(ops)});
  }
  return groups;
}

std::string FirstSentence(const std::string& text) {
  const size_t end = text.find(". ");
  return text.substr(0, end == text.npos ? text.size() : end + 1);
}

// "cpu: float32 float64; meta: any", or where the one kernel for every device is.
std::string ComputedBy(Registry& registry, const OperatorEntry& op) {
  if (op.kind == Variant::kView || op.kind == Variant::kViewInPlace)
    return "a view, on every device";
  absl::btree_map<std::string, DTypeMask> devices;
  for (const listing::KernelLine& k : listing::KernelsOf(registry, op))
    devices[k.device] |= k.dtypes;
  if (devices.empty()) return "nothing in this build";
  const auto append = [](std::string* out, const auto& of) {
    const auto& [device, dtypes] = of;
    *out += device == "any" ? "other operators, on every device"
                            : fmt::format("{}: {}", device, listing::DTypeList(dtypes));
  };
  return absl::StrJoin(devices, "; ", append);
}

void WriteComputed(std::ostream& out, Registry& registry, const Entry& entry) {
  std::vector<std::pair<std::string, std::string>> lines;  // what computes, operators
  for (const OperatorEntry* op : entry.ops) {
    const std::string by = ComputedBy(registry, *op);
    const std::string name = fmt::format("`{}`", op->name());
    auto found = std::find_if(lines.begin(), lines.end(), [&](auto& l) { return l.first == by; });
    if (found == lines.end()) {
      lines.emplace_back(by, name);
    } else {
      found->second += ", " + name;
    }
  }
  out << "Computed by, with the dtypes that are computed in:\n\n";
  for (const auto& [by, names] : lines)
    out << fmt::format("- {}{}\n", lines.size() == 1 ? "" : names + ": ", by);
}

void WriteEntry(std::ostream& out, Registry& registry, const Entry& entry) {
  const apigen::Doc& doc = entry.doc;
  const auto schema = [](std::string* to, const OperatorEntry* op) { *to += op->schema().str(); };
  out << fmt::format("\n## {}\n\n{}\n\n", entry.title, doc.text);
  if (!doc.shapes.empty())
    out << fmt::format("```text\n{}\n```\n\n", absl::StrJoin(doc.shapes, "\n"));
  if (!doc.errors.empty()) out << fmt::format("Errors: {}\n\n", doc.errors);
  out << fmt::format("```cpp\n{};\n```\n\n```text\n{}\n```\n\n", doc.example,
                     absl::StrJoin(entry.ops, "\n", schema));
  WriteComputed(out, registry, entry);
  out << fmt::format("\nSource: {}\n", doc.source);
}

constexpr const char* kGenerated =
    "\nGenerated from the registered schemas and the comments of the files that register them.\n"
    "Letters in brackets are sizes; `→` stands before the result.\n\n";

void WriteTable(std::ostream& out, const std::string& page, const std::vector<Entry>& entries) {
  out << "| operator | |\n|---|---|\n";
  for (const Entry& e : entries) {
    out << fmt::format("| [{0}]({1}#{0}) | {2} |\n", e.title, page, FirstSentence(e.doc.text));
  }
}

void Close(std::ofstream& out, const std::string& path) {
  out.close();
  if (!out) Fail(ErrorCode::kUnavailable, {"cannot write '", path, "'"});
}

void WritePage(const std::string& path, Registry& registry, const std::string& group,
               const std::vector<Entry>& entries) {
  std::ofstream out(path);
  out << fmt::format("# Operators: {}\n{}", group, kGenerated);
  WriteTable(out, "", entries);
  for (const Entry& e : entries) WriteEntry(out, registry, e);
  Close(out, path);
}

void WriteIndex(const std::string& path, const Groups& groups) {
  std::ofstream out(path);
  out << "# Operators\n" << kGenerated;
  for (const auto& [group, entries] : groups) {
    out << fmt::format("\n## [{0}]({0}.md)\n\n", group);
    WriteTable(out, group + ".md", entries);
  }
  Close(out, path);
}

int Run(const std::string& dir) {
  Registry& registry = Registry::Global();
  const Groups groups = ReadGroups(registry);
  fs::create_directories(dir);
  for (const auto& [group, entries] : groups)
    WritePage(fmt::format("{}/{}.md", dir, group), registry, group, entries);
  WriteIndex(dir + "/README.md", groups);
  for (const std::string& p : registry.Problems()) std::cerr << "reference: " << p << "\n";
  return registry.Problems().empty() ? 0 : 1;
}

}  // namespace
}  // namespace sy

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: reference OUTPUT_DIR\n";
    return 2;
  }
  try {
    return sy::Run(argv[1]);
  } catch (const std::exception& e) {
    std::cerr << "reference: " << e.what() << "\n";
    return 1;
  }
}
