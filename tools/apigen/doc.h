// The documentation of an operator: the comment at the top of the file that registers it.
//
//   Doc doc = ReadDoc("ops/index/index_copy.cc");
//   doc.text      what it does, and remarks
//   doc.shapes    lines that are indented: arguments and results
//
// Owns: its text.
// Threads: any.
// Errors: kNotFound when the file cannot be read, kInvalidArgument when a part is missing.
#ifndef TOOLS_APIGEN_DOC_H_
#define TOOLS_APIGEN_DOC_H_

#include <string>
#include <vector>

namespace sy::apigen {

struct Doc {
  std::vector<std::string> lines;  // the whole comment, without "// "
  std::string text;                // sentences before and after the shapes, joined
  std::vector<std::string> shapes;
  std::string errors, example, source;  // without "Errors: " and so on
};

// file: relative to the working directory.
Doc ReadDoc(const std::string& file);

}  // namespace sy::apigen

#endif  // TOOLS_APIGEN_DOC_H_
