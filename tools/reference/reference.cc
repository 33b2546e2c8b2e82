// Writes the operator reference: a page for each group of operators and an index.
//
//   reference OUTPUT_DIR
//
// A group is the folder that operators are in, an entry is the file that registers related ones:
// the comment at its top, the schemas, and what computes them in this build. Files are read
// relative to the working directory.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "switchyard/core/error.h"
#include "switchyard/registry/registry.h"
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
using Groups = std::map<std::string, std::vector<Entry>>;  // by folder: "pointwise"

Groups ReadGroups(Registry& registry) {
  std::map<std::string, std::vector<const OperatorEntry*>> by_file;
  for (const OperatorEntry* op : registry.Entries()) by_file[op->def()->file].push_back(op);
  Groups groups;
  for (auto& [file, ops] : by_file) {
    const fs::path path(file);
    groups[path.parent_path().filename()].push_back(
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
  if (op.kind == FormKind::kView || op.kind == FormKind::kViewInPlace)
    return "a view, on every device";
  std::map<std::string, DTypeMask> devices;
  for (const listing::KernelLine& k : listing::KernelsOf(registry, op))
    devices[k.device] |= k.dtypes;
  std::string s;
  for (const auto& [device, dtypes] : devices) {
    s += s.empty() ? "" : "; ";
    s += device == "any" ? "other operators, on every device"
                         : device + ": " + listing::DTypeList(dtypes);
  }
  return s.empty() ? "nothing in this build" : s;
}

void WriteComputed(std::ostream& out, Registry& registry, const Entry& entry) {
  std::vector<std::pair<std::string, std::string>> lines;  // what computes, operators
  for (const OperatorEntry* op : entry.ops) {
    const std::string by = ComputedBy(registry, *op);
    const std::string name = "`" + std::string(op->name()) + "`";
    auto found = std::find_if(lines.begin(), lines.end(), [&](auto& l) { return l.first == by; });
    if (found == lines.end()) {
      lines.emplace_back(by, name);
    } else {
      found->second += ", " + name;
    }
  }
  out << "Computed by, with the dtypes that are computed in:\n\n";
  for (const auto& [by, names] : lines)
    out << "- " << (lines.size() == 1 ? "" : names + ": ") << by << "\n";
}

void WriteEntry(std::ostream& out, Registry& registry, const Entry& entry) {
  const apigen::Doc& doc = entry.doc;
  out << "\n## " << entry.title << "\n\n" << doc.text << "\n\n";
  if (!doc.shapes.empty()) {
    out << "```text\n";
    for (const std::string& line : doc.shapes) out << line << "\n";
    out << "```\n\n";
  }
  if (!doc.errors.empty()) out << "Errors: " << doc.errors << "\n\n";
  out << "```cpp\n" << doc.example << ";\n```\n\n```text\n";
  for (const OperatorEntry* op : entry.ops) out << op->schema().str() << "\n";
  out << "```\n\n";
  WriteComputed(out, registry, entry);
  out << "\nSource: " << doc.source << "\n";
}

constexpr const char* kGenerated =
    "\nGenerated from the registered schemas and the comments of the files that register them.\n"
    "Letters in brackets are sizes; `→` stands before the result.\n\n";

void WriteTable(std::ostream& out, const std::string& page, const std::vector<Entry>& entries) {
  out << "| operator | |\n|---|---|\n";
  for (const Entry& e : entries) {
    out << "| [" << e.title << "](" << page << "#" << e.title << ") | " << FirstSentence(e.doc.text)
        << " |\n";
  }
}

void Close(std::ofstream& out, const std::string& path) {
  out.close();
  if (!out) Fail(ErrorCode::kUnavailable, {"cannot write '", path, "'"});
}

void WritePage(const std::string& path, Registry& registry, const std::string& group,
               const std::vector<Entry>& entries) {
  std::ofstream out(path);
  out << "# Operators: " << group << "\n" << kGenerated;
  WriteTable(out, "", entries);
  for (const Entry& e : entries) WriteEntry(out, registry, e);
  Close(out, path);
}

void WriteIndex(const std::string& path, const Groups& groups) {
  std::ofstream out(path);
  out << "# Operators\n" << kGenerated;
  for (const auto& [group, entries] : groups) {
    out << "\n## [" << group << "](" << group << ".md)\n\n";
    WriteTable(out, group + ".md", entries);
  }
  Close(out, path);
}

int Run(const std::string& dir) {
  Registry& registry = Registry::Global();
  const Groups groups = ReadGroups(registry);
  fs::create_directories(dir);
  for (const auto& [group, entries] : groups)
    WritePage(dir + "/" + group + ".md", registry, group, entries);
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
