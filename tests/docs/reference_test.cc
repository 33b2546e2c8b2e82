// The generated operator reference against the registry.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "switchyard/registry/registry.h"

namespace sy {
namespace {

namespace fs = std::filesystem;

const std::string kPages = "docs/operators";

std::string Contents(const fs::path& path) {
  std::ostringstream s;
  s << std::ifstream(path).rdbuf();
  return s.str();
}

TEST(OperatorReference, HoldsEveryRegisteredSchema) {
  std::string pages;
  for (const auto& file : fs::directory_iterator(kPages)) pages += Contents(file.path());
  const auto entries = Registry::Global().Entries();
  EXPECT_FALSE(entries.empty());
  for (const OperatorEntry* op : entries)
    EXPECT_NE(pages.find("\n" + op->schema().str() + "\n"), std::string::npos) << op->name();
}

TEST(OperatorReference, ItsContentsNameEveryPage) {
  const std::string contents = Contents(kPages + "/README.md");
  int pages = 0;
  for (const auto& file : fs::directory_iterator(kPages)) {
    const std::string name = file.path().filename();
    if (name == "README.md") continue;
    EXPECT_NE(contents.find("(" + name + ")"), std::string::npos) << name;
    ++pages;
  }
  EXPECT_GT(pages, 1);
}

TEST(OperatorReference, AnEntryHasExampleShapesAndWhatComputesIt) {
  const std::string page = Contents(kPages + "/index.md");
  const size_t begin = page.find("\n## index_copy\n");
  ASSERT_NE(begin, std::string::npos);
  const std::string entry = page.substr(begin, page.find("\n## ", begin + 1) - begin);
  EXPECT_NE(entry.find("sy::index_copy_(x, 0, index, t);"), std::string::npos) << entry;
  EXPECT_NE(entry.find("index: [k], int64"), std::string::npos) << entry;
  EXPECT_NE(entry.find("cpu: "), std::string::npos) << entry;
}

}  // namespace
}  // namespace sy
