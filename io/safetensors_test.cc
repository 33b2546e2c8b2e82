#include <algorithm>
#include <cstring>
#include <filesystem>

#include "io/testing.h"
#include "switchyard/core/literal.h"
#include "switchyard/core/testing.h"
#include "switchyard/io/tensor_file.h"
#include "switchyard/io/write_tensors.h"

namespace sy::io {
namespace {

TEST(Safetensors, EveryTensorOfTheOfficialWriterReads) {
  const TensorFile f(Recorded("official.safetensors"));
  EXPECT_EQ(f.format(), FileFormat::kSafetensors);
  ASSERT_EQ(f.metadata().size(), 1u);
  EXPECT_EQ(f.metadata()[0], (std::pair<std::string, std::string>("format", "pt")));
  EXPECT_EQ(f.tensors().size(), 34u);
  EXPECT_EQ(f.Get("\"\\\n\x01\x7f/é\xe2\x80\xa8").at<uint8_t>(), 7);
  EXPECT_EQ(Of(f.Get("empty").sizes()), (std::vector<int64_t>{0, 3}));
  for (const TensorInfo& t : f.tensors()) {
    if (t.name.find('_') == std::string::npos) continue;
    EXPECT_EQ(f.Get(t.name).dtype(), FindDType(t.name.substr(2))) << t.name;
  }
  EXPECT_EQ(Values<uint32_t>(f.Get("a_uint32")), std::vector<uint32_t>(2, 0));
}

TEST(Safetensors, WhatIsWrittenIsTheOfficialWritersToTheByte) {
  const TensorFile f(Recorded("official.safetensors"));
  // From another order: the writer sorts.
  NamedTensors all = f.All();
  std::reverse(all.begin(), all.end());
  const std::string path = TempFile("mine.safetensors");
  WriteTensors(path, all, {.metadata = {{"format", "pt"}}});
  EXPECT_EQ(BytesOfFile(path), BytesOfFile(Recorded("official.safetensors")));
  WriteTensors(path, {});
  EXPECT_EQ(BytesOfFile(path), BytesOfFile(Recorded("official_bare.safetensors")));
}

TEST(Safetensors, TensorsAreTheFilesPagesAndStayThatWayWhenTheFileIsClosed) {
  Tensor t;
  {
    const TensorFile f(Recorded("official.safetensors"));
    t = f.Get("a_float64");
    EXPECT_EQ(t.data(), f.Get("a_float64").data());
  }
  EXPECT_EQ(t.numel(), 2);
  const double before = t.at<double>(0);
  t.at<double>(0) = 5;  // of this process
  EXPECT_EQ(TensorFile(Recorded("official.safetensors")).Get("a_float64").at<double>(0), before);
}

TEST(Safetensors, AnAddressThatSuitsNoFloatIsCopied) {
  const TensorFile f(Recorded("unaligned.safetensors"));
  EXPECT_EQ(f.Get("b").at<float>(0), 1.0f);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(f.Get("b").data()) % 4, 0u);
}

TEST(Safetensors, ATypeWithoutADTypeIsRefusedByNameOrReadAsBytes) {
  const TensorFile f(Recorded("f4.safetensors"));
  EXPECT_FALSE(f.Find("a")->dtype);
  EXPECT_NE(MessageOf([&] { f.Get("a"); }).find("'a' is of type F4"), std::string::npos);
  EXPECT_EQ(f.Get("b").dtype(), DType::kFloat32);
  const Tensor raw = TensorFile(Recorded("f4.safetensors"), {.raw = true}).Get("a");
  EXPECT_EQ(raw.dtype(), DType::kUInt8);
  EXPECT_EQ(raw.numel(), 4);
}

TEST(Safetensors, ATensorIsWrittenOntoTheFileThatItIsMappedFrom) {
  const std::string path = TempFile("self.safetensors");
  WriteTensors(path, {{"a", tensor({1.0f, 2.0f})}, {"b", tensor({3, 4}, DType::kInt64)}});
  const NamedTensors all = ReadTensors(path);
  WriteTensors(path, {{"b", all[0].second}});  // I64 stands first
  EXPECT_EQ(Values<float>(all[1].second), (std::vector<float>{1, 2}));
  EXPECT_EQ(Values<int64_t>(TensorFile(path).Get("b")), (std::vector<int64_t>{3, 4}));
}

TEST(Safetensors, WhatFailsLeavesTheFileAndNothingBesideIt) {
  const std::string folder = TempFile("whole");
  std::filesystem::create_directory(folder);
  const std::string path = folder + "/x.safetensors";
  WriteTensors(path, {{"a", tensor({1.0f})}});
  const std::string before = BytesOfFile(path);
  EXPECT_NE(MessageOf([&] {
              WriteTensors(path, {{"a", tensor({1.0f})}, {"a", tensor({1.0f})}});
            }).find("'a' stands twice"),
            std::string::npos);
  EXPECT_NE(MessageOf([&] {
              WriteTensors(path, {{"z", tensor({1.0}, DType::kComplex128)}});
            }).find("'z': safetensors has no dtype for complex128"),
            std::string::npos);
  const WriteOptions stops = {
      .progress = [](uint64_t, uint64_t) { Fail(ErrorCode::kUnavailable, "stopped"); }};
  EXPECT_NE(MessageOf([&] {
              WriteTensors(path, {{"a", tensor({2.0f})}}, stops);
            }).find("stopped"),
            std::string::npos);
  EXPECT_EQ(BytesOfFile(path), before);
  int files = 0;
  for ([[maybe_unused]] const auto& e : std::filesystem::directory_iterator(folder)) ++files;
  EXPECT_EQ(files, 1);
}

TEST(Safetensors, StridedTensorsAreWrittenRowByRow) {
  const Tensor t = tensor({{1, 2, 3}, {4, 5, 6}}, DType::kInt32);
  const std::string path = TempFile("rows.safetensors");
  WriteTensors(path, {{"t", t.AsStrided({3, 2}, {1, 3})}, {"e", t.AsStrided({2, 2}, {0, 1})}});
  EXPECT_EQ(Values<int32_t>(TensorFile(path).Get("t")), (std::vector<int32_t>{1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(Values<int32_t>(TensorFile(path).Get("e")), (std::vector<int32_t>{1, 2, 1, 2}));
}

TEST(Safetensors, ProgressCountsBytesUpToAll) {
  std::vector<std::pair<uint64_t, uint64_t>> told;
  const Tensor big = Tensor::Empty({5 << 20}, DType::kFloat32);  // 20 MB: three pieces
  std::memset(big.data(), 0, big.nbytes());
  WriteTensors(
      TempFile("big.safetensors"), {{"big", big}},
      {.progress = [&](uint64_t done, uint64_t total) { told.emplace_back(done, total); }});
  ASSERT_EQ(told.size(), 4u);
  EXPECT_EQ(told.front(), (std::pair<uint64_t, uint64_t>(0, 20 << 20)));
  EXPECT_EQ(told.back(), (std::pair<uint64_t, uint64_t>(20 << 20, 20 << 20)));
}

}  // namespace
}  // namespace sy::io
