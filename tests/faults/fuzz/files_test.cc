#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "switchyard/core/tensor.h"
#include "switchyard/io/npy.h"
#include "tests/faults/fuzz/fuzz.h"

namespace sy::fuzz {
namespace {

std::string SomeFile() {
  const Tensor t = Tensor::Empty({2, 3}, DType::kFloat32);
  for (int64_t i = 0; i < 6; ++i) t.data<float>()[i] = static_cast<float>(i);
  const std::string path = AsFile("") + ".npy";
  WriteNpy(path, t);
  std::ifstream in(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(in)), {});
  std::remove(path.c_str());
  return bytes;
}

std::string Refusal(const std::string& path) {
  const std::string said = MustKeepTheRules([&] { ReadNpy(path); });
  return said.substr(said.find("': ") + 1);  // behind the path
}

TEST(FilesTest, WhatIsHeldInMemoryReadsAsAFile) {
  const std::string bytes = SomeFile();
  const std::string& path = InMemory(bytes);
  for (const bool copy : {false, true}) {
    const Tensor t = ReadNpy(path, {.copy = copy});
    ASSERT_EQ(t.numel(), 6);
    for (int64_t i = 0; i < 6; ++i) EXPECT_EQ(t.data<float>()[i], static_cast<float>(i));
  }
  EXPECT_EQ(access(path.c_str(), F_OK), -1) << "no such file may be there";
}

TEST(FilesTest, TensorsKeepWhatTheyWereReadFromWhenTheNextOneComes) {
  const std::string bytes = SomeFile();
  const Tensor t = ReadNpy(InMemory(bytes));
  EXPECT_NE(Refusal(InMemory("no file of NumPy's")), "");
  EXPECT_EQ(t.data<float>()[5], 5);
}

TEST(FilesTest, WhatIsWrittenInMemoryIsReadAgain) {
  const std::string bytes = SomeFile(), &path = Written();
  const Tensor t = ReadNpy(InMemory(bytes));
  WriteNpy(path, t);
  const Tensor again = ReadNpy(path);
  WriteNpy(path, t.AsStrided({2}, {1}, 4));
  ASSERT_EQ(again.numel(), 6) << "a file that was replaced";
  EXPECT_EQ(again.data<float>()[5], 5);
  EXPECT_EQ(ReadNpy(path).data<float>()[1], 5);
  EXPECT_EQ(access(path.c_str(), F_OK), -1) << "no such file may be there";
}

TEST(FilesTest, WhatIsCutShortIsRefusedInTheSameWords) {
  const std::string bytes = SomeFile();
  for (const size_t n : {size_t{0}, size_t{5}, bytes.size() / 2, bytes.size() - 1}) {
    const std::string part = bytes.substr(0, n);
    const std::string said = Refusal(InMemory(part));
    EXPECT_NE(said, "") << n;
    EXPECT_EQ(said, Refusal(AsFile(part))) << n;
  }
}

}  // namespace
}  // namespace sy::fuzz
