// Options and slices, which are the same for every format.
#include "switchyard/io/tensor_file.h"

#include <sys/stat.h>

#include <cstring>
#include <filesystem>

#include "io/testing.h"
#include "switchyard/core/literal.h"
#include "switchyard/core/testing.h"
#include "switchyard/io/write_tensors.h"

namespace sy::io {
namespace {

std::string Cube() {
  const std::string path = TempFile("cube.safetensors");
  Tensor t = Tensor::Empty({4, 3, 2}, DType::kInt32);
  for (int i = 0; i < 24; ++i) t.data<int32_t>()[i] = i;
  WriteTensors(path, {{"t", t}, {"scalar", tensor({1.0}).AsStrided({}, {})}});
  return path;
}

TEST(TensorFile, SlicesAreViewsOfThePages) {
  const TensorFile f(Cube());
  const Tensor t = f.Get("t");
  const Tensor rows = f.Slice("t", 0, 1, 3);
  EXPECT_EQ(rows.data<int32_t>(), t.data<int32_t>() + 6);
  EXPECT_EQ(Values<int32_t>(f.Slice("t", 2, 1, 2)),
            (std::vector<int32_t>{1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23}));
  EXPECT_EQ(Values<int32_t>(f.Slice("t", -2, -1, 100)),
            (std::vector<int32_t>{4, 5, 10, 11, 16, 17, 22, 23}));
  EXPECT_EQ(Of(f.Slice("t", 1, 2, 1).sizes()), (std::vector<int64_t>{4, 0, 2}));
}

TEST(TensorFile, CopiedSlicesHoldNothingElse) {
  const TensorFile f(Cube(), {.copy = true});
  const Tensor part = f.Slice("t", 1, 0, 2);
  EXPECT_TRUE(part.is_contiguous());
  EXPECT_EQ(part.storage().nbytes(), part.nbytes());
  EXPECT_EQ(Values<int32_t>(part),
            (std::vector<int32_t>{0, 1, 2, 3, 6, 7, 8, 9, 12, 13, 14, 15, 18, 19, 20, 21}));
  EXPECT_EQ(Values<int32_t>(f.Slice("t", 0, 3, 4)), (std::vector<int32_t>{18, 19, 20, 21, 22, 23}));
}

TEST(TensorFile, WhatCannotBeSlicedSaysSo) {
  const TensorFile f(Cube());
  EXPECT_NE(MessageOf([&] { f.Slice("scalar", 0, 0, 1); }).find("0-dim"), std::string::npos);
  EXPECT_NE(MessageOf([&] { f.Slice("t", 3, 0, 1); }).find("out of range"), std::string::npos);
  EXPECT_NE(MessageOf([&] { f.Slice("u", 0, 0, 1); }).find("no tensor is called 'u'"),
            std::string::npos);
}

TEST(TensorFile, ACopyOutlivesWhatIsDoneToTheFile) {
  const std::string path = Cube();
  const Tensor t = TensorFile(path, {.copy = true}).Get("t");
  std::filesystem::resize_file(path, 0);
  EXPECT_EQ(t.at<int32_t>(3, 2, 1), 23);
}

TEST(TensorFile, AFileCutShortAfterItWasOpenedIsAnErrorOfCopies) {
  const std::string path = Cube();
  const TensorFile f(path, {.copy = true});
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 8);
  EXPECT_NE(MessageOf([&] {
              f.Get("t");
              f.Get("scalar");
            }).find("cut short"),
            std::string::npos);
}

TEST(TensorFile, LentStorageIsNotResized) {
  const Tensor t = TensorFile(Cube()).Get("t");
  EXPECT_THROW(t.storage().resize_(1000), Error);
}

TEST(TensorFile, PrefetchChangesNothingButWhen) {
  EXPECT_EQ(TensorFile(Cube(), {.prefetch = true}).Get("t").at<int32_t>(3, 2, 1), 23);
}

TEST(TensorFile, OnMetaNothingIsRead) {
  const TensorFile f(Cube(), {.device = ParseDevice("meta")});
  const Tensor t = f.Get("t");
  EXPECT_EQ(t.device().str(), "meta");
  EXPECT_EQ(Of(t.sizes()), (std::vector<int64_t>{4, 3, 2}));
  EXPECT_EQ(Of(f.Slice("t", 1, 0, 1).sizes()), (std::vector<int64_t>{4, 1, 2}));
}

TEST(WriteTensors, ALinksTargetIsReplacedWithItsRights) {
  namespace fs = std::filesystem;
  const std::string path = Cube(), link = TempFile("link.safetensors");
  fs::remove(link);
  fs::create_symlink(path, link);
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  WriteTensors(link, {{"t", tensor({1.0f})}});
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(TensorFile(path).Get("t").numel(), 1);
  EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

// Their place on the disk is taken beforehand.
TEST(WriteTensors, LargeFilesAreWholeAndHoldNoMoreOfTheDiskThanTheirBytes) {
  Tensor t = Tensor::Empty({700'001}, DType::kInt32);
  for (int i = 0; i < t.numel(); ++i) t.data<int32_t>()[i] = i;
  for (const char* name : {"large.safetensors", "large.npy", "large.npz", "large.pt"}) {
    const std::string path = TempFile(name);
    for (int again = 0; again < 2; ++again) {  // once where nothing is, once over a file
      WriteTensors(path, {{"t", t}});
      struct stat status = {};
      ASSERT_EQ(stat(path.c_str(), &status), 0);
      EXPECT_GT(status.st_size, t.nbytes()) << name;
      EXPECT_LT(status.st_size, t.nbytes() + 4096) << name;
      EXPECT_LE(status.st_blocks * 512, status.st_size + (64 << 10)) << name;
      const NamedTensors read = ReadTensors(path);
      ASSERT_EQ(read.size(), 1u) << name;
      EXPECT_EQ(std::memcmp(read[0].second.data(), t.data(), t.nbytes()), 0) << name;
    }
  }
}

TEST(WriteTensors, WhatIsNoFileIsWrittenToAsItIs) {
  WriteTensors("/dev/null", {{"t", tensor({1.0f})}}, {.format = FileFormat::kSafetensors});
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  EXPECT_NE(MessageOf([] {
              WriteTensors("/nowhere/x.npy", {{"", tensor({1.0f})}});
            }).find("cannot write '/nowhere/x.npy'"),
            std::string::npos);
}

TEST(TensorFile, NamesThatSayNoFormatAreRefused) {
  EXPECT_NE(MessageOf([] { WriteTensors("x.txt", {}); }).find("does not say a format"),
            std::string::npos);
  EXPECT_NE(MessageOf([] { WriteTensors(TempFile("x.gguf"), {}); }).find("read and not written"),
            std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(TempFile("x.gguf")));
}

}  // namespace
}  // namespace sy::io
