#include <map>

#include "io/testing.h"
#include "switchyard/core/testing.h"
#include "switchyard/io/tensor_file.h"

namespace sy::io {
namespace {

TEST(Gguf, TensorsAndKeysOfTheOfficialWriterRead) {
  const TensorFile f(Recorded("model.gguf"));
  EXPECT_EQ(f.format(), FileFormat::kGguf);
  std::map<std::string, std::string> keys(f.metadata().begin(), f.metadata().end());
  EXPECT_EQ(keys["general.architecture"], "toy");
  EXPECT_EQ(keys["toy.block_count"], "2");
  EXPECT_EQ(keys["toy.epsilon"], "0.5");
  EXPECT_EQ(keys["toy.tied"], "true");
  EXPECT_EQ(keys["tokenizer.ggml.tokens"], "3 entries: <s>, a, b");
  EXPECT_EQ(keys["toy.sizes"], "10 entries: 1, 2, 3, 4, 5, 6, 7, 8, …");
  EXPECT_EQ(Of(f.Get("f32").sizes()), (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(Values<float>(f.Get("f32")), (std::vector<float>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(f.Get("f32").data(), f.Get("f32").data());
  EXPECT_EQ(static_cast<float>(f.Get("f16").at<Half>(1)), 2.5f);
  EXPECT_EQ(Values<int8_t>(f.Get("i8")), (std::vector<int8_t>{-1, 2}));
}

TEST(Gguf, QuantisedBlocksAreRefusedByNameOrReadAsBytes) {
  const TensorFile f(Recorded("model.gguf"));
  EXPECT_EQ(Of(f.Find("q8")->sizes), (std::vector<int64_t>{2, 32}));
  EXPECT_NE(MessageOf([&] { f.Get("q8"); }).find("is of type Q8_0"), std::string::npos);
  const Tensor raw = TensorFile(Recorded("model.gguf"), {.raw = true}).Get("q8");
  EXPECT_EQ(raw.dtype(), DType::kUInt8);
  EXPECT_EQ(raw.numel(), 2 * 34);  // a scale of 2 bytes and 32 numbers
}

}  // namespace
}  // namespace sy::io
