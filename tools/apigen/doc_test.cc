#include "tools/apigen/doc.h"

#include <gtest/gtest.h>

#include <fstream>

#include "switchyard/core/error.h"

namespace sy::apigen {
namespace {

Doc Read(const std::string& text) {
  const std::string path = testing::TempDir() + "/op.cc";
  std::ofstream(path) << text;
  return ReadDoc(path);
}

TEST(Doc, ACommentIsSplitIntoItsParts) {
  const Doc doc = Read(
      "// Adds b\n// to a.\n//   a, b: [n]   →   [n]\n// Wraps around.\n// Errors: kOutOfRange "
      "for\n"
      "// n.\n// Example: sy::add(a, b)\n// Source: ATen add.\n#include <x>\n// not part of it\n");
  EXPECT_EQ(doc.text, "Adds b to a. Wraps around.");
  EXPECT_EQ(doc.shapes, std::vector<std::string>{"a, b: [n]   →   [n]"});
  EXPECT_EQ(doc.errors, "kOutOfRange for n.");
  EXPECT_EQ(doc.example, "sy::add(a, b)");
  EXPECT_EQ(doc.source, "ATen add.");
}

TEST(Doc, ACommentWithoutExampleIsAnError) {
  EXPECT_THROW(Read("// Adds.\n// Source: ATen add.\n"), Error);
}

TEST(Doc, AFileThatIsNotThereIsAnError) { EXPECT_THROW(ReadDoc("absent.cc"), Error); }

}  // namespace
}  // namespace sy::apigen
