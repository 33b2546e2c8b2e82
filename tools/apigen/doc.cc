#include "tools/apigen/doc.h"

#include <algorithm>
#include <fstream>

#include "switchyard/core/error.h"

namespace sy::apigen {
namespace {

void Append(std::string& to, std::string_view line) {
  if (!to.empty()) to += " ";
  to += line;
}

// Sorts the lines into the parts; a line belongs to the part of the one before unless it opens
// another.
void Split(Doc& doc) {
  std::string* part = &doc.text;
  for (const std::string& line : doc.lines) {
    std::string_view rest = line;
    const auto opens = [&](std::string_view mark, std::string* to) {
      if (!rest.starts_with(mark)) return;
      rest.remove_prefix(mark.size());
      part = to;
    };
    if (line.starts_with("  ")) {
      doc.shapes.push_back(line.substr(2));
      part = &doc.text;
      continue;
    }
    opens("Errors: ", &doc.errors);
    opens("Example: ", &doc.example);
    opens("Source: ", &doc.source);
    Append(*part, rest);
  }
}

}  // namespace

Doc ReadDoc(const std::string& file) {
  Doc doc;
  std::ifstream in(file);
  if (!in) Fail(ErrorCode::kNotFound, {"cannot read '", file, "'"});
  for (std::string line; std::getline(in, line) && line.starts_with("//");)
    doc.lines.push_back(line.substr(std::min<size_t>(line.size(), 3)));
  Split(doc);
  for (const auto& [part, name] :
       {std::pair(&doc.example, "Example: "), {&doc.source, "Source: "}}) {
    if (part->empty()) {
      Fail(ErrorCode::kInvalidArgument,
           {"the comment at the top of ", file, " has no line '", name, "…'"});
    }
  }
  return doc;
}

}  // namespace sy::apigen
