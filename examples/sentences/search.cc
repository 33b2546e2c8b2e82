#include "examples/sentences/search.h"

#include <algorithm>
#include <fstream>

namespace sentences {

using sy::Tensor;

Tensor Similarities(const Model& model, const std::vector<std::string>& texts) {
  const Tensor e = model.Encode(texts);
  return sy::matmul(e, sy::t(e));
}

Index::Index(const Model& model, const std::string& path) : model_(model) {
  std::ifstream file(path);
  if (!file) sy::Fail(sy::ErrorCode::kNotFound, {"cannot open '", path, "'"});
  std::string line;
  for (int64_t n = 1; std::getline(file, line); ++n) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    texts_.push_back(line);
    lines_.push_back(n);
  }
  encoded_ = model.Encode(texts_);
}

std::vector<Hit> Index::Search(const std::string& question, int64_t most) const {
  const int64_t k = std::min(most, static_cast<int64_t>(texts_.size()));
  if (k <= 0) return {};
  const Tensor scores = sy::mv(encoded_, sy::select(model_.Encode({question}), 0, 0));
  const auto [values, places] = sy::topk(scores, k);
  std::vector<Hit> hits;
  hits.reserve(static_cast<size_t>(k));
  for (int64_t i = 0; i < k; ++i) {
    const auto place = static_cast<size_t>(places.at<int64_t>(i));
    hits.push_back({lines_[place], values.at<float>(i), texts_[place]});
  }
  return hits;
}

}  // namespace sentences
